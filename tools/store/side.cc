#include "tools/store/side.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tamis/store.h"

namespace tamis::tools {
namespace {

Status Io(const rocksdb::Status& status) {
  if (status.ok()) return {};
  return {StatusCode::kIo, status.ToString()};
}

rocksdb::Options CommonOptions(const SideOptions& side,
                               const rocksdb::FilterPolicy* policy) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kNoCompression;
  options.use_direct_reads = side.direct_io;
  options.use_direct_io_for_flush_and_compaction = side.direct_io;
  if (side.bulk) {
    options.disable_auto_compactions = true;
    options.level0_slowdown_writes_trigger = 1 << 30;
    options.level0_stop_writes_trigger = 1 << 30;
    options.soft_pending_compaction_bytes_limit = 0;
    options.hard_pending_compaction_bytes_limit = 0;
    options.max_subcompactions = 2;
  }
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy.reset(policy);
  table.format_version = 5;
  table.block_cache = rocksdb::NewLRUCache(side.cache_bytes);
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

class PlainSide : public Side {
 public:
  PlainSide(std::unique_ptr<rocksdb::DB> db, const PlainForm& form)
      : db_(std::move(db)), form_(form) {}

  std::string name() const override {
    return form_.kind == PlainForm::Kind::kBloom ? "RocksDB, Bloom"
                                                 : "RocksDB, Ribbon";
  }
  Status Put(const Slice& key, const Slice& value) override {
    return Io(db_->Put({}, key, value));
  }
  Status Write(rocksdb::WriteBatch* batch) override {
    return Io(db_->Write({}, batch));
  }
  Result<bool> Get(const Slice& key, rocksdb::PinnableSlice* value) override {
    const rocksdb::Status status =
        db_->Get({}, db_->DefaultColumnFamily(), key, value);
    if (status.ok()) return true;
    if (status.IsNotFound()) return false;
    return Io(status);
  }
  uint64_t FilterBytes() const override { return FileFilterBytes(); }
  rocksdb::DB* db() const override { return db_.get(); }
  Status Flush() override { return Io(db_->Flush({})); }
  Status Close() override { return Io(db_->Close()); }

 private:
  std::unique_ptr<rocksdb::DB> db_;
  PlainForm form_;
};

class StoreSide : public Side {
 public:
  StoreSide(std::unique_ptr<Store> store, std::string name)
      : store_(std::move(store)),
        name_(std::move(name)),
        family_(store_->default_family()) {}

  std::string name() const override { return name_; }
  Status Put(const Slice& key, const Slice& value) override {
    return store_->Put(rocksdb::WriteOptions(), family_, key, value);
  }
  Status Write(rocksdb::WriteBatch* batch) override {
    return store_->Write(rocksdb::WriteOptions(), batch);
  }
  Result<bool> Get(const Slice& key, rocksdb::PinnableSlice* value) override {
    return store_->Get(rocksdb::ReadOptions(), family_, key, value);
  }
  uint64_t FilterBytes() const override {
    return store_->Stats().families[0].filter_bytes + FileFilterBytes();
  }
  rocksdb::DB* db() const override { return store_->rocksdb(); }
  Status Flush() override { return store_->Flush(); }
  Status MakeWhole() override { return store_->Rejuvenate(); }
  Status Close() override { return store_->Close(); }

 private:
  std::unique_ptr<Store> store_;
  std::string name_;
  Store::Family* family_;
};

}  // namespace

Status Side::Settle() {
  TAMIS_RETURN_IF_ERROR(Flush());
  if (db()->GetOptions().disable_auto_compactions) return {};
  uint64_t running = 1;
  uint64_t pending = 1;
  while (running != 0 || pending != 0) {
    db()->GetIntProperty(rocksdb::DB::Properties::kNumRunningCompactions,
                         &running);
    db()->GetAggregatedIntProperty(rocksdb::DB::Properties::kCompactionPending,
                                   &pending);
    rocksdb::Env::Default()->SleepForMicroseconds(10'000);
  }
  return {};
}

Status Side::CompactAll() {
  TAMIS_RETURN_IF_ERROR(Settle());
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForceOptimized;
  TAMIS_RETURN_IF_ERROR(Io(db()->CompactRange(options, nullptr, nullptr)));
  // What a load in bulk has left for later.
  TAMIS_RETURN_IF_ERROR(
      Io(db()->SetOptions({{"disable_auto_compactions", "false"}})));
  return Settle();
}

uint64_t Side::FileFilterBytes() const {
  rocksdb::TablePropertiesCollection all;
  uint64_t bytes = 0;
  if (!db()->GetPropertiesOfAllTables(&all).ok()) return 0;
  for (const auto& [file, properties] : all) bytes += properties->filter_size;
  return bytes;
}

uint64_t Side::DataBytes() const {
  uint64_t bytes = 0;
  db()->GetIntProperty(rocksdb::DB::Properties::kTotalSstFilesSize, &bytes);
  return bytes;
}

Result<std::unique_ptr<Side>> OpenPlain(const SideOptions& options,
                                        const PlainForm& form) {
  const bool is_bloom = form.kind == PlainForm::Kind::kBloom;
  rocksdb::Options own = CommonOptions(
      options,
      is_bloom ? rocksdb::NewBloomFilterPolicy(form.bits_per_key) : nullptr);
  if (!is_bloom) SetFileFilters(form.bits_per_key, &own);
  rocksdb::DB* db = nullptr;
  TAMIS_RETURN_IF_ERROR(Io(rocksdb::DB::Open(own, options.path, &db)));
  return std::unique_ptr<Side>(
      std::make_unique<PlainSide>(std::unique_ptr<rocksdb::DB>(db), form));
}

Result<std::unique_ptr<Side>> OpenStoreSide(const SideOptions& options,
                                            const StoreForm& form) {
  StoreOptions own;
  // As DefaultRocksOptions: files of upper levels keep a filter.
  own.rocksdb = CommonOptions(options, rocksdb::NewBloomFilterPolicy(10));
  own.rocksdb.optimize_filters_for_hits = true;
  if (form.file_bits > 0) SetFileFilters(form.file_bits, &own.rocksdb);
  own.filter = form.filter;
  own.layout = form.layout;
  own.rebuild = form.rebuild;
  TAMIS_ASSIGN_OR_RETURN(auto store, Store::Open(own, options.path));
  return std::unique_ptr<Side>(
      std::make_unique<StoreSide>(std::move(store), form.name));
}

void CountBlocks() {
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
  rocksdb::get_perf_context()->Reset();
}

uint64_t BlocksRead() { return rocksdb::get_perf_context()->block_read_count; }

}  // namespace tamis::tools
