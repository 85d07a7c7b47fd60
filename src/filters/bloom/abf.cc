#include "tamis/abf.h"

#include <bit>
#include <cmath>
#include <string>

#include "filters/bloom/bloom_math.h"
#include "filters/bloom/parameters.h"
#include "filters/bloom/word_spec.h"
#include "tamis/internal/hash/look_ahead.h"

namespace tamis {

using internal::CopyKind;
using internal::Placed;
using internal::SetCopies;
using internal::SetOfWord;
using internal::Snapshot;
using internal::WordBits;
using internal::WordForm;
using internal::WordSpec;

namespace {

constexpr std::string_view kCountingName = "abf-counting";

WordForm FormOf(const Spec& spec) {
  if (spec.name() == "abfj") return WordForm::kSomeWords;
  if (spec.name() == "abfbits") return WordForm::kBitArray;
  return WordForm::kOneWord;
}

std::string_view NameOf(WordForm form, CopyKind kind) {
  if (kind == CopyKind::kCounters) return kCountingName;
  switch (form) {
    case WordForm::kOneWord:
      return "abf";
    case WordForm::kSomeWords:
      return "abfj";
    case WordForm::kBitArray:
      return "abfbits";
  }
  return "abf";
}

// Returns log2 of the number of sets.
Result<unsigned> ParseSelectorBits(const ParameterReader& read) {
  TAMIS_ASSIGN_OR_RETURN(const size_t choice, read.Choice("sets"));
  return choice == 0 ? 2u : choice == 1 ? 1u : 3u;
}

Result<CopyKind> ParseCopyKind(const Spec& spec, const ParameterReader& read) {
  if (spec.name() == kCountingName) return CopyKind::kCounters;
  TAMIS_ASSIGN_OR_RETURN(const size_t choice, read.Choice("copies"));
  return choice == 0 ? CopyKind::kAll : CopyKind::kOthers;
}

}  // namespace

Result<AdaptiveBloomFilter> AdaptiveBloomFilter::Configure(
    const Spec& spec, uint64_t slots, const Hasher& hasher) {
  const ParameterReader read(spec, internal::WordParameters(spec.name()));
  TAMIS_ASSIGN_OR_RETURN(const unsigned selector_bits, ParseSelectorBits(read));
  TAMIS_ASSIGN_OR_RETURN(
      const WordSpec made,
      WordSpec::Parse(spec, slots, FormOf(spec), selector_bits));
  TAMIS_ASSIGN_OR_RETURN(const CopyKind kind, ParseCopyKind(spec, read));
  Options options;
  TAMIS_ASSIGN_OR_RETURN(const size_t unchecked, read.Choice("check"));
  options.check = unchecked == 0;
  TAMIS_ASSIGN_OR_RETURN(options.decimation, read.Whole("decimation"));
  TAMIS_ASSIGN_OR_RETURN(options.detect, read.Number("detect"));
  return AdaptiveBloomFilter(
      made.sizing, made.shape, made.keys,
      SetCopies(kind, made.keys.words, 1u << selector_bits, made.shape),
      options, hasher);
}

Status AdaptiveBloomFilter::Allocate() {
  TAMIS_RETURN_IF_ERROR(words_.Allocate());
  return copies_.Allocate();
}

Status AdaptiveBloomFilter::LoadArrays(const Snapshot& snapshot,
                                       const LoadOptions& load) {
  TAMIS_RETURN_IF_ERROR(
      snapshot.Array("copies", copies_.size_bytes()).status());
  TAMIS_ASSIGN_OR_RETURN(const auto bytes, snapshot.Outer("copies", load));
  TAMIS_RETURN_IF_ERROR(BloomBase::LoadArrays(snapshot, load));
  TAMIS_RETURN_IF_ERROR(copies_.Load(bytes));
  TAMIS_ASSIGN_OR_RETURN(false_positives_, snapshot.Number("false_positives"));
  TAMIS_ASSIGN_OR_RETURN(positives_, snapshot.Number("positives"));
  TAMIS_ASSIGN_OR_RETURN(adapts_, snapshot.Number("adapts"));
  return {};
}

Snapshot AdaptiveBloomFilter::ToSnapshot() const {
  Snapshot snapshot = BaseSnapshot(
      WithDefaults(spec(), internal::WordParameters(spec().name())));
  snapshot.AddArray("copies", copies_.bytes());
  snapshot.AddNumber("false_positives", false_positives_);
  snapshot.AddNumber("positives", positives_);
  snapshot.AddNumber("adapts", adapts_);
  return snapshot;
}

template <typename Visit>
bool AdaptiveBloomFilter::AnySet(KeyHash hash, Visit visit) const {
  for (unsigned i = 0; i < keys_.words_per_key; ++i) {
    const Placed placed = keys_.PlaceWord(hash, i);
    const unsigned selected = words_.Selector(placed.home);
    for (unsigned step = 1; step <= copies_.sets(); ++step) {
      const unsigned set = (selected + step) % copies_.sets();
      const SetOfWord at{placed.home, set, selected};
      if (visit(placed, at, keys_.k_of_word[i])) return true;
    }
  }
  return false;
}

void AdaptiveBloomFilter::MayContain(std::span<const KeyHash> hashes,
                                     std::span<bool> results) const {
  internal::PrefetchAhead(*this, hashes, results);
}

Status AdaptiveBloomFilter::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(words_.CheckWritable());
  if (size_ >= capacity()) {
    return internal::FullStatus(spec().name(), capacity());
  }
  AnySet(hash, [&](const Placed& placed, const SetOfWord& at, int k) {
    if (copies_.Holds(at)) copies_.Insert(at, placed, k);
    if (at.set == at.selected) words_.Set(at.word, placed, at.set, k);
    return false;
  });
  ++size_;
  return {};
}

