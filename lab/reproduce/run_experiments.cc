#include "lab/reproduce/run_experiments.h"

#include <fmt/format.h>
#include <poll.h>

#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "lab/reproduce/experiment_process.h"
#include "tools/common/interrupt.h"

namespace tamis::tools {
namespace {

class Crew {
 public:
  Crew(std::span<const Experiment* const> experiments,
       const ExperimentOptions& options, int jobs, Progress& progress)
      : experiments_(experiments),
        options_(options),
        jobs_(static_cast<size_t>(jobs)),
        progress_(progress) {}

  bool done() const { return finished_ == experiments_.size(); }

  // Starts what may start beside that which runs.
  Status StartSome() {
    while (MayStart()) {
      TAMIS_ASSIGN_OR_RETURN(
          ExperimentProcess process,
          ExperimentProcess::Start(*experiments_[next_], options_));
      running_.push_back({next_++, std::move(process)});
    }
    return {};
  }

  // Waits for news, but not for long, and passes on what is finished.
  Status Listen(const OnFinished& on_finished) {
    constexpr int kMilliseconds = 200;
    std::vector<pollfd> waits;
    for (const Running& one : running_) {
      waits.push_back({one.process.descriptor(), POLLIN, 0});
    }
    if (poll(waits.data(), waits.size(), kMilliseconds) > 0) {
      for (size_t i = waits.size(); i-- > 0;) {
        if (waits[i].revents == 0 || running_[i].process.Read()) continue;
        TAMIS_RETURN_IF_ERROR(Finish(i, on_finished));
      }
    }
    Report();
    return {};
  }

 private:
  struct Running {
    size_t number;
    ExperimentProcess process;
  };

  bool MayStart() const {
    if (next_ == experiments_.size() || running_.size() >= jobs_) return false;
    if (running_.empty()) return true;
    return !experiments_[next_]->timed &&
           !experiments_[running_.front().number]->timed;
  }

  Status Finish(size_t index, const OnFinished& on_finished) {
    Running one = std::move(running_[index]);
    running_.erase(running_.begin() + static_cast<ptrdiff_t>(index));
    ++finished_;
    Result<Findings> findings = one.process.Finish();
    if (!findings.ok()) {
      return findings.status().WithContext(experiments_[one.number]->name);
    }
    return on_finished(one.number, std::move(findings).value());
  }

  void Report() const {
    double share = static_cast<double>(finished_);
    std::string names;
    for (const Running& one : running_) {
      share += one.process.share();
      names += fmt::format("{}{}", names.empty() ? "" : " and ",
                           experiments_[one.number]->name);
    }
    if (names.empty()) return;
    const size_t all = experiments_.size();
    progress_.Report(fmt::format("{}/{} done, {}", finished_, all, names),
                     share / static_cast<double>(all));
  }

  std::span<const Experiment* const> experiments_;
  const ExperimentOptions& options_;
  const size_t jobs_;
  Progress& progress_;
  std::vector<Running> running_;
  size_t next_ = 0;
  size_t finished_ = 0;
};

}  // namespace

Status RunExperiments(std::span<const Experiment* const> experiments,
                      const ExperimentOptions& options, int jobs,
                      Progress& progress, const OnFinished& on_finished) {
  assert(jobs >= 1);
  Crew crew(experiments, options, jobs, progress);
  while (!crew.done() && !InterruptRequested()) {
    TAMIS_RETURN_IF_ERROR(crew.StartSome());
    TAMIS_RETURN_IF_ERROR(crew.Listen(on_finished));
  }
  return {};
}

}  // namespace tamis::tools
