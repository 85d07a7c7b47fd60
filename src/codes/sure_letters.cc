#include "tamis/internal/codes/sure_letters.h"

#include <cassert>

namespace tamis::internal {
namespace {

uint64_t RunOf(const ZeroRuns& runs, int zeros) {
  return runs.Of(kWholeRange<uint64_t>, zeros);
}
uint64_t PartOfOne(const ZeroRuns& runs, uint64_t first_share, int zeros) {
  return Share(RunOf(runs, zeros) - RunOf(runs, zeros + 1), first_share);
}
int ZerosOf(const ZeroRuns& runs, uint64_t u) {
  int zeros = 0;
  while (zeros < kGroupSlots - 1 && u < RunOf(runs, zeros + 1)) ++zeros;
  return zeros;
}

}  // namespace

// Two steps within a group must leave W at 2^30 or less; its factors are rounded
// up, so that it may be four times the product of the a's.
bool SureLetters::CanServe(const ZeroRuns& runs, uint64_t first_share) {
  const auto part = [&](int zeros) {
    return static_cast<double>(PartOfOne(runs, first_share, zeros)) * 0x1.0p-63;
  };
  return part(0) * part(kGroupSlots - 1) >= 0x1.0p-28;
}

SureLetters::SureLetters(const ZeroRuns& runs, uint64_t first_share) {
  assert(CanServe(runs, first_share));
  for (int n = 1; n <= kGroupSlots; ++n) {
    runs_[kMaxSkip + static_cast<size_t>(n)] = RunOf(runs, n) - kSlack;
  }
  for (int zeros = 0; zeros < kGroupSlots; ++zeros) {
    const uint64_t size = PartOfOne(runs, first_share, zeros);
    const int shift = std::countl_zero(size);
    const auto multiplier =
        static_cast<uint64_t>((Uint128{1} << (127 - shift)) / (size + 1));
    steps_[static_cast<size_t>(zeros)] = {
        RunOf(runs, zeros + 1), size - kSlack, multiplier,
        static_cast<uint32_t>(shift), static_cast<uint32_t>(zeros + 1)};
  }
  // Where a cell has two numbers of zeros, the smaller: behind its last letter
  // a code stands at the very begin of that letter's part.
  constexpr uint64_t kFirst = uint64_t{1} << kCellBits;
  for (unsigned leading = 0; leading < 64; ++leading) {
    for (uint64_t cell = kFirst; cell < 2 * kFirst; ++cell) {
      const uint64_t last = (((cell + 1) << (63 - kCellBits)) - 1) >> leading;
      zeros_[(size_t{leading} << kCellBits) + cell] =
          static_cast<uint8_t>(ZerosOf(runs, last));
    }
  }
}

uint32_t SureLetters::Read(uint64_t offset, int index) const {
  uint64_t u = offset;
  uint64_t factor = 1;
  int left = index + 1;  // letters up to the one in question
  for (unsigned k = 0; k < kMaxSteps && factor <= kMaxFactor; ++k) {
    if (u < runs_[kMaxSkip + static_cast<size_t>(left)]) return 0;
    const Step& step = StepAt(u);
    const uint64_t margin = k == 0 ? 0 : (k + 1) * factor;
    if (u < step.begin + margin || u - step.begin - margin > step.size) break;
    left -= static_cast<int>(step.letters);
    if (left <= 0) return left == 0 ? 1 : kOpen;
    u = Behind(step, u - step.begin);
    factor <<= step.shift;
  }
  return kOpen;
}

}  // namespace tamis::internal
