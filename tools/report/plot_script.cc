#include "tools/report/plot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tamis::tools {
namespace {

// A colour on light and on dark backgrounds, 0xRRGGBB.
struct Shade {
  uint32_t light;
  uint32_t dark;
};
constexpr Shade kInk = {0x30363d, 0xd5dae0};
constexpr Shade kFrame = {0x8b949e, 0x6e7681};
constexpr Shade kGrid = {0xe1e5ea, 0x2d333b};
constexpr std::array<Shade, 8> kSeries = {{{0x0072b2, 0x56b4e9},
                                           {0xd55e00, 0xff9d5c},
                                           {0x007f5f, 0x3ccf9f},
                                           {0xb0508a, 0xec9fcb},
                                           {0xa67c00, 0xf0c94a},
                                           {0x4a4a4a, 0xc9ccd1},
                                           {0x3d9bd9, 0x9adcff},
                                           {0x7a4fbf, 0xbda2ff}}};
// Markers of gnuplot's SVG terminal: filled ones first, then their outlines.
constexpr std::array<int, 8> kMarkers = {7, 5, 9, 11, 13, 6, 4, 8};
constexpr std::array<int, 4> kDashes = {1, 2, 4, 5};

constexpr int kWidth = 560;
constexpr int kPlotHeight = 340;  // with its labels
constexpr int kLegendRowHeight = 23;
constexpr int kLeft = 88;    // from here to the plot: labels of y
constexpr int kBottom = 66;  // labels of x
constexpr int kMargin = 16;  // elsewhere

std::string Hex(Shade shade) { return fmt::format("'#{:06x}'", shade.light); }

// A string of gnuplot's that means itself: nothing in it is expanded.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "'";
}

bool OnAxis(double value, bool log) {
  return std::isfinite(value) && (!log || value > 0);
}

bool CanDraw(const Chart& chart, const ChartPoint& point) {
  return OnAxis(point.x, chart.log_x) && OnAxis(point.y, chart.log_y);
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void Add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// What the points of a chart cover.
struct Extent {
  Range x;
  Range y;
  bool doubling = false;  // most x are the lowest, doubled some times
  size_t longest_name = 0;
};

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
      if (!CanDraw(chart, point)) continue;
      ++points;
      doublings += IsPowerOfTwo(point.x / lowest) ? 1 : 0;
    }
  }
  return 2 * doublings > points;
}

Extent ExtentOf(const Chart& chart) {
  Extent extent;
  for (const ChartSeries& series : chart.series) {
    extent.longest_name = std::max(extent.longest_name, series.name.size());
    for (const ChartPoint& point : series.points) {
      if (!CanDraw(chart, point)) continue;
      extent.x.Add(point.x);
      extent.y.Add(point.y);
      if (point.low < point.high) {
        if (OnAxis(point.low, chart.log_y)) extent.y.Add(point.low);
        if (OnAxis(point.high, chart.log_y)) extent.y.Add(point.high);
      }
    }
  }
  extent.doubling = chart.log_x && MostAreDoublings(chart, extent.x.low);
  return extent;
}

// Labels at round numbers, for log axes of few decades, where labels at the
// powers of ten alone would be too few.
std::string RoundNumbers(Range range, std::span<const double> digits) {
  std::string labels;
  const auto first = static_cast<int>(std::floor(std::log10(range.low)));
  const auto last = static_cast<int>(std::ceil(std::log10(range.high)));
  for (int power = first; power <= last; ++power) {
    for (const double digit : digits) {
      const double value = digit * std::pow(10.0, power);
      if (value < range.low || value > range.high) continue;
      labels += fmt::format("{}{:g}", labels.empty() ? "" : ", ", value);
    }
  }
  return labels;
}

