#include "tamis/any_filter.h"

#include <array>
#include <cassert>
#include <concepts>
#include <string>
#include <utility>

#include "filters/registry.h"
#include "tamis/internal/filters/any_filter_model.h"

namespace tamis {

using internal::Snapshot;

namespace {

// How to make one kind of filter; one row for each entry of the registry.
struct Kind {
  std::string_view name;
  bool (*is_for)(const Spec&);
  Result<std::unique_ptr<AnyFilter::Interface>> (*create)(const Spec&, uint64_t,
                                                          const Hasher&);
  Result<std::unique_ptr<AnyFilter::Interface>> (*load)(const Snapshot&,
                                                        const LoadOptions&);
};

template <FilterType F>
Result<std::unique_ptr<AnyFilter::Interface>> Wrap(Result<F> filter) {
  if (!filter.ok()) return filter.status();
  return std::unique_ptr<AnyFilter::Interface>(
      std::make_unique<internal::AnyFilterModel<F>>(std::move(filter).value()));
}

template <typename... Entries>
constexpr auto MakeKinds(internal::TypeList<Entries...> /*registry*/) {
  return std::array<Kind, sizeof...(Entries)>{
      Kind{Entries::kName, Entries::IsFor,
           [](const Spec& spec, uint64_t slots, const Hasher& hasher) {
             return Wrap(Entries::Type::Create(spec, slots, hasher));
           },
           [](const Snapshot& snapshot, const LoadOptions& options) {
             return Wrap(Entries::Type::FromSnapshot(snapshot, options));
           }}...};
}

constexpr auto kKinds = MakeKinds(internal::Registry());

Result<Kind> FindKind(const Spec& spec) {
  for (const Kind& kind : kKinds) {
    if (kind.is_for(spec)) return kind;
  }
  std::string known;
  for (const std::string_view name : AnyFilter::KnownKinds()) {
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return Status(StatusCode::kInvalidArgument,
                "unknown filter '" + spec.name() + "'; known are " + known);
}

}  // namespace

AnyFilter::AnyFilter(std::unique_ptr<Interface> filter)
    : filter_(std::move(filter)) {}
AnyFilter::AnyFilter(AnyFilter&&) noexcept = default;
AnyFilter& AnyFilter::operator=(AnyFilter&&) noexcept = default;
AnyFilter::~AnyFilter() = default;

Result<AnyFilter> AnyFilter::Create(const Spec& spec, uint64_t slots,
                                    const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Kind kind, FindKind(spec));
  TAMIS_ASSIGN_OR_RETURN(auto filter, kind.create(spec, slots, hasher));
  return AnyFilter(std::move(filter));
}

Result<AnyFilter> AnyFilter::Create(std::string_view spec, uint64_t slots,
                                    const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Spec parsed, Spec::Parse(spec));
  return Create(parsed, slots, hasher);
}

Result<AnyFilter> AnyFilter::FromSnapshot(const Snapshot& snapshot,
                                          const LoadOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const Kind kind, FindKind(snapshot.spec()));
  TAMIS_ASSIGN_OR_RETURN(auto filter, kind.load(snapshot, options));
  return AnyFilter(std::move(filter));
}

std::vector<std::string_view> AnyFilter::KnownKinds() {
  std::vector<std::string_view> names;
  names.reserve(kKinds.size());
  for (const Kind& kind : kKinds) {
    // Classes that share a name stand side by side.
    if (names.empty() || names.back() != kind.name) names.push_back(kind.name);
  }
  return names;
}

Status AnyFilter::Insert(KeyHash hash) { return filter_->Insert(hash); }
bool AnyFilter::MayContain(KeyHash hash) const {
  return filter_->MayContain(hash);
}
void AnyFilter::MayContain(std::span<const KeyHash> hashes,
                           std::span<bool> results) const {
  filter_->MayContain(hashes, results);
}
bool AnyFilter::MayContainInteger(uint64_t key) const {
  return filter_->MayContainInteger(key);
}
bool AnyFilter::MayContain(std::string_view key) const {
  return filter_->MayContainBytes(key);
}
void AnyFilter::MayContain(std::span<const uint64_t> keys,
                           std::span<bool> results) const {
  filter_->MayContainKeys(keys, results);
}
Status AnyFilter::Erase(KeyHash hash) { return filter_->Erase(hash); }
Result<AdaptOutcome> AnyFilter::Adapt(KeyHash hash) {
  return filter_->Adapt(hash);
}
uint64_t AnyFilter::num_erases() const { return filter_->num_erases(); }
std::optional<HashRange> AnyFilter::CollisionRange(KeyHash hash) const {
  return filter_->CollisionRange(hash);
}
Result<AdaptOutcome> AnyFilter::Adapt(KeyHash absent,
                                      std::span<const KeyHash> members,
                                      uint64_t num_erases) {
  return filter_->Adapt(absent, members, num_erases);
}
Status AnyFilter::Expand() { return filter_->Expand(); }
Status AnyFilter::Contract() { return filter_->Contract(); }
Status AnyFilter::Rejuvenate(KeyHash hash) { return filter_->Rejuvenate(hash); }
Status AnyFilter::Merge(const AnyFilter& other) {
  return filter_->Merge(*other.filter_);
}
Status AnyFilter::BulkLoad(std::span<const KeyHash> hashes) {
  return filter_->BulkLoad(hashes);
}
Status AnyFilter::InsertEach(std::span<const KeyHash> hashes) {
  return filter_->InsertEach(hashes);
}
Status AnyFilter::EraseEach(std::span<const KeyHash> hashes) {
  return filter_->EraseEach(hashes);
}
uint64_t AnyFilter::CountEach(std::span<const KeyHash> hashes) const {
  return filter_->CountEach(hashes);
}
uint64_t AnyFilter::CountEach(std::span<const uint64_t> keys) const {
  return filter_->CountKeys(keys);
}
uint64_t AnyFilter::size() const { return filter_->size(); }
uint64_t AnyFilter::capacity() const { return filter_->capacity(); }
uint64_t AnyFilter::SizeBits() const { return filter_->SizeBits(); }
double AnyFilter::ExpectedFpr() const { return filter_->ExpectedFpr(); }
FilterStats AnyFilter::stats() const { return filter_->stats(); }
Spec AnyFilter::spec() const { return filter_->spec(); }
const Hasher& AnyFilter::hasher() const { return filter_->hasher(); }
Status AnyFilter::CheckInvariants() const { return filter_->CheckInvariants(); }
Capabilities AnyFilter::capabilities() const { return filter_->capabilities(); }
Snapshot AnyFilter::ToSnapshot() const { return filter_->ToSnapshot(); }

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
