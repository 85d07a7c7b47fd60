#ifndef TAMIS_STORE_TESTS_RAW_STORE_H_
#define TAMIS_STORE_TESTS_RAW_STORE_H_

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <string>
#include <string_view>
#include <vector>

namespace tamis {

// The families of a store without the store.
class RawStore {
 public:
  explicit RawStore(const std::string& path) {
    std::vector<std::string> names;
    rocksdb::Options options;
    EXPECT_TRUE(rocksdb::DB::ListColumnFamilies(options, path, &names).ok());
    std::vector<rocksdb::ColumnFamilyDescriptor> all;
    for (const std::string& name : names) {
      all.emplace_back(name, rocksdb::ColumnFamilyOptions());
    }
    EXPECT_TRUE(
        rocksdb::DB::Open(rocksdb::DBOptions(), path, all, &handles_, &db_)
            .ok());
  }
  ~RawStore() {
    for (auto* handle : handles_) {
      EXPECT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
    }
    delete db_;
  }
  rocksdb::ColumnFamilyHandle* family(std::string_view name) const {
    for (auto* handle : handles_) {
      if (handle->GetName() == name) return handle;
    }
    return nullptr;
  }
  rocksdb::DB* db() const { return db_; }

  std::string Read(std::string_view family_name, const std::string& key) const {
    std::string value;
    EXPECT_TRUE(db_->Get({}, family(family_name), key, &value).ok());
    return value;
  }
  void Write(std::string_view family_name, const std::string& key,
             const std::string& value) const {
    EXPECT_TRUE(db_->Put({}, family(family_name), key, value).ok());
  }

 private:
  rocksdb::DB* db_ = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
};

}  // namespace tamis

#endif  // TAMIS_STORE_TESTS_RAW_STORE_H_
