#include "tamis/taf.h"

namespace tamis::internal {

namespace {

// The tuned model, unless a workload, another length or a model is named.
SelectorModel ModelFor(const AdaptiveOptions& options) {
  const Xy given = {options.code_x, options.code_y};
  double c = options.queries_per_member;
  if (c == 0) {
    if (options.code_bits == kCodeBits && given.x == 0 && given.y == 0) {
      return SelectorModel::Tuned();
    }
    c = FullCodeQueries(options.remainder_bits, options.code_bits);
  }
  const Xy best = ChooseXy(options.remainder_bits, c, options.code_bits, given);
  return SelectorModel::Xy(best.x, best.y);
}

}  // namespace

Result<TafTraits::Letters> TafTraits::CreateLetters(
    uint64_t slots, const AdaptiveOptions& options) {
  return Letters::Create(slots, ModelFor(options), options.code_bits);
}

template class AdaptiveQuotient<TafTraits>;

}  // namespace tamis::internal
