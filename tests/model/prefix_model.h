// PrefixModel: what a tamis filter is, without how it is kept.
//
// Two multisets of prefixes of hashes, with lengths counted from the first bit:
//
//   entries      one for each member; none is longer than full
//   extensions   longer than full; each belongs to an entry that is its first
//                full bits
//
// and *full*, the bits that a new entry fixes, for each stretch of hashes.  Homes,
// lines, steps within a generation, shards, splits and the array of voids are
// not in it: none of them may change what it holds.  The filter decides when it
// grows; the model is told, by the lengths that are full now.
//
// Everything is slow and simple: each look goes through all.

#ifndef TAMIS_TESTS_MODEL_PREFIX_MODEL_H_
#define TAMIS_TESTS_MODEL_PREFIX_MODEL_H_

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "tamis/internal/bits/words.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"

namespace tamis::testing {

using internal::Uint128;

inline Uint128 NumberOf(KeyHash hash) {
  return static_cast<Uint128>(hash.high) << 64 | hash.low;
}

struct HashPrefix {
  Uint128 low;  // bits behind the first `length` are 0
  int length;

  static HashPrefix Of(Uint128 hash, int length) {
    if (length == 0) return {0, 0};
    return {hash >> (128 - length) << (128 - length), length};
  }
  bool Covers(Uint128 hash) const { return Of(hash, length).low == low; }
  friend auto operator<=>(const HashPrefix&, const HashPrefix&) = default;
};

class PrefixModel {
 public:
  using Prefixes = std::multiset<HashPrefix>;
  struct Stretch {
    HashRange range;
    int full;
  };

  explicit PrefixModel(int rest_bits) : rest_bits_(rest_bits) {}

  const Prefixes& entries() const { return entries_; }
  const Prefixes& extensions() const { return extensions_; }

  // The filter's stretches are these now, and what is full in them.  Those that
  // were joined became equally long first.
  void Follow(const std::vector<Stretch>& stretches) {
    for (const Stretch& now : stretches) {
      int longest = 0;
      for (const Stretch& old : stretches_) {
        if (Meet(old, now)) longest = std::max(longest, old.full);
      }
      const bool is_joined =
          std::count_if(stretches_.begin(), stretches_.end(),
                        [&](const Stretch& s) { return Meet(s, now); }) > 1;
      for (const Stretch& old : stretches_) {
        if (!Meet(old, now)) continue;
        const HashRange both = {std::max(old.range.low, now.range.low),
                                std::min(old.range.high, now.range.high)};
        int full = old.full;
        const int up_to = is_joined ? std::max(longest, now.full) : now.full;
        for (; full < up_to; ++full) Raise(both, full);
        for (; full > now.full; --full) Lower(both, full);
      }
    }
    stretches_ = stretches;
  }

  bool MayContain(KeyHash hash) const {
    const Uint128 key = NumberOf(hash);
    const HashPrefix full = FullOf(key);
    for (const HashPrefix& entry : entries_) {
      if (entry.length < full.length && entry.Covers(key)) return true;
    }
    size_t under = 0;
    for (const HashPrefix& extension : extensions_) {
      if (extension.Covers(key)) return true;
      under += static_cast<size_t>(full.Covers(extension.low));
    }
    return entries_.count(full) > under;
  }
  void Insert(KeyHash hash) { entries_.insert(FullOf(NumberOf(hash))); }

  void Add(const Prefixes& entries) {
    entries_.insert(entries.begin(), entries.end());
  }

  // The longest match goes.  REQUIRES: it is a member
  void Erase(KeyHash hash) {
    const Uint128 key = NumberOf(hash);
    const HashPrefix full = FullOf(key);
    if (const auto extension = Longest(extensions_, key, 128)) {
      Remove(extensions_, *extension);
      Remove(entries_, full);
      return;
    }
    size_t under = 0;
    for (const HashPrefix& extension : extensions_) {
      under += static_cast<size_t>(full.Covers(extension.low));
    }
    const int most =
        entries_.count(full) > under ? full.length : full.length - 1;
    Remove(entries_, *Longest(entries_, key, most));
  }

  // REQUIRES: `members` are some of those that there are
  void Adapt(KeyHash hash, const std::vector<KeyHash>& members) {
    if (!MayContain(hash)) return;
    const Uint128 absent = NumberOf(hash);
    const int full = FullOf(absent).length;
    HashPrefix range = FullOf(absent);
    for (const HashPrefix& entry : entries_) {
      if (entry.Covers(absent) && entry.length < range.length) range = entry;
    }
    std::vector<Uint128> inside;
    for (const KeyHash member : members) {
      if (range.Covers(NumberOf(member))) inside.push_back(NumberOf(member));
    }
    std::sort(inside.begin(), inside.end());
    for (const HashPrefix& entry : KnownIn(range)) {
      const auto member =
          std::find_if(inside.begin(), inside.end(),
                       [&](Uint128 m) { return entry.Covers(m); });
      if (member == inside.end()) continue;
      Improve(entry, *member, absent, full);
      inside.erase(member);
    }
  }

