#include "store/src/journal.h"

#include <memory>
#include <string>

#include "store/src/status_of.h"

namespace tamis::internal {

rocksdb::Status Journal::Append(rocksdb::WriteBatch* batch,
                                std::span<const Change> changes) {
  thread_local std::string record;
  record.clear();
  for (const Change& change : changes) AppendChange(&record, change);
  char key[8];
  WriteBe64(key, next_.fetch_add(1, std::memory_order_relaxed));
  return batch->Put(family_, rocksdb::Slice(key, sizeof key), record);
}

Status Journal::ForEach(uint64_t first, const Visit& visit) const {
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}, family_));
  for (at->Seek(JournalKey(first)); at->Valid(); at->Next()) {
    if (at->key().size() != 8) {
      return {StatusCode::kCorrupt, "a record of the journal has no position"};
    }
    TAMIS_ASSIGN_OR_RETURN(const std::vector<Change> changes,
                           DecodeChanges(at->value().ToStringView()));
    TAMIS_RETURN_IF_ERROR(visit(ReadBe64(at->key().data()), changes));
  }
  return StatusOf(at->status(), "can't read the journal");
}

rocksdb::Status Journal::Trim(rocksdb::WriteBatch* batch,
                              uint64_t limit) const {
  const uint64_t from = begin();
  if (limit <= from) return rocksdb::Status::OK();
  return batch->DeleteRange(family_, JournalKey(from), JournalKey(limit));
}

Result<uint64_t> Journal::EndOnDisk() const {
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}, family_));
  at->SeekToLast();
  TAMIS_RETURN_IF_ROCKS_ERROR(at->status(), "can't read the journal");
  if (!at->Valid()) return uint64_t{0};
  if (at->key().size() != 8) {
    return Status(StatusCode::kCorrupt,
                  "a record of the journal has no position");
  }
  return ReadBe64(at->key().data()) + 1;
}

}  // namespace tamis::internal
