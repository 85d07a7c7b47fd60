// Saving and loading what is right, and reporting what is in a file.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

#include "format/samples.h"
#include "tamis/abf.h"
#include "tamis/rsqf.h"

namespace tamis::testing {
namespace {

TEST(Serialize, RoundTripsThroughMemory) {
  const ExactFilter filter = SampleFilter();
  const ByteVector bytes = SampleBytes();
  const Result<ExactFilter> loaded = Deserialize<ExactFilter>(bytes);
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  EXPECT_EQ(loaded->size(), filter.size());
  EXPECT_EQ(loaded->hasher(), filter.hasher());
  EXPECT_EQ(loaded->spec(), filter.spec());
  EXPECT_EQ(Serialize(*loaded).value(), bytes);
}

TEST(Serialize, RoundTripsThroughAFile) {
  const TemporaryFile file("round_trip");
  ASSERT_TRUE(Save(SampleFilter(), file.path()).ok());
  const Result<ExactFilter> loaded = Load<ExactFilter>(file.path());
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  EXPECT_EQ(Serialize(*loaded).value(), SampleBytes());
}

TEST(Serialize, SectionsStartCacheLines) {
  const FileInfo info = Inspect(SampleBytes()).value();
  ASSERT_EQ(info.sections.size(), 2u);
  for (const FileInfo::Section& section : info.sections) {
    EXPECT_EQ(section.offset % 64, 0u) << section.name;
  }
  EXPECT_EQ(info.file_bytes % 64, 0u);
}

TEST(Serialize, RefusesNamesThatDoNotFit) {
  internal::Snapshot snapshot(Spec("exact"), Hasher(Seed{}));
  snapshot.AddNumber("", 1);
  EXPECT_EQ(internal::SerializeSnapshot(snapshot).status().code(),
            StatusCode::kInvalidArgument);
  internal::Snapshot longer(Spec("exact"), Hasher(Seed{}));
  longer.AddNumber(std::string(256, 'x'), 1);
  EXPECT_FALSE(internal::SerializeSnapshot(longer).ok());
  internal::Snapshot spec(Spec(std::string(2000, 'x')), Hasher(Seed{}));
  EXPECT_FALSE(internal::SerializeSnapshot(spec).ok());
}

TEST(Serialize, KeepsManyNumbersAndEmptyArrays) {
  internal::Snapshot snapshot(Spec("exact"), Hasher(Seed{}));
  for (uint64_t i = 0; i < 500; ++i) {
    snapshot.AddNumber("number-" + std::to_string(i), i * i);
  }
  snapshot.AddArray("empty", std::span<const std::byte>());
  const ByteVector bytes = internal::SerializeSnapshot(snapshot).value();
  const auto decoded = internal::DecodedFile::FromMemory(bytes);
  ASSERT_TRUE(decoded.ok()) << decoded.status().ToString();
  EXPECT_EQ(decoded->snapshot().Number("number-499").value(), 499u * 499u);
  EXPECT_TRUE(decoded->snapshot().Array("empty").value().empty());
}

TEST(Save, ReplacesAFileAsAWhole) {
  const TemporaryFile file("replace");
  ASSERT_TRUE(Save(SampleFilter(50), file.path()).ok());
  ASSERT_TRUE(Save(SampleFilter(5), file.path()).ok());
  EXPECT_EQ(Load<ExactFilter>(file.path()).value().size(), 5u);
}

mode_t ModeOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

TEST(Save, KeepsTheModeOfTheFileItReplaces) {
  const TemporaryFile file("mode");
  const mode_t before = umask(022);
  ASSERT_TRUE(Save(SampleFilter(), file.path()).ok());
  EXPECT_EQ(ModeOf(file.path()), 0644u) << "of a new file, by the umask";
  for (const mode_t mode : {0600u, 0640u, 0666u, 0400u}) {
    ASSERT_EQ(chmod(file.path().c_str(), mode), 0);
    ASSERT_TRUE(Save(SampleFilter(), file.path()).ok());
    EXPECT_EQ(ModeOf(file.path()), mode);
  }
  umask(before);
}

// Whoever wrote "> file" and named /dev/stdout wants it written, not replaced.
TEST(Save, DoesNotReplaceWhatAnotherHasOpen) {
  const TemporaryFile file("open");
  ASSERT_TRUE(Save(SampleFilter(50), file.path()).ok());
  const int descriptor = open(file.path().c_str(), O_RDONLY);
  ASSERT_GE(descriptor, 0);
  const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
  EXPECT_EQ(Save(SampleFilter(5), name).code(), StatusCode::kIo);
  const TemporaryFile link("link_to_open");
  std::filesystem::create_symlink(name, link.path());
  EXPECT_EQ(Save(SampleFilter(5), link.path()).code(), StatusCode::kIo);
  EXPECT_EQ(Load<ExactFilter>(file.path()).value().size(), 50u);
  close(descriptor);
}

TEST(Save, ReplacesFilesInSharedMemory) {
  const std::string path =
      "/dev/shm/tamis_save_test_" + std::to_string(getpid());
  if (!Save(SampleFilter(50), path).ok()) GTEST_SKIP() << "no /dev/shm here";
  EXPECT_TRUE(Save(SampleFilter(5), path).ok());
  EXPECT_EQ(Load<ExactFilter>(path).value().size(), 5u);
  unlink(path.c_str());
}

TEST(Save, ReplacesTheFileThatALinkPointsTo) {
  const TemporaryFile file("linked");
  const TemporaryFile link("link");
  ASSERT_TRUE(Save(SampleFilter(50), file.path()).ok());
  std::filesystem::create_symlink(file.path(), link.path());
  ASSERT_TRUE(Save(SampleFilter(5), link.path()).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link.path()));
  EXPECT_EQ(Load<ExactFilter>(file.path()).value().size(), 5u);
}

TEST(Save, LeavesNoTemporaryBehind) {
  const std::string folder = ::testing::TempDir() + "tamis_format_folder";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  ASSERT_TRUE(Save(SampleFilter(), folder + "/filter").ok());
  // A folder stands where the file should go: the rename fails.
  std::filesystem::create_directories(folder + "/taken/inside");
  const Status status = Save(SampleFilter(), folder + "/taken");
  EXPECT_EQ(status.code(), StatusCode::kIo) << status.ToString();
  EXPECT_NE(status.message().find("taken"), std::string::npos);
  size_t entries = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(folder)) {
    ++entries;
  }
  EXPECT_EQ(entries, 2u) << "the filter and the folder";
  std::filesystem::remove_all(folder);
}

