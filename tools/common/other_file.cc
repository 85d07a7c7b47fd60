#include "tools/common/other_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "tools/common/parse.h"

namespace tamis::tools {
namespace {

// Is `path` the very file that standard input is read from?
bool IsStandardInput(const std::string& path) {
  struct stat in = {};
  struct stat file = {};
  return fstat(STDIN_FILENO, &in) == 0 && stat(path.c_str(), &file) == 0 &&
         S_ISREG(in.st_mode) && in.st_dev == file.st_dev &&
         in.st_ino == file.st_ino;
}

bool IsSameFile(const std::string& input, const std::string& output) {
  if (input == "-") return IsStandardInput(output);
  std::error_code absent;  // of a file that is not there, or no file at all
  return std::filesystem::is_regular_file(input, absent) &&
         std::filesystem::equivalent(input, output, absent);
}

}  // namespace

Status ExpectOtherFile(const std::string& input, const std::string& output) {
  if (output == "-" || !IsSameFile(input, output)) return {};
  return UsageError("-o " + output + " is the file of the keys, " +
                    (input == "-" ? "standard input" : input) +
                    "; expected another one");
}

}  // namespace tamis::tools
