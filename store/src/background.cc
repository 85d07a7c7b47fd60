#include "store/src/background.h"

#include <utility>

namespace tamis::internal {

void Background::Start(Task save, Task rejuvenate) {
  save_task_ = std::move(save);
  rejuvenate_task_ = std::move(rejuvenate);
  thread_ = std::thread([this] { Run(); });
}

void Background::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Background::Request(bool& wish) {
  {
    const std::lock_guard lock(mutex_);
    if (wish) return;
    wish = true;
  }
  wake_.notify_all();
}

bool Background::TakeSave() {
  const std::lock_guard lock(mutex_);
  return std::exchange(save_, false);
}

bool Background::SleepFor(std::chrono::microseconds time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, time, [this] { return stopping(); });
}

void Background::NoteError(const Status& status) {
  const std::lock_guard lock(mutex_);
  last_error_ = status.ToString();
}

std::string Background::last_error() const {
  const std::lock_guard lock(mutex_);
  return last_error_;
}

void Background::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping() || save_ || rejuvenate_; });
    if (stopping()) return;
    const bool save = std::exchange(save_, false);
    const bool rejuvenate = !save && std::exchange(rejuvenate_, false);
    lock.unlock();
    Status status;
    if (save) status = save_task_();
    if (rejuvenate) status = rejuvenate_task_();
    if (!status.ok()) NoteError(status);
    lock.lock();
  }
}

}  // namespace tamis::internal
