// Epochs: when it is safe to free what others may still be reading.
//
// A reader is in a *section* while it follows pointers that a writer may
// replace.  A writer unlinks an object, takes a ticket, and frees the object
// when every reader that is in a section entered it after the ticket:
//
//   epoch     5        6        7
//   reader    [== in 5 ======)         [= in 7 =)
//   writer         unlink, ticket 6            may be freed: none is below 6
//
// Entering costs two stores to a line of the thread's own.  They must be seen
// before what the section reads is read; where the system has an expedited
// membarrier, the writer pays for that order, and readers need no fence.
//
// Thread safety: all of it, from any thread.  Sections nest.

#ifndef TAMIS_INTERNAL_FILTERS_SHARDED_EPOCHS_H_
#define TAMIS_INTERNAL_FILTERS_SHARDED_EPOCHS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tamis::internal {

class Epochs {
 public:
  // A thread's own line: the epoch in which it entered, or 0.
  struct alignas(64) Reader {
    std::atomic<uint64_t> entered{0};
    std::atomic<bool> in_use{true};
    uint64_t nested = 0;
    Reader* next = nullptr;
  };

  class Section {
   public:
    Section() : reader_(ThisThread()) {
      if (reader_.nested++ == 0) Enter(reader_);
    }
    ~Section() {
      if (--reader_.nested == 0) {
        reader_.entered.store(0, std::memory_order_release);
      }
    }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

   private:
    Reader& reader_;
  };

  // Begins a new epoch and returns it: a ticket for what was unlinked before.
  static uint64_t NextTicket();
  // Returns a ticket such that all up to it may be freed.
  static uint64_t SafeTicket();

 private:
  struct Registration;  // gives the line back when the thread ends

  static Reader& ThisThread() {
    if (mine_ == nullptr) [[unlikely]]
      mine_ = &Register();
    return *mine_;
  }
  static Reader& Register();
  static void Enter(Reader& reader);

  // NOLINTNEXTLINE(readability-identifier-naming): a member, of each thread
  static thread_local Reader* mine_;
};

// What was unlinked, each with its ticket.
class RetiredList {
 public:
  RetiredList() = default;
  // REQUIRES: nobody reads any of it
  ~RetiredList() { FreeUpTo(~uint64_t{0}); }
  RetiredList(const RetiredList&) = delete;
  RetiredList& operator=(const RetiredList&) = delete;

  // Takes an object over, to be freed by a later Reclaim.
  template <typename T>
  void Retire(std::unique_ptr<T> object) {
    Add({Epochs::NextTicket(), object.release(),
         [](void* pointer) { delete static_cast<T*>(pointer); }});
  }
  // Frees what is safe to be freed.  Outside of a section: what was retired in
  // it would have to wait for its end.
  void Reclaim();
  uint64_t size() const;

 private:
  struct Retired {
    uint64_t ticket;
    void* object;
    void (*free)(void*);
  };
  void Add(const Retired& retired);
  void FreeUpTo(uint64_t ticket);

  mutable std::mutex mutex_;
  std::vector<Retired> waiting_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_SHARDED_EPOCHS_H_
