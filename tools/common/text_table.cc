#include "tools/common/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace tamis::tools {
namespace {

struct Layout {
  size_t width;
  bool to_the_right;
};

Layout LayoutOf(const TextTable& table, size_t column) {
  Layout layout{table.columns[column].size(), true};
  for (const auto& row : table.rows) {
    const bool own_line = row.size() == 1 && table.columns.size() > 1;
    if (own_line || column >= row.size()) continue;
    layout.width = std::max(layout.width, row[column].size());
    layout.to_the_right = layout.to_the_right && LooksNumeric(row[column]);
  }
  return layout;
}

void PrintRow(std::ostream& out, const std::vector<std::string>& cells,
              const std::vector<Layout>& layouts) {
  std::string line;
  for (size_t i = 0; i < std::min(cells.size(), layouts.size()); ++i) {
    const auto [width, to_the_right] = layouts[i];
    if (i > 0) line += "  ";
    line += to_the_right ? fmt::format("{:>{}}", cells[i], width)
                         : fmt::format("{:<{}}", cells[i], width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void PrintCsvRow(std::ostream& out, const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    out << (i == 0 ? "" : ",") << CsvField(cells[i]);
  }
  out << '\n';
}

}  // namespace

bool LooksNumeric(const std::string& cell) {
  return cell.empty() || cell == "-" ||
         cell.find_first_not_of("0123456789.+-e%x ") == std::string::npos;
}

void TextTable::PrintAligned(std::ostream& out) const {
  std::vector<Layout> layouts;
  for (size_t i = 0; i < columns.size(); ++i) {
    layouts.push_back(LayoutOf(*this, i));
  }
  PrintRow(out, columns, layouts);
  for (const auto& row : rows) PrintRow(out, row, layouts);
}

void TextTable::PrintCsv(std::ostream& out) const {
  PrintCsvRow(out, columns);
  for (const auto& row : rows) PrintCsvRow(out, row);
}

}  // namespace tamis::tools
