// How many reads each filter of the front door saves, and what memory it takes.
//
//   reads_saved [KEYS QUERIES]        20,000 and 100,000 unless given
//
// A database holds KEYS keys.  A fifth of the queries are for them; the others
// are for absent keys, of which some come again and again (Zipf's law over ten
// absent keys for each member).  A read that finds nothing is wasted, and is
// reported to the filters that learn.  All counts follow from fixed seeds: the
// full run is bench/results/front-door.txt, and the README's numbers are its.

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tamis/tamis.h"

namespace {

constexpr double kFpr = 0.001;
constexpr uint64_t kAbsentBit = uint64_t{1} << 40;

// The database: keys in the order of their hashes, so that a range of hashes is
// one read.  It takes no memory beside the database itself.
struct Database {
  tamis::Status ForEachInRange(tamis::KeyHash low, tamis::KeyHash high,
                               tamis::HashVisitor visit) const {
    auto at = std::lower_bound(hashes.begin(), hashes.end(), low);
    for (; at != hashes.end() && *at <= high; ++at) {
      if (!visit(*at)) break;
    }
    return {};
  }
  std::vector<tamis::KeyHash> hashes;  // sorted
};

// Zipf's law with exponent 1 over [0, n), by inversion of its integral.
uint64_t Zipf(uint64_t n, double uniform) {
  const double rank = std::exp(uniform * std::log(static_cast<double>(n)));
  return std::min(n - 1, static_cast<uint64_t>(rank) - 1);
}

struct Run {
  const char* name;
  tamis::Filter::Options options;
};

bool Measure(const Run& run, uint64_t keys, uint64_t queries) {
  Database database;
  tamis::Filter::Options options = run.options;
  options.fpr = kFpr;
  options.hasher = tamis::Hasher(tamis::Seed{.low = 1, .high = 1});
  const bool learns = options.adapts;
  if (learns) options.source = database;
  tamis::Result<tamis::Filter> made = tamis::Filter::Create(options);
  if (!made.ok()) {
    std::printf("%s: %s\n", run.name, made.status().ToString().c_str());
    return false;
  }
  tamis::Filter& filter = *made;
  for (uint64_t key = 0; key < keys; ++key) {
    if (!filter.Insert(key).ok()) return false;
    database.hashes.push_back(filter.Hash(key));
  }
  std::sort(database.hashes.begin(), database.hashes.end());

  std::mt19937_64 random(1);
  uint64_t members = 0, reads = 0, wasted = 0;
  for (uint64_t i = 0; i < queries; ++i) {
    const bool is_member = random() % 5 == 0;
    const double uniform = std::ldexp(static_cast<double>(random() >> 11), -53);
    const uint64_t key =
        is_member ? random() % keys : kAbsentBit + Zipf(10 * keys, uniform);
    members += is_member ? 1 : 0;
    if (!filter.MayContain(key)) {
      if (is_member) return false;
      continue;
    }
    ++reads;
    if (is_member) continue;
    ++wasted;
    if (learns && !filter.ReportFalsePositive(key).ok()) return false;
  }
  const tamis::FilterStats stats = filter.stats();
  std::printf("%-17s %-40s %9.2f %8.2f %9" PRIu64 " %9" PRIu64 " %8" PRIu64
              "\n",
              run.name, filter.spec().ToString().c_str(), stats.BitsPerKey(),
              stats.SideBitsPerKey(), queries, reads, wasted);
  return members <= reads;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t keys =
      argc == 3 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
  const uint64_t queries =
      argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 100'000;
  if (keys < 1000 || queries == 0) return 2;
  std::printf("# command: example_reads_saved %" PRIu64 " %" PRIu64 "\n", keys,
              queries);
  std::printf("# .fpr = %g; counts and bits follow from fixed seeds\n", kFpr);
  std::printf("%-17s %-40s %9s %8s %9s %9s %8s\n", "options", "chosen",
              "bits/key", "beside", "queries", "reads", "wasted");
  const Run runs[] = {
      {"none", {.keys = keys}},
      {".deletes", {.keys = keys, .deletes = true}},
      {".adapts", {.keys = keys, .adapts = true}},
      {".grows", {.keys = keys / 1000, .grows = true}},
      {".grows, .adapts", {.keys = keys / 1000, .grows = true, .adapts = true}},
  };
  for (const Run& run : runs) {
    if (!Measure(run, keys, queries)) return 1;
  }
  return 0;
}
