#include "tamis/utaf.h"

namespace tamis::internal {

template class AdaptiveQuotient<UtafKind>;

}  // namespace tamis::internal
