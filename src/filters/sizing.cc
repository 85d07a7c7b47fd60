#include "tamis/sizing.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/errors.h"
#include "filters/model_filter.h"
#include "tamis/internal/filters/shortest_text.h"
#include "tamis/kind.h"

namespace tamis {

using internal::Bad;
using internal::ModelFilter;

namespace {

constexpr uint64_t kModelKeys = 4096;
constexpr uint64_t kLeastModelSlots = 512;
constexpr uint64_t kMostModelKeys = uint64_t{1} << 22;

const Hasher& ModelHasher() {
  static const Hasher kHasher(Seed{.low = 1, .high = 0});
  return kHasher;
}

const Parameter* FindParameter(const Kind& kind, std::string_view name) {
  const auto found = std::ranges::find(kind.parameters, name, &Parameter::name);
  return found == kind.parameters.end() ? nullptr : &*found;
}

// The values of the parameter that is to be chosen, the smallest filter first.
std::vector<std::string> ValuesOf(const Parameter& open) {
  std::vector<std::string> values;
  if (open.type == Parameter::Type::kWhole) {
    for (uint64_t v = open.whole_limits.min; v <= open.whole_limits.max; ++v) {
      values.push_back(std::to_string(v));
    }
    return values;
  }
  constexpr double kStep = 0.25;
  constexpr double kMostBits = 128;
  const double most = std::min(kMostBits, open.number_limits.max);
  for (double v = std::max(kStep, open.number_limits.min); v <= most;
       v += kStep) {
    values.push_back(internal::ShortestText(v));
  }
  return values;
}

// For kinds without a formula of their own.
Result<Sizing> SearchSizing(const Kind& kind, uint64_t keys, double fpr) {
  const Parameter* open = FindParameter(kind, kind.open);
  if (open == nullptr) {
    return Status(StatusCode::kUnsupported,
                  std::string(kind.name) + " has no parameter to size it by");
  }
  const uint64_t some_keys = std::max<uint64_t>(1, keys);
  double rate = 1;
  for (const std::string& value : ValuesOf(*open)) {
    const Spec spec = Spec(std::string(kind.name)).Set(open->name, value);
    TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, SlotsFor(spec, some_keys));
    TAMIS_ASSIGN_OR_RETURN(rate, FprFor(spec, slots, some_keys));
    if (rate <= fpr) return Sizing{spec, slots, rate};
  }
  return Bad(std::string(kind.name) +
             " can't reach so low a rate: the best is " +
             internal::ShortestText(rate));
}

}  // namespace

Result<ModelFilter> ModelFilter::Make(const Spec& spec, uint64_t slots,
                                      uint64_t keys) {
  const double ratio = static_cast<double>(keys) / static_cast<double>(slots);
  const double least_keys = std::ceil(ratio * kLeastModelSlots);
  if (least_keys > static_cast<double>(kMostModelKeys)) {
    return Status(StatusCode::kUnsupported,
                  std::to_string(keys) + " keys in a filter made for " +
                      std::to_string(slots) + " are too many to model");
  }
  const uint64_t model_keys =
      std::min(keys, std::max(kModelKeys, static_cast<uint64_t>(least_keys)));
  const double scale =
      keys == 0 ? 1
                : static_cast<double>(keys) / static_cast<double>(model_keys);
  const auto model_slots =
      static_cast<uint64_t>(std::ceil(static_cast<double>(slots) / scale));
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         AnyFilter::Create(spec, model_slots, ModelHasher()));
  std::vector<KeyHash> hashes;
  hashes.reserve(model_keys);
  for (uint64_t i = 0; i < model_keys; ++i) {
    hashes.push_back(ModelHasher().Hash(i));
  }
  TAMIS_RETURN_IF_ERROR(IsStatic(spec) ? filter.BulkLoad(hashes)
                                       : filter.InsertEach(hashes));
  return ModelFilter{std::move(filter), scale};
}

Result<double> internal::ModelFpr(const Spec& spec, uint64_t slots,
                                  uint64_t keys) {
  TAMIS_ASSIGN_OR_RETURN(const ModelFilter model,
                         ModelFilter::Make(spec, slots, keys));
  return model.filter.ExpectedFpr();
}

uint64_t internal::LeastSlots(uint64_t keys, double load) {
  return static_cast<uint64_t>(std::ceil(static_cast<double>(keys) / load));
}

Result<Sizing> SizeFor(std::string_view kind, uint64_t keys, double fpr) {
  if (!(fpr > 0 && fpr < 1)) {
    return Bad("a false positive rate of " + internal::ShortestText(fpr) +
               " is not between 0 and 1");
  }
  TAMIS_ASSIGN_OR_RETURN(const Kind* row, FindKind(Spec(std::string(kind))));
  if (row->size_for != nullptr) return row->size_for(kind, keys, fpr);
  if (!row->inner.empty()) {
    return SizeFor(Spec(std::string(kind)),
                   {.keys = std::max<uint64_t>(1, keys), .fpr = fpr});
  }
  return SearchSizing(*row, keys, fpr);
}

Result<double> FprFor(const Spec& spec, uint64_t slots, uint64_t keys) {
  if (slots == 0) return Bad("a filter needs a slot");
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  if (keys > slots && !kind->capabilities.expand) {
    return Bad(std::to_string(keys) + " keys do not fit " +
               std::to_string(slots) + " slots");
  }
  if (kind->fpr_for != nullptr) return kind->fpr_for(spec, slots, keys);
  return internal::ModelFpr(spec, slots, keys);
}

Result<uint64_t> SizeBitsFor(const Spec& spec, uint64_t slots) {
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  if (kind->size_bits_for != nullptr) return kind->size_bits_for(spec, slots);
  TAMIS_ASSIGN_OR_RETURN(const AnyFilter filter,
                         AnyFilter::Create(spec, slots, ModelHasher()));
  return filter.SizeBits();
}

Result<uint64_t> SizeBitsFor(const Spec& spec, uint64_t slots, uint64_t keys) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t enough, SlotsFor(spec, keys));
  if (enough <= slots) return SizeBitsFor(spec, slots);
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  if (!kind->capabilities.expand) {
    return Bad(std::to_string(keys) + " keys do not fit " +
               std::to_string(slots) + " slots");
  }
  TAMIS_ASSIGN_OR_RETURN(const ModelFilter model,
                         ModelFilter::Make(spec, slots, keys));
  return static_cast<uint64_t>(static_cast<double>(model.filter.SizeBits()) *
                               model.scale);
}

Result<uint64_t> SlotsFor(const Spec& spec, uint64_t keys) {
  constexpr double kMostSlots = 0x1p60;
  if (!spec.inner().empty()) {
    TAMIS_ASSIGN_OR_RETURN(const Spec inner, Spec::Parse(spec.inner()));
    return SlotsFor(inner, keys);
  }
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  double load = kind->max_load;
  uint64_t spare = kind->spare_slots;
  if (FindParameter(*kind, "threshold") != nullptr) {
    TAMIS_ASSIGN_OR_RETURN(
        load, ParameterReader(spec, kind->parameters).Number("threshold"));
    spare = 1;  // the threshold times the slots is rounded down
  }
  if (static_cast<double>(keys) / load > kMostSlots) {
    return Bad(std::to_string(keys) + " keys are beyond any filter");
  }
  return std::max<uint64_t>(1, internal::LeastSlots(keys, load)) + spare;
}

}  // namespace tamis
