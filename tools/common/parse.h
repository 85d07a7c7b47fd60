// Reading the command line: numbers, lists, and what to say of the rest.

#ifndef TAMIS_TOOLS_COMMON_PARSE_H_
#define TAMIS_TOOLS_COMMON_PARSE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/result.h"

namespace tamis::tools {

// An error that is the command line's fault.
inline Status UsageError(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}

// Splits at every `separator`; "a,,b" has an empty part, "" has none.
std::vector<std::string_view> Split(std::string_view text, char separator);

// Reads a whole number, "1000000", or a power, "2^20".
Result<uint64_t> ParseSize(std::string_view text);

// Reads a number, such as 12.6 or 1e-6.
Result<double> ParseReal(std::string_view text);

// Reads a seed: a whole number below 2^64, in decimals.
Result<uint64_t> ParseSeed(std::string_view text);

// Reads a comma-separated list of sizes: "2^20,2^26,1000000".
Result<std::vector<uint64_t>> ParseSizeList(std::string_view text);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_PARSE_H_
