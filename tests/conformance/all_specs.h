// Every filter, once.  A new kind joins the conformance suite, the golden files
// and the corruption tests by its row (kind.h), with its defaults.  A line here
// adds other parameters, and where needed the number of slots and the honest
// limits of a formula; a kind with a line is not tested with its defaults.
//
//   {.spec = "rsqf:r=8"},
//
// After that, TAMIS_UPDATE_GOLDEN=1 writes its golden file, to be committed.

#ifndef TAMIS_TESTS_CONFORMANCE_ALL_SPECS_H_
#define TAMIS_TESTS_CONFORMANCE_ALL_SPECS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/exact_filter.h"
#include "tamis/any_filter.h"
#include "tamis/internal/filters/any_filter_model.h"
#include "tamis/kind.h"
#include "tamis/serialize.h"

namespace tamis::testing {

// How AnyFilter finds a kind; the reference filter is not in the registry.
struct Maker {
  Result<AnyFilter> (*create)(const Spec&, uint64_t slots, const Hasher&);
  Result<AnyFilter> (*load)(std::span<const std::byte> bytes);
};

inline const Maker kRegistered = {
    [](const Spec& spec, uint64_t slots, const Hasher& hasher) {
      return AnyFilter::Create(spec, slots, hasher);
    },
    [](std::span<const std::byte> bytes) { return DeserializeAny(bytes); }};

inline Result<AnyFilter> Carry(Result<ExactFilter> filter) {
  if (!filter.ok()) return filter.status();
  return AnyFilter(std::make_unique<internal::AnyFilterModel<ExactFilter>>(
      std::move(filter).value()));
}

inline const Maker kReference = {
    [](const Spec& spec, uint64_t slots, const Hasher& hasher) {
      return Carry(ExactFilter::Create(spec, slots, hasher));
    },
    [](std::span<const std::byte> bytes) {
      return Carry(Deserialize<ExactFilter>(bytes));
    }};

struct ConformanceCase {
  std::string_view spec;
  uint64_t slots = 2000;
  // By how much, relatively, ExpectedFpr's formula may be off.  Not 0 only
  // where the filter's header says that it is an approximation, and why, or
  // where filters of so few words differ by it among themselves: the rate of
  // 250 words of 64 bits, 8 keys in each on average, varies by 7 %.
  double fpr_slack = 0;
  const Maker* kind = &kRegistered;
};

inline std::vector<ConformanceCase> ChosenSpecs() {
  return {
      {.spec = "exact", .kind = &kReference},
      {.spec = "exact:bits=20", .kind = &kReference},
      {.spec = "rsqf:r=8"},
      {.spec = "rsqf:r=5"},
      {.spec = "rsqf:r=10"},
      {.spec = "rsqf:r=16"},
      {.spec = "bloom:bits=12,k=8", .fpr_slack = 0.03},
      {.spec = "bloom1:bits=8,k=4,w=64", .fpr_slack = 0.1},
      {.spec = "bloom1:bits=12,k=6,w=128", .fpr_slack = 0.05},
      {.spec = "bloomj:bits=8,k=4,j=2,w=64", .fpr_slack = 0.1},
      {.spec = "blocked:bits=12", .fpr_slack = 0.05},
      {.spec = "abf:bits=8,k=4,sets=4", .fpr_slack = 0.1},
      {.spec = "abf:bits=8,k=4,sets=2,copies=others", .fpr_slack = 0.1},
      {.spec = "abf-counting:bits=8,k=4,sets=4", .fpr_slack = 0.1},
      {.spec = "abfj:bits=8,k=4,j=2,sets=4", .fpr_slack = 0.1},
      {.spec = "abfbits:bits=8,k=5,sets=4", .fpr_slack = 0.1},
      {.spec = "cuckoo:f=8"},
      {.spec = "cuckoo:f=12,k=4,b=1"},
      {.spec = "cuckoo:f=12,k=2,b=4"},
      {.spec = "vacuum:f=9"},
      {.spec = "cyclic:f=8,s=1"},
      {.spec = "cyclic:f=8,s=3"},
      {.spec = "swapping:f=8"},
      {.spec = "cuckooing:f=8"},
      {.spec = "cuckooing:f=20,k=3,b=2"},
      {.spec = "cuckooing:f=8,move=paper,rebuild=auto"},
      {.spec = "cuckooing:f=8,move=next,fingerprints=table"},
      {.spec = "taf:r=8"},
      {.spec = "taf:r=4,overflow=reset"},
      {.spec = "taf:r=11,overflow=evict,c=20"},
      {.spec = "taf:r=16"},
      {.spec = "taf:r=8,overflow=evict,code=24"},
      {.spec = "taf:r=5,overflow=reset,code=128,x=1,y=2"},
      {.spec = "exaf:r=8"},
      {.spec = "exaf:r=5,overflow=reset,insert=adapt"},
      {.spec = "exaf:r=9,rehash=50"},
      {.spec = "utaf:r=8"},
      {.spec = "sacrifice:f=12"},
      {.spec = "chain-linear:f=9"},
      {.spec = "chain:f=9"},
      {.spec = "chain-growing:f=9"},
      {.spec = "infini:f=12"},
      {.spec = "infini:f=4"},
      {.spec = "infini:f=8,chain=none"},
      {.spec = "infini:f=5,chain=duplicate"},
      {.spec = "infini:f=20,threshold=0.95"},
      {.spec = "infini-growing:f=6"},
      {.spec = "tamis:f=12"},
      {.spec = "tamis:f=4,steps=2"},
      {.spec = "tamis:f=8,grow=no"},
      {.spec = "tamis:f=5,steps=1,extensions=32,rejuvenate=all"},
      {.spec = "fuse:f=8"},
      {.spec = "fuse:f=16"},
      {.spec = "cached(rsqf:r=6):bytes=1000,policy=lru"},
      {.spec = "cached(cuckoo:f=7):bytes=1000,policy=clock"},
      {.spec = "cached(bloom:bits=8,k=5):bytes=1000,policy=topk",
       .fpr_slack = 0.03},
      {.spec = "tamis:f=8,shards=split"},
      {.spec = "tamis:f=8,threads=yes"},
  };
}

inline std::vector<ConformanceCase> AllSpecs() {
  std::vector<ConformanceCase> all = ChosenSpecs();
  for (const Kind& kind : AllKinds()) {
    const bool chosen = std::ranges::any_of(all, [&](const auto& one) {
      const auto found = FindKind(Spec::Parse(one.spec).value());
      return found.ok() && *found == &kind;
    });
    if (!chosen) all.push_back({.spec = kind.ShortestSpec()});
  }
  return all;
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_CONFORMANCE_ALL_SPECS_H_
