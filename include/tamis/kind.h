// Kind: all there is to know of one kind of filter, as one row.
//
// The rows of all kinds are in src/filters/kinds.cc.  Specs, `tamis filters`,
// completion, budgets, comparisons and the conformance suite are made from
// them: a new filter is a class and a row.  A program adds its own at run time,
// and everything that goes by a spec knows it then:
//
//   RegisterKind(KindOf<MyFilter>({.name = "mine",
//                                  .use = "what it is for",
//                                  .parameters = MyFilter::kParameters,
//                                  .open = "r"}));
//   Result<AnyFilter> mine = AnyFilter::Create("mine:r=8", {.keys = 1000});
//
// Files hold the complete spec of a filter, CompleteSpec(filter.spec()), with
// every parameter written: a default that changes one day does not change what
// a file means.

#ifndef TAMIS_KIND_H_
#define TAMIS_KIND_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "tamis/any_filter.h"
#include "tamis/filter.h"
#include "tamis/internal/filters/any_filter_model.h"
#include "tamis/load_options.h"
#include "tamis/parameter.h"
#include "tamis/sizing.h"

namespace tamis {

struct Kind {
  std::string_view name;  // in specs
  // A spec that means this one, where several kinds share a name.
  std::string_view form = {};
  std::string_view use = {};                   // what it is for, in a few words
  std::span<const Parameter> parameters = {};  // in the order of messages
  // The parameter that a budget opens: `bits` a key, or the bits r or f of what
  // a slot holds.
  std::string_view open = {};
  // The filter inside where a spec names none; empty: it is around no other.
  std::string_view inner = {};
  double max_load = 1;  // keys a slot that it can be filled to
  // Slots beside what that load asks for: in small tables luck matters.
  uint64_t spare_slots = 0;
  bool baseline = false;  // there to compare with, not to be advised
  // For a set that does not change, made by BulkLoad; later keys cost it more.
  bool is_static = false;
  // Adapt of a member hides it: it can't be checked there.
  bool trusts_adapt = false;
  std::string_view family = {};  // filters of one idea
  // What its stats().side_bits are for.
  std::string_view side_memory = "for the keys' hashes";
  std::string_view paper = {};
  std::string_view doi = {};
  // The specs that a comparison of all compares, separated by spaces, if they
  // are not the shortest one alone.
  std::string_view compared = {};

  // Of the class, by KindOf.  size_for and fpr_for may be null: then sizing.h
  // makes filters to find out.
  Capabilities capabilities = {};
  bool (*is_for)(const Spec&) = nullptr;
  Result<AnyFilter> (*create)(const Spec&, const CreateOptions&) = nullptr;
  Result<AnyFilter> (*load)(const internal::Snapshot&,
                            const LoadOptions&) = nullptr;
  Result<Sizing> (*size_for)(std::string_view, uint64_t, double) = nullptr;
  Result<double> (*fpr_for)(const Spec&, uint64_t, uint64_t) = nullptr;
  Result<uint64_t> (*size_bits_for)(const Spec&, uint64_t) = nullptr;

  // The shortest spec that means this kind.
  std::string_view ShortestSpec() const { return form.empty() ? name : form; }
};

// All kinds, in the order of the documentation, registered ones last.
std::span<const Kind> AllKinds();
// Adds one.  REQUIRES: no other thread uses filters yet
void RegisterKind(const Kind& kind);
// Returns the kind that `spec` is of; kInvalidArgument names the known ones.
// The pointer is good until the next RegisterKind.
Result<const Kind*> FindKind(const Spec& spec);

// Says whether `spec` is of a static kind, or around one.
bool IsStatic(const Spec& spec);

// Returns a filter's spec with every parameter written, in the row's order.
// `spec` is as filters return it, or has those parameters whose defaults follow
// from others.
Result<Spec> CompleteSpec(const Spec& spec);

namespace internal {

template <FilterType F>
Result<AnyFilter> Carried(Result<F> filter) {
  if (!filter.ok()) return filter.status();
  return AnyFilter(
      std::make_unique<AnyFilterModel<F>>(std::move(filter).value()));
}

template <FilterType F>
Result<AnyFilter> CreateCarried(const Spec& spec,
                                const CreateOptions& options) {
  if constexpr (requires {
                  F::Create(spec, 0, options.hasher, options.source);
                }) {
    return Carried<F>(
        F::Create(spec, options.slots, options.hasher, options.source));
  } else if (options.source) {
    return Status(StatusCode::kUnsupported,
                  spec.name() + " takes no key source");
  } else {
    return Carried<F>(F::Create(spec, options.slots, options.hasher));
  }
}

}  // namespace internal

// Returns the row with what the filter class F says itself.
template <FilterType F>
constexpr Kind KindOf(Kind row) {
  row.capabilities = CapabilitiesOf<F>();
  row.create = internal::CreateCarried<F>;
  row.load = [](const internal::Snapshot& snapshot,
                const LoadOptions& options) {
    return internal::Carried<F>(F::FromSnapshot(snapshot, options));
  };
  if constexpr (requires(const Spec& spec) { F::IsFor(spec); }) {
    row.is_for = [](const Spec& spec) { return F::IsFor(spec); };
  }
  if constexpr (SizableFilter<F>) {
    row.size_for = F::SizeFor;
    row.fpr_for = F::FprFor;
  }
  if constexpr (requires(const Spec& spec) { F::SizeBitsFor(spec, 0); }) {
    row.size_bits_for = F::SizeBitsFor;
  }
  return row;
}

}  // namespace tamis

#endif  // TAMIS_KIND_H_
