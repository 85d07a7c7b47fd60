#include "tamis/exaf.h"

namespace tamis::internal {

template class AdaptiveQuotient<ExafKind>;

}  // namespace tamis::internal
