// ExtensionTable: the longer prefixes of those few members that were once
// wrong, in order.
//
// An extension is a prefix of more than F bits.  Its first F bits and its home
// say which entries of the active table it may belong to; the rest, 2 bits on
// average, tells its member from a key that is none:
//
//   prefix    home             | F bits | rest
//   here      home >> s        | s bits of home, F bits, code of the rest
//             the home here    | the slot, s + F + 7 bits
//
// so that the table is as small as it has extensions, whatever the size of the
// filter, and stands in the filter's order.  The code is that of the active
// table: the rest, a 1, zeros.  A rest of more than 6 bits (one in 64) does
// not fit; it goes to a sorted vector beside it.
//
// In front of both is a *screen* (prefix_screen.h), 3 to 6 bits an extension: most
// members are not extended, and need not come here to know.
//
// A table whose parts are mapped is not read when it is made: its screen is one
// word that lets all pass.
//
// Invariants (CheckInvariants tests all of them):
//   (E1) Those of the quotient table, whose runs are sorted; no code is 0.
//   (E2) Every rest in the vector is longer than 6 bits; the vector is sorted.
//   (E3) The screen has the full prefix of every extension; of one in the vector
//        with a mark more, so that few others search the vector.
//   (E4) Extensions are counted by their length, but where they are mapped.
//
// Thread safety: const functions may run concurrently with one another only.

#ifndef TAMIS_INTERNAL_FILTERS_TAMIS_EXTENSION_TABLE_H_
#define TAMIS_INTERNAL_FILTERS_TAMIS_EXTENSION_TABLE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "tamis/internal/bits/plain_vector.h"
#include "tamis/internal/filters/growing/prefix_code.h"
#include "tamis/internal/filters/tamis/prefix.h"
#include "tamis/internal/filters/tamis/prefix_screen.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

class ExtensionTable {
 public:
  static constexpr int kRestBits = 6;
  static constexpr int kMaxFingerprintBits = 40;
  static_assert(kMaxFingerprintBits + kRestBits + 1 <= kMaxSlotBits);

  // What an extension in the vector looks like, in memory and in files.
  struct Long {
    uint64_t home_and_length;  // home * 256 + length
    uint64_t string;

    static Long Of(const Prefix& prefix) {
      return {(HomeOf(prefix.low) << 8) | static_cast<uint64_t>(prefix.length),
              StringOf(prefix.low)};
    }
    uint64_t home() const { return home_and_length >> 8; }
    // (Of one that was not checked, some prefix.)
    Prefix prefix() const {
      const auto length = static_cast<int>(home_and_length & 0xff);
      return {MakePosition(home(), string), std::min(length, kStringBits)};
    }
    friend bool operator==(const Long&, const Long&) = default;
  };
  // How a table for so many extensions is made.
  struct Plan {
    uint64_t homes = 0;  // of the active table
    int bits = 0;        // F
    uint64_t capacity = 0;
    int shift = 0;  // s
    int homes_per_line = 0;

    static Plan For(uint64_t homes, int bits, uint64_t capacity);
    int width() const { return shift + bits + kRestBits + 1; }
    uint64_t table_homes() const { return ((homes - 1) >> shift) + 1; }
    uint64_t ScreenWords() const;
    uint64_t SizeBits() const;
  };

  // Has no room.
  ExtensionTable() = default;
  static Result<ExtensionTable> Create(const Plan& plan);
  Result<ExtensionTable> Clone() const;
  // A table of all of `prefixes`, which are longer than plan.bits.
  static Result<ExtensionTable> Build(const Plan& plan,
                                      std::span<const Prefix> prefixes);
  // From the parts of another one, copied or mapped; kCorrupt if they are not of
  // the plan's size.  What they say is for CheckInvariants to judge.
  static Result<ExtensionTable> FromParts(const Plan& plan, uint64_t size,
                                          const OuterBytes& lines,
                                          PlainVector<Long> longs);

