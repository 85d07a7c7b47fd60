// build, query, info, verify and merge, and the exit status of each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "format/samples.h"
#include "tamis/tamis.h"
#include "tools/run_tool.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Files : public ::testing::Test {
 protected:
  // Writes the numbers [first, limit), one per line.
  std::string Keys(const std::string& name, int first, int limit) const {
    std::string lines;
    for (int i = first; i < limit; ++i) lines += std::to_string(i) + '\n';
    return dir_.Write(name, lines);
  }
  std::string Build(const std::string& name, const std::string& keys) const {
    const ToolRun run =
        RunForTest({"build", keys, "-o", dir_.Path(name), "--filter",
                    "rsqf:r=16", "--slots", "2^13", "--seed", "7"});
    EXPECT_EQ(run.exit_status, 0) << run.err;
    return dir_.Path(name);
  }

  const workloads::TempDir dir_;
};

TEST_F(Files, RoomForMoreKeysIsMadeWhenAskedFor) {
  const std::string keys = Keys("keys.txt", 0, 100);
  const std::string file = dir_.Path("room.tamis");
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--filter", "rsqf:r=8"},
        {"--filter", "infini:f=8"},
        {"--fpr", "0.01"}}) {
    std::vector<std::string> build = {
        "build", keys, "-o", file, "--keys", "5000", "--json", "--seed", "7"};
    build.insert(build.end(), how.begin(), how.end());
    const ToolRun run = RunForTest(build);
    ASSERT_EQ(run.exit_status, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["keys"], 100);
    EXPECT_GE(json["capacity"], 5000);
    build.insert(build.end(), {"--slots", "6000"});
    EXPECT_EQ(RunForTest(build).exit_status, kExitUsageError);
  }
}

TEST_F(Files, EveryKeyBuiltInIsFound) {
  const std::string keys = Keys("keys.txt", 0, 3000);
  const std::string filter = Build("f.tamis", keys);
  const ToolRun run = RunForTest({"query", filter, keys, "--json"});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["queries"], 3000);
  EXPECT_EQ(json["maybe"], 3000);
  EXPECT_EQ(RunForTest({"query", filter, keys, "--count"}).out, "3000\n");
}

TEST_F(Files, QueryPrintsTheKeysThatMayBeMembers) {
  const std::string filter = Build("f.tamis", Keys("keys.txt", 0, 3000));
  const ToolRun run =
      RunForTest({"query", filter, Keys("some.txt", 2998, 3002)});
  EXPECT_THAT(run.out, ::testing::StartsWith("2998\n2999\n"));
}

