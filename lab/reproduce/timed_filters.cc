#include "lab/reproduce/timed_filters.h"

#include <bit>
#include <memory>
#include <utility>

#include "tamis/internal/filters/any_filter_model.h"
#include "tamis/internal/filters/quotient/adaptive_quotient.h"

namespace tamis::internal {
namespace {

// Decodes all letters of a group before it compares a slot of it.
template <typename Shape, typename Filter>
class DecodingMatcher {
 public:
  struct Query {
    uint64_t home;
    KeyHash hash;
  };

  DecodingMatcher(const Shape& shape, const Filter& filter)
      : shape_(shape), filter_(&filter) {}

  Query Prepare(KeyHash hash) const {
    return {Place(hash, filter_->table().homes()).home, hash};
  }
  bool Match(const std::byte* line, uint64_t line_index, uint64_t run,
             const Query& query) const {
    if (run == 0) return false;
    const HashString string(query.hash, filter_->table().homes());
    const uint64_t first = shape_.FirstSlot(line_index);
    uint64_t group = GroupOf(first + FirstOf(run));
    GroupLetters letters = filter_->letters().Group(group);
    for (; run != 0; run &= run - 1) {
      const uint64_t slot = first + FirstOf(run);
      if (GroupOf(slot) != group) {
        group = GroupOf(slot);
        letters = filter_->letters().Group(group);
      }
      if (SelectorWindows<kMaxSelector>::Matches(
              string, shape_.width(), letters.at(PlaceInGroup(slot)),
              shape_.ReadSlot(line, std::countr_zero(run)))) {
        return true;
      }
    }
    return false;
  }

 private:
  static unsigned FirstOf(uint64_t run) {
    return static_cast<unsigned>(std::countr_zero(run));
  }

  [[no_unique_address]] Shape shape_;
  const Filter* filter_;
};

struct DecodingTafTraits : TafTraits {
  template <typename Shape, typename Filter>
  using Matcher = DecodingMatcher<Shape, Filter>;
  template <typename Shape, typename Filter, typename Use>
  static auto WithMatcher(const Shape& shape, const Filter& filter, Use use) {
    return use(DecodingMatcher<Shape, Filter>(shape, filter));
  }
};

// TAF's windows, screen and marks, with a byte a slot for the selector.
struct ScreenedUtafTraits : SelectorWindows<kMaxSelector> {
  static constexpr std::string_view kName = UtafTraits::kName;
  static constexpr SchemeOptions kOptions = {};
  static constexpr int kMinWidth = TafTraits::kMinWidth;
  static constexpr int kMaxWidth = TafTraits::kMaxWidth;

  using Letters = PlainLetters;
  template <typename Shape, typename Filter>
  using Matcher = SelectorMatcher<Shape, Filter>;
  template <typename Shape, typename Filter, typename Use>
  static auto WithMatcher(const Shape& shape, const Filter& filter, Use use) {
    return TafTraits::WithMatcher(shape, filter, std::move(use));
  }

  static constexpr bool MarksLines(int width) {
    return TafTraits::MarksLines(width);
  }
  static Result<Letters> CreateLetters(uint64_t slots,
                                       const AdaptiveOptions& /*options*/) {
    return PlainLetters::Create(slots);
  }
};

}  // namespace

template class AdaptiveQuotient<DecodingTafTraits>;
template class AdaptiveQuotient<ScreenedUtafTraits>;

}  // namespace tamis::internal

namespace tamis::tools {
namespace {

template <typename Traits>
Result<AnyFilter> CreateOf(const Spec& spec, uint64_t slots,
                           const Hasher& hasher) {
  using Filter = internal::AdaptiveQuotient<Traits>;
  TAMIS_ASSIGN_OR_RETURN(Filter filter, Filter::Create(spec, slots, hasher));
  return AnyFilter(
      std::make_unique<internal::AnyFilterModel<Filter>>(std::move(filter)));
}

}  // namespace

Result<AnyFilter> CreateTimed(std::string_view spec, uint64_t slots,
                              const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Spec parsed, Spec::Parse(spec));
  if (parsed.name() == "taf-decoding") {
    return CreateOf<internal::DecodingTafTraits>(parsed, slots, hasher);
  }
  if (parsed.name() == "utaf-screened") {
    return CreateOf<internal::ScreenedUtafTraits>(parsed, slots, hasher);
  }
  return AnyFilter::Create(parsed, slots, hasher);
}

}  // namespace tamis::tools
