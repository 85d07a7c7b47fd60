// A folder of its own for each test, and short words for what all of them do.

#ifndef TAMIS_STORE_TESTS_TEMP_STORE_H_
#define TAMIS_STORE_TESTS_TEMP_STORE_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tamis/store.h"

namespace tamis {

class TempDir {
 public:
  TempDir() {
    std::string name = (Root() / "tamis-store-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  std::string path() const { return path_; }
  std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }

 private:
  // In memory where there is room: the tests kill processes, not machines, and
  // a file in memory outlives its process as one on disk does.
  static std::filesystem::path Root() {
    constexpr uint64_t kRoom = uint64_t{2} << 30;
    const std::filesystem::path memory = "/dev/shm";
    std::error_code error;
    const auto space = std::filesystem::space(memory, error);
    if (!error && space.available > kRoom) return memory;
    return std::filesystem::temp_directory_path();
  }

  std::string path_;
};

inline std::unique_ptr<Store> MustOpen(const std::string& path,
                                       const StoreOptions& options = {}) {
  Result<std::unique_ptr<Store>> store = Store::Open(options, path);
  EXPECT_TRUE(store.ok()) << store.status().ToString();
  return store.ok() ? *std::move(store) : nullptr;
}

inline std::optional<std::string> Read(Store& store, const std::string& key) {
  std::string value;
  const Result<bool> found = store.Get(key, &value);
  EXPECT_TRUE(found.ok()) << found.status().ToString();
  if (!found.ok() || !*found) return std::nullopt;
  return value;
}

inline void ExpectOk(const Status& status) {
  EXPECT_TRUE(status.ok()) << status.ToString();
}

// All is as it should be: so many keys, and no ghosts.
inline void ExpectWhole(Store& store, uint64_t keys, uint64_t ghosts = 0) {
  const Result<Store::CheckReport> report = store.Check();
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->keys, keys);
  EXPECT_EQ(report->ghosts, ghosts);
}

inline bool LongTests() { return getenv("TAMIS_LONG_TESTS") != nullptr; }

}  // namespace tamis

#endif  // TAMIS_STORE_TESTS_TEMP_STORE_H_