// 42 as text and 42 as u64 are different keys, and nothing would be found.
TEST_F(Files, QueryWarnsOfKeysInAnotherForm) {
  const std::string text = Keys("keys.txt", 0, 100);
  const std::string filter = Build("f.tamis", text);
  EXPECT_THAT(RunForTest({"info", filter}).out, HasSubstr("key_form"));
  EXPECT_EQ(nlohmann::json::parse(
                RunForTest({"info", filter, "--json"}).out)["key_form"],
            "text");
  EXPECT_EQ(RunForTest({"query", filter, text, "--count"}).err, "");
  const std::string numbers = dir_.Write("keys.u64", std::string(80, '\1'));
  const ToolRun run = RunForTest({"query", filter, numbers, "--count"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_THAT(run.err, HasSubstr("built from text keys and is asked for u64"));
  const std::string of_numbers = Build("n.tamis", numbers);
  EXPECT_EQ(RunForTest({"query", of_numbers, numbers, "--count"}).err, "");
  EXPECT_THAT(RunForTest({"query", of_numbers, text, "--count"}).err,
              HasSubstr("built from u64 keys and is asked for text"));
}

TEST_F(Files, MergedFiltersHoldTheKeysOfBoth) {
  const std::string first = Keys("a.txt", 0, 2000);
  const std::string second = Keys("b.txt", 2000, 5000);
  const std::string a = Build("a.tamis", first);
  ASSERT_EQ(
      RunForTest({"build", second, "-o", dir_.Path("b.tamis"), "--like", a})
          .exit_status,
      0);
  ASSERT_EQ(
      RunForTest({"merge", a, dir_.Path("b.tamis"), "-o", dir_.Path("c.tamis")})
          .exit_status,
      0);
  const ToolRun info = RunForTest({"info", dir_.Path("c.tamis"), "--json"});
  EXPECT_EQ(nlohmann::json::parse(info.out)["keys"], 5000);
  EXPECT_EQ(RunForTest({"query", dir_.Path("c.tamis"), first, "--count"}).out,
            "2000\n");
  EXPECT_EQ(RunForTest({"query", dir_.Path("c.tamis"), second, "--count"}).out,
            "3000\n");
}

TEST_F(Files, LikeKeepsTheSizeOfFiltersThatGrow) {
  const std::string keys = Keys("keys.txt", 0, 3000);
  const auto capacity = [&](const std::string& name,
                            std::vector<std::string> how) {
    how.insert(how.begin(), {"build", keys, "-o", dir_.Path(name)});
    EXPECT_EQ(RunForTest(how).exit_status, 0);
    const ToolRun run = RunForTest({"info", dir_.Path(name), "--json"});
    return nlohmann::json::parse(run.out)["capacity"].get<uint64_t>();
  };
  // It did not have to grow while it was built.
  EXPECT_EQ(capacity("a.tamis", {"--filter", "infini:f=12", "--seed", "7"}),
            3000u);
  EXPECT_EQ(capacity("b.tamis", {"--like", dir_.Path("a.tamis")}), 3000u);
}

TEST_F(Files, LikeOneThatIsTooSmallSaysWhatToDo) {
  const std::string small = dir_.Path("small.tamis");
  ASSERT_EQ(RunForTest({"build", Keys("few.txt", 0, 100), "-o", small, "--fpr",
                        "0.01"})
                .exit_status,
            0);
  const ToolRun run = RunForTest({"build", Keys("keys.txt", 0, 3000), "-o",
                                  dir_.Path("b.tamis"), "--like", small});
  EXPECT_EQ(run.exit_status, kExitDataError);
  EXPECT_THAT(run.err, HasSubstr("`tamis build --keys 3000` makes one"));
}

TEST_F(Files, BitsThatNobodyHas) {
  for (const char* bits : {"1e300", "0", "-3", "1001"}) {
    const ToolRun run =
        RunForTest({"build", Keys("keys.txt", 0, 100), "-o", dir_.Path("f"),
                    std::string("--bits-per-key=") + bits});
    EXPECT_EQ(run.exit_status, kExitUsageError) << bits;
    EXPECT_THAT(run.err, HasSubstr("expected 0.5 to 1000")) << bits;
  }
}

// A program's filter that asks its database: the command has none.
TEST_F(Files, OfAFilterWithASourceCanBeAskedAndVerified) {
  const std::string keys = Keys("keys.txt", 0, 500);
  for (const char* spec : {"taf", "tamis", "tamis:shards=split"}) {
    SortedSource source;
    Result<tamis::Filter> filter =
        tamis::Filter::Create({.keys = 500, .spec = spec, .source = source});
    ASSERT_TRUE(filter.ok());
    std::istringstream lines(Contents(keys));
    for (std::string key; std::getline(lines, key);) {
      ASSERT_TRUE(filter->Insert(key).ok());
      source.Add(filter->Hash(key));
    }
    const std::string file = dir_.Path("source.tamis");
    ASSERT_TRUE(filter->Save(file).ok());
    EXPECT_EQ(RunForTest({"query", file, keys, "--count"}).out, "500\n");
    EXPECT_EQ(RunForTest({"verify", file}).exit_status, kExitOk) << spec;
    EXPECT_EQ(RunForTest({"info", file}).exit_status, kExitOk) << spec;
    // Whether it can be changed or not, members stay.
    const std::string more = Keys("more.txt", 500, 510);
    const ToolRun add = RunForTest({"add", file, more});
    EXPECT_EQ(RunForTest({"query", file, keys, "--count"}).out, "500\n")
        << spec;
    if (add.exit_status != kExitOk) continue;
    EXPECT_EQ(RunForTest({"remove", file, more}).exit_status, kExitOk) << spec;
    EXPECT_EQ(RunForTest({"query", file, keys, "--count"}).out, "500\n")
        << spec;
  }
}

TEST_F(Files, VerifyNoticesDamage) {
  const std::string filter = Build("f.tamis", Keys("keys.txt", 0, 3000));
  EXPECT_THAT(RunForTest({"verify", filter}).out, HasSubstr("ok, rsqf:r=16"));
  std::fstream file(filter, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(2000);
  file.put('\x5a');
  file.close();
  const ToolRun run = RunForTest({"verify", filter});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.err, HasSubstr("tamis: "));
  EXPECT_EQ(RunForTest({"info", filter}).exit_status, 1);
}

TEST_F(Files, ShowTheMemoryBesideTheFilter) {
  const std::string keys = Keys("keys.txt", 0, 1000);
  const auto side = [&](const std::string& spec, bool expected) {
    const std::string path = dir_.Path("f.tamis");
    const ToolRun build = RunForTest(
        {"build", keys, "-o", path, "--filter", spec, "--seed", "7"});
    EXPECT_EQ(build.err.find("beside the filter") != std::string::npos,
              expected)
        << build.err;
    EXPECT_THAT(RunForTest({"info", path}).out,
                HasSubstr("\nside_bits_per_key "));
    const ToolRun info = RunForTest({"info", path, "--json"});
    return nlohmann::json::parse(info.out)["side_bits_per_key"].get<double>();
  };
  EXPECT_EQ(side("rsqf:r=8", false), 0);
  EXPECT_GE(side("taf:r=8", true), 128) << "a hash of 16 bytes a key";
  EXPECT_GE(side("cyclic:f=8,s=1", true), 128);
}

TEST_F(Files, RepeatedKeysCountOnce) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += std::to_string(i % 50) + '\n';
  const std::string keys = dir_.Write("keys.txt", lines);
  for (const char* spec : {"cuckoo:f=12", "rsqf:r=8", "bloom", "infini"}) {
    const ToolRun build = RunForTest({"build", keys, "-o", dir_.Path("f.tamis"),
                                      "--filter", spec, "--seed", "7"});
    ASSERT_EQ(build.exit_status, 0) << build.err;
    EXPECT_THAT(build.err, HasSubstr(" 50 keys, "));
    EXPECT_THAT(build.err, HasSubstr("(1000 were read: some came again)"));
    const ToolRun query =
        RunForTest({"query", dir_.Path("f.tamis"), keys, "--count"});
    EXPECT_EQ(query.out, "1000\n");
  }
}

TEST_F(Files, CuckooTablesOfFewKeysGetTheRoomTheyNeed) {
  const std::string keys = Keys("keys.txt", 0, 50);
  int refused = 0;
  for (int seed = 0; seed < 100; ++seed) {
    const std::string number = std::to_string(seed);
    const auto build = [&](std::initializer_list<std::string> more) {
      std::vector<std::string> args = {"build",        keys,         "-o",
                                       dir_.Path("f"), "--seed",     number,
                                       "--filter",     "cuckoo:f=12"};
      args.insert(args.end(), more);
      return RunForTest(args);
    };
    const ToolRun chosen = build({});
    ASSERT_EQ(chosen.exit_status, 0) << "seed " << seed << ": " << chosen.err;
    EXPECT_EQ(RunForTest({"query", dir_.Path("f"), keys, "--count"}).out,
              "50\n");
    refused += build({"--slots", "53"}).exit_status;
  }
  EXPECT_GT(refused, 0) << "else this test shows nothing";
}

TEST_F(Files, SizesAreSaidInBits) {
  const std::string keys = Keys("keys.txt", 0, 1000);
  const auto build = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> args = {"build", keys, "-o", dir_.Path("f"),
                                     "--json"};
    args.insert(args.end(), more);
    const ToolRun run = RunForTest(args);
    EXPECT_EQ(run.exit_status, 0) << run.err;
    return nlohmann::json::parse(run.out);
  };
  // A spec alone takes what it says.
  EXPECT_NEAR(build({"--filter", "bloom:bits=8"})["bits_per_key"], 8, 0.1);
  // All memory is within the bits, and they are used.
  for (const char* spec : {"rsqf", "bloom", "cuckoo", "taf:members=caller"}) {
    const double bits =
        build({"--filter", spec, "--bits-per-key", "14"})["bits_per_key"];
    EXPECT_LE(bits, 14.2) << spec;
    EXPECT_GT(bits, 12.5) << spec;
  }
  const auto mirrored = build({"--filter", "taf", "--bits-per-key", "170"});
  EXPECT_LE(mirrored["bits_per_key"].get<double>() +
                mirrored["side_bits_per_key"].get<double>(),
            171);
  // For more keys than the file has.
  EXPECT_GE(build({"--bits-per-key", "12", "--keys", "4000"})["capacity"],
            4000);
}

