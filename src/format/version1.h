// The defaults of version 1, frozen.
//
// Files of version 1 leave out of their spec what had its default value when
// they were written.  They are read with these values for ever, whatever the
// filters take by default today; docs/format/filter_file.md has the same table.
// From version 2 on a file names every parameter.

#ifndef TAMIS_FORMAT_VERSION1_H_
#define TAMIS_FORMAT_VERSION1_H_

#include <span>
#include <string_view>

#include "tamis/spec.h"

namespace tamis::internal {

struct Version1Default {
  std::string_view kind;
  std::string_view parameter;
  std::string_view value;
};
std::span<const Version1Default> Version1Defaults();

// Returns `spec` with every parameter that it lacks and the table has.
Spec WithVersion1Defaults(const Spec& spec);

}  // namespace tamis::internal

#endif  // TAMIS_FORMAT_VERSION1_H_
