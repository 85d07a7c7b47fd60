// Figures 1, 13 and 15 and Tables 2 and 3 of the InfiniFilter paper: filters
// that grow from 2^10 slots, measured before each doubling.

#include "lab/reproduce/infini_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "filters/growing/infini_math.h"
#include "lab/reproduce/growth_run.h"
#include "lab/reproduce/judge.h"
#include "tamis/internal/filters/growing/chain_screen.h"
#include "tamis/internal/filters/growing/generations.h"
#include "tamis/internal/table/line_shape.h"

namespace tamis::tools {
namespace {

constexpr double kThreshold = 0.8;
// Below this many slots the few lines of a table's tail show.
constexpr uint64_t kLargeTable = uint64_t{1} << 17;

// An InfiniFilter's line in a figure, and what is expected of it.
struct InfiniLine {
  InfiniMath math;
  bool growing;
  uint64_t first_homes;

  std::string Spec() const {
    return fmt::format("{}:f={}", growing ? "infini-growing" : "infini",
                       math.first_bits);
  }
  int Bits(int generation) const {
    return growing ? math.GrowingBits(generation) : math.first_bits;
  }
  double Fpr(int doublings) const {
    return growing ? math.GrowingFpr(doublings) : math.ChainedFpr(doublings);
  }
  double PaperFpr(int doublings) const {
    return growing ? math.PaperGrowingMatches(doublings)
                   : math.ChainedMatches(std::ldexp(1.0, doublings));
  }
  double PaperBits(int doublings) const {
    return growing ? math.PaperGrowingBitsPerKey(std::ldexp(1.0, doublings))
                   : math.PaperBitsPerKey();
  }
  // The variance of one set's rate, by the chance that prefixes coincide: two
  // of one generation, covering a share l each of cells of size p, overlap by
  // l^2 / 2 with variance l^2 p / 2; of two, by the size of the smaller ones.
  double SetVariance(int doublings) const {
    double variance = 0;
    double older = 0;
    for (int g = 0; g <= doublings; ++g) {
      const double cell =
          std::ldexp(1.0 / static_cast<double>(first_homes), -g - Bits(g));
      const double share =
          std::ldexp(math.threshold, -Bits(g)) * (g == 0 ? 1 : 0.5);
      variance += share * cell * (share / 2 + older);
      older += share;
    }
    const double none = 1 - Fpr(doublings);
    return variance * none * none;
  }
  // 512 / S bits a slot of the active table, and of each of the chain, which
  // begin with generation g and are sealed when that one is void; and the
  // chain's screen.
  double BitsPerKey(int doublings) const {
    double lines = LineShare(doublings);
    int oldest = 0;
    while (oldest + Bits(oldest) < doublings) {
      int newest = oldest;
      while (newest - oldest < Bits(oldest) &&
             newest + 1 + Bits(newest + 1) < doublings) {
        ++newest;
      }
      lines += LineShare(newest);
      oldest = newest + 1;
    }
    const double screen =
        oldest == 0 ? 0
                    : ScreenBits(oldest - 1) / static_cast<double>(first_homes);
    return (lines + screen) / (math.threshold * std::ldexp(1.0, doublings));
  }

