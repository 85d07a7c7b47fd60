#include "tamis/cached.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "filters/cached/parameters.h"
#include "filters/inner_spec.h"
#include "tamis/kind.h"

namespace tamis {

using internal::MistakeCache;
using internal::Snapshot;

namespace {

// The names of what the filter inside wrote.
constexpr std::string_view kInnerPrefix = "inner.";
constexpr std::array<std::string_view, 3> kPolicyNames = {"lru", "clock",
                                                          "topk"};

struct Settings {
  Spec inner;
  uint64_t bytes;
  MistakeCache::Policy policy;
};

Result<Settings> SettingsOf(const Spec& spec) {
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  const ParameterReader read(spec, internal::kCachedParameters);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t bytes, read.Whole("bytes"));
  TAMIS_ASSIGN_OR_RETURN(const size_t policy, read.Choice("policy"));
  TAMIS_ASSIGN_OR_RETURN(Spec inner, internal::InnerOf(spec, *kind));
  if (inner.name() == spec.name()) {
    return Status(StatusCode::kInvalidArgument,
                  "cached(" + spec.inner() +
                      ") is a cache around a cache; expected one around a "
                      "filter, such as cached(bloom)");
  }
  return Settings{std::move(inner), bytes,
                  static_cast<MistakeCache::Policy>(policy)};
}

// A filter that learns needs no cache, and would have to be told twice.
Status ExpectStatic(const AnyFilter& filter) {
  if (!filter.capabilities().adapt) return {};
  return {StatusCode::kInvalidArgument,
          "cached(" + filter.spec().ToString() + "): " + filter.spec().name() +
              " learns by itself; expected a filter that does not, such as "
              "cached(bloom)"};
}

}  // namespace

Result<CachedFilter> CachedFilter::Create(const Spec& spec, uint64_t slots,
                                          const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Settings settings, SettingsOf(spec));
  TAMIS_ASSIGN_OR_RETURN(AnyFilter inner,
                         AnyFilter::Create(settings.inner, slots, hasher));
  TAMIS_RETURN_IF_ERROR(ExpectStatic(inner));
  TAMIS_ASSIGN_OR_RETURN(MistakeCache cache,
                         MistakeCache::Create(settings.bytes, settings.policy));
  return CachedFilter(std::move(inner), std::move(cache), settings.bytes);
}

Status CachedFilter::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(filter_.Insert(hash));
  cache_.Remove(hash);
  return {};
}

Status CachedFilter::BulkLoad(std::span<const KeyHash> hashes) {
  const Status status = filter_.BulkLoad(hashes);
  // Without a bulk load of its own a filter keeps those before the one that
  // failed: none of them may stay hidden.
  if (!status.ok() && filter_.capabilities().bulk_load) return status;
  for (const KeyHash hash : hashes) cache_.Remove(hash);
  return status;
}

Status CachedFilter::Erase(KeyHash hash) {
  if (filter_.capabilities().erase && cache_.Contains(hash)) {
    return {StatusCode::kNotFound, "the key is a known false positive"};
  }
  return filter_.Erase(hash);
}

Status CachedFilter::Merge(const CachedFilter& other) {
  TAMIS_RETURN_IF_ERROR(filter_.Merge(other.filter_));
  // What the other one's cache has is no member of it either.
  cache_.RemoveIf([&](KeyHash hash) {
    return other.filter_.MayContain(hash) && !other.cache_.Contains(hash);
  });
  return {};
}

void CachedFilter::MayContain(std::span<const KeyHash> hashes,
                              std::span<bool> results) const {
  filter_.MayContain(hashes, results);
  for (size_t i = 0; i < hashes.size(); ++i) {
    if (results[i]) results[i] = !cache_.Find(hashes[i]);
  }
}

Result<AdaptOutcome> CachedFilter::Adapt(KeyHash absent) {
  if (!MayContain(absent)) return AdaptOutcome::kNothingToFix;
  if (!cache_.Add(absent)) return AdaptOutcome::kNotFixed;
  ++adapts_;
  return AdaptOutcome::kFixed;
}

FilterStats CachedFilter::stats() const {
  FilterStats stats = filter_.stats();
  stats.size_bits = SizeBits();
  stats.details.emplace_back("adapts", static_cast<double>(adapts_));
  stats.details.emplace_back("cache entries",
                             static_cast<double>(cache_.entries()));
  stats.details.emplace_back("cached mistakes",
                             static_cast<double>(cache_.used()));
  return stats;
}