  // Of the members with one full prefix, so many have a whole entry.
  void Rejuvenate(std::vector<KeyHash> members) {
    std::sort(members.begin(), members.end());
    for (size_t i = 0; i < members.size();) {
      const HashPrefix full = FullOf(NumberOf(members[i]));
      size_t whole = entries_.count(full);
      for (; i < members.size() && full.Covers(NumberOf(members[i])); ++i) {
        if (whole > 0) {
          --whole;
          continue;
        }
        Remove(entries_, *Longest(entries_, full.low, full.length - 1));
        entries_.insert(full);
      }
    }
  }
  void Forget() { extensions_.clear(); }

 private:
  static bool Meet(const Stretch& a, const Stretch& b) {
    return a.range.low <= b.range.high && b.range.low <= a.range.high;
  }
  static bool IsIn(const HashRange& range, const HashPrefix& prefix) {
    return NumberOf(range.low) <= prefix.low &&
           prefix.low <= NumberOf(range.high);
  }
  static void Remove(Prefixes& from, const HashPrefix& one) {
    const auto at = from.find(one);
    if (at != from.end()) from.erase(at);
  }
  static std::optional<HashPrefix> Longest(const Prefixes& of, Uint128 key,
                                           int most) {
    std::optional<HashPrefix> best;
    for (const HashPrefix& one : of) {
      if (one.length <= most && one.Covers(key) &&
          (!best || one.length > best->length)) {
        best = one;
      }
    }
    return best;
  }
  HashPrefix FullOf(Uint128 key) const {
    for (const Stretch& stretch : stretches_) {
      if (NumberOf(stretch.range.low) <= key &&
          key <= NumberOf(stretch.range.high)) {
        return HashPrefix::Of(key, stretch.full);
      }
    }
    return {0, 0};
  }

  // Full is one bit more: who is extended takes it from its extension.
  void Raise(const HashRange& range, int full) {
    Prefixes kept;
    for (const HashPrefix& extension : extensions_) {
      if (!IsIn(range, extension)) {
        kept.insert(extension);
        continue;
      }
      Remove(entries_, HashPrefix::Of(extension.low, full));
      entries_.insert(HashPrefix::Of(extension.low, full + 1));
      if (extension.length > full + 1) kept.insert(extension);
    }
    extensions_ = kept;
  }
  // Full is one bit less; an extension that has all bits of a slot loses one.
  void Lower(const HashRange& range, int full) {
    Prefixes entries;
    for (const HashPrefix& entry : entries_) {
      entries.insert(
          IsIn(range, entry)
              ? HashPrefix::Of(entry.low, std::min(entry.length, full - 1))
              : entry);
    }
    Prefixes extensions;
    for (const HashPrefix& one : extensions_) {
      const bool is_cut = IsIn(range, one) && one.length == full + rest_bits_;
      extensions.insert(
          HashPrefix::Of(one.low, one.length - static_cast<int>(is_cut)));
    }
    entries_ = entries;
    extensions_ = extensions;
  }

  // The entries within a prefix, longest first; in place of those that are
  // extended, their extensions.
  std::vector<HashPrefix> KnownIn(const HashPrefix& range) const {
    Prefixes plain = entries_;
    std::vector<HashPrefix> known;
    for (const HashPrefix& extension : extensions_) {
      Remove(plain, FullOf(extension.low));
      known.push_back(extension);
    }
    known.insert(known.end(), plain.begin(), plain.end());
    std::erase_if(known, [&](const HashPrefix& one) {
      return one.length < range.length || !range.Covers(one.low);
    });
    std::stable_sort(known.begin(), known.end(),
                     [](const HashPrefix& a, const HashPrefix& b) {
                       return a.length > b.length;
                     });
    return known;
  }
  void Improve(const HashPrefix& entry, Uint128 member, Uint128 absent,
               int full) {
    if (entry.length < full) {
      Remove(entries_, entry);
      entries_.insert(HashPrefix::Of(member, full));
    }
    int length = full + 1;
    while (length < 128 && HashPrefix::Of(member, length).Covers(absent)) {
      ++length;
    }
    if (!entry.Covers(absent) || !HashPrefix::Of(member, full).Covers(absent)) {
      return;
    }
    Remove(extensions_, entry);
    extensions_.insert(HashPrefix::Of(member, length));
  }

  int rest_bits_;
  Prefixes entries_;
  Prefixes extensions_;
  std::vector<Stretch> stretches_ = {{kAllHashes, 0}};
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_PREFIX_MODEL_H_
