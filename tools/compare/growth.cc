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
  const bool open = !spec.Has(kind->open);
  std::optional<Grown> best;
  for (uint64_t width = kWidest; width >= kNarrowest; --width) {
    Spec one = spec;
    if (open) one.Set(kind->open, width);
    Result<Grown> grown = Grow(one, from_keys, hashed);
    if (grown.ok() && grown->filter.capabilities().expand &&
        (!best || grown->total_bits_per_key < best->total_bits_per_key)) {
      best.emplace(std::move(grown).value());
    }
    const bool fits = best && best->total_bits_per_key <=
                                  budget.bits_per_key * (1 + kBudgetSlack);
    if (fits || !open) break;
  }
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
