// Everything compared with everything: what `tamis store check` does.

#include <memory>
#include <optional>
#include <string>

#include "store/src/core.h"
#include "store/src/status_of.h"

namespace tamis::internal {
namespace {

Status Wrong(const FilteredFamily& family, const std::string& what) {
  return {StatusCode::kCorrupt,
          "column family " + family.data()->GetName() + ": " + what};
}

// Every member has an entry of its own: in a copy, each can be erased once.
// What is left then are ghosts.
Result<uint64_t> CountGhosts(const FilteredFamily& family,
                             const StoreFilterOptions& form, uint64_t* keys) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<FilterPage> pages,
                         family.filter().AllPages());
  TAMIS_ASSIGN_OR_RETURN(const std::unique_ptr<SharedFilter> copy,
                         SharedFilter::FromPages(form, pages, true));
  Status wrong;
  const Status read = family.Scan({}, [&](KeyHash hash) {
    ++*keys;
    if (!family.filter().MayContain(hash)) {
      wrong = Wrong(family, "the filter denies a key that is there");
    } else if (!copy->Erase(hash).ok()) {
      wrong = Wrong(family, "the filter has too few entries for its keys");
    }
    return wrong.ok();
  });
  TAMIS_RETURN_IF_ERROR(read);
  TAMIS_RETURN_IF_ERROR(wrong);
  return copy->size();
}

// In kKeyOrder: every key of the data is in the index.  Returns how many.
Result<uint64_t> CheckIndex(rocksdb::DB* db, const FilteredFamily& family) {
  const std::unique_ptr<rocksdb::Iterator> at(
      db->NewIterator({}, family.data()));
  uint64_t keys = 0;
  for (at->SeekToFirst(); at->Valid(); at->Next(), ++keys) {
    TAMIS_ASSIGN_OR_RETURN(
        const bool member,
        family.IsMemberOnDisk(family.HashOf(at->key()), at->key()));
    if (!member) return Wrong(family, "a key is not in the index");
  }
  TAMIS_RETURN_IF_ROCKS_ERROR(at->status(), "can't read the data");
  return keys;
}

// In kHashOrder: every key lies under its own hash.
Status CheckHashes(rocksdb::DB* db, const FilteredFamily& family) {
  const std::unique_ptr<rocksdb::Iterator> at(
      db->NewIterator({}, family.members()));
  for (at->SeekToFirst(); at->Valid(); at->Next()) {
    rocksdb::Slice key = at->key();
    if (key.size() < kHashBytes) return Wrong(family, "a key has no hash");
    const uint64_t high = ReadBe64(key.data());
    key.remove_prefix(kHashBytes);
    if (family.HashOf(key).high != high) {
      return Wrong(family, "a key lies under another one's hash");
    }
  }
  return StatusOf(at->status(), "can't read the data");
}

}  // namespace

Result<Store::CheckReport> StoreCore::Check() {
  Store::CheckReport report;
  const std::lock_guard saving(save_mutex_);
  for (size_t i = 0; i < families_.size(); ++i) {
    FilteredFamily& family = *families_[i];
    const RangeLock drained(family.stripes(), kAllHashes);
    TAMIS_RETURN_IF_ERROR(family.filter().CheckInvariants());
    TAMIS_RETURN_IF_ERROR(CheckHashes(db_.get(), family));
    uint64_t members = 0;
    TAMIS_ASSIGN_OR_RETURN(const uint64_t surplus,
                           CountGhosts(family, meta_.filter, &members));
    uint64_t keys = members;
    if (!family.in_hash_order()) {
      TAMIS_ASSIGN_OR_RETURN(keys, CheckIndex(db_.get(), family));
    }
    report.keys += keys;
    report.ghosts += surplus + (members - keys);
    TAMIS_RETURN_IF_ERROR(CheckSaved(i));
  }
  TAMIS_RETURN_IF_ERROR(journal_->ForEach(
      0, [](uint64_t, std::span<const Change>) { return Status(); }));
  return report;
}

Status StoreCore::CheckSaved(size_t number) const {
  TAMIS_ASSIGN_OR_RETURN(std::vector<SavedPage> saved,
                         ReadPages(families_[number]->id()));
  if (saved.empty()) return {};
  std::vector<FilterPage> pages;
  for (SavedPage& one : saved) pages.push_back(std::move(one.page));
  TAMIS_RETURN_IF_ERROR(CheckTiling(pages));
  return SharedFilter::FromPages(meta_.filter, pages, true).status();
}

}  // namespace tamis::internal
