#include "tools/filters/catalogue.h"

#include <array>
#include <string_view>

#include "tamis/any_filter.h"
#include "tamis/spec.h"
#include "tools/compare/budget.h"
#include "tools/compare/cached_filter.h"

namespace tamis::tools {
namespace {

using internal::SpecNotes;

struct Use {
  std::string_view spec;
  std::string_view text;
};

constexpr auto kUses = std::to_array<Use>({
    {"rsqf", "fast look-ups at any rate, and keys can be erased"},
    {"taf", "queries that repeat, also those that an adversary chooses"},
    {"exaf", "queries that repeat; what it was told of stays fixed"},
    {"utaf", "taf without compression, to compare with"},
    {"cuckoo", "few bits a key, fast look-ups, erasing without the keys"},
    {"cuckoo:k=4", "the cuckoo tables of the papers, to compare with"},
    {"vacuum", "as cuckoo, in tables far larger than the caches"},
    {"cyclic", "queries that repeat; entries stay where they are"},
    {"swapping", "queries that repeat; entries stay in their line"},
    {"cuckooing", "queries that repeat; mostly the lowest rate of all"},
    {"bloom", "the lowest rate of a plain filter at few bits a key"},
    {"bloom1", "one memory access a look-up, few bits a key"},
    {"bloomj", "nearly the rate of bloom, with narrow words"},
    {"blocked", "the fastest look-ups"},
    {"abf", "queries that repeat, one memory access a look-up"},
    {"abf-counting", "the same, and keys can be erased"},
    {"abfj", "between abf and abfbits, in accesses and in its rate"},
    {"abfbits", "the lowest adaptive rate at 8 bits a key, k accesses"},
    {"sacrifice", "grows, and loses a bit a key each time; to compare with"},
    {"chain-linear", "grows by filters of equal size, to compare with"},
    {"chain", "grows by filters of twice the size, to compare with"},
    {"chain-growing", "chain with longer fingerprints, to compare with"},
    {"infini", "sets whose size nobody knows"},
    {"infini-growing", "the same at a rate that stays, with wider slots"},
});

constexpr std::string_view kCachedUse =
    "a plain filter that caches its mistakes, to compare with";

Result<FilterInfo> Describe(const Use& use) {
  constexpr uint64_t kSlots = 1000;
  TAMIS_ASSIGN_OR_RETURN(const Spec spec, Spec::Parse(use.spec));
  const SpecNotes notes;
  TAMIS_ASSIGN_OR_RETURN(const AnyFilter filter,
                         AnyFilter::Create(spec, kSlots, Hasher(Seed{})));
  return FilterInfo{std::string(use.spec), std::string(use.text),
                    filter.capabilities(), notes.ParametersOf(spec.name())};
}

// Its parameters are those of a budget, and it can do what a cache can.
Result<FilterInfo> DescribeCached() {
  constexpr Budget kBudget{.keys = 1000, .bits_per_key = 16};
  TAMIS_ASSIGN_OR_RETURN(const Spec spec, Spec::Parse("cached(rsqf)"));
  TAMIS_ASSIGN_OR_RETURN(const AnyFilter filter,
                         CreateComparable(spec, kBudget.keys, Hasher(Seed{})));
  const SpecNotes notes;  // not of the above, which reads what was chosen
  TAMIS_RETURN_IF_ERROR(FitToBudget(spec, kBudget).status());
  return FilterInfo{"cached(SPEC)", std::string(kCachedUse),
                    filter.capabilities(), notes.ParametersOf(spec.name()),
                    /*only_compared=*/true};
}

}  // namespace

Result<std::vector<FilterInfo>> DescribeFilters() {
  std::vector<FilterInfo> all;
  for (const Use& use : kUses) {
    TAMIS_ASSIGN_OR_RETURN(FilterInfo one, Describe(use));
    all.push_back(std::move(one));
  }
  TAMIS_ASSIGN_OR_RETURN(FilterInfo cached, DescribeCached());
  all.push_back(std::move(cached));
  return all;
}

}  // namespace tamis::tools
