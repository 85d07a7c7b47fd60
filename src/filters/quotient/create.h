// AdaptiveQuotient: creation, its spec, saving and loading.

#ifndef TAMIS_FILTERS_QUOTIENT_CREATE_H_
#define TAMIS_FILTERS_QUOTIENT_CREATE_H_

#include <string>
#include <utility>

#include "tamis/internal/filters/quotient/adaptive_quotient.h"
#include "tamis/internal/filters/shortest_text.h"

namespace tamis::internal {

// Takes out what this kind does not read, so that its spec does not name it.
template <typename Kind>
AdaptiveOptions OptionsOf(AdaptiveOptions options) {
  const AdaptiveOptions none;
  if (!std::is_same_v<Kind, TafKind>) options.queries_per_member = 0;
  if (std::is_same_v<Kind, UtafKind>) options.overflow = none.overflow;
  if (!std::is_same_v<Kind, ExafKind>) {
    options.adapt_on_insert = false;
    options.rehash_after = 0;
  }
  return options;
}

template <typename Kind>
auto AdaptiveQuotient<Kind>::Create(const Options& options,
                                    const Hasher& hasher)
    -> Result<AdaptiveQuotient> {
  if (options.remainder_bits < Kind::kMinWidth ||
      options.remainder_bits > Kind::kMaxWidth) {
    return Status(StatusCode::kInvalidArgument,
                  "r = " + std::to_string(options.remainder_bits) + "; " +
                      std::string(Kind::kName) + " takes " +
                      std::to_string(Kind::kMinWidth) + " to " +
                      std::to_string(Kind::kMaxWidth));
  }
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::Create(options.slots, options.remainder_bits));
  TAMIS_ASSIGN_OR_RETURN(auto letters,
                         Kind::CreateLetters(table.num_slots(), options));
  TAMIS_ASSIGN_OR_RETURN(
      SlotMirror mirror,
      SlotMirror::Create(options.source ? 0 : table.num_slots()));
  return AdaptiveQuotient(OptionsOf<Kind>(options), std::move(table),
                          std::move(letters), std::move(mirror), hasher);
}

inline constexpr const char* kPolicyNames[] = {"refuse", "evict", "reset"};

template <typename Kind>
auto AdaptiveQuotient<Kind>::ReadSpec(const Spec& spec, uint64_t slots)
    -> Result<Options> {
  constexpr bool kIsTaf = std::is_same_v<Kind, TafKind>;
  constexpr bool kIsExaf = std::is_same_v<Kind, ExafKind>;
  if constexpr (kIsTaf) {
    TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"r", "overflow", "c"}));
  } else if constexpr (kIsExaf) {
    TAMIS_RETURN_IF_ERROR(
        spec.ExpectOnly({"r", "overflow", "insert", "rehash"}));
  } else {
    TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"r"}));
  }
  Options options{.slots = slots};
  TAMIS_ASSIGN_OR_RETURN(
      const uint64_t bits,
      spec.Integer("r", 8, Kind::kMinWidth, Kind::kMaxWidth));
  options.remainder_bits = static_cast<int>(bits);
  TAMIS_ASSIGN_OR_RETURN(
      const size_t policy,
      spec.Choice("overflow",
                  {kPolicyNames[0], kPolicyNames[1], kPolicyNames[2]}));
  options.overflow = static_cast<OverflowPolicy>(policy);
  TAMIS_ASSIGN_OR_RETURN(options.queries_per_member,
                         spec.Number("c", 0, 0, 1e9));
  TAMIS_ASSIGN_OR_RETURN(const size_t insert,
                         spec.Choice("insert", {"plain", "adapt"}));
  options.adapt_on_insert = insert == 1;
  TAMIS_ASSIGN_OR_RETURN(options.rehash_after,
                         spec.Integer("rehash", 0, 0, ~uint64_t{0}));
  return options;
}

template <typename Kind>
auto AdaptiveQuotient<Kind>::Create(const Spec& spec, uint64_t slots,
                                    const Hasher& hasher)
    -> Result<AdaptiveQuotient> {
  TAMIS_ASSIGN_OR_RETURN(const Options options, ReadSpec(spec, slots));
  return Create(options, hasher);
}

template <typename Kind>
Spec AdaptiveQuotient<Kind>::spec() const {
  Spec spec{std::string(Kind::kName)};
  spec.Set("r", static_cast<uint64_t>(table_.width()));
  if (options_.overflow != OverflowPolicy()) {
    spec.Set("overflow", kPolicyNames[static_cast<int>(options_.overflow)]);
  }
  if (options_.queries_per_member != 0) {
    spec.Set("c", ShortestText(options_.queries_per_member));
  }
  if (options_.adapt_on_insert) spec.Set("insert", "adapt");
  if (options_.rehash_after != 0) spec.Set("rehash", options_.rehash_after);
  return spec;
}

