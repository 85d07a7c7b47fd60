#include "tools/common/other_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "tools/common/parse.h"

namespace tamis::tools {
namespace {

bool IsSame(const struct stat& one, const struct stat& other) {
  return S_ISREG(one.st_mode) && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

// Is `path` the very file that this descriptor was opened for?
bool IsOpenAs(int descriptor, const std::string& path) {
  struct stat open = {};
  struct stat file = {};
  return fstat(descriptor, &open) == 0 && stat(path.c_str(), &file) == 0 &&
         IsSame(open, file);
}

bool IsSameFile(const std::string& input, const std::string& output) {
  if (input == "-") return IsOpenAs(STDIN_FILENO, output);
  std::error_code absent;  // of a file that is not there, or no file at all
  return std::filesystem::is_regular_file(input, absent) &&
         std::filesystem::equivalent(input, output, absent);
}

Status SameFile(const std::string& input, const std::string& output) {
  return UsageError(output + " is the file of the keys, " +
                    (input == "-" ? "standard input" : input) +
                    "; expected another one");
}

}  // namespace

Status ExpectOtherFile(const std::string& input, const std::string& output) {
  if (output.empty() || output == "-") {
    const std::string path = input == "-" ? "/dev/stdin" : input;
    return IsOpenAs(STDOUT_FILENO, path) ? SameFile(input, "standard output")
                                         : Status();
  }
  return IsSameFile(input, output) ? SameFile(input, "-o " + output) : Status();
}

}  // namespace tamis::tools
