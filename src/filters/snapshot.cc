#include "tamis/internal/filters/snapshot.h"

namespace tamis::internal {
namespace {

Status Damaged(std::string_view name, const std::string& why) {
  return {StatusCode::kCorrupt, "'" + std::string(name) + "' " + why};
}

}  // namespace

Result<uint64_t> Snapshot::Number(std::string_view name, uint64_t min,
                                  uint64_t max) const {
  const auto found = number_places_.find(std::string(name));
  if (found == number_places_.end()) return Damaged(name, "is missing");
  const uint64_t value = numbers_[found->second].value;
  if (value < min || value > max) {
    return Damaged(name, "is " + std::to_string(value) + ", expected " +
                             std::to_string(min) + " to " +
                             std::to_string(max));
  }
  return value;
}

Result<std::span<const std::byte>> Snapshot::Array(
    std::string_view name) const {
  const auto found = array_places_.find(std::string(name));
  if (found == array_places_.end()) return Damaged(name, "is missing");
  return arrays_[found->second].bytes;
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

Result<OuterBytes> Snapshot::Outer(std::string_view name,
                                   const LoadOptions& load) const {
  TAMIS_ASSIGN_OR_RETURN(OuterBytes outer, Array(name));
  outer.map = load.map;
  outer.owner = owner_;
  return outer;
}

}  // namespace tamis::internal
