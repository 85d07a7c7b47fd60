// Making, saving, loading and checking a tamis filter.

#include <string>
#include <utility>

#include "base/errors.h"
#include "filters/growing/threshold.h"
#include "filters/tamis/pairing.h"
#include "filters/tamis/parameters.h"
#include "tamis/internal/filters/shortest_text.h"
#include "tamis/tamis_filter.h"

namespace tamis {

using internal::ActiveTable;
using internal::ExtensionTable;
using internal::MemberMirror;
using internal::PlainVector;
using internal::Position;
using internal::Prefix;
using internal::QuotientTable;
using internal::Snapshot;
using internal::Violation;
using internal::VoidArray;

namespace {

constexpr TamisFilter::Options kDefaults;

using Members = TamisFilter::Members;

// Returns an array of T, copied or mapped; kCorrupt if its length is not a
// multiple of T's.
template <typename T>
Result<PlainVector<T>> ArrayOf(const Snapshot& snapshot, std::string_view name,
                               const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(const auto bytes, snapshot.Outer(name, load));
  if (bytes.size() % sizeof(T) != 0) {
    return Violation(std::string(name) + " has " +
                     std::to_string(bytes.size()) +
                     " bytes, not a multiple of " + std::to_string(sizeof(T)));
  }
  return PlainVector<T>::From(bytes);
}

Result<MemberMirror> MirrorFrom(const Snapshot& snapshot,
                                const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(PlainVector<KeyHash> all,
                         ArrayOf<KeyHash>(snapshot, "mirror", load));
  if (load.map) return MemberMirror::OfSorted(std::move(all));
  MemberMirror mirror;
  TAMIS_RETURN_IF_ERROR(mirror.Reserve(all.size()));
  for (const KeyHash hash : all) mirror.Add(hash);
  return mirror;
}

}  // namespace

Result<TamisFilter::Options> internal::TamisOptionsFrom(
    const Spec& spec, uint64_t slots, std::span<const Parameter> declared) {
  const ParameterReader read(spec, declared);
  TAMIS_RETURN_IF_ERROR(read.Check());
  TamisFilter::Options options;
  options.slots = slots;
  TAMIS_ASSIGN_OR_RETURN(options.fingerprint_bits, read.Int("f"));
  TAMIS_ASSIGN_OR_RETURN(const size_t fixed, read.Choice("grow"));
  options.grow = fixed == 0;
  TAMIS_ASSIGN_OR_RETURN(options.steps, read.Int("steps"));
  TAMIS_ASSIGN_OR_RETURN(const size_t members, read.Choice("members"));
  options.members = static_cast<Members>(members);
  TAMIS_ASSIGN_OR_RETURN(options.extension_bits, read.Number("extensions"));
  TAMIS_ASSIGN_OR_RETURN(options.threshold, read.Number("threshold"));
  TAMIS_ASSIGN_OR_RETURN(const size_t rejuvenate, read.Choice("rejuvenate"));
  options.rejuvenate_all = rejuvenate == 1;
  return options;
}

Result<TamisFilter> TamisFilter::Create(const Options& options,
                                        const Hasher& hasher) {
  TAMIS_RETURN_IF_ERROR(internal::CheckFingerprintBits(
      options.fingerprint_bits, 3, ExtensionTable::kMaxFingerprintBits));
  TAMIS_RETURN_IF_ERROR(internal::CheckThreshold(options.threshold));
  if (options.steps < 1 || options.steps > 4 || options.extension_bits < 0 ||
      options.extension_bits > 64) {
    return Status(StatusCode::kInvalidArgument,
                  "steps or extensions out of range");
  }
  if (options.slots == 0 || options.slots > internal::kMaxHomes) {
    return Status(StatusCode::kInvalidArgument,
                  "a table of " + std::to_string(options.slots) +
                      " slots; expected 1 to 2^56");
  }
  if ((options.members == Members::kSource) != bool{options.source}) {
    return Status(StatusCode::kUnsupported,
                  "members=source needs a key source, and no other takes one");
  }
  TAMIS_ASSIGN_OR_RETURN(
      ActiveTable active,
      ActiveTable::Create(
          {options.slots, options.fingerprint_bits, options.grow, 0}));
  TamisFilter filter(options, hasher, std::move(active));
  filter.limit_ = filter.Limit(filter.stage());
  return filter;
}

Result<TamisFilter> TamisFilter::Create(const Spec& spec, uint64_t slots,
                                        const Hasher& hasher,
                                        KeySourceRef source) {
  // Those that say that it is in one piece may be given too.
  const ParameterReader read(spec, internal::kShardedTamisParameters);
  TAMIS_ASSIGN_OR_RETURN(const size_t shards, read.Choice("shards"));
  TAMIS_ASSIGN_OR_RETURN(const size_t threads, read.Choice("threads"));
  if (shards != 0 || threads != 0) {
    return Status(StatusCode::kInvalidArgument,
                  "shards=split and threads=yes are other classes");
  }
  TAMIS_ASSIGN_OR_RETURN(Options options,
                         internal::TamisOptionsFrom(
                             spec, slots, internal::kShardedTamisParameters));
  if (source && !spec.Has("members")) options.members = Members::kSource;
  options.source = source;
  return Create(options, hasher);
}

Spec internal::TamisSpecOf(const TamisFilter::Options& options) {
  Spec spec("tamis");
  spec.Set("f", static_cast<uint64_t>(options.fingerprint_bits));
  if (!options.grow) spec.Set("grow", "no");
  if (options.steps != 3) {
    spec.Set("steps", static_cast<uint64_t>(options.steps));
  }
  if (options.members == Members::kCaller) spec.Set("members", "caller");
  if (options.members == Members::kSource) spec.Set("members", "source");
  if (options.extension_bits != kDefaults.extension_bits) {
    spec.Set("extensions", internal::ShortestText(options.extension_bits));
  }
  if (options.threshold != kDefaults.threshold) {
    spec.Set("threshold", internal::ShortestText(options.threshold));
  }
  if (options.rejuvenate_all) spec.Set("rejuvenate", "all");
  return spec;
}

Spec TamisFilter::spec() const { return internal::TamisSpecOf(options_); }

Snapshot TamisFilter::ToSnapshot() const {
  Snapshot snapshot(WithDefaults(spec(), internal::kTamisParameters), hasher_);
  snapshot.AddNumber("slots", options_.slots);
  snapshot.AddNumber("generation", static_cast<uint64_t>(generation_));
  snapshot.AddNumber("step", static_cast<uint64_t>(step_));
  if (phase_ != 0) {
    snapshot.AddNumber("phase", static_cast<uint64_t>(phase_));
  }
  snapshot.AddNumber("entries", active_.size());
  snapshot.AddNumber("extension_capacity", extensions_.capacity());
  snapshot.AddNumber("extension_entries", extensions_.table_size());
  snapshot.AddNumber("erases", num_erases_);
  if (turn_ != 0) snapshot.AddNumber("turn", turn_);
  snapshot.AddArray("lines", active_.table().lines());
  snapshot.AddArray("extension_lines", extensions_.lines());
  snapshot.AddArray("long_extensions", extensions_.longs());
  snapshot.AddArray("voids", voids_.entries());
  if (mirrors() && mirror_.AsList().size() == mirror_.size()) {
    snapshot.AddArray("mirror", mirror_.AsList());
  } else if (mirrors()) {
    snapshot.AddCopy("mirror", mirror_.All());
  }
  return snapshot;
}

Result<TamisFilter> TamisFilter::FromSnapshot(const Snapshot& snapshot,
                                              const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots,
                         snapshot.Number("slots", 1, internal::kMaxHomes));
  TAMIS_ASSIGN_OR_RETURN(
      Options options, internal::TamisOptionsFrom(snapshot.spec(), slots,
                                                  internal::kTamisParameters));
  if (options.members == Members::kSource) options.source = load.source;
  TAMIS_ASSIGN_OR_RETURN(
      const uint64_t generation,
      snapshot.Number("generation", 0, options.grow ? 56 : 0));
  const auto steps = static_cast<uint64_t>(options.grow ? options.steps : 1);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t step,
                         snapshot.Number("step", 0, steps - 1));
  if (slots > internal::kMaxHomes >> generation) {
    return Violation(std::to_string(slots) + " homes can't double " +
                     std::to_string(generation) + " times");
  }
  if (options.members == Members::kSource && !options.source) {
    return Status(StatusCode::kUnsupported,
                  "the filter needs the source it stands for");
  }
  // A small table first, whose numbers say what the right one looks like.
  TAMIS_ASSIGN_OR_RETURN(
      ActiveTable none,
      ActiveTable::Create({1, options.fingerprint_bits, options.grow, 0}));
  TamisFilter filter(options, snapshot.hasher(), std::move(none));
  filter.generation_ = static_cast<int>(generation);
  filter.step_ = static_cast<int>(step);
  if (snapshot.HasNumber("phase")) {
    const auto phases = static_cast<uint64_t>(filter.NumPhases());
    TAMIS_ASSIGN_OR_RETURN(const uint64_t phase,
                           snapshot.Number("phase", 0, phases - 1));
    filter.phase_ = static_cast<int>(phase);
  }
  TAMIS_RETURN_IF_ERROR(filter.LoadParts(snapshot, load));
  return internal::CheckedIfAsked(std::move(filter), load);
}

