// Version 1 is read for ever, with the defaults of its time.

#include "src/format/version1.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "format/samples.h"
#include "test_data.h"

namespace tamis::testing {
namespace {

std::string GoldenOf1(const std::string& name) {
  return std::string(TAMIS_TEST_DATA_DIR) + "/version1/" + name + ".tamis";
}

// The rows | `kind` | `a=1,b=2` | of the format page.
std::map<std::string, std::string> RowsOfThePage() {
  std::ifstream page(std::string(TAMIS_TEST_DATA_DIR) +
                     "/../../docs/format/filter_file.md");
  std::map<std::string, std::string> rows;
  bool in_section = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) {
      in_section = line.find("Defaults of version 1") != std::string::npos;
    }
    if (!in_section || !line.starts_with("| `")) continue;
    const size_t end = line.find('`', 3);
    const size_t value = line.find('`', end + 1) + 1;
    rows[line.substr(3, end - 3)] =
        line.substr(value, line.find('`', value) - value);
  }
  return rows;
}

TEST(Version1, DefaultsAreThoseOfTheFormatPage) {
  std::map<std::string, std::string> rows;
  for (const auto& one : internal::Version1Defaults()) {
    std::string& row = rows[std::string(one.kind)];
    row += row.empty() ? "" : ",";
    row += std::string(one.parameter) + "=" + std::string(one.value);
  }
  EXPECT_EQ(rows, RowsOfThePage());
  EXPECT_EQ(rows["exaf"],
            "r=8,overflow=refuse,insert=plain,rehash=0,members=mirror");
  EXPECT_EQ(rows["infini"], "f=12,chain=sealed,threshold=0.8");
}

TEST(Version1, SpecsAreCompletedAndNeverChanged) {
  const auto complete = [](const char* text) {
    return internal::WithVersion1Defaults(Spec::Parse(text).value()).ToString();
  };
  EXPECT_EQ(complete("rsqf"), "rsqf:r=8");
  EXPECT_EQ(complete("taf:c=3"), "taf:c=3,r=8,overflow=refuse,members=mirror");
  EXPECT_EQ(complete("cuckoo"), "cuckoo:f=12");
  EXPECT_EQ(complete("cuckoo:f=9,k=3"), "cuckoo:f=9,k=3,b=1");
  EXPECT_EQ(complete("cuckoo:b=2"), "cuckoo:b=2,f=12,k=4");
  EXPECT_EQ(complete("infini:chain=none"),
            "infini:chain=none,f=12,threshold=0.8");
}

TEST(Version1, AFileSaysWhatItSaidAndTheFilterIsComplete) {
  const std::string path = GoldenOf1("taf_r_8");
  EXPECT_EQ(Inspect(path)->spec.ToString(), "taf:r=8");
  const AnyFilter filter = LoadAny(path).value();
  EXPECT_EQ(filter.ToSnapshot().spec().ToString(),
            "taf:r=8,overflow=refuse,c=0,members=mirror");
  EXPECT_EQ(Inspect(path)->keys, KeyForm::kUnknown);
}

}  // namespace
}  // namespace tamis::testing
