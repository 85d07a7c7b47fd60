#include "lab/reproduce/judge.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace tamis::tools {

Limit Within::ToLimit(std::string_view unit) const {
  if (std::isinf(high))
    return {fmt::format("at least {:g}{}", low, unit), from};
  if (std::isinf(low)) return {fmt::format("at most {:g}{}", high, unit), from};
  return {fmt::format("{:g}{} to {:g}{}", low, unit, high, unit), from};
}

Claim Judged(std::string text, Said paper, std::string ours, double number,
             const Within& range, std::string_view unit) {
  return {std::move(text), std::move(paper), std::move(ours),
          range.ToLimit(unit), range.Has(number)};
}

}  // namespace tamis::tools
