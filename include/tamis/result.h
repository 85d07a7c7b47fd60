// Result<T>: a T, or the Status that says why there is none.
//
//   Result<Rsqf> filter = Rsqf::Create({.keys = 1'000'000, .fpr = 0.001});
//   if (!filter.ok()) return filter.status();
//   TAMIS_RETURN_IF_ERROR(filter->Insert(filter->hasher().Hash("key")));

#ifndef TAMIS_RESULT_H_
#define TAMIS_RESULT_H_

#include <cassert>
#include <optional>
#include <utility>

#include "tamis/status.h"

namespace tamis {

template <typename T>
class [[nodiscard]] Result {
 public:
  // Both conversions are implicit on purpose, so that a function may
  // `return value;` or `return status;`.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : value_(std::move(value)) {}
  // REQUIRES: !status.ok()
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Status status) : status_(std::move(status)) {
    assert(!status_.ok() && "a Result without a value needs an error");
  }

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }

  // REQUIRES: ok()
  T& value() & { return Checked(); }
  const T& value() const& { return const_cast<Result*>(this)->Checked(); }
  T&& value() && { return std::move(Checked()); }
  T& operator*() & { return Checked(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(Checked()); }
  T* operator->() { return &Checked(); }
  const T* operator->() const { return &value(); }

  T value_or(T fallback) const { return ok() ? *value_ : std::move(fallback); }

 private:
  T& Checked() {
    assert(value_.has_value() && "Result::value() of an error");
    return *value_;
  }

  std::optional<T> value_;
  Status status_;
};

// Leaves the calling function with the error of `expression`, if it has one.
#define TAMIS_RETURN_IF_ERROR(expression)                                    \
  do {                                                                       \
    if (::tamis::Status tamis_status_ = (expression); !tamis_status_.ok()) { \
      return tamis_status_;                                                  \
    }                                                                        \
  } while (false)

#define TAMIS_CONCAT_INNER_(a, b) a##b
#define TAMIS_CONCAT_(a, b) TAMIS_CONCAT_INNER_(a, b)

// Declares or assigns `target` from the value of a Result, or leaves the
// calling function with its error.
#define TAMIS_ASSIGN_OR_RETURN(target, expression)                             \
  TAMIS_ASSIGN_OR_RETURN_IMPL_(TAMIS_CONCAT_(tamis_result_, __LINE__), target, \
                               expression)
#define TAMIS_ASSIGN_OR_RETURN_IMPL_(result, target, expression) \
  auto result = (expression);                                    \
  if (!result.ok()) return result.status();                      \
  target = std::move(result).value()

}  // namespace tamis

#endif  // TAMIS_RESULT_H_
