#include "tamis/concurrent_tamis.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "filters/sharded/concurrent_shards.h"
#include "filters/tamis/parameters.h"

namespace tamis {

using internal::ConcurrentShards;
using internal::ShardPlace;
using internal::Snapshot;

namespace {

// A snapshot that does not refer to the filter.
Snapshot Copied(const Snapshot& snapshot) {
  Snapshot copy(snapshot.spec(), snapshot.hasher());
  for (const auto& number : snapshot.numbers()) {
    copy.AddNumber(number.name, number.value);
  }
  for (const auto& array : snapshot.arrays()) {
    copy.AddCopy(array.name, std::vector<std::byte>(array.bytes.begin(),
                                                    array.bytes.end()));
  }
  return copy;
}

}  // namespace

ConcurrentTamis::ConcurrentTamis(std::unique_ptr<ConcurrentShards> shards)
    : shards_(std::move(shards)) {}
ConcurrentTamis::ConcurrentTamis(ConcurrentTamis&& other) noexcept = default;
ConcurrentTamis& ConcurrentTamis::operator=(ConcurrentTamis&& other) noexcept =
    default;
ConcurrentTamis::~ConcurrentTamis() = default;

Result<ConcurrentTamis> ConcurrentTamis::From(ShardedTamis filter) {
  TAMIS_RETURN_IF_ERROR(filter.CheckWritable());
  return ConcurrentTamis(std::make_unique<ConcurrentShards>(
      filter.options_, filter.hasher_, filter.num_erases_,
      LeavesOf(std::move(filter.shards_))));
}

Result<ConcurrentTamis> ConcurrentTamis::Create(const Options& options,
                                                const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(ShardedTamis filter,
                         ShardedTamis::Create(options, hasher));
  return From(std::move(filter));
}

Result<ConcurrentTamis> ConcurrentTamis::Create(const Spec& spec,
                                                uint64_t slots,
                                                const Hasher& hasher,
                                                KeySourceRef source) {
  TAMIS_ASSIGN_OR_RETURN(ShardedTamis filter,
                         ShardedTamis::Create(spec, slots, hasher, source));
  return From(std::move(filter));
}

bool ConcurrentTamis::IsFor(const Spec& spec) {
  const Result<std::string> threads = spec.Text("threads");
  return threads.ok() && *threads == "yes";
}

Spec ConcurrentTamis::spec() const {
  Spec spec = internal::TamisSpecOf(options().filter);
  spec.Set("shards", "split");
  spec.Set("threads", "yes");
  return spec;
}

Snapshot ConcurrentTamis::ToSnapshot() const {
  Snapshot snapshot(WithDefaults(spec(), internal::kShardedTamisParameters),
                    hasher());
  std::vector<uint64_t> depths;
  std::vector<Snapshot> parts;
  const Status status =
      shards_->ForEach([&](const TamisFilter& filter, const ShardPlace& place) {
        parts.push_back(Copied(filter.ToSnapshot()));
        depths.push_back(static_cast<uint64_t>(place.depth));
        return Status();
      });
  (void)status.ok();  // the visits return no error
  snapshot.AddNumber("slots", options().filter.slots);
  snapshot.AddNumber("shard_slots", options().shard_slots);
  snapshot.AddNumber("shards", parts.size());
  snapshot.AddNumber("all_erases", num_erases());
  for (size_t i = 0; i < parts.size(); ++i) snapshot.AddPart(parts[i], i);
  snapshot.AddCopy("depths", std::move(depths));
  return snapshot;
}

Result<ConcurrentTamis> ConcurrentTamis::FromSnapshot(const Snapshot& snapshot,
                                                      const LoadOptions& load) {
  if (load.map) {
    return Status(StatusCode::kUnsupported,
                  "a tamis filter with threads=yes can't be mapped; one with "
                  "shards=split can, and all threads may ask it");
  }
  TAMIS_ASSIGN_OR_RETURN(ShardedTamis filter,
                         ShardedTamis::FromSnapshot(snapshot, load));
  return From(std::move(filter));
}

Status ConcurrentTamis::Insert(KeyHash hash) { return shards_->Insert(hash); }
Status ConcurrentTamis::Erase(KeyHash hash) { return shards_->Erase(hash); }
bool ConcurrentTamis::MayContain(KeyHash hash) const {
  return shards_->MayContain(hash);
}
bool ConcurrentTamis::MayContain(KeyHash hash,
                                 std::chrono::nanoseconds retry) const {
  return shards_->MayContain(hash, retry);
}
void ConcurrentTamis::MayContain(std::span<const KeyHash> hashes,
                                 std::span<bool> results) const {
  shards_->MayContain(hashes, results);
}
Result<bool> ConcurrentTamis::TestAndInsert(KeyHash hash) {
  return shards_->TestAndInsert(hash);
}

uint64_t ConcurrentTamis::num_erases() const { return shards_->num_erases(); }
uint64_t ConcurrentTamis::num_erases(KeyHash hash) const {
  return shards_->LastErase(hash);
}

std::optional<HashRange> ConcurrentTamis::CollisionRange(KeyHash hash) const {
  return shards_->WithShard(
      hash,
      [&](const TamisFilter& filter,
          const ShardPlace& place) -> std::optional<HashRange> {
        const auto local = filter.CollisionRange(place.ToLocal(hash));
        if (!local) return std::nullopt;
        return place.FromLocal(*local);
      });
}

Result<AdaptOutcome> ConcurrentTamis::Adapt(KeyHash absent,
                                            std::span<const KeyHash> members,
                                            uint64_t num_erases) {
  Result<AdaptOutcome> outcome = AdaptOutcome::kNothingToFix;
  const Status status = shards_->ChangeCopy(
      absent,
      [&](const TamisFilter& filter, const ShardPlace& place,
          uint64_t last_erase) {
        if (last_erase > num_erases || num_erases > shards_->num_erases()) {
          outcome = internal::ErasedSinceTheRead();
          return false;
        }
        return filter.MayContain(place.ToLocal(absent));
      },
      [&](TamisFilter& copy, const ShardPlace& place) -> Status {
        std::vector<KeyHash> inside;
        for (const KeyHash member : members) {
          if (place.Contains(member)) inside.push_back(place.ToLocal(member));
        }
        outcome = copy.Adapt(place.ToLocal(absent), inside, copy.num_erases());
        return outcome.ok() ? Status() : outcome.status();
      });
  if (!status.ok()) return status;
  return outcome;
}

Result<AdaptOutcome> ConcurrentTamis::Adapt(KeyHash absent) {
  if (options().filter.members == Members::kSource) {
    const uint64_t erases = num_erases(absent);
    const std::optional<HashRange> range = CollisionRange(absent);
    if (!range) return AdaptOutcome::kNothingToFix;
    std::vector<KeyHash> members;
    TAMIS_RETURN_IF_ERROR(options().filter.source.ForEachInRange(
        range->low, range->high,
        [&](KeyHash hash) { members.push_back(hash); }));
    return Adapt(absent, members, erases);
  }
  Result<AdaptOutcome> outcome = AdaptOutcome::kNothingToFix;
  const Status status = shards_->ChangeCopy(
      absent,
      [&](const TamisFilter& filter, const ShardPlace& place, uint64_t) {
        return filter.MayContain(place.ToLocal(absent));
      },
      [&](TamisFilter& copy, const ShardPlace& place) -> Status {
        outcome = copy.Adapt(place.ToLocal(absent));
        return outcome.ok() ? Status() : outcome.status();
      });
  if (!status.ok()) return status;
  return outcome;
}

void ConcurrentTamis::Forget(uint64_t extensions) {
  double all = 0;
  std::vector<KeyHash> firsts;
  (void)shards_
      ->ForEach([&](const TamisFilter& filter, const ShardPlace& place) {
        all += static_cast<double>(filter.extensions().size());
        firsts.push_back({place.prefix, 0});
        return Status();
      })
      .ok();
  if (all <= static_cast<double>(extensions)) return;
  const double part = static_cast<double>(extensions) / all;
  for (const KeyHash first : firsts) {
    (void)shards_
        ->ChangeCopy(
            first,
            [](const TamisFilter& filter, const ShardPlace&, uint64_t) {
              return !filter.extensions().empty();
            },
            [&](TamisFilter& copy, const ShardPlace&) {
              const auto now = static_cast<double>(copy.extensions().size());
              copy.Forget(static_cast<uint64_t>(now * part));
              return Status();
            })
        .ok();
  }
}

Status ConcurrentTamis::Rejuvenate(KeyHash hash) {
  return Rejuvenate(std::span(&hash, 1));
}

Status ConcurrentTamis::Rejuvenate(std::span<const KeyHash> members) {
  std::vector<KeyHash> sorted(members.begin(), members.end());
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size();) {
    std::vector<KeyHash> inside;
    TAMIS_RETURN_IF_ERROR(shards_->ChangeCopy(
        sorted[i],
        [&](const TamisFilter&, const ShardPlace& place, uint64_t) {
          for (; i < sorted.size() && place.Contains(sorted[i]); ++i) {
            inside.push_back(place.ToLocal(sorted[i]));
          }
          return true;
        },
        [&](TamisFilter& copy, const ShardPlace&) {
          return copy.Rejuvenate(inside);
        }));
  }
  return {};
}

