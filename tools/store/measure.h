// Measure: the table of docs/guide/store.md, on databases that are made once.
//
//   FOLDER/grown       a store whose filter grew from 1,000 keys
//   FOLDER/grown-raw   the same before it was compacted
//   FOLDER/sized       the same with a filter made to size
//   FOLDER/bloom       plain RocksDB, Bloom at the bits of `sized` when it has
//                      learnt all it can
//   FOLDER/bloom-raw   the same before it was compacted
//   FOLDER/ribbon      plain RocksDB, Ribbon at the same bits
//   FOLDER/bloom-big   plain RocksDB, Bloom at the bits of `grown`
//   FOLDER/ordered     a store in key order
//
// A run works on copies, whose table files are hard links, so each finds the
// same state, and what a filter learnt in one does not help it in another.

#ifndef TAMIS_TOOLS_STORE_MEASURE_H_
#define TAMIS_TOOLS_STORE_MEASURE_H_

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/result.h"
#include "tools/report/findings.h"

namespace tamis::tools {

struct MeasureOptions {
  std::string folder = "tamis-measure-databases";
  uint64_t keys = 3'000'000;
  uint64_t queries = 1'000'000;
  uint64_t value_bytes = 100;
  double bits_per_key = 12.6;
  bool direct_io = false;
  std::vector<std::string> workloads;  // empty: all
  std::function<void(std::string_view what, double share)> progress;
};

// The databases of the wanted workloads.
std::set<std::string> NeededDatabases(const MeasureOptions& options);

// Makes them, but for those that are there.
Status PrepareMeasure(const MeasureOptions& options);

// The names of the workloads, in the order of the table.
std::vector<std::string> MeasureNames();

// Runs the workloads: a table of times, blocks and ratios.
Result<ResultTable> Measure(const MeasureOptions& options);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_STORE_MEASURE_H_
