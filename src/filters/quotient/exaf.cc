#include "tamis/exaf.h"

namespace tamis::internal {

template class AdaptiveQuotient<ExafTraits>;

}  // namespace tamis::internal
