// Text, u64 and zstd readers: what they give, and what they say of bad input.

#include "workloads/key_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "workloads/temp_dir.h"

namespace tamis::workloads {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Encoding = KeyFormat::Encoding;

struct Outcome {
  std::vector<std::string> keys;
  Status status;
};

Outcome ReadAll(const std::string& path,
                std::optional<KeyFormat> format = std::nullopt) {
  auto reader = OpenKeys(path, format);
  if (!reader.ok()) return {{}, reader.status()};
  Outcome outcome;
  while ((*reader)->Next()) outcome.keys.emplace_back((*reader)->key());
  EXPECT_FALSE((*reader)->Next()) << "an end is final";
  outcome.status = (*reader)->status();
  return outcome;
}

// As the zstd command does: with a checksum, without which damage inside a
// literal would go unnoticed.
std::string Zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const size_t size = ZSTD_compress2(context, out.data(), out.size(),
                                     bytes.data(), bytes.size());
  ZSTD_freeCCtx(context);
  EXPECT_FALSE(ZSTD_isError(size));
  out.resize(size);
  return out;
}

// Returns `lines` different lines, more than one chunk of them.
std::string ManyLines(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += "key " + std::to_string(i) + "\n";
  return text;
}

TEST(KeyFormat, IsDetectedByExtension) {
  EXPECT_EQ(DetectKeyFormat("a.txt"), (KeyFormat{Encoding::kText, false}));
  EXPECT_EQ(DetectKeyFormat("a"), (KeyFormat{Encoding::kText, false}));
  EXPECT_EQ(DetectKeyFormat("-"), (KeyFormat{Encoding::kText, false}));
  EXPECT_EQ(DetectKeyFormat("a.u64"), (KeyFormat{Encoding::kU64, false}));
  EXPECT_EQ(DetectKeyFormat("a.u64.zst"), (KeyFormat{Encoding::kU64, true}));
  EXPECT_EQ(DetectKeyFormat("a.zst"), (KeyFormat{Encoding::kText, true}));
  EXPECT_EQ(DetectKeyFormat("a.pcapng"), (KeyFormat{Encoding::kPcap, false}));
  EXPECT_EQ(DetectKeyFormat("x/b.cap"), (KeyFormat{Encoding::kPcap, false}));
}

TEST(KeyFormat, ParsesWhatItPrints) {
  for (const Encoding encoding :
       {Encoding::kText, Encoding::kU64, Encoding::kPcap}) {
    for (const bool zstd : {false, true}) {
      const KeyFormat format{encoding, zstd};
      EXPECT_EQ(ParseKeyFormat(ToString(format)).value(), format);
    }
  }
  EXPECT_EQ(ParseKeyFormat("csv").status().code(),
            StatusCode::kInvalidArgument);
}

TEST(TextReader, GivesLinesWithAndWithoutALastNewline) {
  const TempDir dir;
  EXPECT_THAT(ReadAll(dir.Write("a", "x\ny\n")).keys, ElementsAre("x", "y"));
  EXPECT_THAT(ReadAll(dir.Write("b", "x\ny")).keys, ElementsAre("x", "y"));
  EXPECT_THAT(ReadAll(dir.Write("c", "x\r\ny\r\n")).keys,
              ElementsAre("x", "y"));
  EXPECT_THAT(ReadAll(dir.Write("d", "\nx\n\n")).keys,
              ElementsAre("", "x", ""));
  EXPECT_THAT(ReadAll(dir.Write("e", "a\rb\n")).keys, ElementsAre("a\rb"));
}

TEST(TextReader, EmptyFileHasNoKeys) {
  const TempDir dir;
  const Outcome outcome = ReadAll(dir.Write("a.txt", ""));
  EXPECT_TRUE(outcome.keys.empty());
  EXPECT_TRUE(outcome.status.ok());
}