TEST_F(Files, SizesThatContradictOrDoNotFitAreRefused) {
  const std::string keys = Keys("keys.txt", 0, 1000);
  const auto error = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> args = {"build", keys, "-o", dir_.Path("f")};
    args.insert(args.end(), more);
    const ToolRun run = RunForTest(args);
    EXPECT_EQ(run.exit_status, kExitUsageError);
    EXPECT_FALSE(std::filesystem::exists(dir_.Path("f")));
    return run.err;
  };
  EXPECT_THAT(error({"--fpr", "0.1", "--bits-per-key", "8"}),
              HasSubstr("expected no --fpr"));
  EXPECT_THAT(error({"--filter", "taf", "--bits-per-key", "12"}),
              HasSubstr("taf does not fit 12 bits a key in all: it needs 1"));
  EXPECT_THAT(error({"--bits-per-key", "-3"}),
              HasSubstr("expected 0.5 to 1000"));
}

TEST_F(Files, MergeRefusesAFileTwice) {
  const std::string a = Build("a.tamis", Keys("a.txt", 0, 100));
  const std::string link = dir_.Path("link.tamis");
  std::filesystem::create_symlink(a, link);
  for (const std::string& other : {a, link}) {
    const ToolRun run =
        RunForTest({"merge", a, other, "-o", dir_.Path("c.tamis")});
    EXPECT_EQ(run.exit_status, kExitUsageError);
    EXPECT_THAT(run.err, HasSubstr("are the same file"));
  }
  EXPECT_FALSE(std::filesystem::exists(dir_.Path("c.tamis")));
  EXPECT_THAT(RunForTest({"merge", "--help"}).out, HasSubstr("counts twice"));
}