Status TamisFilter::LoadParts(const Snapshot& snapshot,
                              const LoadOptions& load) {
  limit_ = Limit(stage());
  TAMIS_ASSIGN_OR_RETURN(const uint64_t size, snapshot.Number("entries"));
  TAMIS_ASSIGN_OR_RETURN(const auto lines, snapshot.Outer("lines", load));
  const ActiveTable::Form form = FormOf(stage());
  TAMIS_ASSIGN_OR_RETURN(active_, ActiveTable::FromLines(form, size, lines));
  TAMIS_ASSIGN_OR_RETURN(
      const uint64_t capacity,
      snapshot.Number("extension_capacity", 0,
                      MaxExtensions(form.homes, Limit(stage()))));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t extended,
                         snapshot.Number("extension_entries", 0, capacity));
  TAMIS_ASSIGN_OR_RETURN(const auto extension_lines,
                         snapshot.Outer("extension_lines", load));
  TAMIS_ASSIGN_OR_RETURN(
      PlainVector<ExtensionTable::Long> longs,
      ArrayOf<ExtensionTable::Long>(snapshot, "long_extensions", load));
  TAMIS_ASSIGN_OR_RETURN(
      extensions_, ExtensionTable::FromParts(
                       ExtensionTable::Plan::For(form.homes, bits(), capacity),
                       extended, extension_lines, std::move(longs)));
  // They are few: copied and checked always.
  TAMIS_ASSIGN_OR_RETURN(PlainVector<VoidArray::Entry> voids,
                         ArrayOf<VoidArray::Entry>(snapshot, "voids", {}));
  TAMIS_RETURN_IF_ERROR(
      VoidArray::Check(options_.slots, generation_, voids.span()));
  TAMIS_ASSIGN_OR_RETURN(
      voids_, VoidArray::Create(options_.slots, generation_, std::move(voids)));
  TAMIS_ASSIGN_OR_RETURN(num_erases_, snapshot.Number("erases"));
  if (snapshot.HasNumber("turn")) {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t turn,
                           snapshot.Number("turn", 0, kTurns - 1));
    turn_ = static_cast<uint32_t>(turn);
  }
  if (!mirrors()) return {};
  TAMIS_ASSIGN_OR_RETURN(mirror_, MirrorFrom(snapshot, load));
  return {};
}

