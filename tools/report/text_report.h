// The sections of a report, as text for people and as JSON for programs.

#ifndef TAMIS_TOOLS_REPORT_TEXT_REPORT_H_
#define TAMIS_TOOLS_REPORT_TEXT_REPORT_H_

#include <nlohmann/json.hpp>
#include <ostream>
#include <span>

#include "tools/report/findings.h"

namespace tamis::tools {

// "0.5x to 2x (ours)"
std::string ToText(const Limit& limit);
// The words and, in parentheses, their place.
std::string ToText(const Said& said);

// Prints the tables, the claims with both numbers, and the notes.
void PrintSection(const Section& section, std::ostream& out);

// Prints how many claims hold, and the names of those that differ.
void PrintSummary(std::span<const Section> sections, std::ostream& out);

// [{"name", "source", "title", "tables": [{"title", "columns", "rows"}],
//   "charts": [{"title", "x_label", "y_label", "log_x", "log_y",
//               "series": [{"name", "points": [[x, y, low, high], ...]}]}],
//   "claims": [{"text", "paper", "place", "ours", "limit", "limit_from",
//               "holds"}], "notes": [...]}]
nlohmann::ordered_json SectionsAsJson(std::span<const Section> sections);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_TEXT_REPORT_H_
