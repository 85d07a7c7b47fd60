#include "tamis/internal/base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tamis::internal {
namespace {

// The distance of Damerau and Levenshtein, by rows: `now[j]` is that of the
// first letters of `a`, as many as the row's number, and the first j of `b`.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string_view NearestName(std::string_view word,
                             std::span<const std::string_view> names) {
  constexpr size_t kLongest = 64;  // a longer one is no mistyped name
  if (word.size() > kLongest) return {};
  std::string_view nearest;
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string_view name : names) {
    const size_t distance = Distance(word, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

std::string DidYouMean(std::string_view word,
                       std::span<const std::string_view> names) {
  const std::string_view nearest = NearestName(word, names);
  if (nearest.empty()) return "";
  return " (did you mean '" + std::string(nearest) + "'?)";
}

}  // namespace tamis::internal