Spec CachedFilter::WithInner(const Spec& inner) const {
  // What a spec prints can be read again, in parentheses too.
  Spec spec = Spec::Parse("cached(" + inner.ToString() + ")").value();
  const auto& [bytes, policy] = internal::kCachedParameters;
  const auto name = kPolicyNames[static_cast<size_t>(cache_.policy())];
  if (cache_bytes_ != bytes.whole) spec.Set("bytes", cache_bytes_);
  if (name != policy.Default()) spec.Set("policy", std::string(name));
  return spec;
}

Spec CachedFilter::spec() const { return WithInner(filter_.spec()); }

Capabilities CachedFilter::capabilities() const {
  const Capabilities inner = filter_.capabilities();
  return {.erase = inner.erase,
          .adapt = true,
          .merge = inner.merge,
          .bulk_load = inner.bulk_load};
}

Status CachedFilter::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(filter_.CheckInvariants());
  return cache_.CheckInvariants();
}

Snapshot CachedFilter::ToSnapshot() const {
  const auto inner = std::make_shared<Snapshot>(filter_.ToSnapshot());
  Snapshot snapshot(
      WithDefaults(WithInner(inner->spec()), internal::kCachedParameters),
      hasher());
  snapshot.AddNumber("adapts", adapts_);
  snapshot.AddCopy("cache", cache_.Words());
  if (cache_.policy() == MistakeCache::Policy::kTopK) {
    snapshot.AddCopy("counts", cache_.Counts());
  }
  for (const auto& [name, value] : inner->numbers()) {
    snapshot.AddNumber(std::string(kInnerPrefix) + name, value);
  }
  for (const auto& [name, bytes] : inner->arrays()) {
    snapshot.AddArray(std::string(kInnerPrefix) + name, bytes);
  }
  snapshot.set_owner(inner);  // which keeps what it had to copy
  return snapshot;
}

namespace {

// Returns what the filter inside wrote.
Snapshot InnerOf(const Snapshot& snapshot, const Spec& spec) {
  Snapshot inner(spec, snapshot.hasher());
  inner.set_version(snapshot.version());
  inner.set_owner(snapshot.owner());
  for (const auto& [name, value] : snapshot.numbers()) {
    if (!name.starts_with(kInnerPrefix)) continue;
    inner.AddNumber(name.substr(kInnerPrefix.size()), value);
  }
  for (const auto& [name, bytes] : snapshot.arrays()) {
    if (!name.starts_with(kInnerPrefix)) continue;
    inner.AddArray(name.substr(kInnerPrefix.size()), bytes);
  }
  return inner;
}

}  // namespace

Result<CachedFilter> CachedFilter::FromSnapshot(const Snapshot& snapshot,
                                                const LoadOptions& options) {
  if (options.map) {
    return Status(StatusCode::kUnsupported, "a cached filter can't be mapped");
  }
  TAMIS_ASSIGN_OR_RETURN(const Settings settings, SettingsOf(snapshot.spec()));
  TAMIS_ASSIGN_OR_RETURN(
      AnyFilter inner,
      AnyFilter::FromSnapshot(InnerOf(snapshot, settings.inner), options));
  TAMIS_RETURN_IF_ERROR(ExpectStatic(inner));
  TAMIS_ASSIGN_OR_RETURN(const auto words, snapshot.Array("cache"));
  std::span<const std::byte> counts;
  if (settings.policy == MistakeCache::Policy::kTopK) {
    TAMIS_ASSIGN_OR_RETURN(counts, snapshot.Array("counts"));
  }
  TAMIS_ASSIGN_OR_RETURN(
      MistakeCache cache,
      MistakeCache::FromBytes(settings.bytes, settings.policy, words, counts));
  CachedFilter filter(std::move(inner), std::move(cache), settings.bytes);
  TAMIS_ASSIGN_OR_RETURN(filter.adapts_, snapshot.Number("adapts"));
  // The filter inside has been checked as it was made.
  if (options.check_invariants) {
    TAMIS_RETURN_IF_ERROR(filter.cache_.CheckInvariants());
  }
  return filter;
}

}  // namespace tamis
