// Filter: the front door.  Say what you know; keys are what you have.
//
//   tamis::Result<tamis::Filter> made =
//       tamis::Filter::Create({.keys = 1'000'000, .fpr = 0.001});
//   if (!made.ok()) return made.status();
//   tamis::Filter& filter = *made;
//   TAMIS_RETURN_IF_ERROR(filter.Insert("user:42"));
//   if (filter.MayContain("user:43")) ReadFromDisk("user:43");  // no is certain
//
// What it chooses is this table, and no other rule:
//
//   wanted                     filter    spec
//   adapts, grows or threads   tamis     threads=yes with .threads, else
//                                        shards=split with .grows, else
//                                        grow=no; members=source with .source,
//                                        else members=caller
//   deletes                    rsqf
//   none of these              blocked
//
// and of that filter the narrowest that keeps to .fpr, or the best that
// .bits_per_key buys.  With .grows, .fpr holds up to 1,000 times .keys: old
// entries lose a bit each time the set doubles, so fingerprints are 3 bits
// longer from the start.  Beyond, the rate goes up by a tenth a doubling.
//
// Learning.  .adapts says that false positives will be reported.  To fix one,
// the filter must learn which members it mistook the key for, and it keeps no
// keys.  There are three ways; only the last takes memory:
//
//   .source           an index of your set by hash.  ReportFalsePositive(key)
//                     asks it for the members in one short interval.
//   neither           you bring them: ReportFalsePositive(key, members, n),
//                     with what your own read of CollisionRange(key) returned.
//                     ReportFalsePositive(key) alone is kUnsupported.
//   .spec = "tamis:members=mirror"   a copy of all hashes in memory, 160 bits a
//                     key, several times the filter (stats().side_bits).
//
//   const uint64_t erases = filter.num_erases(key);       // before the read
//   if (const auto range = filter.CollisionRange(key)) {
//     const std::vector<std::string> members = database.KeysIn(*range);
//     return filter.ReportFalsePositive(key, members, erases).status();
//   }
//
// A key is bytes (std::string_view, std::string, "text", spans of std::byte) or
// an integer, which counts as its 8 little-endian bytes.  A KeyHash is taken
// wherever a key is: the level below, for those who hash once and ask often.
// Any contiguous range of keys is a batch: look-ups in a batch overlap their
// memory accesses, and are up to five times as fast out of cache.
//
// Guarantee: MayContain(x) is true for every key in the set, always, as long as
// only members are erased, and lists of members name members only.
//
// Cost: one virtual call more than the filter's own class (rsqf.h, ...), or one
// for each 2,048 keys of a batch.
//
// Thread safety: const functions may run concurrently with one another, and a
// change needs exclusive access; with .threads, all but moves may run at once.
// A filter that was moved from can be assigned to or destroyed, nothing else.

#ifndef TAMIS_TAMIS_H_
#define TAMIS_TAMIS_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/load_options.h"
#include "tamis/result.h"
#include "tamis/serialize.h"
#include "tamis/spec.h"
#include "tamis/status.h"

