// AdaptiveBase: its options and spec, saving and loading.

#include <string>
#include <utility>

#include "filters/quotient/parameters.h"
#include "tamis/internal/filters/quotient/adaptive_base.h"
#include "tamis/internal/filters/shortest_text.h"

namespace tamis::internal {
namespace {

// Takes out what a scheme does not read, so that its spec does not name it.
AdaptiveOptions WhatIsRead(AdaptiveOptions options, SchemeOptions reads) {
  const AdaptiveOptions none;
  if (!reads.overflow) options.overflow = none.overflow;
  if (!reads.code) {
    options.queries_per_member = none.queries_per_member;
    options.code_bits = none.code_bits;
    options.code_x = none.code_x;
    options.code_y = none.code_y;
  }
  if (!reads.broom) {
    options.adapt_on_insert = none.adapt_on_insert;
    options.rehash_after = none.rehash_after;
  }
  return options;
}

Status CheckCode(const AdaptiveOptions& options) {
  if (!(options.queries_per_member >= 0 &&
        options.queries_per_member <= kMaxQueriesPerMember)) {  // nor a NaN
    return {StatusCode::kInvalidArgument,
            "queries per member must be from 0 to 1e9"};
  }
  if (options.code_bits < kMinTafCodeBits || options.code_bits > kMaxCodeBits ||
      options.code_bits % 8 != 0) {
    return {StatusCode::kInvalidArgument,
            "code = " + std::to_string(options.code_bits) +
                "; it takes a multiple of 8 from 16 to 128"};
  }
  if (options.code_x < 0 || options.code_x > kMaxX || options.code_y < 0 ||
      options.code_y > kMaxY) {
    return {StatusCode::kInvalidArgument, "x must be 0 to 24, y 0 to 7"};
  }
  return {};
}

// As many slots as the lines of a snapshot have.
uint64_t SlotsOfLines(std::span<const std::byte> lines, int width) {
  return lines.size() / kLineBytes * static_cast<unsigned>(SlotsPerLine(width));
}

}  // namespace

Result<AdaptiveOptions> AdaptiveBase::CheckOptions(Options options,
                                                   const LetterScheme& scheme) {
  options = WhatIsRead(options, scheme.options());
  const WidthRange widths = scheme.widths();
  if (options.remainder_bits < widths.least ||
      options.remainder_bits > widths.most) {
    return Status(StatusCode::kInvalidArgument,
                  "r = " + std::to_string(options.remainder_bits) + "; " +
                      std::string(scheme.name()) + " takes " +
                      std::to_string(widths.least) + " to " +
                      std::to_string(widths.most));
  }
  TAMIS_RETURN_IF_ERROR(CheckCode(options));
  if (!options.source && options.members == MembersFrom::kCaller &&
      (options.adapt_on_insert || options.rehash_after != 0)) {
    return Status(StatusCode::kInvalidArgument,
                  "insert=adapt and rehash need members that the filter knows "
                  "by itself: a mirror or a source");
  }
  return options;
}

Result<AdaptiveOptions> AdaptiveBase::ReadSpec(const Spec& spec, uint64_t slots,
                                               const LetterScheme& scheme) {
  const ParameterReader read(spec, QuotientParameters(scheme.name()));
  TAMIS_RETURN_IF_ERROR(read.Check());
  Options options{.slots = slots};
  TAMIS_ASSIGN_OR_RETURN(options.remainder_bits, read.Int("r"));
  TAMIS_ASSIGN_OR_RETURN(const size_t policy, read.Choice("overflow"));
  options.overflow = static_cast<OverflowPolicy>(policy);
  TAMIS_ASSIGN_OR_RETURN(options.queries_per_member, read.Number("c"));
  TAMIS_ASSIGN_OR_RETURN(options.code_bits, read.Int("code", kCodeBits));
  TAMIS_ASSIGN_OR_RETURN(options.code_x, read.Int("x"));
  TAMIS_ASSIGN_OR_RETURN(options.code_y, read.Int("y"));
  TAMIS_ASSIGN_OR_RETURN(const size_t insert, read.Choice("insert"));
  options.adapt_on_insert = insert == 1;
  TAMIS_ASSIGN_OR_RETURN(options.rehash_after, read.Whole("rehash"));
  TAMIS_ASSIGN_OR_RETURN(const size_t members, read.Choice("members"));
  options.members = static_cast<MembersFrom>(members);
  return options;
}

Spec AdaptiveBase::spec() const {
  Spec spec{std::string(scheme().name())};
  spec.Set("r", static_cast<uint64_t>(table_.width()));
  if (options_.overflow != OverflowPolicy()) {
    spec.Set("overflow",
             std::string(
                 kOverflow.Choices()[static_cast<size_t>(options_.overflow)]));
  }
  if (options_.queries_per_member != 0) {
    spec.Set("c", ShortestText(options_.queries_per_member));
  }
  const auto set_unless = [&](std::string_view name, int value, int usual) {
    if (value != usual) spec.Set(name, static_cast<uint64_t>(value));
  };
  set_unless("code", options_.code_bits, kCodeBits);
  set_unless("x", options_.code_x, 0);
  set_unless("y", options_.code_y, 0);
  if (options_.adapt_on_insert) spec.Set("insert", "adapt");
  if (options_.rehash_after != 0) spec.Set("rehash", options_.rehash_after);
  if (options_.members == MembersFrom::kCaller) spec.Set("members", "caller");
  return spec;
}

Snapshot AdaptiveBase::ToSnapshot() const {
  Snapshot snapshot(WithDefaults(spec(), QuotientParameters(scheme().name())),
                    hasher_);
  snapshot.AddNumber("slots", table_.homes());
  snapshot.AddNumber("size", table_.size());
  snapshot.AddNumber("adapts", counts_.adapts);
  snapshot.AddNumber("resets", counts_.resets);
  snapshot.AddNumber("evictions", counts_.evictions);
  snapshot.AddNumber("refusals", counts_.refusals);
  snapshot.AddNumber("rehashes", counts_.rehashes);
  snapshot.AddNumber("mirrored", has_mirror() ? 1 : 0);
  snapshot.AddNumber("adapted", is_adapted_ ? 1 : 0);
  const auto lines = table_.lines();
  const uint64_t slots = SlotsOfLines(lines, table_.width());
  snapshot.AddArray("lines", lines);
  snapshot.AddArray("letters", letters().bytes(slots));
  if (has_mirror()) {
    snapshot.AddArray("mirror",
                      mirror_.bytes().first(slots * SlotMirror::kSlotBytes));
  }
  return snapshot;
}

Result<AdaptiveOptions> AdaptiveBase::LoadedOptions(const Snapshot& snapshot,
                                                    const LetterScheme& scheme,
                                                    KeySourceRef source) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, snapshot.Number("slots"));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t mirrored,
                         snapshot.Number("mirrored", 0, 1));
  TAMIS_ASSIGN_OR_RETURN(Options options,
                         ReadSpec(snapshot.spec(), slots, scheme));
  options.source = source;
  if (mirrored == 1 && source) {
    return Status(StatusCode::kInvalidArgument,
                  "the filter has a mirror and takes no key source");
  }
  if (mirrored == 0 && KeepsMirror(options)) {
    return Status(StatusCode::kUnsupported,
                  "the filter has no mirror: it needs its key source");
  }
  if (mirrored == 1 && !KeepsMirror(options)) {
    return Status(StatusCode::kCorrupt,
                  "a mirror in a filter whose caller brings the members");
  }
  return CheckOptions(options, scheme);
}

