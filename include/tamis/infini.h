// InfiniFilter: the InfiniFilter, a filter that doubles for ever.
//
// Each entry is a prefix of its key's hash: home, then fingerprint.  When the
// filter is as full as its threshold allows, the homes double; every entry
// gives the first bit of its fingerprint to its home, and new keys still get
// whole fingerprints.  Half the keys are always new, so the false positive rate
// grows by a constant with each doubling instead of doubling with it.
//
//   home . fingerprint            resolution = bits of both
//   0110 . 1011|1                 a new entry, F = 4
//   01101 . 011|10                the same after a doubling
//   01101011 . |10000             after F doublings it is *void*
//
// What happens to void entries at the next doubling is a choice:
//
//   chain=sealed     (default) they move to a *secondary* table, 2^(F+1) times
//                    smaller, where they have whole fingerprints again.  When
//                    its own oldest entries are void, it is sealed and another
//                    one begins: a chain of one table per F + 1 doublings.
//   chain=duplicate  each becomes two, one in either child.  A look-up then
//                    reads the active table only; the tables of the chain
//                    still exist, and tell which copies belong together when a
//                    key is erased or rejuvenated.
//   chain=none       the filter doubles no more: Insert returns kFull.
//
//   guarantee   no false negative, as long as only members are erased or
//               rejuvenated; FPR by equation 5 (fixed) or 10 (growing) of
//               infini_math.h, exactly as ExpectedFpr says
//   growing     infini-growing widens the slots as the filter grows (equation
//               6), so that the false positive rate converges
//   cost        a look-up reads one line of the active table and one bit of
//               the chain's screen; where that is set, a line of each table of
//               the chain.  Expansion and contraction are one pass through the
//               table, in order
//   space       512 / S bits a slot; just before it doubles 1 / threshold slots
//               a key, just after it twice as many.  chain=duplicate: copies
//               may take half the slots that keys have, so that for small F
//               it is up to twice of both (F = 3, and doubled more than 15
//               times: still more).  A filter of less than 1 / threshold slots
//               doubles as if it had so many
//   when full   it doubles; kFull only for chain=none, or at 2^56 homes
//   contraction Erase halves the homes below a quarter of the threshold, down
//               to the size at creation; entries come back from the chain
//   multiset    a key inserted twice is there twice
//
// Invariants beside those of each table (CheckInvariants tests all of them):
//   (F1) Tables of the chain are older, each than the one before, none empty,
//        and none newer than Generations::OlderThan of the active one.
//   (F2) Every resolution is that of some generation up to the table's.
//   (F3) size() is the number of entries, each void one with all its
//        duplicates counted once.
//   (F4) chain=duplicate: every home holds a void entry for each prefix in
//        the chain that covers it, and no other
//        unless keys of some generation are void in this one.
//   (F5) The screen covers every entry of the chain, unless chain=duplicate.
//
// Paper: Dayan, Bercea, Reviriego, Pagh: InfiniFilter (SIGMOD 2023); duplicates
// as in the Aleph filter (Dayan, Bercea, Pagh, VLDB 2024).

#ifndef TAMIS_INFINI_H_
#define TAMIS_INFINI_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/growing/chain_screen.h"
#include "tamis/internal/filters/growing/generations.h"
#include "tamis/internal/filters/growing/prefix_table.h"
#include "tamis/internal/filters/growing/table_list.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"
#include "tamis/sizing.h"
#include "tamis/spec.h"

