#include "tools/common/same_spec.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tamis/any_filter.h"

namespace tamis::tools {
namespace {

// Those that a comparison chooses if they are not given.
constexpr std::array<std::string_view, 6> kSizes = {"r", "f",     "bits",
                                                    "k", "share", "bytes"};

// Returns the spec as the filter writes it; as it is if there is no such one.
Spec Canonical(const Spec& spec) {
  constexpr uint64_t kSlots = 100;
  const Result<AnyFilter> made =
      AnyFilter::Create(spec, kSlots, Hasher(Seed{}));
  return made.ok() ? made->spec() : spec;
}

}  // namespace

bool MeanTheSame(const Spec& one, const Spec& other) {
  if (one == other) return true;
  const bool same_open = std::ranges::all_of(
      kSizes,
      [&](std::string_view name) { return one.Has(name) == other.Has(name); });
  return same_open && one.inner() == other.inner() &&
         Canonical(one) == Canonical(other);
}

std::vector<Spec> WithoutRepetitions(std::span<const Spec> specs) {
  std::vector<Spec> distinct;
  for (const Spec& spec : specs) {
    const bool again = std::ranges::any_of(
        distinct, [&](const Spec& one) { return MeanTheSame(one, spec); });
    if (!again) distinct.push_back(spec);
  }
  return distinct;
}

}  // namespace tamis::tools
