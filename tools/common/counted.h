// Counted: a number and what it counts, in the singular or plural.

#ifndef TAMIS_TOOLS_COMMON_COUNTED_H_
#define TAMIS_TOOLS_COMMON_COUNTED_H_

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tamis::tools {

// "1 query", "2 queries"
inline std::string Counted(uint64_t count, std::string_view one,
                           std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// "1 key", "2 keys"
inline std::string Counted(uint64_t count, std::string_view thing) {
  return Counted(count, thing, std::string(thing) + 's');
}

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_COUNTED_H_
