#include "tools/common/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <utility>

namespace tamis::tools {
namespace {

using std::chrono::milliseconds;

constexpr int kBarCells = 20;

size_t TerminalColumns() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return 80;
  }
  return size.ws_col;
}

// "0:07", "12:30" or "2:05:09".
std::string ClockTime(double seconds) {
  const auto all = static_cast<int64_t>(std::llround(seconds));
  const auto [hours, minutes, rest] =
      std::array{all / 3600, all / 60 % 60, all % 60};
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{}:{:02}", minutes, rest);
}

// "830", "3.1 k", "12 M".
std::string Amount(double count) {
  constexpr std::array kUnits = {"", " k", " M", " G"};
  size_t unit = 0;
  while (count >= 1000 && unit + 1 < kUnits.size()) {
    count /= 1000;
    ++unit;
  }
  const int decimals = unit > 0 && count < 10 ? 1 : 0;
  return fmt::format("{:.{}f}{}", count, decimals, kUnits[unit]);
}

}  // namespace

ProgressStyle ProgressStyleOf(const std::ostream& out) {
  const bool terminal = &out == &std::cerr && isatty(STDERR_FILENO) != 0;
  return terminal ? ProgressStyle::kTerminal : ProgressStyle::kLines;
}

Progress::Progress(std::ostream& out, std::string task)
    : Progress(out, std::move(task), ProgressStyleOf(out)) {}

Progress::Progress(std::ostream& out, std::string task, ProgressStyle style,
                   std::function<Clock::time_point()> now)
    : out_(out),
      task_(std::move(task)),
      style_(style),
      now_(std::move(now)),
      begin_(now_()),
      last_(begin_) {}

void Progress::Report(std::string_view step, double share) {
  Say(step, share, 0);
}

void Progress::ReportCount(std::string_view step, uint64_t done,
                           uint64_t total) {
  Say(step,
      total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total),
      done);
}

void Progress::ReportCount(std::string_view step, uint64_t done) {
  Say(step, kUnknown, done);
}

void Progress::ReportCount(std::string_view step, uint64_t done,
                           std::optional<double> share) {
  Say(step, share.value_or(kUnknown), done);
}

void Progress::Say(std::string_view step, double share, uint64_t done) {
  if (share != kUnknown) share = std::clamp(share, 0.0, 1.0);
  const Clock::time_point now = now_();
  if (share < share_ || done < done_) {
    begin_ = now;
    first_share_ = std::max(share, 0.0);
    first_done_ = done;
  }
  share_ = share;
  done_ = done;
  const bool lines = style_ == ProgressStyle::kLines;
  const milliseconds wait(lines ? 2000 : shown_ ? 100 : 500);
  if (now - last_ < wait) return;
  const std::string so_far = share == kUnknown
                                 ? Amount(static_cast<double>(done))
                                 : fmt::format("{:.0f} %", 100 * share);
  const std::string rate = Rate(done);
  if (lines) {
    std::string line = fmt::format("tamis: {}: {} ({}", task_, step, so_far);
    if (line == said_) return;
    out_ << line << (rate.empty() ? "" : ", ") << rate << ")\n";
    said_ = std::move(line);
  } else {
    out_ << "\r\x1b[K" << BarLine(step, share, so_far, rate);
    shown_ = true;
  }
  last_ = now;
  out_ << std::flush;
}

std::string Progress::BarLine(std::string_view step, double share,
                              std::string_view so_far,
                              std::string_view rate) const {
  const int full = static_cast<int>(share * kBarCells);
  std::string line = task_;
  if (share != kUnknown) {
    line += fmt::format(" [{:#<{}}{:-<{}}]", "", full, "", kBarCells - full);
  }
  line += fmt::format(" {:>5}", so_far);
  const double left = SecondsLeft(share);
  if (left >= 0) line += fmt::format("  {} left", ClockTime(left));
  if (!rate.empty()) line += fmt::format("  {}", rate);
  line += fmt::format("  {}", step);
  // A line that wraps could not be erased.
  return line.substr(0, TerminalColumns() - 1);
}

std::string Progress::Rate(uint64_t done) const {
  const double seconds = SecondsSince(begin_);
  if (done <= first_done_ || seconds <= 0) return "";
  return Amount(static_cast<double>(done - first_done_) / seconds) + "/s";
}

double Progress::SecondsSince(Clock::time_point then) const {
  return std::chrono::duration<double>(now_() - then).count();
}

double Progress::SecondsLeft(double share) const {
  if (share - first_share_ < 0.01) return -1;
  return SecondsSince(begin_) / (share - first_share_) * (1 - share);
}

void Progress::Clear() {
  if (!shown_) return;
  out_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace tamis::tools