  uint64_t size() const { return table_size() + longs_.size(); }
  bool empty() const { return size() == 0; }
  uint64_t capacity() const { return plan_.capacity; }
  const Plan& plan() const { return plan_; }
  uint64_t SizeBits() const;
  // How many extensions have 0, 1, ... bits; linear where they are mapped.
  using Counts = std::array<uint64_t, kStringBits + 1>;
  Counts CountsByLength() const {
    return counts_ == nullptr ? CountAll() : *counts_;
  }

  // False: there is no extension under the full prefix of a key.
  bool MayHave(KeyHash hash) const {
    return !screen_.empty() && PassesScreen(hash);
  }
  // REQUIRES: !empty()
  bool PassesScreen(KeyHash hash) const { return screen_.MayCover(hash); }
  // Fetches what FindUnder reads.
  void Prefetch(uint64_t home) const { table_->PrefetchHome(TableHome(home)); }
  // Calls visit(extension) for those under the full prefix of `at`, in order
  // but for long ones, which come last.
  template <typename Visit>
  void ForEachUnder(Position at, Visit&& visit) const;
  // How many there are under the full prefix of a key, and whether one of them
  // covers it.
  struct Under {
    uint64_t count = 0;
    bool covers = false;
  };
  Under FindUnder(KeyHash hash) const;
  // All, sorted.
  Result<PlainVector<Prefix>> All() const;

  // Makes sure that the next `count` inserts, and `long_count` of those that
  // need more than a slot, need no memory.
  Status Reserve(uint64_t count, uint64_t long_count);
  // kFull at its capacity.
  Status Insert(const Prefix& extension);
  // Returns false if it is not there.
  bool Erase(const Prefix& extension);
  // Drops one extension, the next behind `home`, round and round: one of that
  // home only if there is no other.  Which one is a matter of what is in the
  // table, so that a copy, loaded from wherever, drops the same.  Returns where
  // it was.  REQUIRES: !empty()
  uint64_t DropAfter(uint64_t home);

  // The parts, for files.
  uint64_t table_size() const { return table_ ? table_->size() : 0; }
  std::span<const std::byte> lines() const {
    return table_ ? table_->lines() : std::span<const std::byte>();
  }
  std::span<const Long> longs() const { return longs_.span(); }
  Status CheckInvariants() const;

 private:
  uint64_t TableHome(uint64_t home) const { return home >> plan_.shift; }
  uint64_t ValueOf(const Prefix& extension) const;
  Prefix PrefixIn(uint64_t table_home, uint64_t value) const;
  bool FitsSlot(const Prefix& extension) const {
    return extension.length - plan_.bits <= kRestBits;
  }
  // REQUIRES: the home of `extension` is one
  void Mark(const Prefix& extension) {
    screen_.Add(extension);
    if (!FitsSlot(extension)) screen_.Add(extension, PrefixScreen::Mark::kFew);
  }
  Counts CountAll() const;
  // Counts and marks all.
  Status Summarize();
  void Count(const Prefix& extension, int by) {
    (*counts_)[static_cast<size_t>(extension.length)] +=
        static_cast<uint64_t>(static_cast<int64_t>(by));
  }
  // Where a prefix is in the vector, or would be.
  uint64_t LowerBound(const Prefix& prefix) const;
  Status CheckExtension(const Prefix& extension) const;

  Plan plan_;
  std::optional<QuotientTable> table_;  // none without room
  PlainVector<Long> longs_;
  PrefixScreen screen_;
  // By length; none without room, as in most shards, and none where mapped.
  std::unique_ptr<Counts> counts_;
};

template <typename Visit>
void ExtensionTable::ForEachUnder(Position at, Visit&& visit) const {
  if (!table_) return;
  const Prefix full = PrefixOf(at, plan_.bits);
  const uint64_t table_home = TableHome(HomeOf(at));
  const SlotRange run = table_->FindRun(table_home);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    const Prefix extension = PrefixIn(table_home, table_->Get(slot));
    if (full.Covers(extension.low)) visit(extension);
  }
  for (uint64_t i = LowerBound(full);
       i < longs_.size() && full.Covers(longs_[i].prefix().low); ++i) {
    visit(longs_[i].prefix());
  }
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_TAMIS_EXTENSION_TABLE_H_
