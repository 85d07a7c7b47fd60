// Saving: pages of the filters, and the journal's trimming.
//
//   1. With all stripes of a family locked (nobody is between filter and
//      commit), the next position is read and the filter copied: the copy
//      includes the journal below that position, and nothing else.
//   2. The pages are written under a new generation, a few at a time.
//   3. One batch makes it the valid one, deletes the one before, and trims the
//      journal to what no family needs any more.
// A crash before 3 leaves the old pages and their journal; after it, the new.

#include <algorithm>
#include <string>

#include "store/src/core.h"
#include "store/src/status_of.h"

namespace tamis::internal {
namespace {

constexpr uint64_t kMinSaveAfter = uint64_t{1} << 17;
constexpr size_t kBatchBytes = size_t{4} << 20;

}  // namespace

rocksdb::WriteOptions StoreCore::OwnWrites() const {
  rocksdb::WriteOptions options;
  options.disableWAL = !options_.wal;
  return options;
}

uint64_t StoreCore::SaveAfter() const {
  if (options_.save_after != 0) return options_.save_after;
  uint64_t keys = 0;
  for (const auto& family : families_) keys += family->filter().size();
  return std::max(kMinSaveAfter, keys / 4);
}

Status StoreCore::WritePages(const FilteredFamily& family, uint64_t generation,
                             std::span<const SavedPage> pages) {
  rocksdb::WriteBatch batch;
  for (size_t i = 0; i < pages.size(); ++i) {
    TAMIS_RETURN_IF_ROCKS_ERROR(
        batch.Put(filter_family_, PageKey(family.id(), generation, i),
                  EncodePage(pages[i])),
        "can't write a page of the filter");
    if (batch.GetDataSize() < kBatchBytes && i + 1 < pages.size()) continue;
    TAMIS_RETURN_IF_ROCKS_ERROR(db_->Write(OwnWrites(), &batch),
                                "can't write a page of the filter");
    batch.Clear();
  }
  return {};
}

Status StoreCore::SwitchTo(size_t number, const PageSet& set) {
  const uint32_t id = families_[number]->id();
  uint64_t needed = set.position;
  for (size_t i = 0; i < page_sets_.size(); ++i) {
    if (i != number) needed = std::min(needed, page_sets_[i].position);
  }
  const auto fill = [&](rocksdb::WriteBatch* batch) {
    rocksdb::Status status =
        batch->Put(filter_family_, PageSetKey(id), EncodePageSet(set));
    if (status.ok()) {  // older pages, and what a crash left of newer ones
      status = batch->DeleteRange(filter_family_, PageKey(id, 0, 0),
                                  PageKey(id, set.generation, 0));
    }
    if (status.ok()) {
      status = batch->DeleteRange(filter_family_,
                                  PageKey(id, set.generation, set.pages),
                                  PageKey(id, ~uint64_t{0}, ~uint64_t{0}));
    }
    if (status.ok()) status = journal_->Trim(batch, needed);
    return status;
  };
  rocksdb::WriteBatch batch;
  TAMIS_RETURN_IF_ROCKS_ERROR(fill(&batch), "can't name the filter's pages");
  TAMIS_RETURN_IF_ROCKS_ERROR(db_->Write(OwnWrites(), &batch),
                              "can't name the filter's pages");
  page_sets_[number] = set;
  return {};
}

Status StoreCore::SaveFamily(size_t number) {
  FilteredFamily& family = *families_[number];
  std::vector<SavedPage> pages;
  PageSet set;
  set.generation = page_sets_[number].generation + 1;
  {
    const RangeLock drained(family.stripes(), kAllHashes);
    set.position = journal_->next();
    TAMIS_ASSIGN_OR_RETURN(std::vector<FilterPage> copies,
                           family.filter().Pages());
    pages.reserve(copies.size());
    for (FilterPage& copy : copies) {
      pages.push_back({set.position, std::move(copy)});
    }
  }
  set.pages = pages.size();
  TAMIS_RETURN_IF_ERROR(WritePages(family, set.generation, pages));
  return SwitchTo(number, set);
}

Status StoreCore::SaveFilters() {
  const std::lock_guard lock(save_mutex_);
  const uint64_t fixes = counters_.Sum(Count::kFixes);
  for (size_t i = 0; i < families_.size(); ++i) {
    const bool same = page_sets_[i].generation != 0 &&
                      page_sets_[i].position == journal_->next() &&
                      fixes == fixes_at_save_ &&
                      !unsaved_.load(std::memory_order_relaxed);
    if (same) continue;
    if (Status status = SaveFamily(i); !status.ok()) {
      counters_.Add(Count::kFailedPageSaves);
      save_at_ = journal_->next() + SaveAfter();
      return status;
    }
  }
  counters_.Add(Count::kPageSaves);
  fixes_at_save_ = fixes;
  unsaved_ = false;
  save_at_ = journal_->next() + SaveAfter();
  return {};
}

Status StoreCore::Flush() {
  rocksdb::FlushOptions options;
  return StatusOf(db_->Flush(options, handles_), "can't flush");
}

// ---- Making old entries whole ---------------------------------------------

Status StoreCore::RejuvenateAll(bool at_rate) {
  constexpr uint64_t kChunk = 2048;
  if (at_rate && options_.rejuvenate_rate == 0) return {};
  std::vector<KeyHash> members;
  for (const auto& family : families_) {
    for (size_t stripe = 0; stripe < Stripes::kCount; ++stripe) {
      const HashRange range = Stripes::RangeOf(stripe);
      KeyHash low = range.low;
      for (bool more = true; more;) {
        members.clear();
        {
          // A member that left between reading and lengthening would take
          // another one's entry along: nobody may leave.
          const std::lock_guard lock(family->stripes()[stripe]);
          more = false;
          TAMIS_RETURN_IF_ERROR(family->Scan(low, [&](KeyHash hash) {
            if (!range.Contains(hash)) return false;
            members.push_back(hash);
            more = members.size() == kChunk;
            return !more;
          }));
          if (members.empty()) break;
          TAMIS_RETURN_IF_ERROR(family->filter().Rejuvenate(members));
        }
        unsaved_ = true;
        counters_.Add(Count::kRejuvenated, members.size());
        more = more && members.back().high < range.high.high;
        if (more) low = {members.back().high + 1, 0};
        if (!at_rate) continue;
        const auto pause = std::chrono::microseconds(
            members.size() * 1'000'000 / options_.rejuvenate_rate);
        if (!background_.SleepFor(pause)) return {};
      }
    }
  }
  return {};
}

}  // namespace tamis::internal
