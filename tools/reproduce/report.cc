#include "tools/reproduce/report.h"

#include <fmt/format.h>

#include <string>

#include "tools/common/text_table.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

void PrintTable(const ResultTable& table, std::ostream& out) {
  out << table.title << '\n';
  TextTable{table.columns, table.rows}.PrintAligned(out);
  out << '\n';
}

void PrintClaim(const Claim& claim, std::ostream& out) {
  out << fmt::format("  {}  {}\n           paper: {}\n           ours:  {}\n",
                     claim.holds ? "holds  " : "differs", claim.text,
                     claim.paper, claim.ours);
}

Json TableAsJson(const ResultTable& table) {
  return {
      {"title", table.title}, {"columns", table.columns}, {"rows", table.rows}};
}

Json ClaimAsJson(const Claim& claim) {
  return {{"text", claim.text},
          {"paper", claim.paper},
          {"ours", claim.ours},
          {"holds", claim.holds}};
}

Json ExperimentAsJson(const FinishedExperiment& finished) {
  Json tables = Json::array();
  for (const ResultTable& table : finished.result.tables) {
    tables.push_back(TableAsJson(table));
  }
  Json claims = Json::array();
  for (const Claim& claim : finished.result.claims) {
    claims.push_back(ClaimAsJson(claim));
  }
  return {{"name", finished.experiment->name},
          {"source", finished.experiment->source},
          {"title", finished.experiment->title},
          {"tables", tables},
          {"claims", claims},
          {"notes", finished.result.notes}};
}

}  // namespace

void PrintReport(const FinishedExperiment& finished, std::ostream& out) {
  const auto& [experiment, result] = finished;
  out << fmt::format("{}: {} ({})\n\n", experiment->name, experiment->title,
                     experiment->source);
  for (const ResultTable& table : result.tables) PrintTable(table, out);
  for (const Claim& claim : result.claims) PrintClaim(claim, out);
  for (const std::string& note : result.notes)
    out << "  note: " << note << '\n';
  out << '\n';
}

void PrintSummary(std::span<const FinishedExperiment> finished,
                  std::ostream& out) {
  size_t claims = 0;
  std::vector<std::string> differing;
  for (const auto& [experiment, result] : finished) {
    for (const Claim& claim : result.claims) {
      ++claims;
      if (claim.holds) continue;
      differing.push_back(fmt::format("{}: {}", experiment->name, claim.text));
    }
  }
  out << fmt::format("{} experiments: {} of {} claims hold\n", finished.size(),
                     claims - differing.size(), claims);
  for (const std::string& one : differing) out << "  differs: " << one << '\n';
}

Json ReportAsJson(std::span<const FinishedExperiment> finished) {
  Json all = Json::array();
  for (const FinishedExperiment& one : finished) {
    all.push_back(ExperimentAsJson(one));
  }
  return all;
}

}  // namespace tamis::tools
