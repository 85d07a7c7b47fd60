// Numbers as options.  CLI11 reads them by strtoull, which takes -1 for
// 2^64 - 1, and "0x10" and " 5" for numbers; these are read by parse.h.

#ifndef TAMIS_TOOLS_COMMON_NUMBER_OPTION_H_
#define TAMIS_TOOLS_COMMON_NUMBER_OPTION_H_

#include <cstdint>
#include <optional>
#include <string>

#include "tools/common/subcommand.h"

namespace tamis::tools {

struct NumberRange {
  uint64_t min;
  uint64_t max;
};

// Adds the option `name` of a number within `range`, 1000000 or 2^20; *value
// is its default.  REQUIRES: *value outlives `app`; an int holds range.max
void AddNumber(CLI::App* app, const std::string& name, uint64_t* value,
               NumberRange range, const std::string& help);
void AddNumber(CLI::App* app, const std::string& name, int* value,
               NumberRange range, const std::string& help);

// Adds the option `name` of a number, such as 0.001 or 1e-6.
void AddReal(CLI::App* app, const std::string& name, double* value,
             const std::string& help);
void AddReal(CLI::App* app, const std::string& name,
             std::optional<double>* value, const std::string& help);

// Adds --seed.
void AddSeed(CLI::App* app, uint64_t* seed, const std::string& help);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_NUMBER_OPTION_H_
