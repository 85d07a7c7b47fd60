// Opening: the database, its column families, the description of the store.

#include <rocksdb/listener.h>

#include <algorithm>

#include "store/src/core.h"
#include "store/src/info_log.h"
#include "store/src/status_of.h"

namespace tamis {

namespace internal {
namespace {

using Names = std::vector<std::string>;

// What a store can't live with, in words; empty if there is nothing.
std::string Refused(const rocksdb::Options& options) {
  if (options.comparator != rocksdb::BytewiseComparator()) {
    return "a comparator: the store has an order of its own";
  }
  if (options.prefix_extractor != nullptr) {
    return "a prefix extractor: seeks over a range of hashes would miss keys";
  }
  if (options.row_cache != nullptr) return "a row cache, next to DeleteRange";
  if (options.allow_ingest_behind) {
    return "file ingestion: the filter would not learn of the keys";
  }
  if (options.wal_recovery_mode ==
      rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords) {
    return "kSkipAnyCorruptedRecords: it may keep a delete and drop the put "
           "before it";
  }
  if (options.best_efforts_recovery) {
    return "best_efforts_recovery: it may tear data and filter apart";
  }
  return "";
}

Status CheckOptions(const StoreOptions& options) {
  if (const std::string refused = Refused(options.rocksdb); !refused.empty()) {
    return {StatusCode::kUnsupported, "a store does not take " + refused};
  }
  for (const std::string& name : options.families) {
    if (name.empty() || name.starts_with(kReservedPrefix)) {
      return {StatusCode::kInvalidArgument,
              "a column family can't be named '" + name + "'"};
    }
  }
  const StoreFilterOptions& filter = options.filter;
  if (filter.fingerprint_bits < 3 || filter.fingerprint_bits > 40 ||
      !(filter.extension_bits >= 0 && filter.extension_bits <= 64)) {
    return {StatusCode::kInvalidArgument,
            "a filter has 3 to 40 fingerprint_bits and 0 to 64 extension_bits"};
  }
  if (filter.shard_slots < 32 || filter.shard_slots > uint64_t{1} << 30) {
    return {StatusCode::kInvalidArgument,
            "a filter has 2^5 to 2^30 shard_slots"};
  }
  if (!options.filter.grow && options.filter.expected_keys == 0) {
    return {StatusCode::kInvalidArgument,
            "a filter that does not grow needs expected_keys"};
  }
  return {};
}

bool Has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// True if nobody has put anything into this database yet.
bool IsEmptyDatabase(const rocksdb::Options& options, const std::string& path) {
  rocksdb::DB* db = nullptr;
  if (!rocksdb::DB::OpenForReadOnly(options, path, &db).ok()) return false;
  const std::unique_ptr<rocksdb::DB> owner(db);
  const std::unique_ptr<rocksdb::Iterator> at(db->NewIterator({}));
  at->SeekToFirst();
  return at->status().ok() && !at->Valid();
}

// The column families that are there: none for a store to be made.
Result<Names> ExistingFamilies(const rocksdb::Options& options,
                               const std::string& path) {
  if (path.empty()) {
    return Status(StatusCode::kInvalidArgument, "a store needs a path");
  }
  if (!options.env->FileExists(path + "/CURRENT").ok()) {
    if (!IsFree(*options.env, path)) {
      return Status(StatusCode::kIncompatible, path + " is not a store");
    }
    if (!options.create_if_missing) {
      return Status(StatusCode::kNotFound, path + ": there is no store");
    }
    return Names();
  }
  Names names;
  TAMIS_RETURN_IF_ROCKS_ERROR(
      rocksdb::DB::ListColumnFamilies(options, path, &names), path);
  if (Has(names, kFilterFamily)) return names;
  if (names.size() == 1 && IsEmptyDatabase(options, path)) return names;
  return Status(StatusCode::kIncompatible,
                path +
                    " is a RocksDB database, but no store; "
                    "it can be attached to");
}

// RocksDB has no code for it.
bool IsLocked(const rocksdb::Status& status) {
  const std::string text = status.ToString();
  return status.IsIOError() && (text.find("lock file") != std::string::npos ||
                                text.find("lock hold") != std::string::npos);
}

// For our own small families: short-lived records and pages of random bytes.
rocksdb::ColumnFamilyOptions OwnFamilyOptions() {
  rocksdb::ColumnFamilyOptions options;
  options.compression = rocksdb::kNoCompression;
  options.write_buffer_size = size_t{16} << 20;
  return options;
}

// For the index: of the user's options only what is about space and speed.  A
// compaction filter or files that expire would take members out of it.
rocksdb::ColumnFamilyOptions IndexFamilyOptions(const rocksdb::Options& user) {
  rocksdb::ColumnFamilyOptions options;
  options.table_factory = user.table_factory;
  options.write_buffer_size = user.write_buffer_size;
  options.max_write_buffer_number = user.max_write_buffer_number;
  options.target_file_size_base = user.target_file_size_base;
  options.max_bytes_for_level_base = user.max_bytes_for_level_base;
  options.compression = user.compression;
  options.optimize_filters_for_hits = user.optimize_filters_for_hits;
  return options;
}

rocksdb::ColumnFamilyOptions FamilyOptions(std::string_view name,
                                           const rocksdb::Options& user) {
  if (name.starts_with(kIndexPrefix)) return IndexFamilyOptions(user);
  if (name.starts_with(kReservedPrefix)) return OwnFamilyOptions();
  return user;
}

// The description of a store; none if it has none.
Result<std::optional<Meta>> ReadMeta(rocksdb::DB* db,
                                     rocksdb::ColumnFamilyHandle* family,
                                     const std::string& path) {
  bool there = false;
  for (const std::string_view key : kMetaKeys) {
    std::string bytes;
    const rocksdb::Status read =
        db->Get({}, family, rocksdb::Slice(key.data(), key.size()), &bytes);
    if (read.IsNotFound()) continue;
    there = true;
    if (!read.ok()) continue;  // there is another
    Result<Meta> meta = DecodeMeta(bytes);
    if (meta.ok()) return std::optional(*std::move(meta));
    if (meta.status().code() == StatusCode::kVersion) {
      return meta.status().WithContext(path);
    }
  }
  if (!there) return std::optional<Meta>();
  return Status(StatusCode::kCorrupt,
                path + ": the description of the store is damaged");
}

// Tells the background thread that RocksDB has done something.
class Signaller : public rocksdb::EventListener {
 public:
  explicit Signaller(Background* background) : background_(background) {}
  void OnBackgroundError(rocksdb::BackgroundErrorReason /*reason*/,
                         rocksdb::Status* status) override {
    background_->NoteError(StatusOf(*status, "RocksDB in the background"));
  }

