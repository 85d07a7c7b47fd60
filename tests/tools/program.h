// The `tamis` program itself, for what a function call can't show: signals and
// standard input.

#ifndef TAMIS_TESTS_TOOLS_PROGRAM_H_
#define TAMIS_TESTS_TOOLS_PROGRAM_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

extern char** environ;

namespace tamis::tools {

// The `tamis` program, in the background, with its output in files.
class Program {
 public:
  // `input` is the file of its standard input; empty: that of the test.
  Program(std::vector<std::string> arguments, const workloads::TempDir& dir,
          const std::string& input = "")
      : dir_(dir) {
    arguments.insert(arguments.begin(), TAMIS_TOOL_PATH);
    std::vector<char*> pointers;
    for (std::string& one : arguments) pointers.push_back(one.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    if (!input.empty()) {
      posix_spawn_file_actions_addopen(&files, 0, input.c_str(), O_RDONLY, 0);
    }
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&files, 1, Out().c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&files, 2, Err().c_str(), flags, 0600);
    EXPECT_EQ(posix_spawn(&child_, TAMIS_TOOL_PATH, &files, nullptr,
                          pointers.data(), environ),
              0);
    posix_spawn_file_actions_destroy(&files);
  }

  std::string Out() const { return dir_.Path("out"); }
  std::string Err() const { return dir_.Path("err"); }

  // True if the program has a handler for SIGINT.
  bool ListensToInterrupts() const {
    const std::string status =
        Contents("/proc/" + std::to_string(child_) + "/status");
    const size_t at = status.find("SigCgt:");
    if (at == std::string::npos) return false;
    return (std::stoull(status.substr(at + 7), nullptr, 16) >> (SIGINT - 1) &
            1) != 0;
  }
  void Interrupt() const { Send(SIGINT); }
  void Send(int signal_number) const { kill(child_, signal_number); }
  int ExitStatus() const {
    int how = 0;
    waitpid(child_, &how, 0);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -WTERMSIG(how);
  }

 private:
  const workloads::TempDir& dir_;
  pid_t child_ = 0;
};

}  // namespace tamis::tools

#endif  // TAMIS_TESTS_TOOLS_PROGRAM_H_
