// The filters whose speed the telescoping paper and the thesis compare, and two
// that they do not have, made so that what is compared is the coding:
//
//   TAF            looks at the windows first, and decodes where one is equal
//   TAF, decoding  as the papers': decodes a group on every look-up that finds
//                  its home in use
//   uTAF           as the papers': reads the selector of every slot of the run
//   uTAF, screened looks at the windows first, like our TAF
//
// Names in specs: taf-decoding and utaf-screened, known here only.

#ifndef TAMIS_LAB_REPRODUCE_TIMED_FILTERS_H_
#define TAMIS_LAB_REPRODUCE_TIMED_FILTERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lab/reproduce/telescoping_filters.h"
#include "tamis/any_filter.h"
#include "tamis/hasher.h"
#include "tamis/result.h"

namespace tamis::tools {

// Indices into kTimedFilters.
enum TimedFilter : size_t {
  kTaf8,
  kDecodingTaf8,
  kExaf8,
  kUtaf8,
  kScreenedUtaf8,
  kRsqf8,
  kVacuum11,
};
inline constexpr std::array<PaperFilter, 7> kTimedFilters = {{
    {"TAF", "taf:r=8,overflow=reset"},
    {"TAF, decoding", "taf-decoding:r=8,overflow=reset"},
    {"exAF", "exaf:r=8,overflow=reset"},
    {"uTAF", "utaf:r=8"},
    {"uTAF, screened", "utaf-screened:r=8"},
    {"RSQF", "rsqf:r=8"},
    {"vacuum", "vacuum:f=11"},
}};

// Makes one of them, empty.
Result<AnyFilter> CreateTimed(std::string_view spec, uint64_t slots,
                              const Hasher& hasher);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_TIMED_FILTERS_H_