TEST(TextReader, LinesMayCrossChunks) {
  const TempDir dir;
  const Outcome outcome = ReadAll(dir.Write("a.txt", ManyLines(50'000)));
  ASSERT_EQ(outcome.keys.size(), 50'000u);
  for (size_t i = 0; i < outcome.keys.size(); ++i) {
    ASSERT_EQ(outcome.keys[i], "key " + std::to_string(i));
  }
}

TEST(TextReader, TakesALineOfAMegabyte) {
  const TempDir dir;
  const std::string line(1'000'000, 'x');
  EXPECT_THAT(ReadAll(dir.Write("a", "a\n" + line + "\r\nb\n")).keys,
              ElementsAre("a", line, "b"));
}

TEST(TextReader, RefusesALineWithoutEnd) {
  const TempDir dir;
  const std::string path = dir.Write("a", "");
  std::filesystem::resize_file(path, kMaxKeyBytes + 1);  // zeros, no newline
  const Outcome outcome = ReadAll(path);
  EXPECT_EQ(outcome.status.code(), StatusCode::kCorrupt);
  EXPECT_THAT(std::string(outcome.status.message()),
              AllOf(HasSubstr(path), HasSubstr("line 1 "),
                    HasSubstr("expected a key a line")));
}

TEST(TextReader, RefusesCompressedBytes) {
  for (const std::string magic : {"\x1f\x8b", "\x28\xb5\x2f\xfd"}) {
    const TempDir dir;
    const std::string path = dir.Write("a.txt", magic + "\nmore\n");
    auto reader = OpenKeys(path);
    ASSERT_TRUE(reader.ok());
    EXPECT_FALSE((*reader)->Next());
    EXPECT_EQ((*reader)->status().code(), StatusCode::kCorrupt);
  }
}

TEST(U64Reader, GivesTheBytesOfEachKey) {
  const TempDir dir;
  const std::string bytes("\1\0\0\0\0\0\0\0\377\2\3\4\5\6\7\10", 16);
  EXPECT_THAT(ReadAll(dir.Write("a.u64", bytes)).keys,
              ElementsAre(bytes.substr(0, 8), bytes.substr(8)));
  EXPECT_THAT(
      ReadAll(dir.Write("a.txt", bytes.substr(0, 8)), KeyFormat{Encoding::kU64})
          .keys,
      ElementsAre(bytes.substr(0, 8)));
}

TEST(U64Reader, EmptyFileHasNoKeys) {
  const TempDir dir;
  const Outcome outcome = ReadAll(dir.Write("a.u64", ""));
  EXPECT_TRUE(outcome.keys.empty());
  EXPECT_TRUE(outcome.status.ok());
}

TEST(U64Reader, NamesStrayBytes) {
  const TempDir dir;
  const Outcome outcome = ReadAll(dir.Write("a.u64", std::string(16 + 7, 'x')));
  EXPECT_EQ(outcome.keys.size(), 2u);
  EXPECT_EQ(outcome.status.code(), StatusCode::kCorrupt);
  EXPECT_THAT(std::string(outcome.status.message()),
              AllOf(HasSubstr("a.u64"), HasSubstr("7 stray bytes"),
                    HasSubstr("offset 16"), HasSubstr("expected 8 bytes")));
}

TEST(ZstdReader, GivesWhatTheFileHolds) {
  const TempDir dir;
  const std::string text = ManyLines(50'000);
  const Outcome plain = ReadAll(dir.Write("a.txt", text));
  EXPECT_EQ(ReadAll(dir.Write("a.txt.zst", Zstd(text))).keys, plain.keys);
  // Frames one after the other are one file.
  EXPECT_EQ(ReadAll(dir.Write("b.zst", Zstd("x\n") + Zstd("y"))).keys,
            (std::vector<std::string>{"x", "y"}));
  const KeyFormat by_name{Encoding::kText, true};
  EXPECT_EQ(ReadAll(dir.Write("c", Zstd("x\n")), by_name).keys.size(), 1u);
  EXPECT_TRUE(ReadAll(dir.Write("d.u64.zst", Zstd(""))).status.ok());
}

TEST(KeyReader, TellsHowMuchOfTheFileIsRead) {
  const TempDir dir;
  const std::string text = ManyLines(50'000);
  for (const std::string& path :
       {dir.Write("a.txt", text), dir.Write("a.txt.zst", Zstd(text))}) {
    const auto reader = OpenKeys(path).value();
    EXPECT_EQ(reader->ShareRead(), 0.0);
    double last = 0;
    while (reader->Next()) {
      EXPECT_GE(reader->ShareRead().value(), last);
      last = *reader->ShareRead();
    }
    EXPECT_EQ(last, 1) << path;
  }
  EXPECT_EQ(OpenKeys("/dev/null").value()->ShareRead(), std::nullopt);
}

TEST(ZstdReader, KeysOf8BytesMayCrossFrames) {
  const TempDir dir;
  const std::string bytes = "0123456789abcdefABCDEFGH";
  for (size_t cut = 1; cut < bytes.size(); ++cut) {
    const std::string frames =
        Zstd(bytes.substr(0, cut)) + Zstd(bytes.substr(cut));
    EXPECT_THAT(ReadAll(dir.Write("a.u64.zst", frames)).keys,
                ElementsAre("01234567", "89abcdef", "ABCDEFGH"))
        << cut;
  }
}

TEST(ZstdReader, NamesDamage) {
  const TempDir dir;
  const std::string whole = Zstd(ManyLines(50'000));
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(~flipped[whole.size() / 2]);
  flipped[whole.size() / 2 + 1] ^= 0x55;
  std::string no_magic = whole;
  no_magic[0] = 'x';
  const std::string half = whole.substr(0, whole.size() / 2);
  for (const std::string& bytes : {flipped, no_magic, half, std::string()}) {
    for (const char* name : {"a.txt.zst", "a.u64.zst"}) {
      const Outcome outcome = ReadAll(dir.Write(name, bytes));
      EXPECT_EQ(outcome.status.code(), StatusCode::kCorrupt) << bytes.size();
      EXPECT_THAT(std::string(outcome.status.message()),
                  AllOf(HasSubstr(name), HasSubstr("expected a whole zstd"),
                        HasSubstr("compressed byte")));
    }
  }
}

class EveryFormat : public testing::TestWithParam<const char*> {
 protected:
  TempDir dir_;
};

TEST_P(EveryFormat, MissingFile) {
  const std::string path = dir_.Path(GetParam());
  const Outcome outcome = ReadAll(path);
  EXPECT_EQ(outcome.status.code(), StatusCode::kNotFound);
  EXPECT_THAT(std::string(outcome.status.message()),
              AllOf(HasSubstr(path), HasSubstr("No such file")));
}

TEST_P(EveryFormat, Directory) {
  const std::string path = dir_.Path(GetParam());
  std::filesystem::create_directory(path);
  const Outcome outcome = ReadAll(path);
  EXPECT_EQ(outcome.status.code(), StatusCode::kIo);
  EXPECT_THAT(std::string(outcome.status.message()),
              AllOf(HasSubstr(path), HasSubstr("is a directory")));
}

TEST_P(EveryFormat, NoPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string path = dir_.Write(GetParam(), "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const Outcome outcome = ReadAll(path);
  EXPECT_EQ(outcome.status.code(), StatusCode::kIo);
  EXPECT_THAT(std::string(outcome.status.message()),
              AllOf(HasSubstr(path), HasSubstr("Permission denied")));
}

INSTANTIATE_TEST_SUITE_P(Readers, EveryFormat,
                         testing::Values("a.txt", "a.u64", "a.txt.zst",
                                         "a.u64.zst", "a.pcap", "a.pcapng"));

TEST(RecordedTraces, HaveTheKeysOfTheirIndex) {
  const char* dir = std::getenv("TAMIS_SHARED_DATA_DIR");
  if (dir == nullptr) GTEST_SKIP() << "TAMIS_SHARED_DATA_DIR is not set";
  const std::vector<std::pair<const char*, uint64_t>> traces = {
      {"arc_OLTP.u64.zst", 914'145},
      {"cloudphysics_small.u64.zst", 113'872},
      {"blocklist_stevenblack.txt.zst", 106'025},
      {"dnsq_wrccdc.txt.zst", 53'613},
      {"packets_pub.txt.zst", 299'921}};
  for (const auto& [name, keys] : traces) {
    auto reader = OpenKeys(std::string(dir) + "/" + name);
    ASSERT_TRUE(reader.ok()) << reader.status().ToString();
    uint64_t count = 0;
    while ((*reader)->Next()) ++count;
    EXPECT_TRUE((*reader)->status().ok());
    EXPECT_EQ(count, keys) << name;
  }
}

}  // namespace
}  // namespace tamis::workloads
