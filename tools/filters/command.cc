#include "tools/filters/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/internal/base/nearest_name.h"
#include "tamis/kind.h"
#include "tools/common/parse.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kColumns = 100;
constexpr size_t kNameColumns = 14;

constexpr const char* kFiltersExamples =
    "Examples:\n"
    "  tamis filters\n"
    "  tamis filters taf\n"
    "  tamis filters --json | jq '.[] | select(.adapts) | .filter'\n"
    "  tamis build users.txt -o users.tamis --filter taf:r=10,overflow=evict\n"
    "\n"
    "Named filters are explained: what each parameter means, and the paper.\n"
    "A parameter stands with its default: `r=8 (2 to 56)`, or with all it can\n"
    "be, the default first: `overflow=refuse|evict|reset`.  Defaults that\n"
    "depend on other parameters are those of the others' defaults; what a\n"
    "spec leaves open, `tamis compare` and --fpr choose.\n"
    "\n"
    "--json prints an array with {\"filter\", \"use\", \"adapts\", \"erases\", "
    "\"grows\",\n"
    "\"merges\", \"baseline\", \"paper\", \"doi\", \"parameters\"} for each; a "
    "parameter is {\"name\", \"default\", "
    "\"meaning\"}\n"
    "and either {\"min\", \"max\"} or {\"choices\"}.";

std::string Abilities(const Capabilities& can) {
  std::vector<std::string_view> words;
  if (can.adapt) words.emplace_back("adapts");
  if (can.erase) words.emplace_back("erases");
  if (can.expand) words.emplace_back("grows");
  if (can.merge) words.emplace_back("merges");
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ", "));
}

// The parameters, in as many lines as they need.
std::vector<std::string> Lines(const Kind& one, size_t columns) {
  std::vector<std::string> lines(1);
  for (const Parameter& parameter : one.parameters) {
    const std::string text = parameter.ToString();
    if (!lines.back().empty() &&
        lines.back().size() + 2 + text.size() > columns) {
      lines.emplace_back();
    }
    lines.back() += (lines.back().empty() ? "" : "  ") + text;
  }
  return lines;
}

void Print(const std::vector<Kind>& filters, std::ostream& out) {
  size_t name = 0;
  size_t can = 0;
  for (const Kind& one : filters) {
    if (one.ShortestSpec().size() > kNameColumns) continue;
    name = std::max(name, one.ShortestSpec().size());
    can = std::max(can, Abilities(one.capabilities).size());
  }
  const auto row = [&](std::string_view spec, std::string_view abilities,
                       std::string_view use) {
    out << fmt::format("{:<{}}  {:<{}}  {}\n", spec, name, abilities, can, use);
  };
  row("filter", "can", "is for; takes");
  for (const Kind& one : filters) {
    std::string_view spec = one.ShortestSpec();
    if (spec.size() > name) {  // a line of its own
      out << spec << '\n';
      spec = "";
    }
    row(spec, Abilities(one.capabilities), one.use);
    for (const std::string& line : Lines(one, kColumns - name - 4)) {
      out << fmt::format("{:<{}}{}\n", "", name + 4, line);
    }
  }
}

// A number's text as a number.
Json Number(const std::string& text) { return Json::parse(text); }

Json AsJson(const Parameter& parameter) {
  if (parameter.type == Parameter::Type::kChoice) {
    return {{"name", parameter.name},
            {"default", parameter.Default()},
            {"choices", parameter.Choices()},
            {"meaning", parameter.meaning}};
  }
  return {{"name", parameter.name},
          {"default", Number(parameter.Default())},
          {"min", Number(parameter.Min())},
          {"max", Number(parameter.Max())},
          {"meaning", parameter.meaning}};
}

Json AsJson(const Kind& one) {
  Json parameters = Json::array();
  for (const Parameter& parameter : one.parameters) {
    parameters.push_back(AsJson(parameter));
  }
  return {{"filter", one.ShortestSpec()},
          {"use", one.use},
          {"adapts", one.capabilities.adapt},
          {"erases", one.capabilities.erase},
          {"grows", one.capabilities.expand},
          {"merges", one.capabilities.merge},
          {"baseline", one.baseline},
          {"paper", one.paper},
          {"doi", one.doi},
          {"parameters", parameters}};
}

// Explains one filter.
void Explain(const Kind& one, std::ostream& out) {
  out << fmt::format("{}: {}\n  can      {}\n", one.ShortestSpec(), one.use,
                     Abilities(one.capabilities));
  if (!one.paper.empty()) {
    out << fmt::format("  paper    {}\n", one.paper);
    if (!one.doi.empty())
      out << "           https://doi.org/" << one.doi << '\n';
  }
  size_t width = 0;
  for (const Parameter& parameter : one.parameters) {
    width = std::max(width, parameter.ToString().size());
  }
  for (const Parameter& parameter : one.parameters) {
    out << fmt::format("  {:<{}}  {}\n", parameter.ToString(), width,
                       parameter.meaning);
  }
}

// Returns the filters of these names, or of these shortest specs.
Result<std::vector<Kind>> Named(const std::vector<Kind>& all,
                                const std::vector<std::string>& names) {
  std::vector<Kind> named;
  const std::vector<std::string_view> known = AnyFilter::KnownKinds();
  for (const std::string& name : names) {
    const size_t before = named.size();
    for (const Kind& one : all) {
      if (one.name == name || one.ShortestSpec() == name) named.push_back(one);
    }
    if (named.size() > before) continue;
    return UsageError(fmt::format("there is no filter '{}'{}; known are {}",
                                  name, internal::DidYouMean(name, known),
                                  fmt::join(known, ", ")));
  }
  return named;
}

struct FiltersOptions {
  std::vector<std::string> names;
  bool json = false;
};

Status RunFilters(const FiltersOptions& options, Console console) {
  const auto rows = AllKinds();
  std::vector<Kind> filters(rows.begin(), rows.end());
  if (!options.names.empty()) {
    TAMIS_ASSIGN_OR_RETURN(filters, Named(filters, options.names));
  }
  if (!options.names.empty() && !options.json) {
    for (const Kind& one : filters) Explain(one, console.out);
    return {};
  }
  if (options.json) {
    Json all = Json::array();
    for (const Kind& one : filters) all.push_back(AsJson(one));
    console.out << all.dump(2) << '\n';
  } else {
    Print(filters, console.out);
  }
  return {};
}

}  // namespace

Runner AddFilters(CLI::App& parent, Console console) {
  auto options = std::make_shared<FiltersOptions>();
  CLI::App* app = parent.add_subcommand(
      "filters", "List the filters: what they are for, can do and take");
  app->footer(kFiltersExamples);
  app->add_option("FILTER", options->names,
                  "Filters to explain; default: a list");
  app->add_flag("--json", options->json, "Print JSON");
  return {app, [=] { return RunFilters(*options, console); }};
}

}  // namespace tamis::tools
