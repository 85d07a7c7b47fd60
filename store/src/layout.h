// What lies where in the database.
//
//   column family       key                          value
//   default, others     be64(hash) key               the user's (kHashOrder)
//                       key                          the user's (kKeyOrder)
//   tamis.index.NAME    be64(hash) key               nothing (kKeyOrder only)
//   tamis.journal       be64(position)               changes of the filters' sets
//   tamis.filter        "meta", "meta copy"              version, seed, layout, ...
//                       "page/" family be64(low)     a page of the filter
//
// be64 is the upper half of the key's hash, so that the order of the family is
// that of the filter: a range of hashes is one range of keys.
//
// A page is a shard of the filter: an interval of hashes, which begins at `low`,
// and the first position of the journal that it does not include.  Together the
// pages of a family cover all hashes, each once, after every batch: a batch puts
// pages in the place of others of the same hashes.  Meta and pages end with a
// checksum.

#ifndef TAMIS_STORE_SRC_LAYOUT_H_
#define TAMIS_STORE_SRC_LAYOUT_H_

#include <rocksdb/slice.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/src/bytes.h"
#include "store/src/shared_filter.h"
#include "tamis/hasher.h"
#include "tamis/result.h"
#include "tamis/store_options.h"

namespace tamis::internal {

inline constexpr std::string_view kReservedPrefix = "tamis.";
inline constexpr std::string_view kJournalFamily = "tamis.journal";
inline constexpr std::string_view kFilterFamily = "tamis.filter";
inline constexpr std::string_view kIndexPrefix = "tamis.index.";

inline constexpr size_t kHashBytes = 8;

// be64(hash) and the key, without an allocation for keys of usual lengths.
class HashedKey {
 public:
  HashedKey(KeyHash hash, const rocksdb::Slice& key)
      : size_(kHashBytes + key.size()) {
    if (size_ > sizeof inline_) long_ = std::make_unique<char[]>(size_);
    char* to = data();
    WriteBe64(to, hash.high);
    if (!key.empty()) std::memcpy(to + kHashBytes, key.data(), key.size());
  }
  rocksdb::Slice slice() const {
    return {long_ ? long_.get() : inline_, size_};
  }

 private:
  char* data() { return long_ ? long_.get() : inline_; }

  size_t size_;
  std::unique_ptr<char[]> long_;
  char inline_[120];
};

// ---- The journal ----------------------------------------------------------

struct Change {
  uint32_t family;  // by RocksDB's number
  bool insert;      // or else an erase
  KeyHash hash;
};
std::string JournalKey(uint64_t position);
void AppendChange(std::string* record, const Change& change);
// kCorrupt if it is no record.
Result<std::vector<Change>> DecodeChanges(std::string_view record);

// ---- Meta -----------------------------------------------------------------

// 1: pages under generations, which are made anew from the data.
inline constexpr uint32_t kStoreVersion = 2;

struct Meta {
  StoreLayout layout = StoreLayout::kHashOrder;
  Hasher hasher;
  StoreFilterOptions filter;
  uint32_t version = kStoreVersion;  // in which it was stored
};
// It is kept twice: all else can be made anew, but not the seed.
inline constexpr std::string_view kMetaKeys[] = {"meta", "meta copy"};
std::string EncodeMeta(const Meta& meta);
// kVersion for a version that is newer, kCorrupt for what is no meta.
Result<Meta> DecodeMeta(std::string_view bytes);

// ---- Pages ----------------------------------------------------------------

// A page, and the first position of the journal that it does not include.
struct SavedPage {
  uint64_t position = 0;
  FilterPage page;
};
std::string PageKey(uint32_t family, KeyHash low);
// The keys of all pages of a family: from the first one on, below the second.
std::pair<std::string, std::string> PageKeys(uint32_t family);
std::string EncodePage(const SavedPage& page);
Result<SavedPage> DecodePage(std::string_view bytes);

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_LAYOUT_H_
