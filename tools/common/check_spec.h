// Specs, before any data are read.

#ifndef TAMIS_TOOLS_COMMON_CHECK_SPEC_H_
#define TAMIS_TOOLS_COMMON_CHECK_SPEC_H_

#include "tamis/spec.h"
#include "tamis/status.h"

namespace tamis::tools {

// kInvalidArgument if there is no such filter or parameter, or a value that it
// can't have.  What depends on the number of keys is not checked.
Status CheckSpec(const Spec& spec);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_CHECK_SPEC_H_
