#include "tools/compare/stream_run.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "tools/common/filter_detail.h"
#include "tools/common/interrupt.h"
#include "tools/compare/teacher.h"

namespace tamis::tools {
namespace {

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

class Asker {
 public:
  Asker(AnyFilter& filter, const HashedStream& hashed, KeysIn keys_in)
      : filter_(filter),
        hashed_(hashed),
        teacher_(filter, hashed.sorted_members, keys_in),
        was_wrong_(hashed.hashes.size(), false) {
    const uint64_t absent = hashed.hashes.size() - hashed.members.size();
    run_.unavoidable = filter.ExpectedFpr() * static_cast<double>(absent);
  }

  Status Run(size_t windows) {
    const uint64_t total = hashed_.stream->queries.size();
    for (size_t w = 0; w < windows && !InterruptRequested(); ++w) {
      const uint64_t end = std::max(total * (w + 1) / windows, run_.queries);
      if (end > run_.queries) TAMIS_RETURN_IF_ERROR(RunWindow(end));
    }
    run_.rebuilds = static_cast<uint64_t>(FilterDetail(filter_, "rehashes"));
    return {};
  }
  StreamRun TakeResult() { return std::move(run_); }

 private:
  Status RunWindow(uint64_t end) {
    const uint64_t negatives = run_.negatives;
    const uint64_t false_positives = run_.false_positives();
    while (run_.queries < end) {
      TAMIS_RETURN_IF_ERROR(Ask(hashed_.stream->queries[run_.queries]));
      ++run_.queries;
    }
    run_.windows.push_back(
        {.end = end,
         .negatives = run_.negatives - negatives,
         .false_positives = run_.false_positives() - false_positives});
    return {};
  }

  Status Ask(uint32_t key) {
    const KeyHash hash = hashed_.hashes[key];
    const bool member = hashed_.stream->member[key];
    run_.negatives += member ? 0 : 1;
    const bool positive = filter_.MayContain(hash);
    if (!positive && member) {
      return {StatusCode::kCorrupt, filter_.spec().ToString() +
                                        " denies a member at query " +
                                        std::to_string(run_.queries)};
    }
    if (!positive) return {};
    ++run_.reads;
    return member ? Status() : Learn(key, hash);
  }

  // The key store has said that this positive is false.
  Status Learn(uint32_t key, KeyHash hash) {
    ++(was_wrong_[key] ? run_.repeated : run_.first_time);
    was_wrong_[key] = true;
    if (!teacher_.learns()) return {};
    TAMIS_ASSIGN_OR_RETURN(const AdaptOutcome outcome, teacher_.Tell(hash));
    ++run_.adapts;
    run_.reads += teacher_.reads_store() ? 1 : 0;
    run_.resets += outcome == AdaptOutcome::kReset ? 1 : 0;
    run_.not_fixed += outcome == AdaptOutcome::kNotFixed ? 1 : 0;
    return {};
  }

  AnyFilter& filter_;
  const HashedStream& hashed_;
  Teacher teacher_;
  std::vector<bool> was_wrong_;  // keys that were a false positive before
  StreamRun run_;
};

}  // namespace

double StreamWindow::fpr() const { return Share(false_positives, negatives); }
double StreamRun::fpr() const { return Share(false_positives(), negatives); }

StreamWindow StreamRun::Stretch(size_t number, size_t count) const {
  assert(number < count && count <= windows.size());
  StreamWindow stretch;
  for (size_t i = windows.size() * number / count;
       i < windows.size() * (number + 1) / count; ++i) {
    stretch.Append(windows[i]);
  }
  return stretch;
}

Result<StreamRun> RunStream(AnyFilter& filter, const HashedStream& hashed,
                            KeysIn keys_in, size_t windows) {
  assert(windows > 0);
  Asker asker(filter, hashed, keys_in);
  TAMIS_RETURN_IF_ERROR(asker.Run(windows));
  return asker.TakeResult();
}

}  // namespace tamis::tools
