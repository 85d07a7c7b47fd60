#include "tamis/internal/filters/shortest_text.h"

#include <array>
#include <charconv>
#include <system_error>

namespace tamis::internal {

std::string ShortestText(double value) {
  std::array<char, 32> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), error == std::errc() ? end : text.data()};
}

}  // namespace tamis::internal