template <typename Kind>
Snapshot AdaptiveQuotient<Kind>::ToSnapshot() const {
  Snapshot snapshot(spec(), hasher_);
  snapshot.AddNumber("slots", table_.homes());
  snapshot.AddNumber("size", table_.size());
  snapshot.AddNumber("adapts", counts_.adapts);
  snapshot.AddNumber("resets", counts_.resets);
  snapshot.AddNumber("evictions", counts_.evictions);
  snapshot.AddNumber("refusals", counts_.refusals);
  snapshot.AddNumber("rehashes", counts_.rehashes);
  snapshot.AddNumber("mirrored", has_mirror() ? 1 : 0);
  const auto lines = table_.lines();
  const uint64_t slots = lines.size() / kLineBytes *
                         static_cast<unsigned>(SlotsPerLine(table_.width()));
  snapshot.AddArray("lines", lines);
  snapshot.AddArray("letters", letters_.bytes(slots));
  if (has_mirror()) {
    snapshot.AddArray("mirror",
                      mirror_.bytes().first(slots * SlotMirror::kSlotBytes));
  }
  return snapshot;
}

template <typename Kind>
auto AdaptiveQuotient<Kind>::FromSnapshot(const Snapshot& snapshot,
                                          const LoadOptions& load)
    -> Result<AdaptiveQuotient> {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, snapshot.Number("slots"));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t size, snapshot.Number("size"));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t mirrored,
                         snapshot.Number("mirrored", 0, 1));
  if (mirrored == 1 && load.source) {
    return Status(StatusCode::kInvalidArgument,
                  "the filter has a mirror and takes no key source");
  }
  if (mirrored == 0 && !load.source) {
    return Status(StatusCode::kUnsupported,
                  "the filter has no mirror: it needs its key source");
  }
  TAMIS_ASSIGN_OR_RETURN(Options options, ReadSpec(snapshot.spec(), slots));
  options.source = load.source;
  TAMIS_ASSIGN_OR_RETURN(const auto lines, snapshot.Array("lines"));
  // The lengths are compared with one another before memory is asked for.
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::FromLines(slots, options.remainder_bits, size, lines));
  TAMIS_ASSIGN_OR_RETURN(auto letters,
                         Kind::CreateLetters(table.num_slots(), options));
  TAMIS_ASSIGN_OR_RETURN(
      SlotMirror mirror,
      SlotMirror::Create(mirrored == 1 ? table.num_slots() : 0));
  AdaptiveQuotient filter(options, std::move(table), std::move(letters),
                          std::move(mirror), snapshot.hasher());
  TAMIS_RETURN_IF_ERROR(filter.LoadArrays(snapshot));
  return CheckedIfAsked(std::move(filter), load);
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::LoadArrays(const Snapshot& snapshot) {
  TAMIS_ASSIGN_OR_RETURN(counts_.adapts, snapshot.Number("adapts"));
  TAMIS_ASSIGN_OR_RETURN(counts_.resets, snapshot.Number("resets"));
  TAMIS_ASSIGN_OR_RETURN(counts_.evictions, snapshot.Number("evictions"));
  TAMIS_ASSIGN_OR_RETURN(counts_.refusals, snapshot.Number("refusals"));
  TAMIS_ASSIGN_OR_RETURN(counts_.rehashes, snapshot.Number("rehashes"));
  if (counts_.rehashes != 0 && options_.rehash_after == 0) {
    return {StatusCode::kCorrupt, std::to_string(counts_.rehashes) +
                                      " rehashes of a filter without any"};
  }
  TAMIS_ASSIGN_OR_RETURN(const auto lines, snapshot.Array("lines"));
  const uint64_t slots = lines.size() / kLineBytes *
                         static_cast<unsigned>(SlotsPerLine(table_.width()));
  TAMIS_ASSIGN_OR_RETURN(const auto codes, snapshot.Array("letters"));
  TAMIS_RETURN_IF_ERROR(letters_.Load(codes, slots));
  if (has_mirror()) {
    TAMIS_ASSIGN_OR_RETURN(
        const auto hashes,
        snapshot.Array("mirror", slots * SlotMirror::kSlotBytes));
    TAMIS_ASSIGN_OR_RETURN(mirror_, SlotMirror::FromBytes(hashes, slots));
    TAMIS_RETURN_IF_ERROR(mirror_.OnGrow(table_.num_slots()));
  }
  is_adapted_ = MustBeAdapted();
  return {};
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_QUOTIENT_CREATE_H_
