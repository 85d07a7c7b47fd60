// Snapshot: the state of a filter as named numbers and named byte arrays.
//
// This is the seam between filters and bytes on disk.  A filter knows what it
// consists of, but not how that is laid out; format/ knows the layout, but not
// what the parts mean:
//
//   filter  --ToSnapshot-->   {spec, hasher, numbers, arrays}  --format--> file
//   filter  <-FromSnapshot--  {spec, hasher, numbers, arrays}  <-format--  file
//
// FromSnapshot must check every number and every length before use: the bytes
// have passed their checksums, but may have been written by anybody.
//
// Arrays are views.  On the way out they point into the filter, on the way in
// into the decoded file; neither is copied here.

#ifndef TAMIS_INTERNAL_FILTERS_SNAPSHOT_H_
#define TAMIS_INTERNAL_FILTERS_SNAPSHOT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tamis/hasher.h"
#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/load_options.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::internal {

class Snapshot {
 public:
  static constexpr int kNewestVersion = 2;
  struct NamedNumber {
    std::string name;
    uint64_t value;
  };
  struct NamedArray {
    std::string name;
    std::span<const std::byte> bytes;
  };

  // What people read leaves out defaults; a file does not, so that it means
  // the same when they change: a filter gives WithDefaults of its spec.
  Snapshot(Spec spec, const Hasher& hasher)
      : spec_(std::move(spec)), hasher_(hasher) {}

  void AddNumber(std::string name, uint64_t value) {
    number_places_.emplace(name, numbers_.size());
    numbers_.push_back({std::move(name), value});
  }
  void AddArray(std::string name, std::span<const std::byte> bytes) {
    array_places_.emplace(name, arrays_.size());
    arrays_.push_back({std::move(name), bytes});
  }
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void AddArray(std::string name, std::span<const T> values) {
    AddArray(std::move(name), std::as_bytes(values));
  }
  // The same for values that the filter does not keep in one array: the
  // snapshot does, for as long as it or a copy of it lives.
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void AddCopy(std::string name, std::vector<T> values) {
    auto kept = std::make_shared<const std::vector<T>>(std::move(values));
    AddArray(std::move(name), std::span<const T>(*kept));
    copies_.push_back(std::move(kept));
  }

  // Adds all of another one as part `number`, its names with that behind them.
  void AddPart(const Snapshot& part, uint64_t number);
  // Returns parts 0 to count - 1, with `spec` and this one's hasher.
  Result<std::vector<Snapshot>> Parts(const Spec& spec, uint64_t count) const;

  const Spec& spec() const { return spec_; }
  const Hasher& hasher() const { return hasher_; }
  const std::vector<NamedNumber>& numbers() const { return numbers_; }
  const std::vector<NamedArray>& arrays() const { return arrays_; }
  // The version of the format that it was read from, or is to be written in.
  int version() const { return version_; }
  void set_version(int version) { version_ = version; }
  // What keeps the arrays alive, for filters that refer to them.
  void set_owner(std::shared_ptr<const void> owner) {
    owner_ = std::move(owner);
  }
  const std::shared_ptr<const void>& owner() const { return owner_; }

  // Older versions lack some of what newer ones have.
  bool HasNumber(const std::string& name) const {
    return number_places_.contains(name);
  }

  // Returns the number of that name; kCorrupt if there is none or it is
  // outside of [min, max].
  Result<uint64_t> Number(std::string_view name, uint64_t min = 0,
                          uint64_t max = ~uint64_t{0}) const;
  // Returns the array of that name; kCorrupt if there is none or its length
  // is not `size_bytes`.
  Result<std::span<const std::byte>> Array(std::string_view name,
                                           uint64_t size_bytes) const;
  // Returns the array of that name, of any length; kCorrupt if there is none.
  Result<std::span<const std::byte>> Array(std::string_view name) const;
  // Returns the values of an array; kCorrupt if its length is not a multiple of
  // theirs.
  template <typename T>
  requires std::is_trivially_copyable_v<T> Result<std::vector<T>> ArrayOf(
      std::string_view name)
  const {
    TAMIS_ASSIGN_OR_RETURN(const auto bytes, Array(name));
    if (bytes.size() % sizeof(T) != 0) {
      return Status(StatusCode::kCorrupt, std::string(name) + " has " +
                                              std::to_string(bytes.size()) +
                                              " bytes, not a multiple of " +
                                              std::to_string(sizeof(T)));
    }
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  // Returns the array of that name, to be copied or mapped as `load` says.
  Result<OuterBytes> Outer(std::string_view name,
                           const LoadOptions& load) const;

 private:
  Spec spec_;
  Hasher hasher_;
  std::vector<NamedNumber> numbers_;
  std::vector<NamedArray> arrays_;
  std::vector<std::shared_ptr<const void>> copies_;  // that arrays_ points to
  std::unordered_map<std::string, size_t> number_places_;
  std::unordered_map<std::string, size_t> array_places_;
  std::shared_ptr<const void> owner_;
  int version_ = kNewestVersion;
};

// The last step of every FromSnapshot: the deep check, if it is asked for.  Of
// a mapped filter it would read all.
template <typename F>
Result<F> CheckedIfAsked(F filter, const LoadOptions& options) {
  if (options.check_invariants && !options.map) {
    TAMIS_RETURN_IF_ERROR(filter.CheckInvariants());
  }
  return filter;
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_SNAPSHOT_H_
