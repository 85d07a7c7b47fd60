// What shards and threads cost, and what they save.
//
//   tamis_shards lookup LOG2    one table of 2^LOG2 slots, fresh and with 1 % of
//                               the members extended, beside infini and rsqf
//   tamis_shards grow LOG2      insert and look-up at 2^LOG2 keys, beside infini
//   tamis_shards worst LOG2     the slowest insert on the way there, CPU time;
//                               then with memory that was touched before, for
//                               a new huge page takes the system milliseconds
//   tamis_shards memory LOG2    bytes in use while it grows, and the peak
//   tamis_shards resident LOG2  the same as the system sees it
//   tamis_shards threads LOG2   a reader alone and beside a writer
//
// Filters grow from 2^10 slots, but for `lookup`.  Times are CPU time of the
// thread; each figure is the median of some repetitions, with (max - min) /
// median, and its ratio to the first of those that take turns.

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tamis/allocator.h"
#include "tamis/any_filter.h"
#include "tamis/concurrent_tamis.h"
#include "tamis/infini.h"
#include "tamis/rsqf.h"
#include "tamis/sharded_tamis.h"
#include "tamis/tamis_filter.h"

namespace {

using tamis::KeyHash;

double CpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

// The i-th key of a stream: a hash by two rounds of a mixer.
uint64_t Mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
KeyHash KeyOf(uint64_t stream, uint64_t i) {
  const uint64_t first = stream * 0x9e3779b97f4a7c15 + i * 0xd1342543de82ef95;
  return {Mix(first), Mix(first ^ 0x2545f4914f6cdd1d)};
}
std::vector<KeyHash> Keys(uint64_t stream, uint64_t first, uint64_t count) {
  std::vector<KeyHash> keys(count);
  for (uint64_t i = 0; i < count; ++i) keys[i] = KeyOf(stream, first + i);
  return keys;
}

tamis::TamisFilter::Options FilterOptions() {
  tamis::TamisFilter::Options options;
  options.slots = 1024;
  options.fingerprint_bits = 12;
  options.members = tamis::TamisFilter::Members::kCaller;
  return options;
}
tamis::ShardedTamis MakeSharded() {
  return tamis::ShardedTamis::Create({.filter = FilterOptions()}).value();
}
tamis::ConcurrentTamis MakeConcurrent() {
  return tamis::ConcurrentTamis::Create({.filter = FilterOptions()}).value();
}
tamis::InfiniFilter MakeInfini() {
  return tamis::InfiniFilter::Create(
             tamis::Spec("infini").Set("f", 12).Set("threshold", "0.9"), 1024,
             tamis::Hasher())
      .value();
}

struct Figure {
  double median;
  double spread;
};
Figure FigureOf(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  const double median = all[all.size() / 2];
  return {median, (all.back() - all.front()) / median};
}
// `base`: what it is compared with, in ns.
void Print(const std::string& name, const char* what, const Figure& figure,
           double base) {
  std::printf("%-24s %-16s %8.2f ns  spread %.2f  %.2fx\n", name.c_str(), what,
              figure.median, figure.spread, figure.median / base);
  std::fflush(stdout);
}

constexpr uint64_t kChunk = uint64_t{1} << 16;

// Inserts keys [0, count); returns ns a key.
template <typename F>
double Fill(F& filter, uint64_t count) {
  double seconds = 0;
  for (uint64_t first = 0; first < count; first += kChunk) {
    const auto keys = Keys(1, first, std::min(kChunk, count - first));
    const double begin = CpuSeconds();
    for (size_t i = 0; i < keys.size(); ++i) {
      if (i + 8 < keys.size()) {
        if constexpr (requires { filter.PrefetchInsert(keys[i]); }) {
          filter.PrefetchInsert(keys[i + 8]);
        }
      }
      if (!filter.Insert(keys[i]).ok()) std::abort();
    }
    seconds += CpuSeconds() - begin;
  }
  return 1e9 * seconds / static_cast<double>(count);
}

constexpr uint64_t kQueries = uint64_t{1} << 22;

template <typename F>
double AskOneByOne(const F& filter, const std::vector<KeyHash>& keys,
                   uint64_t& found) {
  const double begin = CpuSeconds();
  for (const KeyHash key : keys) found += filter.MayContain(key) ? 1 : 0;
  return 1e9 * (CpuSeconds() - begin) / static_cast<double>(keys.size());
}
template <typename F>
double AskInBatches(const F& filter, const std::vector<KeyHash>& keys,
                    uint64_t& found) {
  constexpr size_t kBatch = 4096;
  const auto answers = std::make_unique<bool[]>(kBatch);
  const double begin = CpuSeconds();
  for (size_t i = 0; i + kBatch <= keys.size(); i += kBatch) {
    filter.MayContain(std::span(keys).subspan(i, kBatch),
                      std::span(answers.get(), kBatch));
    for (size_t j = 0; j < kBatch; ++j) found += answers[j] ? 1 : 0;
  }
  return 1e9 * (CpuSeconds() - begin) / static_cast<double>(keys.size());
}

// Filters that are compared take turns: what else the machine does hits all of
// them.
struct Subject {
  std::string name;
  std::function<double(const std::vector<KeyHash>&, bool batched)> ask;
  std::array<std::vector<double>, 4> times;
};

template <typename F>
Subject SubjectOf(const std::string& name, std::shared_ptr<F> filter,
                  uint64_t& found) {
  const auto ask = [filter, &found](const std::vector<KeyHash>& keys,
                                    bool batched) {
    return batched ? AskInBatches(*filter, keys, found)
                   : AskOneByOne(*filter, keys, found);
  };
  return {name, ask, {}};
}

constexpr std::array<const char*, 4> kQuestions = {"absent", "absent, batched",
                                                   "member", "member, batched"};

// Asks all of them; the ratios are to the first.
void AskInTurns(std::vector<Subject>& subjects, uint64_t members) {
  for (int r = 0; r < 7; ++r) {
    const auto absent = Keys(2, static_cast<uint64_t>(r) << 40, kQueries);
    std::vector<KeyHash> in(kQueries);
    for (uint64_t i = 0; i < kQueries; ++i) in[i] = KeyOf(1, Mix(i) % members);
    for (Subject& subject : subjects) {
      subject.times[0].push_back(subject.ask(absent, false));
      subject.times[1].push_back(subject.ask(absent, true));
      subject.times[2].push_back(subject.ask(in, false));
      subject.times[3].push_back(subject.ask(in, true));
    }
  }
  for (const Subject& subject : subjects) {
    for (size_t i = 0; i < kQuestions.size(); ++i) {
      Print(subject.name, kQuestions[i], FigureOf(subject.times[i]),
            FigureOf(subjects[0].times[i]).median);
    }
  }
}

// Each is filled three times, in turns, and the last is kept.
template <typename Make>
auto FillOnce(const std::string& name, const Make& make, uint64_t count,
              std::vector<double>& times) {
  auto filter = std::make_shared<decltype(make())>(make());
  times.push_back(Fill(*filter, count));
  std::printf(
      "%-22s %.2f bits a key\n", name.c_str(),
      static_cast<double>(filter->SizeBits()) / static_cast<double>(count));
  return filter;
}

void Grow(uint64_t count) {
  constexpr int kFills = 3;
  std::array<std::vector<double>, 3> fills;
  uint64_t found = 0;
  for (int r = 0; r < kFills; ++r) {
    auto infini = FillOnce("infini", MakeInfini, count, fills[0]);
    auto sharded = FillOnce("sharded", MakeSharded, count, fills[1]);
    auto concurrent = FillOnce("concurrent", MakeConcurrent, count, fills[2]);
    if (r + 1 < kFills) continue;
    const double base = FigureOf(fills[0]).median;
    Print("infini", "insert", FigureOf(fills[0]), base);
    Print("sharded", "insert", FigureOf(fills[1]), base);
    Print("concurrent", "insert", FigureOf(fills[2]), base);
    std::vector<Subject> subjects;
    subjects.push_back(SubjectOf("infini", infini, found));
    subjects.push_back(SubjectOf("sharded", sharded, found));
    subjects.push_back(SubjectOf("concurrent", concurrent, found));
    AskInTurns(subjects, count);
  }
}

std::shared_ptr<tamis::TamisFilter> FixedTamis(uint64_t slots, bool grow,
                                               uint64_t members) {
  tamis::TamisFilter::Options options = FilterOptions();
  options.slots = slots;
  options.grow = grow;
  auto filter = std::make_shared<tamis::TamisFilter>(
      tamis::TamisFilter::Create(options).value());
  Fill(*filter, members);
  return filter;
}

// Extends each hundredth member, with keys that agree with it in all the bits of
// its entry, and in as many more as chance would have it.
void ExtendSome(tamis::TamisFilter& filter, uint64_t members) {
  const int full =
      static_cast<int>(std::bit_width(filter.active().homes() - 1)) + 12;
  for (uint64_t i = 0; i < members; i += 100) {
    const KeyHash member = KeyOf(1, i);
    const int more = std::countr_zero(Mix(~i) | 256);
    const KeyHash absent = {member.high ^ uint64_t{1} << (63 - full - more),
                            member.low};
    (void)filter.Adapt(absent, std::span(&member, 1), filter.num_erases()).ok();
  }
}

template <typename F>
void FillAndAdd(const std::string& name, F filter, uint64_t members,
                uint64_t& found, std::vector<Subject>& subjects) {
  auto shared = std::make_shared<F>(std::move(filter));
  Fill(*shared, members);
  subjects.push_back(SubjectOf(name, std::move(shared), found));
}

// One table at load 0.89, beside the filter that it is made of.
void LookUp(uint64_t slots) {
  const uint64_t members = slots / 10 * 9 - slots / 100;
  uint64_t found = 0;
  for (const bool grow : {true, false}) {
    std::vector<Subject> subjects;
    if (grow) {
      const tamis::InfiniFilter::Options options = {
          .slots = slots, .fingerprint_bits = 12, .threshold = 0.9};
      FillAndAdd("infini f=12", tamis::InfiniFilter::Create(options).value(),
                 members, found, subjects);
    } else {
      const tamis::Rsqf::Options options = {.slots = slots,
                                            .remainder_bits = 12};
      FillAndAdd("rsqf r=12", tamis::Rsqf::Create(options).value(), members,
                 found, subjects);
    }
    const std::string name = grow ? "tamis f=12" : "tamis grow=no";
    subjects.push_back(
        SubjectOf(name, FixedTamis(slots, grow, members), found));
    auto extended = FixedTamis(slots, grow, members);
    ExtendSome(*extended, members);
    std::printf("%s: %llu extensions\n", name.c_str(),
                static_cast<unsigned long long>(extended->extensions().size()));
    subjects.push_back(SubjectOf(name + ", 1 % ext.", extended, found));
    AskInTurns(subjects, members);
  }
}

// Each insert by itself; reading the clock is in it, a fraction of 1 us.
template <typename F>
void WorstInsert(const std::string& name, F filter, uint64_t count) {
  std::vector<double> slow;  // the slowest of each chunk
  for (uint64_t first = 0; first < count; first += kChunk) {
    const auto keys = Keys(1, first, kChunk);
    double worst = 0;
    double begin = CpuSeconds();
    for (const KeyHash key : keys) {
      if (!filter.Insert(key).ok()) std::abort();
      const double end = CpuSeconds();
      worst = std::max(worst, end - begin);
      begin = end;
    }
    slow.push_back(worst);
  }
  std::sort(slow.begin(), slow.end());
  std::printf(
      "%-20s worst insert %8.3f ms; of 2^16 each, the median worst %.3f ms\n",
      name.c_str(), 1e3 * slow.back(), 1e3 * slow[slow.size() / 2]);
  std::fflush(stdout);
}

// Memory as a host sees it.
struct Meter {
  uint64_t now = 0;
  uint64_t peak = 0;
};
Meter meter;
const tamis::Allocator kMetered = {.allocate =
                                       [](void*, uint64_t bytes) {
                                         meter.now += bytes;
                                         meter.peak =
                                             std::max(meter.peak, meter.now);
                                         return std::calloc(1, bytes);
                                       },
                                   .free =
                                       [](void*, void* memory, uint64_t bytes) {
                                         meter.now -= bytes;
                                         std::free(memory);
                                       },
                                   .context = nullptr,
                                   .huge_pages = false};

// Memory that the system need not find any more: all that will be wanted is
// touched, and then malloc's.
const tamis::Allocator kTouched = {
    .allocate = [](void*, uint64_t bytes) { return std::calloc(1, bytes); },
    .free = [](void*, void* memory, uint64_t) { std::free(memory); },
    .context = nullptr,
    .huge_pages = false};
void TouchMemory(uint64_t bytes) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  std::memset(memory, 1, bytes);
  std::free(memory);
  tamis::SetAllocator(&kTouched);
}

