#include "tamis/internal/filters/sharded/epochs.h"

#include <algorithm>

#if defined(__linux__) && !defined(__SANITIZE_THREAD__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#define TAMIS_HAS_MEMBARRIER 1
#endif

namespace tamis::internal {
namespace {

std::atomic<uint64_t> epoch{1};
std::atomic<Epochs::Reader*> readers{nullptr};  // grows only

#ifdef TAMIS_HAS_MEMBARRIER
// Whether a writer can make all other threads pass a barrier.
bool RegisterBarrier() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0,
                 0) == 0;
}
const bool kWritersPay = RegisterBarrier();
#else
constexpr bool kWritersPay = false;
#endif

// Orders the stores of readers that entered before what follows.
void BarrierOfWriter() {
#ifdef TAMIS_HAS_MEMBARRIER
  if (kWritersPay) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    return;
  }
#endif
  epoch.fetch_add(0, std::memory_order_seq_cst);
}

}  // namespace

thread_local Epochs::Reader* Epochs::mine_ = nullptr;

struct Epochs::Registration {
  ~Registration() {
    if (reader == nullptr) return;
    mine_ = nullptr;
    reader->in_use.store(false, std::memory_order_release);
  }
  Reader* reader = nullptr;
};

// Lines are never freed: a thread that ends leaves its own to another.
Epochs::Reader& Epochs::Register() {
  thread_local Registration registration;
  for (Reader* reader = readers.load(std::memory_order_acquire);
       reader != nullptr; reader = reader->next) {
    bool in_use = false;
    if (reader->in_use.compare_exchange_strong(in_use, true)) {
      registration.reader = reader;
      return *reader;
    }
  }
  auto* reader = new Reader;
  registration.reader = reader;
  reader->next = readers.load(std::memory_order_relaxed);
  while (!readers.compare_exchange_weak(reader->next, reader,
                                        std::memory_order_acq_rel)) {
  }
  return *reader;
}

void Epochs::Enter(Reader& reader) {
  const uint64_t now = epoch.load(std::memory_order_acquire);
  if (kWritersPay) {
    reader.entered.store(now, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } else {
    reader.entered.exchange(now, std::memory_order_seq_cst);
  }
}

uint64_t Epochs::NextTicket() {
  return epoch.fetch_add(1, std::memory_order_seq_cst) + 1;
}

uint64_t Epochs::SafeTicket() {
  uint64_t oldest = epoch.load(std::memory_order_seq_cst);
  BarrierOfWriter();
  for (const Reader* reader = readers.load(std::memory_order_acquire);
       reader != nullptr; reader = reader->next) {
    const uint64_t entered = reader->entered.load(std::memory_order_seq_cst);
    if (entered != 0) oldest = std::min(oldest, entered);
  }
  return oldest;
}

void RetiredList::Add(const Retired& retired) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(retired);
}

void RetiredList::Reclaim() { FreeUpTo(Epochs::SafeTicket()); }

void RetiredList::FreeUpTo(uint64_t ticket) {
  std::vector<Retired> safe;
  {
    const std::lock_guard lock(mutex_);
    const auto first =
        std::partition(waiting_.begin(), waiting_.end(),
                       [&](const Retired& one) { return one.ticket > ticket; });
    safe.assign(first, waiting_.end());
    waiting_.erase(first, waiting_.end());
  }
  for (const Retired& one : safe) one.free(one.object);
}

uint64_t RetiredList::size() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

}  // namespace tamis::internal
