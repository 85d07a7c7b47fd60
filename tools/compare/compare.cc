#include "tools/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "tamis/kind.h"
#include "tools/common/cpu_time.h"
#include "tools/common/interrupt.h"
#include "tools/compare/forms.h"
#include "tools/compare/parallel.h"

namespace tamis::tools {
namespace {

// A filter with one choice of what it left open.
struct Variant {
  size_t filter;  // of CompareOptions::filters
  Choice choice;
  ComparedFilter result;
  std::optional<AnyFilter> kept;  // for timing, after the first seed
  Status status;                  // kFull: its members found no room
};

// Counts the queries of keys that are not in the set.
uint64_t CountNegatives(const QueryStream& stream) {
  return static_cast<uint64_t>(std::ranges::count_if(
      stream.queries, [&](uint32_t key) { return !stream.member[key]; }));
}

class Work {
 public:
  Work(const QueryStream& stream, const CompareOptions& options,
       Progress& progress)
      : stream_(stream),
        options_(options),
        progress_(progress),
        budget_{stream.num_members, options.bits_per_key},
        negatives_(CountNegatives(stream)) {}

  Status CheckInput() const {
    TAMIS_RETURN_IF_ERROR(CheckBits(options_.bits_per_key));
    if (stream_.num_members == 0) {
      return {StatusCode::kNotFound,
              "there are no keys in the set to compare filters of"};
    }
    if (stream_.queries.empty()) {
      return {StatusCode::kNotFound,
              "there are no queries to compare filters by"};
    }
    if (negatives_ != 0) return {};
    return {StatusCode::kNotFound,
            "all queries are of keys in the set; a filter errs on others "
            "alone"};
  }

  Status FitAll() {
    for (size_t i = 0; i < options_.filters.size(); ++i) {
      if (InterruptRequested()) {
        not_run_ = options_.filters.size() - i;
        break;
      }
      progress_.Report("chooses parameters",
                       static_cast<double>(i) /
                           static_cast<double>(options_.filters.size()));
      TAMIS_RETURN_IF_ERROR(Fit(i));
    }
    return {};
  }

  Status RunAll() {
    runs_ = variants_.size() + (options_.seeds - 1) * CountFilters();
    ReportRuns();
    TAMIS_RETURN_IF_ERROR(RunSeed(0));
    KeepBestVariants();
    for (uint64_t i = 1; i < options_.seeds && !InterruptRequested(); ++i) {
      TAMIS_RETURN_IF_ERROR(RunSeed(i));
    }
    for (const Variant& one : variants_) {
      if (!one.status.ok()) NoteFull(one);
    }
    return {};
  }

  void TimeAll() {
    std::vector<const AnyFilter*> filters;
    for (const Variant& one : variants_) filters.push_back(&*one.kept);
    if (filters.empty()) return;
    std::vector<LookupTimes> times;
    // A thread of its own, so that pinning it binds nothing that comes later.
    std::thread([&] {
      (void)PinToCore();
      times = TimeLookups(filters, sample_, progress_);
    }).join();
    for (size_t i = 0; i < times.size(); ++i) {
      variants_[i].result.times = times[i];
    }
  }

  // What else decides, under the first seed: growing, and being attacked.
  Status TryConditions() {
    const HashedStream hashed(stream_, options_.first_seed);
    for (const Spec& wanted : options_.filters) {
      if (InterruptRequested()) return {};
      if (!MayGrow(wanted)) continue;
      progress_.Report("grows filters", 0);
      TAMIS_ASSIGN_OR_RETURN(
          auto grown, RunGrown(wanted, budget_, hashed, options_.keys_in));
      if (grown && grown->run.queries == stream_.queries.size()) {
        grown_.push_back(*std::move(grown));
      }
    }
    return ForEachInParallel(
        variants_.size(), options_.jobs,
        [&](size_t i) { return AttackVariant(variants_[i], hashed); },
        [&](size_t i) {
          progress_.Report(
              "attacks filters",
              static_cast<double>(i) / static_cast<double>(variants_.size()));
        });
  }