// The largest ratio of the peak during an insert to what was in use before it
// or after it, whichever is more.
template <typename F>
void PeakMemory(const std::string& name, F filter, uint64_t count) {
  double worst = 0;
  uint64_t worst_at = 0, worst_more = 0;  // keys then, and bytes
  double least_bits = 1e9, most_bits = 0, sum_bits = 0;
  uint64_t samples = 0;
  for (uint64_t first = 0; first < count; first += kChunk) {
    for (const KeyHash key : Keys(1, first, kChunk)) {
      const uint64_t before = meter.now;
      meter.peak = before;
      if (!filter.Insert(key).ok()) std::abort();
      if (first < uint64_t{1} << 20) continue;
      const uint64_t there = std::max(before, meter.now);
      const double ratio =
          static_cast<double>(meter.peak) / static_cast<double>(there);
      if (ratio <= worst) continue;
      worst = ratio;
      worst_at = filter.size();
      worst_more = meter.peak - there;
    }
    const double bits = 8.0 * static_cast<double>(meter.now) /
                        static_cast<double>(first + kChunk);
    least_bits = std::min(least_bits, bits);
    most_bits = std::max(most_bits, bits);
    sum_bits += bits;
    ++samples;
  }
  std::printf(
      "%-14s peak %.4f of before or after (%llu bytes more, at %llu keys); "
      "%.2f to %.2f bits a key, mean %.2f (tables as allocated, 2^16 keys "
      "on)\n",
      name.c_str(), worst, static_cast<unsigned long long>(worst_more),
      static_cast<unsigned long long>(worst_at), least_bits, most_bits,
      sum_bits / static_cast<double>(samples));
}

