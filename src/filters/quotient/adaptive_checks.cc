// AdaptiveBase: its statistics and its invariants.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "tamis/internal/filters/quotient/adaptive_base.h"

namespace tamis::internal {
namespace {

// Calls function(letter) for every letter that is not 0.
template <typename Function>
void ForEachLetter(const GroupLetters& letters, Function&& function) {
  for (uint64_t left = letters.nonzero; left != 0; left &= left - 1) {
    function(letters.at(std::countr_zero(left)));
  }
}

}  // namespace

// Each slot matches a random string with a probability of its own; the number
// of slots of a home is near a Poisson variable.
double AdaptiveBase::ExpectedFpr() const {
  const double plain = scheme().MatchProbability(table_.width(), 0);
  double sum = plain * static_cast<double>(size());
  for (uint64_t g = 0; is_adapted_ && g < letters().num_groups(); ++g) {
    ForEachLetter(letters().Group(g), [&](uint32_t letter) {
      sum += scheme().MatchProbability(table_.width(), letter) - plain;
    });
  }
  return 1 - std::exp(-sum / static_cast<double>(table_.homes()));
}

FilterStats AdaptiveBase::stats() const {
  FilterStats stats;
  stats.size = size();
  stats.capacity = capacity();
  stats.size_bits = SizeBits();
  stats.side_bits = mirror_.size_bits();
  stats.expected_fpr = ExpectedFpr();
  stats.details = {{"load", table_.load()},
                   {"adapts", static_cast<double>(counts_.adapts)},
                   {"resets", static_cast<double>(counts_.resets)},
                   {"evictions", static_cast<double>(counts_.evictions)},
                   {"refusals", static_cast<double>(counts_.refusals)},
                   {"rehashes", static_cast<double>(counts_.rehashes)}};
  AddLetterStats(stats);
  return stats;
}

// How many slots have a letter of each class, and how full the codes are.
void AdaptiveBase::AddLetterStats(FilterStats& stats) const {
  constexpr int kClasses = 9;  // the last is of all from there on
  std::array<uint64_t, kClasses> counts{size()};
  double bits = 0;
  double most_bits = 0;
  for (uint64_t g = 0; g < letters().num_groups(); ++g) {
    const GroupLetters group = letters().Group(g);
    ForEachLetter(group, [&](uint32_t letter) {
      --counts[0];
      ++counts[std::min<uint32_t>(scheme().ClassOf(letter), kClasses - 1)];
    });
    const double used = letters().BitsUsed(group);
    bits += used;
    most_bits = std::max(most_bits, used);
  }
  for (size_t i = 0; i < kClasses; ++i) {
    stats.details.emplace_back(
        std::string(scheme().letter_names()) + std::to_string(i),
        static_cast<double>(counts[i]));
  }
  stats.details.emplace_back(
      "bits used per code", bits / static_cast<double>(letters().num_groups()));
  stats.details.emplace_back("most bits used by a code", most_bits);
}

Status AdaptiveBase::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(
      table_.CheckInvariants(MarksLines() ? QuotientTable::Marking::kYes
                                          : QuotientTable::Marking::kNo));
  TAMIS_RETURN_IF_ERROR(CheckFreeSlots());
  TAMIS_RETURN_IF_ERROR(letters().CheckCodes());
  if (MarksLines()) TAMIS_RETURN_IF_ERROR(CheckMarks());
  if (!is_adapted_ && MustBeAdapted()) {
    return {StatusCode::kCorrupt, "(A5): adapted, but taken for an RSQF"};
  }
  return CheckPairs();
}

Status AdaptiveBase::CheckFreeSlots() const {
  uint64_t next = 0;
  Status status;
  const auto check_free = [&](uint64_t limit) {
    for (; next < limit && status.ok(); ++next) {
      if (letters().at(next) != 0 ||
          (next < mirror_.slots() && mirror_.at(next) != KeyHash())) {
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
  // The last group may have more letters than the table has slots.
  check_free(letters().num_groups() * kGroupSlots);
  return status;
}

bool AdaptiveBase::MustBeAdapted() const {
  bool must = counts_.rehashes != 0;
  for (uint64_t g = 0; g < letters().num_groups() && !must; ++g) {
    must = !letters().AllZero(g);
  }
  return must;
}

Status AdaptiveBase::CheckMarks() const {
  Status status;
  table_.ForEach([&](uint64_t, uint64_t slot, uint64_t) {
    const uint64_t line = table_.shape().LocateSlot(slot).line;
    if (letters().at(slot) > 1 && !table_.IsMarked(line)) {
      status = {StatusCode::kCorrupt, "(A4): line " + std::to_string(line) +
                                          " lacks the mark of slot " +
                                          std::to_string(slot)};
    }
  });
  return status;
}

// Where the caller brings the members there is nobody to ask.
Status AdaptiveBase::CheckPairs() const {
  if (has_mirror()) return CheckMirror();
  return options_.source ? CheckSource() : Status();
}

Status AdaptiveBase::CheckMirror() const {
  Status status;
  table_.ForEach([&](uint64_t home, uint64_t slot, uint64_t) {
    const KeyHash member = mirror_.at(slot);
    if (HomeOf(member) == home && SlotMatches(slot, StringOf(member))) return;
    status = {StatusCode::kCorrupt, "(A1): slot " + std::to_string(slot) +
                                        " of home " + std::to_string(home) +
                                        " does not match its member"};
  });
  return status;
}

// Can the members that the source has be paired, home by home?
Status AdaptiveBase::CheckSource() const {
  std::vector<KeyHash> members;  // of one home
  Status status;
  const auto check_home = [&] {
    if (members.empty()) return;
    const uint64_t home = HomeOf(members[0]);
    status =
        OwnersOf(home, MemberIndex(std::span<const KeyHash>(members))).status();
    if (!status.ok()) {
      status = {StatusCode::kCorrupt,
                "(A1): the key source has a member of "
                "home " +
                    std::to_string(home) + " that no slot matches"};
    }
    members.clear();
  };
  TAMIS_RETURN_IF_ERROR(
      VisitSorted(options_.source, kAllHashes, [&](KeyHash hash) {
        if (!members.empty() && HomeOf(members[0]) != HomeOf(hash)) {
          check_home();
        }
        members.push_back(hash);
        return status.ok();
      }));
  if (status.ok()) check_home();
  return status;
}

}  // namespace tamis::internal
