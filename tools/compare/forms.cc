#include "tools/compare/forms.h"

#include "tamis/kind.h"
#include "tools/common/parse.h"

namespace tamis::tools {
std::vector<std::string_view> AllForms() {
  std::vector<std::string_view> forms;
  for (const Kind& kind : AllKinds()) {
    if (kind.compared.empty()) {
      forms.push_back(kind.ShortestSpec());
      continue;
    }
    for (const std::string_view spec : Split(kind.compared, ' ')) {
      forms.push_back(spec);
    }
  }
  return forms;
}

}  // namespace tamis::tools
