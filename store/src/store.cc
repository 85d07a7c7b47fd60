#include "tamis/store.h"

#include <rocksdb/utilities/backup_engine.h>
#include <rocksdb/utilities/checkpoint.h>

#include <utility>

#include "store/src/core.h"
#include "store/src/status_of.h"

namespace tamis {

using internal::FilteredFamily;
using internal::StatusOf;
using internal::StoreCore;
using Operation = internal::StoreCore::Operation;

namespace {

Status NotOurs() {
  return {StatusCode::kInvalidArgument,
          "this is no column family of the store"};
}

// Reads the operations of a batch.
class BatchReader : public rocksdb::WriteBatch::Handler {
 public:
  explicit BatchReader(const StoreCore& core) : core_(core) {}

  rocksdb::Status PutCF(uint32_t id, const rocksdb::Slice& key,
                        const rocksdb::Slice& value) override {
    return Add(Operation::Kind::kPut, id, key, value);
  }
  rocksdb::Status MergeCF(uint32_t id, const rocksdb::Slice& key,
                          const rocksdb::Slice& value) override {
    if (core_.options().rocksdb.merge_operator == nullptr) {
      return rocksdb::Status::InvalidArgument("Merge needs a merge operator");
    }
    return Add(Operation::Kind::kMerge, id, key, value);
  }
  rocksdb::Status DeleteCF(uint32_t id, const rocksdb::Slice& key) override {
    return Add(Operation::Kind::kDelete, id, key, {});
  }
  rocksdb::Status SingleDeleteCF(uint32_t id,
                                 const rocksdb::Slice& key) override {
    return Add(Operation::Kind::kDelete, id, key, {});
  }
  rocksdb::Status DeleteRangeCF(uint32_t id, const rocksdb::Slice& begin,
                                const rocksdb::Slice& end) override {
    return Add(Operation::Kind::kDeleteRange, id, begin, end);
  }

  std::vector<Operation> Take() { return std::move(operations_); }

 private:
  rocksdb::Status Add(Operation::Kind kind, uint32_t id,
                      const rocksdb::Slice& key, const rocksdb::Slice& value) {
    FilteredFamily* family = core_.Find(id);
    if (family == nullptr) {
      return rocksdb::Status::InvalidArgument(
          "the batch is for a column family that is not the store's");
    }
    if (kind == Operation::Kind::kDeleteRange && family->in_hash_order()) {
      return rocksdb::Status::NotSupported(
          "DeleteRange needs the layout kKeyOrder");
    }
    operations_.push_back({kind, family, key, value});
    return rocksdb::Status::OK();
  }

