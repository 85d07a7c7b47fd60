#include "tools/common/number_option.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/common/parse.h"

namespace tamis::tools {
namespace {

Result<uint64_t> ParseWithin(const std::string& text, NumberRange range) {
  const Result<uint64_t> number = ParseSize(text);
  if (number.ok() && *number >= range.min && *number <= range.max) {
    return *number;
  }
  return UsageError(fmt::format("'{}' is not a whole number from {} to {}",
                                text, range.min, range.max));
}

// Adds an option that `parse` reads; what that refuses, CLI11 reports.
template <typename Number, typename Parse>
void Add(CLI::App* app, const std::string& name, Number* value, Parse parse,
         const std::string& help) {
  app->add_option_function<std::string>(
         name,
         [=](const std::string& text) {
           const Result<uint64_t> number = parse(text);
           if (!number.ok()) {
             throw CLI::ValidationError(name,
                                        std::string(number.status().message()));
           }
           *value = static_cast<Number>(*number);
         },
         help)
      ->type_name("UINT")
      ->default_str(std::to_string(*value));
}

// The same for any number.
template <typename Number>
CLI::Option* AddRealTo(CLI::App* app, const std::string& name, Number* value,
                       const std::string& help) {
  return app
      ->add_option_function<std::string>(
          name,
          [=](const std::string& text) {
            const Result<double> number = ParseReal(text);
            if (!number.ok()) {
              throw CLI::ValidationError(
                  name, std::string(number.status().message()));
            }
            *value = *number;
          },
          help)
      ->type_name("FLOAT");
}

}  // namespace

void AddNumber(CLI::App* app, const std::string& name, uint64_t* value,
               NumberRange range, const std::string& help) {
  Add(
      app, name, value,
      [=](const std::string& text) { return ParseWithin(text, range); }, help);
}

void AddNumber(CLI::App* app, const std::string& name, int* value,
               NumberRange range, const std::string& help) {
  Add(
      app, name, value,
      [=](const std::string& text) { return ParseWithin(text, range); }, help);
}

void AddReal(CLI::App* app, const std::string& name, double* value,
             const std::string& help) {
  AddRealTo(app, name, value, help)->default_str(fmt::format("{}", *value));
}

void AddReal(CLI::App* app, const std::string& name,
             std::optional<double>* value, const std::string& help) {
  AddRealTo(app, name, value, help);
}

void AddSeed(CLI::App* app, uint64_t* seed, const std::string& help) {
  Add(app, "--seed", seed, ParseSeed, help);
}

}  // namespace tamis::tools
