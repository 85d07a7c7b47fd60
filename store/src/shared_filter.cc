#include "store/src/shared_filter.h"

#include <algorithm>

#include "tamis/serialize.h"

namespace tamis::internal {
namespace {

constexpr uint64_t kFirstKeys = 1000;  // of a filter that grows
constexpr double kFixedLoad = 0.95;    // of one that does not

}  // namespace

Result<std::unique_ptr<SharedFilter>> SharedFilter::Create(
    const StoreFilterOptions& options, uint64_t keys, const Hasher& hasher) {
  if (!options.grow && options.expected_keys == 0) {
    return Status(StatusCode::kInvalidArgument,
                  "a filter that does not grow needs expected_keys");
  }
  TamisFilter::Options form;
  form.fingerprint_bits = options.fingerprint_bits;
  form.grow = options.grow;
  form.members = TamisFilter::Members::kCaller;
  form.extension_bits = options.extension_bits;
  // Fuller, one that can't grow would take long to insert into.
  const double load = options.grow ? form.threshold : kFixedLoad;
  form.slots = 1 + static_cast<uint64_t>(
                       static_cast<double>(std::max(
                           {options.expected_keys, keys, kFirstKeys})) /
                       load);
  TAMIS_ASSIGN_OR_RETURN(TamisFilter filter, TamisFilter::Create(form, hasher));
  return std::make_unique<SharedFilter>(std::move(filter));
}

Result<std::vector<FilterPage>> SharedFilter::Pages() const {
  const std::shared_lock lock(mutex_);
  TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                         Serialize(filter_));
  std::vector<FilterPage> pages;
  pages.push_back(
      {kAllHashes,
       std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
  return pages;
}

Result<std::unique_ptr<SharedFilter>> SharedFilter::FromPages(
    std::vector<FilterPage> pages, bool check_invariants) {
  if (pages.size() != 1 || pages[0].range != kAllHashes) {
    return Status(StatusCode::kCorrupt, "the pages leave a gap");
  }
  TAMIS_ASSIGN_OR_RETURN(
      TamisFilter filter,
      Deserialize<TamisFilter>(std::as_bytes(std::span(pages[0].bytes)),
                               {.check_invariants = check_invariants}));
  return std::make_unique<SharedFilter>(std::move(filter));
}

}  // namespace tamis::internal
