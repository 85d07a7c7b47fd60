// A report for reading: a folder with a web page, plots and figures.
//
//   DIR/index.html       everything on one page that needs nothing beside it
//   DIR/NAME-T.csv       table T of section NAME, T = 1, 2, ...
//   DIR/NAME-C.svg       chart C of section NAME, C = 1, 2, ...
//   DIR/report.json      the sections as data
//
// Writing again into the same folder replaces what is there, file by file:
// whoever reads meanwhile sees whole files.  Tables and plots that the report
// there had, by its report.json, and the new one has not are removed; nothing
// else is.  Plots with a legend are drawn by gnuplot; without it the report has
// its tables and says so.

#ifndef TAMIS_TOOLS_REPORT_WRITE_REPORT_H_
#define TAMIS_TOOLS_REPORT_WRITE_REPORT_H_

#include <span>
#include <string>
#include <vector>

#include "tamis/status.h"
#include "tools/report/findings.h"

namespace tamis::tools {

// A figure in large letters, and what it is.
struct Tile {
  std::string figure;
  std::string meaning;
};

// What a page goes back to.
struct Citation {
  std::string text;  // authors, title, where and when
  std::string doi = {};
};

struct ReportHead {
  std::string title;    // of the page: the answer, where there is one
  std::string summary;  // a paragraph: what was asked, what came out
  std::string command;  // the command line that makes this report again
  std::vector<std::string> points = {};  // what else came out
  std::string kicker = {};               // above the title: the question
  std::vector<Tile> tiles = {};
  std::string build = {};       // a command to copy
  ResultTable conditions = {};  // when something else is right
  std::vector<Citation> sources = {};
};

// Makes the folder if it is missing; says why if no report can be written into
// it.  For commands that work for long before they write.
Status PrepareReportFolder(const std::string& dir);

// Writes the report into `dir`, which is made if it is missing.
Status WriteReport(const ReportHead& head, std::span<const Section> sections,
                   const std::string& dir);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_WRITE_REPORT_H_
