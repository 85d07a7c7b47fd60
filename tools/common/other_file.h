// Not writing over what is read.

#ifndef TAMIS_TOOLS_COMMON_OTHER_FILE_H_
#define TAMIS_TOOLS_COMMON_OTHER_FILE_H_

#include <string>

#include "tamis/status.h"

namespace tamis::tools {

// Fails if `output`, which -o gave, is the file of keys `input`, be it by
// another name, a link, or as the standard input that `input` "-" stands for.
// An output "-" is standard output, which was opened by somebody else.
Status ExpectOtherFile(const std::string& input, const std::string& output);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_OTHER_FILE_H_
