// Growth: what a filter is worth that began small.
//
// A comparison makes every filter for the number of keys that it will have.  A
// set whose size nobody knows gets another one: made for a thousandth of the
// keys, which come one by one.  Its fingerprints have become shorter on the way,
// or its tables emptier, and that is what is measured here.

#ifndef TAMIS_TOOLS_COMPARE_GROWTH_H_
#define TAMIS_TOOLS_COMPARE_GROWTH_H_

#include <cstdint>
#include <optional>

#include "tamis/result.h"
#include "tamis/spec.h"
#include "tools/compare/budget.h"
#include "tools/compare/keys_in.h"
#include "tools/compare/query_stream.h"
#include "tools/compare/stream_run.h"

namespace tamis::tools {

struct GrownFilter {
  Spec wanted;
  Spec spec;
  uint64_t from_keys = 0;         // it was made for
  double total_bits_per_key = 0;  // with all keys, everything counted
  bool learns = false;
  StreamRun run;
};

// Grows the filter that `wanted` names, and asks it the stream.  The width it
// leaves open is the widest that stays within the budget when it has grown, or
// else the one that takes the least memory.  None if it does not grow.
Result<std::optional<GrownFilter>> RunGrown(const Spec& wanted,
                                            const Budget& budget,
                                            const HashedStream& hashed,
                                            KeysIn keys_in);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_GROWTH_H_