// A disk that fills up takes a part of what it is given, and only then fails.
TEST(Save, ThatStopsHalfwayIsAStatusAndKeepsTheOldFile) {
  const TemporaryFile file("halfway");
  ASSERT_TRUE(Save(SampleFilter(5), file.path()).ok());
  const ExactFilter large = SampleFilter(100);
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit tight = {300, old.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  const Status status = Save(large, file.path());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(status.code(), StatusCode::kIo) << status.ToString();
  EXPECT_EQ(Load<ExactFilter>(file.path()).value().size(), 5u);
}

TEST(Save, ToAFolderThatIsNotThereIsAStatus) {
  const Status status = Save(SampleFilter(), "/no/such/folder/filter");
  EXPECT_EQ(status.code(), StatusCode::kNotFound) << status.ToString();
}

TEST(Save, DoesNotReplaceAPipe) {
  const std::string path = ::testing::TempDir() + "tamis_pipe";
  unlink(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Status saved = Save(SampleFilter(), path);
  EXPECT_EQ(saved.code(), StatusCode::kIo) << saved.ToString();
  EXPECT_FALSE(Load<ExactFilter>(path).ok());  // and does not wait for a writer
  unlink(path.c_str());
}

TEST(Load, OfNoFileIsNotFound) {
  const auto loaded = Load<ExactFilter>("/no/such/file");
  EXPECT_EQ(loaded.status().code(), StatusCode::kNotFound);
  EXPECT_NE(loaded.status().message().find("/no/such/file"), std::string::npos);
}

TEST(Load, OfAFolderIsAStatus) {
  EXPECT_EQ(Load<ExactFilter>("/").status().code(), StatusCode::kIo);
}

TEST(Load, OfAnEmptyFileSaysThatItIsNone) {
  const TemporaryFile file("empty");
  file.Write({});
  const auto loaded = Load<ExactFilter>(file.path());
  EXPECT_EQ(loaded.status().code(), StatusCode::kCorrupt);
  EXPECT_NE(loaded.status().message().find("not a tamis file"),
            std::string::npos);
}

TEST(Load, NamesTheFileInItsErrors) {
  const TemporaryFile file("damaged");
  ByteVector bytes = SampleBytes();
  bytes[70] ^= std::byte{1};
  file.Write(bytes);
  for (const Status& status :
       {Load<ExactFilter>(file.path()).status(), LoadAny(file.path()).status(),
        Inspect(file.path()).status()}) {
    EXPECT_EQ(status.code(), StatusCode::kCorrupt);
    EXPECT_TRUE(status.message().starts_with(file.path() + ": offset "))
        << status.ToString();
  }
}

// The file is sound: whoever rebuilds what is damaged must not rebuild this.
TEST(Load, AsAnotherKindIsRefused) {
  for (const char* spec : {"taf:r=8", "exaf:r=8", "cuckoo:f=12", "vacuum:f=12",
                           "bloom", "abf", "sacrifice", "infini"}) {
    const AnyFilter other = AnyFilter::Create(spec, 100).value();
    const auto bytes = Serialize(other).value();
    const Status status = Deserialize<Rsqf>(bytes).status();
    EXPECT_EQ(status.code(), StatusCode::kIncompatible)
        << spec << ": " << status.ToString();
  }
}

// It would erase from counters that are not there.
TEST(Load, AdaptiveBloomFilterWithoutCountersIsNotACountingOne) {
  for (const char* spec : {"abf", "abfj", "abfbits"}) {
    const AnyFilter other = AnyFilter::Create(spec, 100).value();
    const auto bytes = Serialize(other).value();
    EXPECT_EQ(Deserialize<CountingAdaptiveBloomFilter>(bytes).status().code(),
              StatusCode::kIncompatible)
        << spec;
    EXPECT_FALSE(
        CountingAdaptiveBloomFilter::Create(Spec(spec), 100, Hasher()).ok());
  }
}

TEST(LoadAny, OfAnUnknownKindNamesIt) {
  const Status status = DeserializeAny(SampleBytes()).status();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("unknown filter 'exact'"), std::string::npos)
      << status.ToString();
}

TEST(Inspect, ReportsWhatIsInTheFile) {
  const Result<FileInfo> info = Inspect(SampleBytes());
  ASSERT_TRUE(info.ok()) << info.status().ToString();
  EXPECT_EQ(info->version, 2);
  EXPECT_EQ(info->keys, KeyForm::kUnknown);
  EXPECT_EQ(info->spec.ToString(), "exact:bits=20");
  EXPECT_EQ(info->hash_algorithm, HashAlgorithm::kSipHash);
  EXPECT_EQ(info->seed, (Seed{0x0123456789abcdef, 0xfe}));
  ASSERT_EQ(info->numbers.size(), 1u);
  EXPECT_EQ(info->numbers[0].name, "capacity");
  EXPECT_EQ(info->numbers[0].value, 100u);
  ASSERT_EQ(info->sections.size(), 2u);
  EXPECT_EQ(info->sections[0].name, "members");
  EXPECT_EQ(info->sections[0].offset, info->header_bytes);
  EXPECT_EQ(info->sections[0].size_bytes, 5 * sizeof(KeyHash));
  EXPECT_EQ(info->sections[1].name, "fixed");
  EXPECT_EQ(info->sections[1].size_bytes, 0u);
  EXPECT_TRUE(info->checksums_ok());
}

TEST(Inspect, ReportsWhatTheKeysWere) {
  const ExactFilter filter = SampleFilter();
  for (const KeyForm form :
       {KeyForm::kUnknown, KeyForm::kText, KeyForm::kU64, KeyForm::kBytes}) {
    const auto bytes = Serialize(filter, {.keys = form}).value();
    EXPECT_EQ(Inspect(bytes)->keys, form) << ToString(form);
    EXPECT_TRUE(Deserialize<ExactFilter>(bytes).ok());
  }
}

// Its header names three numbers and arrays for each of its tables.
TEST(Serialize, RoundTripsAChainOfThousandsOfTables) {
  AnyFilter chain = AnyFilter::Create("chain-linear:f=9", 1).value();
  constexpr uint64_t kKeys = 20'000;
  for (uint64_t key = 0; key < kKeys; ++key) {
    ASSERT_TRUE(chain.Insert(chain.hasher().Hash(key)).ok());
  }
  const ByteVector bytes = Serialize(chain).value();
  EXPECT_GT(HeaderBytes(bytes), uint64_t{1} << 20);
  const Result<AnyFilter> loaded = DeserializeAny(bytes);
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  EXPECT_EQ(loaded->size(), kKeys);
  EXPECT_TRUE(loaded->MayContain(chain.hasher().Hash(kKeys - 1)));
}

TEST(Inspect, ReportsADamagedSection) {
  ByteVector bytes = SampleBytes();
  bytes[HeaderBytes(bytes)] ^= std::byte{1};
  const Result<FileInfo> info = Inspect(bytes);
  ASSERT_TRUE(info.ok()) << info.status().ToString();
  EXPECT_FALSE(info->sections[0].checksum_ok);
  EXPECT_TRUE(info->sections[1].checksum_ok);
  EXPECT_FALSE(info->checksums_ok());
}

}  // namespace
}  // namespace tamis::testing
