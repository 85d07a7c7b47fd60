#include "tools/store/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>

#include "tools/store/side.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

using Clock = std::chrono::steady_clock;

void Tell(const ReplayOptions& options, std::string_view what, double share) {
  if (options.progress) options.progress(what, share);
}

Status Load(const Trace& trace, const ReplayOptions& options, Side& side) {
  workloads::Random random(1);
  std::string value(options.value_bytes, '\0');
  for (size_t i = 0; i < trace.keys.size(); ++i) {
    if (!trace.is_member[i]) continue;
    for (char& byte : value) byte = static_cast<char>(random.Next());
    TAMIS_RETURN_IF_ERROR(side.Put(trace.keys[i], value));
    if (i % 65536 == 0) {
      Tell(options, side.name() + ": loads",
           static_cast<double>(i) / static_cast<double>(trace.keys.size()));
    }
  }
  Tell(options, side.name() + ": compacts", 1);
  return side.CompactAll();
}

Status Ask(const Trace& trace, const ReplayOptions& options, Side& side,
           ReplaySide* result) {
  std::vector<uint32_t> absent;
  std::vector<uint32_t> present;
  const size_t n = trace.queries.size();
  const auto stretches = static_cast<size_t>(options.stretches);
  result->wasted.assign(stretches, 0);
  CountBlocks();
  const auto begin = Clock::now();
  auto last = begin;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t key = trace.queries[i];
    rocksdb::PinnableSlice value;
    const uint64_t before = BlocksRead();
    TAMIS_ASSIGN_OR_RETURN(const bool found, side.Get(trace.keys[key], &value));
    const uint64_t blocks = BlocksRead() - before;
    const auto now = Clock::now();
    const auto took = static_cast<uint32_t>((now - last).count());
    last = now;
    if (found != trace.is_member[key]) {
      return {StatusCode::kCorrupt, fmt::format("{}: a wrong answer to '{}'",
                                                side.name(), trace.keys[key])};
    }
    (found ? present : absent).push_back(took);
    if (found) {
      result->blocks += blocks;
    } else {
      result->wasted[i * stretches / n] += blocks;
    }
    if (i % 65536 == 0) {
      Tell(options, side.name() + ": asks",
           static_cast<double>(i) / static_cast<double>(n));
      last = Clock::now();
    }
  }
  result->seconds = SecondsSince(begin);
  result->absent = PercentilesOf(absent);
  result->present = PercentilesOf(present);
  return {};
}

Result<ReplaySide> RunSide(const Trace& trace, const ReplayOptions& options,
                           std::unique_ptr<Side> side) {
  ReplaySide result;
  result.name = side->name();
  TAMIS_RETURN_IF_ERROR(Load(trace, options, *side));
  TAMIS_RETURN_IF_ERROR(Ask(trace, options, *side, &result));
  // After it: with all that was learnt.
  result.bits_per_key = 8.0 * static_cast<double>(side->FilterBytes()) /
                        static_cast<double>(trace.NumMembers());
  TAMIS_RETURN_IF_ERROR(side->Close());
  return result;
}

std::string Micro(double value) { return fmt::format("{:.2f}", value); }

ResultTable SideTable(const ReplayResult& result) {
  ResultTable table;
  table.title = "The same queries";
  table.columns = {"side",          "filter bits/key", "wasted blocks",
                   "last tenth",    "queries/s",       "absent p50 us",
                   "absent p99 us", "absent p99.9 us", "present p50 us",
                   "present p99 us"};
  for (const ReplaySide& side : result.sides) {
    const size_t tenth = std::max<size_t>(1, side.wasted.size() / 10);
    const uint64_t late =
        std::accumulate(side.wasted.end() - static_cast<ptrdiff_t>(tenth),
                        side.wasted.end(), uint64_t{0});
    table.rows.push_back(
        {side.name, fmt::format("{:.2f}", side.bits_per_key),
         std::to_string(side.Wasted()), std::to_string(late),
         fmt::format("{:.0f}",
                     static_cast<double>(result.queries) / side.seconds),
         Micro(side.absent.p50), Micro(side.absent.p99),
         Micro(side.absent.p999), Micro(side.present.p50),
         Micro(side.present.p99)});
  }
  return table;
}

