// FuseFilter: the binary fuse filter, for a set that does not change.
//
//   segments   |  0  |  1  |  2  |  3  | ... |        of 2^s cells of f bits
//                   x     x     x                     a key has three cells,
//                                                     in neighbouring segments
//
//   MayContain(x)    a ^ b ^ c == the fingerprint of x
//
// The cells are the solution of one equation per key, found once for all keys:
// BulkLoad into an empty filter makes it.  About 1.13 cells a key will do, 9.0
// bits a key at f = 8 (a rate of 1/256) and 18.1 at f = 16 (1/65536), fewer than
// any filter that takes keys one by one.
//
// A key that comes later, by Insert or another BulkLoad, has no cells: it is
// kept as its whole hash, in a list beside them, up to 224 bits a key.  So
// nothing is ever lost, but a set that changes wants another filter.
//
// Guarantee: no false negative; for a random absent key a false positive with
// chance 2^-f, once there are cells.
// Cost: a look-up reads three lines; BulkLoad needs about 45 bytes a key for a while.
// Full: never.  Erase: not possible.
//
// Invariants (CheckInvariants):
//   (F1) The cells are as many as `slots` asks for.
//   (F2) size counts all keys, at least those in cells and in the list.
//   (F3) Without keys in cells all cells are 0.
//
// Spec: fuse:f=8, or f=16
// Thread safety: const functions may run concurrently with one another.
// Paper: Graf and Lemire, Binary Fuse Filters, JEA 27, 2022.

#ifndef TAMIS_FUSE_H_
#define TAMIS_FUSE_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/filters/fuse/fuse_shape.h"
#include "tamis/internal/filters/hash_list.h"
#include "tamis/key_hash.h"
#include "tamis/sizing.h"

namespace tamis {

class FuseFilter {
 public:
  static Result<FuseFilter> Create(const Spec& spec, uint64_t slots,
                                   const Hasher& hasher = Hasher());
  static Result<FuseFilter> Create(const KeysAndRate& wanted,
                                   const Hasher& hasher = Hasher()) {
    return internal::CreateSized<FuseFilter>("fuse", wanted, hasher);
  }
  static Result<FuseFilter> FromSnapshot(const internal::Snapshot& snapshot,
                                         const LoadOptions& options = {});
  internal::Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash) { return InsertAll({&hash, 1}); }
  // Makes the cells, if there are none yet; all keys or none.
  Status BulkLoad(std::span<const KeyHash> hashes);
  bool MayContain(KeyHash hash) const {
    return (in_cells_ != 0 && InCells(hash)) || later_.Contains(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Asks for the memory that MayContain reads.
  void Prefetch(KeyHash hash) const;

  uint64_t size() const { return size_; }
  uint64_t capacity() const { return size_ > slots_ ? size_ : slots_; }
  uint64_t SizeBits() const {
    return 8 * cells_.size_bytes() + later_.SizeBits();
  }
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  const Hasher& hasher() const { return hasher_; }
  Status CheckInvariants() const;

  // By formula (SizableFilter of sizing.h).
  static Result<Sizing> SizeFor(std::string_view kind, uint64_t keys,
                                double fpr);
  static Result<double> FprFor(const Spec& spec, uint64_t slots, uint64_t keys);

 private:
  FuseFilter(int cell_bytes, uint64_t slots, internal::AlignedBuffer cells,
             const Hasher& hasher)
      : hasher_(hasher),
        cell_bytes_(cell_bytes),
        slots_(slots),
        shape_(internal::FuseShape::For(slots)),
        cells_(std::move(cells)) {}

  bool InCells(KeyHash hash) const;
  Status InsertAll(std::span<const KeyHash> hashes);

  Hasher hasher_;
  int cell_bytes_;
  uint64_t slots_;  // keys that the cells are made for
  internal::FuseShape shape_;
  internal::AlignedBuffer cells_;
  uint64_t salt_ = 0;      // of the solution's hashes
  uint64_t in_cells_ = 0;  // different keys
  uint64_t size_ = 0;
  internal::HashList later_;
};

}  // namespace tamis

#endif  // TAMIS_FUSE_H_
