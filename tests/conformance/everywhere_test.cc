// Every kind is everywhere it has to be: a row alone does not make a filter.
//
// The conformance suite takes every kind from the rows by itself; this checks
// the rest.  TAMIS_UPDATE_GOLDEN=1 writes docs/guide/filters.md anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "conformance/conformance.h"
#include "tamis/kind.h"
#include "test_data.h"

namespace tamis::testing {
namespace {

const std::filesystem::path kTests =
    std::filesystem::path(TAMIS_TEST_DATA_DIR).parent_path();

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// As a word of its own: `chain` is not in `chain-linear`.
bool Mentions(const std::string& text, std::string_view name) {
  return std::regex_search(
      text,
      std::regex("(^|[^a-z0-9-])" + std::string(name) + "([^a-z0-9-]|$)"));
}

std::vector<std::string> CasesOf(const Kind& kind) {
  std::vector<std::string> specs;
  for (const ConformanceCase& one : AllSpecs()) {
    const auto found = FindKind(Spec::Parse(one.spec).value());
    if (found.ok() && *found == &kind) specs.emplace_back(one.spec);
  }
  return specs;
}

TEST(Everywhere, EveryKindIsInTheConformanceSuite) {
  for (const Kind& kind : AllKinds()) {
    EXPECT_FALSE(CasesOf(kind).empty()) << kind.ShortestSpec();
  }
}

TEST(Everywhere, EveryKindHasAGoldenFile) {
  for (const Kind& kind : AllKinds()) {
    bool found = false;
    for (const std::string& spec : CasesOf(kind)) {
      for (const auto& version :
           std::filesystem::directory_iterator(TAMIS_TEST_DATA_DIR)) {
        found |= exists(version.path() / (FileName(spec) + ".tamis"));
      }
    }
    EXPECT_TRUE(found) << kind.ShortestSpec();
  }
}

TEST(Everywhere, EveryKindHasATest) {
  std::string tests;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(kTests / "filters")) {
    if (file.path().extension() == ".cc") tests += ReadText(file.path());
  }
  for (const Kind& kind : AllKinds()) {
    EXPECT_TRUE(Mentions(tests, kind.name)) << kind.name;
  }
}

std::string RowText(const Kind& kind) {
  std::string text = "## `" + std::string(kind.ShortestSpec()) + "`\n\n";
  text += "For " + std::string(kind.use) + ".\n\n";
  for (const Parameter& one : kind.parameters) {
    text += "- `" + one.ToString() + "`: " + std::string(one.meaning) + "\n";
  }
  text += "\n" + std::string(kind.paper) + ".\n";
  if (kind.doi.empty()) return text;
  const std::string doi(kind.doi);
  return text + "[doi:" + doi + "](https://doi.org/" + doi + ")\n";
}

std::string ReferenceText() {
  std::string text =
      "# All filters\n\n"
      "Made from the rows of `src/filters/kinds.cc`; `tamis filters` prints "
      "the\n"
      "same. A parameter stands with its default and its limits, or with all "
      "it\n"
      "can be, the default first.\n";
  for (const Kind& kind : AllKinds()) text += "\n" + RowText(kind);
  return text;
}

TEST(Everywhere, TheReferenceIsOfTheRows) {
  const auto path = kTests.parent_path() / "docs/guide/filters.md";
  if (std::getenv("TAMIS_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << ReferenceText();
  }
  EXPECT_EQ(ReadText(path), ReferenceText())
      << "TAMIS_UPDATE_GOLDEN=1 writes it anew";
}

}  // namespace
}  // namespace tamis::testing
