// Figures as people read them.

#ifndef TAMIS_TOOLS_COMMON_READABLE_H_
#define TAMIS_TOOLS_COMMON_READABLE_H_

#include <string>

namespace tamis::tools {

// 4914 as "4,914", 1000000 as "1.00 million".
std::string ReadableCount(double count);

// .00125 as "0.125 %".
std::string ReadablePercent(double share);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_READABLE_H_
