// ShardedTamis: a tamis filter in shards that split, so that no insert waits
// for more than one small shard to be rewritten, whatever the size.
//
// The first bits of a hash choose the shard, an ordinary TamisFilter over an
// interval of hashes (tamis_filter.h).  A directory by the first bits finds it,
// as in extendible hashing; a shard of fewer bits is there several times:
//
//   directory     000 001 010 011 100 101 110 111
//   shards        [ 00  ] [ 01  ] 100 101 [ 11  ]
//
//   split         a shard that would grow beyond `shard_slots` is cut in the
//                 middle of its hashes, in one ordered pass; each half takes
//                 the size that its own keys ask for.  If one half would keep
//                 more than 3/4 (thousands of copies of a key), the shard
//                 doubles instead
//   join          two halves that have become nearly empty are one again
//
//   guarantee     the TamisFilter's: no false negative
//   worst insert  one shard's pass: about a millisecond with 2^15 slots
//   look-up       a directory entry (half a line, from the second-level cache)
//                 more than the TamisFilter's
//   members       mirror, source, caller: as there.  Insert never reads a source
//   when full     it grows
//
// Invariants beside those of the shards (CheckInvariants tests all of them):
//   (D1) The shards' intervals are disjoint, and together all hashes.
//   (D2) Directory entry i is the view of the shard whose interval begins with
//        the bits of i.
//   (D3) The directory has at most 2^20 entries, or 16 a shard.
//
// Thread safety: as all filters; ConcurrentTamis is the form for many threads.

#ifndef TAMIS_SHARDED_TAMIS_H_
#define TAMIS_SHARDED_TAMIS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/sharded/shard_place.h"
#include "tamis/internal/filters/sharded/shard_view.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/sizing.h"
#include "tamis/spec.h"
#include "tamis/tamis_filter.h"

namespace tamis {

// One shard, as bytes: a file of a tamis filter (serialize.h) over the hashes
// of `range`.
struct ShardPage {
  HashRange range;
  std::string_view bytes;
};

class ShardedTamis {
 public:
  // What a look-up needs to know of a shard, all but its number.
  static internal::ShardView ViewFor(const TamisFilter& filter, int depth);

  using Members = TamisFilter::Members;
  struct Options {
    TamisFilter::Options filter;  // slots: of all shards together; grow: yes
    uint64_t shard_slots = uint64_t{1} << 15;  // 2^5 to 2^30
  };
  static Result<ShardedTamis> Create(const Options& options,
                                     const Hasher& hasher = Hasher());
  static Result<ShardedTamis> Create(const KeysAndRate& wanted,
                                     const Hasher& hasher = Hasher()) {
    return internal::CreateSized<ShardedTamis>("tamis:shards=split", wanted,
                                               hasher);
  }
  // `spec` is the TamisFilter's with shards=split.
  static Result<ShardedTamis> Create(const Spec& spec, uint64_t slots,
                                     const Hasher& hasher,
                                     KeySourceRef source = {});
  // With 2^depth empty shards.
  static Result<ShardedTamis> CreateEmpty(const Options& options,
                                          const Hasher& hasher, int depth);
  static bool IsFor(const Spec& spec);
  static Result<ShardedTamis> FromSnapshot(const internal::Snapshot& snapshot,
                                           const LoadOptions& load = {});
  internal::Snapshot ToSnapshot() const;
  // Page by page, in the order of hashes: for stores that keep one value a
  // shard.  FromShards needs all pages, in any order, and the options again.
  Status ForEachShard(
      const std::function<Status(const HashRange&, std::string_view bytes)>&
          visit) const;
  static Result<ShardedTamis> FromShards(std::span<const ShardPage> pages,
                                         const Options& options,
                                         const LoadOptions& load = {});

  Status Insert(KeyHash hash);
  void PrefetchInsert(KeyHash hash) const {
    const internal::ShardView& view = ViewOf(hash);
    internal::Prefetch(view.lines +
                       internal::kLineBytes * view.Locate(hash).line);
  }
  bool MayContain(KeyHash hash) const { return finder_(*this, hash); }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  Status Erase(KeyHash hash);
  Status BulkLoad(std::span<const KeyHash> hashes);
  // Puts the entries of `table` (TamisFilter::ShardOf), which read the hashes of
  // `place`, into the shard there.  kInvalidArgument if there is none, or it is
  // not empty.
  Status Adopt(const internal::ShardPlace& place,
               const internal::QuotientTable& table);
  // Adds all keys of `other`, which needs the same hasher, f, steps and
  // members.
  Status Merge(const ShardedTamis& other);

