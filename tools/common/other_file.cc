#include "tools/common/other_file.h"

#include <filesystem>
#include <system_error>

namespace tamis::tools {

Status ExpectOtherFile(const std::string& input, const std::string& output) {
  std::error_code absent;  // of a file that is not there, or no file at all
  if (!std::filesystem::is_regular_file(input, absent) ||
      !std::filesystem::equivalent(input, output, absent)) {
    return {};
  }
  return {StatusCode::kInvalidArgument, "-o " + output +
                                            " is the file of the keys, " +
                                            input + "; expected another one"};
}

}  // namespace tamis::tools