 private:
  Background* background_;
};

}  // namespace

bool IsFree(rocksdb::Env& env, const std::string& path) {
  if (env.FileExists(path).IsNotFound()) return true;
  Names inside;
  if (!env.GetChildren(path, &inside).ok()) return false;
  return std::all_of(inside.begin(), inside.end(), [](const auto& name) {
    return name == "." || name == "..";
  });
}

Result<StoreFilterOptions> StoreCore::FormOf(const std::string& path,
                                             rocksdb::Options options) {
  options.create_if_missing = false;
  TAMIS_ASSIGN_OR_RETURN(const Names names, ExistingFamilies(options, path));
  if (!Has(names, kFilterFamily)) {
    return Status(StatusCode::kIncompatible, path + " is not a store");
  }
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  TAMIS_RETURN_IF_ROCKS_ERROR(
      rocksdb::DB::OpenForReadOnly(
          options, path,
          {{rocksdb::kDefaultColumnFamilyName, {}},
           {std::string(kFilterFamily), OwnFamilyOptions()}},
          &handles, &db),
      path);
  const std::unique_ptr<rocksdb::DB> owner(db);
  const Result<std::optional<Meta>> meta = ReadMeta(db, handles[1], path);
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    (void)db->DestroyColumnFamilyHandle(handle).ok();
  }
  TAMIS_RETURN_IF_ERROR(meta.status());
  if (!*meta) {
    return Status(StatusCode::kNotFound, path + " remembers no filter");
  }
  return (*meta)->filter;
}

StoreCore::StoreCore(const StoreOptions& options, std::string path)
    : options_(options), path_(std::move(path)) {}

Result<std::unique_ptr<StoreCore>> StoreCore::Open(const StoreOptions& options,
                                                   const std::string& path) {
  TAMIS_RETURN_IF_ERROR(CheckOptions(options));
  std::unique_ptr<StoreCore> core(new StoreCore(options, path));
  TAMIS_RETURN_IF_ERROR(core->OpenDatabase());
  TAMIS_RETURN_IF_ERROR(core->LoadFilters());
  core->background_.Start(
      [c = core.get()] { return c->SaveFilters(); },
      [c = core.get()] { return c->RejuvenateAll(/*at_rate=*/true); });
  return core;
}

Status StoreCore::OpenDatabase() {
  TAMIS_ASSIGN_OR_RETURN(Names names,
                         ExistingFamilies(options_.rocksdb, path_));
  rocksdb::DBOptions db_options(options_.rocksdb);
  db_options.create_missing_column_families = true;
  if (!options_.wal) db_options.atomic_flush = true;
  db_options.listeners.push_back(std::make_shared<Signaller>(&background_));
  SetInfoLog(path_, &db_options);

  Names wanted = options_.families;
  wanted.insert(wanted.end(),
                {rocksdb::kDefaultColumnFamilyName, std::string(kJournalFamily),
                 std::string(kFilterFamily)});
  for (const std::string& name : wanted) {
    if (!Has(names, name)) names.push_back(name);
  }
  std::vector<rocksdb::ColumnFamilyDescriptor> all;
  for (const std::string& name : names) {
    all.emplace_back(name, FamilyOptions(name, options_.rocksdb));
  }
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened =
      rocksdb::DB::Open(db_options, path_, all, &handles_, &db);
  TAMIS_RETURN_IF_ROCKS_ERROR(
      opened,
      path_ + (IsLocked(opened) ? " is open already, here or in another process"
                                : ": can't open the store"));
  db_.reset(db);
  filter_family_ = Named(kFilterFamily);
  journal_ = std::make_unique<Journal>(db, Named(kJournalFamily));
  TAMIS_RETURN_IF_ERROR(LoadOrWriteMeta());
  return MakeFamilies();
}

Status StoreCore::LoadOrWriteMeta() {
  TAMIS_ASSIGN_OR_RETURN(const std::optional<Meta> stored,
                         ReadMeta(db_.get(), filter_family_, path_));
  if (stored) {
    meta_ = *stored;
    if (!options_.rebuild && meta_.version == kStoreVersion) return {};
    if (options_.rebuild) meta_.filter = options_.filter;
  } else {
    // New, or one that was never finished: that one has no data.
    const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}));
    at->SeekToFirst();
    TAMIS_RETURN_IF_ROCKS_ERROR(at->status(), path_);
    if (at->Valid()) {
      return {StatusCode::kCorrupt,
              path_ + ": the description of the store is missing"};
    }
    meta_.layout = options_.layout;
    meta_.hasher = options_.hasher.value_or(Hasher());
    meta_.filter = options_.filter;
  }
  // A form that can't be made must not be remembered.
  TAMIS_RETURN_IF_ERROR(
      SharedFilter::Create(meta_.filter, 0, meta_.hasher).status());
  // Before the first key: without the seed nobody would find it again.
  rocksdb::WriteBatch batch;
  for (const std::string_view key : kMetaKeys) {
    TAMIS_RETURN_IF_ROCKS_ERROR(
        batch.Put(filter_family_, Slice(key.data(), key.size()),
                  EncodeMeta(meta_)),
        path_);
  }
  rocksdb::WriteOptions sync;
  sync.sync = true;
  return StatusOf(db_->Write(sync, &batch), path_);
}

