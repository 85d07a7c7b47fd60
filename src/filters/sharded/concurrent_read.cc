// How a ConcurrentTamis is read: without waiting, believing only what a counter
// says was not changed meanwhile.

#include <array>

#include "filters/sharded/concurrent_shards.h"
#include "tamis/internal/hash/look_ahead.h"
#include "tamis/internal/table/line_stage.h"
#include "tamis/internal/table/matching_shape.h"

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

template <typename Shape>
ConcurrentShards::Answer ConcurrentShards::TryMayContain(const Shape& shape,
                                                         KeyHash hash) const {
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
  RunMatch match = MatchInLine(shape, here, at.index, query);
  if (match == RunMatch::kUnknown) {
    match = MatchInTwoLines(shape, here, Readable(line + kLineBytes, second),
                            at.index, query);
  }
  KeepOrder();
  if (shard.sequence.load(std::memory_order_acquire) != seen) {
    return Answer::kTorn;
  }
  if (match == RunMatch::kNone) {
    return view.MayBeVoid(hash) ? TryVoids(shard, view, seen, hash)
                                : Answer::kNo;
  }
  if (match == RunMatch::kSome && !view.extended) return Answer::kMaybe;
  return TryInDetail(shard, view, seen, hash, match);
}

// No entry matches: only a void may.  Those of a published filter do not change.
ConcurrentShards::Answer ConcurrentShards::TryVoids(const Shard& shard,
                                                    const ShardView& view,
                                                    uint64_t seen,
                                                    KeyHash hash) const {
  const TamisFilter* filter = shard.published.load(std::memory_order_acquire);
  if (shard.sequence.load(std::memory_order_acquire) != seen) {
    return Answer::kTorn;
  }
  return filter->voids().MayContain(ShiftHash(hash, view.depth))
             ? Answer::kMaybe
             : Answer::kNo;
}

