// The parts of a page whose headline is an answer: figures in large letters, a
// command to copy, conditions, bars; and what little script they need.

#ifndef TAMIS_TOOLS_REPORT_ANSWER_HTML_H_
#define TAMIS_TOOLS_REPORT_ANSWER_HTML_H_

#include <string>

#include "tools/report/findings.h"
#include "tools/report/write_report.h"

namespace tamis::tools {

// Each is empty if the head has nothing of the kind.
std::string TilesOf(const ReportHead& head);
std::string BuildCommandOf(const ReportHead& head);
std::string ConditionsOf(const ReportHead& head);

// Horizontal bars, one a line, of two parts, with the range of repeated runs.
std::string BarsOf(const BarChart& chart);

extern const char* const kAnswerStyle;
// Copies the command, and sorts a table by the column whose head is pressed.
// The page is whole without it.
extern const char* const kPageScript;

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_ANSWER_HTML_H_
