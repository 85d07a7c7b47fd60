// Attack: what a filter is worth to somebody who wants it to be wrong.
//
// The attacker asks for many keys that are not in the set, keeps those that
// pass, and asks for them again and again.  A filter that never learns passes
// all of them every time.  One that does is told of each mistake, for a few
// rounds; what still passes in the last one is what it has forgotten, or could
// not fix.

#ifndef TAMIS_TOOLS_COMPARE_ATTACK_H_
#define TAMIS_TOOLS_COMPARE_ATTACK_H_

#include <cstdint>

#include "tamis/any_filter.h"
#include "tamis/result.h"
#include "tools/compare/keys_in.h"
#include "tools/compare/query_stream.h"

namespace tamis::tools {

struct AttackResult {
  uint64_t tried = 0;   // keys
  uint64_t passed = 0;  // of these, at first
  uint64_t still = 0;   // of those, in the last round

  double ShareStill() const {
    return passed == 0
               ? 0
               : static_cast<double>(still) / static_cast<double>(passed);
  }
};

// Attacks `filter`, which holds the stream's members, and changes it.
Result<AttackResult> Attack(AnyFilter& filter, const HashedStream& hashed,
                            KeysIn keys_in);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_ATTACK_H_
