#include "tools/compare/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/common/text_table.h"
#include "tools/compare/compare_report.h"

namespace tamis::tools {
namespace {

constexpr size_t kColumns = 100;
constexpr size_t kNameColumns = 33;  // a longer name has a line of its own
constexpr size_t kStretches = 5;     // of the stream

// Prints a list's item, its lines broken.
void PrintItem(std::string_view text, std::ostream& out) {
  constexpr size_t kWidth = kColumns - 2;
  const char* indent = "- ";
  while (text.size() > kWidth) {
    size_t end = text.rfind(' ', kWidth);
    if (end == std::string_view::npos) end = kWidth;
    out << indent << text.substr(0, end) << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    indent = "  ";
  }
  out << indent << text << '\n';
}

void PrintList(const char* title, const std::vector<std::string>& items,
               std::ostream& out) {
  if (items.empty()) return;
  out << title << '\n';
  for (const std::string& one : items) PrintItem(one, out);
  out << '\n';
}

// Prints rows that begin with a name.
void PrintNamed(ResultTable table, std::ostream& out) {
  TextTable text{std::move(table.columns), {}};
  for (auto& row : table.rows) {
    if (row.front().size() > kNameColumns) {
      text.rows.push_back({std::exchange(row.front(), "")});
    }
    text.rows.push_back(std::move(row));
  }
  text.PrintAligned(out);
  out << '\n';
}

std::vector<std::string> UnfitItems(const Comparison& comparison) {
  std::vector<std::string> items;
  for (const UnfitFilter& one : comparison.unfit) {
    items.push_back(one.wanted.ToString() + ": " + WhyUnfit(one));
  }
  return items;
}

std::vector<std::string> Notes(const Comparison& comparison) {
  std::vector<std::string> notes = NotesOnInput(comparison);
  const bool spread = comparison.seeds > 1;
  notes.push_back(
      NoteOnSeeds(comparison) +
      (spread ? "; +/- is half of what lies between the lowest and the highest "
                "rate"
              : "") +
      "; first and repeated count mistakes");
  notes.emplace_back(
      "resets, rebuilds, slow accesses and memory beside the filter are in the "
      "report (--out), --csv and --json");
  return notes;
}

}  // namespace

void PrintComparison(const Comparison& comparison,
                     const Recommendation& recommendation,
                     const std::string& source, std::ostream& out) {
  out << fmt::format("Filters at {} bits a key: {}\n\n",
                     comparison.budget.bits_per_key, source);
  if (!comparison.filters.empty()) {
    PrintNamed(ShortTable(comparison), out);
    out << "FPR in % along the stream, up to this share of it\n";
    PrintNamed(StreamTable(comparison, kStretches), out);
  }
  PrintList("Does not fit", UnfitItems(comparison), out);
  PrintList("Notes", Notes(comparison), out);
  PrintList("Recommendation", recommendation.words, out);
}

}  // namespace tamis::tools
