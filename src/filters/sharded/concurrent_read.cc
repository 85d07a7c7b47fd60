// How a ConcurrentTamis is read: without waiting, believing only what a counter
// says was not changed meanwhile.

#include <array>

#include "filters/sharded/concurrent_shards.h"
#include "tamis/internal/hash/look_ahead.h"
#include "tamis/internal/table/line_stage.h"

#if defined(__SANITIZE_THREAD__)
#define TAMIS_COPY_LINES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAMIS_COPY_LINES 1
#endif
#endif
#if !defined(__x86_64__)
#define TAMIS_COPY_LINES 1
#endif

namespace tamis::internal {
namespace {

constexpr int kTries = 8;
constexpr size_t kMaxLines = 4;

void Pause() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

// Returns a line to read: a copy of it, taken word by word, or, on x86, where
// plain loads see what atomic ones would see and are not reordered with one
// another, the line itself.  The compiler must not move them either; the
// barriers below see to that.
const std::byte* Readable(const std::byte* line,
                          [[maybe_unused]] LineCopy& copy) {
#ifdef TAMIS_COPY_LINES
  LoadLine(line, copy);
  return copy.bytes.data();
#else
  return line;
#endif
}
void KeepOrder() { std::atomic_signal_fence(std::memory_order_seq_cst); }

// Calls visit(value) for the entries of a home's run in lines that do not
// change.  False if it begins or ends behind them.
template <typename Visit>
bool ForEachInRun(const LineShape<0>& shape,
                  const std::array<LineCopy, kMaxLines>& lines, int index,
                  Visit&& visit) {
  const LineHeader first = shape.ReadHeader(lines[0].bytes.data());
  if ((first.occupied >> index & 1) == 0) return true;
  if (first.spill == kMaxSpill) return false;
  // The run is the runs_left-th to end from the spill on.
  int runs_left =
      std::popcount(first.occupied & LowBits(static_cast<unsigned>(index) + 1));
  int begin = first.spill;
  for (size_t l = 0; l < kMaxLines; ++l) {
    const std::byte* line = lines[l].bytes.data();
    const uint64_t ends = shape.ReadHeader(line).run_end;
    for (int slot = begin; slot < shape.slots(); ++slot) {
      if (runs_left == 1 && (l > 0 || slot >= index)) {
        visit(shape.ReadSlot(line, slot));
      }
      if ((ends >> slot & 1) != 0 && --runs_left == 0) return true;
    }
    begin = begin > shape.slots() ? begin - shape.slots() : 0;
  }
  return false;
}

}  // namespace

ShardView ConcurrentShards::Shard::LoadView() const {
  ShardView view;
  view.lines = lines.load(std::memory_order_acquire);
  view.home_reciprocal = home_reciprocal.load(std::memory_order_acquire);
  view.void_cells = void_cells.load(std::memory_order_acquire);
  const uint64_t all = form.load(std::memory_order_acquire);
  view.homes_per_line = static_cast<uint8_t>(all);
  view.home_bits = static_cast<uint8_t>(all >> 8);
  view.depth = static_cast<uint8_t>(all >> 16);
  view.extended = (all >> 24 & 1) != 0;
  return view;
}

ConcurrentShards::Answer ConcurrentShards::TryMayContain(KeyHash hash) const {
  const Shard& shard = *Find(hash);
  const uint64_t seen = shard.sequence.load(std::memory_order_acquire);
  const ShardView view = shard.LoadView();
  // The lines are not touched before the view is known to be one.
  if ((seen & 1) != 0 ||
      shard.sequence.load(std::memory_order_acquire) != seen) {
    return Answer::kTorn;
  }
  const ShardView::Spot at = view.Locate(hash);
  const uint64_t query = QueryOf(at.string);
  const std::byte* line = view.lines + kLineBytes * at.line;
  LineCopy first;
  LineCopy second;
  KeepOrder();
  const std::byte* here = Readable(line, first);
  RunMatch match = MatchInLine(shape_, here, at.index, query);
  if (match == RunMatch::kUnknown) {
    match = MatchInTwoLines(shape_, here, Readable(line + kLineBytes, second),
                            at.index, query);
  }
  KeepOrder();
  if (shard.sequence.load(std::memory_order_acquire) != seen) {
    return Answer::kTorn;
  }
  const bool may_be_void = view.MayBeVoid(hash);
  if (match == RunMatch::kNone && !may_be_void) return Answer::kNo;
  if (match == RunMatch::kSome && !view.extended) return Answer::kMaybe;
  return TryInDetail(shard, view, seen, hash);
}

// As TamisFilter::MayContain, with the run from copies of its lines.  The voids
// and extensions of a published filter do not change.
ConcurrentShards::Answer ConcurrentShards::TryInDetail(const Shard& shard,
                                                       const ShardView& view,
                                                       uint64_t seen,
                                                       KeyHash hash) const {
  const TamisFilter* filter = shard.published.load(std::memory_order_acquire);
  const ShardView::Spot at = view.Locate(hash);
  std::array<LineCopy, kMaxLines> lines = {};
  // A filter has at least one line behind the last home's.
  const uint64_t all_lines = shard.num_lines.load(std::memory_order_acquire);
  if (shard.sequence.load(std::memory_order_acquire) != seen) {
    return Answer::kTorn;
  }
  for (size_t l = 0; l < kMaxLines && at.line + l < all_lines; ++l) {
    LoadLine(view.lines + kLineBytes * (at.line + l), lines[l]);
  }
  if (shard.sequence.load(std::memory_order_acquire) != seen) {
    return Answer::kTorn;
  }
  const KeyHash local = ShiftHash(hash, view.depth);
  if (filter->voids().MayContain(local)) return Answer::kMaybe;
  const Position position = filter->active().Read(local);
  uint64_t shorter = 0;
  uint64_t equal = 0;
  const bool is_whole =
      ForEachInRun(shape_, lines, at.index, [&](uint64_t value) {
        const Prefix entry = filter->active().PrefixIn(HomeOf(position), value);
        if (!entry.Covers(position)) return;
        ++(entry.length < options_.filter.fingerprint_bits ? shorter : equal);
      });
  if (!is_whole || shorter > 0) return Answer::kMaybe;
  bool matches = false;
  uint64_t under = 0;
  filter->extensions().ForEachUnder(position, [&](const Prefix& extension) {
    ++under;
    matches |= extension.Covers(position);
  });
  return matches || under < equal ? Answer::kMaybe : Answer::kNo;
}

bool ConcurrentShards::MayContain(KeyHash hash) const {
  const Epochs::Section section;
  for (int i = 0; i < kTries; ++i) {
    const Answer answer = TryMayContain(hash);
    if (answer != Answer::kTorn) return answer == Answer::kMaybe;
    Pause();
  }
  CountForced();
  return true;
}

bool ConcurrentShards::MayContain(KeyHash hash,
                                  std::chrono::nanoseconds retry) const {
  const auto until = std::chrono::steady_clock::now() + retry;
  do {
    const Epochs::Section section;
    for (int i = 0; i < kTries; ++i) {
      const Answer answer = TryMayContain(hash);
      if (answer != Answer::kTorn) return answer == Answer::kMaybe;
      Pause();
    }
  } while (std::chrono::steady_clock::now() < until);
  CountForced();
  return true;
}

// Lines are fetched for a group of keys, and looked at a moment later: if the
// counter is still what it was when the view was read, nothing has changed, and
// otherwise the key is asked for as alone.
void ConcurrentShards::MayContain(std::span<const KeyHash> hashes,
                                  std::span<bool> results) const {
  struct Begun {
    const Shard* shard;
    uint64_t seen;
    const std::byte* line;  // none: the view was torn
    uint64_t query;
    int index;
    bool is_void;
    bool is_extended;
  };
  constexpr size_t kGroup = kLinesInFlight;
  std::array<Begun, kGroup> group;
  const auto begin = [&](KeyHash hash) -> Begun {
    const Shard& shard = *Find(hash);
    const uint64_t seen = shard.sequence.load(std::memory_order_acquire);
    const ShardView view = shard.LoadView();
    const ShardView::Spot at = view.Locate(hash);
    const std::byte* line = view.lines + kLineBytes * at.line;
    __builtin_prefetch(line);
    const bool is_torn = (seen & 1) != 0 ||
                         shard.sequence.load(std::memory_order_acquire) != seen;
    return {&shard,
            seen,
            is_torn ? nullptr : line,
            QueryOf(at.string),
            at.index,
            view.MayBeVoid(hash),
            view.extended};
  };
  const auto finish = [&](KeyHash hash, const Begun& begun) {
    if (begun.line == nullptr) return MayContain(hash);
    LineCopy copy;
    KeepOrder();
    const RunMatch match = MatchInLine(shape_, Readable(begun.line, copy),
                                       begun.index, begun.query);
    KeepOrder();
    const bool has_changed =
        begun.shard->sequence.load(std::memory_order_acquire) != begun.seen;
    const bool is_open = match == RunMatch::kUnknown || begun.is_void ||
                         (match == RunMatch::kSome && begun.is_extended);
    return has_changed || is_open ? MayContain(hash) : match == RunMatch::kSome;
  };
  for (size_t first = 0; first < hashes.size(); first += kGroup) {
    const size_t count = std::min(kGroup, hashes.size() - first);
    const Epochs::Section section;
    for (size_t i = 0; i < count; ++i) group[i] = begin(hashes[first + i]);
    for (size_t i = 0; i < count; ++i) {
      results[first + i] = finish(hashes[first + i], group[i]);
    }
  }
}

}  // namespace tamis::internal
