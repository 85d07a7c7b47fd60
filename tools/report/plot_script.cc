#include "tools/report/plot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "tools/report/equal_series.h"
#include "tools/report/plot_axes.h"

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
constexpr Shade kBand = {0xebeef2, 0x242a32};
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
constexpr std::array<int, 5> kOutlines = {6, 4, 8, 10, 12};
constexpr std::array<int, 4> kDashes = {1, 2, 4, 5};

constexpr int kPlotWidth = 560;
constexpr int kPlotHeight = 340;  // with its labels
constexpr int kLegendRowHeight = 23;
constexpr size_t kLegendColumns = 52;  // of characters, in a row
constexpr int kPlotLeft = 88;          // from here to the plot: labels of y
constexpr int kPlotBottom = 66;        // labels of x
constexpr int kMargin = 16;            // elsewhere

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

std::string Data(const Chart& chart, const ChartSeries& series, size_t number,
                 const PlotAxes& axes) {
  std::string lines = fmt::format("$series{} << END\n", number);
  for (const auto& point : series.points) {
    if (!PlotAxes::Has(chart, point)) continue;
    const bool spread = point.low < point.high;
    lines += fmt::format("{} {} {} {}\n", point.x, axes.PlaceOfY(point.y),
                         axes.PlaceOfY(spread ? point.low : point.y),
                         axes.PlaceOfY(spread ? point.high : point.y));
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
      [&](const ChartPoint& point) { return PlotAxes::Has(chart, point); });
}

// The number whose colour a series has: that of another if a paper's.
size_t ColourOf(const Chart& chart, size_t number) {
  const std::string& other = chart.series[number].said_of;
  const auto found = std::ranges::find(chart.series, other, &ChartSeries::name);
  if (other.empty() || found == chart.series.end()) return number;
  return static_cast<size_t>(found - chart.series.begin());
}

// The look of a series.
std::string LineOf(size_t number) {
  const size_t lap = number / kSeries.size();
  return fmt::format("lw 2 lc rgb {} dt {}",
                     Hex(kSeries[number % kSeries.size()]),
                     kDashes[(number + lap) % kDashes.size()]);
}

std::string MarkerOf(size_t number) {
  const size_t lap = number / kSeries.size();
  return fmt::format("pt {} ps 0.8",
                     kMarkers[(number + lap) % kMarkers.size()]);
}

std::string OutlineOf(size_t number) {
  return fmt::format("pt {} ps 1.3 lw 2", kOutlines[number % kOutlines.size()]);
}

std::string Curve(const Chart& chart, size_t number) {
  const ChartSeries& series = chart.series[number];
  const size_t colour = ColourOf(chart, number);
  const std::string rgb = Hex(kSeries[colour % kSeries.size()]);
  std::string curve;
  if (HasSpread(series)) {
    curve = fmt::format(
        "$series{} using 1:2:3:4 with yerrorbars lw 1.2 pt -1 lc rgb {}, ",
        number, rgb);
  }
  if (!series.said_of.empty()) {
    return curve + fmt::format("$series{} using 1:2 with points {} lc rgb {}",
                               number, OutlineOf(colour), rgb);
  }
  return curve + fmt::format("$series{} using 1:2 with linespoints {} {}",
                             number, LineOf(number), MarkerOf(number));
}

// The legend is below the plot, in as many columns as its names leave room for.
// gnuplot's own can't break a name and has no more rows than the plot is high.
class Legend {
 public:
  explicit Legend(const Chart& chart) {
    size_t longest = 0;
    for (size_t i = 0; i < chart.series.size(); ++i) {
      if (!HasPoints(chart, chart.series[i])) continue;
      bool first = true;
      for (std::string& line :
           LegendLines(chart.series[i].name, kLegendColumns)) {
        longest = std::max(longest, line.size());
        lines_.push_back({std::move(line), ColourOf(chart, i),
                          !chart.series[i].said_of.empty(),
                          std::exchange(first, false)});
      }
    }
    columns_ = std::clamp<size_t>(kPlotWidth / (90 + 9 * longest), 1, 4);
    rows_ = (lines_.size() + columns_ - 1) / columns_;
  }

  double height() const {
    return kLegendRowHeight * static_cast<double>(rows_);
  }

  // `plot_height` is that of all, in pixels.
  std::string Script(double plot_height) const {
    std::string script = "unset key\n";
    for (size_t i = 0; i < lines_.size(); ++i) {
      const double row = static_cast<double>(rows_ - 1 - i % rows_);
      const size_t column = i / rows_;
      const double left = kMargin + static_cast<double>(column) *
                                        (kPlotWidth - kMargin) /
                                        static_cast<double>(columns_);
      script += Entry(lines_[i], left / kPlotWidth,
                      (6 + (row + 0.5) * kLegendRowHeight) / plot_height);
    }
    return script;
  }

