// The report as one web page that needs nothing beside it: no fonts, no network;
// style, plots and a few lines of script are inside.

#ifndef TAMIS_TOOLS_REPORT_HTML_PAGE_H_
#define TAMIS_TOOLS_REPORT_HTML_PAGE_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/common/machine.h"
#include "tools/report/findings.h"
#include "tools/report/write_report.h"

namespace tamis::tools {

// Everything that a page shows beside the sections themselves.
struct PageParts {
  ReportHead head;
  MachineFacts machine;
  std::string date;
  std::vector<std::string> drawings;  // an <svg> per chart, in order, or empty
  std::string no_drawings;            // why there are none; empty if there are
};

// REQUIRES: parts.drawings has one for each chart of the sections
std::string HtmlPage(const PageParts& parts, std::span<const Section> sections);

// Returns the text with the five characters that HTML gives a meaning
// replaced: it stands for itself in text and in quoted attributes.
std::string EscapeHtml(std::string_view text);

// The same of a text whose specs may be broken after their commas and colons;
// numbers such as 300,000 may not.
std::string Breakable(std::string_view text);

// The names of a section's files: T and C count from 1.
std::string TableFile(const Section& section, size_t number);
std::string ChartFile(const Section& section, size_t number);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_HTML_PAGE_H_