namespace tamis {

// What a Filter takes for a key.
template <typename K>
concept FilterKey = std::same_as<K, KeyHash> ||
                    (std::integral<K> && sizeof(K) <= sizeof(uint64_t) &&
                     !std::same_as<std::remove_cv_t<K>, bool>) ||
                    (std::convertible_to<const K&, std::string_view> &&
                     !std::same_as<std::remove_cv_t<K>, std::nullptr_t>) ||
                    std::convertible_to<const K&, std::span<const std::byte>>;

// And for many: vectors, arrays and spans of keys.  Ranges of chars or small
// integers are neither: whether they are one key or many, only you know.
template <typename B>
concept FilterBatch = !FilterKey<B> && std::ranges::contiguous_range<const B> &&
                      std::ranges::sized_range<const B> &&
                      FilterKey<std::ranges::range_value_t<B>> &&
                      (!std::integral<std::ranges::range_value_t<B>> ||
                       sizeof(std::ranges::range_value_t<B>) >= 4);

class Filter {
 public:
  struct Options {
    // How many keys it holds; with .grows, how many it starts with.
    uint64_t keys = 0;
    // The share of absent keys that it takes for members, at most.  Or how much
    // memory it may take, with room for what it learns.  Neither: 0.01.
    double fpr = 0;
    double bits_per_key = 0;
    // Another filter than the table's, such as "infini" or "cuckooing:f=12".
    // What it leaves open is chosen; kUnsupported if it can't do what follows.
    std::string spec = {};
    bool grows = false;    // more keys than .keys will come
    bool deletes = false;  // Erase will be called
    bool adapts = false;   // ReportFalsePositive will be called
    bool threads = false;  // several threads, and some of them change it
    // Who knows the members, for .adapts, which it implies; borrowed.
    KeySourceRef source = {};
    // A secret seed of its own.  For keys that an adversary chooses:
    // Hasher(HashAlgorithm::kSipHash, Seed::Random()).
    Hasher hasher = Hasher();
  };
  static Result<Filter> Create(const Options& options);
  // From the level below.
  explicit Filter(AnyFilter any) : any_(std::move(any)) {}

  // A full filter that knows its members, by a mirror or a source, is made anew
  // with half as many slots more; what it has learnt is forgotten then.
  // Otherwise kFull, with nothing changed, unless it grows.
  template <FilterKey K>
  Status Insert(const K& key) {
    const KeyHash hash = Hash(key);
    const Status status = any_.Insert(hash);
    return status.ok() ? Status() : InsertFull({&hash, 1}, status);
  }
  // Stops at the first error; the keys before it are in the set then.
  template <FilterBatch B>
  Status Insert(const B& keys);

  // "No" is certain.
  template <FilterKey K>
  bool MayContain(const K& key) const {
    return any_.MayContain(Hash(key));
  }
  // REQUIRES: results.size() >= keys.size()
  template <FilterBatch B>
  void MayContain(const B& keys, std::span<bool> results) const;

  // Removes one occurrence.  Only of members: a filter without keys can't tell,
  // and would take away what stands for another.
  template <FilterKey K>
  Status Erase(const K& key) {
    return any_.Erase(Hash(key));
  }

  // Tells that MayContain(key) was wrong.  kIsMember if the filter knows
  // better; an error of the source, which leaves all as it was.
  template <FilterKey K>
  Result<AdaptOutcome> ReportFalsePositive(const K& key) {
    return Report(Hash(key));
  }
  // The same with the members that a read of CollisionRange(key) returned, as
  // keys or hashes, each as often as it was inserted; some may lack, but all
  // must be members.  `num_erases` was asked for before the read: kStale, and
  // nothing has changed, if keys were erased since.
  template <FilterKey K, FilterBatch B>
  Result<AdaptOutcome> ReportFalsePositive(const K& key, const B& members,
                                           uint64_t num_erases) {
    return ReportWith(Hash(key), HashesOf(members), num_erases);
  }
  // Where the hashes of the members lie that `key` may be mistaken for; none if
  // MayContain(key) is false.
  template <FilterKey K>
  std::optional<HashRange> CollisionRange(const K& key) const {
    return any_.CollisionRange(Hash(key));
  }
  // Keys erased so far, in the part of the filter where `key` belongs.
  template <FilterKey K>
  uint64_t num_erases(const K& /*key*/) const {
    return any_.num_erases();
  }

  // Makes room ahead of time; kUnsupported without .grows.
  Status Expand() { return any_.Expand(); }
  // Adds all keys of a filter made alike, with the same hasher.
  Status Merge(const Filter& other) { return any_.Merge(other.any_); }

  // One checksummed file, replaced in one piece; see serialize.h.
  Status Save(const std::string& path, const SaveOptions& options = {}) const {
    return tamis::Save(any_, path, options);
  }
  // .map opens without reading all, to ask only; .source is given again here.
  static Result<Filter> Load(const std::string& path,
                             const LoadOptions& options = {});
  Result<std::vector<std::byte>> Serialize(
      const SaveOptions& options = {}) const {
    return tamis::Serialize(any_, options);
  }
  static Result<Filter> Deserialize(std::span<const std::byte> bytes,
                                    const LoadOptions& options = {});

