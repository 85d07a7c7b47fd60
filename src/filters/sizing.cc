#include "tamis/sizing.h"

#include <array>
#include <optional>
#include <string>

#include "filters/registry.h"

namespace tamis {
namespace {

struct Formulas {
  bool (*is_for)(const Spec&);
  Result<Sizing> (*size_for)(std::string_view, uint64_t, double);
  Result<double> (*fpr_for)(const Spec&, uint64_t, uint64_t);
};

template <typename Entry>
constexpr Formulas FormulasOf() {
  using F = typename Entry::Type;
  if constexpr (SizableFilter<F>) {
    return {Entry::IsFor, F::SizeFor, F::FprFor};
  } else {
    return {Entry::IsFor, nullptr, nullptr};
  }
}

template <typename... Entries>
constexpr auto MakeFormulas(internal::TypeList<Entries...> /*registry*/) {
  return std::array{FormulasOf<Entries>()...};
}

Result<Formulas> Find(const Spec& spec) {
  static constexpr auto kAll = MakeFormulas(internal::Registry());
  for (const Formulas& one : kAll) {
    if (!one.is_for(spec)) continue;
    if (one.size_for != nullptr) return one;
    return Status(StatusCode::kUnsupported,
                  spec.name() + " has no formula to size it by");
  }
  return Status(StatusCode::kInvalidArgument,
                "unknown filter '" + spec.name() + "'");
}

}  // namespace

Result<Sizing> SizeFor(std::string_view kind, uint64_t keys, double fpr) {
  if (!(fpr > 0 && fpr < 1)) {
    return Status(StatusCode::kInvalidArgument, "a false positive rate of " +
                                                    std::to_string(fpr) +
                                                    " is not between 0 and 1");
  }
  TAMIS_ASSIGN_OR_RETURN(const Formulas formulas,
                         Find(Spec(std::string(kind))));
  return formulas.size_for(kind, keys, fpr);
}

Result<double> FprFor(const Spec& spec, uint64_t slots, uint64_t keys) {
  if (slots == 0) {
    return Status(StatusCode::kInvalidArgument, "a filter needs a slot");
  }
  if (keys > slots) {
    return Status(StatusCode::kInvalidArgument,
                  std::to_string(keys) + " keys do not fit " +
                      std::to_string(slots) + " slots");
  }
  TAMIS_ASSIGN_OR_RETURN(const Formulas formulas, Find(spec));
  return formulas.fpr_for(spec, slots, keys);
}

}  // namespace tamis
