#include "tools/report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tools/report/html_page.h"

namespace tamis::tools {
namespace {

constexpr double kWidth = 560;
constexpr double kHeight = 340;
constexpr double kLeft = 74;
constexpr double kTop = 14;
constexpr double kBottom = 54;
// Names are beside the plot, in lines of so many letters.
constexpr double kNameHeight = 16;
constexpr double kLetterWidth = 8.8;  // of the widest usual fonts, bold
constexpr double kGap = 8;
constexpr size_t kNameLetters = 19;
constexpr size_t kNameLines = 3;

struct Span {
  double low;
  double high;
};

// Returns 1, 2 or 5 times a power of ten, the next one below or above.
double RoundDown(double value) {
  const double power = std::pow(10, std::floor(std::log10(value) + 1e-9));
  for (const double times : {5.0, 2.0}) {
    if (times * power <= value * (1 + 1e-9)) return times * power;
  }
  return power;
}
double RoundUp(double value) {
  const double power = std::pow(10, std::floor(std::log10(value) + 1e-9));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= value * (1 - 1e-9)) return times * power;
  }
  return 10 * power;
}

// The end of the part of a name that begins there: a name is broken after its
// commas, colons and spaces, or where a line is full.
size_t EndOfPart(const std::string& name, size_t begin) {
  const size_t mark = name.find_first_of(",: ", begin);
  const size_t end = std::min(mark, name.size() - 1) + 1;
  return std::min(end, begin + kNameLetters);
}

std::vector<std::string> NameLines(const std::string& name) {
  std::vector<std::string> lines = {""};
  for (size_t begin = 0; begin < name.size();) {
    const size_t end = EndOfPart(name, begin);
    if (lines.back().size() + (end - begin) > kNameLetters) {
      if (lines.size() == kNameLines) {
        lines.back() += "...";
        break;
      }
      lines.emplace_back();
    }
    lines.back() += name.substr(begin, end - begin);
    begin = end;
  }
  return lines;
}

// Where the plot ends, so that the longest name has room beside it.
double RightOf(const Chart& chart) {
  size_t longest = 0;
  for (const ChartSeries& series : chart.series) {
    for (const std::string& line : NameLines(series.name)) {
      longest = std::max(longest, line.size());
    }
  }
  return kWidth - kGap - kLetterWidth * static_cast<double>(longest);
}

// Where the points of a chart are on the page.
class Axes {
 public:
  explicit Axes(const Chart& chart) : right_(RightOf(chart)) {
    double least = 0;
    double most = 0;
    for (const ChartSeries& series : chart.series) {
      for (const ChartPoint& point : series.points) {
        x_.low = any_ ? std::min(x_.low, point.x) : point.x;
        x_.high = any_ ? std::max(x_.high, point.x) : point.x;
        any_ = true;
        if (point.y <= 0) {
          has_zero_ = true;
          continue;
        }
        least = least == 0 ? point.y : std::min(least, point.y);
        most = std::max(most, point.y);
      }
    }
    if (most == 0) {
      any_ = false;
      return;
    }
    y_ = {RoundDown(least), RoundUp(most)};
    if (y_.low == y_.high) y_.low /= 10;
    if (x_.low == x_.high) x_.high += 1;
  }

  bool any() const { return any_; }
  double right() const { return right_; }
  const Span& y() const { return y_; }
  bool has_zero() const { return has_zero_; }
  const Span& x() const { return x_; }

  double X(double value) const {
    return kLeft + (value - x_.low) / (x_.high - x_.low) * (right_ - kLeft);
  }
  // 0 has a place below the axis' lowest power of ten.
  double Y(double value) const {
    const double room =
        kHeight - kTop - kBottom - (has_zero_ ? kNameHeight : 0);
    if (value <= 0) return kHeight - kBottom;
    const double share = std::log(value / y_.low) / std::log(y_.high / y_.low);
    return kTop + (1 - std::clamp(share, 0.0, 1.0)) * room;
  }

 private:
  double right_;
  bool any_ = false;
  bool has_zero_ = false;
  Span x_ = {0, 0};
  Span y_ = {1, 10};
};

// Powers of ten; 2 and 5 times them where there are few.
std::vector<double> TicksOf(Span range) {
  const double powers = std::log10(range.high / range.low);
  std::vector<double> ticks;
  const int step = powers > 6 ? 2 : 1;
  for (int power = static_cast<int>(std::floor(std::log10(range.low) + 1e-9));
       power <= std::log10(range.high) + 1e-9; power += step) {
    for (const int times : {1, 2, 5}) {
      const double value = times * std::pow(10, power);
      if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9) ||
          (times > 1 && powers > 2.5)) {
        continue;
      }
      ticks.push_back(value);
    }
  }
  return ticks;
}

// 1, 2 or 5 times a power of ten, about a fifth of the range.
double StepOf(Span range) {
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= rough) return times * power;
  }
  return 10 * power;
}

std::string ShortNumber(double value) {
  if (value >= 1e6) return fmt::format("{:g}M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:g}k", value / 1e3);
  return fmt::format("{:g}", value);
}

std::string Text(double x, double y, const char* anchor,
                 const std::string& kind, const std::string& text) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}"
      "</text>\n",
      x, y, anchor, kind, EscapeHtml(text));
}

