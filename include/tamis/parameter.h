// Parameter: what one parameter of a filter's spec may be, declared once.
//
//   constexpr Parameter kParameters[] = {
//       WholeNumber("r", 8, {2, 56}, "bits of a remainder"),
//       OneOf("overflow", "refuse|evict|reset", "what to do when ..."),
//   };
//   const ParameterReader read(spec, kParameters);
//   TAMIS_RETURN_IF_ERROR(read.Check());         // names what is not declared
//   TAMIS_ASSIGN_OR_RETURN(uint64_t r, read.Whole("r"));
//
// The filter reads its spec through the declaration, and lists, help and
// complete specs are made from it: limits and defaults are nowhere else.

#ifndef TAMIS_PARAMETER_H_
#define TAMIS_PARAMETER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis {

struct Parameter {
  enum class Type { kWhole, kNumber, kChoice };
  template <typename T>
  struct Limits {  // both may be taken
    T min = 0;
    T max = 0;
  };

  std::string_view name;
  Type type = Type::kWhole;
  uint64_t whole = 0;  // the default, and what it may be
  Limits<uint64_t> whole_limits = {};
  double number = 0;
  Limits<double> number_limits = {};
  std::string_view choices = {};  // "a|b|c", the default first
  std::string_view meaning = {};
  // The default follows from other parameters; declared is what it is if those
  // have their defaults.
  bool follows_others = false;
  // There are files without it, which mean the default: while it has that, it is
  // not written, and files stay as they are.
  bool added_later = false;

  // As a spec has it.
  std::string Default() const;
  std::string Min() const;
  std::string Max() const;
  std::vector<std::string_view> Choices() const;  // none of a number
  // "r=8 (2 to 56)" or "overflow=refuse|evict|reset".
  std::string ToString() const;
};

constexpr Parameter WholeNumber(std::string_view name, uint64_t fallback,
                                Parameter::Limits<uint64_t> limits,
                                std::string_view meaning) {
  return {.name = name,
          .type = Parameter::Type::kWhole,
          .whole = fallback,
          .whole_limits = limits,
          .meaning = meaning};
}
constexpr Parameter Number(std::string_view name, double fallback,
                           Parameter::Limits<double> limits,
                           std::string_view meaning) {
  return {.name = name,
          .type = Parameter::Type::kNumber,
          .number = fallback,
          .number_limits = limits,
          .meaning = meaning};
}
constexpr Parameter OneOf(std::string_view name, std::string_view choices,
                          std::string_view meaning) {
  return {.name = name,
          .type = Parameter::Type::kChoice,
          .choices = choices,
          .meaning = meaning};
}
constexpr Parameter FollowsOthers(Parameter parameter) {
  parameter.follows_others = true;
  return parameter;
}
constexpr Parameter AddedLater(Parameter parameter) {
  parameter.added_later = true;
  return parameter;
}

// Reads a spec by the declaration of its parameters.  Both are borrowed.
class ParameterReader {
 public:
  ParameterReader(const Spec& spec, std::span<const Parameter> declared)
      : spec_(&spec), declared_(declared) {}

  // Fails if a parameter is given that is not declared, and names it, or if
  // there is an inner spec.
  Status Check() const;
  // The value, or the default; kInvalidArgument if it is none of those allowed.
  // `fallback` stands for a default that follows from other parameters.  What
  // is not declared is `fallback`, or 0, the first choice.
  Result<uint64_t> Whole(std::string_view name,
                         std::optional<uint64_t> fallback = {}) const;
  Result<double> Number(std::string_view name) const;
  Result<size_t> Choice(std::string_view name) const;
  // The same, for values that are an int.
  Result<int> Int(std::string_view name,
                  std::optional<uint64_t> fallback = {}) const;

 private:
  const Parameter* Find(std::string_view name) const;

  const Spec* spec_;
  std::span<const Parameter> declared_;
};

// Returns the spec with every declared parameter written, in the order of the
// declaration.  A default that follows from others can't be told from the
// declaration: it is left out unless `spec` gives it, which the spec() of every
// filter does.  What was added later is left out while it has its default.
Spec WithDefaults(const Spec& spec, std::span<const Parameter> declared);

}  // namespace tamis

#endif  // TAMIS_PARAMETER_H_
