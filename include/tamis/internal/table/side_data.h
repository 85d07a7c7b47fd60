// SideData: what a filter keeps per slot outside of the table.
//
// Codes of selectors and mirrored hashes live in arrays of their own, so that
// the line that a look-up reads holds nothing it does not need.  When entries
// move, the table tells the side data once per operation, after they moved:
//
//   insert   slots   a b c d .      OnShift({b, .}, +1):  b c d went up by one
//            becomes a X b c d
//   erase    slots   a X b c d      OnShift({b, end}, -1): b c d went down
//            becomes a b c d .

#ifndef TAMIS_INTERNAL_TABLE_SIDE_DATA_H_
#define TAMIS_INTERNAL_TABLE_SIDE_DATA_H_

#include <cstdint>

#include "tamis/status.h"

namespace tamis::internal {

struct SlotRange {  // [begin, limit)
  uint64_t begin;
  uint64_t limit;

  uint64_t size() const { return limit - begin; }
  bool empty() const { return begin == limit; }
  friend bool operator==(const SlotRange&, const SlotRange&) = default;
};

class SideData {
 public:
  virtual ~SideData() = default;
  // The entries that were in `moved` are now `by` slots further, +1 or -1.
  // On +1 slot moved.begin is the new entry's; on -1 the last slot of `moved`
  // is free.  `moved` may be empty.
  virtual void OnShift(SlotRange moved, int by) = 0;
  // The table now has `slots` slots (it only ever grows at its end).
  virtual Status OnGrow(uint64_t slots) = 0;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_SIDE_DATA_H_
