#include "tools/report/equal_series.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tamis::tools {
namespace {

constexpr std::string_view kJoint = " and ";
constexpr size_t kMostLines = 2;

size_t JointsIn(std::string_view rest) {
  size_t count = 0;
  for (size_t at = rest.find(kJoint); at != std::string_view::npos;
       at = rest.find(kJoint, at + 1)) {
    ++count;
  }
  return count;
}

bool AreEqual(const ChartPoint& a, const ChartPoint& b) {
  return a.x == b.x && a.y == b.y && a.low == b.low && a.high == b.high;
}

bool HaveEqualPoints(const ChartSeries& a, const ChartSeries& b) {
  return a.said_of == b.said_of &&
         std::equal(a.points.begin(), a.points.end(), b.points.begin(),
                    b.points.end(), AreEqual);
}

}  // namespace

size_t AddOrMerge(ChartSeries series, std::vector<ChartSeries>& all) {
  const auto twin = std::find_if(
      all.begin(), all.end(),
      [&](const ChartSeries& one) { return HaveEqualPoints(one, series); });
  const auto number = static_cast<size_t>(twin - all.begin());
  if (twin == all.end()) {
    all.push_back(std::move(series));
  } else {
    twin->name.append(kJoint).append(series.name);
  }
  return number;
}

Chart WithEqualSeriesMerged(Chart chart) {
  const std::vector<ChartSeries> all = std::exchange(chart.series, {});
  for (const ChartSeries& one : all) AddOrMerge(one, chart.series);
  return chart;
}

std::vector<std::string> LegendLines(const std::string& name, size_t width) {
  std::vector<std::string> lines = {""};
  size_t begin = 0;
  while (begin < name.size()) {
    const size_t end = std::min(name.find(kJoint, begin + 1), name.size());
    const bool full = lines.back().size() + end - begin > width;
    if (full && lines.size() == kMostLines) break;
    if (full && begin > 0) {
      lines.push_back(name.substr(begin + 1, end - begin - 1));
    } else {
      lines.back() += name.substr(begin, end - begin);
    }
    begin = end;
  }
  const size_t left = JointsIn(std::string_view(name).substr(begin));
  if (left > 0) lines.back() += " and " + std::to_string(left) + " more";
  return lines;
}

}  // namespace tamis::tools
