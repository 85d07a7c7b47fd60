#include "tamis/any_filter.h"

#include <array>
#include <cassert>
#include <concepts>
#include <string>
#include <utility>

#include "filters/registry.h"

namespace tamis {

using internal::Snapshot;

class AnyFilter::Interface {
 public:
  virtual ~Interface() = default;

  virtual Status Insert(KeyHash hash) = 0;
  virtual bool MayContain(KeyHash hash) const = 0;
  virtual void MayContain(std::span<const KeyHash> hashes,
                          std::span<bool> results) const = 0;
  virtual Status Erase(KeyHash hash) = 0;
  virtual Result<AdaptOutcome> Adapt(KeyHash hash) = 0;
  virtual Status Expand() = 0;
  virtual Status Contract() = 0;
  virtual Status Merge(const Interface& other) = 0;
  virtual Status BulkLoad(std::span<const KeyHash> hashes) = 0;
  virtual Status InsertEach(std::span<const KeyHash> hashes) = 0;
  virtual Status EraseEach(std::span<const KeyHash> hashes) = 0;
  virtual uint64_t CountEach(std::span<const KeyHash> hashes) const = 0;
  virtual uint64_t size() const = 0;
  virtual uint64_t capacity() const = 0;
  virtual uint64_t SizeBits() const = 0;
  virtual double ExpectedFpr() const = 0;
  virtual FilterStats stats() const = 0;
  virtual Spec spec() const = 0;
  virtual const Hasher& hasher() const = 0;
  virtual Status CheckInvariants() const = 0;
  virtual Capabilities capabilities() const = 0;
  virtual Snapshot ToSnapshot() const = 0;
};

namespace {

template <Filter F>
class Model final : public AnyFilter::Interface {
 public:
  explicit Model(F filter) : filter_(std::move(filter)) {}

