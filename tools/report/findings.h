// Findings: what a measurement found, as data for every kind of report.
//
// Whoever measures (an experiment, a comparison) fills these in and neither
// prints nor formats; text, JSON, CSV, plots and the web page are all made
// from them by the functions of this folder.
//
//   Findings -- tables  rows of figures, for reading and for CSV files
//            |- charts  series of points, for plots
//            |- bars    one bar for each of a few things
//            |- claims  what was expected, beside what was measured
//            `- notes   parameters fixed beforehand, caveats
//
//   Section = Findings + a name, a title and where the question comes from

#ifndef TAMIS_TOOLS_REPORT_FINDINGS_H_
#define TAMIS_TOOLS_REPORT_FINDINGS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tamis::tools {

struct ResultTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // numbers formatted plainly
  std::optional<size_t> marked_row = {};       // the one to look at
};

struct ChartPoint {
  double x = 0;
  double y = 0;
  double low = 0;  // the spread over repeated runs; low == high: none
  double high = 0;
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  // by rising x
  // Of numbers that a paper gives: the series that they are to be seen beside.
  // They are points without a line, in its colour.
  std::string said_of = {};
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;  // 0 has a place of its own; less is left out
  std::vector<ChartSeries> series;
  // Whether a few lines have their names beside them, and the first one is the
  // one to look at; else there is a legend, and gnuplot draws it.
  bool labelled = false;
};

// A bar of two parts, and the range of repeated runs.
struct Bar {
  std::string name;
  std::string group;  // what it is the best of; in small letters
  double first = 0;   // the parts
  double second = 0;
  double low = 0;  // low == high: no range
  double high = 0;
  std::string label;    // the sum, as people write it
  bool marked = false;  // the one to look at
};

struct BarChart {
  std::string title;
  std::string first;  // what the parts are
  std::string second;
  std::vector<Bar> bars;  // the shortest first
  // Bars of more than so many times the marked one's length are cut.
  double most = 0;
};

// What a paper says, in its own words or numbers, and where; empty: nothing.
struct Said {
  std::string words;
  std::string place = {};  // "6.1", "Table II"
};

// What the measured number must keep, and who says so.
struct Limit {
  enum class From {
    kPaper,       // the paper's own number or range
    kStatistics,  // so many standard deviations of a formula
    kOurs,        // a word such as "similar", which we made into a number
  };
  std::string text;
  From from = From::kOurs;
};
std::string_view ToText(Limit::From from);

struct Claim {
  std::string text;  // what is judged
  Said paper;
  std::string ours;  // what was measured
  Limit limit;
  bool holds = false;
};

struct Findings {
  std::vector<ResultTable> tables;
  std::vector<Chart> charts;
  std::vector<Claim> claims;
  std::vector<std::string> notes;  // parameters fixed beforehand, caveats
  std::string scope = {};          // what was run, after the title: "A/S = 5"
  std::vector<BarChart> bars = {};
};

struct Section {
  std::string name;    // "bloom-table-2"; also the stem of its files' names
  std::string source;  // "ABF paper, Table II"
  std::string title;   // one line
  Findings findings;
};

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_FINDINGS_H_
