#include "workloads/growth.h"

#include <cassert>
#include <utility>

namespace tamis::workloads {

GrowthStream::GrowthStream(const Options& options)
    : options_(options), random_(options.seed) {
  assert(options.erase_share >= 0 && options.erase_share <= 1);
}

Operation GrowthStream::Next() {
  const bool erase = random_.Unit() <= options_.erase_share;
  return erase && size() > 0 ? Erase() : Insert();
}

Operation GrowthStream::Insert() {
  const uint64_t index = inserted_++;
  if (options_.order == EraseOrder::kRandom) members_.push_back(index);
  return {Operation::Kind::kInsert, KeyOf(index)};
}

Operation GrowthStream::Erase() {
  uint64_t index = erased_++;
  if (options_.order == EraseOrder::kRandom) {
    // The last member takes the place of the one that goes.
    const uint64_t victim = random_.Below(members_.size());
    index = std::exchange(members_[victim], members_.back());
    members_.pop_back();
  }
  return {Operation::Kind::kErase, KeyOf(index)};
}

Result<GrowthStream> MakeGrowth(const Spec& spec) {
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"seed", "erase", "order"}));
  GrowthStream::Options options;
  TAMIS_ASSIGN_OR_RETURN(options.seed,
                         spec.Integer("seed", options.seed, 0, ~uint64_t{0}));
  TAMIS_ASSIGN_OR_RETURN(options.erase_share,
                         spec.Number("erase", options.erase_share, 0, 1));
  TAMIS_ASSIGN_OR_RETURN(const size_t order,
                         spec.Choice("order", {"random", "oldest"}));
  options.order = order == 0 ? GrowthStream::EraseOrder::kRandom
                             : GrowthStream::EraseOrder::kOldest;
  return GrowthStream(options);
}

}  // namespace tamis::workloads
