#include "tamis/internal/filters/cached/mistake_cache.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

namespace tamis::internal {

Result<MistakeCache> MistakeCache::Create(uint64_t size_bytes, Policy policy) {
  MistakeCache cache;
  cache.policy_ = policy;
  const uint64_t sets = size_bytes / (kWays * BytesPerEntry(policy));
  cache.entries_ = std::max<uint64_t>(sets, 1) * kWays;
  TAMIS_ASSIGN_OR_RETURN(
      cache.hashes_, AlignedBuffer::Allocate(cache.entries_ * sizeof(KeyHash)));
  TAMIS_ASSIGN_OR_RETURN(cache.uses_, AlignedBuffer::Allocate(cache.entries_));
  if (policy == Policy::kTopK) {
    TAMIS_ASSIGN_OR_RETURN(
        cache.counts_,
        AlignedBuffer::Allocate(cache.entries_ * sizeof(uint32_t)));
  }
  return cache;
}

Result<MistakeCache> MistakeCache::FromBytes(
    uint64_t size_bytes, Policy policy, std::span<const std::byte> hashes,
    std::span<const std::byte> counts) {
  // Before anything is allocated: the size may come from a forged file.
  const uint64_t sets = size_bytes / (kWays * BytesPerEntry(policy));
  const uint64_t entries = std::max<uint64_t>(sets, 1) * kWays;
  const uint64_t counted = policy == Policy::kTopK ? entries : 0;
  if (hashes.size() != entries * sizeof(KeyHash) ||
      counts.size() != counted * sizeof(uint32_t)) {
    return Status(
        StatusCode::kCorrupt,
        "the cache does not have " + std::to_string(entries) + " entries");
  }
  TAMIS_ASSIGN_OR_RETURN(MistakeCache cache, Create(size_bytes, policy));
  for (uint64_t i = 0; i < entries; ++i) {
    const std::byte* const at = hashes.data() + i * sizeof(KeyHash);
    cache.hashes()[i] = {.high = LoadWord(at + 8), .low = LoadWord(at)};
  }
  for (uint64_t i = 0; i < counted; ++i) {
    std::memcpy(&cache.counts()[i], counts.data() + i * sizeof(uint32_t),
                sizeof(uint32_t));
  }
  return cache;
}

uint64_t MistakeCache::used() const {
  return entries_ - static_cast<uint64_t>(
                        std::count(hashes(), hashes() + entries_, KeyHash()));
}

// Returns whether the entry was used since this was last asked.
bool MistakeCache::TakeUse(uint64_t at) {
  return UseOf(at).exchange(0, std::memory_order_relaxed) != 0;
}

void MistakeCache::MoveToFront(uint64_t set, uint64_t way) {
  KeyHash* const first = hashes() + set;
  std::rotate(first, first + way, first + way + 1);
}

// REQUIRES: the last of the set is to go, be it free or not
void MistakeCache::MakeRoomByLru(uint64_t set) {
  uint64_t front = 0;
  for (uint64_t way = 0; way < kWays; ++way) {
    if (!TakeUse(set + way)) continue;
    KeyHash* const first = hashes() + set;
    std::rotate(first + front, first + way, first + way + 1);
    ++front;
  }
}

void MistakeCache::MakeRoomByClock(uint64_t set) {
  // Who was used waits for another round; after kWays of them nobody was.
  for (uint64_t i = 0; i < kWays; ++i) {
    const uint64_t last = kWays - 1;
    if (hashes()[set + last] == KeyHash() || !TakeUse(set + last)) return;
    MoveToFront(set, last);
    std::rotate(uses_.data() + set, uses_.data() + set + last,
                uses_.data() + set + kWays);
  }
}

void MistakeCache::AddCounted(uint64_t set, KeyHash hash) {
  constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();
  for (uint64_t at = set; at < set + kWays; ++at) {
    const uint32_t uses = UseOf(at).exchange(0, std::memory_order_relaxed);
    counts()[at] += std::min(uses, kMost - counts()[at]);
  }
  uint32_t* const least =
      std::min_element(counts() + set, counts() + set + kWays);
  hashes()[least - counts()] = hash;
  *least += *least < kMost ? 1 : 0;
}

bool MistakeCache::Add(KeyHash hash) {
  if (hash == KeyHash()) return false;
  const uint64_t set = SetOf(hash);
  if (policy_ == Policy::kTopK) {
    AddCounted(set, hash);
    return true;
  }
  if (policy_ == Policy::kLru) {
    MakeRoomByLru(set);
  } else {
    MakeRoomByClock(set);
  }
  MoveToFront(set, kWays - 1);
  // Notes are of places: those of the entries that moved on move with them.
  std::rotate(uses_.data() + set, uses_.data() + set + kWays - 1,
              uses_.data() + set + kWays);
  hashes()[set] = hash;
  UseOf(set).store(0, std::memory_order_relaxed);
  return true;
}

void MistakeCache::RemoveAt(uint64_t set, uint64_t way) {
  if (policy_ == Policy::kTopK) {
    hashes()[set + way] = KeyHash();
    counts()[set + way] = 0;
    UseOf(set + way).store(0, std::memory_order_relaxed);
    return;
  }
  KeyHash* const first = hashes() + set;
  std::byte* const uses = uses_.data() + set;
  std::rotate(first + way, first + way + 1, first + kWays);
  std::rotate(uses + way, uses + way + 1, uses + kWays);
  first[kWays - 1] = KeyHash();
  uses[kWays - 1] = std::byte{0};
}

void MistakeCache::Remove(KeyHash hash) {
  const uint64_t at = PlaceOf(hash);
  if (at != kNone) RemoveAt(at / kWays * kWays, at % kWays);
}

std::vector<uint64_t> MistakeCache::Words() const {
  std::vector<uint64_t> words;
  words.reserve(2 * entries_);
  for (uint64_t i = 0; i < entries_; ++i) {
    words.push_back(hashes()[i].low);
    words.push_back(hashes()[i].high);
  }
  return words;
}

std::vector<uint32_t> MistakeCache::Counts() const {
  if (policy_ != Policy::kTopK) return {};
  return {counts(), counts() + entries_};
}

Status MistakeCache::CheckInvariants() const {
  const auto broken = [](const char* what, uint64_t at) {
    return Status(StatusCode::kCorrupt,
                  std::string(what) + ", at entry " + std::to_string(at));
  };
  for (uint64_t at = 0; at < entries_; ++at) {
    const uint64_t set = at / kWays * kWays;
    const KeyHash hash = hashes()[at];
    if (hash == KeyHash()) {
      if (policy_ == Policy::kTopK && counts()[at] != 0) {
        return broken("(K3): a count of nothing", at);
      }
      continue;
    }
    if (SetOf(hash) != set) return broken("(K1): not in its set", at);
    if (PlaceOf(hash) != at) return broken("(K2): there twice", at);
    if (policy_ != Policy::kTopK && at > set && hashes()[at - 1] == KeyHash()) {
      return broken("(K3): behind a free place", at);
    }
  }
  return {};
}

}  // namespace tamis::internal
