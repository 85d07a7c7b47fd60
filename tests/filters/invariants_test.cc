// CheckInvariants itself: every clause that a file can break fails for some
// forgery of a good one, with its own message.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "model/forged.h"
#include "tamis/any_filter.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/taf.h"

namespace tamis {
namespace {

using internal::Snapshot;
using testing::WithArray;
using Messages = std::set<std::string>;

struct Case {
  std::string spec;
  uint64_t slots;
  uint64_t keys;
  std::vector<std::string> violations;  // parts of messages
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.spec << " of " << c.slots << " slots";
}

// A filter with members and, if it adapts, with fixes.
AnyFilter MakeSample(const Case& c) {
  AnyFilter filter =
      AnyFilter::Create(c.spec, c.slots, Hasher(Seed{7, 7})).value();
  const Hasher hasher = filter.hasher();
  for (uint64_t key = 0; key < c.keys; ++key) {
    EXPECT_TRUE(filter.Insert(hasher.Hash(key)).ok());
  }
  for (uint64_t i = 0; filter.capabilities().adapt && i < 20'000; ++i) {
    const KeyHash absent = hasher.Hash((uint64_t{1} << 40) + i);
    EXPECT_TRUE(filter.Adapt(absent).ok());
  }
  EXPECT_TRUE(filter.CheckInvariants().ok());
  return filter;
}

// Version 1 lacks counts and other sums, which would notice much before others
// do.
void Note(const Snapshot& forged, Messages& messages) {
  for (const int version : {1, Snapshot::kNewestVersion}) {
    Snapshot snapshot = forged;
    snapshot.set_version(version);
    const Result<AnyFilter> loaded = AnyFilter::FromSnapshot(snapshot);
    const Status status =
        loaded.ok() ? loaded->CheckInvariants() : loaded.status();
    if (!status.ok()) messages.emplace(status.message());
  }
}

// Flips bits of every array, one at a time; of long ones some 2000.
void ForgeArrays(const Snapshot& good, Messages& messages) {
  for (const auto& array : good.arrays()) {
    std::vector<std::byte> bytes(array.bytes.begin(), array.bytes.end());
    const Snapshot forged = WithArray(good, array.name, bytes);
    const size_t step = 1 + 8 * bytes.size() / 2000 / 2 * 2;  // odd: all bits
    for (size_t bit = 0; bit < 8 * bytes.size(); bit += step) {
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      Note(forged, messages);
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    }
  }
}

// Makes every number another one, nearby or 0.
void ForgeNumbers(const Snapshot& good, Messages& messages) {
  for (const auto& chosen : good.numbers()) {
    for (const uint64_t other :
         {chosen.value + 1, chosen.value + 3, chosen.value - 1, uint64_t{0}}) {
      Snapshot forged(good.spec(), good.hasher());
      for (const auto& [name, value] : good.numbers()) {
        forged.AddNumber(name, name == chosen.name ? other : value);
      }
      for (const auto& [name, bytes] : good.arrays()) {
        forged.AddArray(name, bytes);
      }
      Note(forged, messages);
    }
  }
}

// A mirrored member must have its slot's home and remainder; the bits of its
// hash behind them may be any.
TEST(MirrorInvariants, HomeAndRemainderMustAgree) {
  constexpr uint64_t kHomeBits = 6, kRemainderBits = 8;
  Taf filter = Taf::Create({.slots = 1 << kHomeBits}).value();
  for (uint64_t key = 0; key < 40; ++key) {
    ASSERT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
  }
  const Snapshot good = filter.ToSnapshot();
  const auto mirror = good.Array("mirror").value();
  std::vector<std::byte> bytes(mirror.begin(), mirror.end());
  const Snapshot forged = WithArray(good, "mirror", bytes);
  filter.table().ForEach([&](uint64_t, uint64_t slot, uint64_t) {
    for (uint64_t bit = 0; bit < 64; ++bit) {  // from the top, high word last
      std::byte& byte = bytes[16 * slot + 15 - bit / 8];
      byte ^= static_cast<std::byte>(0x80 >> bit % 8);
      EXPECT_EQ(Taf::FromSnapshot(forged).ok(),
                bit >= kHomeBits + kRemainderBits)
          << "slot " << slot << ", bit " << bit;
      byte ^= static_cast<std::byte>(0x80 >> bit % 8);
    }
  });
}

class Invariants : public ::testing::TestWithParam<Case> {};

TEST_P(Invariants, EachIsBrokenBySomeForgery) {
  const AnyFilter filter = MakeSample(GetParam());
  const Snapshot good = filter.ToSnapshot();
  Messages messages;
  ForgeArrays(good, messages);
  ForgeNumbers(good, messages);
  for (const std::string& part : GetParam().violations) {
    EXPECT_TRUE(std::any_of(messages.begin(), messages.end(),
                            [&](const std::string& message) {
                              return message.find(part) != std::string::npos;
                            }))
        << "nothing broke " << part;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Filters, Invariants,
    ::testing::Values(
        Case{"rsqf:r=5", 60, 50, {"(I1)", "(I3)", "(I5)", "(I6)", "order"}},
        Case{"taf:r=8", 40, 38, {"(A1)", "(A2)", "(A3)", "(A4)"}},
        Case{"taf:r=4", 40, 34, {"(A1)", "(A2)", "(A3)"}},
        Case{"exaf:r=5", 40, 34, {"(A1)", "(A2)", "(A3)"}},
        Case{"utaf:r=8", 40, 34, {"(A1)", "(A2)"}},
        Case{"cuckoo:f=5", 60, 45, {"(T1)", "(P2)"}},
        Case{"cuckoo:f=5,k=2,b=2",
             44,
             34,
             {"(K1): free slot", "slots are in use", "in no bin",
              "another key's fingerprint"}},
        Case{"cyclic:f=5,s=2",
             64,
             50,
             {"(K1): free slot", "in no bin", "another key's fingerprint"}},
        Case{"bloom:bits=7,k=2", 15, 12, {"(B1)", "(B2)"}},
        Case{"bloom1:bits=8,k=4", 40, 30, {"(W2)"}},
        Case{"blocked:bits=12", 80, 1, {"(L2)", "(L3)"}},
        Case{"abf:bits=8,k=4,sets=4", 40, 9, {"(A1)", "(A2)", "(A4)"}},
        Case{"abf-counting:bits=8,k=4,sets=4",
             40,
             9,
             {"(A1)", "(A2)", "(A3)", "(A4)"}},
        Case{"sacrifice:f=3", 8, 40, {"more bits than", "order of its run"}},
        Case{"chain:f=4", 8, 60, {"is not older"}},
        Case{"infini:f=3", 4, 150, {"(F1)", "order of its run", "entry of 0"}},
        Case{"infini-growing:f=3", 4, 60, {"(F2)", "(P2)"}},
        Case{"infini:f=3,chain=duplicate",
             4,
             150,
             {"lacks a duplicate", "duplicates are there"}}),
    [](const auto& parameter) {
      std::string name = parameter.param.spec;
      for (char& c : name)
        c = c == ':' || c == '=' || c == ',' || c == '-' ? '_' : c;
      return name;
    });

}  // namespace
}  // namespace tamis
