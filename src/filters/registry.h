// The list of all filters: what AnyFilter can create and load.
//
// A new filter joins the command line, files and the conformance tests by one
// line here.  Several names may share a class, if its Create reads the name.
// Several classes may share a name: the first whose IsFor(spec) holds, or that
// has no IsFor, is the one for a spec.

#ifndef TAMIS_FILTERS_REGISTRY_H_
#define TAMIS_FILTERS_REGISTRY_H_

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "tamis/abf.h"
#include "tamis/adaptive_cuckoo.h"
#include "tamis/blocked_bloom.h"
#include "tamis/bloom.h"
#include "tamis/cuckoo.h"
#include "tamis/exaf.h"
#include "tamis/growing_chain.h"
#include "tamis/infini.h"
#include "tamis/rsqf.h"
#include "tamis/sacrifice.h"
#include "tamis/spec.h"
#include "tamis/taf.h"
#include "tamis/utaf.h"
#include "tamis/vacuum.h"
#include "tamis/word_bloom.h"

namespace tamis::internal {

template <typename... Entries>
struct TypeList {};

// A name, as a template argument.
template <size_t kSize>
struct FixedName {
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr FixedName(const char (&text)[kSize]) {
    std::copy_n(text, kSize, chars);
  }
  char chars[kSize];
};

template <FixedName kText, typename F>
struct Entry {
  using Type = F;
  static constexpr std::string_view kName{kText.chars};

  static bool IsFor(const Spec& spec) {
    if (spec.name() != kName) return false;
    if constexpr (requires { F::IsFor(spec); }) {
      return F::IsFor(spec);
    }
    return true;
  }
};

using Registry = TypeList<                               //
    Entry<"rsqf", Rsqf>,                                 //
    Entry<"taf", Taf>,                                   //
    Entry<"exaf", Exaf>,                                 //
    Entry<"utaf", Utaf>,                                 //
    Entry<"cuckoo", KeyedCuckooFilter>,                  //
    Entry<"cuckoo", CuckooFilter>,                       //
    Entry<"vacuum", VacuumFilter>,                       //
    Entry<"cyclic", CyclicFilter>,                       //
    Entry<"swapping", SwappingFilter>,                   //
    Entry<"cuckooing", CuckooingFilter>,                 //
    Entry<"bloom", BloomFilter>,                         //
    Entry<"bloom1", WordBloomFilter>,                    //
    Entry<"bloomj", WordBloomFilter>,                    //
    Entry<"blocked", BlockedBloomFilter>,                //
    Entry<"abf", AdaptiveBloomFilter>,                   //
    Entry<"abf-counting", CountingAdaptiveBloomFilter>,  //
    Entry<"abfj", AdaptiveBloomFilter>,                  //
    Entry<"abfbits", AdaptiveBloomFilter>,               //
    Entry<"sacrifice", Sacrifice>,                       //
    Entry<"chain-linear", GrowingChain>,                 //
    Entry<"chain", GrowingChain>,                        //
    Entry<"chain-growing", GrowingChain>,                //
    Entry<"infini", Infini>,                             //
    Entry<"infini-growing", Infini>>;

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_REGISTRY_H_
