// The databases of a measurement, and the keys in them.

#ifndef TAMIS_TOOLS_STORE_MEASURE_DATABASES_H_
#define TAMIS_TOOLS_STORE_MEASURE_DATABASES_H_

#include <rocksdb/slice.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tamis/result.h"
#include "tools/store/measure.h"
#include "tools/store/side.h"

namespace tamis::tools {

inline constexpr size_t kKeyBytes = 21;

// Key number `index` of a family: "user" and 17 digits.  Families are disjoint,
// as far as 17 digits tell.
enum class Keys : uint64_t { kMembers = 1, kAbsent = 2, kFresh = 3 };
void WriteKey(Keys family, uint64_t index, char* to);

// Opens a copy of the database `name`, or itself.
Result<std::unique_ptr<Side>> OpenMeasured(const MeasureOptions& options,
                                           const std::string& name);

// A value of its own for each key.
std::string MakeValue(uint64_t index, uint64_t size_bytes);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_STORE_MEASURE_DATABASES_H_
