// What an InfiniFilter consists of: from specs and snapshots, to snapshots,
// and the check that it is consistent.

#include <cstring>
#include <string>
#include <utility>

#include "base/errors.h"
#include "filters/growing/parameters.h"
#include "filters/growing/threshold.h"
#include "tamis/infini.h"

namespace tamis {

using internal::Generations;
using internal::PrefixTable;
using internal::Snapshot;
using internal::Violation;

namespace {

constexpr const char* kVoidsNames[] = {"sealed", "none", "duplicate"};

Result<InfiniFilter::Options> InfiniOptionsFrom(const Spec& spec,
                                                uint64_t slots) {
  const ParameterReader read(spec, internal::kInfiniParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());
  TAMIS_ASSIGN_OR_RETURN(const int bits, read.Int("f"));
  TAMIS_ASSIGN_OR_RETURN(const size_t voids, read.Choice("chain"));
  TAMIS_ASSIGN_OR_RETURN(const double threshold, read.Number("threshold"));
  return InfiniFilter::Options{.slots = slots,
                               .fingerprint_bits = bits,
                               .growing = spec.name() == "infini-growing",
                               .voids = static_cast<InfiniFilter::Voids>(voids),
                               .threshold = threshold};
}

// Reads table `index` of a snapshot: 0 is the active one.
Result<PrefixTable> TableFrom(const Snapshot& snapshot, const Generations& plan,
                              uint64_t index, const LoadOptions& load) {
  const std::string suffix = "." + std::to_string(index);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t generation,
                         snapshot.Number("generation" + suffix, 0, 56));
  if (plan.first_homes > internal::kMaxHomes >> generation) {
    return Violation(std::to_string(plan.first_homes) + " homes can't double " +
                     std::to_string(generation) + " times");
  }
  TAMIS_ASSIGN_OR_RETURN(const uint64_t size,
                         snapshot.Number("entries" + suffix));
  TAMIS_ASSIGN_OR_RETURN(const auto lines,
                         snapshot.Outer("lines" + suffix, load));
  PrefixTable::Counts counts;
  const int of = static_cast<int>(generation);
  if (snapshot.version() == 1) {
    return PrefixTable::FromLines(plan, of, size, lines);
  }
  TAMIS_ASSIGN_OR_RETURN(const auto bytes,
                         snapshot.Array("counts" + suffix, sizeof(counts)));
  std::memcpy(counts.data(), bytes.data(), sizeof(counts));
  return PrefixTable::FromLines(plan, of, size, lines, &counts);
}

}  // namespace

Result<InfiniFilter> InfiniFilter::Create(const Options& options,
                                          const Hasher& hasher) {
  TAMIS_RETURN_IF_ERROR(internal::CheckFingerprintBits(
      options.fingerprint_bits, internal::kMinGrowingBits,
      internal::kMaxGrowingBits));
  TAMIS_RETURN_IF_ERROR(internal::CheckThreshold(options.threshold));
  TAMIS_ASSIGN_OR_RETURN(PrefixTable active,
                         PrefixTable::Create(GenerationsOf(options), 0));
  return InfiniFilter(options, hasher, std::move(active));
}

Result<InfiniFilter> InfiniFilter::Create(const Spec& spec, uint64_t slots,
                                          const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Options options, InfiniOptionsFrom(spec, slots));
  return Create(options, hasher);
}

Spec InfiniFilter::spec() const {
  Spec spec(options_.growing ? "infini-growing" : "infini");
  spec.Set("f", static_cast<uint64_t>(options_.fingerprint_bits));
  if (options_.voids != Voids::kChain) {
    spec.Set("chain", kVoidsNames[static_cast<size_t>(options_.voids)]);
  }
  internal::AddThreshold(spec, options_.threshold);
  return spec;
}

