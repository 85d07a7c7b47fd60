// The filters that the telescoping paper and the thesis compare, with the
// parameters of their experiments: 8-bit remainders for the quotient filters,
// 11 bits a slot for all others, load 0.95.
//
// The thesis calls TAF the SELQF, exAF the EXTQF and uTAF the USELQF.  Both
// reset a code that overflows, and Cuckooing moves everyone to its next table
// (telescoping paper, A.2); `TAF, refusing` and `Cuckooing, random` are this
// library's defaults.

#ifndef TAMIS_LAB_REPRODUCE_TELESCOPING_FILTERS_H_
#define TAMIS_LAB_REPRODUCE_TELESCOPING_FILTERS_H_

#include <array>
#include <cstddef>
#include <string_view>

namespace tamis::tools {

struct PaperFilter {
  std::string_view name;
  std::string_view spec;
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
};

inline constexpr std::array<PaperFilter, 10> kTelescopingFilters = {{
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
}};
static_assert(kTelescopingFilters[kTafRefusing].spec.ends_with("refuse") &&
                  kTelescopingFilters[kCuckooingOurs].spec == "cuckooing:f=11",
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
