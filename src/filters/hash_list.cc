#include "tamis/internal/filters/hash_list.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tamis/result.h"

namespace tamis::internal {

// REQUIRES: there is room
void HashList::Put(KeyHash hash) {
  if (hash == KeyHash()) {
    size_ += has_zero_ ? 0 : 1;
    has_zero_ = true;
    return;
  }
  KeyHash* const places = Places();
  uint64_t at = PlaceOf(hash);
  while (places[at] != KeyHash() && places[at] != hash) at = After(at);
  size_ += places[at] == hash ? 0 : 1;
  places[at] = hash;
}

// Makes room for so many in all.
Status HashList::Reserve(uint64_t count) {
  if (5 * count <= 4 * places_) return {};
  uint64_t places = 8;  // the same for equal counts, however they came about
  while (5 * count > 4 * places) places += places / 4 * 3;
  HashList larger;
  TAMIS_ASSIGN_OR_RETURN(larger.buffer_,
                         AlignedBuffer::Allocate(places * sizeof(KeyHash)));
  larger.places_ = places;
  for (const KeyHash hash : Sorted()) larger.Put(hash);
  *this = std::move(larger);
  return {};
}

Status HashList::Add(std::span<const KeyHash> hashes) {
  if (hashes.empty()) return {};
  TAMIS_RETURN_IF_ERROR(Reserve(size_ + hashes.size()));
  for (const KeyHash hash : hashes) Put(hash);
  return {};
}

std::vector<KeyHash> HashList::Sorted() const {
  std::vector<KeyHash> all;
  all.reserve(size_);
  if (has_zero_) all.emplace_back();
  std::copy_if(Places(), Places() + places_, std::back_inserter(all),
               [](KeyHash hash) { return hash != KeyHash(); });
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace tamis::internal
