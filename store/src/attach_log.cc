#include "store/src/attach_log.h"

#include <string>

namespace tamis::internal {
namespace {

constexpr uint32_t kMost = 4096;  // operations of a batch, about

Status Gap(const std::string& why) {
  return {StatusCode::kStale, "the database's log has a gap: " + why};
}

}  // namespace

// Copies the keys of one family.  What it does not know, such as a prepared
// transaction, is an error, and ends the trust in the log.
class LogReader::Handler : public rocksdb::WriteBatch::Handler {
 public:
  Handler(uint32_t family, rocksdb::WriteBatch* out)
      : family_(family), out_(out) {}

  rocksdb::Status PutCF(uint32_t id, const rocksdb::Slice& key,
                        const rocksdb::Slice& /*value*/) override {
    return id == family_ ? out_->Put(key, "") : rocksdb::Status::OK();
  }
  rocksdb::Status MergeCF(uint32_t id, const rocksdb::Slice& key,
                          const rocksdb::Slice& value) override {
    return PutCF(id, key, value);
  }
  rocksdb::Status PutEntityCF(uint32_t id, const rocksdb::Slice& key,
                              const rocksdb::Slice& value) override {
    return PutCF(id, key, value);
  }
  rocksdb::Status DeleteCF(uint32_t id, const rocksdb::Slice& key) override {
    return id == family_ ? out_->Delete(key) : rocksdb::Status::OK();
  }
  rocksdb::Status SingleDeleteCF(uint32_t id,
                                 const rocksdb::Slice& key) override {
    return DeleteCF(id, key);
  }
  rocksdb::Status DeleteRangeCF(uint32_t /*id*/, const rocksdb::Slice&,
                                const rocksdb::Slice&) override {
    return rocksdb::Status::OK();  // the keys stay in the filter: ghosts
  }
  rocksdb::Status PutBlobIndexCF(uint32_t id, const rocksdb::Slice& key,
                                 const rocksdb::Slice& value) override {
    return PutCF(id, key, value);
  }
  void LogData(const rocksdb::Slice& /*blob*/) override {}
  rocksdb::Status MarkNoop(bool /*empty*/) override {
    return rocksdb::Status::OK();
  }

 private:
  uint32_t family_;
  rocksdb::WriteBatch* out_;
};

Result<uint64_t> LogReader::Read(rocksdb::DB* db, uint64_t first,
                                 uint64_t latest) {
  std::unique_ptr<rocksdb::TransactionLogIterator> at;
  const rocksdb::Status opened = db->GetUpdatesSince(first, &at);
  if (!opened.ok()) return Gap(opened.ToString());
  uint64_t next = first;
  for (; at->Valid() && next <= latest; at->Next()) {
    const rocksdb::BatchResult batch = at->GetBatch();
    if (batch.sequence > next) {
      return Gap("after " + std::to_string(next - 1) + " comes " +
                 std::to_string(batch.sequence));
    }
    Handler handler(family_, &batch_);
    const rocksdb::Status read = batch.writeBatchPtr->Iterate(&handler);
    if (!read.ok()) return Gap(read.ToString());
    next = batch.sequence + static_cast<uint64_t>(batch.writeBatchPtr->Count());
    if (batch_.Count() >= kMost) return next - 1;
  }
  if (next <= latest) {
    return Gap("it ends at " + std::to_string(next - 1) + " of " +
               std::to_string(latest));
  }
  return next - 1;
}

}  // namespace tamis::internal