Status StoreCore::MakeFamilies() {
  const std::vector<rocksdb::ColumnFamilyHandle*> found = handles_;
  for (rocksdb::ColumnFamilyHandle* data : found) {
    if (data->GetName().starts_with(kReservedPrefix)) continue;
    rocksdb::ColumnFamilyHandle* index = nullptr;
    if (meta_.layout == StoreLayout::kKeyOrder) {
      const std::string name = std::string(kIndexPrefix) + data->GetName();
      index = Named(name);
      if (index == nullptr) {
        TAMIS_RETURN_IF_ROCKS_ERROR(
            db_->CreateColumnFamily(FamilyOptions(name, options_.rocksdb), name,
                                    &index),
            path_);
        handles_.push_back(index);
      }
    }
    families_.push_back(
        std::make_unique<FilteredFamily>(db_.get(), data, index, meta_.hasher));
    const uint32_t id = data->GetID();
    if (by_id_.size() <= id) by_id_.resize(id + 1, nullptr);
    by_id_[id] = families_.back().get();
  }
  page_maps_.resize(families_.size());
  return {};
}

rocksdb::ColumnFamilyHandle* StoreCore::Named(std::string_view name) const {
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    if (handle->GetName() == name) return handle;
  }
  return nullptr;
}

// There are few, and a handle is compared sooner than asked for its number.
FilteredFamily* StoreCore::Find(rocksdb::ColumnFamilyHandle* handle) const {
  for (const auto& family : families_) {
    if (family->data() == handle) return family.get();
  }
  return nullptr;
}

StoreCore::~StoreCore() {
  // Errors are Close's to report; whoever wants them calls it.
  (void)Close().ok();
}

Status StoreCore::Close() {
  if (closed_ || db_ == nullptr) return {};
  closed_ = true;
  background_.Stop();
  Status status;
  // An opening that failed has nothing to save.
  if (is_loaded_) {
    status = SaveFilters();
    if (status.ok() && !options_.wal) status = Flush();
  }
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    (void)db_->DestroyColumnFamilyHandle(handle).ok();
  }
  handles_.clear();
  const Status closed = StatusOf(db_->Close(), path_ + ": can't close");
  db_.reset();
  return status.ok() ? closed : status;
}

}  // namespace internal
}  // namespace tamis
