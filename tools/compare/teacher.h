// Teacher: tells a filter of its mistakes, in the way that it can learn.
//
//   Adapt(x)                  by a mirror, copies or a cache of its own
//   Adapt(x, members, n)      with the members that collide with x, which the
//                             store brings: one read of an interval of hashes
//   nothing                   it can't learn, or there is no store to ask

#ifndef TAMIS_TOOLS_COMPARE_TEACHER_H_
#define TAMIS_TOOLS_COMPARE_TEACHER_H_

#include <span>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/result.h"
#include "tools/compare/keys_in.h"

namespace tamis::tools {

class Teacher {
 public:
  // REQUIRES: `filter` and `members`, which are sorted, outlive it
  Teacher(AnyFilter& filter, std::span<const KeyHash> members, KeysIn keys_in)
      : filter_(filter),
        members_(members),
        learns_(CanLearn(filter, keys_in)),
        asks_(AsksCaller(filter)) {}

  bool learns() const { return learns_; }
  // Whether telling of a mistake reads the store.
  bool reads_store() const { return learns_ && asks_; }

  // REQUIRES: learns(); `absent` is no member, and MayContain(absent) was true
  Result<AdaptOutcome> Tell(KeyHash absent);

 private:
  AnyFilter& filter_;
  std::span<const KeyHash> members_;
  bool learns_;
  bool asks_;
};

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_TEACHER_H_
