// FilterStats: what every filter reports of itself.

#ifndef TAMIS_FILTER_STATS_H_
#define TAMIS_FILTER_STATS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tamis/internal/base/cxx20.h"

namespace tamis {

struct FilterStats {
  uint64_t size = 0;        // keys in the set, with multiplicity
  uint64_t capacity = 0;    // keys it can hold as it is now
  uint64_t size_bits = 0;   // memory of everything that a look-up needs
  uint64_t side_bits = 0;   // memory beside it: mirrors, external words
  double expected_fpr = 0;  // by the formula, for a random absent key, now
  // What only this kind of filter counts, such as {"adapts", 17}.
  std::vector<std::pair<std::string, double>> details;

  double BitsPerKey() const { return PerKey(size_bits); }
  double SideBitsPerKey() const { return PerKey(side_bits); }

 private:
  double PerKey(uint64_t bits) const {
    return size == 0 ? 0
                     : static_cast<double>(bits) / static_cast<double>(size);
  }
};

}  // namespace tamis

#endif  // TAMIS_FILTER_STATS_H_
