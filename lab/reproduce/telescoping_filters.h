// The filters that the telescoping paper and the thesis compare, with the
// parameters of their experiments: 8-bit remainders for the quotient filters,
// 11 bits a slot for all others, load 0.95.
//
// The thesis calls TAF the SELQF, exAF the EXTQF and uTAF the USELQF.  Both
// reset a code that overflows, and Cuckooing moves everyone to its next table
// (telescoping paper, A.2); `TAF, refusing` and `Cuckooing, random` are this
// library's defaults.  Beside them stand exAF with the broom filter's traits (it
// adapts on inserts, and rehashes when codes are half full) and a filter that
// does not adapt, with a top-k cache of its mistakes in the memory that TAF spends
// on codes (Bender et al., whom the papers cite, compare these two).

#ifndef TAMIS_LAB_REPRODUCE_TELESCOPING_FILTERS_H_
#define TAMIS_LAB_REPRODUCE_TELESCOPING_FILTERS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tamis::tools {

struct PaperFilter {
  std::string_view name;
  std::string_view spec;
  // If not 0, so much times the keys, but not less than `least`, ends the spec.
  double per_key = 0;
  uint64_t least = 1;

  uint64_t NumberFor(uint64_t keys) const {
    const double number = per_key * static_cast<double>(keys);
    return std::max(static_cast<uint64_t>(number), least);
  }
  // The spec for a set of so many keys.
  std::string SpecFor(uint64_t keys) const {
    if (per_key == 0) return std::string(spec);
    return std::string(spec) + std::to_string(NumberFor(keys));
  }
};

// Indices into kTelescopingFilters.
enum TelescopingFilter : size_t {
  kTaf,
  kExaf,
  kAcf1,
  kAcf2,
  kAcf3,
  kSwapping,
  kCuckooing,
  kStatic,
  // None of the papers'; ours, beside them.
  kTafRefusing,
  kCuckooingOurs,
  kBroom,
  kTopK,
};

inline constexpr std::array<PaperFilter, 12> kTelescopingFilters = {{
    {"TAF", "taf:r=8,overflow=reset"},
    {"exAF", "exaf:r=8,overflow=reset"},
    {"ACF1", "cyclic:f=10,s=1"},
    {"ACF2", "cyclic:f=9,s=2"},
    {"ACF3", "cyclic:f=8,s=3"},
    {"Swapping", "swapping:f=11"},
    {"Cuckooing", "cuckooing:f=11,move=next,fingerprints=table"},
    {"static cuckoo", "cuckoo:f=11,k=4,b=1"},
    {"TAF, refusing", "taf:r=8,overflow=refuse"},
    {"Cuckooing, random", "cuckooing:f=11"},
    {"exAF, broom", "exaf:r=8,overflow=reset,insert=adapt,rehash=", 1.0 / 18},
    {"RSQF, top-k cache",
     "cached(rsqf:r=8):policy=topk,bytes=", 0.875 / 8 / 0.95, 168},
}};
static_assert(kTelescopingFilters[kTafRefusing].spec.ends_with("refuse") &&
                  kTelescopingFilters[kCuckooingOurs].spec ==
                      "cuckooing:f=11" &&
                  kTelescopingFilters[kTopK].spec.starts_with("cached"),
              "the enumerators are the places in the list");

// Every way to go on when a code is full.
inline constexpr std::array<std::string_view, 5> kOverflowSpecs = {
    "taf:r=8,overflow=refuse", "taf:r=8,overflow=evict",
    "taf:r=8,overflow=reset", "exaf:r=8", "utaf:r=8"};

// The memory that the authors' TAF takes at load 0.95, bits a key: 12 bits a
// slot, because its blocks spend 8 bytes on an offset that the papers count
// as one.  Here all filters are compared at this budget too.
inline constexpr double kHonestBitsPerKey = 12.63;

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_TELESCOPING_FILTERS_H_
