// EXISTS and MEXISTS of all families.

#include <algorithm>
#include <array>
#include <span>

#include "redis/commands.h"
#include "redis/shards.h"

namespace tamis::redis {
namespace {

// Look-ups that overlap.
constexpr int kBatch = 64;

// BF and CF say no of a key that is missing or of another type, as their clients
// expect; to AF both are errors.  What is being loaded may contain everything.
template <Family family>
const char* Problem(const Target& target) {
  if (family != Family::kAdaptive || target.value() != nullptr) return nullptr;
  return target.Problem("ERR not found");
}

int AnswerAll(const Call& call, int items, bool answer) {
  for (int i = 0; i < items; ++i) call.Bool(answer);
  return kOk;
}

void AnswerBatch(const Call& call, const Value& value, int first, int count) {
  std::array<KeyHash, kBatch> hashes;
  std::array<bool, kBatch> found;
  const auto size = static_cast<size_t>(count);
  for (int i = 0; i < count; ++i) {
    hashes[static_cast<size_t>(i)] = value.Hash(call[first + i]);
  }
  value.MayContain(std::span(hashes).first(size), std::span(found).first(size));
  for (size_t i = 0; i < size; ++i) call.Bool(found[i]);
}

template <Family family>
int Exists(Call& call) {
  if (call.size() != 3) return call.WrongArity();
  const Target target(call, family, kRead);
  const Value* value = target.value();
  if (const char* problem = Problem<family>(target)) {
    return call.Error(problem);
  }
  if (value == nullptr) return call.Bool(false);
  if (!value->is_complete()) return call.Bool(true);
  if (const char* problem = ShardProblem(call, *value, 2, 3)) {
    return call.Error(problem);
  }
  return call.Bool(value->MayContain(value->Hash(call[2])));
}

template <Family family>
int MExists(Call& call) {
  if (call.size() < 3) return call.WrongArity();
  const Target target(call, family, kRead);
  const Value* value = target.value();
  const int items = call.size() - 2;
  const char* problem = Problem<family>(target);
  if (value != nullptr) {
    problem = ShardProblem(call, *value, 2, call.size());
  }
  if (problem != nullptr) return call.Error(problem);
  call.Array(static_cast<size_t>(items));
  if (value == nullptr) return AnswerAll(call, items, false);
  if (!value->is_complete()) return AnswerAll(call, items, true);
  for (int i = 0; i < items; i += kBatch) {
    AnswerBatch(call, *value, 2 + i, std::min(kBatch, items - i));
  }
  return kOk;
}

}  // namespace

CommandFunction const kBfExists = Run<Exists<Family::kBloom>>;
CommandFunction const kBfMExists = Run<MExists<Family::kBloom>>;
CommandFunction const kCfExists = Run<Exists<Family::kCuckoo>>;
CommandFunction const kCfMExists = Run<MExists<Family::kCuckoo>>;
CommandFunction const kAfExists = Run<Exists<Family::kAdaptive>>;
CommandFunction const kAfMExists = Run<MExists<Family::kAdaptive>>;

}  // namespace tamis::redis
