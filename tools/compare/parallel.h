// ForEachInParallel: the same work on many things, on several cores.

#ifndef TAMIS_TOOLS_COMPARE_PARALLEL_H_
#define TAMIS_TOOLS_COMPARE_PARALLEL_H_

#include <cstddef>
#include <functional>

#include "tamis/status.h"

namespace tamis::tools {

// Calls work(i) for each i below `count`, up to `jobs` at the same time, in
// any order; returns the first error, after which no further ones begin.
// done(finished) follows each, never two at a time.
Status ForEachInParallel(size_t count, int jobs,
                         const std::function<Status(size_t)>& work,
                         const std::function<void(size_t)>& done);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_PARALLEL_H_
