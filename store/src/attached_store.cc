#include "tamis/attached_store.h"

#include <rocksdb/utilities/stackable_db.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "store/src/attach_log.h"
#include "store/src/bytes.h"
#include "store/src/layout.h"
#include "store/src/status_of.h"

namespace tamis {
namespace {

namespace fs = std::filesystem;
using internal::StatusOf;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kMarkerMagic = "tamis attached 1\n";
constexpr auto kCatchUpEvery = std::chrono::milliseconds(2);

std::string StorePath(const std::string& sidecar) { return sidecar + "/store"; }
std::string MarkerPath(const std::string& sidecar) {
  return sidecar + "/marker";
}

StoreOptions SidecarOptions(const AttachedStore::Options& options) {
  StoreOptions own;
  own.filter = options.filter;
  own.on_progress = options.on_progress;
  return own;
}

}  // namespace

AttachedStore::AttachedStore(rocksdb::DB* db,
                             rocksdb::ColumnFamilyHandle* family,
                             const Options& options)
    : db_(db), family_(family), options_(options) {
  if (options_.sidecar.empty())
    options_.sidecar = DefaultSidecar(db->GetName());
}

AttachedStore::~AttachedStore() { (void)Close().ok(); }

Result<std::unique_ptr<AttachedStore>> AttachedStore::Attach(
    rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
    const Options& options) {
  if (db == nullptr || family == nullptr) {
    return Status(StatusCode::kInvalidArgument,
                  "attaching needs a database and a column family");
  }
  if (family->GetComparator()->CanKeysWithDifferentByteContentsBeEqual()) {
    return Status(StatusCode::kUnsupported,
                  "can't attach to a database with a comparator that takes "
                  "different bytes for one key");
  }
  if (dynamic_cast<rocksdb::StackableDB*>(db) != nullptr) {
    return Status(StatusCode::kUnsupported,
                  "can't attach to a database with transactions or TTL");
  }
  if (family->GetComparator()->timestamp_size() != 0) {
    return Status(StatusCode::kUnsupported,
                  "can't attach to a database with user timestamps");
  }
  std::unique_ptr<AttachedStore> attached(
      new AttachedStore(db, family, options));
  TAMIS_RETURN_IF_ERROR(attached->Open());
  return attached;
}

std::string AttachedStore::Identity() const {
  std::string identity;
  if (!db_->GetDbIdentity(identity).ok()) identity = "unknown";
  return identity + "\n" + family_->GetName();
}

Result<uint64_t> AttachedStore::ReadMarker() const {
  std::ifstream file(MarkerPath(options_.sidecar), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  internal::ByteReader in(internal::Unsealed(bytes));
  if (in.Bytes(kMarkerMagic.size()) != kMarkerMagic) {
    return Status(StatusCode::kCorrupt, "the marker is missing or damaged");
  }
  const uint64_t applied = in.U64();
  const uint64_t size_bytes = in.U64();
  if (in.Bytes(size_bytes) != Identity() || !in.AtEnd()) {
    return Status(StatusCode::kIncompatible,
                  "the marker is of another database");
  }
  if (applied > db_->GetLatestSequenceNumber()) {
    return Status(StatusCode::kStale, "the database is older than its filter");
  }
  return applied;
}

Status AttachedStore::WriteMarker() {
  // What the marker promises must be on disk before it.
  TAMIS_RETURN_IF_ROCKS_ERROR(store_->rocksdb()->FlushWAL(/*sync=*/true),
                              options_.sidecar);
  std::string out(kMarkerMagic);
  internal::PutU64(&out, applied());
  internal::PutU64(&out, Identity().size());
  out += Identity();
  const std::string path = MarkerPath(options_.sidecar);
  std::ofstream file(path + ".new", std::ios::binary | std::ios::trunc);
  file << internal::Sealed(std::move(out));
  file.close();
  std::error_code error;
  if (file) fs::rename(path + ".new", path, error);
  if (!file || error) return {StatusCode::kIo, path + ": can't write"};
  return {};
}

Status AttachedStore::Open() {
  std::error_code error;
  fs::create_directories(options_.sidecar, error);
  if (error) {
    return {StatusCode::kIo, options_.sidecar + ": " + error.message()};
  }
  const Result<uint64_t> marker = ReadMarker();
  if (marker.ok() && !options_.rebuild) {
    TAMIS_ASSIGN_OR_RETURN(store_, Store::Open(SidecarOptions(options_),
                                               StorePath(options_.sidecar)));
    applied_ = *marker;
    Status status = CatchUp();
    if (status.ok()) return WriteMarker();
    if (status.code() != StatusCode::kStale) return status;
    TAMIS_RETURN_IF_ERROR(store_->Close());
    store_.reset();
  }
  return Rebuild();
}

// The keys are put into the sidecar without its filter's knowing, which is then
// made from them in one pass.  Nobody trusts any of it before the marker.
Status AttachedStore::Rebuild() {
  ++rebuilds_;
  std::error_code error;
  fs::remove(MarkerPath(options_.sidecar), error);
  fs::remove_all(StorePath(options_.sidecar), error);
  StoreOptions own = SidecarOptions(options_);
  TAMIS_ASSIGN_OR_RETURN(store_, Store::Open(own, StorePath(options_.sidecar)));
  const rocksdb::Snapshot* snapshot = db_->GetSnapshot();
  rocksdb::ReadOptions read;
  read.snapshot = snapshot;
  read.total_order_seek = true;
  read.fill_cache = false;
  const uint64_t sequence = snapshot == nullptr ? db_->GetLatestSequenceNumber()
                                                : snapshot->GetSequenceNumber();
  const auto copy = [&]() -> Status {
    const std::unique_ptr<rocksdb::Iterator> at(
        db_->NewIterator(read, family_));
    rocksdb::WriteOptions no_wal;
    no_wal.disableWAL = true;
    rocksdb::WriteBatch batch;
    uint64_t keys = 0;
    for (at->SeekToFirst(); at->Valid(); at->Next()) {
      const rocksdb::Slice key = at->key();
      const KeyHash hash = store_->hasher().Hash(key.ToStringView());
      TAMIS_RETURN_IF_ROCKS_ERROR(
          batch.Put(internal::HashedKey(hash, key).slice(), ""), "attach");
      if (++keys % 4096 != 0) continue;
      TAMIS_RETURN_IF_ROCKS_ERROR(store_->rocksdb()->Write(no_wal, &batch),
                                  options_.sidecar);
      batch.Clear();
      if (options_.on_progress) options_.on_progress("reading keys", keys);
    }
    TAMIS_RETURN_IF_ROCKS_ERROR(at->status(), "can't read the database");
    TAMIS_RETURN_IF_ROCKS_ERROR(store_->rocksdb()->Write(no_wal, &batch),
                                options_.sidecar);
    return store_->Flush();
  };
  const Status copied = copy();
  db_->ReleaseSnapshot(snapshot);
  TAMIS_RETURN_IF_ERROR(copied);
  TAMIS_RETURN_IF_ERROR(store_->Close());
  own.rebuild = true;
  TAMIS_ASSIGN_OR_RETURN(store_, Store::Open(own, StorePath(options_.sidecar)));
  applied_ = sequence;
  stale_ = false;
  return WriteMarker();
}

Status AttachedStore::CatchUp() {
  const std::lock_guard lock(mutex_);
  Status status = CatchUpLocked();
  if (status.code() == StatusCode::kStale) stale_ = true;
  return status;
}

Status AttachedStore::CatchUpLocked() {
  const uint64_t latest = db_->GetLatestSequenceNumber();
  while (applied() < latest) {
    internal::LogReader reader(family_->GetID());
    TAMIS_ASSIGN_OR_RETURN(const uint64_t reached,
                           reader.Read(db_, applied() + 1, latest));
    TAMIS_RETURN_IF_ERROR(store_->Write({}, &reader.batch()));
    applied_.store(reached, std::memory_order_release);
  }
  return {};
}

void AttachedStore::MaybeCatchUp() {
  if (is_stale()) return;
  const int64_t now = Clock::now().time_since_epoch().count();
  int64_t next = next_catch_up_.load(std::memory_order_relaxed);
  if (now < next) return;
  const int64_t after =
      now + std::chrono::duration_cast<Clock::duration>(kCatchUpEvery).count();
  // One thread goes, the others ask the database meanwhile.
  if (!next_catch_up_.compare_exchange_strong(next, after)) return;
  (void)CatchUp().ok();
}

Status AttachedStore::RemoveGhost(const rocksdb::Slice& key) {
  const std::lock_guard lock(mutex_);
  TAMIS_RETURN_IF_ERROR(CatchUpLocked());
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get({}, family_, key, &value);
  // A write that came since is in the log, which is read after this.
  if (!status.IsNotFound()) return StatusOf(status, "can't read a key");
  if (db_->GetLatestSequenceNumber() != applied()) return {};
  return store_->Delete(key);
}

Result<bool> AttachedStore::Get(const rocksdb::ReadOptions& options,
                                const rocksdb::Slice& key,
                                rocksdb::PinnableSlice* value) {
  bool maybe = true;
  if (options.snapshot == nullptr && !is_stale()) {
    // In this order: a no of the filter at `before` is one of the database, if
    // the database is at `before` afterwards.
    const uint64_t before = applied();
    maybe = store_->MayContain(store_->default_family(), key);
    if (!maybe) {
      if (db_->GetLatestSequenceNumber() == before) return false;
      ++behind_;
      MaybeCatchUp();
    }
  }
  const rocksdb::Status status = db_->Get(options, family_, key, value);
  if (status.ok()) return true;
  if (!status.IsNotFound()) return StatusOf(status, "can't read a key");
  if (maybe && options.snapshot == nullptr && !is_stale()) {
    // The sidecar knows whether it is a mistake of the filter or of the log.
    const Status reported = store_->ReportAbsent(store_->default_family(), key);
    if (reported.code() == StatusCode::kIsMember) (void)RemoveGhost(key).ok();
  }
  return false;
}

Result<bool> AttachedStore::Get(const rocksdb::Slice& key, std::string* value) {
  rocksdb::PinnableSlice pinned(value);
  TAMIS_ASSIGN_OR_RETURN(const bool found, Get({}, key, &pinned));
  if (found && pinned.IsPinned()) value->assign(pinned.data(), pinned.size());
  return found;
}

Status AttachedStore::Close() {
  if (store_ == nullptr) return {};
  const Status marked = is_stale() ? Status() : WriteMarker();
  const Status closed = store_->Close();
  store_.reset();
  return marked.ok() ? closed : marked;
}

Status AttachedStore::Detach(const std::string& sidecar) {
  std::error_code error;
  if (!fs::exists(sidecar, error)) {
    return {StatusCode::kNotFound, sidecar + ": there is no sidecar"};
  }
  if (!fs::exists(MarkerPath(sidecar), error) &&
      !fs::exists(StorePath(sidecar), error)) {
    return {StatusCode::kIncompatible, sidecar + " is no sidecar"};
  }
  fs::remove(MarkerPath(sidecar), error);
  fs::remove(MarkerPath(sidecar) + ".new", error);
  fs::remove_all(StorePath(sidecar), error);
  if (!error) fs::remove(sidecar, error);
  if (error) return {StatusCode::kIo, sidecar + ": " + error.message()};
  return {};
}

}  // namespace tamis
