#include "tools/common/shell_word.h"

namespace tamis::tools {

std::string ShellQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string ShellWord(std::string_view word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@";
  if (!word.empty() &&
      word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  return ShellQuoted(word);
}

}  // namespace tamis::tools
