// The thesis's Figures 6.4 and 6.5: the adversary, round by round.

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "lab/reproduce/adaptive_quotient.h"
#include "lab/reproduce/adversary_courses.h"

namespace tamis::tools {
namespace {

ResultTable CoursesTable(uint64_t ratio, const AdversaryCourses& courses) {
  ResultTable table{fmt::format("Q/S = {}", ratio),
                    {"filter", "spec", "bits/key", "|Q|/|S| round 2", "round 3",
                     "round 10", "after", "runs emptied",
                     "overall FPR, round 10", "element-wise FPR, round 10"},
                    {}};
  for (size_t f = 0; f < courses.size(); ++f) {
    const AdversaryCourse& course = courses[f];
    const auto share = [&](int round) {
      return fmt::format(
          "{:.6f}", course.rounds[static_cast<size_t>(round - 1)].queue_share);
    };
    table.rows.push_back(
        {std::string(kTelescopingFilters[f].name), course.spec,
         fmt::format("{:.2f}", course.bits_per_key), share(2), share(3),
         share(kAdversaryRounds), fmt::format("{:.6f}", course.final_share),
         Emptied(course), fmt::format("{:.4f}", course.rounds.back().overall),
         fmt::format("{:.4f}", course.rounds.back().element_wise)});
  }
  return table;
}

void ShowRounds(uint64_t ratio, const AdversaryCourses& courses,
                Findings& result) {
  result.tables.push_back(CoursesTable(ratio, courses));
  std::vector<std::string> names;
  names.reserve(kTelescopingFilters.size());
  for (const PaperFilter& filter : kTelescopingFilters) {
    names.emplace_back(filter.name);
  }
  result.tables.push_back(ResetsTable(ratio, names, courses));
  for (Chart& chart : RoundsCharts(ratio, names, courses)) {
    result.charts.push_back(std::move(chart));
  }
}

std::string OthersEmptied(const AdversaryCourses& courses,
                          std::initializer_list<size_t> except) {
  return NamesWhere(except, [&](size_t f) { return courses[f].emptied > 0; });
}

// Claims that `f` empties Q in every run, at the latest after round 2.
void JudgeByRoundTwo(size_t f, const Said& paper,
                     const AdversaryCourses& courses, Findings& result) {
  const AdversaryCourse& course = courses[f];
  result.claims.push_back(
      {fmt::format("Q/S = 10: {} empties Q in every run by round 2",
                   kTelescopingFilters[f].name),
       paper,
       fmt::format("{} runs, at the latest after round {}; {:.6f} left",
                   Emptied(course), course.empty_after, course.final_share),
       {"every run, round 2", Limit::From::kPaper},
       course.AlwaysEmptyAfter(2)});
}

void JudgeTen(const AdversaryCourses& courses, Findings& result) {
  const Said text = {
      "only the SELQF and ACF3 beat the adversary, fully adapting by round 2",
      "thesis, 6.2.3"};
  const Said caption = {"Only the SELQF and ACF1 adapt fully",
                        "thesis, caption of Figure 6.4 (a)"};
  JudgeByRoundTwo(kTaf, text, courses, result);
  JudgeByRoundTwo(kAcf3, text, courses, result);
  JudgeByRoundTwo(kAcf1, caption, courses, result);
  const std::string others = OthersEmptied(courses, {kTaf, kAcf1, kAcf3});
  result.claims.push_back(
      {"Q/S = 10: exAF, ACF2, Swapping and Cuckooing stay stuck",
       {"The other filters get stuck with larger Qs", "thesis, 6.2.3"},
       "emptied at least once: " + others,
       {"no run of any empties Q", Limit::From::kPaper},
       others == "none"});
  const auto largest =
      std::max_element(courses.begin(), courses.begin() + kTafRefusing,
                       [](const auto& a, const auto& b) {
                         return a.final_share < b.final_share;
                       });
  result.claims.push_back(
      {"Q/S = 10: the static cuckoo filter is the worst",
       {"the static Cuckoo filter shows the worst performance",
        "thesis, 6.2.3"},
       fmt::format(
           "{:.5f}; the largest is {}'s, {:.5f}", courses[kStatic].final_share,
           kTelescopingFilters[static_cast<size_t>(largest - courses.begin())]
               .name,
           largest->final_share),
       {"the largest Q", Limit::From::kPaper},
       largest == courses.begin() + kStatic});
}

bool EmptiesSometimes(const AdversaryCourse& course) {
  return course.emptied > 0 && course.emptied < course.runs;
}

// The captions say ACF1 throughout, the text ACF3.
void JudgeFifteen(const AdversaryCourses& courses, Findings& result) {
  for (const size_t other : {kAcf1, kAcf3}) {
    result.claims.push_back(
        {fmt::format("Q/S = 15: TAF and {} adapt fully sometimes, not always "
                     "({})",
                     kTelescopingFilters[other].name,
                     other == kAcf1 ? "the caption" : "if ACF3 is meant"),
         {"The SELQF and ACF1 adapts sometimes but not always",
          "thesis, caption of Figure 6.4 (b)"},
         fmt::format("TAF {}, {} {}", Emptied(courses[kTaf]),
                     kTelescopingFilters[other].name, Emptied(courses[other])),
         {"some runs, not all", Limit::From::kPaper},
         EmptiesSometimes(courses[kTaf]) && EmptiesSometimes(courses[other])});
  }
}

void JudgeTwenty(const AdversaryCourses& courses, Findings& result) {
  const std::string others = OthersEmptied(courses, {kTaf});
  result.claims.push_back(
      {"Q/S = 20: only TAF adapts fully, in a few runs",
       {"Only the SELQF adapts a few times",
        "thesis, caption of Figure 6.4 (c)"},
       fmt::format("TAF {}; others: {}", Emptied(courses[kTaf]), others),
       {"TAF in some runs, no other in any", Limit::From::kPaper},
       EmptiesSometimes(courses[kTaf]) && others == "none"});
}

void JudgeThirty(const AdversaryCourses& courses, Findings& result) {
  const auto left = [&](size_t f) { return courses[f].final_share; };
  const double taf = left(kTaf);
  result.claims.push_back(
      {"Q/S = 30: Swapping, Cuckooing and ACF3 leave less of Q than TAF",
       {"The Swapping ACF, Cuckooing ACF, and ACF3 outperform the SELQF",
        "thesis, caption of Figure 6.5 (a)"},
       fmt::format("TAF {:.5f}; {:.5f}, {:.5f}, {:.5f}; Cuckooing with random "
                   "moves {:.5f}",
                   taf, left(kSwapping), left(kCuckooing), left(kAcf3),
                   left(kCuckooingOurs)),
       {"each less than TAF", Limit::From::kPaper},
       left(kSwapping) < taf && left(kCuckooing) < taf && left(kAcf3) < taf});
  const std::string others = OthersEmptied(courses, {kSwapping});
  result.claims.push_back(
      {"Q/S = 30: only Swapping adapts fully at least once",
       {"Only the Swapping ACF adapts fully at least once",
        "thesis, caption of Figure 6.5 (a)"},
       fmt::format("Swapping {}; others: {}", Emptied(courses[kSwapping]),
                   others),
       {"Swapping in some run, no other in any", Limit::From::kPaper},
       courses[kSwapping].emptied > 0 && others == "none"});
}

void JudgeFifty(const AdversaryCourses& courses, Findings& result) {
  const auto left = [&](size_t f) { return courses[f].final_share; };
  const double worse = std::max(left(kSwapping), left(kCuckooing));
  const std::string better = NamesWhere(
      {kSwapping, kCuckooing}, [&](size_t f) { return left(f) < worse; });
  result.claims.push_back(
      {"Q/S = 50: Cuckooing and Swapping leave less of Q than all others",
       {"The Cuckooing and Swapping ACFs outperform all other filters",
        "thesis, caption of Figure 6.5 (b)"},
       fmt::format("Cuckooing {:.5f} (random moves: {:.5f}), Swapping {:.5f}, "
                   "TAF {:.5f}; better than one of the two: {}",
                   left(kCuckooing), left(kCuckooingOurs), left(kSwapping),
                   left(kTaf), better),
       {"none is better than either", Limit::From::kPaper},
       better == "none"});
  const std::string full = OthersEmptied(courses, {});
  result.claims.push_back(
      {"Q/S = 50: no filter adapts fully",
       {"No filter fully adapts", "thesis, caption of Figure 6.5 (b)"},
       full,
       {"none", Limit::From::kPaper},
       full == "none"});
}

using Judge = void (*)(const AdversaryCourses&, Findings&);
struct JudgedRatio {
  uint64_t ratio;
  Judge judge;
};

Result<Findings> RunByRound(std::span<const JudgedRatio> parts,
                            const ExperimentOptions& options) {
  std::vector<uint64_t> ratios;
  for (const JudgedRatio& part : parts) ratios.push_back(part.ratio);
  TAMIS_ASSIGN_OR_RETURN(const std::vector<AdversaryCourses> all,
                         PlayAllAdversaries(ratios, options));
  Findings result;
  DescribeAdversary(options, result);
  for (size_t i = 0; i < parts.size(); ++i) {
    ShowRounds(parts[i].ratio, all[i], result);
    parts[i].judge(all[i], result);
  }
  return result;
}

}  // namespace

Result<Findings> RunThesisFigure64(const ExperimentOptions& options) {
  static constexpr JudgedRatio kParts[] = {
      {10, JudgeTen}, {15, JudgeFifteen}, {20, JudgeTwenty}};
  return RunByRound(kParts, options);
}

Result<Findings> RunThesisFigure65(const ExperimentOptions& options) {
  static constexpr JudgedRatio kParts[] = {{30, JudgeThirty}, {50, JudgeFifty}};
  return RunByRound(kParts, options);
}

}  // namespace tamis::tools
