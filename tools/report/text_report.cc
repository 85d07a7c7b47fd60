#include "tools/report/text_report.h"

#include <fmt/format.h>

#include <string>

#include "tools/common/counted.h"
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
  out << fmt::format("  {}  {}\n", claim.holds ? "holds  " : "differs",
                     claim.text);
  if (!claim.paper.words.empty()) {
    out << fmt::format("           paper: {}\n", ToText(claim.paper));
  }
  out << fmt::format("           ours:  {}\n           limit: {}\n", claim.ours,
                     ToText(claim.limit));
}

Json TableAsJson(const ResultTable& table) {
  return {
      {"title", table.title}, {"columns", table.columns}, {"rows", table.rows}};
}

Json SeriesAsJson(const ChartSeries& series) {
  Json points = Json::array();
  for (const ChartPoint& point : series.points) {
    points.push_back({point.x, point.y, point.low, point.high});
  }
  Json json = {{"name", series.name}, {"points", points}};
  if (!series.said_of.empty()) json["said_of"] = series.said_of;
  return json;
}

Json ChartAsJson(const Chart& chart) {
  Json series = Json::array();
  for (const ChartSeries& one : chart.series) {
    series.push_back(SeriesAsJson(one));
  }
  return {{"title", chart.title},     {"x_label", chart.x_label},
          {"y_label", chart.y_label}, {"log_x", chart.log_x},
          {"log_y", chart.log_y},     {"series", series}};
}

Json BarsAsJson(const BarChart& chart) {
  Json bars = Json::array();
  for (const Bar& bar : chart.bars) {
    bars.push_back({{"name", bar.name},
                    {"group", bar.group},
                    {"first", bar.first},
                    {"second", bar.second},
                    {"low", bar.low},
                    {"high", bar.high},
                    {"marked", bar.marked}});
  }
  return {{"title", chart.title},
          {"first", chart.first},
          {"second", chart.second},
          {"bars", bars}};
}

Json ClaimAsJson(const Claim& claim) {
  return {
      {"text", claim.text},         {"paper", claim.paper.words},
      {"place", claim.paper.place}, {"ours", claim.ours},
      {"limit", claim.limit.text},  {"limit_from", ToText(claim.limit.from)},
      {"holds", claim.holds}};
}

Json SectionAsJson(const Section& section) {
  Json tables = Json::array();
  for (const ResultTable& table : section.findings.tables) {
    tables.push_back(TableAsJson(table));
  }
  Json charts = Json::array();
  for (const Chart& chart : section.findings.charts) {
    charts.push_back(ChartAsJson(chart));
  }
  Json bars = Json::array();
  for (const BarChart& chart : section.findings.bars) {
    bars.push_back(BarsAsJson(chart));
  }
  Json claims = Json::array();
  for (const Claim& claim : section.findings.claims) {
    claims.push_back(ClaimAsJson(claim));
  }
  return {{"name", section.name},   {"source", section.source},
          {"title", section.title}, {"tables", tables},
          {"charts", charts},       {"bars", bars},
          {"claims", claims},       {"notes", section.findings.notes}};
}

}  // namespace

std::string_view ToText(Limit::From from) {
  switch (from) {
    case Limit::From::kPaper:
      return "the paper's";
    case Limit::From::kStatistics:
      return "statistical";
    case Limit::From::kOurs:
      break;
  }
  return "ours";
}

std::string ToText(const Limit& limit) {
  return fmt::format("{} ({})", limit.text, ToText(limit.from));
}

std::string ToText(const Said& said) {
  return said.place.empty() ? said.words
                            : fmt::format("{} ({})", said.words, said.place);
}

void PrintSection(const Section& section, std::ostream& out) {
  const auto& [name, source, title, findings] = section;
  out << fmt::format("{}: {} ({})\n\n", name, title, source);
  for (const ResultTable& table : findings.tables) PrintTable(table, out);
  for (const Claim& claim : findings.claims) PrintClaim(claim, out);
  for (const std::string& note : findings.notes) {
    out << "  note: " << note << '\n';
  }
  out << '\n';
}

void PrintSummary(std::span<const Section> sections, std::ostream& out) {
  size_t claims = 0;
  std::vector<std::string> differing;
  for (const Section& section : sections) {
    for (const Claim& claim : section.findings.claims) {
      ++claims;
      if (claim.holds) continue;
      differing.push_back(fmt::format("{}: {}", section.name, claim.text));
    }
  }
  out << fmt::format("{}: {} of {} claims hold\n",
                     Counted(sections.size(), "experiment"),
                     claims - differing.size(), claims);
  for (const std::string& one : differing) out << "  differs: " << one << '\n';
}

Json SectionsAsJson(std::span<const Section> sections) {
  Json all = Json::array();
  for (const Section& section : sections) all.push_back(SectionAsJson(section));
  return all;
}

}  // namespace tamis::tools
