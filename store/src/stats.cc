#include <rocksdb/statistics.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "store/src/core.h"
#include "tamis/store_stats.h"

namespace tamis {
namespace {

struct NamedCount {
  const char* name;
  uint64_t StoreCounters::*value;
};
constexpr NamedCount kNames[] = {
    {"gets", &StoreCounters::gets},
    {"hits", &StoreCounters::hits},
    {"true_negatives", &StoreCounters::true_negatives},
    {"false_positives", &StoreCounters::false_positives},
    {"repeated_false_positives", &StoreCounters::repeated_false_positives},
    {"denied_by_files", &StoreCounters::denied_by_files},
    {"bypassed", &StoreCounters::bypassed},
    {"fixes", &StoreCounters::fixes},
    {"not_fixed", &StoreCounters::not_fixed},
    {"stale", &StoreCounters::stale},
    {"long_intervals", &StoreCounters::long_intervals},
    {"members_read", &StoreCounters::members_read},
    {"ghosts_removed", &StoreCounters::ghosts_removed},
    {"puts", &StoreCounters::puts},
    {"new_keys", &StoreCounters::new_keys},
    {"deletes", &StoreCounters::deletes},
    {"failed_commits", &StoreCounters::failed_commits},
    {"page_saves", &StoreCounters::page_saves},
    {"failed_page_saves", &StoreCounters::failed_page_saves},
    {"rejuvenated", &StoreCounters::rejuvenated},
    {"rebuilds", &StoreCounters::rebuilds},
    {"replayed", &StoreCounters::replayed},
};
static_assert(sizeof(StoreCounters) == std::size(kNames) * sizeof(uint64_t),
              "a counter that is not printed");

std::string Number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string Line(const std::string& name, const std::string& value) {
  constexpr size_t kWidth = 26;
  return name + std::string(kWidth - std::min(kWidth - 1, name.size()), ' ') +
         value + '\n';
}

// A JSON string; what is no plain ASCII becomes an escape, byte by byte.
std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (c < ' ' || c > '~') {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string StoreStats::ToText() const {
  std::string out;
  for (const NamedCount& one : kNames) {
    out += Line(one.name, std::to_string(counters.*one.value));
  }
  out += Line("journal_records", std::to_string(journal_records));
  out += Line("data_blocks_read", std::to_string(data_blocks_read));
  for (const Family& family : families) {
    out += "family " + family.name + '\n';
    out += Line("  keys", std::to_string(family.keys));
    out += Line("  filter_bytes", std::to_string(family.filter_bytes));
    out += Line("  bits_per_key", Number(family.bits_per_key));
    out += Line("  expected_fpr", Number(family.expected_fpr));
    out += Line("  forced_maybes", std::to_string(family.forced_maybes));
    out += Line("  forgotten", std::to_string(family.forgotten));
  }
  if (!last_background_error.empty()) {
    out += Line("last_background_error", last_background_error);
  }
  return out;
}

std::string StoreStats::ToJson() const {
  std::string out = "{";
  for (const NamedCount& one : kNames) {
    out += Quoted(one.name) + ":" + std::to_string(counters.*one.value) + ",";
  }
  out += "\"journal_records\":" + std::to_string(journal_records);
  out += ",\"data_blocks_read\":" + std::to_string(data_blocks_read);
  out += ",\"last_background_error\":" + Quoted(last_background_error);
  out += ",\"families\":[";
  for (size_t i = 0; i < families.size(); ++i) {
    const Family& family = families[i];
    out += std::string(i == 0 ? "" : ",") + "{\"name\":" + Quoted(family.name);
    out += ",\"keys\":" + std::to_string(family.keys);
    out += ",\"filter_bytes\":" + std::to_string(family.filter_bytes);
    out += ",\"bits_per_key\":" + Number(family.bits_per_key);
    out += ",\"expected_fpr\":" + Number(family.expected_fpr);
    out += ",\"forced_maybes\":" + std::to_string(family.forced_maybes);
    out += ",\"forgotten\":" + std::to_string(family.forgotten) + "}";
  }
  return out + "]}";
}

namespace internal {

StoreCounters Counters::Read() const {
  StoreCounters counters;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    counters.*kNames[i].value = Sum(static_cast<Count>(i));
  }
  counters.gets += counters.true_negatives;
  return counters;
}
static_assert(std::size(kNames) == static_cast<size_t>(Count::kNumCounts),
              "kNames are in the order of Count");

StoreStats StoreCore::Stats() const {
  StoreStats stats;
  stats.counters = counters_.Read();
  for (const auto& family : families_) {
    const FilterStats filter = family->filter().stats();
    StoreStats::Family one;
    one.name = family->data()->GetName();
    one.keys = filter.size;
    one.filter_bytes = filter.size_bits / 8;
    one.bits_per_key = filter.BitsPerKey();
    one.expected_fpr = filter.expected_fpr;
    one.forced_maybes = family->filter().num_forced_maybes();
    for (const auto& [name, value] : filter.details) {
      if (name == "forgotten") one.forgotten = static_cast<uint64_t>(value);
    }
    stats.families.push_back(std::move(one));
  }
  stats.journal_records =
      journal_->next() - std::max<uint64_t>(journal_->begin(), 1);
  if (options_.rocksdb.statistics != nullptr) {
    stats.data_blocks_read = options_.rocksdb.statistics->getTickerCount(
        rocksdb::BLOCK_CACHE_DATA_MISS);
  }
  stats.last_background_error = background_.last_error();
  return stats;
}

}  // namespace internal
}  // namespace tamis
