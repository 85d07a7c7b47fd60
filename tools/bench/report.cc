#include "tools/bench/report.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "tools/common/text_table.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

// Formats by `format`, or "-" if there is nothing.
std::string Cell(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

// Powers of two read best as such: 2^24.
std::string SlotsCell(uint64_t slots) {
  if (!std::has_single_bit(slots)) return std::to_string(slots);
  return fmt::format("2^{}", std::countr_zero(slots));
}

enum class Reader { kPerson, kProgram };  // one wants few digits, one all

std::vector<std::string> CellsFor(Reader reader, const BenchRow& row) {
  const bool rounded = reader == Reader::kPerson;
  const auto cell = [&](const std::optional<double>& value,
                        const char* format) {
    return Cell(value, rounded ? format : "{}");
  };
  return {row.filter,
          std::string(ToString(row.workload)),
          rounded ? SlotsCell(row.slots) : std::to_string(row.slots),
          cell(row.load, "{:.3g}"),
          cell(row.ns_per_op, "{:.2f}"),
          cell(row.spread, "{:.2f}"),
          cell(row.fpr, "{:.3g}"),
          cell(row.expected_fpr, "{:.3g}"),
          cell(row.bits_per_key, "{:.2f}"),
          cell(row.limit_ns, "{:.2f}"),
          cell(row.TimesLimit(), "{:.2f}")};
}

Json OrNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json RowAsJson(const BenchRow& row) {
  return {{"filter", row.filter},
          {"workload", ToString(row.workload)},
          {"slots", row.slots},
          {"load", row.load},
          {"ns_per_op", OrNull(row.ns_per_op)},
          {"spread", OrNull(row.spread)},
          {"fpr", OrNull(row.fpr)},
          {"expected_fpr", OrNull(row.expected_fpr)},
          {"bits_per_key", OrNull(row.bits_per_key)},
          {"limit_ns", OrNull(row.limit_ns)},
          {"x_limit", OrNull(row.TimesLimit())}};
}

}  // namespace

void PrintTable(const BenchReport& report, std::ostream& out) {
  for (const auto& [name, value] : report.machine) {
    out << fmt::format("# {}: {}\n", name, value);
  }
  for (const std::string& note : report.notes) out << "# " << note << '\n';
  TextTable table{{"filter", "workload", "slots", "load", "ns/op", "spread",
                   "FPR", "expected", "bits/key", "limit_ns", "x limit"},
                  {}};
  for (const BenchRow& row : report.rows) {
    table.rows.push_back(CellsFor(Reader::kPerson, row));
  }
  table.PrintAligned(out);
}

void PrintCsv(const BenchReport& report, std::ostream& out) {
  TextTable table{
      {"filter", "workload", "slots", "load", "ns_per_op", "spread", "fpr",
       "expected_fpr", "bits_per_key", "limit_ns", "x_limit"},
      {}};
  for (const BenchRow& row : report.rows) {
    table.rows.push_back(CellsFor(Reader::kProgram, row));
  }
  table.PrintCsv(out);
}

Json AsJson(const BenchReport& report) {
  Json machine = Json::object();
  for (const auto& [name, value] : report.machine) machine[name] = value;
  Json rows = Json::array();
  for (const BenchRow& row : report.rows) rows.push_back(RowAsJson(row));
  return {{"machine", machine}, {"rows", rows}, {"notes", report.notes}};
}

}  // namespace tamis::tools