void AdaptiveBloomFilter::Switch(uint64_t word, unsigned to) {
  const unsigned from = words_.Selector(word);
  const WordBits bits = copies_.Load({word, to, from});
  copies_.Exchange(word, from, to, words_.Load(word));
  words_.Store(word, bits, to);
  ++adapts_;
}

Result<AdaptOutcome> AdaptiveBloomFilter::Adapt(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(words_.CheckWritable());
  if (!MayContain(hash)) return AdaptOutcome::kNothingToFix;
  if (++false_positives_ % options_.decimation != 0) {
    return AdaptOutcome::kNotFixed;
  }
  return options_.check ? AdaptChecked(hash) : AdaptUnchecked(hash);
}

AdaptOutcome AdaptiveBloomFilter::AdaptChecked(KeyHash hash) {
  SetOfWord better = {};
  const bool found =
      AnySet(hash, [&](const Placed& placed, const SetOfWord& at, int k) {
        better = at;
        if (at.set == at.selected) return false;
        ++copies_read_;
        return !copies_.Test(at, placed, k);
      });
  if (!found) return AdaptOutcome::kNotFixed;
  Switch(better.word, better.set);
  return better.selected == 0 ? AdaptOutcome::kFixed : AdaptOutcome::kReset;
}

AdaptOutcome AdaptiveBloomFilter::AdaptUnchecked(KeyHash hash) {
  bool first_time = true;
  for (unsigned i = 0; i < keys_.words_per_key; ++i) {
    const uint64_t word = keys_.PlaceWord(hash, i).home;
    const unsigned selected = words_.Selector(word);
    first_time = first_time && selected == 0;
    Switch(word, (selected + 1) % copies_.sets());
    ++copies_read_;
    if (!MayContain(hash)) {
      return first_time ? AdaptOutcome::kFixed : AdaptOutcome::kReset;
    }
  }
  return AdaptOutcome::kNotFixed;
}

bool AdaptiveBloomFilter::ProvesAbsent(KeyHash hash) const {
  return AnySet(hash, [&](const Placed& placed, const SetOfWord& at, int k) {
    return copies_.Holds(at) ? !copies_.Test(at, placed, k)
                             : !words_.Test(at.word, placed, at.set, k);
  });
}

Result<AdaptOutcome> AdaptiveBloomFilter::AdaptIfProven(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(words_.CheckWritable());
  if (!MayContain(hash)) return AdaptOutcome::kNothingToFix;
  // Looks at the calls at which the running share passes a whole number.
  const double before = static_cast<double>(positives_) * options_.detect;
  const double after = static_cast<double>(++positives_) * options_.detect;
  const bool look = std::floor(after) > std::floor(before);
  if (!look || !ProvesAbsent(hash)) return AdaptOutcome::kNotFixed;
  return Adapt(hash);
}

double AdaptiveBloomFilter::ExpectedFpr() const {
  return WordBloomFpr(keys_.words, static_cast<int>(words_.shape().usable_bits),
                      size_, keys_.ks());
}

FilterStats AdaptiveBloomFilter::stats() const {
  FilterStats stats = BaseStats(SizeBits(), ExpectedFpr());
  stats.side_bits = 8 * copies_.size_bytes();
  stats.details = {{"words", static_cast<double>(keys_.words)},
                   {"false_positives", static_cast<double>(false_positives_)},
                   {"adapts", static_cast<double>(adapts_)},
                   {"copies_read", static_cast<double>(copies_read_)}};
  return stats;
}

