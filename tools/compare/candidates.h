// What a recommendation asks of the filters that were compared.

#ifndef TAMIS_TOOLS_COMPARE_CANDIDATES_H_
#define TAMIS_TOOLS_COMPARE_CANDIDATES_H_

#include <functional>

#include "tools/compare/compare.h"

namespace tamis::tools {

using Wanted = std::function<bool(const ComparedFilter&)>;

// There to be compared with, never the answer: sacrifice, the chains.
bool IsBaseline(const Spec& spec);
// Has to be told of its mistakes.
bool Learns(const ComparedFilter& filter);
// Made in one go, from all keys: fuse.
bool NeverChanges(const ComparedFilter& filter);
bool Erases(const ComparedFilter& filter);
bool Grows(const ComparedFilter& filter);

// Reads of absent keys, the mean over the seeds.
double WastedReads(const ComparedFilter& filter);

// Returns the first, hence best, filter that has what is wanted; or nullptr.
const ComparedFilter* Best(const Comparison& comparison, const Wanted& wanted);

// Those that may be the answer: static ones only if there are no others.
Comparison WithoutBaselines(const Comparison& measured);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_CANDIDATES_H_
