// Spec: the name of a filter and its parameters, as one short string.
//
//   rsqf:r=8      bloom1:bits=8,k=4,w=64      cached(rsqf:r=8)
//   ^name ^parameters, comma-separated        ^name ^inner spec
//
// The same strings are used by the command line, files and bindings.  In a
// comma-separated list of specs, a part with '=' and without ':' belongs to
// the spec before it: "rsqf:r=8,bloom1:bits=8,k=4" is two specs.

#ifndef TAMIS_SPEC_H_
#define TAMIS_SPEC_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/result.h"

namespace tamis {

class Spec {
 public:
  // Of a spec's text.  Nobody writes such a thing; files and fuzzers might.
  static constexpr size_t kMaxLength = 1024;

  // Reads one spec.  Only the form is checked here; whether the filter and
  // its parameters exist is for AnyFilter::Create to say.
  static Result<Spec> Parse(std::string_view text);
  // Reads a comma-separated list of specs.
  static Result<std::vector<Spec>> ParseList(std::string_view text);

  explicit Spec(std::string name) : name_(std::move(name)) {}
  // Adds a parameter, or replaces its value; returns *this for chaining.
  Spec& Set(std::string_view key, std::string value);
  Spec& Set(std::string_view key, uint64_t value);

  const std::string& name() const { return name_; }
  // The spec between parentheses, as text; empty if there is none.
  const std::string& inner() const { return inner_; }
  // "name:key=value,...", parameters in the order given.
  std::string ToString() const;

  bool Has(std::string_view key) const { return Find(key) != nullptr; }
  // Returns the parameter, or `fallback` if it is not given; an error if it
  // is no whole number in [min, max].
  Result<uint64_t> Integer(std::string_view key, uint64_t fallback,
                           uint64_t min, uint64_t max) const;
  Result<double> Number(std::string_view key, double fallback, double min,
                        double max) const;
  // Returns the parameter as it was written; an error if it is not given.
  Result<std::string> Text(std::string_view key) const;
  // Returns the index of the parameter's value among `choices`, or 0 (the
  // default choice) if it is not given.
  Result<size_t> Choice(std::string_view key,
                        std::span<const std::string_view> choices) const;
  Result<size_t> Choice(std::string_view key,
                        std::initializer_list<std::string_view> choices) const {
    return Choice(key, std::span(choices.begin(), choices.size()));
  }
  // Whether a filter is around another one: cached(rsqf:r=8).
  enum class Inner { kNone, kOne };
  // Fails if there is a parameter other than `allowed`, and names it, or if
  // there is an inner spec where none belongs, or none where one does.
  Status ExpectOnly(std::span<const std::string_view> allowed,
                    Inner inner = Inner::kNone) const;
  Status ExpectOnly(std::initializer_list<std::string_view> allowed,
                    Inner inner = Inner::kNone) const {
    return ExpectOnly(std::span(allowed.begin(), allowed.size()), inner);
  }

  friend bool operator==(const Spec&, const Spec&) = default;

 private:
  const std::string* Find(std::string_view key) const;

  std::string name_;
  std::string inner_;
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace tamis

#endif  // TAMIS_SPEC_H_
