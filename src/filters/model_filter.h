// A small filter that stands for a large one: as full, and with as many keys a
// slot of creation.  What it expects of itself holds for the large one too.

#ifndef TAMIS_FILTERS_MODEL_FILTER_H_
#define TAMIS_FILTERS_MODEL_FILTER_H_

#include <cstdint>

#include "tamis/any_filter.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::internal {

struct ModelFilter {
  AnyFilter filter;
  double scale;  // how many times smaller it is

  // kUnsupported if the large one has grown so far that even a small one takes
  // too long to fill.  REQUIRES: slots > 0
  static Result<ModelFilter> Make(const Spec& spec, uint64_t slots,
                                  uint64_t keys);
};

// Returns the rate that it expects.
Result<double> ModelFpr(const Spec& spec, uint64_t slots, uint64_t keys);

// Returns the fewest slots that hold the keys at this load.
uint64_t LeastSlots(uint64_t keys, double load);

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_MODEL_FILTER_H_
