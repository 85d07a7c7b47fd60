#include "format/version1.h"

#include <string>

namespace tamis::internal {
namespace {

// Never to be changed.  k of the Bloom kinds is not here: it was always
// written.
constexpr Version1Default kDefaults[] = {
    {"rsqf", "r", "8"},
    {"taf", "r", "8"},
    {"taf", "overflow", "refuse"},
    {"taf", "c", "0"},
    {"taf", "members", "mirror"},
    {"exaf", "r", "8"},
    {"exaf", "overflow", "refuse"},
    {"exaf", "insert", "plain"},
    {"exaf", "rehash", "0"},
    {"exaf", "members", "mirror"},
    {"utaf", "r", "8"},
    {"utaf", "members", "mirror"},
    {"cuckoo", "f", "12"},
    {"vacuum", "f", "12"},
    {"cyclic", "f", "12"},
    {"cyclic", "s", "1"},
    {"cyclic", "k", "4"},
    {"swapping", "f", "12"},
    {"swapping", "k", "2"},
    {"swapping", "b", "4"},
    {"cuckooing", "f", "12"},
    {"cuckooing", "k", "4"},
    {"cuckooing", "b", "1"},
    {"cuckooing", "move", "random"},
    {"cuckooing", "fingerprints", "one"},
    {"cuckooing", "rebuild", "never"},
    {"bloom", "bits", "12"},
    {"bloom1", "bits", "8"},
    {"bloom1", "w", "64"},
    {"bloomj", "bits", "8"},
    {"bloomj", "j", "2"},
    {"bloomj", "w", "64"},
    {"blocked", "bits", "12"},
    {"abf", "bits", "8"},
    {"abf", "w", "64"},
    {"abf", "sets", "4"},
    {"abf", "check", "1"},
    {"abf", "decimation", "1"},
    {"abf", "detect", "1"},
    {"abf", "copies", "all"},
    {"abf-counting", "bits", "8"},
    {"abf-counting", "w", "64"},
    {"abf-counting", "sets", "4"},
    {"abf-counting", "check", "1"},
    {"abf-counting", "decimation", "1"},
    {"abf-counting", "detect", "1"},
    {"abfj", "bits", "8"},
    {"abfj", "j", "2"},
    {"abfj", "w", "64"},
    {"abfj", "sets", "4"},
    {"abfj", "check", "1"},
    {"abfj", "decimation", "1"},
    {"abfj", "detect", "1"},
    {"abfj", "copies", "all"},
    {"abfbits", "bits", "8"},
    {"abfbits", "w", "64"},
    {"abfbits", "sets", "4"},
    {"abfbits", "check", "1"},
    {"abfbits", "decimation", "1"},
    {"abfbits", "detect", "1"},
    {"abfbits", "copies", "all"},
    {"sacrifice", "f", "12"},
    {"sacrifice", "threshold", "0.8"},
    {"chain-linear", "f", "12"},
    {"chain-linear", "threshold", "0.8"},
    {"chain", "f", "12"},
    {"chain", "threshold", "0.8"},
    {"chain-growing", "f", "12"},
    {"chain-growing", "threshold", "0.8"},
    {"infini", "f", "12"},
    {"infini", "chain", "sealed"},
    {"infini", "threshold", "0.8"},
    {"infini-growing", "f", "12"},
    {"infini-growing", "chain", "sealed"},
    {"infini-growing", "threshold", "0.8"},
};

}  // namespace

std::span<const Version1Default> Version1Defaults() { return kDefaults; }

Spec WithVersion1Defaults(const Spec& spec) {
  Spec complete = spec;
  for (const Version1Default& one : kDefaults) {
    const std::string name(one.parameter);
    if (one.kind != spec.name() || spec.Has(name)) continue;
    complete.Set(name, std::string(one.value));
  }
  // With either of k and b, "cuckoo" is another filter than without.
  if (spec.name() == "cuckoo" && spec.Has("k") != spec.Has("b")) {
    complete.Set(spec.Has("k") ? "b" : "k", spec.Has("k") ? "1" : "4");
  }
  return complete;
}

}  // namespace tamis::internal
