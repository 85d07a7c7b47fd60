#include "tools/compare/teacher.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace tamis::tools {

Result<AdaptOutcome> Teacher::Tell(KeyHash absent) {
  assert(learns_);
  if (!asks_) return filter_.Adapt(absent);
  const uint64_t erases = filter_.num_erases();
  const std::optional<HashRange> range = filter_.CollisionRange(absent);
  if (!range) return AdaptOutcome::kNothingToFix;
  const auto first =
      std::lower_bound(members_.begin(), members_.end(), range->low);
  const auto last = std::upper_bound(first, members_.end(), range->high);
  return filter_.Adapt(absent, {first, last}, erases);
}

}  // namespace tamis::tools
