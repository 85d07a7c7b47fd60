// PageMap: which pages of a family's filter are on disk.
//
//   hash 0                                                   1
//        |   page, 41   |  page, 57  |        page, 40       |
//
// Each page begins where the one before ends, and includes the journal below
// its own position.  Shards split and join between two saves, so a new page may
// take the place of several, or several that of one: by one batch each time.

#ifndef TAMIS_STORE_SRC_PAGE_MAP_H_
#define TAMIS_STORE_SRC_PAGE_MAP_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "store/src/layout.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"

namespace tamis::internal {

// Adds a page to those that were taken before it.  Its shard may have been
// joined since with some of theirs: it has their keys then, and takes their
// place.
inline void AddTaken(std::vector<SavedPage>* taken, SavedPage page) {
  while (!taken->empty() &&
         page.page.range.low <= taken->back().page.range.low) {
    taken->pop_back();
  }
  taken->push_back(std::move(page));
}

class PageMap {
 public:
  bool empty() const { return pages_.empty(); }
  void clear() { pages_.clear(); }
  void Add(const HashRange& range, uint64_t position) {
    pages_[range.low] = {range.high, position};
  }

  // True if a page begins at or before `high` and goes on after it.
  bool GoesOnAfter(KeyHash high) const {
    const auto after = pages_.upper_bound(high);
    return after != pages_.begin() && high < std::prev(after)->second.high;
  }
  // Where the pages begin that begin in a range.
  std::vector<KeyHash> Beginnings(const HashRange& range) const {
    std::vector<KeyHash> lows;
    for (auto at = pages_.lower_bound(range.low);
         at != pages_.end() && at->first <= range.high; ++at) {
      lows.push_back(at->first);
    }
    return lows;
  }
  // Puts `saved`, which follow each other, in the place of what was there.
  // REQUIRES: !GoesOnAfter(the end of the last)
  void Replace(std::span<const SavedPage> saved) {
    const HashRange range = {saved.front().page.range.low,
                             saved.back().page.range.high};
    for (const KeyHash low : Beginnings(range)) pages_.erase(low);
    for (const SavedPage& one : saved) Add(one.page.range, one.position);
  }

  // The first position that the page of this hash does not include.
  // REQUIRES: !empty(), and the pages begin with the first hash
  uint64_t PositionOf(KeyHash hash) const {
    return std::prev(pages_.upper_bound(hash))->second.position;
  }
  // The least and the largest of them; 0 if there is none.
  uint64_t least() const {
    uint64_t least = pages_.empty() ? 0 : ~uint64_t{0};
    for (const auto& [low, page] : pages_) {
      least = std::min(least, page.position);
    }
    return least;
  }
  uint64_t largest() const {
    uint64_t largest = 0;
    for (const auto& [low, page] : pages_) {
      largest = std::max(largest, page.position);
    }
    return largest;
  }

 private:
  struct Page {
    KeyHash high;
    uint64_t position;
  };
  std::map<KeyHash, Page> pages_;  // by the first hash
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_PAGE_MAP_H_
