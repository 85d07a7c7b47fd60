#include "tools/compare/attack.h"

#include <algorithm>
#include <vector>

#include "tools/common/interrupt.h"
#include "tools/compare/teacher.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kTriesPerKey = 40;
constexpr uint64_t kLeastTries = 20'000;
constexpr uint64_t kMostTries = 4'000'000;
constexpr int kRounds = 4;

// Keys of nobody: whole hashes, drawn from their own generator.
KeyHash StrangeKey(uint64_t number) {
  static const Hasher kStranger(Seed{.low = 0x57a9e, .high = 0x9a77e9});
  return kStranger.Hash(number);
}

// Tells of all that pass, in turn; returns how many did.
Result<uint64_t> AskAgain(const AnyFilter& filter, Teacher& teacher,
                          const std::vector<KeyHash>& wrong) {
  uint64_t passed = 0;
  for (const KeyHash hash : wrong) {
    if (!filter.MayContain(hash)) continue;
    ++passed;
    if (teacher.learns()) TAMIS_RETURN_IF_ERROR(teacher.Tell(hash).status());
  }
  return passed;
}

}  // namespace

Result<AttackResult> Attack(AnyFilter& filter, const HashedStream& hashed,
                            KeysIn keys_in) {
  Teacher teacher(filter, hashed.sorted_members, keys_in);
  AttackResult result;
  result.tried =
      std::clamp(kTriesPerKey * hashed.members.size(), kLeastTries, kMostTries);
  std::vector<KeyHash> wrong;
  for (uint64_t i = 0; i < result.tried; ++i) {
    const KeyHash hash = StrangeKey(i);
    if (filter.MayContain(hash)) wrong.push_back(hash);
  }
  result.passed = wrong.size();
  for (int i = 0; i < kRounds && !InterruptRequested(); ++i) {
    TAMIS_ASSIGN_OR_RETURN(result.still, AskAgain(filter, teacher, wrong));
  }
  return result;
}

}  // namespace tamis::tools
