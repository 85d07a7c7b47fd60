#include "tools/compare/compare_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tools/common/text_table.h"

namespace tamis::tools {
namespace {

std::string Rate(double share) {
  const double percent = 100 * share;
  const bool tiny = percent > 0 && percent < 0.001;
  return tiny ? fmt::format("{:.1e}", percent) : fmt::format("{:.4f}", percent);
}

std::string Nanoseconds(const ComparedFilter& filter,
                        double LookupTimes::*member) {
  if (!filter.times) return "-";
  return fmt::format("{:.1f}", (*filter.times).*member);
}

std::string Count(double count) { return fmt::format("{:.0f}", count); }

// Of an attack: keys that still pass, of those that did.
std::string StillPass(const ComparedFilter& filter) {
  if (!filter.attack || filter.attack->passed == 0) return "-";
  return fmt::format("{:.1f}", 100 * filter.attack->ShareStill());
}

// How many times as many false positives as could not be avoided: 1 is a filter
// that makes each mistake once.
std::string TimesUnavoidable(const ComparedFilter& filter) {
  double made = 0, unavoidable = 0;
  for (const StreamRun& run : filter.runs) {
    made += static_cast<double>(run.false_positives());
    unavoidable += run.unavoidable;
  }
  return unavoidable == 0 ? "-" : fmt::format("{:.2f}", made / unavoidable);
}

std::vector<std::string> Row(const ComparedFilter& one) {
  return {one.spec.ToString(),
          fmt::format("{:.3f}", one.TotalBitsPerKey()),
          fmt::format("{:.3f}", one.slow_bits_per_key),
          Rate(one.MeanFpr()),
          Rate(one.LowestFpr()),
          Rate(one.HighestFpr()),
          Count(one.Mean(&StreamRun::first_time)),
          Count(one.Mean(&StreamRun::repeated)),
          Count(one.Mean(&StreamRun::adapts)),
          Count(one.Mean(&StreamRun::resets)),
          Count(one.Mean(&StreamRun::rebuilds)),
          Count(one.Mean(&StreamRun::not_fixed)),
          Nanoseconds(one, &LookupTimes::one_by_one_ns),
          Nanoseconds(one, &LookupTimes::batched_ns),
          fmt::format("{:.5f}", ReadsPerQuery(one)),
          StillPass(one),
          TimesUnavoidable(one)};
}

}  // namespace

double ReadsPerQuery(const ComparedFilter& filter) {
  return filter.Mean(&StreamRun::reads) /
         static_cast<double>(filter.runs.front().queries);
}

StreamWindow StretchOf(const ComparedFilter& filter, size_t number,
                       size_t count) {
  StreamWindow sum;
  for (const StreamRun& run : filter.runs) {
    sum.Append(run.Stretch(number, count));
  }
  return sum;
}

size_t NumWindows(const Comparison& comparison) {
  return comparison.filters.front().runs.front().windows.size();
}

ResultTable FilterTable(const Comparison& comparison) {
  ResultTable table{
      .title = "Rates, mistakes and costs",
      .columns = {"filter", "bits/key", "beside", "FPR %", "low", "high",
                  "first-time", "repeated", "adapts", "resets", "rebuilds",
                  "not fixed", "ns", "ns batched", "reads/query",
                  "still pass %", "x least"},
      .rows = {}};
  for (const ComparedFilter& one : comparison.filters) {
    table.rows.push_back(Row(one));
  }
  return table;
}

ResultTable UnfitTable(const Comparison& comparison) {
  ResultTable table{.title = fmt::format("Does not fit {} bits a key in all",
                                         comparison.budget.bits_per_key),
                    .columns = {"filter", "least bits/key", "why"},
                    .rows = {}};
  for (const UnfitFilter& one : comparison.unfit) {
    table.rows.push_back({one.wanted.ToString(),
                          one.min_bits_per_key ? one.LeastBits() : "-",
                          one.reason});
  }
  return table;
}

ResultTable WholeTable(const Comparison& comparison) {
  ResultTable table = FilterTable(comparison);
  const size_t width = table.columns.size();
  table.columns.emplace_back("does not fit");
  for (auto& row : table.rows) row.emplace_back();
  for (const UnfitFilter& one : comparison.unfit) {
    auto& row = table.rows.emplace_back(width + 1);
    row.front() = one.wanted.ToString();
    row.back() = WhyUnfit(one);
  }
  return table;
}

ResultTable ShortTable(const Comparison& comparison) {
  ResultTable table{.title = "",
                    .columns = {"filter", "bits", "FPR %", "+/-", "first",
                                "repeated", "ns", "batched"},
                    .rows = {}};
  for (const ComparedFilter& one : comparison.filters) {
    table.rows.push_back(
        {one.spec.ToString(), fmt::format("{:.2f}", one.TotalBitsPerKey()),
         Rate(one.MeanFpr()),
         one.runs.size() == 1 ? "-"
                              : Rate((one.HighestFpr() - one.LowestFpr()) / 2),
         Count(one.Mean(&StreamRun::first_time)),
         Count(one.Mean(&StreamRun::repeated)),
         Nanoseconds(one, &LookupTimes::one_by_one_ns),
         Nanoseconds(one, &LookupTimes::batched_ns)});
  }
  return table;
}

std::string WhyUnfit(const UnfitFilter& filter) {
  if (!filter.min_bits_per_key) return filter.reason;
  return "needs " + filter.LeastBits() + " bits a key in all, at least";
}

ResultTable StreamTable(const Comparison& comparison, size_t stretches) {
  stretches = std::min(stretches, NumWindows(comparison));
  ResultTable table{.title = "FPR in %, by the share of the stream",
                    .columns = {"filter"},
                    .rows = {}};
  for (size_t s = 1; s <= stretches; ++s) {
    table.columns.push_back(fmt::format("{} %", 100 * s / stretches));
  }
  for (const ComparedFilter& one : comparison.filters) {
    std::vector<std::string> row = {one.spec.ToString()};
    for (size_t s = 0; s < stretches; ++s) {
      row.push_back(Rate(StretchOf(one, s, stretches).fpr()));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ResultTable WithoutZeros(ResultTable table) {
  const auto says = [](const std::string& cell) {
    return cell.find_first_of("123456789") != std::string::npos ||
           (!LooksNumeric(cell) && !cell.empty());
  };
  for (size_t i = table.columns.size(); i-- > 1;) {
    if (std::ranges::any_of(table.rows,
                            [&](const auto& row) { return says(row[i]); })) {
      continue;
    }
    const auto at = static_cast<ptrdiff_t>(i);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
  return table;
}

ResultTable Marked(ResultTable table, const std::string& winner) {
  for (size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].front() == winner) table.marked_row = i;
  }
  return table;
}

}  // namespace tamis::tools
