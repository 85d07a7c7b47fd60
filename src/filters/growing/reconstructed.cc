#include "filters/growing/reconstructed.h"

#include <utility>
#include <vector>

#include "filters/growing/threshold.h"

namespace tamis {

Result<Reconstructed> Reconstructed::Create(const Options& options,
                                            Source source,
                                            const Hasher& hasher) {
  TAMIS_RETURN_IF_ERROR(internal::CheckThreshold(options.threshold));
  TAMIS_ASSIGN_OR_RETURN(
      Rsqf filter, Rsqf::Create({.slots = options.slots,
                                 .remainder_bits = options.fingerprint_bits},
                                hasher));
  return Reconstructed(options, std::move(source), std::move(filter));
}

Status Reconstructed::Insert(KeyHash hash) {
  const uint64_t slots = filter_.capacity();
  if (size() < internal::ThresholdLimit(options_.threshold, slots)) {
    return filter_.Insert(hash);
  }
  return Rebuild(2 * slots);  // the new key comes from the source
}

Status Reconstructed::Rebuild(uint64_t slots) {
  std::vector<KeyHash> hashes;
  TAMIS_RETURN_IF_ERROR(source_([&](KeyHash hash) { hashes.push_back(hash); }));
  TAMIS_ASSIGN_OR_RETURN(
      Rsqf filter, Rsqf::Create({.slots = slots,
                                 .remainder_bits = options_.fingerprint_bits},
                                filter_.hasher()));
  TAMIS_RETURN_IF_ERROR(filter.BulkLoad(hashes));
  filter_ = std::move(filter);
  return {};
}

}  // namespace tamis
