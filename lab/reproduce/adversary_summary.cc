// The thesis's Figure 6.6, the right half of the telescoping paper's Figure 4:
// the adversary's last round by the size of its first Q.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "lab/reproduce/adaptive_quotient.h"
#include "lab/reproduce/adversary_courses.h"

namespace tamis::tools {
namespace {

constexpr std::array<uint64_t, 9> kSummaryRatios = {1,  5,  10, 15, 20,
                                                    25, 30, 40, 50};

// The courses of every ratio of the summary.
struct Summary {
  std::vector<AdversaryCourses> courses;  // as kSummaryRatios

  // Calls use(ratio, courses) for the ratios in [low, high].
  template <typename Use>
  void ForRange(uint64_t low, uint64_t high, Use use) const {
    for (size_t i = 0; i < kSummaryRatios.size(); ++i) {
      if (kSummaryRatios[i] < low || kSummaryRatios[i] > high) continue;
      use(kSummaryRatios[i], courses[i]);
    }
  }
  // Returns the mean over the ratios in [low, high] of a filter's element-wise
  // rate in its last round.
  double Mean(size_t f, uint64_t low, uint64_t high) const {
    double sum = 0, count = 0;
    ForRange(low, high, [&](uint64_t, const AdversaryCourses& one) {
      sum += one[f].last_element_wise;
      ++count;
    });
    return sum / count;
  }
};

void JudgeTaf(const Summary& summary, Findings& result) {
  double early = 0, late = 1;
  summary.ForRange(1, 15, [&](uint64_t, const AdversaryCourses& one) {
    early = std::max(early, one[kTaf].last_element_wise);
  });
  summary.ForRange(30, 50, [&](uint64_t, const AdversaryCourses& one) {
    late = std::min(late, one[kTaf].last_element_wise);
  });
  result.claims.push_back(
      {"TAF does well up to Q/S = 15: element-wise rate of the last round",
       {"does very well up until around |Q|/|S| = 20", "6.1"},
       fmt::format("at most {:.3f}", early),
       {"at most 0.1 (Figure 4 has no numbers)"},
       early <= 0.1});
  result.claims.push_back(
      {"from Q/S = 30 on the adversary forces false positives on all of Q",
       {"successfully forces false positives on all elements in Q",
        "thesis, 6.2.3"},
       fmt::format("at least {:.3f}", late),
       {"at least 0.9 for \"all\""},
       late >= 0.9});
}

// Names, for each ratio in [low, high], the filters for which `holds`.
std::string NamesByRatio(const Summary& summary, uint64_t low, uint64_t high,
                         size_t except,
                         bool (*holds)(const AdversaryCourse& course)) {
  std::string text;
  summary.ForRange(low, high, [&](uint64_t ratio, const AdversaryCourses& one) {
    const std::string names =
        NamesWhere({except}, [&](size_t f) { return holds(one[f]); });
    if (names == "none") return;
    text +=
        fmt::format("{}{} at Q/S = {}", text.empty() ? "" : "; ", names, ratio);
  });
  return text.empty() ? "none" : text;
}

void JudgeOthers(const Summary& summary, Findings& result) {
  const std::string losers = NamesByRatio(
      summary, 1, 9, kStatic,
      [](const AdversaryCourse& one) { return one.emptied < one.runs; });
  result.claims.push_back(
      {"below Q/S = 10 all adaptive filters beat the adversary",
       {"on A/S values under 10 it appears that all filters beat the adversary",
        "thesis, 6.4"},
       "not in every run: " + losers,
       {"each in every run", Limit::From::kPaper},
       losers == "none"});
  int won = 0;
  summary.ForRange(10, 50, [&](uint64_t, const AdversaryCourses& one) {
    won += one[kExaf].emptied;
  });
  result.claims.push_back(
      {"exAF loses at every Q/S of 10 and more",
       {"loses to the adversary for any A/S >= 10", "thesis, 6.4"},
       fmt::format("{} runs won", won),
       {"no run won", Limit::From::kPaper},
       won == 0});
  const std::string winners = NamesByRatio(
      summary, 21, 50, kStatic,
      [](const AdversaryCourse& one) { return one.emptied == one.runs; });
  result.claims.push_back(
      {"above Q/S = 20 the adversary wins against all",
       {"consistently wins for all filters on any A/S higher than 20",
        "thesis, 6.4"},
       "filters that always win: " + winners,
       {"no filter wins all runs"},
       winners == "none"});
}

void JudgeBest(const Summary& summary, Findings& result) {
  const double taf = summary.Mean(kTaf, 10, 20);
  const std::string better = NamesWhere(
      {kTaf}, [&](size_t f) { return summary.Mean(f, 10, 20) < taf; });
  result.claims.push_back(
      {"for Q/S from 10 to 20 TAF has the lowest element-wise rate",
       {"In between, the SELQF has the lowest proportion of elements with at "
        "least one false positive",
        "thesis, 6.4"},
       fmt::format("{:.3f} on average; lower: {}", taf, better),
       {"no other is lower", Limit::From::kPaper},
       better == "none"});
  const double acf3 = summary.Mean(kAcf3, 10, 50);
  const double acf1 = summary.Mean(kAcf1, 10, 50);
  const double acf2 = summary.Mean(kAcf2, 10, 50);
  result.claims.push_back(
      {"ACF3 does surprisingly well: better than ACF1, ACF2 and exAF",
       {"ACF3 does surprisingly well on adversarial data", "6.1"},
       fmt::format("{:.3f} against {:.3f}, {:.3f}, {:.3f}", acf3, acf1, acf2,
                   summary.Mean(kExaf, 10, 50)),
       {"below all three"},
       acf3 < std::min({acf1, acf2, summary.Mean(kExaf, 10, 50)})});
}

void ShowSummary(const Summary& summary, Findings& result) {
  ResultTable table{
      "Element-wise rate of the last round, mean (runs that emptied Q)",
      {"filter", "spec", "bits/key"},
      {}};
  for (const uint64_t ratio : kSummaryRatios) {
    table.columns.push_back(fmt::format("Q/S = {}", ratio));
  }
  Chart thesis{.title = "Element-wise rate of the last round (thesis 6.6)",
               .x_label = "Q/S at the start",
               .y_label = "share of Q that errs at least once",
               .series = {}};
  Chart paper = thesis;
  paper.title = "The same, stopped once |Q|/|S| = 0.01 (paper, Figure 4)";
  for (size_t f = 0; f < kTelescopingFilters.size(); ++f) {
    const std::string name(kTelescopingFilters[f].name);
    ChartSeries last{.name = name, .points = {}};
    ChartSeries stopped = last;
    auto& row = table.rows.emplace_back(std::vector<std::string>{
        name, summary.courses[0][f].spec,
        fmt::format("{:.2f}", summary.courses[0][f].bits_per_key)});
    summary.ForRange(
        0, ~uint64_t{0}, [&](uint64_t ratio, const AdversaryCourses& all) {
          const AdversaryCourse& one = all[f];
          const auto x = static_cast<double>(ratio);
          row.push_back(
              fmt::format("{:.3f} ({})", one.last_element_wise, one.emptied));
          last.points.push_back({.x = x, .y = one.last_element_wise});
          stopped.points.push_back({.x = x, .y = one.stopped_element_wise});
        });
    thesis.series.push_back(std::move(last));
    paper.series.push_back(std::move(stopped));
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(paper));
  result.charts.push_back(std::move(thesis));
}

}  // namespace

Result<Findings> RunTafFigure4Adversary(const ExperimentOptions& options) {
  Summary summary;
  TAMIS_ASSIGN_OR_RETURN(summary.courses,
                         PlayAllAdversaries(kSummaryRatios, options));
  Findings result;
  DescribeAdversary(options, result);
  ShowSummary(summary, result);
  JudgeTaf(summary, result);
  JudgeOthers(summary, result);
  JudgeBest(summary, result);
  return result;
}

}  // namespace tamis::tools
