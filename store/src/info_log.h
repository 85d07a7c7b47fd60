// InfoLog: RocksDB's LOG, where a line that can't be written is dropped.
//
// RocksDB's own ends the process at the second such line, where it was compiled
// with assertions, as Debian's is: a full disk would take the program with it,
// and not only its writes.
//
// Lines wait until there are some of them, or a second has passed.
//
// Thread safety: all of it, from any thread.

#ifndef TAMIS_STORE_SRC_INFO_LOG_H_
#define TAMIS_STORE_SRC_INFO_LOG_H_

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/options.h>

#include <cstdarg>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace tamis::internal {

class InfoLog : public rocksdb::Logger {
 public:
  // Writes to LOG in a folder, which is made if it is missing.  The one that is
  // there keeps the name that RocksDB would give it.
  InfoLog(rocksdb::Env* env, const std::string& folder,
          rocksdb::InfoLogLevel level);
  ~InfoLog() override;

  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override;
  void Flush() override;

 private:
  void WriteWaiting();  // with mutex_ held

  rocksdb::Env* env_;
  std::mutex mutex_;
  std::unique_ptr<rocksdb::FSWritableFile> file_;  // null: it can't be made
  std::string waiting_;
  uint64_t written_micros_ = 0;
};

// Gives the options such a log, unless they say that there is another.
void SetInfoLog(const std::string& folder, rocksdb::DBOptions* options);

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_INFO_LOG_H_
