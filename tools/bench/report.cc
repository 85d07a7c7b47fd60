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

std::vector<std::string> ForPeople(const BenchRow& row) {
  return {row.filter,
          std::string(ToString(row.workload)),
          SlotsCell(row.slots),
          fmt::format("{:.3g}", row.load),
          Cell(row.ns_per_op, "{:.2f}"),
          Cell(row.spread, "{:.2f}"),
          Cell(row.fpr, "{:.3g}"),
          Cell(row.expected_fpr, "{:.3g}"),
          Cell(row.bits_per_key, "{:.2f}"),
          Cell(row.limit_ns, "{:.2f}"),
          Cell(row.TimesLimit(), "{:.2f}")};
}

std::vector<std::string> ForPrograms(const BenchRow& row) {
  return {row.filter,
          std::string(ToString(row.workload)),
          std::to_string(row.slots),
          fmt::format("{}", row.load),
          Cell(row.ns_per_op, "{}"),
          Cell(row.spread, "{}"),
          Cell(row.fpr, "{}"),
          Cell(row.expected_fpr, "{}"),
          Cell(row.bits_per_key, "{}"),
          Cell(row.limit_ns, "{}"),
          Cell(row.TimesLimit(), "{}")};
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
  for (const BenchRow& row : report.rows) table.rows.push_back(ForPeople(row));
  table.PrintAligned(out);
}

void PrintCsv(const BenchReport& report, std::ostream& out) {
  TextTable table{
      {"filter", "workload", "slots", "load", "ns_per_op", "spread", "fpr",
       "expected_fpr", "bits_per_key", "limit_ns", "x_limit"},
      {}};
  for (const BenchRow& row : report.rows) {
    table.rows.push_back(ForPrograms(row));
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
