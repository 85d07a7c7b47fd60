#include "tools/compare/keys_in.h"

#include <algorithm>
#include <string>

#include "tamis/kind.h"
#include "tools/common/parse.h"

namespace tamis::tools {
namespace {

constexpr std::string_view kMembers = "members";
constexpr std::string_view kCaller = "caller";

bool MayAskCaller(const Kind& kind) {
  return std::ranges::any_of(kind.parameters, [](const Parameter& one) {
    if (one.name != kMembers) return false;
    const auto choices = one.Choices();
    return std::ranges::find(choices, kCaller) != choices.end();
  });
}

}  // namespace

std::string_view ToString(KeysIn keys_in) {
  return keys_in == KeysIn::kStore ? "store" : "ram";
}

Result<KeysIn> ParseKeysIn(std::string_view text) {
  for (const KeysIn one : {KeysIn::kRam, KeysIn::kStore}) {
    if (text == ToString(one)) return one;
  }
  return UsageError("--keys-in is '" + std::string(text) +
                    "'; expected ram or store");
}

Spec SpecFor(const Spec& spec, KeysIn keys_in) {
  const Result<const Kind*> kind = FindKind(spec);
  if (!kind.ok() || spec.Has(kMembers) || !MayAskCaller(**kind)) return spec;
  const bool grows = (*kind)->capabilities.expand;
  if (keys_in == KeysIn::kUncounted) return spec;
  if (keys_in == KeysIn::kRam && !grows) return spec;
  return Spec(spec).Set(kMembers, std::string(kCaller));
}

bool AsksCaller(const AnyFilter& filter) {
  const Result<std::string> members = filter.spec().Text(kMembers);
  return members.ok() && *members == kCaller;
}

bool CanLearn(const AnyFilter& filter, KeysIn keys_in) {
  return filter.capabilities().adapt &&
         (keys_in == KeysIn::kStore || !AsksCaller(filter));
}

}  // namespace tamis::tools
