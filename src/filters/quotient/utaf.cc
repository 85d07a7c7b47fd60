#include "filters/quotient/utaf.h"

namespace tamis::internal {

template class AdaptiveQuotient<UtafTraits>;

}  // namespace tamis::internal
