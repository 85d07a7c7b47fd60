#include "tools/compare/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tools/common/parse.h"
#include "tools/common/readable.h"
#include "tools/compare/family.h"

namespace tamis::tools {
namespace {

constexpr double kWastedShare = 0.01;  // of the reads that are needed
constexpr size_t kMostSizes = 64;
constexpr size_t kLines = 4;  // of families, beside the front

Result<std::vector<double>> ParseRange(std::string_view text, size_t dots) {
  const size_t colon = std::min(text.find(':', dots), text.size());
  TAMIS_ASSIGN_OR_RETURN(const double from, ParseReal(text.substr(0, dots)));
  TAMIS_ASSIGN_OR_RETURN(const double to,
                         ParseReal(text.substr(dots + 2, colon - dots - 2)));
  double step = 1;
  if (colon < text.size()) {
    TAMIS_ASSIGN_OR_RETURN(step, ParseReal(text.substr(colon + 1)));
  }
  if (!(step > 0) || to < from || (to - from) / step >= kMostSizes) {
    return UsageError("--bits-per-key is '" + std::string(text) +
                      "'; expected a range such as 8..20 or 8..20:2");
  }
  std::vector<double> sizes;
  for (int i = 0; from + i * step <= to * (1 + 1e-9); ++i) {
    sizes.push_back(from + i * step);
  }
  return sizes;
}

// Reads that are needed whatever the filter.
double Needed(const Comparison& comparison) {
  return static_cast<double>(comparison.queries - comparison.negatives);
}

bool IsEnough(const SweepPoint& point) {
  const double needed = std::max(Needed(point.comparison), 1.0);
  return !point.recommendation.filter.empty() &&
         point.recommendation.saved.wasted <= kWastedShare * needed;
}

const ComparedFilter* ChosenOf(const SweepPoint& point) {
  for (const ComparedFilter& one : point.comparison.filters) {
    if (one.spec.ToString() == point.recommendation.filter) return &one;
  }
  return nullptr;
}

ChartPoint PointOf(const ComparedFilter& one) {
  return {.x = one.TotalBitsPerKey(),
          .y = 100 * one.MeanFpr(),
          .low = 100 * one.LowestFpr(),
          .high = 100 * one.HighestFpr()};
}

bool ByBits(const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; }

// Those of the points that no other beats in bits and in rate; one that saves
// next to no bits is beaten by a lower rate.
std::vector<ChartPoint> FrontOf(std::vector<ChartPoint> points) {
  constexpr double kNextToNone = 1.02;
  std::stable_sort(points.begin(), points.end(), ByBits);
  std::vector<ChartPoint> front;
  for (const ChartPoint& one : points) {
    if (!front.empty() && one.y >= front.back().y) continue;
    if (!front.empty() && one.x <= kNextToNone * front.back().x) {
      front.pop_back();
    }
    front.push_back(one);
  }
  return front;
}

}  // namespace

Result<std::vector<double>> ParseBits(std::string_view text) {
  if (const size_t dots = text.find(".."); dots != std::string_view::npos) {
    return ParseRange(text, dots);
  }
  std::vector<double> sizes;
  for (const std::string_view part : Split(text, ',')) {
    TAMIS_ASSIGN_OR_RETURN(const double bits, ParseReal(part));
    sizes.push_back(bits);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (!sizes.empty() && sizes.size() <= kMostSizes) return sizes;
  return UsageError("--bits-per-key is '" + std::string(text) +
                    "'; expected a size, or up to 64 of them");
}

size_t ChooseSize(const std::vector<SweepPoint>& points) {
  const auto enough = std::ranges::find_if(points, IsEnough);
  return enough == points.end() ? points.size() - 1
                                : static_cast<size_t>(enough - points.begin());
}

std::string AboutSizes(const std::vector<SweepPoint>& points, size_t chosen) {
  const SweepPoint& point = points[chosen];
  const auto wasted = [](const SweepPoint& one) {
    return fmt::format("{} at {} bits",
                       ReadableCount(one.recommendation.saved.wasted),
                       one.bits_per_key);
  };
  std::string text = fmt::format(
      "Take {} bits a key: {} of the {} reads that remain are wasted",
      point.bits_per_key, ReadableCount(point.recommendation.saved.wasted),
      ReadableCount(point.recommendation.saved.reads));
  if (!IsEnough(point)) {
    text +=
        ", more than one in a hundred of those that are needed: more bits "
        "would pay";
  }
  std::string others;
  if (chosen > 0) others = wasted(points.front());
  if (chosen + 1 < points.size()) {
    others += (others.empty() ? "" : ", ") + wasted(points.back());
  }
  return text + (others.empty() ? "." : "; " + others + ".");
}

ResultTable SweepTable(const std::vector<SweepPoint>& points) {
  ResultTable table{.title = "How many bits a key",
                    .columns = {"bits a key", "filter", "bits in all", "FPR %",
                                "reads", "wasted"},
                    .rows = {}};
  for (const SweepPoint& point : points) {
    const ComparedFilter* chosen = ChosenOf(point);
    if (chosen == nullptr) {
      table.rows.push_back({fmt::format("{}", point.bits_per_key), "none fits",
                            "-", "-", "-", "-"});
      continue;
    }
    table.rows.push_back(
        {fmt::format("{}", point.bits_per_key), chosen->spec.ToString(),
         fmt::format("{:.2f}", chosen->TotalBitsPerKey()),
         fmt::format("{:.4g}", 100 * chosen->MeanFpr()),
         fmt::format("{:.0f}", point.recommendation.saved.reads),
         fmt::format("{:.0f}", point.recommendation.saved.wasted)});
  }
  return table;
}

Chart ParetoChart(const std::vector<SweepPoint>& points) {
  Chart chart{.title = "What a bit buys: rates over all memory",
              .x_label = "bits a key in all",
              .y_label = "FPR in %",
              .log_x = false,
              .log_y = true,
              .series = {},
              .labelled = true};
  std::vector<std::string>
      names;  // families, the best at the largest size first
  std::map<std::string, std::vector<ChartPoint>> lines;
  std::vector<ChartPoint> all;
  for (auto point = points.rbegin(); point != points.rend(); ++point) {
    for (const Family& family : FamiliesOf(point->comparison)) {
      const ChartPoint best = PointOf(family.best());
      if (!lines.contains(family.name)) names.push_back(family.name);
      lines[family.name].push_back(best);
      all.push_back(best);
    }
  }
  chart.series.push_back({"best of all", FrontOf(std::move(all))});
  for (const std::string& name : names) {
    if (chart.series.size() > kLines) break;
    std::stable_sort(lines[name].begin(), lines[name].end(), ByBits);
    chart.series.push_back({name, lines[name]});
  }
  return chart;
}

}  // namespace tamis::tools
