// BF.*: RedisBloom's Bloom filter commands, on one filter that grows.
//
// An item that the filter may contain already is not added again, so BF.ADD
// answers 0 for it, and for false positives.  What was made or added is
// replicated as BF.LOADCHUNK (the empty filter, with its seed) and BF.MADD of
// those items that went in.

#include <string>
#include <utility>

#include "redis/commands.h"

namespace tamis::redis {
namespace {

constexpr double kMaxError = 0.25;
constexpr char kFull[] = "ERR non scaling filter is full";
constexpr char kInsertProblem[] = "ERR problem inserting into filter";

Plan DefaultPlan() {
  Plan plan;
  plan.family = Family::kBloom;
  plan.error = settings.error;
  return plan;
}

// What BF.RESERVE and BF.INSERT may say of a filter, and how each complains.
struct Texts {
  const char* error;
  const char* capacity;
  const char* expansion;
};
constexpr Texts kReserveTexts = {"ERR bad error rate", "ERR bad capacity",
                                 "ERR bad expansion"};
constexpr Texts kInsertTexts = {"ERR Bad error rate", "ERR Bad capacity",
                                "ERR Bad expansion"};

const char* ParseError(const Call& call, int i, const Texts& texts,
                       Plan& plan) {
  const auto error = call.DoubleAt(i);
  if (!error) return texts.error;
  if (!(*error > 0 && *error < 1)) {
    return "ERR error rate must be in the range (0.000000, 1.000000)";
  }
  plan.error = std::min(*error, kMaxError);
  return nullptr;
}

// A whole number of a plan, and what is said of one outside.
struct Number {
  int64_t min;
  int64_t max;
  const char* outside;
  uint64_t Plan::*field;
};
constexpr Number kCapacity = {
    1, int64_t{1} << 30, "ERR capacity must be in the range [1, 1073741824]",
    &Plan::capacity};
constexpr Number kExpansion = {0, 32768,
                               "ERR expansion must be in the range [0, 32768]",
                               &Plan::expansion};

const char* ParseNumber(const Call& call, int i, const Number& number,
                        const char* bad, Plan& plan) {
  const auto value = call.IntegerAt(i);
  if (!value) return bad;
  if (*value < number.min || *value > number.max) return number.outside;
  plan.*number.field = static_cast<uint64_t>(*value);
  return nullptr;
}

// EXPANSION and NONSCALING, which contradict each other.
struct Scaling {
  bool expansion = false;
  bool nonscaling = false;

