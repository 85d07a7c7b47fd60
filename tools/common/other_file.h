// Not writing over what is read.

#ifndef TAMIS_TOOLS_COMMON_OTHER_FILE_H_
#define TAMIS_TOOLS_COMMON_OTHER_FILE_H_

#include <string>

#include "tamis/status.h"

namespace tamis::tools {

// Fails if `output` is the file of keys `input`, be it by another name, a link,
// or as the standard input that `input` "-" stands for.  An output "-", or none,
// is standard output: `>> keys.txt` would be read again and again.
Status ExpectOtherFile(const std::string& input, const std::string& output);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_OTHER_FILE_H_
