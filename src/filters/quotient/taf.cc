#include "tamis/taf.h"

namespace tamis::internal {

// The tuned code, unless a workload is named that another code suits better.
Result<TafTraits::Letters> TafTraits::CreateLetters(
    uint64_t slots, const AdaptiveOptions& options) {
  if (options.queries_per_member == 0) {
    return Letters::Create(slots, SelectorModel::Tuned());
  }
  const Xy best = ChooseXy(options.remainder_bits, options.queries_per_member);
  return Letters::Create(slots, SelectorModel::Xy(best.x, best.y));
}

template class AdaptiveQuotient<TafTraits>;

}  // namespace tamis::internal
