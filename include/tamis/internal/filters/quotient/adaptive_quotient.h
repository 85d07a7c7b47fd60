// AdaptiveQuotient: the quotient filters that learn from their mistakes.
//
// adaptive_base.h has the arrays, their invariants and everything that changes
// them.  This is what look-ups inline: they read the table, seldom a code, never
// the mirror.  Traits say what a letter means: a selector (TAF, uTAF) or an
// extension (exAF).

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_ADAPTIVE_QUOTIENT_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_ADAPTIVE_QUOTIENT_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "tamis/internal/filters/quotient/adaptive_base.h"
#include "tamis/internal/filters/quotient/extension_traits.h"
#include "tamis/internal/filters/quotient/selector_traits.h"
#include "tamis/internal/filters/quotient_sizing.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/internal/table/matching_shape.h"
#include "tamis/internal/table/remainder_matcher.h"
#include "tamis/load_options.h"
#include "tamis/sizing.h"

namespace tamis::internal {

template <typename Traits>
class AdaptiveQuotient final : public AdaptiveBase {
 public:
  using Letters = typename Traits::Letters;

  static Result<AdaptiveQuotient> Create(const Options& options,
                                         const Hasher& hasher = Hasher());
  static Result<AdaptiveQuotient> Create(const KeysAndRate& wanted,
                                         const Hasher& hasher = Hasher()) {
    return CreateSized<AdaptiveQuotient>(Traits::kName, wanted, hasher);
  }
  static Result<AdaptiveQuotient> Create(const Spec& spec, uint64_t slots,
                                         const Hasher& hasher,
                                         KeySourceRef source = {});
  // For sizing.h: the rate before anything is adapted, which is the highest.
  static Result<Sizing> SizeFor(std::string_view kind, uint64_t keys,
                                double fpr) {
    return SizeQuotientFilter(kind, keys, fpr, kScheme.widths());
  }
  static Result<double> FprFor(const Spec& spec, uint64_t slots,
                               uint64_t keys) {
    return QuotientFprFor(spec, slots, keys, kScheme.widths());
  }
  // A filter that was saved while it had a source has no mirror, and needs that
  // source again.
  static Result<AdaptiveQuotient> FromSnapshot(const Snapshot& snapshot,
                                               const LoadOptions& load = {});

