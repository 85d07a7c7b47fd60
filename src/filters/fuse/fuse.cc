#include "tamis/fuse.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "filters/fuse/parameters.h"
#include "filters/fuse/solve.h"
#include "tamis/internal/bits/prefetch.h"
#include "tamis/internal/hash/look_ahead.h"

namespace tamis {

internal::FuseShape internal::FuseShape::For(uint64_t keys) {
  constexpr int kMostSegmentBits = 18;
  const double n = std::max(static_cast<double>(keys), 2.0);
  FuseShape shape;
  shape.segment_bits = std::min(
      kMostSegmentBits,
      static_cast<int>(std::floor(std::log(n) / std::log(3.33) + 2.25)));
  const double factor =
      std::max(1.125, 0.875 + 0.25 * std::log(1e6) / std::log(n));
  const double segment = std::ldexp(1.0, shape.segment_bits);
  const double segments = std::ceil(std::round(n * factor) / segment);
  shape.starts = static_cast<uint64_t>(std::max(segments - 2, 1.0) * segment);
  shape.cells = shape.starts + 2 * static_cast<uint64_t>(segment);
  return shape;
}

using internal::AlignedBuffer;
using internal::FuseShape;
using internal::Snapshot;

namespace {

constexpr uint64_t kMaxSlots = uint64_t{1} << 40;

Result<int> CellBytesOf(const Spec& spec) {
  const ParameterReader read(spec, internal::kFuseParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());
  TAMIS_ASSIGN_OR_RETURN(const size_t choice, read.Choice("f"));
  return choice == 0 ? 1 : 2;
}

double RateOf(int cell_bytes) { return std::ldexp(1.0, -8 * cell_bytes); }

// Returns the hashes, each once.
std::vector<KeyHash> Distinct(std::span<const KeyHash> hashes) {
  std::vector<KeyHash> distinct(hashes.begin(), hashes.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

}  // namespace

Result<FuseFilter> FuseFilter::Create(const Spec& spec, uint64_t slots,
                                      const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const int cell_bytes, CellBytesOf(spec));
  if (slots == 0 || slots > kMaxSlots) {
    return Status(StatusCode::kInvalidArgument,
                  "fuse: " + std::to_string(slots) + " slots; expected 1 to " +
                      std::to_string(kMaxSlots));
  }
  TAMIS_ASSIGN_OR_RETURN(
      AlignedBuffer cells,
      AlignedBuffer::Allocate(FuseShape::For(slots).cells *
                              static_cast<uint64_t>(cell_bytes)));
  return FuseFilter(cell_bytes, slots, std::move(cells), hasher);
}

bool FuseFilter::InCells(KeyHash hash) const {
  const uint64_t word = FuseShape::WordOf(hash, salt_);
  uint64_t value = FuseShape::Fingerprint(word);
  for (const uint64_t at : shape_.CellsOf(word)) {
    value ^= LoadCell(cells_, at, cell_bytes_);
  }
  return (value & internal::LowBits(static_cast<unsigned>(8 * cell_bytes_))) ==
         0;
}

void FuseFilter::Prefetch(KeyHash hash) const {
  const uint64_t word = FuseShape::WordOf(hash, salt_);
  for (const uint64_t at : shape_.CellsOf(word)) {
    internal::Prefetch(cells_.data() + at * static_cast<uint64_t>(cell_bytes_));
  }
}

void FuseFilter::MayContain(std::span<const KeyHash> hashes,
                            std::span<bool> results) const {
  internal::PrefetchAhead(*this, hashes, results);
}

Status FuseFilter::InsertAll(std::span<const KeyHash> hashes) {
  TAMIS_RETURN_IF_ERROR(cells_.CheckWritable());
  TAMIS_RETURN_IF_ERROR(later_.Add(hashes));
  size_ += hashes.size();
  return {};
}

Status FuseFilter::BulkLoad(std::span<const KeyHash> hashes) {
  TAMIS_RETURN_IF_ERROR(cells_.CheckWritable());
  if (size_ != 0 || hashes.empty()) return InsertAll(hashes);
  const std::vector<KeyHash> distinct = Distinct(hashes);
  const uint64_t slots = std::max<uint64_t>(slots_, distinct.size());
  const FuseShape shape = FuseShape::For(slots);
  TAMIS_ASSIGN_OR_RETURN(internal::FuseSolution solution,
                         internal::SolveFuse(shape, cell_bytes_, distinct));
  slots_ = slots;
  shape_ = shape;
  cells_ = std::move(solution.cells);
  salt_ = solution.salt;
  in_cells_ = distinct.size();
  size_ = hashes.size();
  return {};
}

double FuseFilter::ExpectedFpr() const {
  return in_cells_ == 0 ? 0 : RateOf(cell_bytes_);
}

FilterStats FuseFilter::stats() const {
  return {
      .size = size_,
      .capacity = capacity(),
      .size_bits = SizeBits(),
      .expected_fpr = ExpectedFpr(),
      .details = {{"cells", static_cast<double>(shape_.cells)},
                  {"keys in cells", static_cast<double>(in_cells_)},
                  {"keys in the list", static_cast<double>(later_.size())}}};
}

Spec FuseFilter::spec() const {
  return Spec("fuse").Set("f", static_cast<uint64_t>(8 * cell_bytes_));
}

Snapshot FuseFilter::ToSnapshot() const {
  Snapshot snapshot(spec(), hasher_);
  snapshot.AddNumber("slots", slots_);
  snapshot.AddNumber("size", size_);
  snapshot.AddNumber("in_cells", in_cells_);
  snapshot.AddNumber("salt", salt_);
  snapshot.AddArray("cells", cells_.bytes());
  std::vector<uint64_t> words;  // low word, high word
  for (const KeyHash hash : later_.Sorted()) {
    words.push_back(hash.low);
    words.push_back(hash.high);
  }
  snapshot.AddCopy("later", std::move(words));
  return snapshot;
}

Result<FuseFilter> FuseFilter::FromSnapshot(const Snapshot& snapshot,
                                            const LoadOptions& options) {
  if (options.map) {
    return Status(StatusCode::kUnsupported, "a fuse filter can't be mapped");
  }
  TAMIS_ASSIGN_OR_RETURN(const int cell_bytes, CellBytesOf(snapshot.spec()));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots,
                         snapshot.Number("slots", 1, kMaxSlots));
  const uint64_t size_bytes =
      FuseShape::For(slots).cells * static_cast<uint64_t>(cell_bytes);
  TAMIS_RETURN_IF_ERROR(snapshot.Array("cells", size_bytes).status());
  TAMIS_ASSIGN_OR_RETURN(const auto bytes, snapshot.Outer("cells", options));
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer cells,
                         AlignedBuffer::From(bytes, size_bytes));
  FuseFilter filter(cell_bytes, slots, std::move(cells), snapshot.hasher());
  TAMIS_ASSIGN_OR_RETURN(filter.size_, snapshot.Number("size"));
  TAMIS_ASSIGN_OR_RETURN(filter.in_cells_,
                         snapshot.Number("in_cells", 0, slots));
  TAMIS_ASSIGN_OR_RETURN(filter.salt_,
                         snapshot.Number("salt", 0, internal::kMaxSalts - 1));
  TAMIS_ASSIGN_OR_RETURN(const auto later, snapshot.Array("later"));
  if (later.size() % sizeof(KeyHash) != 0) {
    return Status(StatusCode::kCorrupt, "'later' is not a list of hashes");
  }
  std::vector<KeyHash> hashes;
  for (size_t at = 0; at < later.size(); at += sizeof(KeyHash)) {
    hashes.push_back({.high = internal::LoadWord(later.data() + at + 8),
                      .low = internal::LoadWord(later.data() + at)});
  }
  if (std::adjacent_find(hashes.begin(), hashes.end(),
                         std::greater_equal<>()) != hashes.end()) {
    return Status(StatusCode::kCorrupt, "'later' is not in order");
  }
  TAMIS_RETURN_IF_ERROR(filter.later_.Add(hashes));
  return internal::CheckedIfAsked(std::move(filter), options);
}