// The roundest numbers of which at least three lie in the range.
std::string RoundNumbers(Range range) {
  std::vector<double> fine;
  for (int tenths = 10; tenths < 100; ++tenths) fine.push_back(tenths / 10.0);
  const std::array<double, 3> few = {1, 2, 5};
  const std::array<double, 9> all = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const std::span<const double> digits :
       {std::span<const double>(few), std::span<const double>(all)}) {
    std::string labels = RoundNumbers(range, digits);
    if (std::count(labels.begin(), labels.end(), ',') >= 2) return labels;
  }
  return RoundNumbers(range, fine);
}

// Labels at powers of two, eight or fewer.
std::string PowersOfTwo(Range range) {
  const auto first = static_cast<int>(std::ceil(std::log2(range.low)));
  const auto last = static_cast<int>(std::floor(std::log2(range.high)));
  const int step = (last - first) / 8 + 1;
  std::string labels;
  for (int power = first; power <= last; power += step) {
    labels += fmt::format("{}'2^{{{}}}' {}", labels.empty() ? "" : ", ", power,
                          std::exp2(power));
  }
  return labels;
}

std::string LogAxis(char axis, Range range, bool doubling) {
  const double decades = std::log10(range.high / range.low);
  const double margin = std::pow(10, 0.04 * std::max(decades, 1.0));
  const Range wider = {range.low / margin, range.high * margin};
  std::string script =
      fmt::format("set {}range [{}:{}]\n", axis, wider.low, wider.high);
  const double doublings = std::log2(range.high / range.low);
  if (doubling && doublings > 1.5) {
    script += fmt::format("set logscale {0} 2\nset {0}tics enhanced ({1})\n",
                          axis, PowersOfTwo(wider));
  } else if (decades > 2.5) {
    script += fmt::format(
        "set logscale {0} 10\nset {0}tics enhanced format '10^{{%L}}'\n", axis);
  } else {
    script +=
        fmt::format("set logscale {0} 10\nset {0}tics format '%g' ({1})\n",
                    axis, RoundNumbers(wider));
  }
  return script;
}

// The legend is below the plot, in as many columns as its names leave room for.
int LegendRows(const Chart& chart, const Extent& extent) {
  const int width = 90 + 9 * static_cast<int>(extent.longest_name);
  const int columns = std::clamp(kWidth / width, 1, 4);
  const int count = static_cast<int>(chart.series.size());
  return (count + columns - 1) / columns;
}

std::string Data(const Chart& chart, const ChartSeries& series, size_t number,
                 const Extent& extent) {
  std::string lines = fmt::format("$series{} << END\n", number);
  for (const auto& point : series.points) {
    if (!CanDraw(chart, point)) continue;
    const bool spread = point.low < point.high;
    double low = spread ? point.low : point.y;
    // A bar that leaves a log axis ends at the lowest of the points.
    if (!OnAxis(low, chart.log_y)) low = std::min(point.y, extent.y.low);
    lines += fmt::format("{} {} {} {}\n", point.x, point.y, low,
                         spread ? point.high : point.y);
  }
  return lines + "END\n";
}

bool HasSpread(const ChartSeries& series) {
  return std::any_of(
      series.points.begin(), series.points.end(),
      [](const ChartPoint& point) { return point.low < point.high; });
}

bool HasPoints(const Chart& chart, const ChartSeries& series) {
  return std::any_of(
      series.points.begin(), series.points.end(),
      [&](const ChartPoint& point) { return CanDraw(chart, point); });
}

std::string Curve(const ChartSeries& series, size_t number) {
  const std::string colour = Hex(kSeries[number % kSeries.size()]);
  const size_t lap = number / kSeries.size();
  std::string curve;
  if (HasSpread(series)) {
    curve = fmt::format(
        "$series{} using 1:2:3:4 with yerrorbars lw 1.2 pt -1 lc rgb {} "
        "notitle, ",
        number, colour);
  }
  curve += fmt::format(
      "$series{0} using 1:2 with linespoints lw 2 ps 0.8 lc rgb {1} pt {2} "
      "dt {3} title {4} noenhanced",
      number, colour, kMarkers[(number + lap) % kMarkers.size()],
      kDashes[(number + lap) % kDashes.size()], Quoted(series.name));
  return curve;
}

