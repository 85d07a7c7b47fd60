#include "lab/reproduce/experiment_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "lab/reproduce/findings_json.h"

namespace tamis::tools {

namespace {

using nlohmann::json;

constexpr size_t kHeadBytes = 1 + sizeof(uint64_t);

Status SystemError(const std::string& what) {
  return {StatusCode::kIo,
          what + ": " + std::generic_category().message(errno)};
}

// ---- In the child -------------------------------------------------------

void Send(int descriptor, char kind, std::string_view payload) {
  const uint64_t length = payload.size();
  std::string message(kHeadBytes, kind);
  std::memcpy(message.data() + 1, &length, sizeof(length));
  message += payload;
  for (size_t sent = 0; sent < message.size();) {
    const ssize_t count =
        write(descriptor, message.data() + sent, message.size() - sent);
    if (count < 0 && errno != EINTR) return;  // nobody listens any more
    if (count > 0) sent += static_cast<size_t>(count);
  }
}

void SendError(int descriptor, const Status& status) {
  std::string payload(1, static_cast<char>(status.code()));
  Send(descriptor, 'e', payload.append(status.message()));
}

void SendShare(int descriptor, double share) {
  Send(descriptor, 'p', {reinterpret_cast<const char*>(&share), sizeof(share)});
}

// Runs the experiment and never returns.
[[noreturn]] void BeChild(const Experiment& experiment,
                          ExperimentOptions options, int descriptor) {
  // Ctrl-C and a hangup are for the parent, and without a parent there is nothing to do.
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  options.progress = [descriptor](double share) {
    SendShare(descriptor, share);
  };
  try {
    const Result<Findings> findings = experiment.run(options);
    if (findings.ok()) {
      const auto bytes = json::to_cbor(json(*findings));
      Send(descriptor, 'f',
           {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    } else {
      SendError(descriptor, findings.status());
    }
  } catch (const std::exception& error) {  // bad_alloc, say
    SendError(descriptor, {StatusCode::kOutOfMemory, error.what()});
  }
  _exit(0);  // what the parent would do at its exit is not ours to do
}

}  // namespace

// ---- In the parent ------------------------------------------------------

Result<ExperimentProcess> ExperimentProcess::Start(
    const Experiment& experiment, const ExperimentOptions& options) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return SystemError("can't make a pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    BeChild(experiment, options, ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    const Status status = SystemError("can't start a process");
    close(ends[0]);
    return status;
  }
  return ExperimentProcess(child, ends[0]);
}

ExperimentProcess::ExperimentProcess(ExperimentProcess&& other) noexcept {
  *this = std::move(other);
}

ExperimentProcess& ExperimentProcess::operator=(
    ExperimentProcess&& other) noexcept {
  if (this == &other) return *this;
  End();
  child_ = std::exchange(other.child_, -1);
  descriptor_ = std::exchange(other.descriptor_, -1);
  share_ = other.share_;
  received_ = std::move(other.received_);
  outcome_ = other.outcome_;
  payload_ = std::move(other.payload_);
  return *this;
}

bool ExperimentProcess::Read() {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = read(descriptor_, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  received_.append(buffer.data(), static_cast<size_t>(count));
  TakeMessages();
  return count > 0;
}

void ExperimentProcess::TakeMessages() {
  size_t taken = 0;
  while (received_.size() - taken >= kHeadBytes) {
    uint64_t length = 0;
    std::memcpy(&length, &received_[taken + 1], sizeof(length));
    if (received_.size() - taken - kHeadBytes < length) break;
    const char kind = received_[taken];
    const char* payload = received_.data() + taken + kHeadBytes;
    if (kind == 'p') {
      std::memcpy(&share_, payload, sizeof(share_));
    } else {
      outcome_ = kind;
      payload_.assign(payload, length);
    }
    taken += kHeadBytes + length;
  }
  received_.erase(0, taken);
}

Result<Findings> ExperimentProcess::Finish() {
  const int how = Wait();
  if (outcome_ == 'f') return json::from_cbor(payload_).get<Findings>();
  if (outcome_ == 'e') {
    return Status(static_cast<StatusCode>(payload_[0]), payload_.substr(1));
  }
  return Status(StatusCode::kCorrupt,
                WIFSIGNALED(how)
                    ? fmt::format("its process was ended by a signal: {}",
                                  strsignal(WTERMSIG(how)))
                    : "its process ended without a result");
}

int ExperimentProcess::Wait() {
  int how = 0;
  while (waitpid(child_, &how, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return how;
}

void ExperimentProcess::End() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    Wait();
  }
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

}  // namespace tamis::tools
