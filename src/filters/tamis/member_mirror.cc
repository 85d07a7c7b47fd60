#include "tamis/internal/filters/tamis/member_mirror.h"

#include <string>

#include "base/errors.h"

namespace tamis::internal {
namespace {

constexpr uint64_t kFirstHomes = 16;
constexpr uint64_t kFirstTail = 32;

// Homes are in use up to 7/8, and after a rebuild to 7/10.
constexpr uint64_t Most(uint64_t homes) { return homes / 8 * 7 + homes % 8; }
constexpr uint64_t HomesFor(uint64_t members) {
  return std::max(kFirstHomes, members + members / 7 * 3 + 3);
}

}  // namespace

MemberMirror MemberMirror::OfSorted(PlainVector<KeyHash> hashes) {
  MemberMirror mirror;
  mirror.size_ = mirror.limit_ = hashes.size();
  mirror.places_ = std::move(hashes);
  while (mirror.num_zeros_ < mirror.size_ &&
         mirror.places_[mirror.num_zeros_] == kNone) {
    ++mirror.num_zeros_;
  }
  return mirror;
}

// An insert uses one place more behind the homes at most.
Status MemberMirror::Reserve(uint64_t more) {
  if (size_ + more > Most(homes_)) {
    return Rebuild(HomesFor(size_ + more), more);
  }
  const uint64_t limit = std::max(limit_, homes_);
  if (limit + more > places_.size()) {
    // Many copies of one hash at the very end: twice the tail each time.
    return Rebuild(homes_, more + limit - homes_);
  }
  return {};
}

Status MemberMirror::Rebuild(uint64_t homes, uint64_t more) {
  MemberMirror next;
  next.homes_ = homes;
  uint64_t limit = 0;
  for (uint64_t i = 0; i < limit_; ++i) {
    if (places_[i] != kNone)
      limit = std::max(limit, next.HomeOf(places_[i])) + 1;
  }
  TAMIS_ASSIGN_OR_RETURN(
      next.places_,
      PlainVector<KeyHash>::Zeros(std::max(homes, limit) + more + kFirstTail));
  for (uint64_t i = 0; i < limit_; ++i) {
    if (places_[i] == kNone) continue;
    const uint64_t place = std::max(next.limit_, next.HomeOf(places_[i]));
    next.places_[place] = places_[i];
    next.limit_ = place + 1;
  }
  next.size_ = size_;
  next.num_zeros_ = num_zeros_;
  *this = std::move(next);
  return {};
}

uint64_t MemberMirror::Lower(KeyHash hash) const {
  if (homes_ == 0) {
    const KeyHash* first = places_.begin();
    return static_cast<uint64_t>(std::lower_bound(first, first + limit_, hash) -
                                 first);
  }
  uint64_t at = HomeOf(hash);
  while (at < limit_ && places_[at] != kNone && places_[at] < hash) ++at;
  return at;
}

void MemberMirror::Add(KeyHash hash) {
  ++size_;
  if (hash == kNone) {
    ++num_zeros_;
    return;
  }
  uint64_t at = Lower(hash);
  // What is greater moves, up to the first free place.
  while (places_[at] != kNone) std::swap(places_[at++], hash);
  places_[at] = hash;
  limit_ = std::max(limit_, at + 1);
}

bool MemberMirror::Contains(KeyHash hash) const {
  if (hash == kNone) return num_zeros_ > 0;
  const uint64_t at = Lower(hash);
  return at < limit_ && places_[at] == hash;
}

void MemberMirror::Remove(KeyHash hash) {
  --size_;
  if (hash == kNone) {
    --num_zeros_;
    return;
  }
  uint64_t at = Lower(hash);
  // What stands behind its home moves back.
  for (; at + 1 < limit_ && places_[at + 1] != kNone &&
         HomeOf(places_[at + 1]) <= at;
       ++at) {
    places_[at] = places_[at + 1];
  }
  places_[at] = kNone;
  while (limit_ > 0 && places_[limit_ - 1] == kNone) --limit_;
  // A smaller table is welcome, and no need.
  if (homes_ > kFirstHomes && size_ < homes_ / 3) {
    (void)Rebuild(HomesFor(size_), 0).ok();
  }
}

Result<MemberMirror> MemberMirror::Copy() const {
  MemberMirror copy;
  TAMIS_ASSIGN_OR_RETURN(copy.places_,
                         PlainVector<KeyHash>::Copy(places_.span()));
  copy.homes_ = homes_;
  copy.limit_ = limit_;
  copy.size_ = size_;
  copy.num_zeros_ = num_zeros_;
  return copy;
}

Status MemberMirror::CheckInvariants() const {
  uint64_t found = num_zeros_;
  const KeyHash* last = nullptr;
  for (uint64_t i = 0; i < places_.size(); ++i) {
    const KeyHash& hash = places_[i];
    if (hash == kNone) continue;
    const uint64_t home = HomeOf(hash);
    const std::string where = " in place " + std::to_string(i);
    if (last != nullptr && hash < *last) {
      return Violation("(M1): a hash out of order" + where);
    }
    const bool is_apart = home < i && places_[i - 1] == kNone && homes_ != 0;
    if (home > i || is_apart || i >= limit_) {
      return Violation("(M2): a hash of home " + std::to_string(home) + where);
    }
    last = &hash;
    ++found;
  }
  if (found == size_) return {};
  return Violation("(M3): " + std::to_string(found) + " hashes, counted " +
                   std::to_string(size_));
}

}  // namespace tamis::internal
