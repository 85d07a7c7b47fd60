// Sweep: the same comparison at several sizes, to say how many bits to take.
//
//   --bits-per-key 12.6       one size
//   --bits-per-key 8..20      from 8 to 20 bits, in steps of 1
//   --bits-per-key 8..20:2    in steps of 2
//   --bits-per-key 8,10,12.6  these
//
// The size to take is the smallest at which no more than a hundredth of the
// reads that are needed anyway are wasted besides; if none is large enough, the
// largest.

#ifndef TAMIS_TOOLS_COMPARE_SWEEP_H_
#define TAMIS_TOOLS_COMPARE_SWEEP_H_

#include <string>
#include <string_view>
#include <vector>

#include "tamis/result.h"
#include "tools/compare/compare.h"
#include "tools/compare/recommend.h"
#include "tools/report/findings.h"

namespace tamis::tools {

// Reads what --bits-per-key says: sizes, ascending, at most 64 of them.
Result<std::vector<double>> ParseBits(std::string_view text);

// One size, and the answer to it.
struct SweepPoint {
  double bits_per_key = 0;  // the budget
  Recommendation recommendation;
  Comparison comparison;
};

// Returns which of the points to take.  REQUIRES: !points.empty()
size_t ChooseSize(const std::vector<SweepPoint>& points);

// Says how many bits to take, and what more or fewer would do.
std::string AboutSizes(const std::vector<SweepPoint>& points, size_t chosen);

// "bits a key", "filter", "FPR %", "wasted reads", ...
ResultTable SweepTable(const std::vector<SweepPoint>& points);

// Rates over all bits a key, of the best filter of each family at each size,
// and of those that no other beats in both.
Chart ParetoChart(const std::vector<SweepPoint>& points);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_SWEEP_H_
