// KeyStream: any stream of integer keys, made by name at run time.
//
//   auto stream = MakeStream("zipf:exponent=1.1,universe=1000000,seed=7");
//   std::vector<uint64_t> keys(1'000'000);
//   (*stream)->Fill(keys);
//
// The name and its parameters are a Spec, as those of filters are, and say all
// there is to say: equal specs give equal keys, everywhere.
//
//   name                parameters (default)
//   firehose-active     seed (678912345), exponent (-0.5)     firehose.h
//   firehose-powerlaw   seed (678912345)                      firehose.h
//   zipf                seed (1), exponent (1), universe (1000000),
//                       scramble (yes)                        zipf.h
//   uniform             seed (1), universe (0: all), scramble (yes)
//                                                             uniform.h
//   flows               seed (1), tail (1), duration (16384)  flows.h
//   distinct            seed (1): all keys distinct           random.h
//   replay              file, format (by extension)           key_reader.h
//
// A replayed file that holds no integers gives the first 64 bits of the hash of
// each key (XXH3, seed 0).
//
// Where the kind is known when compiling, use its own class: each has a plain
// `uint64_t Next()`.  Operations rather than keys are in growth.h.
//
// Thread safety: one object, one thread.

#ifndef TAMIS_WORKLOADS_KEY_STREAM_H_
#define TAMIS_WORKLOADS_KEY_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::workloads {

class KeyStream {
 public:
  virtual ~KeyStream() = default;

  // Writes the next keys into `keys`, from the front, and returns how many.
  // Fewer than asked only from a stream with an end (replay): at its end, or
  // at an error, which status() then tells.
  virtual size_t Fill(std::span<uint64_t> keys) = 0;
  virtual Status status() const { return {}; }
};

struct StreamKind {
  std::string_view name;
  std::string_view parameters;  // the names it takes, for people
  std::string_view summary;     // one line
};
// All kinds, in the order of the table above.
std::span<const StreamKind> StreamKinds();

// Makes the stream that `spec` names; kInvalidArgument says what it got and
// what it takes.
Result<std::unique_ptr<KeyStream>> MakeStream(const Spec& spec);
Result<std::unique_ptr<KeyStream>> MakeStream(std::string_view spec);

// Returns the first `count` keys of that stream.  kInvalidArgument if it ends
// before.
Result<std::vector<uint64_t>> TakeKeys(std::string_view spec, uint64_t count);

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_KEY_STREAM_H_
