// What shards and threads cost, and what they save.
//
//   tamis_shards lookup LOG2    one table of 2^LOG2 slots, fresh and with 1 % of
//                               the members extended, beside infini and rsqf
//   tamis_shards grow LOG2      insert and look-up at 2^LOG2 keys, beside infini
//   tamis_shards worst LOG2     the slowest insert on the way there, CPU time
//   tamis_shards memory LOG2    bytes in use while it grows, and the peak
//   tamis_shards threads LOG2   a reader alone and beside a writer
//
// Filters grow from 2^10 slots, but for `lookup`.  Times are CPU time of the thread; each figure
// is the median of some repetitions, with (max - min) / median.

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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
void Print(const std::string& name, const char* what, const Figure& figure) {
  std::printf("%-22s %-16s %8.2f ns  spread %.2f\n", name.c_str(), what,
              figure.median, figure.spread);
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

template <typename F>
void AskFilter(const std::string& name, const F& filter, uint64_t members) {
  constexpr int kRepetitions = 5;
  uint64_t found = 0;
  std::vector<double> single, batch, in_single, in_batch;
  for (int r = 0; r < kRepetitions; ++r) {
    const auto absent = Keys(2, static_cast<uint64_t>(r) << 40, kQueries);
    single.push_back(AskOneByOne(filter, absent, found));
    batch.push_back(AskInBatches(filter, absent, found));
    std::vector<KeyHash> in(kQueries);
    for (uint64_t i = 0; i < kQueries; ++i) in[i] = KeyOf(1, Mix(i) % members);
    in_single.push_back(AskOneByOne(filter, in, found));
    in_batch.push_back(AskInBatches(filter, in, found));
  }
  Print(name, "absent", FigureOf(single));
  Print(name, "absent, batched", FigureOf(batch));
  Print(name, "member", FigureOf(in_single));
  Print(name, "member, batched", FigureOf(in_batch));
  std::printf(
      "%-14s %.2f bits a key, %llu answers were maybe\n", name.c_str(),
      static_cast<double>(filter.SizeBits()) / static_cast<double>(members),
      static_cast<unsigned long long>(found));
}

template <typename F>
void GrowAndAsk(const std::string& name, F filter, uint64_t count) {
  Print(name, "insert", {Fill(filter, count), 0});
  AskFilter(name, filter, count);
}

void Grow(uint64_t count) {
  GrowAndAsk("infini", MakeInfini(), count);
  GrowAndAsk("sharded", MakeSharded(), count);
  GrowAndAsk("concurrent", MakeConcurrent(), count);
}

// One table at load 0.9, beside those that it is made of.  They take turns: what
// else the machine does hits all of them.
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

void LookUp(uint64_t slots) {
  const uint64_t members = slots / 10 * 9 - slots / 100;
  uint64_t found = 0;
  std::vector<Subject> subjects;
  const auto infini = std::make_shared<tamis::InfiniFilter>(
      tamis::InfiniFilter::Create(
          {.slots = slots, .fingerprint_bits = 12, .threshold = 0.9})
          .value());
  Fill(*infini, members);
  const auto rsqf = std::make_shared<tamis::Rsqf>(
      tamis::Rsqf::Create({.slots = slots, .remainder_bits = 12}).value());
  Fill(*rsqf, members);
  subjects.push_back(SubjectOf("infini f=12", infini, found));
  subjects.push_back(SubjectOf("rsqf r=12", rsqf, found));
  for (const bool grow : {true, false}) {
    const std::string name = grow ? "tamis f=12" : "tamis grow=no";
    auto fresh = FixedTamis(slots, grow, members);
    subjects.push_back(SubjectOf(name, fresh, found));
    auto extended = FixedTamis(slots, grow, members);
    ExtendSome(*extended, members);
    std::printf("%s: %llu extensions\n", name.c_str(),
                static_cast<unsigned long long>(extended->extensions().size()));
    subjects.push_back(SubjectOf(name + ", 1 % ext.", extended, found));
  }
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
  constexpr const char* kNames[] = {"absent", "absent, batched", "member",
                                    "member, batched"};
  for (const Subject& subject : subjects) {
    for (size_t i = 0; i < 4; ++i) {
      Print(subject.name, kNames[i], FigureOf(subject.times[i]));
    }
  }
}

// The clock is read once for a few inserts: it costs as much as one.
template <typename F>
void WorstInsert(const std::string& name, F filter, uint64_t count) {
  constexpr uint64_t kFew = 16;
  double worst = 0;
  for (uint64_t first = 0; first < count; first += kChunk) {
    const auto keys = Keys(1, first, kChunk);
    for (size_t i = 0; i < keys.size(); i += kFew) {
      const double begin = CpuSeconds();
      for (size_t j = i; j < i + kFew; ++j) {
        if (!filter.Insert(keys[j]).ok()) std::abort();
      }
      worst = std::max(worst, CpuSeconds() - begin);
    }
  }
  std::printf("%-14s worst insert (of %llu together) %8.3f ms\n", name.c_str(),
              static_cast<unsigned long long>(kFew), 1e3 * worst);
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

// The largest ratio of the peak during an insert to what was in use before it
// or after it, whichever is more.
template <typename F>
void PeakMemory(const std::string& name, F filter, uint64_t count) {
  double worst = 0;
  double least_bits = 1e9, most_bits = 0, sum_bits = 0;
  uint64_t samples = 0;
  for (uint64_t first = 0; first < count; first += kChunk) {
    for (const KeyHash key : Keys(1, first, kChunk)) {
      const uint64_t before = meter.now;
      meter.peak = before;
      if (!filter.Insert(key).ok()) std::abort();
      if (first < uint64_t{1} << 20) continue;
      worst =
          std::max(worst, static_cast<double>(meter.peak) /
                              static_cast<double>(std::max(before, meter.now)));
    }
    const double bits = 8.0 * static_cast<double>(meter.now) /
                        static_cast<double>(first + kChunk);
    least_bits = std::min(least_bits, bits);
    most_bits = std::max(most_bits, bits);
    sum_bits += bits;
    ++samples;
  }
  std::printf(
      "%-14s peak %.4f of before or after; %.2f to %.2f bits a key, mean %.2f "
      "(tables as allocated, 2^16 keys on)\n",
      name.c_str(), worst, least_bits, most_bits,
      sum_bits / static_cast<double>(samples));
}

// A reader alone, and beside a writer that inserts and erases.
void Threads(uint64_t count) {
  tamis::ShardedTamis single = MakeSharded();
  tamis::ConcurrentTamis filter = MakeConcurrent();
  Fill(single, count);
  Fill(filter, count);
  uint64_t found = 0;
  const auto absent = Keys(2, 0, kQueries);
  const auto measure = [&](const std::string& name, const auto& which) {
    std::vector<double> one, batch;
    for (int r = 0; r < 7; ++r) {
      one.push_back(AskOneByOne(which, absent, found));
      batch.push_back(AskInBatches(which, absent, found));
    }
    Print(name, "absent", FigureOf(one));
    Print(name, "absent, batched", FigureOf(batch));
  };
  measure("single-threaded", single);
  measure("alone", filter);
  const uint64_t forced = filter.num_forced();
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> written{0};
  std::thread writer([&] {
    for (uint64_t i = count; !stop; ++i) {
      if (!filter.Insert(KeyOf(1, i)).ok()) std::abort();
      if (!filter.Erase(KeyOf(1, i)).ok()) std::abort();
      written += 2;
    }
  });
  measure("beside writer", filter);
  stop = true;
  writer.join();
  const double asked = 14.0 * static_cast<double>(kQueries);
  std::printf("writer: %llu operations; forced maybes: %.4f %%\n",
              static_cast<unsigned long long>(written.load()),
              100 * static_cast<double>(filter.num_forced() - forced) / asked);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s lookup|grow|worst|memory|threads LOG2\n",
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
  } else if (what == "memory") {
    tamis::SetAllocator(&kMetered);
    PeakMemory("sharded", MakeSharded(), count);
  } else if (what == "threads") {
    Threads(count);
  } else {
    return 2;
  }
  return 0;
}