  const char* Apply(Plan& plan) const {
    if (!nonscaling) return nullptr;
    if (expansion && plan.expansion > 0) {
      return "ERR Nonscaling filters cannot expand";
    }
    plan.expansion = 0;
    return nullptr;
  }
};

const char* ParseReserve(const Call& call, Plan& plan) {
  const char* problem = ParseError(call, 2, kReserveTexts, plan);
  if (problem == nullptr)
    problem = ParseNumber(call, 3, kCapacity, kReserveTexts.capacity, plan);
  Scaling scaling;
  for (int i = 4; i < call.size() && problem == nullptr; ++i) {
    if (call.Is(i, "NONSCALING")) {
      scaling.nonscaling = true;
    } else if (call.Is(i, "EXPANSION")) {
      if (++i == call.size()) return "ERR no expansion";
      scaling.expansion = true;
      problem = ParseNumber(call, i, kExpansion, kReserveTexts.expansion, plan);
    } else {
      return "ERR Unknown argument received";
    }
  }
  return problem != nullptr ? problem : scaling.Apply(plan);
}

int Reserve(Call& call) {
  if (call.size() < 4 || call.size() > 7) return call.WrongArity();
  Plan plan = DefaultPlan();
  if (const char* problem = ParseReserve(call, plan)) {
    return call.Error(problem);
  }
  return redis::Reserve(call, plan);
}

// 1: added, 0: it was there, or an error.
struct Added {
  bool added = false;
  const char* problem = nullptr;
};

Added AddOne(Value& value, KeyHash hash, uint64_t max_bytes) {
  if (value.MayContain(hash)) return {};
  const Status status = value.Add(hash, max_bytes);
  if (status.ok()) return {.added = true};
  return {.problem =
              status.code() == StatusCode::kFull ? kFull : kInsertProblem};
}

void ReplicateItems(const Call& call, int first, int count) {
  // As they came, if nothing else was said: that needs no copy.
  if (first == 2 && first + count == call.size()) {
    api.ReplicateVerbatim(call.context());
    return;
  }
  api.Replicate(call.context(), "BF.MADD", "sv", call.raw(1),
                call.raw_from(first), static_cast<size_t>(count));
}

// Adds the items from `first` on; the reply ends with the first error.
int AddItems(const Call& call, Value& value, int first) {
  const uint64_t max_bytes = MaxBytes(call, value);
  HashesAhead hashes(call, value, first);
  bool changed = false;
  int done = 0;
  const int items = call.size() - first;
  call.Array(static_cast<size_t>(kLengthLater));
  for (; done < items; ++done) {
    const Added added = AddOne(value, hashes.Next(), max_bytes);
    if (added.problem != nullptr) {
      call.Error(added.problem);
      break;
    }
    changed |= added.added;
    call.Bool(added.added);
  }
  api.ReplySetArrayLength(call.context(), done + (done < items ? 1 : 0));
  if (changed) ReplicateItems(call, first, done);
  return kOk;
}

int AddItem(const Call& call, Value& value, int at) {
  const Added added =
      AddOne(value, value.Hash(call[at]), MaxBytes(call, value));
  if (added.problem != nullptr) return call.Error(added.problem);
  if (added.added) ReplicateItems(call, at, 1);
  return call.Bool(added.added);
}

int Add(Call& call) {
  if (call.size() != 3) return call.WrongArity();
  return redis::Insert(call, {.plan = DefaultPlan()}, AddItem);
}

int MAdd(Call& call) {
  if (call.size() < 3) return call.WrongArity();
  return redis::Insert(call, {.plan = DefaultPlan()}, AddItems);
}

const char* ParseInsert(const Call& call, Insertion& insertion) {
  Scaling scaling;
  const char* problem = nullptr;
  for (int i = 2; i < call.size() && problem == nullptr; ++i) {
    if (call.Is(i, "ITEMS")) {
      insertion.first_item = i + 1;
      return scaling.Apply(insertion.plan);
    }
    if (call.Is(i, "NOCREATE")) {
      insertion.create = false;
    } else if (call.Is(i, "NONSCALING")) {
      scaling.nonscaling = true;
    } else if (call.Is(i, "CAPACITY") && i + 1 < call.size()) {
      problem = ParseNumber(call, ++i, kCapacity, kInsertTexts.capacity,
                            insertion.plan);
    } else if (call.Is(i, "ERROR") && i + 1 < call.size()) {
      problem = ParseError(call, ++i, kInsertTexts, insertion.plan);
    } else if (call.Is(i, "EXPANSION") && i + 1 < call.size()) {
      scaling.expansion = true;
      problem = ParseNumber(call, ++i, kExpansion, kInsertTexts.expansion,
                            insertion.plan);
    } else {
      return "ERR Unknown argument received";
    }
  }
  return problem;
}

int Insert(Call& call) {
  return redis::Insert(call, DefaultPlan(), ParseInsert, AddItems);
}

int Card(Call& call) {
  if (call.size() != 2) return call.WrongArity();
  const Target target(call, Family::kBloom, kRead);
  if (target.is_missing()) return call.Integer(0);
  if (const char* problem = target.Problem("")) return call.Error(problem);
  return call.Integer(static_cast<int64_t>(target->size()));
}

int ReplyExpansion(const Call& call, const Value& value) {
  if (value.plan().fixed()) return call.Null();
  return call.Integer(static_cast<int64_t>(value.plan().expansion));
}

int InfoField(const Call& call, const Value& value) {
  std::optional<uint64_t> number;
  if (call.Is(2, "CAPACITY")) number = value.capacity();
  if (call.Is(2, "SIZE")) number = value.bytes();
  if (call.Is(2, "FILTERS")) number = 1;
  if (call.Is(2, "ITEMS")) number = value.size();
  const bool expansion = call.Is(2, "EXPANSION");
  if (!number && !expansion) return call.Error("ERR Invalid information value");
  call.Array(1);
  if (number) return call.Integer(static_cast<int64_t>(*number));
  return ReplyExpansion(call, value);
}

int Info(Call& call) {
  if (call.size() < 2 || call.size() > 3) return call.WrongArity();
  return WithFilter(call, Family::kBloom, kRead, kNotFound, [&](Value& value) {
    if (call.size() == 3) return InfoField(call, value);
    call.Map(5);
    call.Field("Capacity", value.capacity());
    call.Field("Size", value.bytes());
    call.Field("Number of filters", 1);
    call.Field("Number of items inserted", value.size());
    call.Text("Expansion rate");
    return ReplyExpansion(call, value);
  });
}

}  // namespace

CommandFunction const kBfReserve = Run<Reserve>;
CommandFunction const kBfAdd = Run<Add>;
CommandFunction const kBfMAdd = Run<MAdd>;
CommandFunction const kBfInsert = Run<Insert>;
CommandFunction const kBfCard = Run<Card>;
CommandFunction const kBfInfo = Run<Info>;

}  // namespace tamis::redis