// The lengths are compared with one another before memory is asked for.
Result<QuotientTable> AdaptiveBase::LoadedTable(const Snapshot& snapshot,
                                                const Options& options,
                                                const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t size, snapshot.Number("size"));
  TAMIS_ASSIGN_OR_RETURN(const auto lines, snapshot.Outer("lines", load));
  return QuotientTable::FromLines(options.slots, options.remainder_bits, size,
                                  lines);
}

Result<SlotMirror> AdaptiveBase::EmptyMirror(const Options& options,
                                             uint64_t slots) {
  return SlotMirror::Create(KeepsMirror(options) ? slots : 0);
}

Status AdaptiveBase::LoadArrays(const Snapshot& snapshot,
                                const LoadOptions& load) {
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
  const uint64_t slots = SlotsOfLines(lines, table_.width());
  TAMIS_ASSIGN_OR_RETURN(const auto codes, snapshot.Outer("letters", load));
  TAMIS_RETURN_IF_ERROR(mutable_letters().Load(codes, slots));
  if (has_mirror()) {
    TAMIS_ASSIGN_OR_RETURN(const auto hashes, snapshot.Outer("mirror", load));
    TAMIS_ASSIGN_OR_RETURN(mirror_, SlotMirror::FromBytes(hashes, slots));
    if (slots < table_.num_slots()) {
      TAMIS_RETURN_IF_ERROR(mirror_.OnGrow(table_.num_slots()));
    }
  }
  if (snapshot.version() == 1) {
    is_adapted_ = MustBeAdapted();
    return {};
  }
  TAMIS_ASSIGN_OR_RETURN(const uint64_t adapted,
                         snapshot.Number("adapted", 0, 1));
  is_adapted_ = adapted == 1;
  return {};
}

}  // namespace tamis::internal
