// A comparison as tables.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_TABLES_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_TABLES_H_

#include <string>

#include "tools/compare/compare.h"
#include "tools/report/findings.h"

namespace tamis::tools {

// The filters that took part, in all columns, the lowest rate first.
ResultTable FilterTable(const Comparison& comparison);

// The same, then those that do not fit, with the reason in the last column.
ResultTable WholeTable(const Comparison& comparison);

// The filters that took part, in the columns that decide.
ResultTable ShortTable(const Comparison& comparison);

// Those that do not fit.
ResultTable UnfitTable(const Comparison& comparison);

// The rates along the stream, in so many stretches of it.
// REQUIRES: !comparison.filters.empty()
ResultTable StreamTable(const Comparison& comparison, size_t stretches);

// Leaves out the columns in which all rows have nothing to say.
ResultTable WithoutZeros(ResultTable table);

// Marks the row that begins with this filter.
ResultTable Marked(ResultTable table, const std::string& winner);

// "needs 17.51 bits a key at least", rounded up, or another reason.
std::string WhyUnfit(const UnfitFilter& filter);

// A stretch of the stream under all seeds together; see StreamRun::Stretch.
StreamWindow StretchOf(const ComparedFilter& filter, size_t number,
                       size_t count);
// So many there are at most.
size_t NumWindows(const Comparison& comparison);

// A read of the store for each answer or mistake that needs one.
double ReadsPerQuery(const ComparedFilter& filter);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_TABLES_H_
