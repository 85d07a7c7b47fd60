// The rows: every kind of filter, once.

#include <algorithm>
#include <string>
#include <vector>

#include "filters/bloom/parameters.h"
#include "filters/cached/parameters.h"
#include "filters/cuckoo/parameters.h"
#include "filters/fuse/parameters.h"
#include "filters/growing/chain.h"
#include "filters/growing/parameters.h"
#include "filters/growing/sacrifice.h"
#include "filters/inner_spec.h"
#include "filters/quotient/parameters.h"
#include "filters/quotient/utaf.h"
#include "filters/tamis/parameters.h"
#include "tamis/abf.h"
#include "tamis/adaptive_cuckoo.h"
#include "tamis/blocked_bloom.h"
#include "tamis/bloom.h"
#include "tamis/cached.h"
#include "tamis/concurrent_tamis.h"
#include "tamis/cuckoo.h"
#include "tamis/exaf.h"
#include "tamis/fuse.h"
#include "tamis/infini.h"
#include "tamis/internal/base/nearest_name.h"
#include "tamis/kind.h"
#include "tamis/rsqf.h"
#include "tamis/sharded_tamis.h"
#include "tamis/taf.h"
#include "tamis/tamis_filter.h"
#include "tamis/vacuum.h"
#include "tamis/word_bloom.h"

