// TempDir: a directory of files for one test, removed with it.

#ifndef TAMIS_TESTS_WORKLOADS_TEMP_DIR_H_
#define TAMIS_TESTS_WORKLOADS_TEMP_DIR_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace tamis::workloads {

class TempDir {
 public:
  TempDir() {
    std::string pattern = ::testing::TempDir() + "/tamis_XXXXXX";
    const char* made = mkdtemp(pattern.data());
    EXPECT_NE(made, nullptr) << pattern;
    path_ = pattern;
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() { std::filesystem::remove_all(path_); }

  std::string Path(std::string_view name) const {
    return path_ + "/" + std::string(name);
  }
  // Writes a file and returns its path.
  std::string Write(std::string_view name, std::string_view bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }
  // The names of all files in it, in order.
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::string path_;
};

}  // namespace tamis::workloads

#endif  // TAMIS_TESTS_WORKLOADS_TEMP_DIR_H_
