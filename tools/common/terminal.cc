#include "tools/common/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace tamis::tools {
namespace {

bool IsSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool IsDumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) == "dumb";
}

}  // namespace

void UseTerminal(Console* console) {
  if (isatty(STDOUT_FILENO) == 0) return;
  console->colour = !IsSet("NO_COLOR") && !IsDumb();
  struct winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    console->columns = size.ws_col;
  }
}

}  // namespace tamis::tools