namespace tamis {

class InfiniFilter {
 public:
  enum class Voids { kChain, kNone, kDuplicate };
  struct Options {
    uint64_t slots = 0;         // homes at the start
    int fingerprint_bits = 12;  // F, 3 to 55
    bool growing = false;       // equation 6 instead of a constant F
    Voids voids = Voids::kChain;
    double threshold = 0.8;  // load at which it doubles, 0.05 to 0.98
  };
  static Result<InfiniFilter> Create(const Options& options,
                                     const Hasher& hasher = Hasher());
  static Result<InfiniFilter> Create(const KeysAndRate& wanted,
                                     const Hasher& hasher = Hasher()) {
    return internal::CreateSized<InfiniFilter>("infini", wanted, hasher);
  }
  // `spec` is infini:f=3..55,chain=sealed|none|duplicate,threshold=0.05..0.98,
  // or the same as infini-growing.
  static Result<InfiniFilter> Create(const Spec& spec, uint64_t slots,
                                     const Hasher& hasher);
  static Result<InfiniFilter> FromSnapshot(const internal::Snapshot& snapshot,
                                           const LoadOptions& options = {});
  internal::Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  // Fetches what Insert(hash) will change, some other inserts before it.
  void PrefetchInsert(KeyHash hash) const {
    active_.Prefetch(active_.Read(hash));
  }
  bool MayContain(KeyHash hash) const {
    if (active_.MayContain(hash)) return true;
    if (!screen_.MayContain(hash)) [[likely]]
      return false;
    for (const internal::PrefixTable& table : chain_) {
      if (table.MayContain(hash)) return true;
    }
    return false;
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Removes the longest fingerprint that matches: whoever owned it matches
  // the shorter one that stays.  Only for members: see ErasableFilter.
  Status Erase(KeyHash hash);
  // Gives a member a whole fingerprint, where it had a shorter one.  To be
  // called with the hash of a key that was found to be a true positive;
  // kNotFound if nothing matches.  As dangerous as Erase for others.
  Status Rejuvenate(KeyHash hash);
  // The same for many keys at once, as they come by when data is rewritten, in
  // the order of the table.  Each key at most as often as it was inserted:
  // several with equal fingerprints then all get whole ones, where one by one
  // the second would be taken for the first.  Stops at the first error.
  Status Rejuvenate(std::span<const KeyHash> hashes);
  // Doubles the homes.  kFull for chain=none with void entries.
  Status Expand();
  // Halves the homes.  kFull if the keys would exceed the threshold then,
  // kUnsupported at the size of creation.
  Status Contract();

  uint64_t size() const { return size_; }
  // Keys it holds before it doubles; copies of void entries take their room.
  uint64_t capacity() const {
    return std::max(size_, KeyLimit(active_.homes(), Copies()));
  }
  uint64_t SizeBits() const;
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  const Options& options() const { return options_; }
  const Hasher& hasher() const { return hasher_; }
  Status CheckInvariants() const;

  // Doublings since creation, less halvings.
  int generation() const { return active_.generation(); }
  const internal::PrefixTable& active() const { return active_; }
  // The secondary and the sealed tables, newest first.
  std::span<const internal::PrefixTable> chain() const { return chain_; }

 private:
  InfiniFilter(const Options& options, const Hasher& hasher,
               internal::PrefixTable active)
      : options_(options), hasher_(hasher), active_(std::move(active)) {}

  static internal::Generations GenerationsOf(const Options& options) {
    return {options.slots, options.fingerprint_bits, options.growing};
  }
  internal::Generations generations() const { return GenerationsOf(options_); }
  bool Duplicates() const { return options_.voids == Voids::kDuplicate; }
  // How many keys a table of `homes` homes holds before it doubles, if it has
  // `copies` slots more than keys.
  //
  //   slots     |------------ threshold ------------|
  //   few       copies | keys                       |      as many as are left
  //   many      copies ......... | keys ............. |    half the threshold
  //
  // Copies of void entries take room from keys, but never more than half of it:
  // their share does not fall when the table doubles, so that doubling to make
  // room for what they take might never end.
  uint64_t KeyLimit(uint64_t homes, uint64_t copies) const;
  // Slots that the active table uses beside one for each key.
  uint64_t Copies() const { return Duplicates() ? active_.size() - size_ : 0; }
  void AskChain(std::span<const KeyHash> hashes, std::span<bool> results) const;

  // The copies of void entries in `home` that are duplicates: one for each
  // prefix in the chain that covers the home, which is one of `generation`.
  uint64_t CountDuplicates(uint64_t home, int generation) const;
  // All copies that the chain's entries have in the active table.
  uint64_t NumDuplicates() const;
  bool IsDuplicate(const internal::PrefixTable::Match& match) const;
  // The longest match of a key in the chain: which table, and where in it.
  struct ChainMatch {
    size_t index;
    internal::PrefixTable::Match match;
  };
  std::optional<ChainMatch> FindInChain(KeyHash hash) const;
  // Removes an entry of the chain, with its duplicates in the active table but
  // the one of home `keep`; frees a table that is empty then.
  void EraseFromChain(const ChainMatch& found, uint64_t keep);
  void ContractIfSparse();
  Status RejuvenateSorted(std::span<const KeyHash> sorted);
  // Makes the longest shorter fingerprint that matches `hash` a whole one.
  Status RejuvenateShorter(KeyHash hash, const internal::PrefixTable::Query&);
  Status CheckWritable() const { return active_.CheckWritable(); }
  Status RecomputeSummary();
  Status LoadSummary(const internal::Snapshot& snapshot,
                     const LoadOptions& load);
  uint64_t CountKeys() const;
  Status CheckChain() const;
  Status CheckResolutions(const internal::PrefixTable& table) const;
  Status CheckDuplicates() const;
  Status CheckScreen() const;

  // The parts of Expand and Contract.  They change nothing; Commit does.
  struct ChainChange {
    bool replaces_first = false;
    std::optional<internal::PrefixTable> first;
    internal::ChainScreen screen;  // of the chain after the change
  };
  // Adds the screen to a change.
  Result<ChainChange> WithScreen(ChainChange change) const;
  Result<ChainChange> ChainAfterExpand() const;
  // Fills `table`, which is older, with the void entries of the active one and,
  // if they join it, those of the first of the chain.
  Status MigrateVoids(bool joins_first, internal::PrefixTable& table) const;
  Result<internal::PrefixTable> ActiveAfterExpand() const;
  Result<ChainChange> ChainAfterContract() const;
  Result<internal::PrefixTable> ActiveAfterContract() const;
  // Fill `table` with what the active one holds, of half the homes.
  Status ContractActive(internal::PrefixTable& table) const;
  Status ContractDuplicates(internal::PrefixTable& table) const;
  bool ContractTakesBack() const;
  void Commit(internal::PrefixTable active, ChainChange change);

  Options options_;
  Hasher hasher_;
  internal::PrefixTable active_;
  internal::TableList<internal::PrefixTable> chain_;
  internal::ChainScreen screen_;
  uint64_t size_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_INFINI_H_
