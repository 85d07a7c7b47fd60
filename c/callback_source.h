// CallbackSource: a key source (key_source.h) made of a C callback.

#ifndef TAMIS_C_CALLBACK_SOURCE_H_
#define TAMIS_C_CALLBACK_SOURCE_H_

#include <memory>

#include "tamis/c.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/status.h"

namespace tamis::c {

class CallbackSource {
 public:
  // None if `source` is null; kInvalidArgument if it has no function.
  static Result<std::shared_ptr<CallbackSource>> Make(
      const tamis_source* source);

  explicit CallbackSource(const tamis_source& source) : source_(source) {}
  ~CallbackSource() {
    if (owned_ && source_.release != nullptr) source_.release(source_.context);
  }
  CallbackSource(const CallbackSource&) = delete;
  CallbackSource& operator=(const CallbackSource&) = delete;

  // From now on it is released with the last filter that has it; until then it
  // is the caller's.
  void Own() { owned_ = true; }

  // Also fails, with kCorrupt, if the callback breaks (S1): members that
  // descend or lie outside of the range.
  Status ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const;

 private:
  tamis_source source_;
  bool owned_ = false;
};
static_assert(OrderedKeySource<CallbackSource>);

}  // namespace tamis::c

#endif  // TAMIS_C_CALLBACK_SOURCE_H_
