#include "tools/common/other_file.h"

#include <filesystem>
#include <system_error>

#include "tools/common/parse.h"

namespace tamis::tools {

Status ExpectOtherFile(const std::string& input, const std::string& output) {
  std::error_code absent;  // of a file that is not there, or no file at all
  if (!std::filesystem::is_regular_file(input, absent) ||
      !std::filesystem::equivalent(input, output, absent)) {
    return {};
  }
  return UsageError("-o " + output + " is the file of the keys, " + input +
                    "; expected another one");
}

}  // namespace tamis::tools
