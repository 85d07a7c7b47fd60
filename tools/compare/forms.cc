#include "tools/compare/forms.h"

#include <array>

namespace tamis::tools {
namespace {

constexpr double kQuotient = 0.95;
constexpr double kCuckoo = 0.955;

}  // namespace

std::span<const FilterForm> AllForms() {
  static constexpr auto kAll = std::to_array<FilterForm>({
      {"rsqf", "r", kQuotient},
      {"taf", "r", kQuotient},
      {"taf:overflow=evict", "r", kQuotient},
      {"exaf", "r", kQuotient},
      {"exaf:overflow=evict", "r", kQuotient},
      {"utaf", "r", kQuotient},
      {"cuckoo", "f", kCuckoo},
      {"cuckoo:k=4,b=1", "f", kCuckoo},
      {"vacuum", "f", kCuckoo},
      {"cyclic:s=1", "f", kCuckoo},
      {"cyclic:s=2", "f", kCuckoo},
      {"cyclic:s=3", "f", kCuckoo},
      {"swapping", "f", kCuckoo},
      {"cuckooing", "f", kCuckoo},
      {"bloom", "bits"},
      {"bloom1:w=64", "bits"},
      {"bloom1:w=512", "bits"},
      {"bloomj:j=2", "bits"},
      {"blocked", "bits"},
      {"abf:sets=2", "bits"},
      {"abf:sets=4", "bits"},
      {"abf:sets=8", "bits"},
      {"abf:w=512,sets=4", "bits"},
      {"abf-counting:sets=4", "bits"},
      {"abfj:j=2,sets=4", "bits"},
      {"abfbits:sets=4", "bits"},
      {"sacrifice:threshold=0.95", "f", kQuotient},
      {"chain-linear:threshold=0.95", "f", kQuotient},
      {"chain:threshold=0.95", "f", kQuotient},
      {"chain-growing:threshold=0.95", "f", kQuotient},
      {"infini:threshold=0.95", "f", kQuotient},
      {"infini-growing:threshold=0.95", "f", kQuotient},
      {"cached(rsqf):policy=lru", ""},
      {"cached(rsqf):policy=topk", ""},
      {"cached(cuckoo:k=4,b=1):policy=lru", ""},
      {"cached(cuckoo:k=4,b=1):policy=topk", ""},
      {"cached(bloom):policy=lru", ""},
      {"cached(bloom):policy=topk", ""},
  });
  return kAll;
}

}  // namespace tamis::tools
