// The sizes that a tamis filter may have.
//
//   stage (generation, step)   homes           homes a line
//   (0, 0) (0, 1) (0, 2)       m0              S, S / 2^(1/3), S / 2^(2/3)
//   (1, 0) ...                 2 m0            S, ...
//
// The shards of a filter have about equally many keys, and would take each step
// all at once.  So they have *phases*, 0 to 7: in phase p all sizes are larger by
// 2^(p / 8 / steps), and at any time some shards have just grown and others are
// about to.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "filters/growing/threshold.h"
#include "tamis/tamis_filter.h"

namespace tamis {

using internal::ActiveTable;
using internal::ExtensionTable;

TamisFilter::Stage TamisFilter::Next(const Stage& stage) const {
  if (stage.step + 1 < options_.steps) {
    return {stage.generation, stage.step + 1, stage.phase};
  }
  return {stage.generation + 1, 0, stage.phase};
}

// REQUIRES: stage is not the first
TamisFilter::Stage TamisFilter::Before(const Stage& stage) const {
  if (stage.step > 0) {
    return {stage.generation, stage.step - 1, stage.phase};
  }
  return {stage.generation - 1, options_.steps - 1, stage.phase};
}

namespace {

// Where a line has 64 / (1 + q / 4) homes, or half, a quarter ... as many, a
// power of two of homes fills a size class of an allocator.  A hundredth more
// leave room for the tail, and for a line by which the host's memory may be out
// of line.
double HomesOfClass(int number) {
  const double quarters = 1 + number % 4 / 4.0;
  return 1.01 * std::ldexp(64 / quarters, -(number / 4));
}

constexpr int kPhases = 8;
constexpr int kStepsOfClasses = 4;  // those that fill an allocator's sizes

int HomesPerLine(int slots, int step, int steps, int phase) {
  if (steps < kStepsOfClasses) {
    const double part = (step + static_cast<double>(phase) / kPhases) / steps;
    return static_cast<int>(std::lround(slots * std::exp2(-part)));
  }
  int first = 0;
  while (HomesOfClass(first) > slots) ++first;
  return static_cast<int>(std::ceil(HomesOfClass(first + step)));
}

}  // namespace

ActiveTable::Form TamisFilter::FormOf(const Stage& stage) const {
  ActiveTable::Form form{options_.slots << stage.generation, bits(),
                         options_.grow, 0};
  const int slots = internal::SlotsPerLine(form.width());
  if (!options_.grow) {
    form.homes_per_line = slots;
    return form;
  }
  form.homes_per_line =
      std::max(2, HomesPerLine(slots, stage.step, options_.steps, stage.phase));
  return form;
}

int TamisFilter::NumPhases() const {
  return options_.grow && options_.steps < kStepsOfClasses ? kPhases : 1;
}

uint64_t TamisFilter::SlotsOf(const Stage& stage) const {
  const ActiveTable::Form form = FormOf(stage);
  return form.homes *
         static_cast<uint64_t>(internal::SlotsPerLine(form.width())) /
         static_cast<uint64_t>(form.homes_per_line);
}

// Sizes of classes are 1.14x to 1.25x apart.  Filled to the same load, filters
// would be the emptiest after the largest step: before the smaller ones they
// need not be so full, and inserts are faster.
uint64_t TamisFilter::Limit(const Stage& stage) const {
  if (!options_.grow) return options_.slots;
  const uint64_t slots = SlotsOf(stage);
  double load = options_.threshold;
  if (options_.steps == kStepsOfClasses) {
    const double growth =
        static_cast<double>(SlotsOf(Next(stage))) / static_cast<double>(slots);
    load *= std::min(1.0, std::sqrt(growth / 1.25));
  }
  return internal::ThresholdLimit(load, slots);
}

uint64_t TamisFilter::MaxExtensions(uint64_t homes, uint64_t limit) const {
  if (options_.extension_bits == 0) return 0;
  // Less than a few lines is no table at all.
  constexpr double kLeastBits = 2048;
  const double budget = std::max(
      kLeastBits, options_.extension_bits * static_cast<double>(limit));
  // 3 bits are what one in 64, which is long, costs each.
  const auto fits = [&](uint64_t capacity) {
    const auto plan = ExtensionTable::Plan::For(homes, bits(), capacity);
    return static_cast<double>(plan.SizeBits() + 3 * capacity) <= budget;
  };
  uint64_t low = 0;  // fits
  uint64_t high = static_cast<uint64_t>(budget / 8) + 1;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

TamisFilter::Stage TamisFilter::StageFor(uint64_t entries) const {
  Stage found = stage();
  if (!options_.grow) return found;
  while (entries > Limit(found)) found = Next(found);
  return found;
}

TamisFilter::Stage TamisFilter::FirstStep(int generation, int phase,
                                          uint64_t entries) const {
  Stage stage = {generation, 0, phase};
  while (entries > Limit(stage) && stage.step + 1 < options_.steps) {
    ++stage.step;
  }
  return stage;
}

TamisFilter::Stage TamisFilter::SmallestFor(uint64_t entries) const {
  Stage smallest = {};
  uint64_t least = ~uint64_t{0};
  for (int phase = 0; phase < NumPhases(); ++phase) {
    Stage stage = {0, 0, phase};
    while (entries > Limit(stage) && stage.generation < 50) stage = Next(stage);
    if (SlotsOf(stage) < least) {
      least = SlotsOf(stage);
      smallest = stage;
    }
  }
  return smallest;
}

}  // namespace tamis
