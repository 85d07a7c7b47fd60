#include "tamis/exaf.h"

#include "filters/quotient/adapt.h"
#include "filters/quotient/change.h"
#include "filters/quotient/create.h"
#include "filters/quotient/members.h"
#include "filters/quotient/report.h"

namespace tamis::internal {

template class AdaptiveQuotient<ExafKind>;

}  // namespace tamis::internal
