// What to know when a comparison is read, in words.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_NOTES_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_NOTES_H_

#include <string>
#include <vector>

#include "tools/compare/compare.h"

namespace tamis::tools {

inline constexpr uint64_t kFewMistakes = 20;  // too few to compare rates by

// What was asked, and what to beware of when the rates are read.
std::vector<std::string> NotesOnInput(const Comparison& comparison);

// How it was measured.
std::vector<std::string> NotesOnMeasuring(const Comparison& comparison);

// "means over 3 seeds of the hashes", or what one seed calls for.
std::string NoteOnSeeds(const Comparison& comparison);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_NOTES_H_
