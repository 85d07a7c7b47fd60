// The filters that a comparison of all compares.

#ifndef TAMIS_TOOLS_COMPARE_FORMS_H_
#define TAMIS_TOOLS_COMPARE_FORMS_H_

#include <span>
#include <string_view>

namespace tamis::tools {

struct FilterForm {
  std::string_view spec;  // what is fixed
  std::string_view open;  // the parameter to choose: r, f or bits
  double max_load = 1;    // keys per slot
};
std::span<const FilterForm> AllForms();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_FORMS_H_
