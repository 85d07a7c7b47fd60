#include "lab/reproduce/adversary_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/adversaries/thesis_adversary.h"
#include "tamis/any_filter.h"

namespace tamis::tools {
namespace {

using workloads::AdversaryRound;
using workloads::ThesisAdversaryOptions;
using Rounds = std::vector<AdversaryRound>;

ThesisAdversaryOptions GameOf(const AdversarySetup& setup, int run) {
  return {.seed = setup.seed + static_cast<uint64_t>(run),
          .members = setup.members(),
          .queries = setup.ratio * setup.members(),
          .rounds = kAdversaryRounds,
          .stop_share = 0};
}

Result<Rounds> PlayOnce(std::string_view spec, const AdversarySetup& setup,
                        int run, AdversaryCourse& course) {
  const ThesisAdversaryOptions game = GameOf(setup, run);
  TAMIS_ASSIGN_OR_RETURN(
      AnyFilter filter,
      AnyFilter::Create(spec, setup.slots, Hasher(Seed{game.seed, 0})));
  TAMIS_RETURN_IF_ERROR(workloads::InsertAdversaryMembers(filter, game));
  course.bits_per_key = filter.stats().BitsPerKey();
  course.spec = filter.spec().ToString();
  return workloads::RunThesisAdversary(filter, game);
}

// Returns the round after which the paper's game stops.
const AdversaryRound& PaperLastRound(const Rounds& rounds, double members) {
  for (const AdversaryRound& round : rounds) {
    if (static_cast<double>(round.erring) <= kPaperStopShare * members) {
      return round;
    }
  }
  return rounds.back();
}

// Adds a run's rounds; those that it did not come to have an empty Q.
void AddRounds(const Rounds& rounds, double members, AdversaryCourse& course) {
  const double runs = course.runs;
  for (size_t i = 0; i < course.rounds.size(); ++i) {
    const AdversaryRound none;
    const AdversaryRound& one = i < rounds.size() ? rounds[i] : none;
    AdversaryCourse::Round& mean = course.rounds[i];
    const double share = static_cast<double>(one.queue_size) / members;
    mean.queue_share += share / runs;
    mean.lowest_share = std::min(mean.lowest_share, share);
    mean.highest_share = std::max(mean.highest_share, share);
    mean.overall += one.OverallFpr() / runs;
    mean.element_wise += one.ElementFpr() / runs;
    mean.resets += static_cast<double>(one.resets) / runs;
  }
}

void AddEnd(const Rounds& rounds, double members, AdversaryCourse& course) {
  const double left = static_cast<double>(rounds.back().erring) / members;
  course.final_share += left / course.runs;
  course.worst_final_share = std::max(course.worst_final_share, left);
  course.last_element_wise += rounds.back().ElementFpr() / course.runs;
  course.stopped_element_wise +=
      PaperLastRound(rounds, members).ElementFpr() / course.runs;
  if (left > 0) return;
  ++course.emptied;
  course.empty_after =
      std::max(course.empty_after, static_cast<int>(rounds.size()));
}

// Charts `value(round)` of every filter over the rounds.
template <typename Value>
Chart ChartRounds(std::string title, std::string y_label,
                  std::span<const std::string> names,
                  std::span<const AdversaryCourse> courses, Value value) {
  Chart chart{.title = std::move(title),
              .x_label = "round",
              .y_label = std::move(y_label),
              .log_y = true,
              .series = {}};
  for (size_t f = 0; f < courses.size(); ++f) {
    ChartSeries& series = chart.series.emplace_back();
    series.name = names[f];
    for (size_t i = 0; i < courses[f].rounds.size(); ++i) {
      ChartPoint point = value(courses[f].rounds[i]);
      point.x = static_cast<double>(i + 1);
      series.points.push_back(point);
    }
  }
  return chart;
}

}  // namespace

uint64_t AdversarySetup::members() const {
  return static_cast<uint64_t>(0.95 * static_cast<double>(slots));
}

Result<AdversaryCourse> PlayAdversary(std::string_view spec,
                                      const AdversarySetup& setup) {
  AdversaryCourse course;
  course.runs = setup.runs;
  course.rounds.resize(kAdversaryRounds);
  for (auto& round : course.rounds) {
    round.lowest_share = static_cast<double>(setup.ratio);
  }
  const auto members = static_cast<double>(setup.members());
  for (int run = 0; run < setup.runs; ++run) {
    TAMIS_ASSIGN_OR_RETURN(const Rounds rounds,
                           PlayOnce(spec, setup, run, course));
    AddRounds(rounds, members, course);
    AddEnd(rounds, members, course);
  }
  return course;
}

ResultTable RoundsTable(std::string_view name, uint64_t ratio,
                        const AdversaryCourse& course) {
  ResultTable table{fmt::format("{}, Q/S = {}", name, ratio),
                    {"round", "|Q|/|S|", "overall FPR", "element-wise FPR"},
                    {}};
  for (size_t i = 0; i < course.rounds.size(); ++i) {
    const AdversaryCourse::Round& round = course.rounds[i];
    if (round.queue_share == 0) break;
    table.rows.push_back({fmt::format("{}", i + 1),
                          fmt::format("{:.6f}", round.queue_share),
                          fmt::format("{:.6f}", round.overall),
                          fmt::format("{:.6f}", round.element_wise)});
  }
  return table;
}

ResultTable ResetsTable(uint64_t ratio, std::span<const std::string> names,
                        std::span<const AdversaryCourse> courses) {
  ResultTable table{
      fmt::format("Adapts that forgot earlier fixes, by round, Q/S = {}",
                  ratio),
      {"filter"},
      {}};
  for (int i = 1; i <= kAdversaryRounds; ++i) {
    table.columns.push_back(fmt::format("{}", i));
  }
  for (size_t f = 0; f < courses.size(); ++f) {
    auto& row = table.rows.emplace_back(std::vector<std::string>{names[f]});
    for (const AdversaryCourse::Round& round : courses[f].rounds) {
      row.push_back(fmt::format("{:.0f}", round.resets));
    }
  }
  return table;
}

std::vector<Chart> RoundsCharts(uint64_t ratio,
                                std::span<const std::string> names,
                                std::span<const AdversaryCourse> courses) {
  using Round = AdversaryCourse::Round;
  const auto title = [&](std::string_view what) {
    return fmt::format("{} by round, Q/S = {}", what, ratio);
  };
  return {
      ChartRounds(title("Size of Q"), "|Q|/|S| at the start of the round",
                  names, courses,
                  [](const Round& round) {
                    return ChartPoint{.y = round.queue_share,
                                      .low = round.lowest_share,
                                      .high = round.highest_share};
                  }),
      ChartRounds(
          title("Overall rate"), "false positives per query", names, courses,
          [](const Round& round) { return ChartPoint{.y = round.overall}; }),
      ChartRounds(title("Element-wise rate"),
                  "share of Q that errs at least once", names, courses,
                  [](const Round& round) {
                    return ChartPoint{.y = round.element_wise};
                  })};
}

}  // namespace tamis::tools