Status ConcurrentTamis::RejuvenateAll() {
  KeyHash next = {0, 0};
  do {
    HashRange range = {};
    if (options().filter.members == Members::kMirror) {
      TAMIS_RETURN_IF_ERROR(shards_->ChangeCopy(
          next,
          [&](const TamisFilter&, const ShardPlace& place, uint64_t) {
            range = place.range();
            return true;
          },
          [](TamisFilter& copy, const ShardPlace&) {
            return copy.RejuvenateAll();
          }));
    } else {
      TAMIS_ASSIGN_OR_RETURN(range, RejuvenateFromSource(next));
    }
    next = {range.high.high + 1, 0};
  } while (next.high != 0);
  return {};
}

// Those of one shard; again if a key of it was erased meanwhile.
Result<HashRange> ConcurrentTamis::RejuvenateFromSource(KeyHash first) {
  for (;;) {
    const uint64_t erases = num_erases(first);
    const HashRange range = shards_->WithShard(
        first, [](const TamisFilter&, const ShardPlace& place) {
          return place.range();
        });
    if (!options().filter.source) return range;
    std::vector<KeyHash> members;
    TAMIS_RETURN_IF_ERROR(options().filter.source.ForEachInRange(
        range.low, range.high, [&](KeyHash hash) { members.push_back(hash); }));
    bool is_stale = false;
    TAMIS_RETURN_IF_ERROR(shards_->ChangeCopy(
        first,
        [&](const TamisFilter&, const ShardPlace& place, uint64_t last_erase) {
          is_stale = last_erase > erases || place.range() != range;
          return !is_stale;
        },
        [&](TamisFilter& copy, const ShardPlace& place) {
          for (KeyHash& member : members) member = place.ToLocal(member);
          return copy.Rejuvenate(members);
        }));
    if (!is_stale) return range;
  }
}