// What the system has given, beside what the filter says it uses: the holes of
// the arena, or of malloc, are in it.
uint64_t ResidentBytes() {
  unsigned long long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*u %llu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return 4096 * pages;
}
template <typename F>
void Resident(const std::string& name, F filter, uint64_t count) {
  const uint64_t before = ResidentBytes();
  uint64_t size = 0;
  for (uint64_t limit = kChunk; limit <= count; limit += limit / 4) {
    for (; size < limit; size += kChunk / 4) {
      for (const KeyHash key : Keys(1, size, kChunk / 4)) {
        if (!filter.Insert(key).ok()) std::abort();
      }
    }
    const double keys = static_cast<double>(size) / 8;
    std::printf("%-12s %10llu keys %6.2f bits a key, resident %6.2f\n",
                name.c_str(), static_cast<unsigned long long>(size),
                static_cast<double>(filter.SizeBits()) / 8 / keys,
                static_cast<double>(ResidentBytes() - before) / keys);
  }
}

// A reader alone, and beside a writer that inserts and erases.
void Threads(uint64_t count) {
  const auto single = std::make_shared<tamis::ShardedTamis>(MakeSharded());
  const auto filter =
      std::make_shared<tamis::ConcurrentTamis>(MakeConcurrent());
  Fill(*single, count);
  Fill(*filter, count);
  uint64_t found = 0;
  std::vector<Subject> alone;
  alone.push_back(SubjectOf("single-threaded", single, found));
  alone.push_back(SubjectOf("concurrent, alone", filter, found));
  AskInTurns(alone, count);
  const uint64_t forced = filter->num_forced();
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> written{0};
  std::thread writer([&] {
    for (uint64_t i = count; !stop; ++i) {
      if (!filter->Insert(KeyOf(1, i)).ok()) std::abort();
      if (!filter->Erase(KeyOf(1, i)).ok()) std::abort();
      written += 2;
    }
  });
  std::vector<Subject> beside;
  beside.push_back(SubjectOf("beside a writer", filter, found));
  AskInTurns(beside, count);
  stop = true;
  writer.join();
  for (size_t i = 0; i < 2; ++i) {
    std::printf("beside a writer, of alone: %s %.2fx the speed\n",
                kQuestions[i],
                FigureOf(alone[1].times[i]).median /
                    FigureOf(beside[0].times[i]).median);
  }
  const double asked = 28.0 * static_cast<double>(kQueries);
  std::printf("writer: %llu operations; forced maybes: %.4f %%\n",
              static_cast<unsigned long long>(written.load()),
              100 * static_cast<double>(filter->num_forced() - forced) / asked);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr,
                 "usage: %s lookup|grow|worst|memory|resident|threads LOG2\n",
                 argv[0]);
    return 2;
  }
  const std::string what = argv[1];
  const uint64_t count = uint64_t{1} << std::atoi(argv[2]);
  if (what == "lookup") {
    LookUp(count);
  } else if (what == "grow") {
    Grow(count);
  } else if (what == "worst") {
    WorstInsert("sharded", MakeSharded(), count);
    WorstInsert("concurrent", MakeConcurrent(), count);
    TouchMemory(8 * count);
    WorstInsert("sharded, touched", MakeSharded(), count);
    WorstInsert("concurrent, touched", MakeConcurrent(), count);
  } else if (what == "memory") {
    tamis::SetAllocator(&kMetered);
    PeakMemory("sharded", MakeSharded(), count);
  } else if (what == "resident") {
    Resident("sharded", MakeSharded(), count);
    Resident("concurrent", MakeConcurrent(), count);
  } else if (what == "threads") {
    Threads(count);
  } else {
    return 2;
  }
  return 0;
}
