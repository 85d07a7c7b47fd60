#include "tools/common/parse.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace tamis::tools {
namespace {

std::optional<uint64_t> WholeNumber(std::string_view text) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || parsed != end) return std::nullopt;
  return value;
}

// Returns base^exponent, or nothing if that needs more than 64 bits.
std::optional<uint64_t> Power(uint64_t base, uint64_t exponent) {
  uint64_t power = 1;
  for (uint64_t i = 0; i < exponent; ++i) {
    if (base != 0 && power > std::numeric_limits<uint64_t>::max() / base) {
      return std::nullopt;
    }
    power *= base;
    if (power <= 1) break;  // 0 and 1 stay what they are
  }
  return power;
}

std::optional<uint64_t> Size(std::string_view text) {
  const size_t caret = text.find('^');
  if (caret == std::string_view::npos) return WholeNumber(text);
  const auto base = WholeNumber(text.substr(0, caret));
  const auto exponent = WholeNumber(text.substr(caret + 1));
  if (!base || !exponent) return std::nullopt;
  return Power(*base, *exponent);
}

}  // namespace

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (text.empty()) return parts;
  size_t begin = 0;
  for (size_t end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

Result<uint64_t> ParseSize(std::string_view text) {
  if (const auto size = Size(text)) return *size;
  return UsageError("'" + std::string(text) +
                    "' is not a size; expected a whole number or 2^k");
}

Result<double> ParseReal(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && parsed == end && std::isfinite(value)) {
    return value;
  }
  return UsageError("'" + std::string(text) + "' is not a number");
}

Result<uint64_t> ParseSeed(std::string_view text) {
  if (const auto seed = WholeNumber(text)) return *seed;
  return UsageError("'" + std::string(text) +
                    "' is not a seed; expected a whole number from 0 to "
                    "2^64 - 1");
}

Result<std::vector<uint64_t>> ParseSizeList(std::string_view text) {
  std::vector<uint64_t> sizes;
  for (const std::string_view part : Split(text, ',')) {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t size, ParseSize(part));
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace tamis::tools
