// Figure 16 of the InfiniFilter paper: a filter that grows against filters
// allocated in advance for the largest size, at 16 bits a key.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lab/reproduce/growth_run.h"
#include "lab/reproduce/infini_figures.h"
#include "lab/reproduce/judge.h"
#include "tools/common/cpu_time.h"

namespace tamis::tools {
namespace {

using Point = GrowthCharts::Point;

// Grows by a fifth again and again, so that several points lie between two
// doublings, and measures after each step.
Result<std::vector<Point>> RunInSteps(std::string_view spec, uint64_t slots,
                                      const GrowthOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         GrowthFilter(spec, slots, options.seed));
  const std::vector<KeyHash> absent =
      GrowthHashes(filter, options.seed, kAbsent, options.queries);
  std::vector<Point> points;
  uint64_t keys = 0;
  for (uint64_t limit = 2048; keys < options.max_keys;
       limit = std::min(limit + limit / 5, options.max_keys)) {
    const std::vector<KeyHash> more =
        GrowthHashes(filter, options.seed, keys, limit - keys);
    Status status;
    const double insert_ns = NanosecondsPer(
        more.size(), [&] { status = InsertPlainly(filter, more); });
    TAMIS_RETURN_IF_ERROR(status);
    keys = limit;
    // The first reads of memory that was never touched are the system's.
    KeepValue(filter.CountEach(absent));
    uint64_t found = 0;
    const double query_ns = NanosecondsPer(
        absent.size(), [&] { found = filter.CountEach(absent); });
    points.push_back(
        {.keys = static_cast<double>(keys),
         .query_ns = query_ns,
         .insert_ns = insert_ns,
         .fpr = static_cast<double>(found) / static_cast<double>(absent.size()),
         .bits_per_key = filter.stats().BitsPerKey()});
  }
  return points;
}

void AddPoints(std::string_view spec, const std::vector<Point>& points,
               GrowthCharts& charts, Findings& result) {
  ResultTable table;
  table.title = spec;
  table.columns = {"keys", "bits per key", "FPR", "query ns", "insert ns"};
  for (const Point& one : points) {
    table.rows.push_back({fmt::format("{:.0f}", one.keys),
                          fmt::format("{:.2f}", one.bits_per_key),
                          fmt::format("{:.6f}", one.fpr),
                          fmt::format("{:.1f}", one.query_ns),
                          fmt::format("{:.1f}", one.insert_ns)});
  }
  result.tables.push_back(std::move(table));
  charts.Add(std::string(spec), points);
}

// The filters of Figure 16, in this order.
enum Static : size_t { kGrown, kQuotient, kBloom, kCuckoo };
constexpr std::array<std::string_view, 4> kStaticSpecs = {
    "infini-growing:f=12", "rsqf:r=13", "bloom:bits=16,k=11", "cuckoo:f=16"};
using Lines = std::array<std::vector<Point>, kStaticSpecs.size()>;

// Says which filter has the least (sign 1) or the most (-1) at the beginning or
// the end.
size_t Extreme(const Lines& lines, double Point::*what, bool at_end, int sign) {
  size_t best = kGrown;
  const auto value = [&](size_t i) {
    const Point& point = at_end ? lines[i].back() : lines[i].front();
    return sign * point.*what;
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    if (value(i) < value(best)) best = i;
  }
  return best;
}

// Who has the least (sign 1) or the most (-1) is as expected, or as good.
void JudgeExtreme(std::string text, Said paper, size_t expected,
                  const Lines& lines, double Point::*what, bool at_end,
                  int sign, Findings& result) {
  const auto value = [&](size_t i) {
    return at_end ? lines[i].back().*what : lines[i].front().*what;
  };
  const size_t found = Extreme(lines, what, at_end, sign);
  result.claims.push_back(
      {std::move(text),
       std::move(paper),
       fmt::format("{}, {:.3g}; {} has {:.3g}", kStaticSpecs[found],
                   value(found), kStaticSpecs[expected], value(expected)),
       {std::string(kStaticSpecs[expected]), Limit::From::kPaper},
       value(found) == value(expected)});
}

// Lines by a value of their first points, the least first.
std::string OrderAtFirst(const Lines& lines, double Point::*what) {
  std::array<size_t, kStaticSpecs.size()> order = {kGrown, kQuotient, kBloom,
                                                   kCuckoo};
  std::ranges::stable_sort(order, {},
                           [&](size_t i) { return lines[i].front().*what; });
  std::string text;
  for (const size_t i : order) {
    text += fmt::format("{}{} {:.1f}", text.empty() ? "" : ", ",
                        kStaticSpecs[i], lines[i].front().*what);
  }
  return text;
}

double Change(const std::vector<Point>& line, double Point::*what) {
  return line.back().*what / line.front().*what;
}

// The same since a quarter of the keys: the first inserts wait for the system's
// memory.
double LaterChange(const std::vector<Point>& line, double Point::*what) {
  const auto quarter = std::ranges::find_if(line, [&](const Point& point) {
    return 4 * point.keys >= line.back().keys;
  });
  return line.back().*what / (*quarter).*what;
}

void JudgeLatency(const Lines& lines, Findings& result) {
  JudgeExtreme(
      "who has the fastest queries at first",
      {"InfiniFilter is initially the fastest baseline", "5, Figure 16 (B)"},
      kGrown, lines, &Point::query_ns, false, 1, result);
  const double quotient = lines[kQuotient].front().query_ns;
  result.claims.push_back(
      {"queries at first: the static quotient filter second, Bloom third",
       {"initially the second fastest baseline [...]; Bloom filter is "
        "initially the third slowest baseline",
        "5, Figure 16 (B)"},
       OrderAtFirst(lines, &Point::query_ns) + " ns",
       {"InfiniFilter, quotient, Bloom", Limit::From::kPaper},
       lines[kGrown].front().query_ns <= quotient &&
           quotient <= lines[kBloom].front().query_ns});
  const double doubled = Change(lines[kBloom], &Point::query_ns);
  result.claims.push_back(Judged(
      "a Bloom filter's latency as it fills",
      {"latency approximately doubles as the data size grows",
       "5, Figure 16 (B)"},
      fmt::format("{:.2f}x", doubled), doubled, {.low = 1.5, .high = 2.5}));
  const double stable = Change(lines[kCuckoo], &Point::query_ns);
  result.claims.push_back(Judged(
      "a cuckoo filter's latency as it fills",
      {"exhibits stable performance across the experiment", "5, Figure 16 (B)"},
      fmt::format("{:.2f}x", stable), stable, {.low = 0.8, .high = 1.25}));
  const double slower = Change(lines[kQuotient], &Point::query_ns);
  result.claims.push_back(
      Judged("the static quotient filter's latency as it fills",
             {"cluster lengths grow and query performance deteriorates",
              "5, Figure 16 (B)"},
             fmt::format("{:.2f}x", slower), slower, {.low = 1.1}));
}

// So many queries are asked at each point that a rate of 1e-4 has some 100 hits
// in a quick run: limits are three deviations of such counts.
void JudgeRates(const Lines& lines, uint64_t queries, Findings& result) {
  JudgeExtreme("whose rate is the lowest at first",
               {"the false positive rate with a Bloom filter is initially "
                "lowest",
                "5, Figure 16 (C)"},
               kBloom, lines, &Point::fpr, false, 1, result);
  JudgeExtreme("whose rate is the highest in the end",
               {"its false positive rate exceeds all other baselines",
                "5, Figure 16 (C), of Bloom"},
               kBloom, lines, &Point::fpr, true, -1, result);
  const auto hits = [&](const Point& point) {
    return point.fpr * static_cast<double>(queries);
  };
  for (const size_t i : {kQuotient, kCuckoo}) {
    const Point& last = lines[i].back();
    const Point& half = lines[i][lines[i].size() - 5];
    const double expected = hits(last) * half.keys / last.keys;
    const double off = (hits(half) - expected) / std::sqrt(2 * expected + 1);
    result.claims.push_back(
        {fmt::format("{}: the rate grows in proportion to the entries",
                     kStaticSpecs[i]),
         {"grows in proportion to the number of entries", "5, Figure 16 (C)"},
         fmt::format("{:.2e} with {:.2f} of the keys, {:.2e} with all: {:+.1f} "
                     "standard deviations off",
                     half.fpr, half.keys / last.keys, last.fpr, off),
         {"3 standard deviations", Limit::From::kStatistics},
         std::abs(off) <= 3});
  }
  const double ours = lines[kGrown].back().fpr;
  double least = 1, most = 0;
  for (const size_t i : {kQuotient, kBloom, kCuckoo}) {
    least = std::min(least, lines[i].back().fpr);
    most = std::max(most, lines[i].back().fpr);
  }
  result.claims.push_back(Judged(
      "InfiniFilter's rate in the end against those of the others, the lowest "
      "to the highest",
      {"on par with the other baselines' ultimate false positive rate",
       "5, Figure 16 (C)"},
      fmt::format("{:.2e}; others {:.2e} to {:.2e}", ours, least, most), ours,
      {.low = least / 1.5, .high = most * 1.5}, ""));
}

// The geometric mean, over all points, of a's inserts divided by b's.
double MeanInserts(const Lines& lines, size_t a, size_t b) {
  double sum = 0;
  for (size_t i = 0; i < lines[a].size(); ++i) {
    sum += std::log(lines[a][i].insert_ns / lines[b][i].insert_ns);
  }
  return std::exp(sum / static_cast<double>(lines[a].size()));
}

void JudgeInserts(const Lines& lines, Findings& result) {
  JudgeExtreme("who has the slowest inserts in the end",
               {"the Bloom filter exhibits the slowest insertion speed",
                "5, Figure 16 (D)"},
               kBloom, lines, &Point::insert_ns, true, -1, result);
  const double similar = MeanInserts(lines, kCuckoo, kQuotient);
  result.claims.push_back(
      Judged("inserts of the cuckoo filter against the quotient filter's",
             {"The cuckoo and Quotient filters exhibit similar performance "
              "across the board",
              "5, Figure 16 (D)"},
             fmt::format("{:.2f}x on average", similar), similar,
             {.low = 0.67, .high = 1.5}));
  for (const size_t i : {kQuotient, kCuckoo}) {
    const double slower = LaterChange(lines[i], &Point::insert_ns);
    result.claims.push_back(
        Judged(fmt::format("{}: inserts in the end against a quarter full",
                           kStaticSpecs[i]),
               {"their performance deteriorates as the data grows",
                "5, Figure 16 (D)"},
               fmt::format("{:.2f}x", slower), slower, {.low = 1.1}));
  }
  const auto [low, high] =
      std::ranges::minmax(lines[kGrown], {}, &Point::insert_ns);
  const double swing = high.insert_ns / low.insert_ns;
  result.claims.push_back(
      Judged("InfiniFilter's inserts between and at expansions",
             {"exhibits fluctuating insertion performance due to its expansion "
              "operations",
              "5, Figure 16 (D)"},
             fmt::format("{:.1f} to {:.1f} ns, {:.1f}x", low.insert_ns,
                         high.insert_ns, swing),
             swing, {.low = 1.5}));
  const double toll = MeanInserts(lines, kGrown, kQuotient);
  result.claims.push_back(Judged(
      "InfiniFilter's inserts against the static quotient filter's",
      {"exhibits slightly slower insertion throughout", "5, Figure 16 (D)"},
      fmt::format("{:.2f}x on average", toll), toll, {.low = 1, .high = 2}));
}

}  // namespace

