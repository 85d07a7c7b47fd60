// Background: the thread that does what no caller should wait for.
//
// Others only signal it, also from RocksDB's own threads: a listener that wrote
// to the database it listens to could wait for itself.

#ifndef TAMIS_STORE_SRC_BACKGROUND_H_
#define TAMIS_STORE_SRC_BACKGROUND_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "tamis/status.h"

namespace tamis::internal {

class Background {
 public:
  using Task = std::function<Status()>;

  ~Background() { Stop(); }
  void Start(Task save, Task rejuvenate);
  // Lets what runs end soon, and waits for it.
  void Stop();

  void RequestSave() { Request(save_); }
  void RequestRejuvenation() { Request(rejuvenate_); }
  // True if a save was asked for, which the caller then does.
  bool TakeSave();
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }
  // Sleeps, but not into the end; false if it has come.
  bool SleepFor(std::chrono::microseconds time);

  void NoteError(const Status& status);
  std::string last_error() const;

 private:
  void Request(bool& wish);
  void Run();

  Task save_task_;
  Task rejuvenate_task_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool save_ = false;
  bool rejuvenate_ = false;
  std::atomic<bool> stopping_ = false;
  std::string last_error_;
  std::thread thread_;
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_BACKGROUND_H_
