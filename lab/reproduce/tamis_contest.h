// Filters that are filled, and asked for keys that they do not hold.

#ifndef TAMIS_LAB_REPRODUCE_TAMIS_CONTEST_H_
#define TAMIS_LAB_REPRODUCE_TAMIS_CONTEST_H_

#include <cstdint>
#include <span>
#include <string>

#include "tamis/any_filter.h"
#include "tamis/result.h"

namespace tamis::tools {

struct Contender {
  std::string spec;
  double load;
};
struct ContestResult {
  double rate = 0;  // mean over seeds
  double bits_per_key = 0;
  double fixes = 0;
  double forgotten = 0;  // fixes that others had to make room for
};

// A filter of `members` keys that no stream asks for.
Result<AnyFilter> FilledContender(const Contender& contender, uint64_t members,
                                  uint64_t seed);

// Asks all, and adds what happened to `outcome`, one of `seeds`.
Status AskContender(const Contender& contender, uint64_t members, uint64_t seed,
                    std::span<const uint64_t> keys, double seeds,
                    ContestResult& outcome);

std::string AsPercent(double share);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_TAMIS_CONTEST_H_