  // As TamisFilter's.
  Result<AdaptOutcome> Adapt(KeyHash absent);
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases);
  std::optional<HashRange> CollisionRange(KeyHash hash) const;
  uint64_t num_erases() const { return num_erases_; }
  // Drops extensions until each shard has at most its part of so many.
  void Forget(uint64_t extensions);
  Status Rejuvenate(KeyHash hash);
  Status Rejuvenate(std::span<const KeyHash> hashes);
  Status RejuvenateAll();

  // One step, or its reverse, of every shard.
  Status Expand();
  Status Contract();

  uint64_t size() const;
  uint64_t capacity() const;
  uint64_t SizeBits() const;
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  const Hasher& hasher() const { return hasher_; }
  Status CheckInvariants() const;
  Capabilities capabilities() const;

  // Of a filter that is mapped: kUnsupported.
  Status CheckWritable() const { return shards_[0]->filter.CheckWritable(); }
  const Options& options() const { return options_; }
  uint64_t num_shards() const { return shards_.size(); }
  int depth() const { return depth_; }
  // The shard of a hash, and the hashes that it is for.
  const TamisFilter& ShardOf(KeyHash hash) const {
    return shards_[ViewOf(hash).shard]->filter;
  }
  HashRange RangeOf(KeyHash hash) const {
    return shards_[ViewOf(hash).shard]->place.range();
  }

 private:
  friend class ConcurrentTamis;  // takes its shards over

  struct Shard {
    internal::ShardPlace place;
    TamisFilter filter;
  };
  using Shards = std::vector<std::unique_ptr<Shard>>;

  ShardedTamis(const Options& options, const Hasher& hasher)
      : options_(options),
        hasher_(hasher),
        shape_(options.filter.fingerprint_bits + 1),
        finder_(FinderFor(shape_.width())) {}

  const internal::ShardView& ViewOf(KeyHash hash) const {
    return directory_[internal::FirstHashBits(hash, depth_)];
  }
  uint64_t QueryOf(uint64_t string) const {
    return string >> (64 - options_.filter.fingerprint_bits) << 1;
  }
  // A look-up by the width of slots, which is known when compiling it.
  using Finder = bool (*)(const ShardedTamis& filter, KeyHash hash);
  template <int kWidth>
  struct FinderOf;
  static Finder FinderFor(int width);
  template <typename Shape>
  bool Ask(const Shape& shape, KeyHash hash) const;
  template <typename Shape>
  void AskAll(const Shape& shape, std::span<const KeyHash> hashes,
              std::span<bool> results) const;
  // The answer where a line alone does not give it.
  bool Decide(const internal::ShardView& view, KeyHash hash,
              internal::RunMatch match) const;
  Shard& ShardAt(KeyHash hash) { return *shards_[ViewOf(hash).shard]; }

  // Replaces all shards.  They are those of (D1), in the order of hashes.
  void Take(Shards shards);
  // Renews the views of a shard that was changed, if it looks different now.
  void Refresh(KeyHash hash);
  void WriteViews(uint32_t number);
  bool MaySplitTo(int depth) const;
  Status SplitShard(uint32_t number);
  void JoinIfSparse(KeyHash hash);
  Status JoinShards(uint32_t low, uint32_t high);
  uint64_t ShardLimit() const;
  TamisFilter::Options ShardOptions() const;
  static Status CheckTiling(const Shards& shards);
  static Result<ShardedTamis> Assemble(const Options& options,
                                       const Hasher& hasher, Shards shards,
                                       const LoadOptions& load);
  static Status CheckOptions(const Options& options, const Hasher& hasher);
  Status TakeEmpty(int depth, uint64_t room);
  // Makes shards of some and the keys to come into them, in a filter of so
  // many, with at most so many threads.
  struct Growing;
  struct Loaded;
  Result<Shards> LoadAll(std::vector<Growing> level, uint64_t shards,
                         size_t threads) const;
  Status LoadOne(Growing one, uint64_t shards_so_far, Loaded& loaded) const;
  Result<Shards> MergeNode(const internal::ShardPlace& node, Shards mine,
                           Shards other) const;
  Result<Shards> CopyOfShards() const;
  static Shards TakeBelow(const internal::ShardPlace& node, Shards& shards);
  static Result<Shards> JoinAll(const internal::ShardPlace& node,
                                Shards shards);

  Options options_;
  Hasher hasher_;
  internal::LineShape<0> shape_;
  Finder finder_;
  int depth_ = 0;
  std::vector<internal::ShardView> directory_;  // 2^depth_
  Shards shards_;
  uint64_t num_erases_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_SHARDED_TAMIS_H_
