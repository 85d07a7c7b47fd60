#include "filters/fuse/solve.h"

#include <cstring>
#include <string>
#include <utility>

namespace tamis::internal {
namespace {

// The keys of a cell: how many, and the xor of their words and of the numbers
// (0, 1, 2) that the cell has for them.  Of one key that is the key itself.
struct Cell {
  uint64_t words = 0;
  uint32_t count = 0;
  uint32_t numbers = 0;
};

// A key that came out, and which of its cells is its own.
struct Peeled {
  uint64_t word;
  uint64_t number;
};

class Solver {
 public:
  static Result<Solver> Create(const FuseShape& shape, uint64_t keys) {
    Solver solver(shape);
    TAMIS_ASSIGN_OR_RETURN(solver.cells_,
                           AlignedBuffer::Allocate(shape.cells * sizeof(Cell)));
    TAMIS_ASSIGN_OR_RETURN(
        solver.alone_, AlignedBuffer::Allocate(shape.cells * sizeof(uint64_t)));
    TAMIS_ASSIGN_OR_RETURN(solver.order_,
                           AlignedBuffer::Allocate(keys * sizeof(Peeled)));
    return solver;
  }

  // Takes the keys out, one after the other; true if all of them came.
  bool Peel(std::span<const KeyHash> hashes, uint64_t salt) {
    std::memset(cells_.data(), 0, cells_.size_bytes());
    for (const KeyHash hash : hashes) {
      Change(FuseShape::WordOf(hash, salt), +1);
    }
    uint64_t found = 0;  // cells with one key
    for (uint64_t at = 0; at < shape_.cells; ++at) {
      if (cells()[at].count == 1) alone()[found++] = at;
    }
    uint64_t peeled = 0;
    for (uint64_t next = 0; next < found; ++next) {
      const Cell& cell = cells()[alone()[next]];
      if (cell.count != 1) continue;  // its key came out by another cell
      const Peeled one{cell.words, cell.numbers};
      order()[peeled++] = one;
      Change(one.word, -1);
      for (const uint64_t place : shape_.CellsOf(one.word)) {
        if (cells()[place].count == 1) alone()[found++] = place;
      }
    }
    return peeled == hashes.size();
  }

  void Assign(uint64_t keys, int cell_bytes, AlignedBuffer* out) const {
    for (uint64_t i = keys; i-- > 0;) {
      const Peeled& one = order()[i];
      const auto places = shape_.CellsOf(one.word);
      uint64_t value = FuseShape::Fingerprint(one.word);
      for (uint64_t n = 0; n < places.size(); ++n) {
        if (n != one.number) value ^= LoadCell(*out, places[n], cell_bytes);
      }
      StoreCell(out, places[one.number], cell_bytes, value);
    }
  }

 private:
  explicit Solver(const FuseShape& shape) : shape_(shape) {}

  void Change(uint64_t word, int by) {
    const auto places = shape_.CellsOf(word);
    for (uint32_t n = 0; n < places.size(); ++n) {
      Cell& cell = cells()[places[n]];
      cell.words ^= word;
      cell.count += static_cast<uint32_t>(by);
      cell.numbers ^= n;
    }
  }

  template <typename T>
  static T* As(AlignedBuffer& buffer) {
    return reinterpret_cast<T*>(buffer.data());
  }
  Cell* cells() { return As<Cell>(cells_); }
  uint64_t* alone() { return As<uint64_t>(alone_); }
  Peeled* order() { return As<Peeled>(order_); }
  const Peeled* order() const {
    return reinterpret_cast<const Peeled*>(order_.data());
  }

  FuseShape shape_;
  AlignedBuffer cells_;
  AlignedBuffer alone_;  // cells that came to have one key, each at most once
  AlignedBuffer order_;  // keys as they came out
};

}  // namespace

Result<FuseSolution> SolveFuse(const FuseShape& shape, int cell_bytes,
                               std::span<const KeyHash> hashes) {
  TAMIS_ASSIGN_OR_RETURN(Solver solver, Solver::Create(shape, hashes.size()));
  TAMIS_ASSIGN_OR_RETURN(
      AlignedBuffer cells,
      AlignedBuffer::Allocate(shape.cells * static_cast<uint64_t>(cell_bytes)));
  for (uint64_t salt = 0; salt < kMaxSalts; ++salt) {
    if (!solver.Peel(hashes, salt)) continue;
    solver.Assign(hashes.size(), cell_bytes, &cells);
    return FuseSolution{std::move(cells), salt};
  }
  return Status(StatusCode::kFull,
                "fuse: no solution for " + std::to_string(hashes.size()) +
                    " keys under " + std::to_string(kMaxSalts) + " salts");
}

}  // namespace tamis::internal