Status TamisFilter::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(active_.CheckInvariants());
  TAMIS_RETURN_IF_ERROR(extensions_.CheckInvariants());
  TAMIS_RETURN_IF_ERROR(voids_.CheckInvariants());
  TAMIS_RETURN_IF_ERROR(CheckExtensions());
  return mirrors() ? CheckMirror() : Status();
}

// (X1) is one of the extension table's own; (X3) follows from (X2).
Status TamisFilter::CheckExtensions() const {
  TAMIS_ASSIGN_OR_RETURN(const PlainVector<Prefix> all, extensions_.All());
  for (size_t i = 0; i < all.size();) {
    const Prefix full = internal::PrefixOf(all[i].low, bits());
    uint64_t under = 0;
    for (; i < all.size() && full.Covers(all[i].low); ++i) ++under;
    uint64_t equal = 0;
    active_.ForEachOf(internal::HomeOf(full.low), [&](const Prefix& entry) {
      equal += static_cast<uint64_t>(entry == full);
    });
    if (under > equal) {
      return Violation("(X2): " + std::to_string(under) + " extensions of " +
                       std::to_string(equal) + " entries at home " +
                       std::to_string(internal::HomeOf(full.low)));
    }
  }
  return {};
}

Status TamisFilter::CheckMirror() const {
  TAMIS_RETURN_IF_ERROR(mirror_.CheckInvariants());
  if (mirror_.size() != size()) {
    return Violation("(X4): the mirror has " + std::to_string(mirror_.size()) +
                     " members, there are " + std::to_string(size()) +
                     " entries");
  }
  std::vector<Position> members;
  mirror_.ForEach([&](KeyHash hash) { members.push_back(active_.Read(hash)); });
  const Prefix all = {0, internal::kStringBits - 120};
  if (internal::PairLongestFirst(EntriesIn(all), members)) return {};
  return Violation("(X4): a member of the mirror has no entry");
}

}  // namespace tamis
