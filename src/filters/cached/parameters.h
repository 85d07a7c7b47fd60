// What the spec of a cached filter may have.

#ifndef TAMIS_FILTERS_CACHED_PARAMETERS_H_
#define TAMIS_FILTERS_CACHED_PARAMETERS_H_

#include "tamis/parameter.h"

namespace tamis::internal {

inline constexpr Parameter kCachedParameters[] = {
    WholeNumber("bytes", 65536, {168, 1 << 30}, "memory of the cache"),
    OneOf("policy", "lru|clock|topk", "which mistakes the cache keeps")};

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_CACHED_PARAMETERS_H_
