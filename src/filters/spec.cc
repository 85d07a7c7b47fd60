#include "tamis/spec.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/errors.h"
#include "tamis/internal/filters/shortest_text.h"

namespace tamis {
namespace {

using internal::Bad;

bool IsName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// Splits at commas that are not inside parentheses.
std::vector<std::string_view> SplitTop(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// Says whether a part of a list continues the spec before it: "w=64".
bool IsParameter(std::string_view part) {
  const size_t equals = part.find('=');
  return equals != std::string_view::npos && part.find(':') > equals &&
         part.find('(') > equals;
}

}  // namespace

Result<Spec> Spec::Parse(std::string_view text) {
  // name [ '(' inner ')' ] [ ':' key=value { ',' key=value } ]
  if (text.size() > kMaxLength) {  // also bounds the depth of the recursion
    return Bad("a filter spec of " + std::to_string(text.size()) +
               " characters; at most " + std::to_string(kMaxLength) +
               " are allowed");
  }
  const size_t name_end = std::min(text.find_first_of(":("), text.size());
  Spec spec{std::string(text.substr(0, name_end))};
  if (!IsName(spec.name_)) {
    return Bad("filter spec " + Quoted(text) +
               " does not start with a name in small letters; expected e.g. "
               "rsqf:r=8");
  }
  std::string_view rest = text.substr(name_end);
  if (rest.starts_with('(')) {
    const size_t close = rest.rfind(')');
    if (close == std::string_view::npos) {
      return Bad("filter spec " + Quoted(text) + " has '(' without ')'");
    }
    spec.inner_ = std::string(rest.substr(1, close - 1));
    TAMIS_RETURN_IF_ERROR(Parse(spec.inner_).status());
    rest.remove_prefix(close + 1);
  }
  if (rest.empty()) return spec;
  if (!rest.starts_with(':')) {
    return Bad("filter spec " + Quoted(text) + ": unexpected " + Quoted(rest));
  }
  for (std::string_view part : SplitTop(rest.substr(1))) {
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos || !IsName(part.substr(0, equals)) ||
        equals + 1 == part.size()) {
      return Bad("filter spec " + Quoted(text) + ": " + Quoted(part) +
                 " is not of the form key=value");
    }
    if (spec.Has(part.substr(0, equals))) {
      return Bad("filter spec " + Quoted(text) + " gives " +
                 Quoted(part.substr(0, equals)) + " twice");
    }
    spec.Set(part.substr(0, equals), std::string(part.substr(equals + 1)));
  }
  return spec;
}

Result<std::vector<Spec>> Spec::ParseList(std::string_view text) {
  std::vector<std::string> texts;
  for (std::string_view part : SplitTop(text)) {
    if (IsParameter(part) && !texts.empty()) {
      // A ':' between parentheses belongs to the inner spec.
      const size_t close = texts.back().rfind(')') + 1;  // 0 if there is none
      const bool first = texts.back().find(':', close) == std::string::npos;
      texts.back() += (first ? ":" : ",") + std::string(part);
    } else {
      texts.emplace_back(part);
    }
  }
  std::vector<Spec> specs;
  for (const std::string& one : texts) {
    TAMIS_ASSIGN_OR_RETURN(Spec spec, Parse(one));
    specs.push_back(std::move(spec));
  }
  return specs;
}

Spec& Spec::Set(std::string_view key, std::string value) {
  for (auto& [name, old] : parameters_) {
    if (name == key) {
      old = std::move(value);
      return *this;
    }
  }
  parameters_.emplace_back(std::string(key), std::move(value));
  return *this;
}

Spec& Spec::Set(std::string_view key, uint64_t value) {
  return Set(key, std::to_string(value));
}

std::string Spec::ToString() const {
  std::string text = name_;
  if (!inner_.empty()) text += "(" + inner_ + ")";
  char separator = ':';
  for (const auto& [key, value] : parameters_) {
    text += separator + key + "=" + value;
    separator = ',';
  }
  return text;
}

const std::string* Spec::Find(std::string_view key) const {
  for (const auto& [name, value] : parameters_) {
    if (name == key) return &value;
  }
  return nullptr;
}

Result<uint64_t> Spec::Integer(std::string_view key, uint64_t fallback,
                               uint64_t min, uint64_t max) const {
  const std::string* text = Find(key);
  if (text == nullptr) return fallback;
  uint64_t value = 0;
  const char* end = text->data() + text->size();
  const auto [parsed, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc() || parsed != end || value < min || value > max) {
    return Bad(name_ + ": " + std::string(key) + "=" + *text +
               " is not a whole number from " + std::to_string(min) + " to " +
               std::to_string(max));
  }
  return value;
}

Result<double> Spec::Number(std::string_view key, double fallback, double min,
                            double max) const {
  const std::string* text = Find(key);
  if (text == nullptr) return fallback;
  double value = 0;
  const char* end = text->data() + text->size();
  const auto [parsed, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc() || parsed != end ||
      !(value >= min && value <= max)) {
    return Bad(name_ + ": " + std::string(key) + "=" + *text +
               " is not a number from " + internal::ShortestText(min) + " to " +
               internal::ShortestText(max));
  }
  return value;
}

Result<std::string> Spec::Text(std::string_view key) const {
  if (const std::string* text = Find(key)) return *text;
  return Bad(name_ + " needs the parameter " + Quoted(key));
}

Result<size_t> Spec::Choice(std::string_view key,
                            std::span<const std::string_view> choices) const {
  const std::string* text = Find(key);
  if (text == nullptr) return size_t{0};
  std::string known;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (*text == choices[i]) return i;
    known += (i == 0 ? "" : ", ") + std::string(choices[i]);
  }
  return Bad(name_ + ": " + std::string(key) + "=" + *text + " is not one of " +
             known);
}

Status Spec::ExpectOnly(std::span<const std::string_view> allowed,
                        Inner inner) const {
  if (inner == Inner::kNone && !inner_.empty()) {
    return Bad(name_ + " takes no filter in parentheses, but got " +
               Quoted(inner_));
  }
  if (inner == Inner::kOne && inner_.empty()) {
    return Bad(name_ + " needs a filter in parentheses, such as " + name_ +
               "(rsqf:r=8)");
  }
  for (const auto& [key, value] : parameters_) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) {
      continue;
    }
    std::string known;
    for (std::string_view name : allowed) {
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    return Bad(name_ + " has no parameter " + Quoted(key) + "; it takes " +
               (known.empty() ? "none" : known));
  }
  return {};
}

}  // namespace tamis
