// Saving: pages of the filters, and the journal's trimming.
//
//   1. Shard by shard: with the stripes of its hashes locked nobody is between
//      filter and commit there.  The next position is read and the shard copied:
//      the copy includes the journal of its hashes below that position, and
//      nothing else.  Writers elsewhere go on.
//   2. A batch puts the page where it belongs; if the shard was split since,
//      the pages of all parts at once, and the page before them is deleted.
//   3. When all are written, the journal is trimmed to the least position.
// A crash in between leaves old and new pages, each with a position of its own,
// and all of the journal that any of them needs.

#include <algorithm>
#include <cmath>
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
  return std::max(kMinSaveAfter, NumKeys() / 4);
}

Result<SavedPage> StoreCore::TakePage(FilteredFamily& family, KeyHash first) {
  for (;;) {
    const HashRange range = family.filter().ShardRange(first);
    const RangeLock drained(family.stripes(), range);
    const uint64_t position = journal_->next();
    TAMIS_ASSIGN_OR_RETURN(FilterPage page, family.filter().PageOf(first));
    // Unless it was joined with its neighbour before the stripes were locked.
    if (range.low <= page.range.low && page.range.high <= range.high) {
      return SavedPage{position, std::move(page)};
    }
  }
}

Status StoreCore::WritePages(size_t number, std::span<const SavedPage> pages) {
  const uint32_t id = families_[number]->id();
  PageMap& map = page_maps_[number];
  const auto fill = [&](rocksdb::WriteBatch* batch) {
    rocksdb::Status status;
    if (map.empty()) {  // what is there is in doubt
      const auto [first, end] = PageKeys(id);
      status = batch->DeleteRange(filter_family_, first, end);
    }
    const HashRange range = {pages.front().page.range.low,
                             pages.back().page.range.high};
    for (const KeyHash low : map.Beginnings(range)) {
      if (status.ok()) status = batch->Delete(filter_family_, PageKey(id, low));
    }
    for (const SavedPage& one : pages) {
      if (!status.ok()) break;
      status = batch->Put(filter_family_, PageKey(id, one.page.range.low),
                          EncodePage(one));
    }
    return status;
  };
  rocksdb::WriteBatch batch;
  TAMIS_RETURN_IF_ROCKS_ERROR(fill(&batch), "can't write the filter's pages");
  TAMIS_RETURN_IF_ROCKS_ERROR(db_->Write(OwnWrites(), &batch),
                              "can't write the filter's pages");
  map.Replace(pages);
  return {};
}

Status StoreCore::SaveFamily(size_t number) {
  std::vector<SavedPage> pages;
  size_t size_bytes = 0;
  KeyHash next;
  do {
    TAMIS_ASSIGN_OR_RETURN(SavedPage page, TakePage(*families_[number], next));
    const KeyHash high = page.page.range.high;
    next = {high.high + 1, 0};
    size_bytes += page.page.bytes.size();
    AddTaken(&pages, std::move(page));
    if (page_maps_[number].GoesOnAfter(high)) continue;
    if (size_bytes < kBatchBytes && high != kAllHashes.high) continue;
    TAMIS_RETURN_IF_ERROR(WritePages(number, pages));
    pages.clear();
    size_bytes = 0;
  } while (next.high != 0);
  return {};
}

Status StoreCore::TrimJournal() {
  const uint64_t needed = Needed();
  rocksdb::WriteBatch batch;
  TAMIS_RETURN_IF_ROCKS_ERROR(journal_->Trim(&batch, needed),
                              "can't trim the journal");
  if (batch.Count() == 0) return {};
  TAMIS_RETURN_IF_ROCKS_ERROR(db_->Write(OwnWrites(), &batch),
                              "can't trim the journal");
  journal_->Trimmed(needed);
  return {};
}

Status StoreCore::SaveAll() {
  const uint64_t fixes = counters_.Sum(Count::kFixes);
  const bool learnt = unsaved_.exchange(false) || fixes != fixes_at_save_;
  for (size_t i = 0; i < families_.size(); ++i) {
    const bool same = !page_maps_[i].empty() && !learnt &&
                      page_maps_[i].least() == journal_->next();
    if (same) continue;
    if (Status status = SaveFamily(i); !status.ok()) {
      unsaved_ = true;
      return status;
    }
  }
  fixes_at_save_ = fixes;
  return TrimJournal();
}

Status StoreCore::SaveFilters() {
  const std::lock_guard lock(save_mutex_);
  Status status = SaveAll();
  counters_.Add(status.ok() ? Count::kPageSaves : Count::kFailedPageSaves);
  save_at_ = journal_->next() + SaveAfter();
  WishWhole();
  return status;
}

Status StoreCore::Flush() {
  rocksdb::FlushOptions options;
  return StatusOf(db_->Flush(options, handles_), "can't flush");
}

// ---- Making old entries whole ---------------------------------------------

uint64_t StoreCore::NumKeys() const {
  uint64_t keys = 0;
  for (const auto& family : families_) keys += family->filter().size();
  return keys;
}

// Entries lose a bit each time the filter doubles.  When it is wrong twice as
// often as it would be without that, and has grown since the last time, it is
// worth reading all keys once.
void StoreCore::WishWhole() {
  const uint64_t keys = NumKeys();
  if (keys < kMinSaveAfter || keys / 5 * 4 < whole_keys_) return;
  const double whole = std::ldexp(1.0, -meta_.filter.fingerprint_bits);
  for (const auto& family : families_) {
    if (!meta_.filter.grow ||
        family->filter().stats().expected_fpr < 2 * whole) {
      continue;
    }
    background_.RequestRejuvenation();
  }
}

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
        // This takes long; the journal should not have to wait for it.
        if (background_.TakeSave()) TAMIS_RETURN_IF_ERROR(SaveFilters());
      }
    }
  }
  whole_keys_ = NumKeys();
  if (at_rate) background_.RequestSave();
  return {};
}

}  // namespace tamis::internal