std::string Frame(const Chart& chart, const Extent& extent) {
  const int legend_rows = LegendRows(chart, extent);
  const int legend_height = kLegendRowHeight * legend_rows;
  const double height = kPlotHeight + legend_height;
  const auto up = [&](double pixels) { return pixels / height; };
  std::string script = fmt::format(
      "reset\n"
      "set encoding utf8\n"
      "set terminal svg size {},{} dynamic enhanced font 'sans-serif,15'\n"
      "set border 3 lw 1 lc rgb {}\n"
      "set grid back lt 1 lw 1 lc rgb {}\n"
      "set pointintervalbox 0\n"
      "set tics nomirror out scale 0.6 textcolor rgb {}\n"
      "set lmargin at screen {}\n"
      "set rmargin at screen {}\n"
      "set bmargin at screen {}\n"
      "set tmargin at screen {}\n"
      "set key at screen 0.5, screen {} center bottom Left reverse vertical "
      "maxrows {} samplen 2.4 noenhanced textcolor rgb {}\n"
      "set xlabel {} offset 0,0.6 noenhanced textcolor rgb {}\n"
      "set label 1 {} at screen {}, graph 0.5 center rotate by 90 noenhanced "
      "textcolor rgb {}\n"
      "set autoscale noextend\n"
      "set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05\n",
      kWidth, height, Hex(kFrame), Hex(kGrid), Hex(kInk),
      static_cast<double>(kLeft) / kWidth,
      1 - static_cast<double>(kMargin) / kWidth, up(kBottom + legend_height),
      1 - up(kMargin), up(6), legend_rows, Hex(kInk), Quoted(chart.x_label),
      Hex(kInk), Quoted(chart.y_label), 12.0 / kWidth, Hex(kInk));
  if (chart.log_x) script += LogAxis('x', extent.x, extent.doubling);
  if (chart.log_y) script += LogAxis('y', extent.y, false);
  return script;
}

// The SVG terminal pads the numbers of lines and markers, not those of text.
std::string DarkRule(Shade shade) {
  const uint32_t red = shade.light >> 16;
  const uint32_t green = shade.light >> 8 & 255;
  const uint32_t blue = shade.light & 255;
  const std::string padded =
      fmt::format("rgb({:3}, {:3}, {:3})", red, green, blue);
  return fmt::format(
      ".plot [stroke='{0}']{{stroke:#{2:06x}}}\n"
      ".plot [color='{0}']{{color:#{2:06x}}}\n"
      ".plot [fill='{1}']{{fill:#{2:06x}}}\n",
      padded, fmt::format("rgb({},{},{})", red, green, blue), shade.dark);
}

}  // namespace

bool CanDraw(const Chart& chart) {
  return std::any_of(
      chart.series.begin(), chart.series.end(),
      [&](const ChartSeries& series) { return HasPoints(chart, series); });
}

std::string PlotScript(const Chart& chart, const std::string& path) {
  assert(CanDraw(chart));
  const Extent extent = ExtentOf(chart);
  std::string script = Frame(chart, extent);
  std::string curves;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    if (!HasPoints(chart, chart.series[i])) continue;
    script += Data(chart, chart.series[i], i, extent);
    curves += (curves.empty() ? "" : ", ") + Curve(chart.series[i], i);
  }
  script += fmt::format("set output {}\nplot {}\nunset output\n", Quoted(path),
                        curves);
  return script;
}

std::string PlotStyle() {
  std::string dark;
  for (const Shade shade : {kInk, kFrame, kGrid}) dark += DarkRule(shade);
  for (const Shade shade : kSeries) dark += DarkRule(shade);
  return "@media (prefers-color-scheme:dark){\n" + dark + "}\n";
}

}  // namespace tamis::tools
