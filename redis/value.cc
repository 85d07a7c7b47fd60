#include "redis/value.h"

#include <algorithm>
#include <utility>

#include "redis/api.h"
#include "redis/chunks.h"
#include "redis/memory.h"
#include "redis/shape.h"
#include "tamis/internal/filters/snapshot.h"

namespace tamis::redis {
namespace {

// Copies of one fingerprint in the table; the rest is counted.
constexpr uint64_t kMaxCopies = 8;
// What a counter of further copies takes of the allocator.
constexpr uint64_t kCounterBytes = 64;

}  // namespace

const char* Prefix(Family family) {
  switch (family) {
    case Family::kBloom:
      return "BF";
    case Family::kCuckoo:
      return "CF";
    case Family::kAdaptive:
      return "AF";
  }
  return "AF";
}

Value::Value(const Plan& plan, std::optional<Engine> filter)
    : plan_(plan), filter_(std::move(filter)) {
  const MemoryScope scope(account());
  ChargeFor(this);
  extra_ = std::make_unique<Copies>();
}
Value::~Value() = default;

void* Value::operator new(size_t bytes) { return api.Alloc(bytes); }
void Value::operator delete(void* memory) { api.Free(memory); }

Result<std::unique_ptr<Value>> Value::Create(const Plan& plan,
                                             const Shape& shape,
                                             const Hasher& hasher) {
  TAMIS_RETURN_IF_ERROR(CheckSize(plan, shape));
  auto value = std::make_unique<Value>(plan, std::nullopt);
  const MemoryScope scope(value->account());
  TAMIS_ASSIGN_OR_RETURN(
      value->filter_,
      Engine::Create(shape.spec, shape.slots, hasher, ReserveFor(plan)));
  return value;
}

std::unique_ptr<Value> Value::Loading(std::unique_ptr<Loader> loader) {
  auto value = std::make_unique<Value>(loader->plan(), std::nullopt);
  value->loader_ = std::move(loader);
  return value;
}

Result<std::unique_ptr<Value>> Value::Copy(const Value& other) {
  auto copy = std::make_unique<Value>(other.plan_, std::nullopt);
  const MemoryScope scope(copy->account());
  if (!other.is_complete()) {
    copy->loader_ = std::make_unique<Loader>(*other.loader_);
    return copy;
  }
  TAMIS_ASSIGN_OR_RETURN(Engine filter,
                         Engine::FromSnapshot(other.filter_->ToSnapshot(),
                                              {.check_invariants = false}));
  copy->filter_ = std::move(filter);
  copy->Restore({other.num_deleted_, other.version_}, *other.extra_);
  return copy;
}

void Value::Restore(const Counters& counters, Copies extra) {
  num_deleted_ = counters.num_deleted;
  version_ = counters.version;
  *extra_ = std::move(extra);
  extra_copies_ = 0;
  for (const auto& [hash, copies] : *extra_) extra_copies_ += copies;
}

void Value::MayContain(std::span<const KeyHash> hashes,
                       std::span<bool> results) const {
  filter_->MayContain(hashes, results);
  if (extra_copies_ == 0) return;
  for (size_t i = 0; i < hashes.size(); ++i) {
    results[i] = results[i] || IsCounted(hashes[i]);
  }
}

Status Value::Add(KeyHash hash, uint64_t max_bytes) {
  if (plan_.fixed() && size() >= plan_.capacity) {
    return {StatusCode::kFull, "the filter is full"};
  }
  const auto refused = [] {
    return Status(StatusCode::kOutOfMemory, "the filter may not become larger");
  };
  const bool counts = plan_.family != Family::kBloom;
  if (counts && filter_->Count(hash) >= kMaxCopies) {
    if (max_bytes != 0 && bytes() + kCounterBytes > max_bytes) return refused();
    ++(*extra_)[hash];
    ++extra_copies_;
  } else {
    if (max_bytes != 0 && GrowthPasses(*this, hash, max_bytes)) {
      return refused();
    }
    TAMIS_RETURN_IF_ERROR(filter_->Insert(hash));
  }
  ++version_;
  return {};
}

Status Value::Delete(KeyHash hash) {
  const auto copies = extra_->find(hash);
  if (copies != extra_->end()) {
    if (--copies->second == 0) extra_->erase(copies);
    --extra_copies_;
  } else {
    TAMIS_RETURN_IF_ERROR(filter_->Erase(hash));
  }
  ++num_deleted_;
  ++version_;
  return {};
}

uint64_t Value::Count(KeyHash hash) const {
  const auto copies = extra_->find(hash);
  return filter_->Count(hash) + (copies == extra_->end() ? 0 : copies->second);
}

Status Value::Merge(const Value& other) {
  TAMIS_RETURN_IF_ERROR(filter_->Merge(*other.filter_));
  for (const auto& [hash, copies] : *other.extra_) (*extra_)[hash] += copies;
  extra_copies_ += other.extra_copies_;
  ++version_;
  return {};
}

Status Value::Shrink() {
  while (true) {
    Status step = filter_->Contract();
    if (step.code() == StatusCode::kOutOfMemory) return step;
    if (!step.ok()) break;  // as small as it gets
    ++version_;
  }
  return {};
}

Result<AdaptOutcome> Value::Report(KeyHash absent,
                                   std::span<const KeyHash> members,
                                   uint64_t token) {
  if (token != Token()) {
    return Status(StatusCode::kStale,
                  "something was deleted since the token was given");
  }
  const std::vector<KeyHash> stored = StoredOf(members);
  TAMIS_ASSIGN_OR_RETURN(const AdaptOutcome outcome,
                         filter_->Adapt(absent, stored, filter_->num_erases()));
  ++version_;
  return outcome;
}

// The copies that are only counted have no entry, and may not be given one.
std::vector<KeyHash> Value::StoredOf(std::span<const KeyHash> members) const {
  std::vector<KeyHash> stored;
  stored.reserve(members.size());
  Copies skipped;
  for (const KeyHash hash : members) {
    const auto copies = extra_->find(hash);
    if (copies != extra_->end() && skipped[hash] < copies->second) {
      ++skipped[hash];
    } else {
      stored.push_back(hash);
    }
  }
  return stored;
}

uint64_t Value::Token() const {
  // 15 bits of the filter's own, then the count; positive as an integer.
  const uint64_t own = filter_->hasher().Hash(plan_.capacity).low & 0x7fff;
  constexpr uint64_t kCountBits = 48;
  // Copies that are only counted have no entry to erase; num_deleted_ has all.
  return own << kCountBits | ((filter_->num_erases() + num_deleted_) &
                              ((uint64_t{1} << kCountBits) - 1));
}

uint64_t Value::capacity() const {
  if (plan_.fixed() || size() <= plan_.capacity) return plan_.capacity;
  return std::max(plan_.capacity, filter_->capacity());
}

Status Value::CheckCopies() const {
  constexpr uint64_t kMostCopies = uint64_t{1} << 48;
  for (const auto& [hash, copies] : *extra_) {
    if (copies == 0 || copies > kMostCopies) {
      return {StatusCode::kCorrupt, "(V3): a counter of none or too many"};
    }
  }
  return {};
}

Status Value::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(CheckCopies());
  return filter_->CheckInvariants();
}

}  // namespace tamis::redis