Result<Findings> RunInfiniFigure16(const ExperimentOptions& options) {
  Findings result;
  GrowthOptions growth = GrowthOptionsFor(options);
  growth.queries = std::max<uint64_t>(growth.queries, 1'000'000);
  const uint64_t slots = growth.max_keys + growth.max_keys / 16;
  GrowthCharts charts("16 bits a key");
  Lines lines;
  for (size_t i = 0; i < kStaticSpecs.size(); ++i) {
    TAMIS_ASSIGN_OR_RETURN(
        lines[i],
        RunInSteps(kStaticSpecs[i], i == kGrown ? 1024 : slots, growth));
    AddPoints(kStaticSpecs[i], lines[i], charts, result);
    options.progress(static_cast<double>(i + 1) / kStaticSpecs.size());
  }
  for (size_t i = kQuotient; i < kStaticSpecs.size(); ++i) {
    const double ours = lines[kGrown].front().bits_per_key;
    const double theirs = lines[i].front().bits_per_key;
    result.claims.push_back(
        {fmt::format("the growing filter needs less memory at first than {}",
                     kStaticSpecs[i]),
         {"requires less memory upfront", "5, Figure 16 (A)"},
         fmt::format("{:.1f} against {:.0f} bits per key", ours, theirs),
         {"less at first", Limit::From::kPaper},
         ours < theirs});
  }
  JudgeLatency(lines, result);
  JudgeRates(lines, growth.queries, result);
  JudgeInserts(lines, result);
  charts.MoveTo(result);
  result.notes.emplace_back(
      "inserts one by one; several points between two doublings");
  return result;
}

}  // namespace tamis::tools
