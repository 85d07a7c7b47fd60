#include "tools/compare/compare_notes.h"

#include <fmt/format.h>

#include "tools/common/counted.h"
#include "tools/compare/noise.h"

namespace tamis::tools {
namespace {

constexpr const char* kBitsNote =
    "bits/key: all memory of the process, measured, with what lies beside the "
    "filter; at most 1 % above the budget";
constexpr const char* kReadsNote =
    "reads/query: a read of the key store for each positive answer, true or "
    "false, and one for each mistake that a filter learns from with members "
    "from the store; a mirror in RAM is no read";
constexpr const char* kGrowingNote =
    "a growing filter is compared at the size it has with all keys; what one "
    "that began small is worth is among the conditions";
constexpr const char* kCachedNote =
    "cached: 2, 5, 10 and 20 % of the memory for the cache were tried under "
    "the first seed; the best is shown";
constexpr const char* kAttackNote =
    "still pass: an attacker keeps the keys that get past a filter, of 40 "
    "tries for each member, and asks for them again; so many still pass in the "
    "fourth round";

std::string NoteOnKeys(const Comparison& comparison) {
  return comparison.keys_in == KeysIn::kRam
             ? "keys in RAM: all memory of the process counts, also that "
               "beside "
               "the filters (--keys-in store: a database sorted by hash has "
               "them)"
             : "keys in a store sorted by hash: filters that can take members "
               "from it keep nothing beside, and read it once more for each "
               "mistake (--keys-in ram: all memory counts)";
}

// Says what an interrupt has left out.
std::string Interrupted(const Comparison& comparison) {
  const size_t run = comparison.filters.size();
  if (comparison.not_run > 0) {
    return fmt::format(
        "interrupted: {} of {} filters have been run, under the first seed",
        run, run + comparison.not_run);
  }
  if (comparison.seeds < comparison.wanted_seeds) {
    return fmt::format(
        "interrupted: filters have been run under {} of {} seeds",
        comparison.seeds, comparison.wanted_seeds);
  }
  return "interrupted: look-ups have not been timed";
}

// Says what makes these queries a poor measure, if something does.
std::vector<std::string> Warnings(const Comparison& comparison) {
  std::vector<std::string> warnings;
  if (comparison.interrupted) warnings.push_back(Interrupted(comparison));
  if (comparison.negatives == comparison.queries) {
    warnings.emplace_back(
        "no query is of a key in the set; if that is a surprise, keys and "
        "queries may be written differently");
  }
  if (comparison.filters.empty()) return warnings;
  const ComparedFilter& best = comparison.filters.front();
  const auto mistakes = static_cast<uint64_t>(WholeStream(best).mistakes);
  const size_t runs = best.runs.size();
  if (mistakes < kFewMistakes * runs) {
    warnings.push_back(fmt::format(
        "the stream is short for rates so low: {} makes {} in {}, and one is "
        "{:.2g} % of a run's queries of absent keys; only differences of many "
        "times that mean something",
        best.spec.ToString(),
        mistakes == 0 ? "no mistake" : Counted(mistakes, "mistake"),
        runs == 1 ? "it" : fmt::format("{} runs", runs),
        100 / static_cast<double>(comparison.negatives)));
  }
  return warnings;
}

}  // namespace

std::string NoteOnSeeds(const Comparison& comparison) {
  return comparison.seeds == 1
             ? "counted under one seed of the hashes"
             : fmt::format("means over {} seeds of the hashes",
                           comparison.seeds);
}

std::vector<std::string> NotesOnInput(const Comparison& comparison) {
  std::vector<std::string> notes = Warnings(comparison);
  notes.push_back(fmt::format(
      "{} in the set, {}, {} of them of absent keys; {} in all",
      Counted(comparison.budget.keys, "key"),
      Counted(comparison.queries, "query", "queries"), comparison.negatives,
      Counted(comparison.different_keys, "different key")));
  notes.push_back(NoteOnKeys(comparison));
  return notes;
}

std::vector<std::string> NotesOnMeasuring(const Comparison& comparison) {
  std::vector<std::string> notes = {fmt::format(
      "{}; the first seed is {}; low and high are the lowest and highest rates",
      NoteOnSeeds(comparison), comparison.first_seed)};
  notes.insert(notes.end(),
               {kBitsNote, kReadsNote, kGrowingNote, kCachedNote, kAttackNote});
  return notes;
}

}  // namespace tamis::tools
