// Filter files as the command reads them: also those of filters that ask their
// set for members (key_source.h).  The command has no set: such a filter answers
// and can be verified, and what would have to ask is refused.

#ifndef TAMIS_TOOLS_FILES_LOAD_FILE_H_
#define TAMIS_TOOLS_FILES_LOAD_FILE_H_

#include <string>

#include "tamis/any_filter.h"
#include "tamis/load_options.h"
#include "tamis/result.h"

namespace tamis::tools {

Result<AnyFilter> LoadFile(const std::string& path, LoadOptions options = {});

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_FILES_LOAD_FILE_H_
