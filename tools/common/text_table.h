// TextTable: rows of text in aligned columns, or as CSV.
//
//   filter    workload  ns/op        numbers to the right, words to the left;
//   rsqf:r=8  query0    14.52        two spaces between columns

#ifndef TAMIS_TOOLS_COMMON_TEXT_TABLE_H_
#define TAMIS_TOOLS_COMMON_TEXT_TABLE_H_

#include <ostream>
#include <string>
#include <vector>

namespace tamis::tools {

struct TextTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  // A column is aligned to the right if all its cells are numbers (or "-").  A
  // row of a single cell is a line of its own, which no column has to be as
  // wide as.
  void PrintAligned(std::ostream& out) const;
  // Fields with a comma, a quote or a line break are quoted as in RFC 4180.
  void PrintCsv(std::ostream& out) const;
};

// True if a cell is a number, perhaps with " %" or "x" behind it, or "-".
bool LooksNumeric(const std::string& cell);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_TEXT_TABLE_H_