TEST_F(Files, InfoShowsCountsInFull) {
  const std::string path = dir_.Path("f.tamis");
  ASSERT_EQ(RunForTest({"build", Keys("keys.txt", 0, 19'820), "-o", path,
                        "--filter", "taf"})
                .exit_status,
            0);
  const std::string text = RunForTest({"info", path}).out;
  EXPECT_THAT(text, HasSubstr(" 19820\n"));
  EXPECT_THAT(text, Not(HasSubstr("e+0")));
  const ToolRun json = RunForTest({"info", path, "--json"});
  EXPECT_TRUE(
      nlohmann::json::parse(json.out)["selectors 0"].is_number_unsigned());
}

TEST_F(Files, ErrorsNameTheFileAsked) {
  const std::string keys = Keys("keys.txt", 0, 10);
  const std::string out = dir_.Path("none/o.tamis");
  const ToolRun run = RunForTest({"build", keys, "-o", out, "--fpr", "0.1"});
  EXPECT_EQ(run.exit_status, kExitDataError);
  EXPECT_EQ(run.err,
            "tamis: " + out + ": can't create: No such file or directory\n");
}

TEST_F(Files, MergeHelpNamesItsFiles) {
  const std::string help = RunForTest({"merge", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("merge [OPTIONS] FILE..."));
  EXPECT_THAT(help, Not(HasSubstr("x 2")));
  EXPECT_EQ(RunForTest({"merge", "one", "-o", dir_.Path("f")}).exit_status, 2);
}

TEST_F(Files, AForgedSpecIsTheFilesFault) {
  const std::string path = Build("f.tamis", Keys("keys.txt", 0, 10));
  const std::string bytes = Contents(path);
  tamis::testing::ByteVector forged(bytes.size());
  std::memcpy(forged.data(), bytes.data(), bytes.size());
  tamis::testing::ForgeSpec(forged, "rsqf:r=99");
  dir_.Write("f.tamis",
             {reinterpret_cast<const char*>(forged.data()), forged.size()});
  for (const char* verb : {"verify", "info"}) {
    const ToolRun run = RunForTest({verb, path});
    EXPECT_EQ(run.exit_status, kExitDataError) << verb;
    EXPECT_THAT(run.err, HasSubstr("contents of rsqf:r=99")) << verb;
  }
}

TEST_F(Files, ExitStatusTellsDataFromUsage) {
  const std::string out = dir_.Path("x.tamis");
  EXPECT_EQ(RunForTest({"build", dir_.Path("none"), "-o", out, "--fpr", "0.1"})
                .exit_status,
            1);
  const std::string keys = Keys("keys.txt", 0, 10);
  EXPECT_EQ(RunForTest({"build", keys, "-o", out}).exit_status, 2);
  EXPECT_EQ(
      RunForTest({"build", keys, "-o", out, "--fpr", "1e-30"}).exit_status, 2);
  EXPECT_EQ(RunForTest({"build", keys, "-o", keys, "--fpr", "0.1"}).exit_status,
            2);
  // A rate chooses the parameters, so it can't be given beside them.
  EXPECT_EQ(RunForTest({"build", keys, "-o", out, "--fpr", "0.1", "--filter",
                        "bloom1:w=512"})
                .exit_status,
            2);
  const ToolRun unknown = RunForTest({"nosuch", keys});
  EXPECT_EQ(unknown.exit_status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown subcommand 'nosuch'; known are "
                                     "demo, compare, filters, build, add, "
                                     "remove, query, info"));
  EXPECT_EQ(RunForTest({"--help"}).exit_status, 0);
}

}  // namespace
}  // namespace tamis::tools
