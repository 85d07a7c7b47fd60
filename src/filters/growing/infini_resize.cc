// Expansion and contraction of an InfiniFilter: each is one ordered pass.
//
// Both make the new tables first and exchange them at the end, so that lack of
// memory leaves the filter as it was.

#include <string>
#include <utility>

#include "table/entry_stream.h"
#include "tamis/infini.h"

namespace tamis {

using internal::Burst;
using internal::Bursts;
using internal::ChainScreen;
using internal::ContractEntry;
using internal::ExpandEntry;
using internal::FillFrom;
using internal::Generations;
using internal::kNoBurst;
using internal::kNoEntry;
using internal::MappedEntries;
using internal::PrefixTable;
using internal::TableEntry;

namespace {

// Counts down, home by home: says true for the first `count(home)` entries it
// is asked about in each home, which come in order.
template <typename Count>
class FirstOfHome {
 public:
  explicit FirstOfHome(Count count) : count_(std::move(count)) {}
  bool operator()(uint64_t home) {
    if (!any_ || home != home_) {
      any_ = true;
      home_ = home;
      left_ = count_(home);
    }
    if (left_ == 0) return false;
    --left_;
    return true;
  }

 private:
  Count count_;
  bool any_ = false;
  uint64_t home_ = 0;
  uint64_t left_ = 0;
};

// Reads the void entries of a table, all of a home at once.
class VoidEntries {
 public:
  explicit VoidEntries(const PrefixTable& table)
      : no_bits_(table.void_value()),
        cursor_(table),
        left_(table.num_voids()) {}
  // Returns those of the next home that has any, or kNoBurst at the end.
  Burst Next() {
    if (left_ == 0) return kNoBurst;
    while (cursor_.value() != no_bits_) cursor_.Next();
    Burst voids = {{cursor_.home(), no_bits_}, 0};
    for (; AtOneOf(voids.entry); cursor_.Next()) ++voids.count;
    left_ -= voids.count;
    return voids;
  }

 private:
  bool AtOneOf(const TableEntry& entry) const {
    return !cursor_.done() && cursor_.home() == entry.home &&
           cursor_.value() == entry.value;
  }

  uint64_t no_bits_;
  PrefixTable::Cursor cursor_;
  uint64_t left_;
};

// The entries of a table as they are in `later`, one of a later generation,
// without those that are void.
auto ExpandedEntries(const PrefixTable& table, const PrefixTable& later) {
  return MappedEntries(
      table,
      [no_bits = table.void_value(), from = table.width(), to = later.width(),
       doublings =
           later.generation() - table.generation()](const TableEntry& entry) {
        return entry.value == no_bits ? kNoEntry
                                      : ExpandEntry(entry, doublings, from, to);
      });
}

bool IsWhole(const TableEntry& entry) { return (entry.value & 1) != 0; }

}  // namespace

void InfiniFilter::Commit(PrefixTable active, ChainChange change) {
  if (change.replaces_first) chain_.erase(chain_.begin());
  if (change.first) {
    chain_.insert(chain_.begin(), std::move(*change.first));
  }
  active_ = std::move(active);
  screen_ = std::move(change.screen);
}

Result<InfiniFilter::ChainChange> InfiniFilter::WithScreen(
    ChainChange change) const {
  if (Duplicates()) return change;
  std::vector<const PrefixTable*> tables;
  if (change.first) tables.push_back(&*change.first);
  for (size_t i = change.replaces_first ? 1 : 0; i < chain_.size(); ++i) {
    tables.push_back(&chain_[i]);
  }
  TAMIS_ASSIGN_OR_RETURN(change.screen,
                         ChainScreen::Build(generations(), tables));
  return change;
}

Status InfiniFilter::Expand() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (active_.homes() > internal::kMaxHomes / 2) {
    return {StatusCode::kFull, "a filter of more than 2^55 homes can't double"};
  }
  if (options_.voids == Voids::kNone && active_.num_voids() > 0) {
    return {StatusCode::kFull,
            std::to_string(active_.num_voids()) +
                " keys have no fingerprint bits left after " +
                std::to_string(generation()) +
                " expansions, and chain=none has no place for them"};
  }
  TAMIS_ASSIGN_OR_RETURN(ChainChange tables, ChainAfterExpand());
  TAMIS_ASSIGN_OR_RETURN(ChainChange change, WithScreen(std::move(tables)));
  TAMIS_ASSIGN_OR_RETURN(PrefixTable active, ActiveAfterExpand());
  Commit(std::move(active), std::move(change));
  return {};
}

Result<InfiniFilter::ChainChange> InfiniFilter::ChainAfterExpand() const {
  const Generations plan = generations();
  const int older = plan.OlderThan(generation() + 1);
  ChainChange change;
  if (active_.num_voids() == 0 || plan.Resolution(older) != generation()) {
    return change;
  }
  TAMIS_ASSIGN_OR_RETURN(PrefixTable table, PrefixTable::Create(plan, older));
  change.replaces_first =
      !chain_.empty() && chain_.front().MinResolution() >= older;
  TAMIS_RETURN_IF_ERROR(MigrateVoids(change.replaces_first, table));
  if (table.size() > 0) change.first = std::move(table);
  return change;
}

