// The filters that a comparison of all compares: those of the rows (kind.h),
// and plain filters with a cache.

#ifndef TAMIS_TOOLS_COMPARE_FORMS_H_
#define TAMIS_TOOLS_COMPARE_FORMS_H_

#include <string_view>
#include <vector>

namespace tamis::tools {

// As specs.
std::vector<std::string_view> AllForms();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_FORMS_H_