  uint64_t size() const { return any_.size(); }
  // All memory, bits a key, the rate to expect now, and what it counts.
  FilterStats stats() const { return any_.stats(); }
  Spec spec() const { return any_.spec(); }  // what was chosen
  Capabilities capabilities() const { return any_.capabilities(); }
  Status CheckInvariants() const { return any_.CheckInvariants(); }
  const Hasher& hasher() const { return any_.hasher(); }

  // What a key is hashed to: the order of sources and ranges.
  template <FilterKey K>
  KeyHash Hash(const K& key) const {
    return HashWith(any_.hasher(), key);
  }

  // The level below: any filter, by hashes.
  AnyFilter& any() { return any_; }
  const AnyFilter& any() const { return any_; }

 private:
  // Enough for memory accesses to overlap, and still in the cache.
  static constexpr size_t kChunk = 2048;

  template <typename K>
  static KeyHash HashWith(const Hasher& hasher, const K& key) {
    if constexpr (std::same_as<K, KeyHash>) {
      return key;
    } else if constexpr (std::integral<K>) {
      return hasher.Hash(key);
    } else if constexpr (std::convertible_to<const K&, std::string_view>) {
      return hasher.Hash(static_cast<std::string_view>(key));
    } else {
      return hasher.Hash(static_cast<std::span<const std::byte>>(key));
    }
  }

  // Calls use(begin, hashes) for a chunk of `keys` at a time, until it fails.
  template <typename B, typename Use>
  Status ForEachChunk(const B& keys, Use use) const;
  template <typename B>
  std::vector<KeyHash> HashesOf(const B& keys) const;

  Status InsertHashes(std::span<const KeyHash> hashes);
  // Goes on after an error: makes room if that was what lacked.
  Status InsertFull(std::span<const KeyHash> hashes, const Status& why);
  Result<AdaptOutcome> Report(KeyHash absent);
  Result<AdaptOutcome> ReportWith(KeyHash absent,
                                  std::span<const KeyHash> members,
                                  uint64_t num_erases);

  AnyFilter any_;
};

template <typename B, typename Use>
Status Filter::ForEachChunk(const B& keys, Use use) const {
  const std::span all(std::ranges::data(keys), std::ranges::size(keys));
  if constexpr (std::same_as<std::ranges::range_value_t<B>, KeyHash>) {
    return use(size_t{0}, std::span<const KeyHash>(all));
  } else {
    std::array<KeyHash, kChunk> hashes;
    for (size_t begin = 0; begin < all.size(); begin += kChunk) {
      const auto chunk =
          all.subspan(begin, std::min(kChunk, all.size() - begin));
      std::ranges::transform(chunk, hashes.begin(), [&](const auto& key) {
        return HashWith(hasher(), key);
      });
      TAMIS_RETURN_IF_ERROR(
          use(begin, std::span<const KeyHash>(hashes).first(chunk.size())));
    }
    return {};
  }
}

template <typename B>
std::vector<KeyHash> Filter::HashesOf(const B& keys) const {
  std::vector<KeyHash> hashes;
  hashes.reserve(std::ranges::size(keys));
  for (const auto& key : keys) hashes.push_back(HashWith(hasher(), key));
  return hashes;
}

template <FilterBatch B>
Status Filter::Insert(const B& keys) {
  return ForEachChunk(keys, [&](size_t, std::span<const KeyHash> hashes) {
    return InsertHashes(hashes);
  });
}

template <FilterBatch B>
void Filter::MayContain(const B& keys, std::span<bool> results) const {
  assert(results.size() >= std::ranges::size(keys));
  const Status always_ok =
      ForEachChunk(keys, [&](size_t begin, std::span<const KeyHash> hashes) {
        any_.MayContain(hashes, results.subspan(begin, hashes.size()));
        return Status();
      });
  assert(always_ok.ok());
}

}  // namespace tamis

#endif  // TAMIS_TAMIS_H_
