// FinishedFiles: what is finished, a file each, so that work can be resumed.
//
//   OUT/finished/bloom-table-2.cbor     {"run": ..., "findings": {...}}
//
// "run" says what the findings depend on: the scale, the seed, the traces and
// the program itself.  Findings of another run are not taken over; they are
// replaced when the experiment is finished again.

#ifndef TAMIS_LAB_REPRODUCE_FINISHED_FILES_H_
#define TAMIS_LAB_REPRODUCE_FINISHED_FILES_H_

#include <optional>
#include <string>
#include <string_view>

#include "lab/reproduce/experiment.h"
#include "tamis/status.h"
#include "tools/report/findings.h"

namespace tamis::tools {

class FinishedFiles {
 public:
  // Of the report in `out`; none are kept if that is empty.
  FinishedFiles(const std::string& out, const ExperimentOptions& options);

  // Returns the findings of an earlier, equal run, if there are any.
  std::optional<Findings> Load(std::string_view name) const;
  Status Save(std::string_view name, const Findings& findings) const;

 private:
  std::string PathOf(std::string_view name) const;

  std::string dir_;  // empty: none
  std::string run_;
};

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_FINISHED_FILES_H_
