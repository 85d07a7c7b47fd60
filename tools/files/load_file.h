// Filter files as the command reads them: also those of filters that ask their
// set for members (key_source.h).  The command has no set, and lets such a filter
// ask one that names nobody, which is safe: it answers, can be verified, and
// refuses the changes that need to know a member.

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
