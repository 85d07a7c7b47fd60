#include "tools/common/check_spec.h"

#include "tamis/any_filter.h"

namespace tamis::tools {

Status CheckSpec(const Spec& spec) {
  constexpr uint64_t kSlots = 100;
  const Status made = AnyFilter::Create(spec, kSlots, Hasher(Seed{})).status();
  return made.code() == StatusCode::kInvalidArgument ? made : Status();
}

}  // namespace tamis::tools