namespace tamis {
namespace {

using internal::WordParameters;

// Keys a slot: where inserts are still fast, and what cuckoo tables hold at
// every size.
constexpr double kQuotientLoad = 0.95;
constexpr double kCuckooLoad = 0.955;
constexpr uint64_t kCuckooSpare = 32;

constexpr std::string_view kCopiesBeside = "for its copies";
constexpr std::string_view kDuplicatesBeside = "for its duplicates";

constexpr std::string_view kComparedCaches =
    "cached(rsqf) cached(rsqf):policy=clock cached(rsqf):policy=topk "
    "cached(cuckoo) cached(bloom) cached(bloom):policy=topk cached(blocked) "
    "cached(fuse)";

struct Paper {
  std::string_view title;
  std::string_view doi;
  std::string_view family;  // of the filters that follow it
};
constexpr Paper kCqf = {
    "Pandey et al., A General-Purpose Counting Filter, SIGMOD 2017",
    "10.1145/3035918.3035963", "quotient"};
constexpr Paper kTelescoping = {
    "Lee et al., Telescoping Filter: A Practical Adaptive Filter, ESA 2021",
    "10.4230/LIPIcs.ESA.2021.60", "telescoping"};
constexpr Paper kCuckoo = {
    "Fan et al., Cuckoo Filter: Practically Better Than Bloom, CoNEXT 2014",
    "10.1145/2674005.2674994", "cuckoo"};
constexpr Paper kVacuum = {"Wang et al., Vacuum Filters, PVLDB 13(2), 2019",
                           "10.14778/3364324.3364333", "cuckoo"};
constexpr Paper kCyclic = {
    "Mitzenmacher et al., Adaptive Cuckoo Filters, JEA 25, 2020",
    "10.1145/3339504", "adaptive cuckoo"};
constexpr Paper kSupport = {
    "Kopelowitz et al., Support Optimality and Adaptive Cuckoo Filters, WADS "
    "2021",
    "10.1007/978-3-030-83508-8_40", "adaptive cuckoo"};
constexpr Paper kBloom = {
    "Bloom, Space/Time Trade-offs in Hash Coding with Allowable Errors, CACM "
    "13(7), 1970",
    "10.1145/362686.362692", "Bloom"};
constexpr Paper kFastBloom = {
    "Qiao et al., Fast Bloom Filters and Their Generalization, TPDS 25(1), "
    "2014",
    "", "Bloom"};  // its DOI could not be confirmed
constexpr Paper kBlocked = {
    "Putze et al., Cache-, Hash-, and Space-Efficient Bloom Filters, JEA 14, "
    "2009",
    "10.1145/1498698.1594230", "Bloom"};
constexpr Paper kAdaptiveBloom = {
    "Reviriego et al., Adaptive One Memory Access Bloom Filters, TNSM 19(2), "
    "2022",
    "10.1109/TNSM.2022.3145436", "adaptive Bloom"};
constexpr Paper kInfini = {
    "Dayan et al., InfiniFilter: Expanding Filters to Infinity and Beyond, "
    "SIGMOD 2023",
    "10.1145/3589285", "growing"};

constexpr Paper kFuse = {"Graf and Lemire, Binary Fuse Filters, JEA 27, 2022",
                         "10.1145/3510449", "fuse"};
constexpr Paper kTopK = {
    "Metwally et al., Efficient Computation of Frequent and Top-k Elements in "
    "Data Streams, ICDT 2005",
    "10.1007/978-3-540-30570-5_27", "cached"};
constexpr Paper kOurs = {
    "Ours, on the table of Dayan et al., InfiniFilter, SIGMOD 2023",
    "10.1145/3589285", "tamis"};

// Returns a row of one of the families, with what its members share.
constexpr Kind Of(Paper paper, Kind row) {
  row.paper = paper.title;
  row.doi = paper.doi;
  row.family = paper.family;
  return row;
}
constexpr Kind Quotient(Paper paper, Kind row) {
  row.open = "r";
  row.max_load = kQuotientLoad;
  return Of(paper, row);
}
constexpr Kind Cuckoo(Paper paper, Kind row) {
  row.open = "f";
  row.max_load = kCuckooLoad;
  row.spare_slots = kCuckooSpare;
  return Of(paper, row);
}
constexpr Kind Bloom(Paper paper, Kind row) {
  row.open = "bits";
  return Of(paper, row);
}
constexpr Kind AdaptiveBloom(Kind row) {
  row.parameters = WordParameters(row.name);
  row.side_memory = kCopiesBeside;
  return Bloom(kAdaptiveBloom, row);
}
// The threshold takes the place of the load.
constexpr Kind Growing(Kind row) {
  row.open = "f";
  row.max_load = kQuotientLoad;
  return Of(kInfini, row);
}
constexpr Kind Chain(Kind row) {
  row.parameters = internal::kSlotFilterParameters;
  row.baseline = true;
  return Growing(row);
}

constexpr Kind kRows[] = {
    KindOf<Rsqf>(Quotient(
        kCqf, {.name = "rsqf",
               .use = "fast look-ups at any rate, and keys can be erased",
               .parameters = internal::kRsqfParameters})),
    KindOf<Taf>(
        Quotient(kTelescoping,
                 {.name = "taf",
                  .use = "queries that repeat, also those an adversary chooses",
                  .parameters = internal::kTafParameters,
                  .compared = "taf taf:overflow=evict"})),
    KindOf<Exaf>(
        Quotient(kTelescoping,
                 {.name = "exaf",
                  .use = "queries that repeat; what it was told of stays fixed",
                  .parameters = internal::kExafParameters,
                  .compared = "exaf exaf:overflow=evict"})),
    KindOf<Utaf>(Quotient(kTelescoping,
                          {.name = "utaf",
                           .use = "taf without compression, to compare with",
                           .parameters = internal::kUtafParameters})),
    KindOf<CuckooFilter>(Cuckoo(
        kCuckoo, {.name = "cuckoo",
                  .use = "few bits a key, fast look-ups, erasing without keys",
                  .parameters = internal::kPartialKeyParameters})),
    KindOf<KeyedCuckooFilter>(Cuckoo(
        kCuckoo,
        {.name = "cuckoo",
         .form = "cuckoo:k=4",
         .use = "the cuckoo tables of the papers, to compare with",
         .parameters = internal::kKeyedParameters<internal::StaticTraits>,
         .compared = "cuckoo:k=4,b=1"})),
    KindOf<VacuumFilter>(Cuckoo(
        kVacuum, {.name = "vacuum",
                  .use = "as cuckoo, in tables far larger than the caches",
                  .parameters = internal::kPartialKeyParameters})),
    KindOf<CyclicFilter>(Cuckoo(
        kCyclic,
        {.name = "cyclic",
         .use = "queries that repeat; entries stay where they are",
         .parameters = internal::kKeyedParameters<internal::CyclicTraits>,
         .compared = "cyclic:s=1 cyclic:s=2 cyclic:s=3"})),
    KindOf<SwappingFilter>(Cuckoo(
        kCyclic,
        {.name = "swapping",
         .use = "queries that repeat; entries stay in their line",
         .parameters = internal::kKeyedParameters<internal::SwappingTraits>})),
    KindOf<CuckooingFilter>(Cuckoo(
        kSupport,
        {.name = "cuckooing",
         .use = "queries that repeat, where a mirror costs little",
         .parameters = internal::kKeyedParameters<internal::CuckooingTraits>})),
    KindOf<BloomFilter>(Bloom(
        kBloom, {.name = "bloom",
                 .use = "the lowest rate of a plain filter at few bits a key",
                 .parameters = internal::kBloomParameters})),
    KindOf<WordBloomFilter>(
        Bloom(kFastBloom, {.name = "bloom1",
                           .use = "one memory access a look-up, few bits a key",
                           .parameters = WordParameters("bloom1"),
                           .compared = "bloom1:w=64 bloom1:w=512"})),
    KindOf<WordBloomFilter>(
        Bloom(kFastBloom, {.name = "bloomj",
                           .use = "nearly the rate of bloom, with narrow words",
                           .parameters = WordParameters("bloomj"),
                           .compared = "bloomj:j=2"})),
    KindOf<BlockedBloomFilter>(
        Bloom(kBlocked, {.name = "blocked",
                         .use = "the fastest look-ups",
                         .parameters = internal::kBlockedParameters})),
    KindOf<AdaptiveBloomFilter>(AdaptiveBloom(
        {.name = "abf",
         .use = "queries that repeat, one memory access a look-up",
         .compared = "abf:sets=2 abf:sets=4 abf:sets=8 abf:w=512,sets=4"})),
    KindOf<CountingAdaptiveBloomFilter>(
        AdaptiveBloom({.name = "abf-counting",
                       .use = "the same, and keys can be erased",
                       .compared = "abf-counting:sets=4"})),
    KindOf<AdaptiveBloomFilter>(AdaptiveBloom(
        {.name = "abfj",
         .use = "between abf and abfbits, in accesses and in its rate",
         .compared = "abfj:j=2,sets=4"})),
    KindOf<AdaptiveBloomFilter>(AdaptiveBloom(
        {.name = "abfbits",
         .use = "the lowest adaptive rate at 8 bits a key, k accesses",
         .compared = "abfbits:sets=4"})),
    KindOf<SacrificeFilter>(
        Chain({.name = "sacrifice",
               .use = "a bit a key lost each time it grows; to compare with",
               .compared = "sacrifice:threshold=0.95"})),
    KindOf<ChainFilter>(
        Chain({.name = "chain-linear",
               .use = "grows by filters of equal size, to compare with",
               .compared = "chain-linear:threshold=0.95"})),
    KindOf<ChainFilter>(
        Chain({.name = "chain",
               .use = "grows by filters of twice the size, to compare with",
               .compared = "chain:threshold=0.95"})),
    KindOf<ChainFilter>(
        Chain({.name = "chain-growing",
               .use = "chain with longer fingerprints, to compare with",
               .compared = "chain-growing:threshold=0.95"})),
    KindOf<InfiniFilter>(Growing({.name = "infini",
                                  .use = "sets whose size nobody knows",
                                  .parameters = internal::kInfiniParameters,
                                  .side_memory = kDuplicatesBeside,
                                  .compared = "infini:threshold=0.95"})),
    KindOf<InfiniFilter>(
        Growing({.name = "infini-growing",
                 .use = "the same at a rate that stays, with wider slots",
                 .parameters = internal::kInfiniParameters,
                 .side_memory = kDuplicatesBeside,
                 .compared = "infini-growing:threshold=0.95"})),
    KindOf<TamisFilter>(
        Of(kOurs, {.name = "tamis",
                   .use = "sets that grow and shrink, and queries that repeat",
                   .parameters = internal::kTamisParameters,
                   .open = "f",
                   .max_load = kQuotientLoad,
                   .compared = "tamis:threshold=0.95 tamis:grow=no"})),
    KindOf<ShardedTamis>(
        Of(kOurs, {.name = "tamis",
                   .form = "tamis:shards=split",
                   .use = "sets that grow large, where no insert may wait",
                   .parameters = internal::kShardedTamisParameters,
                   .open = "f",
                   .max_load = kQuotientLoad})),
    KindOf<ConcurrentTamis>(
        Of(kOurs, {.name = "tamis",
                   .form = "tamis:threads=yes",
                   .use = "sets that many threads read and change at once",
                   .parameters = internal::kShardedTamisParameters,
                   .open = "f",
                   .max_load = kQuotientLoad})),
    KindOf<FuseFilter>(
        Of(kFuse, {.name = "fuse",
                   .use = "sets that never change, made in one go",
                   .parameters = internal::kFuseParameters,
                   .open = "f",
                   .is_static = true})),
    KindOf<CachedFilter>(
        Of(kTopK, {.name = "cached",
                   .form = "cached(rsqf)",
                   .use = "queries that repeat, with nothing beside the filter",
                   .parameters = internal::kCachedParameters,
                   .open = "bytes",
                   .inner = "rsqf",
                   .trusts_adapt = true,
                   .compared = kComparedCaches})),
};

std::vector<Kind>& Kinds() {
  static std::vector<Kind> kinds(std::begin(kRows), std::end(kRows));
  return kinds;
}

std::string KnownNames() {
  std::string known;
  for (const std::string_view name : AnyFilter::KnownKinds()) {
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return known;
}

}  // namespace

std::span<const Kind> AllKinds() { return Kinds(); }

void RegisterKind(const Kind& kind) { Kinds().push_back(kind); }

// Of several with one name, the one that says so itself, or the first.
Result<const Kind*> FindKind(const Spec& spec) {
  const Kind* found = nullptr;
  for (const Kind& kind : Kinds()) {
    if (kind.name != spec.name()) continue;
    if (kind.is_for != nullptr && kind.is_for(spec)) return &kind;
    if (kind.is_for == nullptr && found == nullptr) found = &kind;
  }
  if (found != nullptr) return found;
  return Status(StatusCode::kInvalidArgument,
                "unknown filter '" + spec.name() + "'" +
                    internal::DidYouMean(spec.name(), AnyFilter::KnownKinds()) +
                    "; known are " + KnownNames());
}

Result<Spec> CompleteSpec(const Spec& spec) {
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  const Spec complete = WithDefaults(spec, kind->parameters);
  if (kind->inner.empty()) return complete;
  TAMIS_ASSIGN_OR_RETURN(const Spec inner, internal::InnerOf(spec, *kind));
  TAMIS_ASSIGN_OR_RETURN(const Spec whole, CompleteSpec(inner));
  return internal::Around(complete, *kind, whole);
}

bool IsStatic(const Spec& spec) {
  const Result<const Kind*> kind = FindKind(spec);
  if (!kind.ok()) return false;
  if (spec.inner().empty()) return (*kind)->is_static;
  const Result<Spec> inner = Spec::Parse(spec.inner());
  return inner.ok() && IsStatic(*inner);
}

}  // namespace tamis
