// Recorded traces: the files that --data names, whole.

#ifndef TAMIS_LAB_REPRODUCE_RECORDED_H_
#define TAMIS_LAB_REPRODUCE_RECORDED_H_

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "lab/reproduce/experiment.h"
#include "tamis/status.h"

namespace tamis::tools {

// Returns the files of options.data; of a folder its captures and files of
// integers (.pcap, .pcapng, .u64, each with or without .zst), by name.
std::vector<std::filesystem::path> RecordedFiles(
    const ExperimentOptions& options);

// Calls `visit` with the key of each packet, of any format that can be read.
// Nothing is kept, so a trace may be longer than memory.
Status ForEachKey(const std::filesystem::path& file,
                  const std::function<void(std::string_view key)>& visit);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_RECORDED_H_
