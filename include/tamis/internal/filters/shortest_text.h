// Numbers in specs and messages.

#ifndef TAMIS_INTERNAL_FILTERS_SHORTEST_TEXT_H_
#define TAMIS_INTERNAL_FILTERS_SHORTEST_TEXT_H_

#include <string>

namespace tamis::internal {

// Returns the shortest text that reads back as the same number.
std::string ShortestText(double value);

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_SHORTEST_TEXT_H_
