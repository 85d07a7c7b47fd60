#include "tamis/internal/keys/pairing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace tamis::internal {
namespace {

constexpr size_t kNone = ~size_t{0};

// Equal things, as one.
struct Part {  // of a class of slots: what one class of members has of it
  size_t member;
  uint64_t count;
};
struct SlotClass {
  uint64_t content;
  uint64_t free;
  std::vector<size_t> slots;  // their places in the run
  std::vector<Part> parts;
};
struct MemberClass {
  KeyHash hash;
  uint64_t count;
};

// Longest first, where contents nest.
std::vector<SlotClass> ClassesOf(std::span<const uint64_t> contents) {
  std::vector<size_t> order(contents.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return contents[a] != contents[b] ? contents[a] > contents[b] : a < b;
  });
  std::vector<SlotClass> classes;
  for (const size_t slot : order) {
    if (classes.empty() || classes.back().content != contents[slot]) {
      classes.push_back({contents[slot], 0, {}, {}});
    }
    ++classes.back().free;
    classes.back().slots.push_back(slot);
  }
  return classes;
}

std::vector<MemberClass> ClassesOf(std::span<const KeyHash> members) {
  std::vector<MemberClass> classes;
  for (const KeyHash hash : members) {
    if (classes.empty() || classes.back().hash != hash) {
      classes.push_back({hash, 0});
    }
    ++classes.back().count;
  }
  return classes;
}

// Augmenting paths between classes, several members at a time.
class Pairing {
 public:
  Pairing(std::span<const uint64_t> contents, std::span<const KeyHash> members,
          const SlotMatcher& matcher)
      : slots_(ClassesOf(contents)), members_(ClassesOf(members)) {
    for (const SlotClass& slot : slots_) {
      for (const MemberClass& member : members_) {
        matches_.push_back(matcher.Matches(slot.content, member.hash));
      }
    }
  }

  // Gives every member a slot; false if one can have none.
  bool PlaceAll() {
    for (size_t member = 0; member < members_.size(); ++member) {
      for (uint64_t left = members_[member].count; left > 0;) {
        seen_.assign(slots_.size(), false);
        const uint64_t assigned = Assign(member, left);
        if (assigned == 0) return false;
        left -= assigned;
      }
    }
    return true;
  }

  Owners Certain(size_t num_slots, bool all) const {
    const std::vector<bool> doubtful =
        all ? std::vector<bool>(slots_.size()) : Doubtful();
    Owners owners(num_slots);
    for (size_t c = 0; c < slots_.size(); ++c) {
      if (doubtful[c]) continue;
      auto slot = slots_[c].slots.begin();
      for (const Part& part : slots_[c].parts) {
        for (uint64_t i = 0; i < part.count; ++i) {
          owners[*slot++] = members_[part.member].hash;
        }
      }
    }
    return owners;
  }

 private:
  using Labels = std::array<size_t, 2>;

  bool Matches(size_t slot, size_t member) const {
    return matches_[slot * members_.size() + member];
  }
  void Give(size_t slot, size_t member, uint64_t count) {
    for (Part& part : slots_[slot].parts) {
      if (part.member == member) {
        part.count += count;
        return;
      }
    }
    slots_[slot].parts.push_back({member, count});
  }

  // Finds slots for up to `wanted` of a member, moving others on if need be;
  // returns how many it found, 0 if there are none.
  uint64_t Assign(size_t member, uint64_t wanted) {
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      if (seen_[slot] || !Matches(slot, member)) continue;
      seen_[slot] = true;
      const uint64_t assigned = PlaceIn(slot, member, wanted);
      if (assigned != 0) return assigned;
    }
    return 0;
  }
  uint64_t PlaceIn(size_t slot, size_t member, uint64_t wanted) {
    if (slots_[slot].free > 0) {
      const uint64_t assigned = std::min(wanted, slots_[slot].free);
      slots_[slot].free -= assigned;
      Give(slot, member, assigned);
      return assigned;
    }
    std::vector<Part>& parts = slots_[slot].parts;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].member == member) continue;
      const uint64_t moved =
          Assign(parts[i].member, std::min(wanted, parts[i].count));
      if (moved == 0) continue;
      parts[i].count -= moved;
      if (parts[i].count == 0)
        parts.erase(parts.begin() + static_cast<ptrdiff_t>(i));
      Give(slot, member, moved);
      return moved;
    }
    return 0;
  }

  // Which classes may have fewer known members than now: those reached from
  // another class that has slots left over.  Two different origins say as much
  // as all of them, because one of the two is not the class itself.
  std::vector<bool> Doubtful() const {
    std::vector<std::vector<size_t>> slots_of(members_.size());
    std::vector<Labels> labels(slots_.size(), Labels{kNone, kNone});
    std::vector<size_t> open;
    for (size_t c = 0; c < slots_.size(); ++c) {
      for (const Part& part : slots_[c].parts) {
        slots_of[part.member].push_back(c);
      }
      if (slots_[c].free > 0) {
        labels[c][0] = c;
        open.push_back(c);
      }
    }
    while (!open.empty()) {
      const size_t from = open.back();
      open.pop_back();
      for (size_t member = 0; member < members_.size(); ++member) {
        if (!Matches(from, member)) continue;
        for (const size_t to : slots_of[member]) {
          if (to != from && Spread(labels[from], labels[to])) {
            open.push_back(to);
          }
        }
      }
    }
    std::vector<bool> doubtful(slots_.size());
    for (size_t c = 0; c < slots_.size(); ++c) {
      for (const size_t label : labels[c]) {
        if (label != kNone && label != c) doubtful[c] = true;
      }
    }
    return doubtful;
  }
  // Adds the labels of one class to another; false if it had them.
  static bool Spread(const Labels& from, Labels& to) {
    bool added = false;
    for (const size_t label : from) {
      if (label == kNone || label == to[0] || to[1] != kNone) continue;
      to[to[0] == kNone ? 0 : 1] = label;
      added = true;
    }
    return added;
  }

  std::vector<SlotClass> slots_;
  std::vector<MemberClass> members_;
  std::vector<bool> matches_;  // of slot class by member class
  std::vector<bool> seen_;     // in the search for one path
};

}  // namespace

std::optional<Owners> PairSlots(std::span<const uint64_t> contents,
                                std::span<const KeyHash> members,
                                const SlotMatcher& matcher) {
  if (members.size() > contents.size()) return std::nullopt;
  Pairing pairing(contents, members, matcher);
  if (!pairing.PlaceAll()) return std::nullopt;
  return pairing.Certain(contents.size(),
                         matcher.Nests() || members.size() == contents.size());
}

}  // namespace tamis::internal
