// A comparison as the tables, charts and notes of a report, and as JSON.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/compare/compare.h"
#include "tools/compare/recommend.h"
#include "tools/report/findings.h"

namespace tamis::tools {

// One row for each filter that took part, the lowest rate first.
ResultTable FilterTable(const Comparison& comparison);

// The sections of the report: FilterTable with those that do not fit and how it
// was measured; then the rates along the stream.  `source` describes the keys
// and queries.
std::vector<Section> SectionsOf(const Comparison& comparison,
                                const std::string& source);

// {"budget": {...}, "filters": [...], "does_not_fit": [...],
//  "recommendation": {"filter", "words"}}
nlohmann::ordered_json AsJson(const Comparison& comparison,
                              const Recommendation& recommendation);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_
