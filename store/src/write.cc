// Writing: one key, and batches.
//
//   Put      lock stripe | is it there? | filter.Insert | commit |
//   Delete   lock stripe | is it there? | commit | filter.Erase  |
// The stripe is held to the end of the line.  What is new goes into the filter
// before anybody can read it from disk, and what is deleted leaves the filter
// when nobody can any more (T1).

#include <algorithm>
#include <mutex>
#include <string>
#include <tuple>

#include "store/src/core.h"
#include "store/src/status_of.h"

namespace tamis::internal {
namespace {

constexpr size_t kKeptBytes = size_t{1} << 20;

}  // namespace

Status StoreCore::CheckWrite(const rocksdb::WriteOptions& options) const {
  if (options_.wal && options.disableWAL) {
    return {StatusCode::kInvalidArgument,
            "disableWAL for one write would tear data and filter apart; open "
            "the store with wal = false"};
  }
  return {};
}

Status StoreCore::Commit(const rocksdb::WriteOptions& options,
                         rocksdb::WriteBatch* batch) {
  rocksdb::WriteOptions own = options;
  own.disableWAL = !options_.wal;
  const rocksdb::Status status = db_->Write(own, batch);
  if (!status.ok()) counters_.Add(Count::kFailedCommits);
  return StatusOf(status, "can't write");
}

void StoreCore::Undo(FilteredFamily& family, KeyHash hash, const Slice& key) {
  const Result<bool> member = family.IsMemberOnDisk(hash, key);
  // In doubt the entry stays: it costs a read, a missing one a key.
  if (member.ok() && !*member) (void)family.filter().Erase(hash).ok();
}

rocksdb::Status StoreCore::AddTo(rocksdb::WriteBatch* batch,
                                 const Operation& operation) const {
  rocksdb::ColumnFamilyHandle* data = operation.family->data();
  if (operation.kind == Operation::Kind::kDeleteRange) {
    return batch->DeleteRange(data, operation.key, operation.value);
  }
  const HashedKey hashed(operation.hash, operation.key);
  const bool in_hash_order = operation.family->in_hash_order();
  const Slice key = in_hash_order ? hashed.slice() : operation.key;
  switch (operation.kind) {
    case Operation::Kind::kPut:
      return batch->Put(data, key, operation.value);
    case Operation::Kind::kMerge:
      return batch->Merge(data, key, operation.value);
    default:
      return batch->Delete(data, key);
  }
}

void StoreCore::NoteChange() {
  if (journal_->next() >= save_at_.load(std::memory_order_relaxed)) {
    background_.RequestSave();
  }
}

Status StoreCore::WriteOne(const rocksdb::WriteOptions& options,
                           const Operation& operation) {
  TAMIS_RETURN_IF_ERROR(CheckWrite(options));
  FilteredFamily& family = *operation.family;
  const KeyHash hash = operation.hash;
  const bool is_delete = operation.kind == Operation::Kind::kDelete;
  counters_.Add(is_delete ? Count::kDeletes : Count::kPuts);

  std::mutex& stripe = family.stripes().ForHash(hash);
  __builtin_prefetch(&stripe, /*rw=*/1);
  // What needs no lock is done before it.
  thread_local rocksdb::WriteBatch batch;  // keeps its memory
  if (batch.GetDataSize() > kKeptBytes) batch = rocksdb::WriteBatch();
  batch.Clear();
  rocksdb::Status added = AddTo(&batch, operation);

  const std::lock_guard lock(stripe);
  TAMIS_ASSIGN_OR_RETURN(const bool before,
                         family.IsMember(hash, operation.key));
  if (is_delete && !before) return {};  // nothing to delete
  const bool changes = before == is_delete;
  if (added.ok() && changes) {
    const Change change = {family.id(), !is_delete, hash};
    added = journal_->Append(&batch, {&change, 1});
  }
  if (added.ok() && changes && !family.in_hash_order()) {
    const HashedKey hashed(hash, operation.key);
    added = is_delete ? batch.Delete(family.index(), hashed.slice())
                      : batch.Put(family.index(), hashed.slice(), Slice());
  }
  TAMIS_RETURN_IF_ROCKS_ERROR(added, "can't write");

  if (changes && !is_delete) {
    TAMIS_RETURN_IF_ERROR(InsertInto(family, hash));
    counters_.Add(Count::kNewKeys);
  }
  const Status committed = Commit(options, &batch);
  if (!committed.ok()) {
    if (changes && !is_delete) Undo(family, hash, operation.key);
    return committed;
  }
  if (changes) NoteChange();
  // An entry that can't be erased is a ghost: the delete has happened.
  if (is_delete) (void)family.filter().Erase(hash).ok();
  return {};
}

// ---- Batches --------------------------------------------------------------

Result<std::vector<StoreCore::Net>> StoreCore::NetOf(
    std::span<const Operation> operations) const {
  std::vector<Net> nets;
  for (const Operation& one : operations) {
    if (one.kind == Operation::Kind::kDeleteRange) continue;
    nets.push_back({one.family, one.hash, one.key, false,
                    one.kind != Operation::Kind::kDelete});
  }
  // Of equal keys the last operation decides, so the order must be kept.
  const auto order = [](const Net& a, const Net& b) {
    return std::make_tuple(a.family->id(), a.hash, a.key.ToStringView()) <
           std::make_tuple(b.family->id(), b.hash, b.key.ToStringView());
  };
  std::stable_sort(nets.begin(), nets.end(), order);
  std::vector<Net> last;
  for (const Net& net : nets) {
    if (!last.empty() && !order(last.back(), net)) {
      last.back() = net;
    } else {
      last.push_back(net);
    }
  }
  for (Net& net : last) {
    TAMIS_ASSIGN_OR_RETURN(net.before, net.family->IsMember(net.hash, net.key));
  }
  return last;
}

Status StoreCore::InsertInto(FilteredFamily& family, KeyHash hash) const {
  const Status status = family.filter().Insert(hash);
  if (status.code() != StatusCode::kFull) return status;
  return {StatusCode::kFull,
          path_ + ": the filter was made for " +
              std::to_string(meta_.filter.expected_keys) +
              " keys and can't take one more; rebuild it for more keys, or so "
              "that it grows"};
}

Status StoreCore::InsertAll(std::span<const Net> nets) {
  for (size_t i = 0; i < nets.size(); ++i) {
    if (nets[i].before || !nets[i].after) continue;
    const Status status = InsertInto(*nets[i].family, nets[i].hash);
    if (status.ok()) continue;
    while (i-- > 0) {
      if (nets[i].before || !nets[i].after) continue;
      Undo(*nets[i].family, nets[i].hash, nets[i].key);
    }
    return status;
  }
  return {};
}

Status StoreCore::CommitNets(const rocksdb::WriteOptions& options,
                             std::span<const Operation> operations,
                             std::span<const Net> nets) {
  rocksdb::WriteBatch batch;
  rocksdb::Status added;
  for (const Operation& one : operations) {
    if (added.ok()) added = AddTo(&batch, one);
  }
  std::vector<Change> changes;
  for (const Net& net : nets) {
    if (net.before == net.after) continue;
    changes.push_back({net.family->id(), net.after, net.hash});
    if (net.family->in_hash_order() || !added.ok()) continue;
    const HashedKey hashed(net.hash, net.key);
    added = net.after ? batch.Put(net.family->index(), hashed.slice(), Slice())
                      : batch.Delete(net.family->index(), hashed.slice());
  }
  if (added.ok() && !changes.empty()) added = journal_->Append(&batch, changes);
  TAMIS_RETURN_IF_ROCKS_ERROR(added, "can't write");
  TAMIS_RETURN_IF_ERROR(InsertAll(nets));
  const Status committed = Commit(options, &batch);
  for (const Net& net : nets) {
    if (net.before == net.after) continue;
    if (!committed.ok()) {
      if (net.after) Undo(*net.family, net.hash, net.key);
    } else if (net.after) {
      counters_.Add(Count::kNewKeys);
    } else {
      (void)net.family->filter().Erase(net.hash).ok();
    }
  }
  NoteChange();
  return committed;
}

Status StoreCore::WriteMany(const rocksdb::WriteOptions& options,
                            std::vector<Operation> operations) {
  TAMIS_RETURN_IF_ERROR(CheckWrite(options));
  std::vector<std::pair<uint32_t, size_t>> places;  // family, stripe
  for (Operation& one : operations) {
    const bool is_delete = one.kind == Operation::Kind::kDelete;
    counters_.Add(is_delete ? Count::kDeletes : Count::kPuts);
    if (one.kind == Operation::Kind::kDeleteRange) continue;
    one.hash = one.family->HashOf(one.key);
    places.emplace_back(one.family->id(), Stripes::Of(one.hash));
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<std::mutex*> mutexes;
  mutexes.reserve(places.size());
  for (const auto& [id, stripe] : places) {
    mutexes.push_back(&Find(id)->stripes()[stripe]);
  }
  const ManyLock lock(std::move(mutexes));
  TAMIS_ASSIGN_OR_RETURN(const std::vector<Net> nets, NetOf(operations));
  return CommitNets(options, operations, nets);
}

}  // namespace tamis::internal
