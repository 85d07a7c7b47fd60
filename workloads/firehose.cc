#include "workloads/firehose.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tamis::workloads {
namespace {

constexpr uint32_t kRingSlots = 16'384;
constexpr uint32_t kLiveKeys = 131'072;
constexpr uint32_t kLifetimes = 65'536;
constexpr uint32_t kWaits = 1'024;
constexpr uint32_t kLongestWait = 8'192;
constexpr uint32_t kNone = ~uint32_t{0};
static_assert(kLongestWait < kRingSlots,
              "a key pushed ahead must not pass the cursor");

constexpr uint32_t kPowerLawKeys = 100'000;
constexpr uint64_t kPowerLawFirstKey = 1'000'000'000;
constexpr uint32_t kRandomMax = 0x7fffffff;

// Returns Bob Jenkins's 1996 hash of the 8 little-endian bytes of `n`.  Of its
// general form only one block is left: the golden ratio and four bytes each in
// a and b, the seed and the length in c, stirred in nine steps.
uint32_t Evahash(uint64_t n, uint32_t seed) {
  constexpr uint32_t kGolden = 0x9e3779b9;
  uint32_t a = kGolden + static_cast<uint32_t>(n);
  uint32_t b = kGolden + static_cast<uint32_t>(n >> 32);
  uint32_t c = seed + 8;
  const auto stir = [&](int right1, int left, int right2) {
    a = (a - b - c) ^ (c >> right1);
    b = (b - c - a) ^ (a << left);
    c = (c - a - b) ^ (b >> right2);
  };
  stir(13, 8, 13);
  stir(12, 16, 5);
  stir(3, 10, 15);
  return c;
}

// Returns (i^p - N^p) / (1 - N^p), which falls from 1 at i = 1 to 0 at i = N,
// and its limit where p is 0.
double Falling(uint32_t i, double p) {
  const double n = kLifetimes;
  if (p == 0) return 1 - std::log(i) / std::log(n);
  const double last = std::pow(n, p);
  return (std::pow(i, p) - last) / (1 - last);
}

std::vector<uint32_t> LifetimeTable(double exponent) {
  std::vector<uint32_t> table(kLifetimes);
  for (uint32_t i = 1; i <= kLifetimes; ++i) {
    table[i - 1] =
        static_cast<uint32_t>(std::floor(kLifetimes * Falling(i, exponent))) +
        1;
  }
  return table;
}

// Returns the waits at each 1,024th of a key's life: the popularity is a bell
// (the difference of two logistic curves), and the wait its complement.
std::vector<uint32_t> WaitTable() {
  std::vector<double> popularity(kWaits);
  for (uint32_t k = 0; k < kWaits; ++k) {
    const double x = 12.0 * k / kWaits;
    popularity[k] = 1 / (1 + std::exp(2 - x)) - 1 / (1 + std::exp(5 - x));
  }
  const double top = *std::max_element(popularity.begin(), popularity.end());
  std::vector<uint32_t> table(kWaits);
  std::transform(popularity.begin(), popularity.end(), table.begin(),
                 [top](double y) {
                   const double wait = kLongestWait * (top - y) / top;
                   return std::max(1u, static_cast<uint32_t>(wait));
                 });
  return table;
}

// Returns floor((2^31 - 1) F(i)) with F(i) = 1 - G(i), where
// G(i) = Gamma(i + 1) Gamma(1.5) / Gamma(i + 1.5) obeys
// G(i) = G(i - 1) * i / (i + 0.5).
std::vector<uint32_t> PowerLawTable() {
  std::vector<uint32_t> table(kPowerLawKeys, 0);
  long double above = 1;
  for (uint32_t i = 1; i < kPowerLawKeys; ++i) {
    above *= i / (i + 0.5L);
    table[i] = static_cast<uint32_t>((1 - above) * kRandomMax);
  }
  return table;
}

}  // namespace

ActiveSetStream::ActiveSetStream(const Options& options)
    : random_(options.seed),
      lifetimes_(LifetimeTable(options.exponent)),
      waits_(WaitTable()),
      keys_(kLiveKeys),
      ring_(kRingSlots, kNone),
      working_(kNone),
      id_seed_(random_.Next()) {
  for (uint32_t key = 0; key < kLiveKeys; ++key) Renew(key);
}

void ActiveSetStream::Renew(uint32_t key) {
  const uint64_t n = ids_made_++;
  const uint64_t id =
      (uint64_t{Evahash(n, id_seed_)} << 32) | Evahash(n, id_seed_ + 1);
  const uint32_t lifetime = lifetimes_[random_.Next() % kLifetimes];
  keys_[key] = {.id = id, .emitted = 0, .lifetime = lifetime, .below = kNone};
  Push(random_.Next() % kRingSlots, key);
}

void ActiveSetStream::Push(uint32_t slot, uint32_t key) {
  keys_[key].below = ring_[slot];
  ring_[slot] = key;
}

uint64_t ActiveSetStream::Next() {
  while (working_ == kNone) {
    cursor_ = (cursor_ + 1) % kRingSlots;
    working_ = std::exchange(ring_[cursor_], kNone);
  }
  const uint32_t index = working_;
  Key& key = keys_[index];
  working_ = key.below;
  const uint64_t id = key.id;
  if (++key.emitted >= key.lifetime) {
    Renew(index);
  } else {
    const uint64_t age = uint64_t{kWaits} * key.emitted / key.lifetime;
    Push((cursor_ + waits_[age]) % kRingSlots, index);
  }
  return id;
}

PowerLawStream::PowerLawStream(uint32_t seed)
    : random_(seed), cumulative_(PowerLawTable()) {}

uint64_t PowerLawStream::Next() {
  for (;;) {
    const uint32_t r = random_.Next();
    if (r >= cumulative_.back()) continue;
    const auto at = std::lower_bound(cumulative_.begin(), cumulative_.end(), r);
    return kPowerLawFirstKey + static_cast<uint64_t>(at - cumulative_.begin());
  }
}

}  // namespace tamis::workloads
