// Findings as JSON and back, for pipes between processes and files of what is
// finished.  (The report's JSON, for readers, is another: text_report.h.)

#ifndef TAMIS_LAB_REPRODUCE_FINDINGS_JSON_H_
#define TAMIS_LAB_REPRODUCE_FINDINGS_JSON_H_

#include <nlohmann/json.hpp>

#include "tools/report/findings.h"

namespace tamis::tools {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ResultTable, title, columns, rows)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChartPoint, x, y, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChartSeries, name, points, said_of)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Chart, title, x_label, y_label, log_x, log_y,
                                   series)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Said, words, place)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Limit, text, from)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Claim, text, paper, ours, limit, holds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Findings, tables, charts, claims, notes,
                                   scope)

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_FINDINGS_JSON_H_
