#include "tamis/parameter.h"

#include <algorithm>

#include "tamis/internal/filters/shortest_text.h"

namespace tamis {

using internal::ShortestText;

std::string Parameter::Default() const {
  switch (type) {
    case Type::kWhole:
      return std::to_string(whole);
    case Type::kNumber:
      return ShortestText(number);
    case Type::kChoice:
      return std::string(Choices().front());
  }
  return "";
}

std::string Parameter::Min() const {
  return type == Type::kWhole ? std::to_string(whole_limits.min)
                              : ShortestText(number_limits.min);
}

std::string Parameter::Max() const {
  return type == Type::kWhole ? std::to_string(whole_limits.max)
                              : ShortestText(number_limits.max);
}

std::vector<std::string_view> Parameter::Choices() const {
  std::vector<std::string_view> all;
  std::string_view rest = choices;
  while (!rest.empty()) {
    all.push_back(rest.substr(0, rest.find('|')));
    rest.remove_prefix(std::min(rest.size(), all.back().size() + 1));
  }
  return all;
}

std::string Parameter::ToString() const {
  const std::string start = std::string(name) + "=";
  if (type == Type::kChoice) return start + std::string(choices);
  // All there are of 64 bits: no limit.
  const bool unlimited = type == Type::kWhole && ~whole_limits.max == 0;
  return start + Default() + " (" + Min() +
         (unlimited ? " or more" : " to " + Max()) + ")";
}

Status ParameterReader::Check() const {
  std::vector<std::string_view> names;
  for (const Parameter& one : declared_) names.push_back(one.name);
  return spec_->ExpectOnly(names);
}

const Parameter* ParameterReader::Find(std::string_view name) const {
  const auto found = std::ranges::find(declared_, name, &Parameter::name);
  return found == declared_.end() ? nullptr : &*found;
}

Result<uint64_t> ParameterReader::Whole(
    std::string_view name, std::optional<uint64_t> fallback) const {
  const Parameter* one = Find(name);
  if (one == nullptr) return fallback.value_or(0);
  return spec_->Integer(name, fallback.value_or(one->whole),
                        one->whole_limits.min, one->whole_limits.max);
}

Result<int> ParameterReader::Int(std::string_view name,
                                 std::optional<uint64_t> fallback) const {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t value, Whole(name, fallback));
  return static_cast<int>(value);
}

Result<double> ParameterReader::Number(std::string_view name) const {
  const Parameter* one = Find(name);
  if (one == nullptr) return 0.0;
  return spec_->Number(name, one->number, one->number_limits.min,
                       one->number_limits.max);
}

Result<size_t> ParameterReader::Choice(std::string_view name) const {
  const Parameter* one = Find(name);
  if (one == nullptr) return size_t{0};
  return spec_->Choice(name, one->Choices());
}

Spec WithDefaults(const Spec& spec, std::span<const Parameter> declared) {
  // What a spec prints can be read again, in parentheses too.
  Spec complete =
      spec.inner().empty()
          ? Spec(spec.name())
          : Spec::Parse(spec.name() + "(" + spec.inner() + ")").value();
  for (const Parameter& one : declared) {
    if (const Result<std::string> given = spec.Text(one.name); given.ok()) {
      if (one.added_later && *given == one.Default()) continue;
      complete.Set(one.name, *given);
    } else if (!one.follows_others && !one.added_later) {
      complete.Set(one.name, one.Default());
    }
  }
  return complete;
}

}  // namespace tamis
