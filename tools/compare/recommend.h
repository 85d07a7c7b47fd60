// Recommend: which filter to take, in words, and why.
//
// The number that an engineer asks for comes first: without a filter every
// query is a read; with it, only those that it passes, and of these the ones of
// absent keys are wasted.
//
// Rules, in this order:
//   1. The lowest mean false positive rate is best; others are as good if they
//      are as low within the noise (noise.h).  All memory counts (keys_in.h), so
//      at equal memory nothing else has to be weighed against the rate.
//   2. Of those, one that need not be told of mistakes: if such a filter is as
//      good, learning gives nothing on this stream.
//   3. Of what is left, one that does not grow, then one that needs no reads to
//      learn, then the fastest look-up, one by one; the lowest rate, if no times
//      were taken.
// A static filter (fuse) can't be added to, so it is not the first answer.  Nor
// are filters that are there to be compared with (sacrifice, the chains).
//
// Then the conditions under which something else is right (conditions.h).
//
// Nothing is recommended if an interrupt left out some filters.

#ifndef TAMIS_TOOLS_COMPARE_RECOMMEND_H_
#define TAMIS_TOOLS_COMPARE_RECOMMEND_H_

#include <string>
#include <vector>

#include "tools/compare/compare.h"
#include "tools/compare/conditions.h"

namespace tamis::tools {

// What the chosen filter does to the reads, means over the seeds.
struct ReadsSaved {
  double queries = 0;  // reads without a filter
  double reads = 0;    // with it
  double wasted = 0;   // of these, of absent keys
};

struct Recommendation {
  std::string filter;              // its spec; empty if none took part
  std::vector<std::string> words;  // sentences, the answer first
  std::string lead;  // what the first of them says after the headline
  std::vector<Condition> conditions;
  std::string build;  // the command that makes it
  ReadsSaved saved;
  std::string rival;        // the best of the other sort: static, or learning
  double rival_wasted = 0;  // reads

  // The answer in a line: "Take X: reads fall from 5.00 to 1.00 million".
  std::string Headline() const;
  // All in one list, for people: words, conditions, command.
  std::vector<std::string> Sentences() const;
};

Recommendation Recommend(const Comparison& measured);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_RECOMMEND_H_
