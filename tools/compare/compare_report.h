// A comparison as the tables, charts and notes of a report, and as JSON.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/compare/compare.h"
#include "tools/compare/recommend.h"
#include "tools/compare/sweep.h"
#include "tools/report/findings.h"

namespace tamis::tools {

// One row for each filter, the lowest rate first; those that do not fit at the
// end, with the reason in the last column.
ResultTable WholeTable(const Comparison& comparison);

// The filters that took part, in the columns that decide.
ResultTable ShortTable(const Comparison& comparison);

// "needs 17.51 bits a key at least", rounded up, or another reason.
std::string WhyUnfit(const UnfitFilter& filter);

// The rates along the stream, in so many stretches of it.
// REQUIRES: !comparison.filters.empty()
ResultTable StreamTable(const Comparison& comparison, size_t stretches);

// What was asked, and what to beware of when the rates are read.
std::vector<std::string> NotesOnInput(const Comparison& comparison);

// "means over 3 seeds of the hashes", or what one seed calls for.
std::string NoteOnSeeds(const Comparison& comparison);

// The sections of the report: what was asked, wasted reads by family and along
// the stream; sizes, if there were several; then all filters, those that do not
// fit and how it was measured.  `source` describes the keys and queries.
std::vector<Section> SectionsOf(const Comparison& comparison,
                                const Recommendation& recommendation,
                                const std::vector<SweepPoint>& sweep,
                                const std::string& source);

// {"budget": {...}, "notes": [...], "filters": [...], "does_not_fit": [...],
//  "grown": [...], "recommendation": {"filter", "reads", ..., "words"}}
nlohmann::ordered_json AsJson(const Comparison& comparison,
                              const Recommendation& recommendation);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_REPORT_H_
