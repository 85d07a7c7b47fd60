// A comparison as JSON.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_JSON_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_JSON_H_

#include <nlohmann/json.hpp>

#include "tools/compare/compare.h"
#include "tools/compare/recommend.h"

namespace tamis::tools {

// {"budget": {...}, "notes": [...], "filters": [...], "does_not_fit": [...],
//  "grown": [...], "recommendation": {"filter", "reads", ..., "words"}}
nlohmann::ordered_json AsJson(const Comparison& comparison,
                              const Recommendation& recommendation);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_JSON_H_