 private:
  // Bits of the screen of a chain that holds all keys up to a generation.
  double ScreenBits(int generation) const {
    const internal::Generations plan = {first_homes, math.first_bits, growing};
    const auto entries = static_cast<uint64_t>(
        math.threshold * static_cast<double>(plan.Homes(generation)));
    return static_cast<double>(
        plan.Homes(internal::ChainScreen::CellGeneration(plan, entries)));
  }
  // Bits of a table of a generation, per slot of the first.
  double LineShare(int generation) const {
    return std::ldexp(512.0 / internal::SlotsPerLine(Bits(generation) + 1),
                      generation);
  }
};

// The paper's own formulas: equation (5), a bound, and (10), which it prints
// with half of generation 0's weight.
void JudgePaperFormula(const InfiniLine& line, const GrowthRun& run,
                       Findings& result) {
  double worst = 0;
  for (const GrowthPhase& phase : run.phases) {
    worst = std::max(worst, phase.Fpr() / line.PaperFpr(phase.number));
  }
  const Said said = line.growing
                        ? Said{"equation (10), as printed",
                               "4.3; an erratum: "
                               "generation 0 has half its weight there"}
                        : Said{"equation (5)", "4.1"};
  result.claims.push_back(Judged(
      line.Spec() + ": the rate against the paper's formula", said,
      fmt::format("{:.2f}x of it at most", worst), worst, {.high = 1.05}));
}

// Section 4.3 says that the sum of (10) stays below 2^-F a.
void JudgeBound(const InfiniLine& line, const GrowthRun& run,
                Findings& result) {
  const double bound = std::ldexp(line.math.threshold, -line.math.first_bits);
  double worst = 0;
  for (const GrowthPhase& phase : run.phases) {
    worst = std::max(worst, phase.Fpr() / bound);
  }
  const auto error =
      3 / std::sqrt(bound * static_cast<double>(run.phases.back().queries));
  result.claims.push_back(
      Judged(line.Spec() + ": the rate against the bound 2^-F a",
             {"2^(-F-1) a pi^2/6, below about 2^-F a",
              "4.3, the end of equation (10); the same erratum"},
             fmt::format("{:.2f}x of it at most (right would be 1.32x in the "
                         "limit)",
                         worst),
             worst, {.high = 1 + error, .from = Limit::From::kStatistics}));
}

void JudgeFpr(const InfiniLine& line, const GrowthRun& run, Findings& result) {
  ResultTable table;
  table.title =
      fmt::format("{}: rate and space against the formulas", line.Spec());
  table.columns = {
      "doublings",   "FPR",      "formula",         "deviations",
      "paper's FPR", "bits/key", "512/S/a + chain", "relative error",
      "paper's bits"};
  double worst = 0;
  double worst_bits = 0;
  double worst_bits_small = 0;
  for (const GrowthPhase& phase : run.phases) {
    const int x = phase.number;
    const double off = phase.DeviationsFrom(line.Fpr(x), line.SetVariance(x));
    const double bits_off = phase.bits_per_key / line.BitsPerKey(x) - 1;
    worst = std::max(worst, std::abs(off));
    double& worst_here =
        line.first_homes << x >= kLargeTable ? worst_bits : worst_bits_small;
    worst_here = std::max(worst_here, std::abs(bits_off));
    table.rows.push_back(
        {fmt::format("{}", x), fmt::format("{:.6f}", phase.Fpr()),
         fmt::format("{:.6f}", line.Fpr(x)), fmt::format("{:+.2f}", off),
         fmt::format("{:.6f}", line.PaperFpr(x)),
         fmt::format("{:.3f}", phase.bits_per_key),
         fmt::format("{:.3f}", line.BitsPerKey(x)),
         fmt::format("{:+.4f}", bits_off),
         fmt::format("{:.2f}", line.PaperBits(x))});
  }
  result.tables.push_back(std::move(table));
  result.claims.push_back(
      {fmt::format("{}: the rate is that of our formula at every doubling",
                   line.Spec()),
       {},
       fmt::format("{:.2f} standard deviations off at most", worst),
       {"4 standard deviations", Limit::From::kStatistics},
       worst <= 4});
  JudgePaperFormula(line, run, result);
  if (line.growing) JudgeBound(line, run, result);
  result.claims.push_back(
      {fmt::format("{}: bits per key are 512/S/a and the chain, from 2^17 "
                   "slots on (below, the tail adds {:.1f} %)",
                   line.Spec(), 100 * worst_bits_small),
       {},
       fmt::format("{:.2f} % off at most", 100 * worst_bits),
       {"1 %"},
       worst_bits <= 0.01});
}

Result<GrowthRun> AddRun(std::string_view spec, const GrowthOptions& growth,
                         Findings& result) {
  TAMIS_ASSIGN_OR_RETURN(GrowthRun run, RunGrowth(spec, growth));
  AddPhases(run, result);
  return run;
}

Result<GrowthRun> AddInfini(int bits, bool growing, const GrowthOptions& growth,
                            Findings& result) {
  const InfiniLine line = {{bits, kThreshold}, growing, growth.start_slots};
  TAMIS_ASSIGN_OR_RETURN(GrowthRun run, AddRun(line.Spec(), growth, result));
  JudgeFpr(line, run, result);
  return run;
}

// Fingerprint sacrifice doubles its rate and stops after F doublings.
void JudgeSacrifice(int bits, const GrowthRun& run, Findings& result) {
  const InfiniMath math = {bits, kThreshold};
  double worst = 0;
  for (const GrowthPhase& phase : run.phases) {
    const double formula = math.SacrificeFpr(phase.number);
    // All prefixes are equally long; see SetVariance.
    const double set_variance =
        std::pow(formula, 3) / (2 * static_cast<double>(phase.keys));
    worst =
        std::max(worst, std::abs(phase.DeviationsFrom(formula, set_variance)));
  }
  const GrowthPhase& last = run.phases.back();
  result.claims.push_back(
      {fmt::format("sacrifice:f={}: the rate doubles with the data, to {:.4f} "
                   "after {} doublings",
                   bits, last.Fpr(), last.number),
       {"the false positive rate doubles in each phase of the experiment",
        "5, Figure 13 (B)"},
       fmt::format("{:.2f} standard deviations off the formula", worst),
       {"4 standard deviations", Limit::From::kStatistics},
       worst <= 4});
  const double first_bits = run.phases.front().bits_per_key;
  result.claims.push_back(
      {fmt::format("sacrifice:f={}: memory falls as fingerprints shrink", bits),
       {"decreasing memory overheads as all fingerprints shrink by one bit "
        "after each expansion",
        "5, Figure 13 (C)"},
       fmt::format("{:.2f} to {:.2f} bits a key", first_bits,
                   last.bits_per_key),
       {"less at the end", Limit::From::kPaper},
       last.bits_per_key < first_bits});
  if (!run.end.empty()) {
    result.claims.push_back(
        {fmt::format("sacrifice:f={}: stops after F doublings", bits),
         {"only supports 13 expansions until its fingerprints run out of bits",
          "5, of 13 bits"},
         fmt::format("{}", last.number),
         {fmt::format("{}", bits), Limit::From::kPaper},
         last.number == bits});
  }
}

void JudgeAgainstChain(const GrowthRun& infini, const GrowthRun& chain,
                       Findings& result) {
  const GrowthPhase& ours = infini.phases.back();
  const GrowthPhase& theirs = chain.phases.back();
  result.claims.push_back(Judged(
      fmt::format("{}: look-ups faster than {}", infini.spec, chain.spec),
      {"InfiniFilter supports >10x faster queries", "5, of Figure 13"},
      fmt::format("{:.1f} against {:.1f} ns: {:.1f}x", ours.query_ns,
                  theirs.query_ns, theirs.query_ns / ours.query_ns),
      theirs.query_ns / ours.query_ns,
      {.low = 10, .from = Limit::From::kPaper}));
  result.claims.push_back(
      Judged(fmt::format("{}: inserts against those of {}, by plain Insert",
                         infini.spec, chain.spec),
             {"in exchange for about 2x slower insertions", "5, of Figure 13"},
             fmt::format("{:.1f} against {:.1f} ns: {:.2f}x", ours.insert_ns,
                         theirs.insert_ns, ours.insert_ns / theirs.insert_ns),
             ours.insert_ns / theirs.insert_ns, {.low = 1.5, .high = 2.5}));
}

// Figure 13 (A) and (C): what stays as it is while the data grows.
void JudgeStability(const std::array<const GrowthRun*, 3>& runs,
                    Findings& result) {
  const auto& [infini, chain, sacrifice] = runs;
  for (const GrowthRun* run : {infini, chain}) {
    const double change =
        run->phases.back().bits_per_key / run->phases[3].bits_per_key;
    result.claims.push_back(Judged(
        run->spec + ": memory a key since doubling 3",
        {"InfiniFilter and the Geometric Chaining method exhibit a "
         "stable memory footprint",
         "5, Figure 13 (C)"},
        fmt::format("{:.2f}x", change), change, {.low = 0.9, .high = 1.1}));
  }
  const double slower =
      sacrifice->phases.back().query_ns / sacrifice->phases[0].query_ns;
  result.claims.push_back(
      Judged(sacrifice->spec + ": query cost from the first phase to the last",
             {"The Bit Sacrifice method exhibits stable performance but "
              "cannot expand indefinitely",
              "5, Figure 13 (A)"},
             fmt::format("{:.2f}x", slower), slower, {.low = 0.5, .high = 2}));
}

void AddCharts(const std::string& what,
               std::initializer_list<const GrowthRun*> runs, Findings& result) {
  GrowthCharts charts(what);
  for (const GrowthRun* run : runs) charts.Add(*run);
  charts.MoveTo(result);
}

// Figure 13 (E) to (H), of slots of 8 bits.
void JudgeSlightlyHigher(const GrowthRun& infini, const GrowthRun& chain,
                         Findings& result) {
  const double rate = infini.phases.back().Fpr() / chain.phases.back().Fpr();
  result.claims.push_back(Judged(
      infini.spec + ": its rate against that of " + chain.spec,
      {"a slightly higher false positive rate than Geometric Chaining because "
       "it employs some of its memory for unary counters",
       "5, Figure 13 (E) to (H)"},
      fmt::format("{:.2f}x", rate), rate, {.low = 1, .high = 1.5}));
}

// One half of Figure 13: slots that begin with `bits` + 4 bits in the paper.
Status AddFigure13(int bits, const GrowthOptions& growth, Findings& result) {
  TAMIS_ASSIGN_OR_RETURN(const GrowthRun fixed,
                         AddInfini(bits, false, growth, result));
  TAMIS_ASSIGN_OR_RETURN(const GrowthRun growing,
                         AddInfini(bits, true, growth, result));
  TAMIS_ASSIGN_OR_RETURN(
      const GrowthRun sacrifice,
      AddRun(fmt::format("sacrifice:f={}", bits + 1), growth, result));
  TAMIS_ASSIGN_OR_RETURN(
      const GrowthRun chain,
      AddRun(fmt::format("chain:f={}", bits + 1), growth, result));
  JudgeSacrifice(bits + 1, sacrifice, result);
  JudgeAgainstChain(fixed, chain, result);
  JudgeStability({&fixed, &chain, &sacrifice}, result);
  if (bits == 4) JudgeSlightlyHigher(fixed, chain, result);
  AddCharts(fmt::format("F = {}", bits), {&fixed, &growing, &sacrifice, &chain},
            result);
  return {};
}

}  // namespace

Result<Findings> RunInfiniFigure1(const ExperimentOptions& options) {
  Findings result;
  const GrowthOptions growth = GrowthOptionsFor(options);
  TAMIS_ASSIGN_OR_RETURN(const GrowthRun chain,
                         AddRun("chain:f=13", growth, result));
  options.progress(0.5);
  TAMIS_ASSIGN_OR_RETURN(const GrowthRun sacrifice,
                         AddRun("sacrifice:f=13", growth, result));
  AddCharts("Growing from 2^10 slots", {&chain, &sacrifice}, result);
  JudgeSacrifice(13, sacrifice, result);
  const double slower =
      chain.phases.back().query_ns / chain.phases.front().query_ns;
  result.claims.push_back(Judged(
      "chain:f=13: query cost grows with every doubling",
      {"exhibits a rapidly deteriorating query cost", "caption of Figure 13"},
      fmt::format("{:.1f}x", slower), slower, {.low = 4}));
  return result;
}

Result<Findings> RunInfiniFigure13(const ExperimentOptions& options) {
  Findings result;
  const GrowthOptions growth = GrowthOptionsFor(options);
  TAMIS_RETURN_IF_ERROR(AddFigure13(12, growth, result));
  options.progress(0.5);
  TAMIS_RETURN_IF_ERROR(AddFigure13(4, growth, result));
  result.notes.push_back(
      "F = 12 and 4: the paper's slots of 16 and 8 bits count three metadata "
      "bits and one of the age counter; baselines have that one more");
  return result;
}

Result<Findings> RunInfiniFigure15(const ExperimentOptions& options) {
  Findings result;
  const GrowthOptions growth = GrowthOptionsFor(options);
  TAMIS_ASSIGN_OR_RETURN(const GrowthRun fixed,
                         AddInfini(4, false, growth, result));
  TAMIS_ASSIGN_OR_RETURN(const GrowthRun growing,
                         AddInfini(4, true, growth, result));
  options.progress(0.6);
  TAMIS_ASSIGN_OR_RETURN(const GrowthRun chain,
                         AddRun("chain-growing:f=5", growth, result));
  AddCharts("F = 4", {&fixed, &growing, &chain}, result);
  const auto last = [](const GrowthRun& run) { return run.phases.back(); };
  const double later = last(growing).Fpr() / growing.phases[5].Fpr();
  result.claims.push_back(Judged(
      "growing: the false positive rate is stable",
      {"completely stabilizes the false positive rate", "5, Figure 15 (A)"},
      fmt::format("{:.3f}x since doubling 5", later), later,
      {.low = 0.9, .high = 1.1}));
  const double more = last(growing).bits_per_key / last(fixed).bits_per_key;
  result.claims.push_back(
      Judged("growing: memory rises slowly, against fixed fingerprints",
             {"a slowly increasing memory footprint", "5, Figure 15 (B)"},
             fmt::format("{:.2f} to {:.2f} bits per key, {:.2f}x at the end",
                         growing.phases.front().bits_per_key,
                         last(growing).bits_per_key, more),
             more, {.low = 1, .high = 2.5}));
  result.claims.push_back(
      {"growing: queries beat the chain with growing memory",
       {"it is non-competitive in terms of its query cost", "5, Figure 15 (C)"},
       fmt::format("{:.1f} against {:.1f} ns", last(growing).query_ns,
                   last(chain).query_ns),
       {"faster", Limit::From::kPaper},
       last(growing).query_ns < last(chain).query_ns});
  return result;
}

}  // namespace tamis::tools
