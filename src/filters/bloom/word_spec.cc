#include "filters/bloom/word_spec.h"

#include <algorithm>
#include <array>

#include "tamis/bloom_math.h"

namespace tamis::internal {
namespace {

constexpr double kDefaultBits = 8;

// Returns the k that suits a full filter.  The bit array is judged as a
// classic filter, the others as Bloom-1.
unsigned DefaultK(const BloomSizing& sizing, const WordShape& shape,
                  WordForm form, unsigned least) {
  const double bits = sizing.bits_per_key;
  const int best = form == WordForm::kBitArray
                       ? std::min(kMaxWordK, BestBloomK(bits))
                       : BestWordK(static_cast<int>(shape.usable_bits),
                                   shape.word_bits / bits, kMaxWordK);
  return std::max(least, static_cast<unsigned>(best));
}

}  // namespace

Result<WordSpec> WordSpec::Parse(const Spec& spec, uint64_t slots,
                                 WordForm form, unsigned selector_bits) {
  constexpr std::array<unsigned, 4> kWidths = {64, 128, 256, 512};
  WordSpec read;
  TAMIS_ASSIGN_OR_RETURN(read.sizing,
                         BloomSizing::Parse(spec, slots, kDefaultBits));
  TAMIS_ASSIGN_OR_RETURN(const size_t width,
                         spec.Choice("w", {"64", "128", "256", "512"}));
  read.shape = WordShape(kWidths[width], selector_bits);
  uint64_t j = 1;
  if (form == WordForm::kSomeWords) {
    TAMIS_ASSIGN_OR_RETURN(j, spec.Integer("j", 2, 2, 4));
  }
  const unsigned best = spec.Has("k") ? 0
                                      : DefaultK(read.sizing, read.shape, form,
                                                 static_cast<unsigned>(j));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t k,
                         spec.Integer("k", best, j, kMaxWordK));
  if (form == WordForm::kBitArray) j = k;
  read.keys = WordKeys(form, read.sizing.Units(read.shape.word_bits),
                       static_cast<unsigned>(j), static_cast<unsigned>(k));
  return read;
}

}  // namespace tamis::internal
