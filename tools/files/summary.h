// What the commands say of a filter that they wrote or read.

#ifndef TAMIS_TOOLS_FILES_SUMMARY_H_
#define TAMIS_TOOLS_FILES_SUMMARY_H_

#include <nlohmann/json.hpp>
#include <string>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tools/common/subcommand.h"

namespace tamis::tools {

// Returns a line such as
//   taf:r=8, 1000 keys, 11.70 bits per key and 140.80 beside the filter,
//   expected FPR 0.0037
std::string Summary(const AnyFilter& filter);

// The same for programs: {"file", "filter", "keys", "capacity",
// "bits_per_key", "side_bits_per_key", "expected_fpr"}.
nlohmann::ordered_json SummaryAsJson(const std::string& file,
                                     const AnyFilter& filter);

// Saves, or leaves nothing behind if a signal ends the process.  The path "-"
// is standard output.
Status SaveOrLeaveNothing(const AnyFilter& filter, const std::string& path,
                          KeyForm keys, Console console);

// For messages: "-" is standard output.
std::string NameOfOutput(const std::string& output);

// Fails if -o and --json both want standard output.
Status ExpectOneOutput(const std::string& output, bool json);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_FILES_SUMMARY_H_
