#include "tamis/internal/filters/snapshot.h"

#include <charconv>
#include <string>
#include <system_error>

namespace tamis::internal {
namespace {

Status Damaged(std::string_view name, const std::string& why) {
  return {StatusCode::kCorrupt, "'" + std::string(name) + "' " + why};
}

// Splits "lines.17" into "lines" and 17; the second is kNoPart if it is no part.
struct PartName {
  std::string_view name;
  uint64_t number;
};
constexpr uint64_t kNoPart = ~uint64_t{0};
PartName ReadPartName(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {name, kNoPart};
  uint64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + dot + 1, end, number);
  if (read.ec != std::errc() || read.ptr != end) return {name, kNoPart};
  return {name.substr(0, dot), number};
}

}  // namespace

void Snapshot::AddPart(const Snapshot& part, uint64_t number) {
  const std::string behind = "." + std::to_string(number);
  for (const NamedNumber& one : part.numbers_) {
    AddNumber(one.name + behind, one.value);
  }
  for (const NamedArray& one : part.arrays_) {
    AddArray(one.name + behind, one.bytes);
  }
  copies_.insert(copies_.end(), part.copies_.begin(), part.copies_.end());
}

Result<std::vector<Snapshot>> Snapshot::Parts(const Spec& spec,
                                              uint64_t count) const {
  // Each part has a number or an array of its own: no more parts than those.
  if (count > numbers_.size() + arrays_.size()) {
    return Damaged("parts", "are " + std::to_string(count) +
                                ", more than there are names");
  }
  std::vector<Snapshot> parts(count, Snapshot(spec, hasher_));
  for (const NamedNumber& one : numbers_) {
    const PartName name = ReadPartName(one.name);
    if (name.number < count) {
      parts[name.number].AddNumber(std::string(name.name), one.value);
    }
  }
  for (const NamedArray& one : arrays_) {
    const PartName name = ReadPartName(one.name);
    if (name.number < count) {
      parts[name.number].AddArray(std::string(name.name), one.bytes);
    }
  }
  for (Snapshot& part : parts) {
    part.version_ = version_;
    part.owner_ = owner_;
  }
  return parts;
}

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
