// What an InfiniFilter consists of: from specs and snapshots, to snapshots,
// and the check that it is consistent.

#include <string>
#include <utility>

#include "filters/growing/parameters.h"
#include "tamis/infini.h"
#include "tamis/internal/filters/growing/threshold.h"

namespace tamis {

using internal::Generations;
using internal::PrefixTable;
using internal::Snapshot;

namespace {

Status Violation(std::string what) {
  return {StatusCode::kCorrupt, std::move(what)};
}

Result<Infini::Options> OptionsFrom(const Spec& spec, uint64_t slots) {
  const ParameterReader read(spec, internal::kInfiniParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());
  TAMIS_ASSIGN_OR_RETURN(const int bits, read.Int("f"));
  TAMIS_ASSIGN_OR_RETURN(const size_t voids, read.Choice("chain"));
  TAMIS_ASSIGN_OR_RETURN(const double threshold, read.Number("threshold"));
  return Infini::Options{.slots = slots,
                         .fingerprint_bits = bits,
                         .growing = spec.name() == "infini-growing",
                         .voids = static_cast<Infini::Voids>(voids),
                         .threshold = threshold};
}

// Reads table `index` of a snapshot: 0 is the active one.
Result<PrefixTable> TableFrom(const Snapshot& snapshot, const Generations& plan,
                              uint64_t index) {
  const std::string suffix = "." + std::to_string(index);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t generation,
                         snapshot.Number("generation" + suffix, 0, 56));
  if (plan.first_homes > internal::kMaxHomes >> generation) {
    return Violation(std::to_string(plan.first_homes) + " homes can't double " +
                     std::to_string(generation) + " times");
  }
  TAMIS_ASSIGN_OR_RETURN(const uint64_t size,
                         snapshot.Number("entries" + suffix));
  TAMIS_ASSIGN_OR_RETURN(const auto lines, snapshot.Array("lines" + suffix));
  return PrefixTable::FromLines(plan, static_cast<int>(generation), size,
                                lines);
}

}  // namespace

Result<Infini> Infini::Create(const Options& options, const Hasher& hasher) {
  TAMIS_RETURN_IF_ERROR(internal::CheckFingerprintBits(
      options.fingerprint_bits, internal::kMinGrowingBits,
      internal::kMaxGrowingBits));
  TAMIS_RETURN_IF_ERROR(internal::CheckThreshold(options.threshold));
  TAMIS_ASSIGN_OR_RETURN(PrefixTable active,
                         PrefixTable::Create(GenerationsOf(options), 0));
  return Infini(options, hasher, std::move(active));
}

Result<Infini> Infini::Create(const Spec& spec, uint64_t slots,
                              const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Options options, OptionsFrom(spec, slots));
  return Create(options, hasher);
}

Spec Infini::spec() const {
  Spec spec(options_.growing ? "infini-growing" : "infini");
  spec.Set("f", static_cast<uint64_t>(options_.fingerprint_bits));
  if (options_.voids == Voids::kNone) spec.Set("chain", "none");
  if (options_.voids == Voids::kDuplicate) spec.Set("chain", "duplicate");
  internal::AddThreshold(spec, options_.threshold);
  return spec;
}

Snapshot Infini::ToSnapshot() const {
  Snapshot snapshot(spec(), hasher_);
  snapshot.AddNumber("slots", options_.slots);
  snapshot.AddNumber("tables", 1 + chain_.size());
  for (size_t i = 0; i <= chain_.size(); ++i) {
    const PrefixTable& table = i == 0 ? active_ : chain_[i - 1];
    const std::string suffix = "." + std::to_string(i);
    snapshot.AddNumber("generation" + suffix,
                       static_cast<uint64_t>(table.generation()));
    snapshot.AddNumber("entries" + suffix, table.size());
    snapshot.AddArray("lines" + suffix, table.lines());
  }
  return snapshot;
}

