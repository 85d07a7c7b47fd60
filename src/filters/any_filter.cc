#include "tamis/any_filter.h"

#include <string>

#include "tamis/by_key.h"
#include "tamis/kind.h"
#include "tamis/sizing.h"

namespace tamis {

Result<AnyFilter> AnyFilter::Create(const Spec& spec,
                                    const CreateOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  if (options.slots != 0 || options.keys == 0) {
    return kind->create(spec, options);
  }
  CreateOptions sized = options;
  TAMIS_ASSIGN_OR_RETURN(sized.slots, SlotsFor(spec, options.keys));
  return kind->create(spec, sized);
}

Result<AnyFilter> AnyFilter::Create(std::string_view spec,
                                    const CreateOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const Spec parsed, Spec::Parse(spec));
  return Create(parsed, options);
}

Result<AnyFilter> AnyFilter::Create(const Spec& spec, uint64_t slots,
                                    const Hasher& hasher) {
  return Create(spec, CreateOptions{.slots = slots, .hasher = hasher});
}

Result<AnyFilter> AnyFilter::Create(std::string_view spec, uint64_t slots,
                                    const Hasher& hasher) {
  return Create(spec, CreateOptions{.slots = slots, .hasher = hasher});
}

Result<AnyFilter> AnyFilter::FromSnapshot(const internal::Snapshot& snapshot,
                                          const LoadOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(snapshot.spec()));
  return kind->load(snapshot, options);
}

std::vector<std::string_view> AnyFilter::KnownKinds() {
  std::vector<std::string_view> names;
  for (const Kind& kind : AllKinds()) {
    // Those that share a name stand side by side.
    if (names.empty() || names.back() != kind.name) names.push_back(kind.name);
  }
  return names;
}

Status AnyFilter::Interface::Unsupported(std::string_view operation) const {
  return {StatusCode::kUnsupported,
          spec().name() + " has no " + std::string(operation) + " operation"};
}

Status AnyFilter::Interface::Erase(KeyHash /*hash*/) {
  return Unsupported("Erase");
}
Result<AdaptOutcome> AnyFilter::Interface::Adapt(KeyHash /*hash*/) {
  return Unsupported("Adapt");
}
uint64_t AnyFilter::Interface::num_erases() const { return 0; }
std::optional<HashRange> AnyFilter::Interface::CollisionRange(
    KeyHash /*hash*/) const {
  return std::nullopt;
}
Result<AdaptOutcome> AnyFilter::Interface::Adapt(
    KeyHash /*absent*/, std::span<const KeyHash> /*members*/,
    uint64_t /*num_erases*/) {
  return Unsupported("Adapt with members");
}
Result<AdaptOutcome> AnyFilter::Interface::AdaptIfProven(KeyHash /*hash*/) {
  return Unsupported("AdaptIfProven");
}
Status AnyFilter::Interface::Expand() { return Unsupported("Expand"); }
Status AnyFilter::Interface::Contract() { return Unsupported("Contract"); }
Status AnyFilter::Interface::Rejuvenate(KeyHash /*hash*/) {
  return Unsupported("Rejuvenate");
}
Status AnyFilter::Interface::Rejuvenate(std::span<const KeyHash> /*hashes*/) {
  return Unsupported("Rejuvenate");
}
Status AnyFilter::Interface::Merge(const Interface& /*other*/) {
  return Unsupported("Merge");
}
Status AnyFilter::Interface::Rebuild(uint64_t /*seed*/) {
  return Unsupported("Rebuild");
}
Status AnyFilter::Interface::RebuildTo(uint64_t /*slots*/) {
  return Unsupported("RebuildTo");
}
Result<uint64_t> AnyFilter::Interface::Count(KeyHash /*hash*/) const {
  return Unsupported("Count");
}
void AnyFilter::Interface::PrefetchInsert(KeyHash /*hash*/) const {}

Status AnyFilter::Interface::BulkLoad(std::span<const KeyHash> hashes) {
  return InsertEach(hashes);
}
Status AnyFilter::Interface::InsertEach(std::span<const KeyHash> hashes) {
  for (const KeyHash hash : hashes) TAMIS_RETURN_IF_ERROR(Insert(hash));
  return {};
}
Status AnyFilter::Interface::EraseEach(std::span<const KeyHash> hashes) {
  if (!capabilities().erase) return Unsupported("Erase");
  for (const KeyHash hash : hashes) TAMIS_RETURN_IF_ERROR(Erase(hash));
  return {};
}
uint64_t AnyFilter::Interface::CountEach(
    std::span<const KeyHash> hashes) const {
  uint64_t count = 0;
  for (const KeyHash hash : hashes) count += MayContain(hash) ? 1 : 0;
  return count;
}
bool AnyFilter::Interface::MayContainInteger(uint64_t key) const {
  return MayContainKey(*this, key);
}
bool AnyFilter::Interface::MayContainBytes(std::string_view key) const {
  return MayContainKey(*this, key);
}
void AnyFilter::Interface::MayContainKeys(std::span<const uint64_t> keys,
                                          std::span<bool> results) const {
  tamis::MayContainKeys(*this, keys, results);
}
uint64_t AnyFilter::Interface::CountKeys(std::span<const uint64_t> keys) const {
  return tamis::CountKeys(*this, keys);
}

std::string_view ToString(AdaptOutcome outcome) {
  switch (outcome) {
    case AdaptOutcome::kFixed:
      return "fixed";
    case AdaptOutcome::kNothingToFix:
      return "nothing to fix";
    case AdaptOutcome::kReset:
      return "fixed, code group reset";
    case AdaptOutcome::kNotFixed:
      return "not fixed";
  }
  return "unknown";
}

}  // namespace tamis
