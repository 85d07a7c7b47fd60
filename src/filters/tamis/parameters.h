// What the spec of a tamis filter may have.

#ifndef TAMIS_FILTERS_TAMIS_PARAMETERS_H_
#define TAMIS_FILTERS_TAMIS_PARAMETERS_H_

#include <array>
#include <span>

#include "filters/growing/threshold.h"
#include "tamis/parameter.h"
#include "tamis/tamis_filter.h"

namespace tamis::internal {

inline constexpr Parameter kTamisParameters[] = {
    WholeNumber("f", 12, {3, 40},
                "bits of a new fingerprint: one more halves the rate"),
    OneOf("grow", "yes|no",
          "whether it grows; if not, the same bits give half the rate"),
    WholeNumber("steps", 3, {1, 4},
                "steps in which it grows to twice its size"),
    OneOf("members", "mirror|caller|source",
          "who knows the members when it adapts"),
    Number("extensions", 2, {0, 64},
           "bits a key to remember mistakes with, at most"),
    Number("threshold", 0.9, {kMinThreshold, kMaxThreshold},
           "the load at which it grows"),
    OneOf("rejuvenate", "no|all",
          "whether doubling gives every member a whole fingerprint again")};

// The same and how it is cut into shards.
inline constexpr auto kShardedTamisParameters = [] {
  std::array<Parameter, std::size(kTamisParameters) + 2> all = {};
  size_t i = 0;
  for (const Parameter& parameter : kTamisParameters) all[i++] = parameter;
  all[i++] = OneOf("shards", "one|split",
                   "one table, or shards that split: no insert waits long");
  all[i] = OneOf("threads", "no|yes",
                 "whether many threads may read and write at once");
  return all;
}();

// What a spec says, by either declaration; and back, without defaults.
Result<TamisFilter::Options> TamisOptionsFrom(
    const Spec& spec, uint64_t slots, std::span<const Parameter> declared);
Spec TamisSpecOf(const TamisFilter::Options& options);

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_TAMIS_PARAMETERS_H_
