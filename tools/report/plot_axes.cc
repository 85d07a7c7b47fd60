#include "tools/report/plot_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace tamis::tools {
namespace {

constexpr double kMostSteps = 7;      // between labels of a linear axis
constexpr double kMostPowers = 8;     // labels of a log axis
constexpr double kManyDecades = 2.5;  // powers of ten are labels enough

bool OnAxis(double value, bool log) {
  return std::isfinite(value) && (!log || value > 0);
}

// To within 2 %: a table of 0.8 times 2^k slots holds whole keys.
bool IsPowerOfTwo(double value) {
  const double exponent = std::log2(value);
  return std::abs(exponent - std::round(exponent)) < 0.03;
}

bool MostAreDoublings(const Chart& chart, double lowest) {
  size_t points = 0;
  size_t doublings = 0;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      if (!PlotAxes::Has(chart, point)) continue;
      ++points;
      doublings += IsPowerOfTwo(point.x / lowest) ? 1 : 0;
    }
  }
  return 2 * doublings > points;
}

// "'20k' 20000": a label and its place.  The highest number of the axis decides
// whether thousands are written out.
std::string Label(double value, double highest) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr auto kUnits =
      std::to_array<Unit>({{1e9, "G"}, {1e6, "M"}, {1e3, "k"}});
  constexpr double kLarge = 1e4;
  for (const auto& [size, name] : kUnits) {
    if (highest < kLarge || value < size) continue;
    return fmt::format("'{:.10g}{}' {}", value / size, name, value);
  }
  return fmt::format("'{:.10g}' {}", value, value);
}

std::string Listed(const std::vector<double>& values) {
  std::string labels;
  for (const double value : values) {
    labels += (labels.empty() ? "" : ", ") + Label(value, values.back());
  }
  return labels;
}

// Multiples of the roundest step that makes few enough.
std::string Multiples(Range range) {
  const double least = (range.high - range.low) / kMostSteps;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  double step = 10 * power;
  for (const double digit : {5.0, 2.0, 1.0}) {
    if (digit * power >= least) step = digit * power;
  }
  std::vector<double> values;
  for (double i = std::ceil(range.low / step); i * step <= range.high; ++i) {
    values.push_back(i * step);
  }
  return Listed(values);
}

std::vector<double> RoundNumbers(Range range, std::span<const double> digits) {
  std::vector<double> values;
  const auto first = static_cast<int>(std::floor(std::log10(range.low)));
  const auto last = static_cast<int>(std::ceil(std::log10(range.high)));
  for (int power = first; power <= last; ++power) {
    for (const double digit : digits) {
      const double value = digit * std::pow(10.0, power);
      if (value >= range.low && value <= range.high) values.push_back(value);
    }
  }
  return values;
}

// The roundest numbers of which at least three lie in the range, for log axes
// of few decades, where labels at the powers of ten alone would be too few.  On
// the narrowest ones they are as on a linear axis.
std::string RoundNumbers(Range range) {
  const std::array<double, 3> few = {1, 2, 5};
  const std::array<double, 9> all = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const std::span<const double> digits :
       {std::span<const double>(few), std::span<const double>(all)}) {
    const std::vector<double> values = RoundNumbers(range, digits);
    if (values.size() >= 3) return Listed(values);
  }
  return Multiples(range);
}

// Powers of two or ten, few enough.
std::string Powers(int base, Range range) {
  const double unit = std::log(base);
  const double first = std::ceil(std::log(range.low) / unit);
  const double last = std::floor(std::log(range.high) / unit);
  const double step = std::floor((last - first) / kMostPowers) + 1;
  std::string labels;
  for (double power = first; power <= last; power += step) {
    labels += fmt::format("{}'{}^{{{}}}' {}", labels.empty() ? "" : ", ", base,
                          power, std::pow(base, power));
  }
  return labels;
}

// A little more than the range of a log axis.
Range Widened(Range range) {
  const double decades = std::log10(range.high / range.low);
  const double margin = std::pow(10, 0.04 * std::max(decades, 1.0));
  return {range.low / margin, range.high * margin};
}

std::string LogLabels(Range range, bool doubling) {
  if (doubling && range.high / range.low > 3) return Powers(2, range);
  if (std::log10(range.high / range.low) > kManyDecades) {
    return Powers(10, range);
  }
  return RoundNumbers(range);
}

// `range` is that of the labels; below `low` there is the band for 0.
std::string LogAxis(char axis, Range range, double low,
                    const std::string& labels) {
  return fmt::format(
      "set {0}range [{1}:{2}]\nset logscale {0}\n"
      "set {0}tics enhanced ({3})\n",
      axis, low, range.high, labels);
}

// The height on a log axis that is `share` of the plot above the lower edge, if
// `range` is what lies above the band.
double HeightInPlot(Range range, double share) {
  const double above = std::log(range.high / range.low);
  const double all = above / (1 - PlotAxes::kBandShare);
  return range.high * std::exp(all * (share - 1));
}

}  // namespace

void Range::Add(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

PlotAxes::PlotAxes(const Chart& chart)
    : log_x_(chart.log_x), log_y_(chart.log_y) {
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      if (Has(chart, point)) Cover(chart, point);
    }
  }
  log_y_ = log_y_ && !y_.empty();
  doubling_ = log_x_ && MostAreDoublings(chart, x_.low);
}

bool PlotAxes::Has(const Chart& chart, const ChartPoint& point) {
  return OnAxis(point.x, chart.log_x) && std::isfinite(point.y) &&
         (!chart.log_y || point.y >= 0);
}

void PlotAxes::Cover(const Chart& chart, const ChartPoint& point) {
  x_.Add(point.x);
  const bool spread = point.low < point.high;
  for (const double y :
       {point.y, spread ? point.low : point.y, spread ? point.high : point.y}) {
    if (OnAxis(y, chart.log_y)) y_.Add(y);
    zeros_ |= y == 0;
  }
}

double PlotAxes::PlaceOfY(double y) const {
  if (!log_y_ || y > 0) return y;
  return zeros_ ? HeightInPlot(Widened(y_), kBandShare / 2) : y_.low;
}

std::string PlotAxes::ScriptOfY() const {
  const Range above = Widened(y_);
  const std::string labels = LogLabels(above, false);
  if (!zeros_) return LogAxis('y', above, above.low, labels);
  return LogAxis('y', above, HeightInPlot(above, 0),
                 fmt::format("'0' {}, {}", PlaceOfY(0), labels));
}

std::string PlotAxes::Script() const {
  std::string script;
  if (log_x_) {
    const Range wider = Widened(x_);
    script += LogAxis('x', wider, wider.low, LogLabels(wider, doubling_));
  } else if (x_.low < x_.high) {
    script += fmt::format("set xtics ({})\n", Multiples(x_));
  }
  if (log_y_) return script + ScriptOfY();
  const bool all_zero = y_.empty() || (y_.low == 0 && y_.high == 0);
  return all_zero ? script + "set yrange [0:1]\n" : script;
}

}  // namespace tamis::tools