Spec AdaptiveBloomFilter::spec() const {
  Spec spec{std::string(NameOf(keys_.form, copies_.kind()))};
  spec.Set("bits", internal::ShortestText(sizing_.bits_per_key))
      .Set("k", static_cast<uint64_t>(keys_.k()));
  if (keys_.form == WordForm::kSomeWords) spec.Set("j", keys_.words_per_key);
  spec.Set("w", words_.shape().word_bits).Set("sets", copies_.sets());
  if (!options_.check) spec.Set("check", "0");
  if (options_.decimation != 1) spec.Set("decimation", options_.decimation);
  if (options_.detect != 1) {
    spec.Set("detect", internal::ShortestText(options_.detect));
  }
  if (copies_.kind() == CopyKind::kOthers) spec.Set("copies", "others");
  return spec;
}

Status AdaptiveBloomFilter::CheckInvariants() const {
  for (uint64_t word = 0; word < keys_.words; ++word) {
    TAMIS_RETURN_IF_ERROR(CheckWord(word));
  }
  for (unsigned set = 0; set < copies_.sets(); ++set) {
    TAMIS_RETURN_IF_ERROR(CheckSet(set));
  }
  return {};
}

bool AdaptiveBloomFilter::IsSaturated(const SetOfWord& at) const {
  return copies_.kind() == CopyKind::kCounters && copies_.CounterSum(at) < 0;
}

// (A1) and (A4)
Status AdaptiveBloomFilter::CheckWord(uint64_t word) const {
  const unsigned selected = words_.Selector(word);
  const WordBits bits = words_.Load(word);
  const std::string where = ": word " + std::to_string(word) + ", set ";
  for (unsigned set = 0; set < copies_.sets(); ++set) {
    const SetOfWord at{word, set, selected};
    if (!copies_.Holds(at)) continue;
    const WordBits copy = copies_.Load(at);
    if (set == selected && copy != bits) {
      return {StatusCode::kCorrupt,
              "(A1)" + where + std::to_string(set) + " differs from its copy"};
    }
    const bool differ = (copy == WordBits{}) != (bits == WordBits{});
    if (differ && !IsSaturated(at) &&
        !IsSaturated({word, selected, selected})) {
      return {StatusCode::kCorrupt,
              "(A4)" + where + std::to_string(set) + " is empty where set " +
                  std::to_string(selected) + " is not, or the reverse"};
    }
  }
  return {};
}

// (A2) and (A3)
Status AdaptiveBloomFilter::CheckSet(unsigned set) const {
  const bool counting = copies_.kind() == CopyKind::kCounters;
  uint64_t ones = 0;
  uint64_t sum = 0;
  bool saturated = false;
  for (uint64_t word = 0; word < keys_.words; ++word) {
    const SetOfWord at{word, set, words_.Selector(word)};
    const WordBits bits =
        copies_.Holds(at) ? copies_.Load(at) : words_.Load(word);
    for (const uint64_t lane : bits) {
      ones += static_cast<uint64_t>(std::popcount(lane));
    }
    if (!counting) continue;
    const int64_t counters = copies_.CounterSum(at);
    saturated = saturated || counters < 0;
    sum += static_cast<uint64_t>(counters);
  }
  if (saturated) return {};
  TAMIS_RETURN_IF_ERROR(internal::CheckOnes("(A2)", ones, size_, keys_.k()));
  if (counting && sum != size_ * static_cast<uint64_t>(keys_.k())) {
    return {StatusCode::kCorrupt, "(A3): the counters of set " +
                                      std::to_string(set) + " sum to " +
                                      std::to_string(sum)};
  }
  return {};
}

Result<CountingAdaptiveBloomFilter> CountingAdaptiveBloomFilter::Configure(
    const Spec& spec, uint64_t slots, const Hasher& hasher) {
  if (spec.name() != kCountingName) {
    return Status(StatusCode::kInvalidArgument, spec.ToString() +
                                                    " can't erase; expected " +
                                                    std::string(kCountingName));
  }
  TAMIS_ASSIGN_OR_RETURN(AdaptiveBloomFilter filter,
                         AdaptiveBloomFilter::Configure(spec, slots, hasher));
  return CountingAdaptiveBloomFilter(std::move(filter));
}

Status CountingAdaptiveBloomFilter::Erase(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(words_.CheckWritable());
  const auto lacks = [&](const Placed& placed, const SetOfWord& at, int k) {
    return !copies_.HoldsAll(at, placed, k);
  };
  if (size_ == 0 || AnySet(hash, lacks)) {
    return {StatusCode::kNotFound, spec().name() + " has no such key"};
  }
  AnySet(hash, [&](const Placed& placed, const SetOfWord& at, int k) {
    copies_.Erase(at, placed, k);
    return false;
  });
  for (unsigned i = 0; i < keys_.words_per_key; ++i) {
    const uint64_t word = keys_.PlaceWord(hash, i).home;
    const unsigned set = words_.Selector(word);
    words_.Store(word, copies_.Load({word, set, set}), set);
  }
  --size_;
  return {};
}

}  // namespace tamis
