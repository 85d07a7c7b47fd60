// How a store is opened.

#ifndef TAMIS_STORE_OPTIONS_H_
#define TAMIS_STORE_OPTIONS_H_

#include <rocksdb/options.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/hasher.h"

namespace tamis {

// In which order the pairs lie on disk.  Values are on disk: never renumber.
enum class StoreLayout : uint8_t {
  // be64(hash) and the key: nothing is stored twice.  Iteration is in the order
  // of hashes, which is no order for people.
  kHashOrder = 1,
  // The key alone, and an index of hashes beside it: iteration by key, seeks
  // and DeleteRange, at the price of a second copy of each key.
  kKeyOrder = 2,
};

// The filter that a new store is given.  A store remembers it.
struct StoreFilterOptions {
  int fingerprint_bits = 12;  // 3 to 40; each bit more halves the rate
  // The keys it is made for.  Without `grow` they must be named, and one key
  // more is kFull.
  uint64_t expected_keys = 0;
  bool grow = true;  // with the data; if not, the same bits give half the rate
  double extension_bits = 2;  // a key, at most, to remember mistakes with
  // A filter that grows does so in shards of at most so many slots, 2^5 to
  // 2^30; each is saved for itself.  Smaller ones stop writers for less time.
  uint64_t shard_slots = uint64_t{1} << 15;
};

// RocksDB's options as they suit a store that grows: made if missing, and
// filters of the upper levels only.  Those of the last level hold nine keys of
// ten, and their bits do more in the filter before them.
rocksdb::Options DefaultRocksOptions();

// Gives the files of all levels Ribbon filters of so many bits a key.  What the
// store's filter takes for a member they may still deny, without reading a
// block.
void SetFileFilters(double bits_per_key, rocksdb::Options* options);

// The filters of a store of so many keys that has so many bits a key for all of
// them: the store's own, which can't grow, and those of its files
// (SetFileFilters; 0: as DefaultRocksOptions has them).  A table that can change
// costs some 3 bits a key to begin with; what is left is shared so that both
// together are wrong least often.  `absent_per_key` says how many different keys
// that are not there will be asked for, for each that is: what the filter learns
// of them has its place in the bits, too, up to an eighth of them.
struct SizedFilters {
  StoreFilterOptions filter;
  double file_bits = 0;
};
SizedFilters MadeToSize(uint64_t keys, double bits_per_key,
                        double absent_per_key = 3);

struct StoreOptions {
  // Passed through, for the data.  Refused are: a comparator or a prefix
  // extractor, user timestamps, and what would tear data and filter apart in a
  // crash (docs/guide/store.md).
  rocksdb::Options rocksdb = DefaultRocksOptions();
  // Further column families, each with a filter of its own; those that exist
  // are opened in any case.
  std::vector<std::string> families;

  // Of a new store, or of one that is rebuilt:
  StoreFilterOptions filter;
  // Of a new store:
  StoreLayout layout = StoreLayout::kHashOrder;
  std::optional<Hasher> hasher;  // a random seed unless given

  // Adapt to the n-th false positive of a key, as far as a small table
  // remembers; 0: never.
  uint32_t adapt_after = 1;
  // Members that are read to adapt, at most.  An older, shorter entry may
  // collide with more; it is then made whole in the background.
  uint32_t max_collisions = 256;
  // Keys a second that are read to make old entries whole, when the filter has
  // grown so much that it is wrong twice as often as a new one; 0: never.
  uint64_t rejuvenate_rate = 200'000;
  // Save the filter after so many changes; 0: as many as a quarter of the keys,
  // and 2^17 at least.
  uint64_t save_after = 0;
  // False: nothing is logged, and all column families are flushed together.  A
  // crash then loses what was not flushed, of data and filter alike.
  bool wal = true;
  // Makes the filter anew from the data.
  bool rebuild = false;
  // Told what a long opening does: a sentence, and the keys read so far.
  std::function<void(std::string_view what, uint64_t keys)> on_progress;
};

}  // namespace tamis

#endif  // TAMIS_STORE_OPTIONS_H_