Result<Infini> Infini::FromSnapshot(const Snapshot& snapshot,
                                    const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots,
                         snapshot.Number("slots", 1, internal::kMaxHomes));
  TAMIS_ASSIGN_OR_RETURN(const Options options,
                         OptionsFrom(snapshot.spec(), slots));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t tables,
                         snapshot.Number("tables", 1, 57));
  const Generations plan = GenerationsOf(options);
  TAMIS_ASSIGN_OR_RETURN(PrefixTable active, TableFrom(snapshot, plan, 0));
  Infini filter(options, snapshot.hasher(), std::move(active));
  for (uint64_t i = 1; i < tables; ++i) {
    TAMIS_ASSIGN_OR_RETURN(PrefixTable table, TableFrom(snapshot, plan, i));
    filter.chain_.push_back(std::move(table));
  }
  TAMIS_ASSIGN_OR_RETURN(ChainChange change, filter.WithScreen({}));
  filter.screen_ = std::move(change.screen);
  filter.size_ = filter.CountKeys();
  return internal::CheckedIfAsked(std::move(filter), load);
}

uint64_t Infini::CountKeys() const {
  uint64_t keys = active_.size() - NumDuplicates();
  for (const PrefixTable& table : chain_) keys += table.size();
  return keys;
}

Status Infini::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(active_.CheckInvariants());
  for (const PrefixTable& table : chain_) {
    TAMIS_RETURN_IF_ERROR(table.CheckInvariants());
  }
  TAMIS_RETURN_IF_ERROR(CheckChain());
  if (size_ != CountKeys()) {
    return Violation("(F3): the tables hold " + std::to_string(CountKeys()) +
                     " keys, size() is " + std::to_string(size_));
  }
  return Duplicates() ? CheckDuplicates() : CheckScreen();
}

Status Infini::CheckScreen() const {
  for (const PrefixTable& table : chain_) {
    for (PrefixTable::Cursor at(table); !at.done(); at.Next()) {
      if (!screen_.Covers(table, {at.home(), at.value()})) {
        return Violation("(F5): the screen lacks the entry in slot " +
                         std::to_string(at.slot()) +
                         " of the table of generation " +
                         std::to_string(table.generation()));
      }
    }
  }
  return {};
}

Status Infini::CheckChain() const {
  int newest = generations().OlderThan(generation());
  for (const PrefixTable& table : chain_) {
    if (table.generation() > newest || table.size() == 0 ||
        options_.voids == Voids::kNone) {
      return Violation("(F1): a table of generation " +
                       std::to_string(table.generation()) + " with " +
                       std::to_string(table.size()) +
                       " entries in the chain of generation " +
                       std::to_string(generation()));
    }
    TAMIS_RETURN_IF_ERROR(CheckResolutions(table));
    newest = table.generation() - 1;
  }
  return CheckResolutions(active_);
}

Status Infini::CheckResolutions(const PrefixTable& table) const {
  const Generations plan = generations();
  PrefixTable::Counts allowed = {};
  for (int g = 0; g <= table.generation(); ++g) {
    allowed[static_cast<size_t>(plan.Resolution(g))] = 1;
  }
  // Duplicates in the active table are void in every generation.
  if (Duplicates() && &table == &active_) {
    allowed[static_cast<size_t>(generation())] = 1;
  }
  for (size_t r = 0; r < allowed.size(); ++r) {
    if (table.entries_of(static_cast<int>(r)) != 0 && allowed[r] == 0) {
      return Violation("(F2): entries of resolution " + std::to_string(r) +
                       " in a table of generation " +
                       std::to_string(table.generation()));
    }
  }
  return {};
}

Status Infini::CheckDuplicates() const {
  const uint64_t wanted = NumDuplicates();
  uint64_t found = 0;
  uint64_t last_home = ~uint64_t{0};
  for (PrefixTable::Cursor at(active_); !at.done(); at.Next()) {
    if (at.value() != active_.void_value() || at.home() == last_home) continue;
    last_home = at.home();
    const uint64_t copies = CountDuplicates(last_home, generation());
    if (copies > active_.CountVoids(last_home)) {
      return Violation("(F4): home " + std::to_string(last_home) +
                       " lacks a duplicate");
    }
    found += copies;
  }
  if (found == wanted) return {};
  return Violation("(F4): " + std::to_string(found) + " of " +
                   std::to_string(wanted) + " duplicates are there");
}

}  // namespace tamis
