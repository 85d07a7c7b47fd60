// Kicks: how a cuckoo table makes room.  The one place for all forms.
//
// A key whose bins are full takes the slot of another key, which goes to
// another of its own bins, and so on until one finds a free slot:
//
//   x -> [a] -> [b] -> [free]      path: slot of a, slot of b, free slot
//
// FindPath looks for such a path breadth first, hence a shortest one, and
// changes nothing.  Only then does the filter move entries, from the end of
// the path to its beginning, so a failed search leaves it untouched and there
// is no key in flight.  The search is bounded: it visits at most kMaxKickNodes
// slots.  It follows a fixed order, or one that a random number chooses: then
// of several shortest paths any may be found, and equal numbers find the same.
//
// The search waits for memory: for the key of a slot, which says its other bins,
// and for those bins.  So it fetches the key when a slot enters the queue, and
// reads it kKicksAhead slots before its turn, to fetch the bins.  Not earlier: the
// queue is short at first, and a key that has just been asked for is not there:
//
//   queue    done ... | turn |  bins on their way  |  keys on their way ...
//
// A path never visits a slot twice, which is checked against its ancestors
// only (a path is short); a slot may be in the queue on two different paths.
//
// Tried: a random walk with loops erased (2026-11): see docs/design/cuckoo.md.

#ifndef TAMIS_FILTERS_CUCKOO_KICKS_H_
#define TAMIS_FILTERS_CUCKOO_KICKS_H_

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/cuckoo/bin_table.h"

namespace tamis::internal {

inline constexpr uint32_t kMaxKickNodes = 4096;
inline constexpr uint32_t kKicksAhead = 2;

// What the search must know of a filter: its table, and OtherBins, which
// writes the bins where the key in an occupied slot could live besides its
// present one, and returns their number, at most kMaxOtherBins; it may write one
// more.  PrefetchKey fetches what OtherBins reads.
inline constexpr int kMaxOtherBins = 3;
using OtherBinsArray = uint64_t[kMaxOtherBins + 1];
template <typename G>
concept KickGraph = requires(const G& graph, uint64_t slot, uint64_t* bins) {
  { graph.table() } -> std::same_as<const BinTable&>;
  { graph.OtherBins(slot, bins) } -> std::same_as<int>;
  graph.PrefetchKey(slot);
};

// Returns the next of a sequence of numbers whose high bits look random.
inline uint64_t NextRandom(uint64_t number) {
  return number * 0xd1342543de82ef95 + 1;
}

// Returns a free slot of the first of `bins` that has one, or kNoSlot: what
// most insertions need, without a search.
inline uint64_t FirstFree(const BinTable& table,
                          std::span<const uint64_t> bins) {
  for (const uint64_t bin : bins) {
    if (table.BinContains(bin, 0)) return table.FindInBin(bin, 0);
  }
  return kNoSlot;
}

template <KickGraph Graph>
class KickSearch {
 public:
  // `vacated` names a slot that counts as free, because its key is the one
  // that is looking for a place; kNoSlot if there is none.  `order` chooses
  // among shortest paths; 0 is the order of the tables.
  explicit KickSearch(const Graph& graph, uint64_t vacated = kNoSlot,
                      uint64_t order = 0)
      : graph_(graph),
        table_(graph.table()),
        vacated_(vacated),
        vacated_bin_(vacated == kNoSlot ? kNoSlot
                                        : vacated / table_.slots_per_bin()),
        random_(order) {}

  // Returns the slots of a path from one of `bins` to a free slot, which is
  // its last; empty if none was found.
  std::vector<uint64_t> FindPath(std::span<const uint64_t> bins) {
    count_ = 0;
    num_read_ = 0;
    for (const uint64_t bin : bins) {
      if (Visit(bin, kRoot)) return PathTo(kRoot);
    }
    for (uint32_t node = 0; node < count_; ++node) {
      ReadAhead(node);
      Others& others = ahead_[node % kKicksAhead];
      Shuffle({others.bins, static_cast<size_t>(others.count)});
      for (int i = 0; i < others.count; ++i) {
        if (Visit(others.bins[i], node)) return PathTo(node);
      }
    }
    return {};
  }

 private:
  static constexpr uint32_t kRoot = ~uint32_t{0};
  struct Node {
    uint64_t slot;
    uint32_t parent;
  };

  // The other bins of the key in a slot.
  struct Others {
    OtherBinsArray bins;
    int count;
  };

  // Reads the keys of the nodes from `node` on, as far ahead as there are any,
  // and fetches their other bins.
  void ReadAhead(uint32_t node) {
    const uint32_t limit = std::min(node + kKicksAhead, count_);
    for (; num_read_ < limit; ++num_read_) {
      Others& others = ahead_[num_read_ % kKicksAhead];
      others.count = graph_.OtherBins(nodes_[num_read_].slot, others.bins);
      for (int i = 0; i < others.count; ++i) table_.Prefetch(others.bins[i]);
    }
  }

  void Shuffle(std::span<uint64_t> bins) {
    if (random_ == 0) return;
    for (uint64_t left = bins.size(); left > 1; --left) {
      std::swap(bins[left - 1], bins[Below(left)]);
    }
  }

  // Returns a number in [0, limit); 0 if the order is that of the tables.
  uint64_t Below(uint64_t limit) {
    random_ = random_ == 0 ? 0 : NextRandom(random_);
    return MultiplyHigh(random_, limit);
  }

  // Returns true if the bin has a free slot, which becomes free_; otherwise
  // puts its slots in the queue as children of `parent`.
  bool Visit(uint64_t bin, uint32_t parent) {
    free_ = FreeSlot(bin);
    if (free_ != kNoSlot) return true;
    const uint64_t slots = table_.slots_per_bin();
    const uint64_t begin = bin * slots;
    const uint64_t first = Below(slots);
    for (uint64_t i = first; i < first + slots; ++i) {
      if (count_ == kMaxKickNodes) break;
      const uint64_t slot = begin + (i < slots ? i : i - slots);
      if (OnPath(slot, parent)) continue;
      nodes_[count_++] = {slot, parent};
      graph_.PrefetchKey(slot);
    }
    return false;
  }

  uint64_t FreeSlot(uint64_t bin) const {
    if (bin == vacated_bin_) return vacated_;
    return FirstFree(table_, {&bin, 1});
  }

  bool OnPath(uint64_t slot, uint32_t node) const {
    for (; node != kRoot; node = nodes_[node].parent) {
      if (nodes_[node].slot == slot) return true;
    }
    return false;
  }

  std::vector<uint64_t> PathTo(uint32_t node) const {
    std::vector<uint64_t> path{free_};
    for (; node != kRoot; node = nodes_[node].parent) {
      path.push_back(nodes_[node].slot);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  const Graph& graph_;
  const BinTable& table_;
  const uint64_t vacated_;
  const uint64_t vacated_bin_;  // kNoSlot: none
  uint64_t random_;             // 0: none
  uint64_t free_ = kNoSlot;
  uint32_t count_ = 0;
  uint32_t num_read_ = 0;  // nodes whose other bins are known
  Others ahead_[kKicksAhead];
  Node nodes_[kMaxKickNodes];
};

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_CUCKOO_KICKS_H_
