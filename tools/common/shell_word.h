// Words for a shell: a command line as it could be typed again.

#ifndef TAMIS_TOOLS_COMMON_SHELL_WORD_H_
#define TAMIS_TOOLS_COMMON_SHELL_WORD_H_

#include <string>
#include <string_view>

namespace tamis::tools {

// Returns `text` in single quotes: one word, in which nothing is expanded.
std::string ShellQuoted(std::string_view text);

// Returns `word`, quoted for a shell if it needs that.
std::string ShellWord(std::string_view word);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_SHELL_WORD_H_