  const StoreCore& core_;
  std::vector<Operation> operations_;
};

}  // namespace

// ---- Iterators ------------------------------------------------------------

Status StoreIterator::Seek(const rocksdb::Slice& key) {
  if (layout_ == StoreLayout::kHashOrder) {
    return {StatusCode::kUnsupported, "seeks by key need the layout kKeyOrder"};
  }
  under_->Seek(key);
  return {};
}

rocksdb::Slice StoreIterator::key() const {
  rocksdb::Slice key = under_->key();
  if (layout_ == StoreLayout::kHashOrder) {
    key.remove_prefix(std::min(key.size(), internal::kHashBytes));
  }
  return key;
}

Status StoreIterator::status() const {
  return StatusOf(under_->status(), "can't read on");
}

// ---- The store ------------------------------------------------------------

Store::Store(std::unique_ptr<StoreCore> core) : core_(std::move(core)) {}
Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::Open(const StoreOptions& options,
                                           const std::string& path) {
  TAMIS_ASSIGN_OR_RETURN(std::unique_ptr<StoreCore> core,
                         StoreCore::Open(options, path));
  return std::unique_ptr<Store>(new Store(std::move(core)));
}

Result<StoreFilterOptions> Store::FilterForm(const std::string& path,
                                             const rocksdb::Options& rocksdb) {
  return StoreCore::FormOf(path, rocksdb);
}

Result<bool> Store::Get(const ReadOptions& options, Family* family,
                        const Slice& key, rocksdb::PinnableSlice* value) {
  FilteredFamily* found = core_->Find(family);
  if (found == nullptr) return NotOurs();
  return core_->Get(options, *found, key, value);
}

Result<bool> Store::Get(const Slice& key, std::string* value) {
  rocksdb::PinnableSlice pinned(value);
  TAMIS_ASSIGN_OR_RETURN(
      const bool found,
      core_->Get(ReadOptions(), *core_->Find(uint32_t{0}), key, &pinned));
  if (found && pinned.IsPinned()) value->assign(pinned.data(), pinned.size());
  return found;
}

Status Store::MultiGet(const ReadOptions& options, Family* family,
                       std::span<const Slice> keys,
                       std::vector<std::string>* values,
                       std::vector<bool>* found) {
  FilteredFamily* ours = core_->Find(family);
  if (ours == nullptr) return NotOurs();
  return core_->MultiGet(options, *ours, keys, values, found);
}

namespace {

Status WriteOne(StoreCore& core, const rocksdb::WriteOptions& options,
                Operation::Kind kind, rocksdb::ColumnFamilyHandle* family,
                const rocksdb::Slice& key, const rocksdb::Slice& value) {
  FilteredFamily* ours = core.Find(family);
  if (ours == nullptr) return NotOurs();
  return core.WriteOne(options, {kind, ours, key, value, ours->HashOf(key)});
}

}  // namespace

Status Store::Put(const WriteOptions& options, Family* family, const Slice& key,
                  const Slice& value) {
  return WriteOne(*core_, options, Operation::Kind::kPut, family, key, value);
}

Status Store::Put(const Slice& key, const Slice& value) {
  return Put(WriteOptions(), default_family(), key, value);
}

Status Store::Merge(const WriteOptions& options, Family* family,
                    const Slice& key, const Slice& value) {
  if (core_->options().rocksdb.merge_operator == nullptr) {
    return {StatusCode::kInvalidArgument, "Merge needs a merge operator"};
  }
  return WriteOne(*core_, options, Operation::Kind::kMerge, family, key, value);
}

Status Store::Delete(const WriteOptions& options, Family* family,
                     const Slice& key) {
  return WriteOne(*core_, options, Operation::Kind::kDelete, family, key, {});
}

Status Store::Delete(const Slice& key) {
  return Delete(WriteOptions(), default_family(), key);
}

Status Store::Write(const WriteOptions& options, rocksdb::WriteBatch* batch) {
  BatchReader reader(*core_);
  TAMIS_RETURN_IF_ROCKS_ERROR(batch->Iterate(&reader), "can't take the batch");
  return core_->WriteMany(options, reader.Take());
}

Status Store::DeleteRange(const WriteOptions& options, Family* family,
                          const Slice& begin, const Slice& end) {
  rocksdb::WriteBatch batch;
  TAMIS_RETURN_IF_ROCKS_ERROR(batch.DeleteRange(family, begin, end),
                              "can't delete the range");
  return Write(options, &batch);
}

Status Store::IngestExternalFile(const std::vector<std::string>& /*files*/) {
  return {
      StatusCode::kUnsupported,
      "a store does not take files: the filter would not learn of the keys"};
}

std::unique_ptr<StoreIterator> Store::NewIterator(const ReadOptions& options,
                                                  Family* family) {
  rocksdb::Iterator* under =
      core_->Find(family) == nullptr
          ? rocksdb::NewErrorIterator(rocksdb::Status::InvalidArgument(
                "this is no column family of the store"))
          : core_->db()->NewIterator(options, family);
  return std::make_unique<StoreIterator>(
      std::unique_ptr<rocksdb::Iterator>(under), layout());
}

const rocksdb::Snapshot* Store::GetSnapshot() {
  return core_->db()->GetSnapshot();
}
void Store::ReleaseSnapshot(const rocksdb::Snapshot* snapshot) {
  core_->db()->ReleaseSnapshot(snapshot);
}

Store::Family* Store::family(std::string_view name) const {
  Family* handle = core_->Named(name);
  return core_->Find(handle) == nullptr ? nullptr : handle;
}
Store::Family* Store::default_family() const {
  return core_->Find(uint32_t{0})->data();
}

Status Store::ReportAbsent(Family* family, const Slice& key) {
  FilteredFamily* ours = core_->Find(family);
  if (ours == nullptr) return NotOurs();
  return core_->Fix(*ours, ours->HashOf(key), key);
}

bool Store::MayContain(Family* family, const Slice& key) const {
  const FilteredFamily* ours = core_->Find(family);
  return ours == nullptr || ours->filter().MayContain(ours->HashOf(key));
}

Status Store::Flush() { return core_->Flush(); }
Status Store::SaveFilter() { return core_->SaveFilters(); }
Status Store::Rejuvenate() { return core_->RejuvenateAll(/*at_rate=*/false); }
Result<Store::CheckReport> Store::Check() { return core_->Check(); }
StoreStats Store::Stats() const { return core_->Stats(); }
StoreLayout Store::layout() const { return core_->meta().layout; }
const Hasher& Store::hasher() const { return core_->meta().hasher; }
rocksdb::DB* Store::rocksdb() const { return core_->db(); }
Status Store::Close() { return core_->Close(); }

// ---- Copies ---------------------------------------------------------------

Status Store::Checkpoint(const std::string& path) {
  rocksdb::Checkpoint* made = nullptr;
  TAMIS_RETURN_IF_ROCKS_ERROR(rocksdb::Checkpoint::Create(core_->db(), &made),
                              path);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  return StatusOf(checkpoint->CreateCheckpoint(path),
                  path + ": can't make the checkpoint");
}

Status Store::Backup(const std::string& dir) {
  rocksdb::BackupEngine* made = nullptr;
  TAMIS_RETURN_IF_ROCKS_ERROR(
      rocksdb::BackupEngine::Open(core_->options().rocksdb.env,
                                  rocksdb::BackupEngineOptions(dir), &made),
      dir + ": can't open the backups");
  const std::unique_ptr<rocksdb::BackupEngine> engine(made);
  return StatusOf(engine->CreateNewBackup(core_->db(), !core_->options().wal),
                  dir + ": can't make the backup");
}

Status Store::Restore(const std::string& dir, const std::string& path) {
  // RocksDB would delete what is there.
  if (!internal::IsFree(*rocksdb::Env::Default(), path)) {
    return {StatusCode::kInvalidArgument,
            path + " is there already; restore to a new folder"};
  }
  rocksdb::BackupEngineReadOnly* made = nullptr;
  TAMIS_RETURN_IF_ROCKS_ERROR(
      rocksdb::BackupEngineReadOnly::Open(
          rocksdb::Env::Default(), rocksdb::BackupEngineOptions(dir), &made),
      dir + ": can't open the backups");
  const std::unique_ptr<rocksdb::BackupEngineReadOnly> engine(made);
  return StatusOf(engine->RestoreDBFromLatestBackup(path, path),
                  path + ": can't restore");
}

}  // namespace tamis
