// AdaptiveQuotient: what it reports of itself, and its invariants.

#ifndef TAMIS_FILTERS_QUOTIENT_REPORT_H_
#define TAMIS_FILTERS_QUOTIENT_REPORT_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "tamis/internal/filters/quotient/adaptive_quotient.h"

namespace tamis::internal {

// Each slot matches a random string with a probability of its own; the number
// of slots of a home is near a Poisson variable.
template <typename Kind>
double AdaptiveQuotient<Kind>::ExpectedFpr() const {
  const double plain = Kind::MatchProbability(table_.width(), 0);
  double sum = plain * static_cast<double>(size());
  for (uint64_t g = 0; g < letters_.num_groups(); ++g) {
    const GroupLetters letters = letters_.Group(g);
    for (uint64_t left = letters.nonzero; left != 0; left &= left - 1) {
      sum += Kind::MatchProbability(table_.width(),
                                    letters.at(std::countr_zero(left))) -
             plain;
    }
  }
  return 1 - std::exp(-sum / static_cast<double>(table_.homes()));
}

// How letters are counted: selectors by value, extensions by length; the last
// count is of all from there on.
template <typename Kind>
struct LetterClasses {
  static constexpr int kCount = 9;
  static const char* name() {
    return std::is_same_v<Kind, ExafKind> ? "extensions of length "
                                          : "selectors ";
  }
  static size_t Of(uint32_t letter) {
    const uint32_t value =
        std::is_same_v<Kind, ExafKind>
            ? static_cast<uint32_t>(Extension::OfLetter(letter).length)
            : letter;
    return std::min<uint32_t>(value, kCount - 1);
  }
};

template <typename Kind>
FilterStats AdaptiveQuotient<Kind>::stats() const {
  FilterStats stats;
  stats.size = size();
  stats.capacity = capacity();
  stats.size_bits = SizeBits();
  stats.side_bits = mirror_.size_bits();
  stats.expected_fpr = ExpectedFpr();
  const auto add = [&](std::string name, double value) {
    stats.details.emplace_back(std::move(name), value);
  };
  add("load", table_.load());
  add("adapts", static_cast<double>(counts_.adapts));
  add("resets", static_cast<double>(counts_.resets));
  add("evictions", static_cast<double>(counts_.evictions));
  add("refusals", static_cast<double>(counts_.refusals));
  add("rehashes", static_cast<double>(counts_.rehashes));
  using Classes = LetterClasses<Kind>;
  std::array<uint64_t, Classes::kCount> counts{};
  double bits = 0;
  double most_bits = 0;
  uint64_t adapted = 0;
  for (uint64_t g = 0; g < letters_.num_groups(); ++g) {
    const GroupLetters letters = letters_.Group(g);
    for (uint64_t left = letters.nonzero; left != 0; left &= left - 1) {
      ++counts[Classes::Of(letters.at(std::countr_zero(left)))];
      ++adapted;
    }
    if constexpr (requires { letters_.coder(); }) {
      const double used =
          kRangeBits - std::log2(static_cast<double>(
                           letters_.coder().IntervalSize(letters)));
      bits += used;
      most_bits = std::max(most_bits, used);
    }
  }
  counts[0] = size() - adapted;
  for (int i = 0; i < Classes::kCount; ++i) {
    add(Classes::name() + std::to_string(i),
        static_cast<double>(counts[static_cast<size_t>(i)]));
  }
  add("bits used per code", bits / static_cast<double>(letters_.num_groups()));
  add("most bits used by a code", most_bits);
  return stats;
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(
      table_.CheckInvariants(MarksLines() ? QuotientTable::Marking::kYes
                                          : QuotientTable::Marking::kNo));
  uint64_t next = 0;
  Status status;
  const auto check_free = [&](uint64_t limit) {
    for (; next < limit && status.ok(); ++next) {
      if (letters_.at(next) != 0 ||
          (has_mirror() && mirror_.at(next) != KeyHash())) {
        status = {StatusCode::kCorrupt, "(A2): free slot " +
                                            std::to_string(next) +
                                            " has a letter or a member"};
      }
    }
  };
  table_.ForEach([&](uint64_t, uint64_t slot, uint64_t) {
    check_free(slot);
    next = slot + 1;
  });
  check_free(table_.num_slots());
  TAMIS_RETURN_IF_ERROR(status);
  TAMIS_RETURN_IF_ERROR(letters_.CheckCodes());
  if (MarksLines()) TAMIS_RETURN_IF_ERROR(CheckMarks());
  if (!is_adapted_ && MustBeAdapted()) {
    return {StatusCode::kCorrupt, "(A5): adapted, but taken for an RSQF"};
  }
  return CheckPairs();
}

template <typename Kind>
bool AdaptiveQuotient<Kind>::MustBeAdapted() const {
  bool must = counts_.rehashes != 0;
  for (uint64_t g = 0; g < letters_.num_groups() && !must; ++g) {
    must = letters_.Group(g).nonzero != 0;
  }
  return must;
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::CheckMarks() const {
  Status status;
  table_.ForEach([&](uint64_t, uint64_t slot, uint64_t) {
    const uint64_t line = table_.shape().LocateSlot(slot).line;
    if (letters_.at(slot) > 1 && !table_.IsMarked(line)) {
      status = {StatusCode::kCorrupt, "(A4): line " + std::to_string(line) +
                                          " lacks the mark of slot " +
                                          std::to_string(slot)};
    }
  });
  return status;
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::CheckPairs() const {
  Status status;
  uint64_t checked = ~uint64_t{0};
  table_.ForEach([&](uint64_t home, uint64_t, uint64_t) {
    if (home == checked || !status.ok()) return;
    checked = home;
    status = CheckRunPairs(home, table_.FindRun(home));
  });
  return status;
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::CheckRunPairs(uint64_t home,
                                             SlotRange run) const {
  const auto violation = [&](uint64_t slot) -> Status {
    return {StatusCode::kCorrupt, "(A1): slot " + std::to_string(slot) +
                                      " of home " + std::to_string(home) +
                                      " does not match its member"};
  };
  if (!has_mirror()) {
    return PairRun(home, run).empty() ? violation(run.begin) : Status();
  }
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    const KeyHash member = mirror_.at(slot);
    if (HomeOf(member) != home || !SlotMatches(slot, StringOf(member))) {
      return violation(slot);
    }
  }
  return {};
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_QUOTIENT_REPORT_H_
