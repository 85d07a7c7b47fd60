// Words for a shell: a command line as it could be typed again.

#ifndef TAMIS_TOOLS_COMMON_SHELL_WORD_H_
#define TAMIS_TOOLS_COMMON_SHELL_WORD_H_

#include <string>
#include <string_view>

namespace tamis::tools {

// Returns `word`, quoted for a shell if it needs that.
std::string ShellWord(std::string_view word);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_SHELL_WORD_H_
