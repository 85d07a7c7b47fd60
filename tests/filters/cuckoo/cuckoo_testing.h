// What the tests of the cuckoo family share.

#ifndef TAMIS_TESTS_FILTERS_CUCKOO_CUCKOO_TESTING_H_
#define TAMIS_TESTS_FILTERS_CUCKOO_CUCKOO_TESTING_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/internal/filters/snapshot.h"

namespace tamis::testing {

inline Hasher SeededHasher(uint64_t seed) {
  return Hasher(Seed{.low = seed, .high = 0});
}

// A filter whose spec and size are known to be good.
inline AnyFilter MakeFilter(std::string_view spec, uint64_t slots,
                            uint64_t seed = 1) {
  return std::move(AnyFilter::Create(spec, slots, SeededHasher(seed))).value();
}

// Inserts the keys [begin, limit); returns how many went in before one failed.
inline uint64_t InsertKeys(AnyFilter& filter, uint64_t begin, uint64_t limit) {
  for (uint64_t key = begin; key < limit; ++key) {
    if (!filter.Insert(filter.hasher().Hash(key)).ok()) return key - begin;
  }
  return limit - begin;
}

// Returns a filter with keys [0, load * slots).
inline AnyFilter FilledFilter(std::string_view spec, uint64_t slots,
                              double load, uint64_t seed = 1) {
  AnyFilter filter = MakeFilter(spec, slots, seed);
  InsertKeys(filter, 0,
             static_cast<uint64_t>(load * static_cast<double>(slots)));
  return filter;
}

// Returns all of a filter's state, as one string of bytes.
inline std::string StateOf(const AnyFilter& filter) {
  const internal::Snapshot snapshot = filter.ToSnapshot();
  std::string state = snapshot.spec().ToString();
  for (const auto& [name, value] : snapshot.numbers()) {
    state += ";" + name + "=" + std::to_string(value);
  }
  for (const auto& [name, bytes] : snapshot.arrays()) {
    state += ";" + name + "=";
    state.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return state;
}

inline bool LongTestsWanted() {
  return std::getenv("TAMIS_LONG_TESTS") != nullptr;
}

// The forms of the papers, each with `f` bits of fingerprint.
inline std::vector<std::string> CuckooSpecs(int f) {
  const std::string bits = "f=" + std::to_string(f);
  return {"cuckoo:" + bits,
          "cuckoo:" + bits + ",k=4,b=1",
          "cuckoo:" + bits + ",k=2,b=4",
          "vacuum:" + bits,
          "cyclic:" + bits + ",s=1",
          "cyclic:" + bits + ",s=3",
          "swapping:" + bits,
          "cuckooing:" + bits};
}
inline std::vector<std::string> AdaptiveCuckooSpecs(int f) {
  const std::string bits = "f=" + std::to_string(f);
  return {"cyclic:" + bits + ",s=1",
          "cyclic:" + bits + ",s=2",
          "cyclic:" + bits + ",s=3",
          "swapping:" + bits,
          "cuckooing:" + bits,
          "cuckooing:" + bits + ",move=paper",
          "cuckooing:" + bits + ",move=next,fingerprints=table"};
}

// Every way in which Cuckooing moves, with every way to name a member.
inline std::vector<std::string> CuckooingSpecs(const std::string& shape) {
  std::vector<std::string> specs;
  for (const char* move : {"random", "paper", "next"}) {
    for (const char* more : {"", ",fingerprints=table", ",rebuild=auto",
                             ",fingerprints=table,rebuild=auto"}) {
      specs.push_back("cuckooing:" + shape + ",move=" + move + more);
    }
  }
  return specs;
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FILTERS_CUCKOO_CUCKOO_TESTING_H_
