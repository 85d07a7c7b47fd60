// A comparison as the tables, charts and notes of a report, and as JSON.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "tools/compare/compare.h"
#include "tools/compare/recommend.h"
#include "tools/report/findings.h"

namespace tamis::tools {

// One row for each filter that took part, the lowest rate first.
ResultTable FilterTable(const Comparison& comparison);

// FilterTable, those that do not fit, the rates along the stream as a table
// and as a chart, and how it was measured.
Findings FindingsOf(const Comparison& comparison);

// {"budget": {...}, "filters": [...], "does_not_fit": [...],
//  "recommendation": {"filter", "words"}}
nlohmann::ordered_json AsJson(const Comparison& comparison,
                              const Recommendation& recommendation);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_