Status ConcurrentTamis::Expand() { return shards_->Expand(); }
Status ConcurrentTamis::Contract() { return shards_->Contract(); }

uint64_t ConcurrentTamis::size() const { return stats().size; }
uint64_t ConcurrentTamis::capacity() const { return stats().capacity; }
uint64_t ConcurrentTamis::SizeBits() const { return stats().size_bits; }
double ConcurrentTamis::ExpectedFpr() const { return stats().expected_fpr; }
uint64_t ConcurrentTamis::num_forced() const { return shards_->num_forced(); }
const Hasher& ConcurrentTamis::hasher() const { return shards_->hasher(); }
const ConcurrentTamis::Options& ConcurrentTamis::options() const {
  return shards_->options();
}

FilterStats ConcurrentTamis::stats() const {
  FilterStats stats;
  double extensions = 0;
  double voids = 0;
  (void)shards_
      ->ForEach([&](const TamisFilter& filter, const ShardPlace& place) {
        const FilterStats one = filter.stats();
        stats.size += one.size;
        stats.capacity += one.capacity;
        stats.size_bits += one.size_bits;
        stats.side_bits += one.side_bits;
        stats.expected_fpr += std::ldexp(one.expected_fpr, -place.depth);
        extensions += static_cast<double>(filter.extensions().size());
        voids += static_cast<double>(filter.voids().size());
        return Status();
      })
      .ok();
  stats.size_bits += shards_->OverheadBits();
  stats.details = {{"shards", static_cast<double>(shards_->num_shards())},
                   {"extensions", extensions},
                   {"voids", voids},
                   {"erases", static_cast<double>(num_erases())},
                   {"forced_maybes", static_cast<double>(num_forced())}};
  return stats;
}

Capabilities ConcurrentTamis::capabilities() const {
  Capabilities can = CapabilitiesOf<ConcurrentTamis>();
  can.knows_members = options().filter.members != Members::kCaller;
  return can;
}

Status ConcurrentTamis::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(shards_->CheckDirectory());
  return shards_->ForEach([](const TamisFilter& filter,
                             const ShardPlace& place) {
    Status status = filter.CheckInvariants();
    if (status.ok()) return status;
    return status.WithContext("shard " + std::to_string(place.index()) +
                              " of " + std::to_string(place.depth) + " bits");
  });
}

}  // namespace tamis
