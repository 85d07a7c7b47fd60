#include "lab/reproduce/tamis_contest.h"

#include <fmt/format.h>

#include <vector>

#include "lab/reproduce/count_mistakes.h"
#include "tamis/filter_stats.h"
#include "workloads/random.h"

namespace tamis::tools {

using workloads::DistinctKey;

Result<AnyFilter> FilledContender(const Contender& contender, uint64_t members,
                                  uint64_t seed) {
  const auto slots =
      static_cast<uint64_t>(static_cast<double>(members) / contender.load) + 1;
  TAMIS_ASSIGN_OR_RETURN(
      AnyFilter filter,
      AnyFilter::Create(contender.spec, slots, Hasher(Seed{seed, ~seed})));
  for (uint64_t i = 0; i < members; ++i) {
    TAMIS_RETURN_IF_ERROR(
        filter.Insert(filter.hasher().Hash(DistinctKey(~seed, i))));
  }
  return filter;
}

Status AskContender(const Contender& contender, uint64_t members, uint64_t seed,
                    std::span<const uint64_t> keys, double seeds,
                    ContestResult& outcome) {
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         FilledContender(contender, members, seed));
  std::vector<KeyHash> queries;
  queries.reserve(keys.size());
  for (const uint64_t key : keys) queries.push_back(filter.hasher().Hash(key));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t wrong, CountMistakes(filter, queries));
  outcome.rate +=
      static_cast<double>(wrong) / static_cast<double>(keys.size()) / seeds;
  const FilterStats stats = filter.stats();
  outcome.bits_per_key += stats.BitsPerKey() / seeds;
  for (const auto& [name, value] : stats.details) {
    if (name == "fixes") outcome.fixes += value / seeds;
    if (name == "forgotten") outcome.forgotten += value / seeds;
  }
  return {};
}

std::string AsPercent(double share) {
  return fmt::format("{:.4f} %", 100 * share);
}

}  // namespace tamis::tools
