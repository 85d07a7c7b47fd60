// What the spec of the fuse filter may have.

#ifndef TAMIS_FILTERS_FUSE_PARAMETERS_H_
#define TAMIS_FILTERS_FUSE_PARAMETERS_H_

#include "tamis/parameter.h"

namespace tamis::internal {

inline constexpr Parameter kFuseParameters[] = {
    OneOf("f", "8|16", "bits of a fingerprint")};

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_FUSE_PARAMETERS_H_
