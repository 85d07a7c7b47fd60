// Growth: inserts of fresh keys, mixed with erases of keys still in the set.
//
//   insert a   insert b   erase a   insert c ...
//
// Each operation is an erase with probability `erase_share` (an insert where
// the set is empty), so the set grows by 1 - 2 * erase_share a step.  Every
// erased key is a member at that moment, and no key is inserted twice.
//
//   kOldest  first in, first out: no memory
//   kRandom  any member, equally likely: 8 bytes a member
//
// Thread safety: one object, one thread.

#ifndef TAMIS_WORKLOADS_GROWTH_H_
#define TAMIS_WORKLOADS_GROWTH_H_

#include <cstdint>
#include <vector>

#include "tamis/result.h"
#include "tamis/spec.h"
#include "workloads/random.h"

namespace tamis::workloads {

struct Operation {
  enum class Kind { kInsert, kErase };
  Kind kind;
  uint64_t key;
};

class GrowthStream {
 public:
  enum class EraseOrder { kOldest, kRandom };
  struct Options {
    uint64_t seed = 1;
    double erase_share = 0.1;
    EraseOrder order = EraseOrder::kRandom;
  };

  // REQUIRES: 0 <= erase_share <= 1
  explicit GrowthStream(const Options& options);
  Operation Next();

  // Members after the operations so far.
  uint64_t size() const { return inserted_ - erased_; }

 private:
  uint64_t KeyOf(uint64_t index) const {
    return DistinctKey(options_.seed, index);
  }
  Operation Insert();
  Operation Erase();

  Options options_;
  Random random_;
  uint64_t inserted_ = 0;
  uint64_t erased_ = 0;
  std::vector<uint64_t> members_;  // kRandom only: indices of the live keys
};

// Makes the stream of a spec: "growth:erase=0.3,order=oldest,seed=7".
Result<GrowthStream> MakeGrowth(const Spec& spec);

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_GROWTH_H_
