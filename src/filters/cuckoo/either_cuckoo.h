// EitherCuckoo: the one class behind the spec name "cuckoo".
//
// cuckoo:f=12 is a CuckooFilter, cuckoo:f=12,k=4,b=1 a KeyedCuckooFilter.  The
// registry wants one class for a name; this one holds either and passes every
// call on.

#ifndef TAMIS_FILTERS_CUCKOO_EITHER_CUCKOO_H_
#define TAMIS_FILTERS_CUCKOO_EITHER_CUCKOO_H_

#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include "tamis/cuckoo.h"

namespace tamis::internal {

class EitherCuckoo {
  // First, because the functions below return what it returns.
  template <typename Function>
  auto Visit(Function function) const {
    return std::visit(function, filter_);
  }

 public:
  static Result<EitherCuckoo> Create(const Spec& spec, uint64_t slots,
                                     const Hasher& hasher) {
    if (!IsKeyed(spec)) {
      return Wrap(CuckooFilter::Create(spec, slots, hasher));
    }
    return Wrap(KeyedCuckooFilter::Create(spec, slots, hasher));
  }
  static Result<EitherCuckoo> FromSnapshot(const Snapshot& snapshot) {
    if (!IsKeyed(snapshot.spec())) {
      return Wrap(CuckooFilter::FromSnapshot(snapshot));
    }
    return Wrap(KeyedCuckooFilter::FromSnapshot(snapshot));
  }

  bool MayContain(KeyHash hash) const {
    if (const auto* classic = std::get_if<CuckooFilter>(&filter_)) {
      return classic->MayContain(hash);
    }
    return std::get_if<KeyedCuckooFilter>(&filter_)->MayContain(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    Visit([&](const auto& filter) { filter.MayContain(hashes, results); });
  }
  Status Insert(KeyHash hash) {
    return std::visit([&](auto& filter) { return filter.Insert(hash); },
                      filter_);
  }
  Status Erase(KeyHash hash) {
    return std::visit([&](auto& filter) { return filter.Erase(hash); },
                      filter_);
  }
  uint64_t size() const {
    return Visit([](const auto& filter) { return filter.size(); });
  }
  uint64_t capacity() const {
    return Visit([](const auto& filter) { return filter.capacity(); });
  }
  uint64_t SizeBits() const {
    return Visit([](const auto& filter) { return filter.SizeBits(); });
  }
  double ExpectedFpr() const {
    return Visit([](const auto& filter) { return filter.ExpectedFpr(); });
  }
  FilterStats stats() const {
    return Visit([](const auto& filter) { return filter.stats(); });
  }
  Spec spec() const {
    return Visit([](const auto& filter) { return filter.spec(); });
  }
  const Hasher& hasher() const {
    return std::visit(
        [](const auto& filter) -> const Hasher& { return filter.hasher(); },
        filter_);
  }
  Status CheckInvariants() const {
    return Visit([](const auto& filter) { return filter.CheckInvariants(); });
  }
  Snapshot ToSnapshot() const {
    return Visit([](const auto& filter) { return filter.ToSnapshot(); });
  }

 private:
  using Either = std::variant<CuckooFilter, KeyedCuckooFilter>;
  explicit EitherCuckoo(Either filter) : filter_(std::move(filter)) {}

  static bool IsKeyed(const Spec& spec) {
    return spec.Has("k") || spec.Has("b");
  }
  template <typename F>
  static Result<EitherCuckoo> Wrap(Result<F> filter) {
    if (!filter.ok()) return filter.status();
    return EitherCuckoo(std::move(filter).value());
  }
  Either filter_;
};
static_assert(ErasableFilter<EitherCuckoo>);

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_CUCKOO_EITHER_CUCKOO_H_
