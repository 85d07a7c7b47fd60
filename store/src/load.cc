// Loading: the pages, then what the journal knows beyond them; in any doubt the
// data themselves.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "store/src/core.h"
#include "store/src/status_of.h"

namespace tamis::internal {

// A filter on its way in.
struct StoreCore::Loading {
  FilteredFamily* family = nullptr;
  PageMap* pages = nullptr;
  std::string doubt;  // why it has to be rebuilt; empty: it need not
};

Result<std::vector<SavedPage>> StoreCore::ReadPages(uint32_t family) const {
  const auto [first, end] = PageKeys(family);
  rocksdb::ReadOptions options;
  const Slice bound = end;
  options.iterate_upper_bound = &bound;
  const std::unique_ptr<rocksdb::Iterator> at(
      db_->NewIterator(options, filter_family_));
  std::vector<SavedPage> pages;
  for (at->Seek(first); at->Valid(); at->Next()) {
    TAMIS_ASSIGN_OR_RETURN(SavedPage page,
                           DecodePage(at->value().ToStringView()));
    if (at->key() != Slice(PageKey(family, page.page.range.low))) {
      return Status(StatusCode::kCorrupt,
                    "a page of the filter is not where it belongs");
    }
    pages.push_back(std::move(page));
  }
  TAMIS_RETURN_IF_ROCKS_ERROR(at->status(), "can't read a page");
  return pages;
}

Status StoreCore::LoadPages(FilteredFamily& family, PageMap* map) {
  TAMIS_ASSIGN_OR_RETURN(std::vector<SavedPage> saved, ReadPages(family.id()));
  if (saved.empty()) {
    return {StatusCode::kNotFound, "the filter was never saved"};
  }
  std::vector<FilterPage> pages;
  for (SavedPage& one : saved) pages.push_back(std::move(one.page));
  TAMIS_RETURN_IF_ERROR(CheckTiling(pages));
  // The checksums were right, and nobody else writes here; Check looks deeper.
  TAMIS_ASSIGN_OR_RETURN(std::unique_ptr<SharedFilter> filter,
                         SharedFilter::FromPages(meta_.filter, pages,
                                                 /*check_invariants=*/false));
  if (!(filter->hasher() == meta_.hasher)) {
    return {StatusCode::kCorrupt, "the filter has another seed"};
  }
  family.set_filter(std::move(filter));
  for (size_t i = 0; i < saved.size(); ++i) {
    map->Add(pages[i].range, saved[i].position);
  }
  return {};
}

Status StoreCore::Replay(std::vector<Loading>& loading) {
  uint64_t first = ~uint64_t{0};
  for (const Loading& one : loading) {
    if (one.doubt.empty()) first = std::min(first, one.pages->least());
  }
  if (first == ~uint64_t{0}) return {};
  return journal_->ForEach(
      first, [&](uint64_t position, std::span<const Change> changes) {
        for (const Change& change : changes) {
          const auto one = std::find_if(
              loading.begin(), loading.end(), [&](const Loading& l) {
                return l.family->id() == change.family;
              });
          if (one == loading.end() || !one->doubt.empty()) continue;
          if (position < one->pages->PositionOf(change.hash)) continue;
          SharedFilter& filter = one->family->filter();
          const Status status = change.insert ? filter.Insert(change.hash)
                                              : filter.Erase(change.hash);
          if (!status.ok()) one->doubt = status.ToString();
          counters_.Add(Count::kReplayed);
        }
        return Status();
      });
}

Status StoreCore::LoadFilters() {
  std::vector<Loading> loading(families_.size());
  uint64_t next = 1;
  for (size_t i = 0; i < families_.size(); ++i) {
    loading[i].family = families_[i].get();
    loading[i].pages = &page_maps_[i];
    if (options_.rebuild) {
      loading[i].doubt = "asked for";
    } else if (const Status loaded = LoadPages(*families_[i], &page_maps_[i]);
               !loaded.ok()) {
      loading[i].doubt = loaded.ToString();
    }
    next = std::max(next, page_maps_[i].largest());
  }
  Status replayed;
  if (const Result<uint64_t> end = journal_->EndOnDisk(); end.ok()) {
    next = std::max(next, *end);
    replayed = Replay(loading);
  } else {
    replayed = end.status();
  }
  journal_->SetRange(Needed(), next);
  if (!replayed.ok()) TAMIS_RETURN_IF_ERROR(ForgetSaved());
  bool rebuilt = false;
  for (Loading& one : loading) {
    if (!replayed.ok() && one.doubt.empty()) one.doubt = replayed.ToString();
    if (one.doubt.empty()) continue;
    Tell("rebuilding the filter of " + one.family->data()->GetName() + ": " +
             one.doubt,
         0);
    one.pages->clear();
    TAMIS_RETURN_IF_ERROR(Rebuild(*one.family));
    rebuilt = true;
  }
  is_loaded_ = true;
  if (rebuilt) return SaveFilters();
  save_at_ = journal_->begin() + SaveAfter();
  return {};
}

uint64_t StoreCore::Needed() const {
  uint64_t needed = ~uint64_t{0};
  for (const PageMap& map : page_maps_) needed = std::min(needed, map.least());
  return needed;
}

// One batch: a journal without its pages, or pages without their journal, would
// be taken for good if the process died in between.
Status StoreCore::ForgetSaved() {
  rocksdb::WriteBatch batch;
  for (const auto& family : families_) {
    const auto [first, end] = PageKeys(family->id());
    TAMIS_RETURN_IF_ROCKS_ERROR(batch.DeleteRange(filter_family_, first, end),
                                "can't drop a damaged journal");
  }
  TAMIS_RETURN_IF_ROCKS_ERROR(journal_->Clear(&batch),
                              "can't drop a damaged journal");
  return StatusOf(db_->Write(OwnWrites(), &batch),
                  "can't drop a damaged journal");
}

}  // namespace tamis::internal
