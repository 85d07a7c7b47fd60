#include "tools/manual/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "tamis/any_filter.h"
#include "tools/common/parse.h"
#include "tools/generate/generate.h"
#include "tools/lab_door.h"

namespace tamis::tools {
namespace {

std::vector<std::string> FilterKinds() {
  const auto kinds = AnyFilter::KnownKinds();
  return {kinds.begin(), kinds.end()};
}

// Values that only the program knows.
struct Offer {
  std::string_view option;
  std::vector<std::string> (*choices)();
};
constexpr Offer kOffers[] = {{"NAME", ExperimentNames},
                             {"FILTER", FilterKinds},
                             {"--filter", FilterKinds},
                             {"--filters", FilterKinds},
                             {"WORKLOAD", WorkloadNames}};

// The choices of a check that knows them: "TEXT:{quick,paper}".
std::vector<std::string> CheckedChoices(const std::string& type) {
  const size_t begin = type.find('{');
  const size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  const auto parts =
      Split(std::string_view(type).substr(begin + 1, end - begin - 1), ',');
  return {parts.begin(), parts.end()};
}

std::vector<std::string> ChoicesOf(const OptionInfo& option,
                                   const std::string& type) {
  for (const Offer& offer : kOffers) {
    if (std::find(option.names.begin(), option.names.end(), offer.option) !=
        option.names.end()) {
      return offer.choices();
    }
  }
  return CheckedChoices(type);
}

OptionInfo Describe(const CLI::Option& option) {
  OptionInfo info;
  for (const std::string& name : option.get_snames()) {
    info.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    info.names.push_back("--" + name);
  }
  info.positional = info.names.empty();
  if (info.positional) info.names.push_back(option.get_name());
  info.takes_value = option.get_items_expected_max() > 0;
  info.many = option.get_items_expected_max() > 1;
  info.required = option.get_required();
  info.help = option.get_description();
  const std::string type = option.get_type_name();
  info.value = type.substr(0, type.find_first_of(":{ ["));
  info.standard = option.get_default_str();
  info.choices = ChoicesOf(info, type);
  return info;
}

CommandInfo Describe(const CLI::App& app) {
  CommandInfo info{app.get_name(), app.get_description(), app.get_footer(), {}};
  for (const CLI::Option* option : app.get_options()) {
    info.options.push_back(Describe(*option));
  }
  return info;
}

}  // namespace

CommandTree DescribeCommands(const CLI::App& tool) {
  CommandTree tree{Describe(tool), {}};
  const std::function<bool(const CLI::App*)> all;
  for (const CLI::App* verb : tool.get_subcommands(all)) {
    tree.verbs.push_back(Describe(*verb));
  }
  return tree;
}

}  // namespace tamis::tools
