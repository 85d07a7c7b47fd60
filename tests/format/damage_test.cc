// Damaged files: whatever was done to the bytes, loading them is a clear
// error that names an offset; never a crash, and never another filter.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "format/samples.h"

namespace tamis::testing {
namespace {

// Says whether an error is the kind of error that a damaged file deserves.
::testing::AssertionResult IsClear(const Status& status) {
  if (status.code() != StatusCode::kCorrupt &&
      status.code() != StatusCode::kVersion) {
    return ::testing::AssertionFailure() << status.ToString();
  }
  if (!status.message().starts_with("offset ")) {
    return ::testing::AssertionFailure()
           << "no offset in: " << status.ToString();
  }
  return ::testing::AssertionSuccess();
}

Status LoadStatus(const ByteVector& bytes) {
  return Deserialize<ExactFilter>(bytes).status();
}

TEST(DamagedFile, EveryBitFlipIsNoticed) {
  const ByteVector good = SampleBytes();
  for (size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      ByteVector bad = good;
      bad[at] ^= static_cast<std::byte>(1 << bit);
      ASSERT_TRUE(IsClear(LoadStatus(bad))) << "byte " << at << " bit " << bit;
    }
  }
}

TEST(DamagedFile, EveryByteSetToZeroOrOnesIsNoticed) {
  const ByteVector good = SampleBytes();
  for (size_t at = 0; at < good.size(); ++at) {
    for (const std::byte value : {std::byte{0}, std::byte{0xff}}) {
      ByteVector bad = good;
      if (std::exchange(bad[at], value) == value) continue;
      ASSERT_TRUE(IsClear(LoadStatus(bad))) << "byte " << at;
    }
  }
}

TEST(DamagedFile, EveryTruncationIsNoticed) {
  const ByteVector good = SampleBytes();
  for (size_t size = 0; size < good.size(); ++size) {
    // A vector of its own, so that a read beyond it is seen by sanitizers.
    const ByteVector bad(good.begin(),
                         good.begin() + static_cast<ptrdiff_t>(size));
    ASSERT_TRUE(IsClear(LoadStatus(bad))) << "cut to " << size << " bytes";
    ASSERT_FALSE(Inspect(bad).ok());
  }
}

TEST(DamagedFile, AppendedBytesAreNoticed) {
  for (size_t more = 1; more <= 130; ++more) {
    ByteVector bad = SampleBytes();
    bad.resize(bad.size() + more);
    ASSERT_TRUE(IsClear(LoadStatus(bad))) << more << " bytes more";
  }
}

TEST(DamagedFile, SwappedSectionsAreNoticed) {
  ExactFilter filter = SampleFilter(4);  // one section of exactly 64 bytes
  ByteVector bytes = Serialize(filter).value();
  const auto begin = bytes.begin() + static_cast<ptrdiff_t>(HeaderBytes(bytes));
  std::swap_ranges(begin, begin + 16, begin + 16);
  EXPECT_TRUE(IsClear(LoadStatus(bytes)));
}

TEST(DamagedFile, SaysWhatItIs) {
  ByteVector text(100, std::byte{'x'});
  EXPECT_NE(LoadStatus(text).message().find("not a tamis file"),
            std::string::npos);

  ByteVector newer = SampleBytes();
  newer[6] = std::byte{3};
  EXPECT_EQ(LoadStatus(newer).code(), StatusCode::kVersion);
  EXPECT_NE(LoadStatus(newer).message().find("offset 6: format version 3"),
            std::string::npos);

  ByteVector header = SampleBytes();
  header[64] ^= std::byte{1};
  EXPECT_NE(LoadStatus(header).message().find("header checksum mismatch"),
            std::string::npos);

  ByteVector section = SampleBytes();
  section[HeaderBytes(section) + 3] ^= std::byte{1};
  EXPECT_NE(LoadStatus(section).message().find("section 'members'"),
            std::string::npos)
      << LoadStatus(section).ToString();
}

// A forger can compute checksums.  Every field of the fixed header with every
// other value of its bytes, resealed: still a status, or the same filter.
TEST(ForgedFile, EveryHeaderByteResealed) {
  const ByteVector good = SampleBytes();
  for (size_t at = 8; at < HeaderBytes(good) - 8; ++at) {
    for (int value = 0; value < 256; ++value) {
      ByteVector bad = good;
      bad[at] = static_cast<std::byte>(value);
      if (HeaderBytes(bad) < 128 || HeaderBytes(bad) > bad.size()) continue;
      ResealHeader(bad);
      const Result<ExactFilter> loaded = Deserialize<ExactFilter>(bad);
      if (loaded.ok()) {
        // Seed, spec and numbers may have another value that is as good.
        ASSERT_TRUE(loaded->CheckInvariants().ok());
        ASSERT_EQ(loaded->size(), 5u) << "byte " << at;
      }
    }
  }
}

// Stores `value` at `at`, reseals, and returns the error.
Status Forged(uint64_t at, int count, uint64_t value) {
  ByteVector bytes = SampleBytes();
  internal::StoreBytes(bytes.data() + at, count, value);
  ResealHeader(bytes);
  return LoadStatus(bytes);
}

::testing::AssertionResult Says(const Status& status, std::string_view what) {
  if (status.message().find(what) != std::string::npos) return IsClear(status);
  return ::testing::AssertionFailure() << status.ToString();
}

TEST(ForgedFile, ReservedBytesMustBeZero) {
  for (const uint64_t at : {20u, 21u, 22u, 23u, 52u, 57u, 63u}) {
    const Status status = Forged(at, 1, 1);
    EXPECT_TRUE(IsClear(status));
    EXPECT_TRUE(status.message().starts_with("offset " + std::to_string(at)))
        << status.ToString();
  }
}

TEST(ForgedFile, CountsAreNotTrusted) {
  for (const uint64_t at : {24u, 28u}) {
    for (const uint64_t count : {0u, 3u, 1000u, 0xffffffffu}) {
      EXPECT_TRUE(IsClear(Forged(at, 4, count))) << at << " " << count;
    }
  }
}

TEST(ForgedFile, LengthsAreNotTrusted) {
  // The first section's record: offset, size and checksum after its name.
  const ByteVector good = SampleBytes();
  const std::string_view text(reinterpret_cast<const char*>(good.data()),
                              good.size());
  const uint64_t record = text.find("members") + 7;
  for (const uint64_t value :
       {uint64_t{0}, uint64_t{81}, uint64_t{1} << 20, uint64_t{1} << 63,
        ~uint64_t{0}, ~uint64_t{0} - 63, ~uint64_t{0} - 320}) {
    EXPECT_TRUE(IsClear(Forged(record, 8, value))) << "offset " << value;
    EXPECT_TRUE(IsClear(Forged(record + 8, 8, value))) << "size " << value;
  }
  for (const uint64_t bytes : {0u, 1u, 500u, 1025u, 65535u}) {
    EXPECT_TRUE(IsClear(Forged(50, 2, bytes))) << "spec of " << bytes;
  }
}

TEST(ForgedFile, UnknownHashAlgorithmIsRefused) {
  EXPECT_TRUE(IsClear(Forged(48, 1, 0)));
  EXPECT_TRUE(IsClear(Forged(48, 1, 3)));
}

TEST(ForgedFile, UnknownFormOfKeysIsRefused) {
  EXPECT_TRUE(Says(Forged(49, 1, 4), "offset 49: unknown form of keys 4"));
  ByteVector bytes = SampleBytes();
  bytes[49] = std::byte{2};
  ResealHeader(bytes);
  EXPECT_EQ(Inspect(bytes)->keys, KeyForm::kU64);
}

// There is one way to write a filter: what it would not write itself is
// refused.
TEST(ForgedFile, SurplusNumbersAndArraysAreRefused) {
  const ExactFilter filter = SampleFilter();
  for (const bool is_number : {true, false}) {
    internal::Snapshot snapshot = filter.ToSnapshot();
    is_number ? snapshot.AddNumber("more", 1)
              : snapshot.AddArray("more", std::span<const std::byte>());
    const ByteVector bytes = internal::SerializeSnapshot(snapshot).value();
    EXPECT_TRUE(Says(LoadStatus(bytes),
                     is_number ? "numbers are not" : "sections are not"));
  }
}

TEST(ForgedFile, AnIncompleteSpecIsRefused) {
  const AnyFilter filter = AnyFilter::Create("taf:r=8", 100).value();
  const internal::Snapshot good = filter.ToSnapshot();
  EXPECT_EQ(good.spec().ToString(),
            "taf:r=8,overflow=refuse,c=0,members=mirror");
  internal::Snapshot lacking(Spec("taf").Set("r", 8), filter.hasher());
  for (const auto& number : good.numbers()) {
    lacking.AddNumber(number.name, number.value);
  }
  for (const auto& array : good.arrays()) {
    lacking.AddArray(array.name, array.bytes);
  }
  const ByteVector bytes = internal::SerializeSnapshot(lacking).value();
  EXPECT_TRUE(Says(DeserializeAny(bytes).status(), "spec is not"));
}

TEST(ForgedFile, DoubleNamesAreRefused) {
  internal::Snapshot snapshot(Spec("exact"), Hasher(Seed{}));
  snapshot.AddNumber("capacity", 1);
  snapshot.AddNumber("capacity", 2);
  const ByteVector bytes = internal::SerializeSnapshot(snapshot).value();
  EXPECT_TRUE(IsClear(LoadStatus(bytes)));
  EXPECT_TRUE(Says(Inspect(bytes).status(), "'capacity' is given twice"));
}

// What the header says of lengths must agree with the file, with itself, and
// leave no byte that says nothing.
TEST(ForgedFile, LengthsThatDisagreeAreRefused) {
  const ByteVector good = SampleBytes();
  EXPECT_TRUE(Says(Forged(8, 8, good.size() + 64), "its header says"));
  ByteVector appended = good;
  appended.resize(good.size() + 64);
  internal::StoreBytes(appended.data() + 8, 8, appended.size());
  ResealHeader(appended);
  EXPECT_TRUE(Says(LoadStatus(appended), "bytes after the last section"));

  ByteVector huge = good;
  for (const uint64_t bytes : {64u, 130u, (1u << 28) + 64}) {
    internal::StoreBytes(huge.data() + 16, 4, bytes);
    EXPECT_TRUE(Says(LoadStatus(huge), "expected a multiple of 64"));
  }

  internal::Snapshot snapshot(Spec("exact"), Hasher(Seed{}));
  snapshot.AddNumber("capacity", 1);
  ByteVector longer = internal::SerializeSnapshot(snapshot).value();
  ASSERT_TRUE(Inspect(longer).ok());
  longer.insert(longer.end() - 8, 64, std::byte{0});
  internal::StoreBytes(longer.data() + 8, 8, longer.size());
  internal::StoreBytes(longer.data() + 16, 4, longer.size());
  ResealHeader(longer);
  EXPECT_TRUE(Says(Inspect(longer).status(), "directory is shorter"));
}

TEST(ForgedFile, TheDirectoryEndsBeforeTheChecksum) {
  const uint64_t checksum_at = HeaderBytes(SampleBytes()) - 8;
  EXPECT_TRUE(Says(Forged(checksum_at - 1, 1, 1), "padding byte"));
  EXPECT_TRUE(Says(Forged(50, 2, checksum_at - 64 + 1),
                   "offset 64: the directory ends before"))
      << "a spec that reaches into it";
}

TEST(ForgedFile, ASpecOfNoFilterIsTheFilesFault) {
  const AnyFilter filter = AnyFilter::Create("rsqf:r=8", 100).value();
  for (const char* spec :
       {"rsqf:r=1", "rsqf:q=8", "rsqf(r8)", "nosuch:8", "rsqf:r=x"}) {
    ByteVector bytes = Serialize(filter).value();
    ForgeSpec(bytes, spec);
    EXPECT_TRUE(IsClear(DeserializeAny(bytes).status())) << spec;
  }
}

TEST(ForgedFile, ContentsThatMakeNoFilterNameAnOffset) {
  internal::Snapshot snapshot(Spec("exact"), Hasher(Seed{}));
  const ByteVector bytes = internal::SerializeSnapshot(snapshot).value();
  const Status status = LoadStatus(bytes);
  EXPECT_TRUE(IsClear(status));
  EXPECT_NE(status.message().find("'capacity' is missing"), std::string::npos)
      << status.ToString();
}

}  // namespace
}  // namespace tamis::testing
