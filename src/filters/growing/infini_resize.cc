// Expansion and contraction of an InfiniFilter: each is one ordered pass.
//
// Both make the new tables first and exchange them at the end, so that lack of
// memory leaves the filter as it was.

#include <string>
#include <utility>

#include "filters/growing/entry_stream.h"
#include "tamis/infini.h"

namespace tamis {

using internal::Burst;
using internal::Bursts;
using internal::ChainScreen;
using internal::ContractEntry;
using internal::ExpandEntry;
using internal::Generations;
using internal::kSkip;
using internal::MappedEntries;
using internal::MergeInto;
using internal::NoEntries;
using internal::PrefixEntry;
using internal::PrefixTable;
using internal::QuotientTable;

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

// Reads the void entries of a table: the next home that has any, and how many.
class VoidHomes {
 public:
  explicit VoidHomes(const PrefixTable& table)
      : table_(table), cursor_(table.table()), left_(table.num_voids()) {}
  // Returns false at the end.
  bool Next(uint64_t& home, uint64_t& count) {
    if (left_ == 0) return false;
    while (cursor_.value() != table_.void_value()) cursor_.Next();
    home = cursor_.home();
    for (count = 0; !cursor_.done() && cursor_.home() == home &&
                    cursor_.value() == table_.void_value();
         ++count) {
      cursor_.Next();
    }
    left_ -= count;
    return true;
  }

 private:
  const PrefixTable& table_;
  QuotientTable::Cursor cursor_;
  uint64_t left_;
};

}  // namespace

void Infini::Commit(PrefixTable active, ChainChange change) {
  if (change.replaces_first) chain_.erase(chain_.begin());
  if (change.first) {
    chain_.insert(chain_.begin(), std::move(*change.first));
  }
  active_ = std::move(active);
  screen_ = std::move(change.screen);
}