  bool MayContain(KeyHash hash) const {
    if (table_.width() == 8) [[likely]] {
      return LookupOf(LineShape<8>(8)).MayContain(hash);
    }
    return MayContainOfAnyWidth(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Adds all keys of `other`, which must have equal hasher and r; its number
  // of slots does not matter, since hashes are known whole.  Fixes of `other`
  // are kept where they fit, if it has a mirror and equally many slots.  kFull
  // if there is no room, kStale if the source of `other` lacks some of its
  // members; kOutOfMemory may cost some fixes where there is a mirror.  Else
  // nothing has changed.
  Status Merge(const AdaptiveQuotient& other) { return MergeWith(other); }
  // Places all keys anew in so many slots; fixes are forgotten.  kUnsupported if
  // the members are not known, kFull if they are more; else as Merge.
  Status RebuildTo(uint64_t slots);

  const Letters& letters() const override { return letters_; }

 private:
  static constexpr SchemeOf<Traits> kScheme = {};

  AdaptiveQuotient(const Options& options, QuotientTable table, Letters letters,
                   SlotMirror mirror, const Hasher& hasher)
      : AdaptiveBase(options, std::move(table), std::move(mirror), hasher),
        letters_(std::move(letters)) {}
  static Result<AdaptiveQuotient> Make(const Options& options,
                                       QuotientTable table,
                                       const Hasher& hasher,
                                       bool is_mapped = false);

  template <typename Shape>
  auto LookupOf(const Shape& shape) const {
    using Matcher = typename Traits::template Matcher<Shape, AdaptiveQuotient>;
    return Lookup<Shape, Matcher>(table_, shape, Matcher(shape, *this));
  }
  // Calls use(lookup): that of an RSQF until the filter has adapted.
  template <typename Shape, typename Use>
  auto WithLookup(const Shape& shape, Use use) const {
    if (!is_adapted_) return use(RemainderLookup(table_, shape));
    return Traits::WithMatcher(shape, *this, [&](const auto& matcher) {
      return use(Lookup(table_, shape, matcher));
    });
  }
  bool MayContainOfAnyWidth(KeyHash hash) const;

  const LetterScheme& scheme() const override { return kScheme; }
  LetterStore& mutable_letters() override { return letters_; }

  Letters letters_;
};

// What follows is compiled once for each kind, in its source.

template <typename Traits>
auto AdaptiveQuotient<Traits>::Create(const Options& options,
                                      const Hasher& hasher)
    -> Result<AdaptiveQuotient> {
  TAMIS_ASSIGN_OR_RETURN(const Options checked, CheckOptions(options, kScheme));
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::Create(checked.slots, checked.remainder_bits));
  return Make(checked, std::move(table), hasher);
}

template <typename Traits>
auto AdaptiveQuotient<Traits>::Create(const Spec& spec, uint64_t slots,
                                      const Hasher& hasher, KeySourceRef source)
    -> Result<AdaptiveQuotient> {
  TAMIS_ASSIGN_OR_RETURN(Options options, ReadSpec(spec, slots, kScheme));
  options.source = source;
  return Create(options, hasher);
}

template <typename Traits>
auto AdaptiveQuotient<Traits>::FromSnapshot(const Snapshot& snapshot,
                                            const LoadOptions& load)
    -> Result<AdaptiveQuotient> {
  TAMIS_ASSIGN_OR_RETURN(const Options options,
                         LoadedOptions(snapshot, kScheme, load.source));
  TAMIS_ASSIGN_OR_RETURN(QuotientTable table,
                         LoadedTable(snapshot, options, load));
  TAMIS_ASSIGN_OR_RETURN(
      AdaptiveQuotient filter,
      Make(options, std::move(table), snapshot.hasher(), load.map));
  TAMIS_RETURN_IF_ERROR(filter.LoadArrays(snapshot, load));
  return CheckedIfAsked(std::move(filter), load);
}

template <typename Traits>
auto AdaptiveQuotient<Traits>::Make(const Options& options, QuotientTable table,
                                    const Hasher& hasher, bool is_mapped)
    -> Result<AdaptiveQuotient> {
  // What will be mapped needs no memory.
  const uint64_t slots = is_mapped ? 0 : table.num_slots();
  TAMIS_ASSIGN_OR_RETURN(Letters letters,
                         Traits::CreateLetters(slots, options));
  TAMIS_ASSIGN_OR_RETURN(SlotMirror mirror, EmptyMirror(options, slots));
  return AdaptiveQuotient(options, std::move(table), std::move(letters),
                          std::move(mirror), hasher);
}

template <typename Traits>
Status AdaptiveQuotient<Traits>::RebuildTo(uint64_t slots) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  Options options = options_;
  options.slots = slots;
  TAMIS_ASSIGN_OR_RETURN(AdaptiveQuotient rebuilt, Create(options, hasher_));
  TAMIS_RETURN_IF_ERROR(rebuilt.Replace(*this));
  *this = std::move(rebuilt);
  return {};
}

template <typename Traits>
bool AdaptiveQuotient<Traits>::MayContainOfAnyWidth(KeyHash hash) const {
  return WithMatchingShape(table_.shape(), [&](const auto& shape) {
    return WithLookup(
        shape, [&](const auto& lookup) { return lookup.MayContain(hash); });
  });
}

template <typename Traits>
void AdaptiveQuotient<Traits>::MayContain(std::span<const KeyHash> hashes,
                                          std::span<bool> results) const {
  WithMatchingShape(table_.shape(), [&](const auto& shape) {
    WithLookup(shape,
               [&](const auto& lookup) { lookup.MayContain(hashes, results); });
  });
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_ADAPTIVE_QUOTIENT_H_
