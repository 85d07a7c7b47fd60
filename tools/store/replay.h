// Replay: the queries of a trace, asked of plain RocksDB and of a store.

#ifndef TAMIS_TOOLS_STORE_REPLAY_H_
#define TAMIS_TOOLS_STORE_REPLAY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/result.h"
#include "tools/report/findings.h"
#include "tools/store/stopwatch.h"

namespace tamis::tools {

// Distinct keys, which of them are members, and the order of the queries.
struct Trace {
  std::vector<std::string> keys;
  std::vector<bool> is_member;
  std::vector<uint32_t> queries;

  uint64_t NumMembers() const;
};

struct ReplayOptions {
  double bits_per_key = 12.6;  // for filters, on both sides
  uint64_t value_bytes = 100;
  int stretches = 20;
  std::string folder;  // for the databases
  std::function<void(std::string_view what, double share)> progress;
};

struct ReplaySide {
  std::string name;
  double bits_per_key = 0;
  double seconds = 0;  // of all queries
  Percentiles absent;  // latencies
  Percentiles present;
  std::vector<uint64_t> wasted;  // blocks read for absent keys, by stretch
  uint64_t blocks = 0;           // for present keys

  uint64_t Wasted() const;
};

struct ReplayResult {
  uint64_t members = 0;
  uint64_t queries = 0;
  uint64_t absent_queries = 0;
  std::vector<ReplaySide> sides;
};

// kCorrupt if a side gives a wrong answer.
Result<ReplayResult> Replay(const Trace& trace, const ReplayOptions& options);

Section SectionOf(const ReplayResult& result, const ReplayOptions& options,
                  const std::string& source);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_STORE_REPLAY_H_