// As TamisFilter::MayContain, with the run from copies of its lines.  The voids
// and extensions of a published filter do not change.
ConcurrentShards::Answer ConcurrentShards::TryInDetail(const Shard& shard,
                                                       const ShardView& view,
                                                       uint64_t seen,
                                                       KeyHash hash,
                                                       RunMatch match) const {
  const TamisFilter* filter = shard.published.load(std::memory_order_acquire);
  // A filter has at least one line behind the last home's.
  const uint64_t all_lines = shard.num_lines.load(std::memory_order_acquire);
  if (shard.sequence.load(std::memory_order_acquire) != seen) {
    return Answer::kTorn;
  }
  const KeyHash local = ShiftHash(hash, view.depth);
  if (match == RunMatch::kSome && filter->ExtensionsSayMaybe(local)) {
    return Answer::kMaybe;
  }
  const ShardView::Spot at = view.Locate(hash);
  std::array<LineCopy, kMaxLines> lines = {};
  for (size_t l = 0; l < kMaxLines && at.line + l < all_lines; ++l) {
    LoadLine(view.lines + kLineBytes * (at.line + l), lines[l]);
  }
  if (shard.sequence.load(std::memory_order_acquire) != seen) {
    return Answer::kTorn;
  }
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

template <int kWidth>
struct ConcurrentShards::FinderOf {
  static Answer Function(const ConcurrentShards& shards, KeyHash hash) {
    if constexpr (kWidth == 0) {
      return shards.Ask(shards.shape_, hash);
    } else {
      return shards.Ask(LineShape<kWidth>(kWidth), hash);
    }
  }
};

ConcurrentShards::Finder ConcurrentShards::FinderFor(int width) {
  static constexpr auto kFinders = ByMatchingWidth<FinderOf>();
  return kFinders[static_cast<size_t>(width)];
}

template <typename Shape>
ConcurrentShards::Answer ConcurrentShards::Ask(const Shape& shape,
                                               KeyHash hash) const {
  const Epochs::Section section;
  for (int i = 0; i < kTries; ++i) {
    const Answer answer = TryMayContain(shape, hash);
    if (answer != Answer::kTorn) return answer;
    Pause();
  }
  return Answer::kTorn;
}

bool ConcurrentShards::MayContain(KeyHash hash,
                                  std::chrono::nanoseconds retry) const {
  using Clock = std::chrono::steady_clock;
  Answer answer = finder_(*this, hash);
  if (answer == Answer::kTorn) [[unlikely]] {
    // A clock costs more than a look-up.
    const Clock::time_point until = Clock::now() + retry;
    while (answer == Answer::kTorn && Clock::now() < until) {
      answer = finder_(*this, hash);
    }
    if (answer == Answer::kTorn) CountForced();
  }
  return answer != Answer::kNo;
}

void ConcurrentShards::MayContain(std::span<const KeyHash> hashes,
                                  std::span<bool> results) const {
  WithMatchingShape(shape_,
                    [&](const auto& shape) { AskAll(shape, hashes, results); });
}

// A group is asked in one section: what it found must not be freed before it
// has ended.
template <typename Shape>
void ConcurrentShards::AskAll(const Shape& shape,
                              std::span<const KeyHash> hashes,
                              std::span<bool> results) const {
  for (size_t first = 0; first < hashes.size(); first += kLinesInFlight) {
    const size_t count = std::min(kLinesInFlight, hashes.size() - first);
    const Epochs::Section section;
    AskGroup(shape, hashes.subspan(first, count), results.data() + first);
  }
}

// Four things are fetched for a key, each some keys before it is read: its
// directory entry, its shard's first line, the line of its home, and the next
// where the run goes on.  If the counter is still what it was when the view was
// read, nothing has changed since, and otherwise the key is asked for as alone.
template <typename Shape>
void ConcurrentShards::AskGroup(const Shape& shape,
                                std::span<const KeyHash> hashes,
                                bool* results) const {
  struct Begun {
    const Shard* shard;
    uint64_t seen;
    const std::byte* line;
    uint64_t query;
    int index;
    bool is_torn;
    bool is_void;
    bool is_extended;
  };
  constexpr size_t kGroup = kLinesInFlight;
  constexpr size_t kShardsInFlight = 8;
  std::array<Begun, kGroup> group;
  std::array<uint8_t, kGroup> going_on;
  std::array<uint8_t, kGroup> open;
  size_t num_going_on = 0;
  size_t num_open = 0;
  const Directory& directory = *directory_.load(std::memory_order_acquire);
  const auto begin = [&](size_t i) -> Begun {
    const size_t later = std::min(i + kShardsInFlight, hashes.size() - 1);
    Prefetch(directory.Find(hashes[later]));
    const KeyHash hash = hashes[i];
    const Shard& shard = *directory.Find(hash);
    const uint64_t seen = shard.sequence.load(std::memory_order_acquire);
    const ShardView view = shard.LoadView();
    const ShardView::Spot at = view.Locate(hash);
    const std::byte* line = view.lines + kLineBytes * at.line;
    __builtin_prefetch(line);
    const bool is_torn = (seen & 1) != 0 ||
                         shard.sequence.load(std::memory_order_acquire) != seen;
    return {&shard,
            seen,
            line,
            QueryOf(at.string),
            at.index,
            is_torn,
            view.MayBeVoid(hash),
            view.extended};
  };
  const auto is_same = [](const Begun& begun) {
    return begun.shard->sequence.load(std::memory_order_acquire) == begun.seen;
  };
  const auto needs_detail = [](const Begun& begun, RunMatch match) {
    return match == RunMatch::kUnknown || begun.is_void ||
           (match == RunMatch::kSome && begun.is_extended);
  };
  for (size_t i = 0; i < hashes.size(); ++i) group[i] = begin(i);
  for (size_t i = 0; i < hashes.size(); ++i) {
    const Begun& begun = group[i];
    LineCopy copy;
    // A view that was torn is no address.
    RunMatch match = RunMatch::kUnknown;
    if (!begun.is_torn) [[likely]] {
      KeepOrder();
      match = MatchInLine(shape, Readable(begun.line, copy), begun.index,
                          begun.query);
      KeepOrder();
    }
    results[i] = match == RunMatch::kSome;
    const bool is_valid = !begun.is_torn && is_same(begun);
    const bool goes_on =
        is_valid && match == RunMatch::kUnknown && !begun.is_void;
    going_on[num_going_on] = static_cast<uint8_t>(i);
    num_going_on += static_cast<size_t>(goes_on);
    const bool is_open = !goes_on && (!is_valid || needs_detail(begun, match));
    open[num_open] = static_cast<uint8_t>(i);
    num_open += static_cast<size_t>(is_open);
    if (goes_on) __builtin_prefetch(begun.line + kLineBytes);
  }
  for (size_t j = 0; j < num_going_on; ++j) {
    const Begun& begun = group[going_on[j]];
    LineCopy first;
    LineCopy second;
    KeepOrder();
    const RunMatch match = MatchInTwoLines(
        shape, Readable(begun.line, first),
        Readable(begun.line + kLineBytes, second), begun.index, begun.query);
    KeepOrder();
    results[going_on[j]] = match == RunMatch::kSome;
    if (is_same(begun) && !needs_detail(begun, match)) continue;
    open[num_open++] = going_on[j];
  }
  for (size_t j = 0; j < num_open; ++j) {
    results[open[j]] = MayContain(hashes[open[j]]);
  }
}

}  // namespace tamis::internal