Snapshot InfiniFilter::ToSnapshot() const {
  Snapshot snapshot(WithDefaults(spec(), internal::kInfiniParameters), hasher_);
  snapshot.AddNumber("slots", options_.slots);
  snapshot.AddNumber("size", size_);
  snapshot.AddNumber("tables", 1 + chain_.size());
  for (size_t i = 0; i <= chain_.size(); ++i) {
    const PrefixTable& table = i == 0 ? active_ : chain_[i - 1];
    const std::string suffix = "." + std::to_string(i);
    snapshot.AddNumber("generation" + suffix,
                       static_cast<uint64_t>(table.generation()));
    snapshot.AddNumber("entries" + suffix, table.size());
    snapshot.AddArray("lines" + suffix, table.lines());
    snapshot.AddArray("counts" + suffix,
                      std::span<const uint64_t>(table.counts()));
  }
  if (!screen_.empty()) {
    snapshot.AddNumber("screen", static_cast<uint64_t>(screen_.generation()));
    snapshot.AddArray("screen", screen_.marks());
  }
  return snapshot;
}

Result<InfiniFilter> InfiniFilter::FromSnapshot(const Snapshot& snapshot,
                                                const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots,
                         snapshot.Number("slots", 1, internal::kMaxHomes));
  TAMIS_ASSIGN_OR_RETURN(const Options options,
                         InfiniOptionsFrom(snapshot.spec(), slots));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t tables,
                         snapshot.Number("tables", 1, 57));
  const Generations plan = GenerationsOf(options);
  TAMIS_ASSIGN_OR_RETURN(PrefixTable active,
                         TableFrom(snapshot, plan, 0, load));
  InfiniFilter filter(options, snapshot.hasher(), std::move(active));
  for (uint64_t i = 1; i < tables; ++i) {
    TAMIS_ASSIGN_OR_RETURN(PrefixTable table,
                           TableFrom(snapshot, plan, i, load));
    filter.chain_.push_back(std::move(table));
  }
  if (snapshot.version() == 1) {
    TAMIS_RETURN_IF_ERROR(filter.RecomputeSummary());
  } else {
    TAMIS_RETURN_IF_ERROR(filter.LoadSummary(snapshot, load));
  }
  return internal::CheckedIfAsked(std::move(filter), load);
}

// What can be computed from the tables, and version 1 does not have.
Status InfiniFilter::RecomputeSummary() {
  TAMIS_ASSIGN_OR_RETURN(ChainChange change, WithScreen({}));
  screen_ = std::move(change.screen);
  size_ = CountKeys();
  return {};
}

Status InfiniFilter::LoadSummary(const Snapshot& snapshot,
                                 const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(size_, snapshot.Number("size"));
  if (!snapshot.HasNumber("screen")) return {};
  TAMIS_ASSIGN_OR_RETURN(const uint64_t generation,
                         snapshot.Number("screen", 0, 63));
  TAMIS_ASSIGN_OR_RETURN(const auto marks, snapshot.Outer("screen", load));
  TAMIS_ASSIGN_OR_RETURN(
      screen_, internal::ChainScreen::FromMarks(
                   generations(), static_cast<int>(generation), marks));
  return {};
}

uint64_t InfiniFilter::CountKeys() const {
  uint64_t keys = active_.size() - NumDuplicates();
  for (const PrefixTable& table : chain_) keys += table.size();
  return keys;
}

Status InfiniFilter::CheckInvariants() const {
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

Status InfiniFilter::CheckScreen() const {
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

Status InfiniFilter::CheckChain() const {
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

Status InfiniFilter::CheckResolutions(const PrefixTable& table) const {
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

Status InfiniFilter::CheckDuplicates() const {
  const uint64_t wanted = NumDuplicates();
  // Unless keys of some generation are void now, all voids are duplicates.
  const int oldest = generations().OlderThan(generation() + 1);
  const bool may_be_members =
      oldest >= 0 && generations().Resolution(oldest) == generation();
  uint64_t found = 0;
  uint64_t last_home = ~uint64_t{0};
  for (PrefixTable::Cursor at(active_); !at.done(); at.Next()) {
    if (at.value() != active_.void_value() || at.home() == last_home) continue;
    last_home = at.home();
    const uint64_t copies = CountDuplicates(last_home, generation());
    const uint64_t voids = active_.CountVoids(last_home);
    const std::string where = "(F4): home " + std::to_string(last_home);
    if (copies > voids) return Violation(where + " lacks a duplicate");
    if (copies < voids && !may_be_members) {
      return Violation(where + " has a void entry that is no duplicate");
    }
    found += copies;
  }
  if (found == wanted) return {};
  return Violation("(F4): " + std::to_string(found) + " of " +
                   std::to_string(wanted) + " duplicates are there");
}

}  // namespace tamis