Status InfiniFilter::MigrateVoids(bool joins_first, PrefixTable& table) const {
  // Void entries that are no duplicates, as they are in `table`.
  Bursts migrating([&, voids = VoidEntries(active_)]() mutable -> Burst {
    for (Burst burst = voids.Next(); burst.count != 0; burst = voids.Next()) {
      const uint64_t home = burst.entry.home;
      const uint64_t copies =
          Duplicates() ? CountDuplicates(home, generation()) : 0;
      const PrefixTable::Query query = table.ReadHome(home, generation());
      if (burst.count > copies) {
        return {{query.home, query.string | 1}, burst.count - copies};
      }
    }
    return kNoBurst;
  });
  if (!joins_first) return FillFrom(table, std::move(migrating));
  return FillFrom(table, ExpandedEntries(chain_.front(), table),
                  std::move(migrating));
}

Result<PrefixTable> InfiniFilter::ActiveAfterExpand() const {
  TAMIS_ASSIGN_OR_RETURN(PrefixTable table,
                         PrefixTable::Create(generations(), generation() + 1));
  if (!Duplicates()) {
    TAMIS_RETURN_IF_ERROR(FillFrom(table, ExpandedEntries(active_, table)));
    return table;
  }
  // All copies in the left child, then as many in the right one.
  Bursts copies([no_bits = table.void_value(), voids = VoidEntries(active_),
                 home = kNoBurst, right = true]() mutable -> Burst {
    right = !right;
    if (!right) home = voids.Next();
    if (home.count == 0) return kNoBurst;
    return {{2 * home.entry.home + (right ? 1 : 0), no_bits}, home.count};
  });
  TAMIS_RETURN_IF_ERROR(
      FillFrom(table, ExpandedEntries(active_, table), std::move(copies)));
  return table;
}

Status InfiniFilter::Contract() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (generation() == 0) {
    return {StatusCode::kUnsupported,
            "the filter is as small as it was created"};
  }
  // Of two duplicates, one in either child, one is left.
  const uint64_t copies = Copies() - NumDuplicates() / 2;
  const uint64_t limit = KeyLimit(active_.homes() / 2, copies);
  if (size_ > limit) {
    return {StatusCode::kFull,
            std::to_string(size_) + " keys are more than the " +
                std::to_string(limit) + " that half the slots may hold"};
  }
  TAMIS_ASSIGN_OR_RETURN(ChainChange tables, ChainAfterContract());
  TAMIS_ASSIGN_OR_RETURN(ChainChange change, WithScreen(std::move(tables)));
  TAMIS_ASSIGN_OR_RETURN(PrefixTable active, ActiveAfterContract());
  Commit(std::move(active), std::move(change));
  return {};
}

// Are there entries in the chain that have a place in the active table of the
// generation before?  They are those with whole fingerprints.
bool InfiniFilter::ContractTakesBack() const {
  const Generations plan = generations();
  const int older = plan.OlderThan(generation());
  return older >= 0 && plan.Resolution(older) == generation() - 1 &&
         !chain_.empty() && chain_.front().generation() == older;
}

Result<InfiniFilter::ChainChange> InfiniFilter::ChainAfterContract() const {
  ChainChange change;
  if (!ContractTakesBack()) return change;
  change.replaces_first = true;
  const PrefixTable& first = chain_.front();
  const uint64_t leaving =
      first.entries_of(generations().Resolution(first.generation()));
  if (leaving == first.size()) return change;
  TAMIS_ASSIGN_OR_RETURN(
      PrefixTable table,
      PrefixTable::Create(generations(), first.generation() - 1));
  MappedEntries staying(first, [&](const TableEntry& entry) {
    return IsWhole(entry) ? kNoEntry
                          : ContractEntry(entry, first.width(), table.width());
  });
  TAMIS_RETURN_IF_ERROR(FillFrom(table, std::move(staying)));
  change.first = std::move(table);
  return change;
}

Result<PrefixTable> InfiniFilter::ActiveAfterContract() const {
  TAMIS_ASSIGN_OR_RETURN(PrefixTable table,
                         PrefixTable::Create(generations(), generation() - 1));
  TAMIS_RETURN_IF_ERROR(Duplicates() ? ContractDuplicates(table)
                                     : ContractActive(table));
  return table;
}

Status InfiniFilter::ContractActive(PrefixTable& table) const {
  MappedEntries staying(active_, [&](const TableEntry& entry) {
    return ContractEntry(entry, active_.width(), table.width());
  });
  if (!ContractTakesBack()) return FillFrom(table, std::move(staying));
  const PrefixTable& first = chain_.front();
  MappedEntries returning(first, [&](const TableEntry& entry) {
    return IsWhole(entry)
               ? TableEntry{first.PrefixOf(entry), table.void_value()}
               : kNoEntry;
  });
  return FillFrom(table, std::move(staying), std::move(returning));
}

Status InfiniFilter::ContractDuplicates(PrefixTable& table) const {
  FirstOfHome is_duplicate(
      [&](uint64_t home) { return CountDuplicates(home, generation()); });
  MappedEntries staying(active_, [&](const TableEntry& entry) {
    if (entry.value == active_.void_value() && is_duplicate(entry.home)) {
      return kNoEntry;
    }
    return ContractEntry(entry, active_.width(), table.width());
  });
  // Both children have the same duplicates; the left one's are kept.
  Bursts copies([&, voids = VoidEntries(active_)]() mutable {
    Burst burst = voids.Next();
    for (; burst.count != 0; burst = voids.Next()) {
      const uint64_t home = burst.entry.home / 2;
      if (burst.entry.home % 2 != 0) continue;
      const uint64_t kept = CountDuplicates(home, generation() - 1);
      if (kept > 0) return Burst{{home, table.void_value()}, kept};
    }
    return kNoBurst;
  });
  return FillFrom(table, std::move(staying), std::move(copies));
}

}  // namespace tamis
