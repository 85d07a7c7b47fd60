#include "store/src/info_log.h"

#include <cstdio>
#include <ctime>

namespace tamis::internal {
namespace {

constexpr size_t kWaitingBytes = 4096;
constexpr uint64_t kWaitingMicros = 1'000'000;

std::string Stamp(uint64_t micros, uint64_t thread) {
  const auto seconds = static_cast<time_t>(micros / 1'000'000);
  std::tm parts = {};
  localtime_r(&seconds, &parts);
  char day[40];
  const size_t size =
      std::strftime(day, sizeof day, "%Y/%m/%d-%H:%M:%S", &parts);
  char rest[48];
  std::snprintf(rest, sizeof rest, ".%06u %llu ",
                static_cast<unsigned>(micros % 1'000'000),
                static_cast<unsigned long long>(thread));
  return std::string(day, size) + rest;
}

std::string Formatted(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(size > 0 ? static_cast<size_t>(size) + 1 : 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  text.back() = '\n';
  return text;
}

}  // namespace

InfoLog::InfoLog(rocksdb::Env* env, const std::string& folder,
                 rocksdb::InfoLogLevel level)
    : Logger(level), env_(env) {
  const std::string path = folder + "/LOG";
  (void)env->CreateDirIfMissing(folder).ok();
  (void)env->RenameFile(path, path + ".old." + std::to_string(env->NowMicros()))
      .ok();
  rocksdb::FileOptions options;
  options.use_mmap_writes = false;
  const rocksdb::IOStatus made =
      env->GetFileSystem()->NewWritableFile(path, options, &file_, nullptr);
  if (!made.ok()) file_.reset();
}

InfoLog::~InfoLog() {
  Flush();
  if (file_) (void)file_->Close({}, nullptr).ok();
}

void InfoLog::Logv(const char* format, va_list arguments) {
  const uint64_t now = env_->NowMicros();
  const std::string line =
      Stamp(now, env_->GetThreadID()) + Formatted(format, arguments);
  const std::lock_guard lock(mutex_);
  waiting_ += line;
  if (waiting_.size() < kWaitingBytes &&
      now - written_micros_ < kWaitingMicros) {
    return;
  }
  written_micros_ = now;
  WriteWaiting();
}

void InfoLog::Flush() {
  const std::lock_guard lock(mutex_);
  WriteWaiting();
}

void InfoLog::WriteWaiting() {
  if (file_ && !waiting_.empty()) {
    (void)file_->Append(waiting_, {}, nullptr).ok();
  }
  waiting_.clear();
}

void SetInfoLog(const std::string& folder, rocksdb::DBOptions* options) {
  const bool is_theirs =
      options->info_log != nullptr || !options->db_log_dir.empty() ||
      options->max_log_file_size != 0 || options->log_file_time_to_roll != 0;
  if (is_theirs) return;
  options->info_log =
      std::make_shared<InfoLog>(options->env, folder, options->info_log_level);
}

}  // namespace tamis::internal
