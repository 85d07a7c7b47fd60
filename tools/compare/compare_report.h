// A comparison as the sections of a report.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_

#include <string>
#include <vector>

#include "tools/compare/compare.h"
#include "tools/compare/recommend.h"
#include "tools/compare/sweep.h"
#include "tools/report/findings.h"

namespace tamis::tools {

// What was asked, wasted reads by family and along the stream; sizes, if there
// were several; then all filters, those that do not fit and how it was measured.
// `source` describes the keys and queries.
std::vector<Section> SectionsOf(const Comparison& comparison,
                                const Recommendation& recommendation,
                                const std::vector<SweepPoint>& sweep,
                                const std::string& source);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_