Chart WastedChart(const ReplayResult& result) {
  Chart chart;
  chart.title = "Blocks read for keys that are not there";
  chart.x_label = "queries";
  chart.y_label = "blocks a thousand queries";
  chart.log_y = true;
  for (const ReplaySide& side : result.sides) {
    ChartSeries series{side.name, {}};
    const double each = static_cast<double>(result.queries) /
                        static_cast<double>(side.wasted.size());
    for (size_t i = 0; i < side.wasted.size(); ++i) {
      const double y = 1000.0 * static_cast<double>(side.wasted[i]) / each;
      series.points.push_back({static_cast<double>(i + 1) * each, y, y, y});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

uint64_t Trace::NumMembers() const {
  return static_cast<uint64_t>(
      std::count(is_member.begin(), is_member.end(), true));
}

uint64_t ReplaySide::Wasted() const {
  return std::accumulate(wasted.begin(), wasted.end(), uint64_t{0});
}

Result<ReplayResult> Replay(const Trace& trace, const ReplayOptions& options) {
  ReplayResult result;
  result.members = trace.NumMembers();
  result.queries = trace.queries.size();
  for (const uint32_t key : trace.queries) {
    if (!trace.is_member[key]) ++result.absent_queries;
  }
  if (result.members == 0 || result.queries == 0) {
    return Status(StatusCode::kInvalidArgument,
                  "a replay needs members and queries");
  }
  SideOptions side;
  side.cache_bytes = std::max<uint64_t>(
      result.members * (options.value_bytes + 32) / 10, uint64_t{1} << 16);
  const auto fresh = [&](const std::string& name) {
    side.path = (std::filesystem::path(options.folder) / name).string();
    std::error_code ignored;
    std::filesystem::remove_all(side.path, ignored);
  };
  fresh("tamis");
  StoreForm form;
  const SizedFilters sized =
      MadeToSize(result.members, options.bits_per_key,
                 static_cast<double>(trace.keys.size() - result.members) /
                     static_cast<double>(result.members));
  form.filter = sized.filter;
  form.file_bits = sized.file_bits;
  TAMIS_ASSIGN_OR_RETURN(auto store, OpenStoreSide(side, form));
  TAMIS_ASSIGN_OR_RETURN(ReplaySide ours,
                         RunSide(trace, options, std::move(store)));
  for (const auto kind : {PlainForm::Kind::kBloom, PlainForm::Kind::kRibbon}) {
    fresh(kind == PlainForm::Kind::kBloom ? "bloom" : "ribbon");
    TAMIS_ASSIGN_OR_RETURN(auto plain,
                           OpenPlain(side, {kind, ours.bits_per_key}));
    TAMIS_ASSIGN_OR_RETURN(ReplaySide other,
                           RunSide(trace, options, std::move(plain)));
    result.sides.push_back(std::move(other));
  }
  result.sides.push_back(std::move(ours));
  return result;
}

Section SectionOf(const ReplayResult& result, const ReplayOptions& options,
                  const std::string& source) {
  Section section;
  section.name = "store-replay";
  section.source = source;
  section.title = "A store before plain RocksDB";
  section.findings.tables.push_back(SideTable(result));
  section.findings.charts.push_back(WastedChart(result));
  section.findings.notes = {
      fmt::format("{} members, {} queries, {} of them for absent keys; values "
                  "of {} bytes; block cache a tenth of the data.",
                  result.members, result.queries, result.absent_queries,
                  options.value_bytes),
      "All sides are flushed and compacted into one run, without compression; "
      "indexes and filters are always in memory; files are in the page cache.",
      "Filter bits count everything: our filter, with all that it has learnt, "
      "and those of the files."};
  return section;
}

}  // namespace tamis::tools