std::string GridOf(const Chart& chart, const Axes& axes) {
  std::string svg;
  for (const double value : TicksOf(axes.y())) {
    const double y = axes.Y(value);
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n",
                       kLeft, y, axes.right());
    svg += Text(kLeft - 8, y + 5, "end", "tick", fmt::format("{:g}", value));
  }
  if (axes.has_zero()) {
    const double y = axes.Y(0);
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n",
                       kLeft, y, axes.right());
    svg += Text(kLeft - 8, y + 5, "end", "tick", "0");
  }
  const double dx = StepOf(axes.x());
  for (double x = std::ceil(axes.x().low / dx) * dx;
       x <= axes.x().high * (1 + 1e-9); x += dx) {
    svg += Text(axes.X(x), kHeight - kBottom + 20, "middle", "tick",
                ShortNumber(x));
  }
  svg += Text((kLeft + axes.right()) / 2, kHeight - 8, "middle", "label",
              chart.x_label);
  svg += fmt::format(
      "<text transform=\"translate(16 {:.1f}) rotate(-90)\" "
      "text-anchor=\"middle\" class=\"label\">{}</text>\n",
      (kTop + kHeight - kBottom) / 2, EscapeHtml(chart.y_label));
  return svg;
}

std::string LineOf(const ChartSeries& series, const Axes& axes, size_t number) {
  std::string path;
  std::string dots;
  for (const ChartPoint& point : series.points) {
    const double x = axes.X(point.x);
    const double y = axes.Y(point.y);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    if (series.points.size() <= 16) {
      dots += fmt::format(
          "<circle class=\"dot s{}\" cx=\"{:.1f}\" "
          "cy=\"{:.1f}\" r=\"3.5\"/>\n",
          number, x, y);
    }
  }
  return fmt::format("<path class=\"line s{}\" d=\"{}\"/>\n", number, path) +
         dots;
}

// A name and where the end of its line would have it.
struct Name {
  std::vector<std::string> lines;
  size_t number;
  double y;  // of its middle

  double HalfHeight() const {
    return kNameHeight * static_cast<double>(lines.size()) / 2;
  }
};

// Names at the right, beside the ends of their lines; moved apart from the top
// down, then up again from the lower edge.
std::string NamesOf(const Chart& chart, const Axes& axes) {
  std::vector<Name> names;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& series = chart.series[i];
    if (series.points.empty()) continue;
    names.push_back(
        {NameLines(series.name), i, axes.Y(series.points.back().y)});
  }
  std::ranges::stable_sort(names, {}, &Name::y);
  double least = 0;
  for (Name& one : names) {
    one.y = std::max(one.y, least + one.HalfHeight());
    least = one.y + one.HalfHeight();
  }
  double most = kHeight - kBottom + kNameHeight / 2;
  for (auto one = names.rbegin(); one != names.rend(); ++one) {
    one->y = std::min(one->y, most - one->HalfHeight());
    most = one->y - one->HalfHeight();
  }
  std::string svg;
  for (const Name& one : names) {
    double y = one.y - one.HalfHeight() + kNameHeight - 4;
    for (const std::string& line : one.lines) {
      svg += Text(axes.right() + kGap, y, "start",
                  fmt::format("name t{}", one.number), line);
      y += kNameHeight;
    }
  }
  return svg;
}

}  // namespace

std::string DrawLineChart(const Chart& chart) {
  const Axes axes(chart);
  if (!axes.any()) return "";
  std::string svg = fmt::format(
      "<svg class=\"plot lines\" viewBox=\"0 0 {:g} {:g}\" "
      "xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{}\">\n",
      kWidth, kHeight, EscapeHtml(chart.title));
  svg += GridOf(chart, axes);
  for (size_t i = chart.series.size(); i-- > 0;) {
    svg += LineOf(chart.series[i], axes, i);
  }
  return svg + NamesOf(chart, axes) + "</svg>\n";
}

const char* const kLineChartStyle = R"css(
.lines{--c0:#00704f;--c1:#0062a3;--c2:#b34700;--c3:#8a3d8f;--c4:#59636e;
--grid:#e1e5ea;--text:#30363d;--halo:#fff}
@media (prefers-color-scheme:dark){.lines{--c0:#4fd3a4;--c1:#6cb8f0;
--c2:#ffa266;--c3:#e0a3e4;--c4:#98a2ad;--grid:#2d333b;--text:#d5dae0;
--halo:#161a20}}
.lines text{font:15px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",
sans-serif;fill:var(--text)}
.lines .grid{stroke:var(--grid);fill:none}
.lines .line{fill:none;stroke-width:2;stroke-linejoin:round}
.lines .line.s0{stroke-width:3.5}
.lines .name{font-size:12.5px;font-weight:600}
.lines .s0{stroke:var(--c0)}.lines .s1{stroke:var(--c1)}
.lines .s2{stroke:var(--c2)}.lines .s3{stroke:var(--c3)}
.lines .s4{stroke:var(--c4)}
.lines .dot{fill:var(--halo);stroke-width:2}
.lines .t0{fill:var(--c0)}.lines .t1{fill:var(--c1)}.lines .t2{fill:var(--c2)}
.lines .t3{fill:var(--c3)}.lines .t4{fill:var(--c4)}
)css";

}  // namespace tamis::tools
