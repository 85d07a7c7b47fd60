// LoadOptions: how a filter is made from a file or from bytes.
//
// Every FromSnapshot takes them, so that what the caller trusts reaches the
// only code that knows what there is to check.

#ifndef TAMIS_LOAD_OPTIONS_H_
#define TAMIS_LOAD_OPTIONS_H_

#include "tamis/key_source.h"

namespace tamis {

struct LoadOptions {
  // Runs the filter's CheckInvariants, once: linear.  Without it, contents that
  // only a forger would write are accepted; look-ups of them may answer
  // anything, but stay in bounds.  Changes may not: false only for files that
  // nobody but you can write.
  bool check_invariants = true;
  // The set that an adaptive filter without a mirror stands for; kUnsupported
  // if it needs one and this is empty.  Borrowed: outlives the filter.
  KeySourceRef source = {};
  // Refers to the file instead of copying it: opening takes milliseconds,
  // whatever its size, and processes share its pages.  The header is checked;
  // the rest is not, whatever check_invariants says, until `tamis verify` or a
  // load without this.  A damaged rest may answer anything, but is never read
  // out of bounds.  The filter can only be asked: all changes return
  // kUnsupported.  The file must not be truncated while the filter lives (Save
  // never does so), and must be of version 2 or newer (kVersion).  fuse, cached
  // and a tamis filter with threads=yes can't be mapped (kUnsupported).  stats()
  // and ExpectedFpr() of a tamis filter read all of the file.
  bool map = false;
};

}  // namespace tamis

#endif  // TAMIS_LOAD_OPTIONS_H_
