// WordSpec: the parameters that all filters made of words share.

#ifndef TAMIS_FILTERS_BLOOM_WORD_SPEC_H_
#define TAMIS_FILTERS_BLOOM_WORD_SPEC_H_

#include <cstdint>

#include "tamis/internal/filters/bloom/bloom_base.h"
#include "tamis/internal/filters/bloom/draws.h"
#include "tamis/internal/filters/bloom/word_keys.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::internal {

struct WordSpec {
  BloomSizing sizing;
  WordShape shape;
  WordKeys keys;

  // Reads bits, k, j and w of `spec`, for words with `selector_bits`.
  static Result<WordSpec> Parse(const Spec& spec, uint64_t slots, WordForm form,
                                unsigned selector_bits);
};

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_BLOOM_WORD_SPEC_H_
