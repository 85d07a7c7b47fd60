// Uniform: every key of a universe equally likely, drawn with replacement.

#ifndef TAMIS_WORKLOADS_UNIFORM_H_
#define TAMIS_WORKLOADS_UNIFORM_H_

#include <cstdint>

#include "workloads/random.h"

namespace tamis::workloads {

class UniformStream {
 public:
  struct Options {
    uint64_t seed = 1;
    uint64_t universe = 0;  // keys of the universe; 0: all 64-bit numbers
    bool scramble = true;   // keys are DistinctKey(seed, index), not indices
  };

  explicit UniformStream(const Options& options)
      : options_(options), random_(options.seed) {}

  uint64_t Next() {
    if (options_.universe == 0) return random_.Next();
    const uint64_t index = random_.Below(options_.universe);
    return options_.scramble ? DistinctKey(options_.seed, index) : index;
  }

 private:
  Options options_;
  Random random_;
};

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_UNIFORM_H_
