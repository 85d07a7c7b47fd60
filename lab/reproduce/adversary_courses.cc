#include "lab/reproduce/adversary_courses.h"

#include <fmt/format.h>

#include <algorithm>

namespace tamis::tools {
namespace {

// Those of the papers come before our own policy.
constexpr size_t kPaperFilters = kTafRefusing;

AdversarySetup SetupFor(const ExperimentOptions& options, uint64_t ratio) {
  return {.slots = uint64_t{1} << (options.paper_scale ? 17 : 12),
          .ratio = ratio,
          .seed = options.seed,
          .runs = options.paper_scale ? 10 : 3};
}

}  // namespace

Result<std::vector<AdversaryCourses>> PlayAllAdversaries(
    std::span<const uint64_t> ratios, const ExperimentOptions& options) {
  std::vector<AdversaryCourses> all;
  uint64_t total = 0, done = 0;
  for (const uint64_t ratio : ratios) total += ratio;
  for (const uint64_t ratio : ratios) {
    AdversaryCourses& courses = all.emplace_back();
    for (size_t f = 0; f < courses.size(); ++f) {
      TAMIS_ASSIGN_OR_RETURN(courses[f],
                             PlayAdversary(kTelescopingFilters[f].SpecFor(
                                               SetupFor(options, 1).members()),
                                           SetupFor(options, ratio)));
      options.progress((static_cast<double>(done) +
                        static_cast<double>(ratio * (f + 1)) /
                            static_cast<double>(courses.size())) /
                       static_cast<double>(total));
    }
    done += ratio;
  }
  return all;
}

void DescribeAdversary(const ExperimentOptions& options, Findings& result) {
  const AdversarySetup setup = SetupFor(options, 1);
  result.notes.push_back(fmt::format(
      "{} members in {} slots (load 0.95), 10 subrounds, {} rounds, {} runs; "
      "the papers don't say how many members theirs have",
      setup.members(), setup.slots, kAdversaryRounds, setup.runs));
  result.notes.emplace_back(
      "TAF and exAF reset full codes, as the papers' do; `TAF, refusing` is "
      "this library's default and no claim is about it");
}

std::string Emptied(const AdversaryCourse& course) {
  return fmt::format("{} of {}", course.emptied, course.runs);
}

std::string NamesWhere(std::initializer_list<size_t> except,
                       const std::function<bool(size_t)>& holds) {
  std::string names;
  for (size_t f = 0; f < kPaperFilters; ++f) {
    if (std::find(except.begin(), except.end(), f) != except.end()) continue;
    if (!holds(f)) continue;
    if (!names.empty()) names += ", ";
    names += kTelescopingFilters[f].name;
  }
  return names.empty() ? "none" : names;
}

}  // namespace tamis::tools