Status FuseFilter::CheckInvariants() const {
  const auto broken = [](const char* what) {
    return Status(StatusCode::kCorrupt, what);
  };
  if (cells_.size_bytes() !=
      shape_.cells * static_cast<uint64_t>(cell_bytes_)) {
    return broken("(F1): the cells are not as many as the slots ask for");
  }
  // Subtracted, not added: numbers from a file may be anything.
  if (in_cells_ > size_ || later_.size() > size_ - in_cells_) {
    return broken("(F2): more different keys than keys");
  }
  const auto bytes = cells_.bytes();
  if (in_cells_ == 0 &&
      std::any_of(bytes.begin(), bytes.end(),
                  [](std::byte b) { return b != std::byte{0}; })) {
    return broken("(F3): cells without keys that are not 0");
  }
  return {};
}

Result<Sizing> FuseFilter::SizeFor(std::string_view, uint64_t keys,
                                   double fpr) {
  for (const int bytes : {1, 2}) {
    if (RateOf(bytes) > fpr) continue;
    return Sizing{Spec("fuse").Set("f", static_cast<uint64_t>(8 * bytes)),
                  std::max<uint64_t>(1, keys), keys == 0 ? 0 : RateOf(bytes)};
  }
  return Status(StatusCode::kInvalidArgument,
                "fuse can't reach so low a rate: the best is 1 in 65536");
}

Result<double> FuseFilter::FprFor(const Spec& spec, uint64_t slots,
                                  uint64_t keys) {
  TAMIS_ASSIGN_OR_RETURN(const int cell_bytes, CellBytesOf(spec));
  if (slots == 0 || keys > kMaxSlots) {
    return Status(StatusCode::kInvalidArgument, "fuse: no such number of keys");
  }
  return keys == 0 ? 0 : RateOf(cell_bytes);
}

}  // namespace tamis
