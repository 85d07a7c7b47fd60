// The formulas of the cuckoo family, as functions.
//
// f  bits of a fingerprint        k  tables (bins that a key may live in)
// b  slots of a bin               n  keys
// N  bins of one table            so there are k b N slots in all
//
// Papers: Kopelowitz, McCauley and Porat (adaptive cuckoo filters); the load
// threshold is Fountoulakis, Khosla and Panagiotou's (SODA 2011).

#ifndef TAMIS_FILTERS_CUCKOO_CUCKOO_MATH_H_
#define TAMIS_FILTERS_CUCKOO_CUCKOO_MATH_H_

#include <cstdint>

namespace tamis {

// Returns the probability that two independent fingerprints are equal.  Of the
// 2^f values of a window, 0 is stored as 1 (0 means a free slot): 1 has twice
// the others' probability.
double CuckooMatchProbability(int f);

// Returns the expected number of fingerprints that a random key is compared
// with: each of its k b slots is occupied with probability n / (k b N).
double CuckooExpectedOccupancy(uint64_t n, uint64_t bins_per_table);

// Returns the false positive rate for a random absent key, when a share `load`
// of the k b slots that it looks at are occupied, independently.
double CuckooFpr(double load, int f, int k, int b);

// Returns the largest load at which a placement of all keys exists with
// probability 1 - o(1), for k independent random bins of b slots.  0.9768 for
// k = 4, b = 1 and 0.9803 for k = 2, b = 4.  REQUIRES: k >= 2, b >= 1, not
// both at the least
double CuckooLoadThreshold(int k, int b);

// Returns the bound of Theorem 1 on the expected number of false positives of
// a Cuckooing filter (k = 2, b = 1, N = n) over n queries of `distinct`
// different keys: eps q + eps^2 q + log2(n)^4, with 1 for the constants that
// the theorem hides in its O.
double SupportOptimalBound(double eps, uint64_t distinct, uint64_t n);

// Returns how many random keys are tried until one collides with a given
// fingerprint under all of its `alternatives` (2^s for Cyclic, b for
// Swapping): 1 / eps^alternatives, with eps = 2^-f (Theorems 9 and 10).
double UnfixableSearchSize(int f, int alternatives);

// Returns the number of random queries among which Theorem 12 expects a
// constant number of mutually unfixable sets: (1 + 1/k) N / (eps n^(1/k)).
double MutuallyUnfixableSearchSize(int f, int k, uint64_t n,
                                   uint64_t bins_per_table);

}  // namespace tamis

#endif  // TAMIS_FILTERS_CUCKOO_CUCKOO_MATH_H_
