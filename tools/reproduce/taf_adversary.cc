#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "tamis/any_filter.h"
#include "tamis/workloads/thesis_adversary.h"
#include "tools/reproduce/adaptive_quotient.h"

namespace tamis::tools {
namespace {

using workloads::AdversaryRound;
using workloads::ThesisAdversaryOptions;

constexpr std::array<std::string_view, 5> kSpecs = {
    "taf:r=8,overflow=refuse", "taf:r=8,overflow=evict",
    "taf:r=8,overflow=reset", "exaf:r=8", "utaf:r=8"};
constexpr std::array<uint64_t, 3> kRatios = {10, 20, 50};  // |Q| / |S|
constexpr int kRounds = 10;

// Means over the runs of one filter at one |Q| / |S|.
struct Course {
  struct Round {
    double queue_share = 0;  // |Q| / |S| at its start
    double overall = 0;
    double element_wise = 0;
  };
  std::array<Round, kRounds> rounds;
  double final_share = 0;        // |Q| / |S| after the last round
  double worst_final_share = 0;  // of all runs
};

Result<std::vector<AdversaryRound>> PlayOnce(
    std::string_view spec, uint64_t slots,
    const ThesisAdversaryOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(
      AnyFilter filter,
      AnyFilter::Create(spec, slots, Hasher(Seed{options.seed, 0})));
  TAMIS_RETURN_IF_ERROR(workloads::InsertAdversaryMembers(filter, options));
  return workloads::RunThesisAdversary(filter, options);
}

void Add(const std::vector<AdversaryRound>& rounds, double members, double runs,
         Course& course) {
  for (size_t i = 0; i < rounds.size(); ++i) {
    Course::Round& mean = course.rounds[i];
    mean.queue_share +=
        static_cast<double>(rounds[i].queue_size) / members / runs;
    mean.overall += rounds[i].OverallFpr() / runs;
    mean.element_wise += rounds[i].ElementFpr() / runs;
  }
  const double left = static_cast<double>(rounds.back().erring) / members;
  course.final_share += left / runs;
  course.worst_final_share = std::max(course.worst_final_share, left);
}

ResultTable RoundsTable(std::string_view spec, uint64_t ratio,
                        const Course& course) {
  ResultTable table{fmt::format("{}, Q/S = {}", spec, ratio),
                    {"round", "|Q|/|S|", "overall FPR", "element-wise FPR"},
                    {}};
  for (int i = 0; i < kRounds; ++i) {
    const Course::Round& round = course.rounds[static_cast<size_t>(i)];
    if (round.queue_share == 0) break;
    table.rows.push_back({fmt::format("{}", i + 1),
                          fmt::format("{:.6f}", round.queue_share),
                          fmt::format("{:.6f}", round.overall),
                          fmt::format("{:.6f}", round.element_wise)});
  }
  return table;
}

// The rates by round of every filter, overall and element by element.
void AddCharts(uint64_t ratio, std::span<const Course> courses,
               Findings& result) {
  for (const bool overall : {true, false}) {
    Chart chart{fmt::format("{} by round, Q/S = {}",
                            overall ? "Overall" : "Element-wise", ratio),
                "round",
                overall ? "false positive rate, overall"
                        : "false positive rate, element-wise",
                false,
                true,
                {}};
    for (size_t f = 0; f < kSpecs.size(); ++f) {
      ChartSeries series{std::string(kSpecs[f]), {}};
      for (size_t i = 0; i < courses[f].rounds.size(); ++i) {
        const Course::Round& round = courses[f].rounds[i];
        const double rate = overall ? round.overall : round.element_wise;
        series.points.push_back({static_cast<double>(i + 1), rate, 0, 0});
      }
      chart.series.push_back(std::move(series));
    }
    result.charts.push_back(std::move(chart));
  }
}

using Courses = std::array<std::array<Course, kSpecs.size()>, kRatios.size()>;

void Judge(const Courses& courses, Findings& result) {
  const auto final_share = [&](size_t ratio, size_t spec) {
    return courses[ratio][spec].final_share;
  };
  result.claims.push_back(
      {"TAF empties Q at Q/S = 10", "empty in round 2 (figure 6.4a)",
       fmt::format("{:.6f} left", final_share(0, 0)), final_share(0, 0) == 0});
  result.claims.push_back({"TAF's final |Q|/|S| at Q/S = 20 is below 0.001",
                           "adapts a few times only (figure 6.4c)",
                           fmt::format("{:.6f}", final_share(1, 0)),
                           final_share(1, 0) < 0.001});
  const double reset = final_share(2, 2);
  const double best = std::min(final_share(2, 0), final_share(2, 1));
  result.claims.push_back(
      {"the best policy leaves a quarter of what resets leave at Q/S = 50",
       "0.094 with resets (the authors' code)",
       fmt::format("refuse {:.5f}, evict {:.5f}, reset {:.5f}",
                   final_share(2, 0), final_share(2, 1), reset),
       best <= reset / 4});
}

}  // namespace

Result<Findings> RunTafAdversary(const ExperimentOptions& options) {
  const uint64_t slots = uint64_t{1} << (options.paper_scale ? 17 : 14);
  const int runs = options.paper_scale ? 10 : 3;
  const auto members = static_cast<uint64_t>(0.95 * static_cast<double>(slots));
  Findings result;
  result.notes.push_back(fmt::format(
      "{} members in {} slots, r = 8, 10 subrounds, {} rounds, {} seeds",
      members, slots, kRounds, runs));
  Courses courses;
  ResultTable summary{"|Q|/|S| after the last round, mean and worst", {}, {}};
  summary.columns = {"filter", "Q/S", "mean", "worst",
                     "overall FPR, last round"};
  double done = 0;
  for (size_t q = 0; q < kRatios.size(); ++q) {
    for (size_t f = 0; f < kSpecs.size(); ++f) {
      Course& course = courses[q][f];
      for (int run = 0; run < runs; ++run) {
        const ThesisAdversaryOptions game{
            .seed = options.seed + static_cast<uint64_t>(run),
            .members = members,
            .queries = kRatios[q] * members,
            .rounds = kRounds,
            .stop_share = 0};
        TAMIS_ASSIGN_OR_RETURN(const auto rounds,
                               PlayOnce(kSpecs[f], slots, game));
        Add(rounds, static_cast<double>(members), runs, course);
        done += 1.0 / static_cast<double>(kRatios.size() * kSpecs.size() *
                                          static_cast<size_t>(runs));
        options.progress(done);
      }
      summary.rows.push_back(
          {std::string(kSpecs[f]), fmt::format("{}", kRatios[q]),
           fmt::format("{:.6f}", course.final_share),
           fmt::format("{:.6f}", course.worst_final_share),
           fmt::format("{:.6f}", course.rounds.back().overall)});
      result.tables.push_back(RoundsTable(kSpecs[f], kRatios[q], course));
    }
    AddCharts(kRatios[q], courses[q], result);
  }
  result.tables.insert(result.tables.begin(), std::move(summary));
  Judge(courses, result);
  return result;
}

}  // namespace tamis::tools
