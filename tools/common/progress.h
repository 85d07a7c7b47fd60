// Progress: how far work is that takes long, told on standard error.
//
// On a terminal, one line that is rewritten ten times a second at most, from
// half a second on, and erased at the end:
//
//   bench [########------------]  40 %  0:12 left  rsqf:r=8, insert
//
// Elsewhere (a file, a pipe), plain lines, none in the first two seconds, then
// at most one every two seconds, and none that says what the last one said:
//
//   tamis: bench: rsqf:r=8, insert (40 %)
//
// The time left is what the share done so far lets expect.  Work that is
// counted also tells its rate: "3.1 M/s".  Where the end is not known, as in
// a pipe, the count so far stands instead of the bar.

#ifndef TAMIS_TOOLS_COMMON_PROGRESS_H_
#define TAMIS_TOOLS_COMMON_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace tamis::tools {

enum class ProgressStyle { kLines, kTerminal };

// kTerminal for standard error on a terminal.
ProgressStyle ProgressStyleOf(const std::ostream& out);

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  Progress(std::ostream& out, std::string task);
  // For tests: `now` is the time.
  Progress(std::ostream& out, std::string task, ProgressStyle style,
           std::function<Clock::time_point()> now = Clock::now);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { Clear(); }

  // Says what is being done and the share done, in [0, 1], if it is time to.
  // A share or a count below that of the last call begins another piece of work.
  void Report(std::string_view step, double share);
  // The same for `done` of `total` things, which go by at some rate.
  void ReportCount(std::string_view step, uint64_t done, uint64_t total);
  // The same where nobody knows how many there are.
  void ReportCount(std::string_view step, uint64_t done);
  // The same where they are counted, and the share is of something else, such
  // as the bytes of their file; nothing if nobody knows.
  void ReportCount(std::string_view step, uint64_t done,
                   std::optional<double> share);
  // Erases the line of a terminal, before something else is printed there.
  void Clear();

 private:
  static constexpr double kUnknown = -1;  // share

  void Say(std::string_view step, double share, uint64_t done);
  // Things a second: "3.1 M/s"; empty if that can't be told yet.
  std::string Rate(uint64_t done) const;
  double SecondsSince(Clock::time_point then) const;
  // Seconds until all is done; below 0 if that can't be told yet.
  double SecondsLeft(double share) const;
  std::string BarLine(std::string_view step, double share,
                      std::string_view so_far, std::string_view rate) const;

  std::ostream& out_;
  const std::string task_;
  const ProgressStyle style_;
  const std::function<Clock::time_point()> now_;
  Clock::time_point begin_;  // of this piece of work
  Clock::time_point last_;   // when something was said last
  double share_ = 0;         // as reported last
  uint64_t done_ = 0;        // the same
  double first_share_ = 0;   // when this piece of work began
  uint64_t first_done_ = 0;  // the same
  std::string said_;         // the last plain line, without its rate
  bool shown_ = false;       // a line of a terminal is there
};

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_PROGRESS_H_
