// Progress: a line now and then on standard error, for work that takes long.
//
// Silent for the first two seconds, so quick commands print nothing; then at
// most one line every two seconds:
//
//   tamis: bench: rsqf:r=8, 2^26 slots: insert (37 %)

#ifndef TAMIS_TOOLS_COMMON_PROGRESS_H_
#define TAMIS_TOOLS_COMMON_PROGRESS_H_

#include <chrono>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace tamis::tools {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  Progress(std::ostream& out, std::string task)
      : out_(out), task_(std::move(task)), last_(Clock::now()) {}

  // Says what is being done and the share done, in [0, 1], if it is time to.
  void Report(std::string_view step, double share);

 private:
  std::ostream& out_;
  std::string task_;
  Clock::time_point last_;  // when something was said last
};

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_PROGRESS_H_
