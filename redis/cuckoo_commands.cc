// CF.*: RedisBloom's cuckoo filter commands, on one filter that grows.
//
// BUCKETSIZE, MAXITERATIONS and EXPANSION are reported back; only EXPANSION 0
// means something here: exactly CAPACITY items fit then.  Copies of an item are
// counted; from the ninth of a fingerprint on they cost no memory.

#include <limits>
#include <string>
#include <utility>

#include "redis/commands.h"

namespace tamis::redis {
namespace {

constexpr uint64_t kCapacity = 1024;
constexpr uint64_t kBucketSize = 2;
constexpr uint64_t kMaxIterations = 20;

Plan DefaultPlan() {
  Plan plan;
  plan.family = Family::kCuckoo;
  plan.error = settings.error;
  plan.capacity = kCapacity;
  plan.expansion = 1;
  plan.bucket_size = kBucketSize;
  plan.max_iterations = kMaxIterations;
  return plan;
}

// A number after a word, with its limits; a text if it is none.
struct NumberOption {
  const char* word;
  int64_t min;
  int64_t max;
  uint64_t Plan::*field;
};
constexpr NumberOption kCapacityOption = {"CAPACITY", 1, int64_t{1} << 40,
                                          &Plan::capacity};
constexpr NumberOption kReserveOptions[] = {
    {"BUCKETSIZE", 1, 255, &Plan::bucket_size},
    {"MAXITERATIONS", 1, 65535, &Plan::max_iterations},
    {"EXPANSION", 0, 32768, &Plan::expansion}};

std::optional<std::string> ParseNumber(const Call& call, int i,
                                       const NumberOption& option, Plan& plan) {
  const auto number = i < call.size() ? call.IntegerAt(i) : std::nullopt;
  if (!number) return "ERR Couldn't parse " + std::string(option.word);
  if (*number < option.min || *number > option.max) {
    return "ERR " + std::string(option.word) +
           ": value must be in the range [" + std::to_string(option.min) +
           ", " + std::to_string(option.max) + "]";
  }
  plan.*option.field = static_cast<uint64_t>(*number);
  return std::nullopt;
}

std::optional<std::string> ParseReserve(const Call& call, Plan& plan) {
  if (auto problem = ParseNumber(call, 2, kCapacityOption, plan)) {
    return problem;
  }
  for (int i = 3; i < call.size(); i += 2) {
    const NumberOption* found = nullptr;
    for (const NumberOption& option : kReserveOptions) {
      if (call.Is(i, option.word)) found = &option;
    }
    if (found == nullptr) return "ERR Unknown argument received";
    if (auto problem = ParseNumber(call, i + 1, *found, plan)) return problem;
  }
  return std::nullopt;
}

int Reserve(Call& call) {
  if (call.size() < 3 || call.size() > 9) return call.WrongArity();
  Plan plan = DefaultPlan();
  if (const auto problem = ParseReserve(call, plan)) {
    return call.Error(*problem);
  }
  return redis::Reserve(call, plan);
}

const char* AddProblem(const Status& status) {
  return status.code() == StatusCode::kFull ? "ERR Filter is full"
                                            : "ERR Maximum expansions reached";
}

template <bool only_new>
int AddItem(const Call& call, Value& value, int at) {
  const KeyHash hash = value.Hash(call[at]);
  if (only_new && value.MayContain(hash)) return call.Bool(false);
  const Status status = value.Add(hash, MaxBytes(call, value));
  if (!status.ok()) return call.Error(AddProblem(status));
  api.ReplicateVerbatim(call.context());
  return call.Bool(true);
}

template <bool only_new>
int Add(Call& call) {
  if (call.size() != 3) return call.WrongArity();
  return redis::Insert(call, {.plan = DefaultPlan()}, AddItem<only_new>);
}

const char* ParseInsert(const Call& call, Insertion& insertion) {
  for (int i = 2; i < call.size(); ++i) {
    if (call.Is(i, "ITEMS")) {
      insertion.first_item = i + 1;
      return nullptr;
    }
    if (call.Is(i, "NOCREATE")) {
      insertion.create = false;
    } else if (call.Is(i, "CAPACITY") && i + 1 < call.size()) {
      if (ParseNumber(call, ++i, kCapacityOption, insertion.plan)) {
        return "ERR Bad capacity";
      }
    } else {
      return "ERR Unknown argument received";
    }
  }
  return nullptr;
}

// One answer: 1 added, 0 there already, -1 no room.
template <bool only_new>
int AddOne(Value& value, KeyHash hash, uint64_t max_bytes) {
  if (only_new && value.MayContain(hash)) return 0;
  return value.Add(hash, max_bytes).ok() ? 1 : -1;
}

template <bool only_new>
int AddItems(const Call& call, Value& value, int first) {
  const uint64_t max_bytes = MaxBytes(call, value);
  HashesAhead hashes(call, value, first);
  const int items = call.size() - first;
  int done = 0;  // before the first that found no room
  bool full = false;
  bool changed = false;
  call.Array(static_cast<size_t>(items));
  for (int i = 0; i < items; ++i) {
    const int answer =
        full ? -1 : AddOne<only_new>(value, hashes.Next(), max_bytes);
    full |= answer < 0;
    changed |= answer > 0;
    if (!full) ++done;
    if (!only_new && answer > 0) {
      call.Bool(true);
    } else {
      call.Integer(answer);
    }
  }
  if (!changed) return kOk;
  api.Replicate(call.context(), only_new ? "CF.INSERTNX" : "CF.INSERT", "sccv",
                call.raw(1), "NOCREATE", "ITEMS", call.raw_from(first),
                static_cast<size_t>(done));
  return kOk;
}

template <bool only_new>
int Insert(Call& call) {
  return redis::Insert(call, DefaultPlan(), ParseInsert, AddItems<only_new>);
}

int Count(Call& call) {
  if (call.size() != 3) return call.WrongArity();
  const Target target(call, Family::kCuckoo, kRead);
  const Value* value = target.value();
  if (value == nullptr) return call.Integer(0);
  if (!value->is_complete()) return call.Integer(1);
  const uint64_t copies = value->Count(value->Hash(call[2]));
  return call.Integer(static_cast<int64_t>(copies));
}

int Info(Call& call) {
  if (call.size() != 2) return call.WrongArity();
  return WithFilter(call, Family::kCuckoo, kRead, kNotFound, [&](Value& value) {
    const Plan& plan = value.plan();
    call.Map(9);
    call.Field("Size", value.bytes());
    call.Field("Number of buckets",
               (value.capacity() + plan.bucket_size - 1) / plan.bucket_size);
    call.Field("Number of filters", 1);
    call.Field("Number of items inserted", value.size());
    call.Field("Number of items deleted", value.num_deleted());
    call.Field("Bucket size", plan.bucket_size);
    call.Field("Expansion rate", plan.expansion);
    call.Field("Max iterations", plan.max_iterations);
    call.Text("Expected false positive rate");
    return call.Double(value.filter().ExpectedFpr());
  });
}

}  // namespace

CommandFunction const kCfReserve = Run<Reserve>;
CommandFunction const kCfAdd = Run<Add<false>>;
CommandFunction const kCfAddNx = Run<Add<true>>;
CommandFunction const kCfInsert = Run<Insert<false>>;
CommandFunction const kCfInsertNx = Run<Insert<true>>;
CommandFunction const kCfCount = Run<Count>;
CommandFunction const kCfInfo = Run<Info>;

}  // namespace tamis::redis