Result<Infini::ChainChange> Infini::WithScreen(ChainChange change) const {
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

Status Infini::Expand() {
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

Result<Infini::ChainChange> Infini::ChainAfterExpand() const {
  const Generations plan = generations();
  const int older = plan.OlderThan(generation() + 1);
  ChainChange change;
  if (active_.num_voids() == 0 || plan.Resolution(older) != generation()) {
    return change;
  }
  TAMIS_ASSIGN_OR_RETURN(PrefixTable table, PrefixTable::Create(plan, older));
  VoidHomes homes(active_);
  Bursts migrating([&]() -> Burst {
    uint64_t home = 0;
    uint64_t count = 0;
    while (homes.Next(home, count)) {
      const uint64_t copies =
          Duplicates() ? CountDuplicates(home, generation()) : 0;
      const PrefixTable::Query query = table.ReadHome(home, generation());
      if (count > copies) {
        return {{query.home, query.string | 1}, count - copies};
      }
    }
    return {kSkip, 0};
  });
  if (!chain_.empty() && chain_.front().MinResolution() >= older) {
    const PrefixTable& first = chain_.front();
    const int doublings = older - first.generation();
    MappedEntries staying(first, [&](const PrefixEntry& entry) {
      return ExpandEntry(entry, doublings, first.width(), table.width());
    });
    TAMIS_RETURN_IF_ERROR(
        MergeInto(table, std::move(staying), std::move(migrating)));
    change.replaces_first = true;
  } else {
    TAMIS_RETURN_IF_ERROR(MergeInto(table, std::move(migrating), NoEntries()));
  }
  if (table.size() > 0) change.first = std::move(table);
  return change;
}

Result<PrefixTable> Infini::ActiveAfterExpand() const {
  TAMIS_ASSIGN_OR_RETURN(PrefixTable table,
                         PrefixTable::Create(generations(), generation() + 1));
  const int from = active_.width();
  const int to = table.width();
  const uint64_t no_bits = active_.void_value();
  MappedEntries staying(active_, [=](const PrefixEntry& entry) {
    return entry.value == no_bits ? kSkip : ExpandEntry(entry, 1, from, to);
  });
  if (!Duplicates()) {
    TAMIS_RETURN_IF_ERROR(MergeInto(table, std::move(staying), NoEntries()));
    return table;
  }
  // All copies in the left child, then as many in the right one.
  VoidHomes homes(active_);
  uint64_t home = 0;
  uint64_t count = 0;
  bool right = true;
  Bursts copies([&]() -> Burst {
    right = !right;
    if (!right && !homes.Next(home, count)) return {kSkip, 0};
    return {{2 * home + (right ? 1 : 0), table.void_value()}, count};
  });
  TAMIS_RETURN_IF_ERROR(
      MergeInto(table, std::move(staying), std::move(copies)));
  return table;
}

Status Infini::Contract() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (generation() == 0) {
    return {StatusCode::kUnsupported,
            "the filter is as small as it was created"};
  }
  const uint64_t limit = Limit(active_.homes() / 2);
  // Of two duplicates, one in either child, one is left.
  const uint64_t used = Used() - NumDuplicates() / 2;
  if (used > limit) {
    return {StatusCode::kFull,
            std::to_string(used) + " entries are more than the " +
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
bool Infini::ContractTakesBack() const {
  const Generations plan = generations();
  const int older = plan.OlderThan(generation());
  return older >= 0 && plan.Resolution(older) == generation() - 1 &&
         !chain_.empty() && chain_.front().generation() == older;
}

Result<Infini::ChainChange> Infini::ChainAfterContract() const {
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
  MappedEntries staying(first, [&](const PrefixEntry& entry) {
    const bool is_whole = (entry.value & 1) != 0;
    return is_whole ? kSkip
                    : ContractEntry(entry, first.width(), table.width());
  });
  TAMIS_RETURN_IF_ERROR(MergeInto(table, std::move(staying), NoEntries()));
  change.first = std::move(table);
  return change;
}

Result<PrefixTable> Infini::ActiveAfterContract() const {
  TAMIS_ASSIGN_OR_RETURN(PrefixTable table,
                         PrefixTable::Create(generations(), generation() - 1));
  FirstOfHome is_duplicate([&](uint64_t home) {
    return Duplicates() ? CountDuplicates(home, generation()) : 0;
  });
  MappedEntries staying(active_, [&, no_bits = active_.void_value()](
                                     const PrefixEntry& entry) mutable {
    if (entry.value == no_bits && is_duplicate(entry.home)) return kSkip;
    return ContractEntry(entry, active_.width(), table.width());
  });
  if (Duplicates()) {
    // Both children have the same duplicates; the left one's are kept.
    VoidHomes homes(active_);
    Bursts copies([&]() -> Burst {
      uint64_t home = 0;
      uint64_t count = 0;
      while (homes.Next(home, count)) {
        const uint64_t kept =
            home % 2 == 0 ? CountDuplicates(home / 2, generation() - 1) : 0;
        if (kept > 0) return {{home / 2, table.void_value()}, kept};
      }
      return {kSkip, 0};
    });
    TAMIS_RETURN_IF_ERROR(
        MergeInto(table, std::move(staying), std::move(copies)));
    return table;
  }
  if (!ContractTakesBack()) {
    TAMIS_RETURN_IF_ERROR(MergeInto(table, std::move(staying), NoEntries()));
    return table;
  }
  const PrefixTable& first = chain_.front();
  MappedEntries returning(first, [&](const PrefixEntry& entry) {
    const bool is_whole = (entry.value & 1) != 0;
    return is_whole
               ? PrefixEntry{(entry.home << first.bits()) | (entry.value >> 1),
                             table.void_value()}
               : kSkip;
  });
  TAMIS_RETURN_IF_ERROR(
      MergeInto(table, std::move(staying), std::move(returning)));
  return table;
}

}  // namespace tamis
