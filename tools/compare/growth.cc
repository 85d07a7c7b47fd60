#include "tools/compare/growth.h"

#include <algorithm>
#include <utility>

#include "tamis/any_filter.h"
#include "tamis/kind.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kTimes = 1000;  // it grows by
constexpr uint64_t kWidest = 24;
constexpr uint64_t kNarrowest = 4;

// A filter that has grown to hold all members.
struct Grown {
  AnyFilter filter;
  double total_bits_per_key;
};

Result<Grown> Grow(const Spec& spec, uint64_t from_keys,
                   const HashedStream& hashed) {
  TAMIS_ASSIGN_OR_RETURN(
      AnyFilter filter,
      AnyFilter::Create(spec, {.keys = from_keys, .hasher = hashed.hasher}));
  TAMIS_RETURN_IF_ERROR(filter.InsertEach(hashed.members));
  const FilterStats stats = filter.stats();
  const double total = stats.BitsPerKey() + stats.SideBitsPerKey();
  return Grown{std::move(filter), total};
}

}  // namespace

Result<std::optional<GrownFilter>> RunGrown(const Spec& wanted,
                                            const Budget& budget,
                                            const HashedStream& hashed,
                                            KeysIn keys_in) {
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(wanted));
  const Spec spec = SpecFor(wanted, keys_in);
  if (!kind->capabilities.expand) return std::optional<GrownFilter>();
  const uint64_t from_keys =
      std::max<uint64_t>(1, hashed.members.size() / kTimes);
  // The wider, the larger: halve what is left until the widest that fits is
  // found.  The narrowest is kept if none does.
  const auto of_width = [&](uint64_t width) {
    Spec one = spec;
    if (!spec.Has(kind->open)) one.Set(kind->open, width);
    return Grow(one, from_keys, hashed);
  };
  const double most = budget.bits_per_key * (1 + kBudgetSlack);
  std::optional<Grown> best;
  bool best_fits = false;
  uint64_t low = kNarrowest;
  uint64_t high = spec.Has(kind->open) ? kNarrowest : kWidest;
  while (low <= high) {
    const uint64_t width = (low + high) / 2;
    Result<Grown> grown = of_width(width);
    const bool fits = grown.ok() && grown->total_bits_per_key <= most;
    if (grown.ok() && (fits || !best_fits)) {
      best.emplace(std::move(grown).value());
    }
    best_fits |= fits;
    if (fits) {
      low = width + 1;
    } else {
      high = width - 1;
    }
  }
  if (best && !best->filter.capabilities().expand) best.reset();
  if (!best) return std::optional<GrownFilter>();
  GrownFilter result{.wanted = wanted,
                     .spec = best->filter.spec(),
                     .from_keys = from_keys,
                     .total_bits_per_key = best->total_bits_per_key,
                     .learns = CanLearn(best->filter, keys_in),
                     .run = {}};
  TAMIS_ASSIGN_OR_RETURN(result.run, RunStream(best->filter, hashed, keys_in));
  return std::optional(std::move(result));
}

}  // namespace tamis::tools
