// Judging a number: within which range it must lie, and who says so.

#ifndef TAMIS_LAB_REPRODUCE_JUDGE_H_
#define TAMIS_LAB_REPRODUCE_JUDGE_H_

#include <limits>
#include <string>

#include "tools/report/findings.h"

namespace tamis::tools {

struct Within {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  Limit::From from = Limit::From::kOurs;

  bool Has(double number) const { return number >= low && number <= high; }
  // "0.5x to 2x", "at least 2x", "at most 2x"; `unit` is the "x".
  Limit ToLimit(std::string_view unit) const;
};

// Claims that `number`, which `ours` tells, is within a range.
Claim Judged(std::string text, Said paper, std::string ours, double number,
             const Within& range, std::string_view unit = "x");

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_JUDGE_H_