  Comparison Finish() {
    const uint64_t seeds = KeepCommonSeeds();
    Comparison comparison{.budget = budget_,
                          .keys_in = options_.keys_in,
                          .queries = stream_.queries.size(),
                          .negatives = negatives_,
                          .different_keys = stream_.keys.size(),
                          .first_seed = options_.first_seed,
                          .seeds = seeds,
                          .wanted_seeds = options_.seeds,
                          .interrupted = InterruptRequested(),
                          .not_run = not_run_,
                          .filters = {},
                          .unfit = std::move(unfit_),
                          .grown = std::move(grown_)};
    for (Variant& one : variants_) {
      comparison.filters.push_back(std::move(one.result));
    }
    std::stable_sort(comparison.filters.begin(), comparison.filters.end(),
                     [](const ComparedFilter& a, const ComparedFilter& b) {
                       return a.MeanFpr() < b.MeanFpr();
                     });
    return comparison;
  }

 private:
  Status Fit(size_t index) {
    const Spec& wanted = options_.filters[index];
    const size_t before = variants_.size();
    UnfitFilter unfit{wanted, std::nullopt, ""};
    for (const Spec& spec : WithShares(wanted, options_.keys_in)) {
      TAMIS_ASSIGN_OR_RETURN(const auto fit,
                             FitComparable(spec, budget_, options_.keys_in));
      if (fit.choice) {
        variants_.push_back({index, *fit.choice,
                             ComparedFilter{.wanted = wanted,
                                            .spec = fit.choice->spec,
                                            .capabilities = {},
                                            .runs = {},
                                            .times = {},
                                            .attack = {}},
                             std::nullopt, Status()});
      } else if (!fit.other_reason.empty()) {
        unfit.reason = fit.other_reason;
      } else if (!unfit.min_bits_per_key ||
                 fit.min_bits_per_key < *unfit.min_bits_per_key) {
        unfit.wanted = spec;  // of the shares, the one that needs least
        unfit.min_bits_per_key = fit.min_bits_per_key;
      }
    }
    if (variants_.size() > before) return {};
    if (unfit.min_bits_per_key) unfit.reason = "too large";
    unfit_.push_back(std::move(unfit));
    return {};
  }

  Status RunSeed(uint64_t number) {
    const HashedStream hashed(stream_, options_.first_seed + number);
    if (number == 0 && options_.timings) sample_ = TimingSample(hashed);
    return ForEachInParallel(
        variants_.size(), options_.jobs,
        [&](size_t i) { return RunVariant(variants_[i], hashed, number); },
        [&](size_t) {
          ++runs_done_;
          ReportRuns();
        });
  }

  void ReportRuns() {
    const uint64_t queries = stream_.queries.size();
    progress_.ReportCount("runs the stream", runs_done_ * queries,
                          runs_ * queries);
  }

  // The filters that some variant of fits.
  uint64_t CountFilters() const {
    uint64_t count = 0;
    for (size_t i = 0; i < variants_.size(); ++i) {
      count += i == 0 || variants_[i].filter != variants_[i - 1].filter ? 1 : 0;
    }
    return count;
  }

  Status RunVariant(Variant& variant, const HashedStream& hashed,
                    uint64_t number) const {
    if (InterruptRequested()) return {};
    Result<AnyFilter> filter =
        MakeFilled(variant.choice, budget_, hashed.members, hashed.hasher,
                   options_.keys_in);
    if (filter.status().code() == StatusCode::kFull) {
      variant.status = filter.status();
      return {};
    }
    TAMIS_RETURN_IF_ERROR(filter.status());
    TAMIS_ASSIGN_OR_RETURN(StreamRun run,
                           RunStream(*filter, hashed, options_.keys_in));
    if (run.queries < stream_.queries.size()) return {};  // interrupted
    const FilterStats stats = filter->stats();
    if (number == 0 && options_.keys_in != KeysIn::kUncounted &&
        !Allows(budget_, stats.size_bits + stats.side_bits)) {
      variant.status = {
          StatusCode::kFull,
          fmt::format("takes {:.2f} bits a key once it has learnt",
                      stats.BitsPerKey() + stats.SideBitsPerKey())};
      return {};
    }
    ComparedFilter& result = variant.result;
    result.runs.push_back(std::move(run));
    result.spec = filter->spec();
    result.capabilities = filter->capabilities();
    result.learns = CanLearn(*filter, options_.keys_in);
    result.reads_to_learn = result.learns && AsksCaller(*filter);
    result.bits_per_key = std::max(result.bits_per_key, stats.BitsPerKey());
    result.slow_bits_per_key =
        std::max(result.slow_bits_per_key, stats.SideBitsPerKey());
    if (number == 0) variant.kept = std::move(filter).value();
    return {};
  }

