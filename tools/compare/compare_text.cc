#include "tools/compare/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/common/text_table.h"
#include "tools/compare/compare_notes.h"
#include "tools/compare/compare_tables.h"
#include "tools/compare/family.h"

namespace tamis::tools {
namespace {

constexpr size_t kLeastColumns = 60;
constexpr size_t kMostColumns = 140;
constexpr size_t kNameColumns = 35;    // a longer name has a line of its own
constexpr size_t kShownStretches = 5;  // of the stream
constexpr std::string_view kWinner = "* ";

class Printer {
 public:
  Printer(const TextStyle& style, std::ostream& out)
      : columns_(std::clamp(style.columns, kLeastColumns, kMostColumns)),
        colour_(style.colour),
        out_(out) {}

  void Line(std::string_view text) { out_ << text << '\n'; }
  void Strong(std::string_view text) {
    out_ << (colour_ ? "\x1b[1m" : "") << text << (colour_ ? "\x1b[0m" : "")
         << '\n';
  }
  // Prints a list; its first item is strong.
  void List(std::string_view title, const std::vector<std::string>& items,
            bool strong = false) {
    if (items.empty()) return;
    Strong(title);
    for (const std::string& one : items) {
      Item(one, strong && &one == &items.front());
    }
    out_ << '\n';
  }
  // Prints rows that begin with a name; that of the winner is coloured.
  void Named(ResultTable table) {
    TextTable text{std::move(table.columns), {}};
    for (auto& row : table.rows) {
      if (row.front().size() > kNameColumns) {
        const bool won = row.front().starts_with(kWinner);
        text.rows.push_back({std::exchange(row.front(), won ? "*" : "")});
      }
      text.rows.push_back(std::move(row));
    }
    std::ostringstream aligned;
    text.PrintAligned(aligned);
    std::istringstream lines(aligned.str());
    for (std::string line; std::getline(lines, line);) {
      const bool won = colour_ && line.starts_with("*");
      out_ << (won ? "\x1b[1;32m" : "") << line << (won ? "\x1b[0m" : "")
           << '\n';
    }
    out_ << '\n';
  }

 private:
  // Prints an item, its lines broken.
  void Item(std::string_view text, bool strong) {
    const size_t width = columns_ - 2;
    const char* indent = "- ";
    if (strong && colour_) out_ << "\x1b[1m";
    while (text.size() > width) {
      size_t end = text.rfind(' ', width);
      if (end == std::string_view::npos) end = width;
      out_ << indent << text.substr(0, end) << '\n';
      text.remove_prefix(std::min(end + 1, text.size()));
      indent = "  ";
    }
    out_ << indent << text << '\n';
    if (strong && colour_) out_ << "\x1b[0m";
  }

  size_t columns_;
  bool colour_;
  std::ostream& out_;
};

// Puts a mark before the name of the winner, and room before the others'.
void Mark(ResultTable& table, const std::string& winner) {
  for (auto& row : table.rows) {
    row.front().insert(0, row.front() == winner ? kWinner : "  ");
  }
  table.columns.front() = "  " + table.columns.front();
}

// The filters to show: the best of each family, or all of them.
Comparison Shown(const Comparison& comparison, const Recommendation& made,
                 bool all) {
  Comparison shown = comparison;
  if (all) return shown;
  shown.filters.clear();
  for (const Family& family : FamiliesOf(comparison)) {
    const auto winner = std::ranges::find_if(
        family.filters,
        [&](const auto* one) { return one->spec.ToString() == made.filter; });
    shown.filters.push_back(winner == family.filters.end() ? family.best()
                                                           : **winner);
  }
  std::stable_sort(
      shown.filters.begin(), shown.filters.end(),
      [](const auto& a, const auto& b) { return a.MeanFpr() < b.MeanFpr(); });
  return shown;
}

// The least that a filter of each family needs.
std::vector<std::string> UnfitItems(const Comparison& comparison, bool all) {
  std::vector<std::string> items;
  std::vector<std::string> families;
  auto unfit = comparison.unfit;
  std::stable_sort(unfit.begin(), unfit.end(),
                   [](const auto& a, const auto& b) {
                     return a.min_bits_per_key.value_or(1e9) <
                            b.min_bits_per_key.value_or(1e9);
                   });
  for (const UnfitFilter& one : unfit) {
    const std::string family = FamilyOf(one.wanted);
    const bool told = std::ranges::find(families, family) != families.end();
    if (told && !all) continue;
    families.push_back(family);
    items.push_back(one.wanted.ToString() + ": " + WhyUnfit(one));
  }
  return items;
}

std::vector<std::string> Notes(const Comparison& comparison, bool all) {
  std::vector<std::string> notes = NotesOnInput(comparison);
  const bool spread = comparison.seeds > 1;
  notes.push_back(
      NoteOnSeeds(comparison) +
      (spread ? "; +/- is half of what lies between the lowest and the highest "
                "rate"
              : "") +
      "; first and repeated count mistakes, which are wasted reads");
  if (!all) {
    notes.push_back(fmt::format(
        "the best of each family; all {} with --all-rows, --csv, --json and in "
        "the report (--out)",
        comparison.filters.size()));
  }
  return notes;
}

}  // namespace

void PrintComparison(const Comparison& comparison,
                     const Recommendation& recommendation,
                     const std::string& source, const TextStyle& style,
                     std::ostream& out) {
  Printer print(style, out);
  print.Line(fmt::format("Filters at {} bits a key in all, keys in {}: {}\n",
                         comparison.budget.bits_per_key,
                         ToString(comparison.keys_in), source));
  print.List("Recommendation", recommendation.Sentences(), true);
  if (!comparison.filters.empty()) {
    const Comparison shown = Shown(comparison, recommendation, style.all_rows);
    ResultTable table = ShortTable(shown);
    Mark(table, recommendation.filter);
    print.Named(std::move(table));
    print.Strong("FPR in % along the stream, up to this share of it");
    ResultTable stream = StreamTable(shown, kShownStretches);
    Mark(stream, recommendation.filter);
    print.Named(std::move(stream));
  }
  print.List("Does not fit", UnfitItems(comparison, style.all_rows));
  print.List("Notes", Notes(comparison, style.all_rows));
}

void PrintSweep(const std::vector<SweepPoint>& points, size_t chosen,
                const TextStyle& style, std::ostream& out) {
  Printer print(style, out);
  print.Strong(AboutSizes(points, chosen));
  out << '\n';
  ResultTable table = SweepTable(points);
  // The name first, as in the other tables.
  std::swap(table.columns[0], table.columns[1]);
  for (auto& row : table.rows) std::swap(row[0], row[1]);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    table.rows[i][0] =
        std::string(i == chosen ? kWinner : "  ") + table.rows[i][0];
  }
  table.columns[0] = "  " + table.columns[0];
  print.Named(std::move(table));
}

}  // namespace tamis::tools
