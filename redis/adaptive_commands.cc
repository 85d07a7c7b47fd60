// AF.*: filters that learn from the caller's own database.
//
// The contract: the filter contains the table, always.  AF.ADD first, then the
// row; the row removed first, then AF.DEL.
//
//   AF.QUERY key item        nil, or [low, high, token]
//   SELECT ... WHERE hash BETWEEN low AND high     the row, or those that
//                                                  collide with it
//   AF.REPORT key item TOKEN token MEMBERS m...    not there: never again
//
// A key that is missing is an error, never an empty filter: one that was evicted
// must not deny what the table has, and one made anew would have another seed
// than the hashes in the table.
//
// Hashes are the first 64 bits of an item's hash, less 2^63: signed integers in
// the same order.  A report is a write, replicated as it is: replicas have the
// same filter, and fix the same.

#include <limits>
#include <string>
#include <utility>

#include "redis/commands.h"
#include "redis/shape.h"
#include "redis/shards.h"

namespace tamis::redis {
namespace {

constexpr int64_t kMaxCapacity = int64_t{1} << 40;

int64_t AsSigned(uint64_t hash) {
  return static_cast<int64_t>(hash ^ uint64_t{1} << 63);
}

// ---- AF.RESERVE -----------------------------------------------------------

struct ReserveOptions {
  Plan plan;
  int bits = 0;  // 0: by the error
  HashAlgorithm algorithm = HashAlgorithm::kXxh3;
  Seed seed = Seed::Random();
};

// A number in [min, max] after a word.
std::optional<int64_t> Ranged(const Call& call, int i, int64_t min,
                              int64_t max) {
  const auto number = i < call.size() ? call.IntegerAt(i) : std::nullopt;
  return number && *number >= min && *number <= max ? number : std::nullopt;
}

const char* ParseShard(const Call& call, int i, Plan& plan) {
  const auto shard = Ranged(call, i, 0, kMaxShards - 1);
  const bool of = i + 1 < call.size() && call.Is(i + 1, "OF");
  const auto shards = Ranged(call, i + 2, 1, kMaxShards);
  if (!shard || !of || !shards || *shard >= *shards) {
    return "ERR SHARD: must be i OF n, with 0 <= i < n <= 16384";
  }
  plan.shard = static_cast<uint64_t>(*shard);
  plan.num_shards = static_cast<uint64_t>(*shards);
  return nullptr;
}

// A seed is a number, or two for the 128 bits of SipHash, the low one first.
const char* ParseSeed(const Call& call, int& i, Seed& seed) {
  const auto low = i < call.size() ? call.IntegerAt(i) : std::nullopt;
  if (!low) return "ERR SEED: must be one or two integers";
  seed = {static_cast<uint64_t>(*low), 0};
  if (i + 1 >= call.size()) return nullptr;
  if (const auto high = call.IntegerAt(i + 1)) {
    seed.high = static_cast<uint64_t>(*high);
    ++i;
  }
  return nullptr;
}

const char* ParseReserveOption(const Call& call, int& i,
                               ReserveOptions& options) {
  if (call.Is(i, "ERROR")) {
    const auto error = ++i < call.size() ? call.DoubleAt(i) : std::nullopt;
    if (!error || !(*error > 0 && *error < 1)) {
      return "ERR error rate must be in the range (0.000000, 1.000000)";
    }
    options.plan.error = *error;
  } else if (call.Is(i, "BITS")) {
    const auto bits = Ranged(call, ++i, 3, 40);
    if (!bits) return "ERR BITS: value must be in the range [3, 40]";
    options.bits = static_cast<int>(*bits);
  } else if (call.Is(i, "CAPACITY")) {
    const auto capacity = Ranged(call, ++i, 1, kMaxCapacity);
    if (!capacity) {
      return "ERR capacity must be in the range [1, 1099511627776]";
    }
    options.plan.capacity = static_cast<uint64_t>(*capacity);
  } else if (call.Is(i, "MEMORY")) {
    const auto bytes = Ranged(call, ++i, 1, kMaxCapacity * 64);
    if (!bytes) return "ERR MEMORY: value must be a number of bytes";
    options.plan.max_bytes = static_cast<uint64_t>(*bytes);
  } else if (call.Is(i, "HASH")) {
    ++i;
    const bool sip = i < call.size() && call.Is(i, "SIPHASH");
    if (!sip && (i == call.size() || !call.Is(i, "XXH3"))) {
      return "ERR HASH: must be XXH3 or SIPHASH";
    }
    options.algorithm = sip ? HashAlgorithm::kSipHash : HashAlgorithm::kXxh3;
  } else if (call.Is(i, "SEED")) {
    return ParseSeed(call, ++i, options.seed);
  } else if (call.Is(i, "SHARD")) {
    const char* problem = ParseShard(call, i + 1, options.plan);
    i += 3;
    return problem;
  } else {
    return "ERR Unknown argument received";
  }
  return nullptr;
}

Plan DefaultPlan() {
  Plan plan;
  plan.family = Family::kAdaptive;
  plan.error = settings.error;
  plan.capacity = 1024;
  return plan;
}

int Reserve(Call& call) {
  if (call.size() < 2) return call.WrongArity();
  ReserveOptions options;
  options.plan = DefaultPlan();
  for (int i = 2; i < call.size(); ++i) {
    if (const char* problem = ParseReserveOption(call, i, options)) {
      return call.Error(problem);
    }
  }
  return redis::Reserve(call, options.plan,
                        Hasher(options.algorithm, options.seed), options.bits);
}

// A filter must be there: see above.
template <typename Function>
int OnFilter(const Call& call, int mode, Function function) {
  return WithFilter(call, Family::kAdaptive, mode, kNotFound, function);
}

// ---- Adding ----------------------------------------------------------------

constexpr char kAtItsEnd[] = "ERR the filter is at the end of its memory";

const char* AddProblem(const Status& status) {
  return status.code() == StatusCode::kOutOfMemory
             ? kAtItsEnd
             : "ERR problem inserting into filter";
}

// Adds the items from 2 on, all of them or, where memory ends, the first ones;
// replies with their number.
int AddItems(const Call& call, Value& value) {
  if (const char* problem = ShardProblem(call, value, 2, call.size())) {
    return call.Error(problem);
  }
  const uint64_t max_bytes = MaxBytes(call, value);
  HashesAhead hashes(call, value, 2);
  int done = 2;
  Status status;
  for (; done < call.size() && status.ok(); ++done) {
    status = value.Add(hashes.Next(), max_bytes);
  }
  if (!status.ok()) --done;
  if (done > 2) {
    api.Replicate(call.context(), "AF.MADD", "sv", call.raw(1),
                  call.raw_from(2), static_cast<size_t>(done - 2));
  }
  if (!status.ok()) return call.Error(AddProblem(status));
  return call.Integer(done - 2);
}

int MAdd(Call& call) {
  if (call.size() < 3) return call.WrongArity();
  return OnFilter(call, kRead | kWrite,
                  [&](Value& value) { return AddItems(call, value); });
}

int Add(Call& call) {
  return call.size() == 3 ? MAdd(call) : call.WrongArity();
}

// ---- The database as key source --------------------------------------------

int HashOf(Call& call) {
  if (call.size() != 3) return call.WrongArity();
  return OnFilter(call, kRead, [&](const Value& value) {
    return call.Integer(AsSigned(value.Hash(call[2]).high));
  });
}

int ReplyToQuery(const Call& call, const Value& value) {
  if (const char* problem = ShardProblem(call, value, 2, 3)) {
    return call.Error(problem);
  }
  const KeyHash hash = value.Hash(call[2]);
  auto range = value.filter().CollisionRange(hash);
  if (!range && value.IsCounted(hash)) range = HashRange{hash, hash};
  if (!range) return call.Null();
  call.Array(3);
  call.Integer(AsSigned(range->low.high));
  call.Integer(AsSigned(range->high.high));
  return call.Integer(static_cast<int64_t>(value.Token()));
}

int Query(Call& call) {
  if (call.size() != 3) return call.WrongArity();
  return OnFilter(call, kRead, [&](const Value& value) {
    return ReplyToQuery(call, value);
  });
}

// 1 if the filter now denies the item; 0 if not: the token is old, or the
// members given do not explain the false positive.
int ReplyToReport(const Call& call, const Result<AdaptOutcome>& outcome) {
  if (!outcome.ok()) {
    switch (outcome.status().code()) {
      case StatusCode::kStale:
        ++counts.stale;
        return call.Bool(false);
      case StatusCode::kIsMember:
        return call.Error("ERR the item is among its members");
      case StatusCode::kInvalidArgument:
        return call.Error("ERR one of the members is not in the filter");
      default:
        return call.Error("ERR out of memory");
    }
  }
  const bool denied = *outcome != AdaptOutcome::kNotFixed;
  counts.fixed += static_cast<uint64_t>(*outcome == AdaptOutcome::kFixed ||
                                        *outcome == AdaptOutcome::kReset);
  api.ReplicateVerbatim(call.context());
  return call.Bool(denied);
}

int Report(Call& call) {
  if (call.size() < 6) return call.WrongArity();
  const auto token = call.IntegerAt(4);
  if (!call.Is(3, "TOKEN") || !token || !call.Is(5, "MEMBERS")) {
    return call.Error("ERR expected TOKEN t MEMBERS m...");
  }
  return OnFilter(call, kRead | kWrite, [&](Value& value) {
    const char* problem = ShardProblem(call, value, 2, 3);
    if (problem == nullptr) problem = ShardProblem(call, value, 6, call.size());
    if (problem != nullptr) return call.Error(problem);
    ++counts.reported;
    return ReplyToReport(
        call, value.Report(value.Hash(call[2]), HashesOf(call, value, 6),
                           static_cast<uint64_t>(*token)));
  });
}

// ---- Whole filters ---------------------------------------------------------

// Why the filter of an argument can't be merged into another, or nullptr.
const char* MergeProblem(const Target& target, const Target& source) {
  if (const char* problem = source.Problem(kNotFound)) return problem;
  if (source.value() == target.value()) {
    return "ERR a filter can't be merged into itself";
  }
  const Plan& a = target->plan();
  const Plan& b = source->plan();
  const bool same = a.shard == b.shard && a.num_shards == b.num_shards;
  return same ? nullptr : "ERR they are different shards";
}

// AF.MERGE key source...: all of them into the first.
int Merge(Call& call) {
  if (call.size() < 3) return call.WrongArity();
  Target target(call, Family::kAdaptive, kRead | kWrite);
  const char* problem = target.Problem(kNotFound);
  for (int i = 2; i < call.size() && problem == nullptr; ++i) {
    problem = MergeProblem(target, Target(call, Family::kAdaptive, kRead, i));
  }
  if (problem != nullptr) return call.Error(problem);
  // Into a copy, so that it is all of them or none.
  auto merged = Value::Copy(*target.value());
  if (!merged.ok()) return call.Error(kNoMemory);
  for (int i = 2; i < call.size(); ++i) {
    const Target source(call, Family::kAdaptive, kRead, i);
    const MemoryScope scope((*merged)->account());
    const Status status = (*merged)->Merge(*source.value());
    if (!status.ok()) return call.Error("ERR " + std::string(status.message()));
  }
  const uint64_t max_bytes = MaxBytes(call, **merged);
  const uint64_t bytes =
      (*merged)->bytes() + BytesForFixes((*merged)->plan(), (*merged)->size());
  if (max_bytes != 0 && bytes > max_bytes) return call.Error(kAtItsEnd);
  target.Replace(*std::move(merged));
  api.ReplicateVerbatim(call.context());
  return call.Ok();
}

int ReplyInfo(const Call& call, const Value& value) {
  const Plan& plan = value.plan();
  call.Map(plan.num_shards > 0 ? 11 : 9);
  call.Field("Capacity", value.capacity());
  call.Field("Size", value.bytes());
  call.Field("Number of items inserted", value.size());
  call.Field("Number of items deleted", value.num_deleted());
  call.Text("Error rate");
  call.Double(plan.error);
  call.Text("Expected false positive rate");
  call.Double(value.filter().ExpectedFpr());
  call.Field("Memory budget", plan.max_bytes);
  call.Text("Hash");
  call.Text(ToString(value.filter().hasher().algorithm()));
  call.Text("Spec");
  call.Text(value.filter().spec().ToString());
  if (plan.num_shards > 0) {
    call.Field("Shard", plan.shard);
    call.Field("Shards", plan.num_shards);
  }
  return kOk;
}

int ReplyStats(const Call& call, const Value& value) {
  const FilterStats stats = value.filter().stats();
  call.Map(stats.details.size() + 5);
  call.Field("size", value.size());
  call.Field("capacity", stats.capacity);
  call.Field("size_bits", stats.size_bits);
  call.Field("extra_copies", value.size() - stats.size);
  call.Text("expected_fpr");
  call.Double(stats.expected_fpr);
  for (const auto& [name, number] : stats.details) {
    call.Text(name);
    call.Double(number);
  }
  return kOk;
}

template <int reply(const Call&, const Value&)>
int Describe(Call& call) {
  if (call.size() != 2) return call.WrongArity();
  return OnFilter(call, kRead,
                  [&](const Value& value) { return reply(call, value); });
}

}  // namespace

CommandFunction const kAfReserve = Run<Reserve>;
CommandFunction const kAfAdd = Run<Add>;
CommandFunction const kAfMAdd = Run<MAdd>;
CommandFunction const kAfHash = Run<HashOf>;
CommandFunction const kAfQuery = Run<Query>;
CommandFunction const kAfReport = Run<Report>;
CommandFunction const kAfMerge = Run<Merge>;
CommandFunction const kAfInfo = Run<Describe<ReplyInfo>>;
CommandFunction const kAfStats = Run<Describe<ReplyStats>>;

}  // namespace tamis::redis