  static bool MayGrow(const Spec& wanted) {
    const Result<const Kind*> kind = FindKind(wanted);
    return kind.ok() && (*kind)->capabilities.expand && !(*kind)->baseline;
  }

  Status AttackVariant(Variant& variant, const HashedStream& hashed) const {
    if (InterruptRequested() || !variant.kept || !variant.result.learns) {
      return {};
    }
    TAMIS_ASSIGN_OR_RETURN(variant.result.attack,
                           Attack(*variant.kept, hashed, options_.keys_in));
    return {};
  }

  // Leaves one variant of each filter, and none of those that have not run.
  void KeepBestVariants() {
    std::vector<Variant> kept;
    for (Variant& one : variants_) {
      const bool same = !kept.empty() && kept.back().filter == one.filter;
      if (!same) {
        kept.push_back(std::move(one));
      } else if (IsBetter(one, kept.back())) {
        kept.back() = std::move(one);
      }
    }
    for (const Variant& one : kept) {
      if (!one.result.runs.empty()) continue;
      if (one.status.ok()) {
        ++not_run_;
      } else {
        NoteFull(one);
      }
    }
    std::erase_if(kept,
                  [](const Variant& one) { return one.result.runs.empty(); });
    variants_ = std::move(kept);
  }
  static bool IsBetter(const Variant& one, const Variant& other) {
    if (one.result.runs.empty()) return false;
    return other.result.runs.empty() ||
           one.result.MeanFpr() < other.result.MeanFpr();
  }

  // Takes back the runs that an interrupt kept other filters from, so that all
  // are judged by the same seeds; returns how many there are.
  uint64_t KeepCommonSeeds() {
    uint64_t common = options_.seeds;
    for (const Variant& one : variants_) {
      if (!one.status.ok()) continue;
      common = std::min<uint64_t>(common, one.result.runs.size());
    }
    for (Variant& one : variants_) {
      auto& runs = one.result.runs;
      runs.resize(std::min<uint64_t>(common, runs.size()));
    }
    return common;
  }
  void NoteFull(const Variant& variant) {
    unfit_.push_back({variant.result.wanted, std::nullopt,
                      std::string(variant.status.message())});
  }

  const QueryStream& stream_;
  const CompareOptions& options_;
  Progress& progress_;
  const Budget budget_;
  const uint64_t negatives_;
  std::vector<Variant> variants_;
  std::vector<UnfitFilter> unfit_;
  std::vector<GrownFilter> grown_;
  uint64_t runs_ = 0;            // of a variant under a seed, wanted
  uint64_t runs_done_ = 0;       // of these
  uint64_t not_run_ = 0;         // under the first seed, for an interrupt
  std::vector<KeyHash> sample_;  // what is timed, under the first seed
};

}  // namespace

std::string UnfitFilter::LeastBits() const {
  return fmt::format("{:.2f}", std::ceil(100 * *min_bits_per_key) / 100);
}

double ComparedFilter::MeanFpr() const {
  double sum = 0;
  for (const StreamRun& run : runs) sum += run.fpr();
  return sum / static_cast<double>(runs.size());
}

double ComparedFilter::LowestFpr() const {
  double lowest = 1;
  for (const StreamRun& run : runs) lowest = std::min(lowest, run.fpr());
  return lowest;
}

double ComparedFilter::HighestFpr() const {
  double highest = 0;
  for (const StreamRun& run : runs) highest = std::max(highest, run.fpr());
  return highest;
}

double ComparedFilter::Mean(uint64_t StreamRun::*count) const {
  double sum = 0;
  for (const StreamRun& run : runs) sum += static_cast<double>(run.*count);
  return sum / static_cast<double>(runs.size());
}

std::vector<Spec> AllSpecs() {
  std::vector<Spec> specs;
  for (const std::string_view form : AllForms()) {
    specs.push_back(Spec::Parse(form).value());
  }
  return specs;
}

Result<Comparison> Compare(const QueryStream& stream,
                           const CompareOptions& options, Progress& progress) {
  Work work(stream, options, progress);
  TAMIS_RETURN_IF_ERROR(work.CheckInput());
  TAMIS_RETURN_IF_ERROR(work.FitAll());
  TAMIS_RETURN_IF_ERROR(work.RunAll());
  if (options.timings && !InterruptRequested()) work.TimeAll();
  TAMIS_RETURN_IF_ERROR(work.TryConditions());
  progress.Clear();
  return work.Finish();
}

}  // namespace tamis::tools
