// The list of experiments: the one place to add a line for a new one.

#include <array>

#include "lab/reproduce/adaptive_quotient.h"
#include "lab/reproduce/bloom_experiments.h"
#include "lab/reproduce/cuckoo_experiments.h"
#include "lab/reproduce/experiment.h"
#include "lab/reproduce/infini_figures.h"

namespace tamis::tools {

std::span<const Experiment> AllExperiments() {
  constexpr bool kTimed = true;
  // {name, source, title, function, whether it measures time}, in the order of
  // the papers.
  static constexpr auto kAll = std::to_array<Experiment>({
      {"taf-selectors", "telescoping filter, Lemma 2, Corollary 3, Theorem 4",
       "How selectors are distributed", RunTafSelectors},
      {"taf-theory", "telescoping filter, Theorem 1, Corollary 3",
       "Selectors under repeated queries, and the adaptivity game",
       RunTafTheory},
      {"taf-figure-2-active",
       "telescoping filter, Figure 2 (left); thesis, Figure 6.1",
       "FireHose's active set", RunTafFigure2Active},
      {"taf-figure-2-powerlaw",
       "telescoping filter, Figure 2 (right); thesis, Figure 6.2",
       "FireHose's power law", RunTafFigure2PowerLaw},
      {"taf-figure-3", "telescoping filter, Figure 3; thesis, Figure 6.3 (a)",
       "Network traces (stand-ins for Chicago A and B)", RunTafFigure3},
      {"taf-figure-4-trace",
       "telescoping filter, Figure 4 (left); thesis, Figure 6.3 (b)",
       "Network traces (stand-ins for San Jose)", RunTafFigure4Trace},
      {"taf-figure-4-adversary",
       "telescoping filter, Figure 4 (right); thesis, Figure 6.6",
       "An adversary's last round, by the size of its first query set",
       RunTafFigure4Adversary},
      {"taf-figure-5",
       "telescoping filter, Figure 5; thesis, Figures 6.7 and 6.8",
       "Throughput by load: inserts, and queries of the active set",
       RunTafFigure5, kTimed},
      {"thesis-figure-6-4", "adaptive quotient filter thesis, Figure 6.4",
       "An adversary round by round, Q/S = 10, 15, 20", RunThesisFigure64},
      {"thesis-figure-6-5", "adaptive quotient filter thesis, Figure 6.5",
       "An adversary round by round, Q/S = 30, 50", RunThesisFigure65},
      {"thesis-figure-6-9", "adaptive quotient filter thesis, Figure 6.9",
       "Throughput by load: queries of the power law", RunThesisFigure69,
       kTimed},
      {"taf-adversary", "adaptive quotient filter thesis, 6.2.3",
       "An adversary that repeats false positives", RunTafAdversary},
      {"taf-policies", "adaptive quotient filter thesis, 7.2",
       "What to forget when a code is full", RunTafPolicies},
      {"bloom-figure-4", "ABF paper, Figure 4",
       "Equal frequencies, N = 8 M, against equation (10)", RunBloomFigure4},
      {"bloom-figure-5", "ABF paper, Figure 5",
       "Equal frequencies, N = 12 M, against equation (10)", RunBloomFigure5},
      {"bloom-figure-7", "ABF paper, Figure 7",
       "Rate over k on flow traces, N = 8 M", RunBloomFigure7},
      {"bloom-figure-8", "ABF paper, Figure 8",
       "Rate over k on flow traces, N = 12 M", RunBloomFigure8},
      {"bloom-figure-9", "ABF paper, Figure 9",
       "Rate over k on flow traces, N = 16 M", RunBloomFigure9},
      {"bloom-figure-10", "ABF paper, Figure 10",
       "Adapting once in 5 false positives", RunBloomFigure10},
      {"bloom-table-2", "ABF paper, Table II",
       "Reductions over Bloom-1 on flow traces", RunBloomTable2},
      {"bloom-check", "ABF paper, section V", "What checking the new set adds",
       RunBloomCheck},
      {"bloom-forms", "ABF paper, section VI",
       "Adaptive Bloom-j and bit array at equal memory", RunBloomForms},
      {"bloom-adversary", "ABF paper; ours",
       "ABF against an adversary that repeats false positives",
       RunBloomAdversary},
      {"acf-support-ratio", "ACF paper, Theorem 1",
       "How many false positives could have been avoided", RunSupportRatio},
      {"acf-support", "ACF paper, Theorem 1",
       "One query repeated n times, Cuckooing", RunCuckooSupport},
      {"acf-small-sets", "ACF paper, section 3",
       "Small query sets that Cyclic and Swapping can't fix",
       RunCuckooSmallSets},
      {"acf-figure-1", "ACF paper, Figures 1 to 4",
       "Six filters on a skewed trace", RunCuckooTrace},
      {"acf-zipf", "ACF paper, section 4, at 12.63 bits a key",
       "Zipf(1.0) queries, A/S = 10", RunCuckooZipf},
      {"acf-theorem-9", "ACF paper, Theorems 9 and 10",
       "The adversary that repeats one query", RunCuckooRepeated},
      {"acf-theorem-12", "ACF paper, Theorem 12",
       "The adversary with mutually unfixable sets", RunCuckooUnfixable},
      {"infini-figure-1", "InfiniFilter paper, Figure 1",
       "What chaining and fingerprint sacrifice cost as data grows",
       RunInfiniFigure1, kTimed},
      {"infini-tables-2-3", "InfiniFilter paper, Tables 2 and 3",
       "How the cost of every way to grow scales", RunInfiniTables, kTimed},
      {"infini-figure-13", "InfiniFilter paper, Figure 13",
       "InfiniFilter against chaining and sacrifice, F = 12 and 4",
       RunInfiniFigure13, kTimed},
      {"infini-figure-14", "InfiniFilter paper, Figure 14",
       "Rejuvenation by queries for existing keys", RunInfiniFigure14, kTimed},
      {"infini-figure-15", "InfiniFilter paper, Figure 15",
       "Fingerprints that grow with the data", RunInfiniFigure15, kTimed},
      {"infini-figure-16", "InfiniFilter paper, Figure 16",
       "Growing against filters allocated in advance", RunInfiniFigure16,
       kTimed},
      {"infini-speed", "ours",
       "The costs of growth against a quotient filter of fixed size",
       RunInfiniSpeed, kTimed},
  });
  return kAll;
}

}  // namespace tamis::tools
