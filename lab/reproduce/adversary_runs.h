// The adversary of the telescoping filter's papers, played several times.
//
//   |Q|/|S|  ####                     a course: what became of Q, round by
//            ##                       round, as means over the runs (one run a
//            #  .  .                  seed) with the lowest and the highest
//   round    1  2  3  ...

#ifndef TAMIS_LAB_REPRODUCE_ADVERSARY_RUNS_H_
#define TAMIS_LAB_REPRODUCE_ADVERSARY_RUNS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/result.h"
#include "tools/report/findings.h"

namespace tamis::tools {

inline constexpr int kAdversaryRounds = 10;
// The telescoping paper ends the game when |Q| is this share of |S|.
inline constexpr double kPaperStopShare = 0.01;

struct AdversarySetup {
  uint64_t slots = 0;
  uint64_t ratio = 0;  // |Q| / |S| at the start
  uint64_t seed = 1;   // of the first run; the others follow
  int runs = 1;

  // |S|: every filter is loaded to 0.95.
  uint64_t members() const;
};

struct AdversaryCourse {
  struct Round {
    double queue_share = 0;  // |Q| / |S| at its start, mean
    double lowest_share = 0;
    double highest_share = 0;
    double overall = 0;       // false positives per query, mean
    double element_wise = 0;  // elements of Q that erred at least once, mean
    double resets = 0;        // adapts that gave up earlier fixes, mean
  };
  std::vector<Round> rounds;     // kAdversaryRounds; all 0 once Q is empty
  double final_share = 0;        // |Q| / |S| after the last round, mean
  double worst_final_share = 0;  // of all runs
  // Element-wise rate of the last round: the thesis's, which plays on until Q
  // is empty or the rounds are over, and the paper's, which stops earlier.
  double last_element_wise = 0;
  double stopped_element_wise = 0;
  int runs = 0;
  int emptied = 0;      // runs in which Q ran empty
  int empty_after = 0;  // the latest round after which one of those did
  double bits_per_key = 0;
  std::string spec;

  // Says whether Q ran empty in every run, at the latest after `round`.
  bool AlwaysEmptyAfter(int round) const {
    return emptied == runs && empty_after <= round;
  }
};

// Plays against the filter `spec` of each seed.
Result<AdversaryCourse> PlayAdversary(std::string_view spec,
                                      const AdversarySetup& setup);

// Returns the rounds of a course as rows.
ResultTable RoundsTable(std::string_view name, uint64_t ratio,
                        const AdversaryCourse& course);

// The resets of each round, a row for each filter.
ResultTable ResetsTable(uint64_t ratio, std::span<const std::string> names,
                        std::span<const AdversaryCourse> courses);

// The size of Q and both rates by round, a series for each filter.
// REQUIRES: names.size() == courses.size()
std::vector<Chart> RoundsCharts(uint64_t ratio,
                                std::span<const std::string> names,
                                std::span<const AdversaryCourse> courses);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_ADVERSARY_RUNS_H_
