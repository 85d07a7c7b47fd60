// Options as they suit a store, and how bits are shared between filters.

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tamis/store_options.h"

namespace tamis {
namespace {

constexpr double kRibbonBit =
    1.05;  // bits of a Ribbon filter for half the rate

// How often RocksDB's Bloom filter of so many bits a key is wrong: each key is
// in one line of 512 bits, and some lines have more keys than others.
double BloomRate(double bits_per_key) {
  constexpr double kMostBits[] = {2.08,  3.58,  5.1,    6.64,  8.3,
                                  10.07, 11.72, 14.001, 16.05, 18.3};
  const auto* end = std::end(kMostBits);
  const double probes =
      bits_per_key > kMostBits[9]
          ? std::floor((bits_per_key - 1) * 5 / 9 + 0.5)
          : 1.0 + static_cast<double>(std::lower_bound(std::begin(kMostBits),
                                                       end, bits_per_key) -
                                      std::begin(kMostBits));
  const double keys = 512 / bits_per_key;  // of a line
  double sum = 0;
  for (const double in_line :
       {keys - std::sqrt(keys), keys + std::sqrt(keys)}) {
    sum += std::pow(1 - std::exp(-probes * in_line / 512), probes);
  }
  return sum / 2;
}

// A Ribbon filter is ordered by the bits of the Bloom filter that is wrong as
// often.
double BloomBitsFor(double ribbon_bits) {
  double low = 1;
  double high = 100;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    const bool is_less =
        -std::log2(BloomRate(middle)) * kRibbonBit < ribbon_bits;
    (is_less ? low : high) = middle;
  }
  return low;
}

// Bits a key of a filter that does not grow: a line of 512 bits holds
// floor(504 / (f + 2)) slots, at most 64, and 19 of 20 are used.
double TableBits(int fingerprint_bits) {
  constexpr double kLoad = 0.95;
  const double slots = std::floor(504.0 / (fingerprint_bits + 2));
  return 512 / std::min(slots, 64.0) / kLoad;
}

// How often both are wrong about a key that they never saw, as a power of 2.
double WrongExponent(int fingerprint_bits, double file_bits) {
  return -fingerprint_bits - file_bits / kRibbonBit;
}

// The rest of the bits, shared so that both are wrong least often together.
SizedFilters Share(uint64_t keys, double bits_per_key, double extension_bits) {
  // A smaller one behind it would cost more time than it saves.
  constexpr double kLeastFileBits = 2;
  SizedFilters best;
  best.filter.grow = false;
  best.filter.expected_keys = keys;
  best.filter.fingerprint_bits = 3;
  best.filter.extension_bits = extension_bits;
  double least = 0;
  for (int f = 3; f <= 40; ++f) {
    double rest = bits_per_key - extension_bits - TableBits(f);
    if (rest < 0) break;
    if (rest < kLeastFileBits) rest = 0;
    const double exponent = WrongExponent(f, rest);
    if (exponent >= least) continue;
    least = exponent;
    best.filter.fingerprint_bits = f;
    best.file_bits = rest;
  }
  return best;
}

}  // namespace

rocksdb::Options DefaultRocksOptions() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.optimize_filters_for_hits = true;
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

void SetFileFilters(double bits_per_key, rocksdb::Options* options) {
  const auto* table =
      options->table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  if (table == nullptr) return;  // tables of another kind
  rocksdb::BlockBasedTableOptions own = *table;
  own.filter_policy.reset(
      rocksdb::NewRibbonFilterPolicy(BloomBitsFor(bits_per_key), -1));
  own.format_version = std::max(own.format_version, 5u);
  options->table_factory.reset(rocksdb::NewBlockBasedTableFactory(own));
  options->optimize_filters_for_hits = false;
}

SizedFilters MadeToSize(uint64_t keys, double bits_per_key,
                        double absent_per_key) {
  constexpr double kLeastExtensions = 0.2;
  constexpr double kFixBits = 48;  // to remember a mistake, with some room
  const SizedFilters first = Share(keys, bits_per_key, kLeastExtensions);
  const double rate =
      std::exp2(WrongExponent(first.filter.fingerprint_bits, first.file_bits));
  const double wanted =
      std::min(absent_per_key * rate * kFixBits, bits_per_key / 8);
  if (!(wanted > kLeastExtensions)) return first;
  return Share(keys, bits_per_key, wanted);
}

}  // namespace tamis
