#include "tools/compare/forms.h"

#include "tamis/kind.h"
#include "tools/common/parse.h"

namespace tamis::tools {
namespace {

constexpr std::string_view kCached[] = {
    "cached(rsqf):policy=lru",           "cached(rsqf):policy=topk",
    "cached(cuckoo:k=4,b=1):policy=lru", "cached(cuckoo:k=4,b=1):policy=topk",
    "cached(bloom):policy=lru",          "cached(bloom):policy=topk"};

}  // namespace

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
  forms.insert(forms.end(), std::begin(kCached), std::end(kCached));
  return forms;
}

}  // namespace tamis::tools
