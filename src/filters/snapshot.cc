#include "tamis/internal/filters/snapshot.h"

#include <algorithm>

namespace tamis::internal {
namespace {

Status Damaged(std::string_view name, const std::string& why) {
  return {StatusCode::kCorrupt, "'" + std::string(name) + "' " + why};
}

}  // namespace

Result<uint64_t> Snapshot::Number(std::string_view name, uint64_t min,
                                  uint64_t max) const {
  const auto found =
      std::find_if(numbers_.begin(), numbers_.end(),
                   [&](const NamedNumber& n) { return n.name == name; });
  if (found == numbers_.end()) return Damaged(name, "is missing");
  if (found->value < min || found->value > max) {
    return Damaged(name, "is " + std::to_string(found->value) + ", expected " +
                             std::to_string(min) + " to " +
                             std::to_string(max));
  }
  return found->value;
}

Result<std::span<const std::byte>> Snapshot::Array(
    std::string_view name) const {
  const auto found =
      std::find_if(arrays_.begin(), arrays_.end(),
                   [&](const NamedArray& a) { return a.name == name; });
  if (found == arrays_.end()) return Damaged(name, "is missing");
  return found->bytes;
}

Result<std::span<const std::byte>> Snapshot::Array(std::string_view name,
                                                   uint64_t size_bytes) const {
  TAMIS_ASSIGN_OR_RETURN(const std::span<const std::byte> bytes, Array(name));
  if (bytes.size() != size_bytes) {
    return Damaged(name, "has " + std::to_string(bytes.size()) +
                             " bytes, expected " + std::to_string(size_bytes));
  }
  return bytes;
}

}  // namespace tamis::internal