 private:
  struct Line {
    std::string text;
    size_t series;    // whose colour it has
    bool is_said;     // points without a line
    bool has_sample;  // of how the series is drawn
  };

  static std::string Entry(const Line& line, double x, double y) {
    constexpr double kSample = 36.0 / kPlotWidth;
    constexpr double kText = 46.0 / kPlotWidth;
    std::string script = fmt::format(
        "set label {} at screen {}, screen {} left noenhanced "
        "textcolor rgb {}\n",
        Quoted(line.text), x + kText, y, Hex(kInk));
    if (!line.has_sample) return script;
    const std::string rgb = Hex(kSeries[line.series % kSeries.size()]);
    if (line.is_said) {
      return script +
             fmt::format(
                 "set label '' at screen {}, screen {} point {} lc rgb {}\n",
                 x + kSample / 2, y, OutlineOf(line.series), rgb);
    }
    return script +
           fmt::format(
               "set arrow from screen {0}, screen {1} to screen {2}, "
               "screen {1} nohead {3}\n"
               "set label '' at screen {4}, screen {1} point {5} lc rgb {6}\n",
               x, y, x + kSample, LineOf(line.series), x + kSample / 2,
               MarkerOf(line.series), rgb);
  }

  std::vector<Line> lines_;
  size_t columns_ = 1;
  size_t rows_ = 1;
};

std::string Frame(const Chart& chart) {
  const Legend legend(chart);
  const double height = kPlotHeight + legend.height();
  const auto up = [&](double pixels) { return pixels / height; };
  const std::string frame = fmt::format(
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
      "set xlabel {} offset 0,0.6 noenhanced textcolor rgb {}\n"
      "set label 1 {} at screen {}, graph 0.5 center rotate by 90 noenhanced "
      "textcolor rgb {}\n"
      "set autoscale noextend\n"
      "set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05\n",
      kPlotWidth, height, Hex(kFrame), Hex(kGrid), Hex(kInk),
      static_cast<double>(kPlotLeft) / kPlotWidth,
      1 - static_cast<double>(kMargin) / kPlotWidth,
      up(kPlotBottom + legend.height()), 1 - up(kMargin), Quoted(chart.x_label),
      Hex(kInk), Quoted(chart.y_label), 12.0 / kPlotWidth, Hex(kInk));
  return frame + legend.Script(height);
}

// What the band for 0 looks like, if there is one.
std::string ZeroBand(const PlotAxes& axes) {
  if (!axes.has_zero_band()) return "";
  return fmt::format(
      "set object 1 rectangle from graph 0, graph 0 to graph 1, graph {} "
      "behind fillcolor rgb {} fillstyle solid noborder\n",
      PlotAxes::kBandShare, Hex(kBand));
}

// The SVG terminal pads the numbers of lines, markers and areas, not those of
// text.
std::string DarkRule(Shade shade) {
  const uint32_t red = shade.light >> 16;
  const uint32_t green = shade.light >> 8 & 255;
  const uint32_t blue = shade.light & 255;
  const std::string padded =
      fmt::format("rgb({:3}, {:3}, {:3})", red, green, blue);
  return fmt::format(
      ".plot [stroke='{0}']{{stroke:#{2:06x}}}\n"
      ".plot [color='{0}']{{color:#{2:06x}}}\n"
      ".plot :is([fill='{0}'],[fill='{1}']){{fill:#{2:06x}}}\n",
      padded, fmt::format("rgb({},{},{})", red, green, blue), shade.dark);
}

}  // namespace

bool CanDraw(const Chart& chart) {
  return std::any_of(
      chart.series.begin(), chart.series.end(),
      [&](const ChartSeries& series) { return HasPoints(chart, series); });
}

bool ShowsZeros(const Chart& chart) { return PlotAxes(chart).has_zero_band(); }

std::string PlotScript(const Chart& given, const std::string& path) {
  assert(CanDraw(given));
  const Chart chart = WithEqualSeriesMerged(given);
  const PlotAxes axes(chart);
  std::string script = Frame(chart) + axes.Script() + ZeroBand(axes);
  std::string curves;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    if (!HasPoints(chart, chart.series[i])) continue;
    script += Data(chart, chart.series[i], i, axes);
    curves += (curves.empty() ? "" : ", ") + Curve(chart, i);
  }
  script += fmt::format("set output {}\nplot {}\nunset output\n", Quoted(path),
                        curves);
  return script;
}

std::string PlotStyle() {
  std::string dark;
  for (const Shade shade : {kInk, kFrame, kGrid, kBand})
    dark += DarkRule(shade);
  for (const Shade shade : kSeries) dark += DarkRule(shade);
  return "@media (prefers-color-scheme:dark){\n" + dark + "}\n";
}

}  // namespace tamis::tools