  Status Insert(KeyHash hash) override { return filter_.Insert(hash); }
  bool MayContain(KeyHash hash) const override {
    return filter_.MayContain(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const override {
    filter_.MayContain(hashes, results);
  }
  Status Erase(KeyHash hash) override {
    if constexpr (ErasableFilter<F>) return filter_.Erase(hash);
    return Unsupported("Erase");
  }
  Result<AdaptOutcome> Adapt(KeyHash hash) override {
    if constexpr (AdaptiveFilter<F>) return filter_.Adapt(hash);
    return Unsupported("Adapt");
  }
  Status Expand() override {
    if constexpr (ExpandableFilter<F>) return filter_.Expand();
    return Unsupported("Expand");
  }
  Status Contract() override {
    if constexpr (ExpandableFilter<F>) return filter_.Contract();
    return Unsupported("Contract");
  }
  Status Merge(const AnyFilter::Interface& other) override {
    if constexpr (MergeableFilter<F>) {
      if (const auto* same = dynamic_cast<const Model*>(&other)) {
        return filter_.Merge(same->filter_);
      }
      return {StatusCode::kIncompatible,
              "can't merge " + other.spec().ToString() + " into " +
                  spec().ToString() + ": not of the same kind"};
    }
    return Unsupported("Merge");
  }
  Status BulkLoad(std::span<const KeyHash> hashes) override {
    if constexpr (BulkFilter<F>) return filter_.BulkLoad(hashes);
    return InsertEach(hashes);
  }
  Status InsertEach(std::span<const KeyHash> hashes) override {
    for (const KeyHash hash : hashes) {
      TAMIS_RETURN_IF_ERROR(filter_.Insert(hash));
    }
    return {};
  }
  Status EraseEach(std::span<const KeyHash> hashes) override {
    if constexpr (ErasableFilter<F>) {
      for (const KeyHash hash : hashes) {
        TAMIS_RETURN_IF_ERROR(filter_.Erase(hash));
      }
      return {};
    }
    return Unsupported("Erase");
  }
  uint64_t CountEach(std::span<const KeyHash> hashes) const override {
    uint64_t count = 0;
    for (const KeyHash hash : hashes) count += filter_.MayContain(hash);
    return count;
  }
  uint64_t size() const override { return filter_.size(); }
  uint64_t capacity() const override { return filter_.capacity(); }
  uint64_t SizeBits() const override { return filter_.SizeBits(); }
  double ExpectedFpr() const override { return filter_.ExpectedFpr(); }
  FilterStats stats() const override { return filter_.stats(); }
  Spec spec() const override { return filter_.spec(); }
  const Hasher& hasher() const override { return filter_.hasher(); }
  Status CheckInvariants() const override { return filter_.CheckInvariants(); }
  Capabilities capabilities() const override {
    return {.erase = ErasableFilter<F>,
            .adapt = AdaptiveFilter<F>,
            .expand = ExpandableFilter<F>,
            .merge = MergeableFilter<F>,
            .bulk_load = BulkFilter<F>};
  }
  Snapshot ToSnapshot() const override { return filter_.ToSnapshot(); }

 private:
  Status Unsupported(const char* operation) const {
    return {StatusCode::kUnsupported,
            spec().name() + " has no " + operation + " operation"};
  }

  F filter_;
};

// How to make one kind of filter; one row for each entry of the registry.
struct Kind {
  std::string_view name;
  Result<std::unique_ptr<AnyFilter::Interface>> (*create)(const Spec&, uint64_t,
                                                          const Hasher&);
  Result<std::unique_ptr<AnyFilter::Interface>> (*load)(const Snapshot&);
};

template <Filter F>
Result<std::unique_ptr<AnyFilter::Interface>> Wrap(Result<F> filter) {
  if (!filter.ok()) return filter.status();
  return std::unique_ptr<AnyFilter::Interface>(
      std::make_unique<Model<F>>(std::move(filter).value()));
}

template <typename... Entries>
constexpr auto MakeKinds(internal::TypeList<Entries...> /*registry*/) {
  return std::array<Kind, sizeof...(Entries)>{
      Kind{Entries::kName,
           [](const Spec& spec, uint64_t slots, const Hasher& hasher) {
             return Wrap(Entries::Type::Create(spec, slots, hasher));
           },
           [](const Snapshot& snapshot) {
             return Wrap(Entries::Type::FromSnapshot(snapshot));
           }}...};
}

constexpr auto kKinds = MakeKinds(internal::Registry());

Result<Kind> FindKind(std::string_view name) {
  std::string known;
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return kind;
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  return Status(
      StatusCode::kInvalidArgument,
      "unknown filter '" + std::string(name) + "'; known are " + known);
}

}  // namespace

AnyFilter::AnyFilter(std::unique_ptr<Interface> filter)
    : filter_(std::move(filter)) {}
AnyFilter::AnyFilter(AnyFilter&&) noexcept = default;
AnyFilter& AnyFilter::operator=(AnyFilter&&) noexcept = default;
AnyFilter::~AnyFilter() = default;

Result<AnyFilter> AnyFilter::Create(const Spec& spec, uint64_t slots,
                                    const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Kind kind, FindKind(spec.name()));
  TAMIS_ASSIGN_OR_RETURN(auto filter, kind.create(spec, slots, hasher));
  return AnyFilter(std::move(filter));
}

Result<AnyFilter> AnyFilter::Create(std::string_view spec, uint64_t slots,
                                    const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Spec parsed, Spec::Parse(spec));
  return Create(parsed, slots, hasher);
}

Result<AnyFilter> AnyFilter::FromSnapshot(const Snapshot& snapshot) {
  TAMIS_ASSIGN_OR_RETURN(const Kind kind, FindKind(snapshot.spec().name()));
  TAMIS_ASSIGN_OR_RETURN(auto filter, kind.load(snapshot));
  return AnyFilter(std::move(filter));
}

std::vector<std::string_view> AnyFilter::KnownKinds() {
  std::vector<std::string_view> names;
  names.reserve(kKinds.size());
  for (const Kind& kind : kKinds) names.push_back(kind.name);
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
Status AnyFilter::Erase(KeyHash hash) { return filter_->Erase(hash); }
Result<AdaptOutcome> AnyFilter::Adapt(KeyHash hash) {
  return filter_->Adapt(hash);
}
Status AnyFilter::Expand() { return filter_->Expand(); }
Status AnyFilter::Contract() { return filter_->Contract(); }
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
