// Forged files: changed anywhere, with all checksums right again.
//
// Loading refuses them, or gives a filter that is in order; then every
// operation on it leaves it in order, and reads and writes nothing but its own
// memory (the sanitizers watch).  fuzz/load_fuzz.cc does the same for as long
// as one likes.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "format/samples.h"
#include "format/small_filter.h"
#include "model/reseal.h"
#include "model/use_filter.h"
#include "tamis/internal/filters/growing/prefix_table.h"

namespace tamis::testing {
namespace {

class ForgedFilter : public SmallFilterTest {
 protected:
  uint64_t Draw(uint64_t limit) { return random_() % limit; }

  // Changes a byte or two behind the header, by a bit or altogether.
  void ChangeBody(ByteVector& file) {
    const uint64_t header = HeaderBytes(file);
    if (file.size() == header) return;
    for (uint64_t i = 0; i <= Draw(2); ++i) {
      std::byte& byte = file[header + Draw(file.size() - header)];
      byte ^= Draw(2) == 0 ? static_cast<std::byte>(1 << Draw(8))
                           : static_cast<std::byte>(Draw(256));
    }
  }
  // Gives one of the numbers another value.
  void ChangeNumber(ByteVector& file) {
    std::vector<uint64_t> places;
    ForEachRecord(
        file, [&](uint64_t at) { places.push_back(at); }, [](uint64_t) {});
    const uint64_t at = places[Draw(places.size())];
    const uint64_t old = internal::LoadBytes(file.data() + at, 8);
    const uint64_t values[] = {0,
                               1,
                               old + 1,
                               old - 1,
                               2 * old,
                               old / 2,
                               Draw(64),
                               ~uint64_t{0},
                               uint64_t{1} << Draw(64)};
    internal::StoreBytes(file.data() + at, 8, values[Draw(9)]);
  }
  // Changes a character of the spec, mostly a digit of a parameter.
  void ChangeSpec(ByteVector& file) {
    const uint64_t size = internal::LoadBytes(file.data() + 50, 2);
    std::byte& character = file[64 + Draw(size)];
    character = static_cast<std::byte>('0' + Draw(10));
  }

  std::mt19937_64 random_{11};
};
TAMIS_CONFORMANCE_INSTANTIATE(ForgedFilter);

TEST_P(ForgedFilter, IsRefusedOrInOrderWhateverIsDoneWithIt) {
  if (GetParam().kind == &kReference) GTEST_SKIP() << "has no own checks";
  constexpr int kForgeries = 150;
  const ByteVector good = Bytes(SmallFilter());
  AnyFilter original = GetParam().kind->load(good).value();
  ASSERT_TRUE(UseFilter(original).ok()) << UseFilter(original).ToString();
  int accepted = 0;
  for (int i = 0; i < kForgeries; ++i) {
    ByteVector forged = good;
    const uint64_t what = Draw(10);
    if (what < 7) ChangeBody(forged);
    if (what >= 6 && what < 9) ChangeNumber(forged);
    if (what == 9) ChangeSpec(forged);
    Reseal(std::span(forged));
    Result<AnyFilter> filter = GetParam().kind->load(forged);
    if (!filter.ok()) continue;
    ++accepted;
    const Status used = UseFilter(*filter);
    ASSERT_TRUE(used.ok()) << "forgery " << i << ": " << used.ToString();
  }
  EXPECT_LT(accepted, kForgeries);
}

// The newest table has void entries that no table of the chain explains; a
// generation whose keys would be void now does not exist.
TEST(ForgedInfini, VoidsWithoutDuplicatesAreRefused) {
  AnyFilter filter =
      AnyFilter::Create("infini:f=3,chain=duplicate", 8, Hasher(Seed{1, 2}))
          .value();
  ASSERT_TRUE(filter.Insert(filter.hasher().Hash(uint64_t{5})).ok());
  const ByteVector good = Serialize(filter).value();
  const auto file = internal::DecodedFile::FromMemory(good);
  ASSERT_TRUE(file.ok());
  // One entry of one generation: make its fingerprint void, and count it so.
  const internal::Snapshot& snapshot = file->snapshot();
  internal::Snapshot forged(snapshot.spec(), snapshot.hasher());
  for (const auto& number : snapshot.numbers()) {
    forged.AddNumber(number.name, number.value);
  }
  const auto entry =
      internal::PrefixTable::FromLines(internal::Generations{8, 3, false}, 0, 1,
                                       snapshot.Array("lines.0").value());
  ASSERT_TRUE(entry.ok());
  const internal::PrefixTable::Cursor at(*entry);
  auto table =
      internal::PrefixTable::Create(internal::Generations{8, 3, false}, 0);
  ASSERT_TRUE(table->InsertEntry({at.home(), table->void_value()}).ok());
  for (const auto& array : snapshot.arrays()) {
    forged.AddArray(array.name,
                    array.name == "lines.0"
                        ? table->lines()
                        : std::as_bytes(std::span(table->counts())));
  }
  const auto bytes = internal::SerializeSnapshot(forged).value();
  EXPECT_EQ(DeserializeAny(bytes).status().code(), StatusCode::kCorrupt)
      << DeserializeAny(bytes).status().ToString();
}

TEST(ForgedExaf, LettersBehindTheLastSlotAreRefused) {
  const AnyFilter filter = AnyFilter::Create("utaf:r=8", 50).value();
  const internal::Snapshot good = filter.ToSnapshot();
  const auto letters = good.Array("letters").value();
  std::vector<std::byte> forged(letters.begin(), letters.end());
  forged.back() = std::byte{3};
  internal::Snapshot snapshot(good.spec(), good.hasher());
  for (const auto& number : good.numbers()) {
    snapshot.AddNumber(number.name, number.value);
  }
  for (const auto& array : good.arrays()) {
    snapshot.AddArray(array.name, array.name == "letters"
                                      ? std::span<const std::byte>(forged)
                                      : array.bytes);
  }
  EXPECT_EQ(AnyFilter::FromSnapshot(snapshot).status().code(),
            StatusCode::kCorrupt);
}

}  // namespace
}  // namespace tamis::testing
