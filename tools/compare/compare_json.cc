#include "tools/compare/compare_json.h"

#include <utility>

#include "tools/compare/compare_notes.h"
#include "tools/compare/compare_tables.h"
#include "tools/compare/family.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

Json FilterAsJson(const ComparedFilter& one) {
  Json json = {{"filter", one.spec.ToString()},
               {"wanted", one.wanted.ToString()},
               {"family", FamilyOf(one.spec)},
               {"bits_per_key", one.TotalBitsPerKey()},
               {"side_bits_per_key", one.slow_bits_per_key},
               {"learns", one.learns},
               {"fpr", one.MeanFpr()},
               {"fpr_low", one.LowestFpr()},
               {"fpr_high", one.HighestFpr()},
               {"first_time", one.Mean(&StreamRun::first_time)},
               {"repeated", one.Mean(&StreamRun::repeated)},
               {"adapts", one.Mean(&StreamRun::adapts)},
               {"resets", one.Mean(&StreamRun::resets)},
               {"rebuilds", one.Mean(&StreamRun::rebuilds)},
               {"not_fixed", one.Mean(&StreamRun::not_fixed)},
               {"reads_per_query", ReadsPerQuery(one)}};
  if (one.attack) {
    json["attack"] = {{"tried", one.attack->tried},
                      {"passed", one.attack->passed},
                      {"still_pass", one.attack->still}};
  }
  if (one.times) {
    json["ns_one_by_one"] = one.times->one_by_one_ns;
    json["ns_batched"] = one.times->batched_ns;
  }
  Json along = Json::array();
  const size_t windows = one.runs.front().windows.size();
  for (size_t w = 0; w < windows; ++w) {
    along.push_back(StretchOf(one, w, windows).fpr());
  }
  json["fpr_along_the_stream"] = std::move(along);
  return json;
}

Json UnfitAsJson(const UnfitFilter& one) {
  Json json = {{"filter", one.wanted.ToString()},
               {"min_bits_per_key", nullptr},
               {"reason", one.reason}};
  if (one.min_bits_per_key) json["min_bits_per_key"] = *one.min_bits_per_key;
  return json;
}

Json GrownAsJson(const Comparison& comparison) {
  Json all = Json::array();
  for (const GrownFilter& one : comparison.grown) {
    all.push_back({{"filter", one.spec.ToString()},
                   {"from_keys", one.from_keys},
                   {"bits_per_key", one.total_bits_per_key},
                   {"fpr", one.run.fpr()}});
  }
  return all;
}

Json ConditionsAsJson(const Recommendation& recommendation) {
  Json all = Json::array();
  for (const Condition& one : recommendation.conditions) {
    Json filter = nullptr;
    if (!one.filter.empty()) filter = one.filter;
    all.push_back({{"if", one.when}, {"filter", filter}, {"why", one.why}});
  }
  return all;
}

}  // namespace

Json AsJson(const Comparison& comparison,
            const Recommendation& recommendation) {
  Json filters = Json::array();
  for (const ComparedFilter& one : comparison.filters) {
    filters.push_back(FilterAsJson(one));
  }
  Json unfit = Json::array();
  for (const UnfitFilter& one : comparison.unfit) {
    unfit.push_back(UnfitAsJson(one));
  }
  Json chosen = nullptr;
  if (!recommendation.filter.empty()) chosen = recommendation.filter;
  return {{"budget",
           {{"keys", comparison.budget.keys},
            {"bits_per_key", comparison.budget.bits_per_key}}},
          {"keys_in", ToString(comparison.keys_in)},
          {"queries", comparison.queries},
          {"negatives", comparison.negatives},
          {"seeds", comparison.seeds},
          {"interrupted", comparison.interrupted},
          {"notes", NotesOnInput(comparison)},
          {"filters", std::move(filters)},
          {"does_not_fit", std::move(unfit)},
          {"grown", GrownAsJson(comparison)},
          {"recommendation",
           {{"filter", std::move(chosen)},
            {"reads_without", recommendation.saved.queries},
            {"reads", recommendation.saved.reads},
            {"wasted_reads", recommendation.saved.wasted},
            {"conditions", ConditionsAsJson(recommendation)},
            {"build", recommendation.build},
            {"words", recommendation.Sentences()}}}};
}

}  // namespace tamis::tools
