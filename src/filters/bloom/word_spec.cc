#include "filters/bloom/word_spec.h"

#include <algorithm>

#include "filters/bloom/bloom_math.h"
#include "filters/bloom/parameters.h"

namespace tamis::internal {
namespace {

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

// A key sets a bit in each of its words at least.
Result<uint64_t> ReadK(const Spec& spec, const WordSpec& made, WordForm form,
                       uint64_t j) {
  const unsigned best = spec.Has("k") ? 0
                                      : DefaultK(made.sizing, made.shape, form,
                                                 static_cast<unsigned>(j));
  return spec.Integer("k", best, j, kMaxWordK);
}

}  // namespace

Result<WordSpec> WordSpec::Parse(const Spec& spec, uint64_t slots,
                                 WordForm form, unsigned selector_bits) {
  const ParameterReader read(spec, WordParameters(spec.name()));
  TAMIS_RETURN_IF_ERROR(read.Check());
  WordSpec made;
  TAMIS_ASSIGN_OR_RETURN(const double bits, read.Number("bits"));
  TAMIS_ASSIGN_OR_RETURN(made.sizing,
                         BloomSizing::Of(spec.name(), bits, slots));
  TAMIS_ASSIGN_OR_RETURN(const size_t width, read.Choice("w"));
  made.shape = WordShape(64u << width, selector_bits);
  uint64_t j = 1;
  if (form == WordForm::kSomeWords) {
    TAMIS_ASSIGN_OR_RETURN(j, read.Whole("j"));
  }
  TAMIS_ASSIGN_OR_RETURN(const uint64_t k, ReadK(spec, made, form, j));
  if (form == WordForm::kBitArray) j = k;
  made.keys = WordKeys(form, made.sizing.Units(made.shape.word_bits),
                       static_cast<unsigned>(j), static_cast<unsigned>(k));
  return made;
}

}  // namespace tamis::internal
