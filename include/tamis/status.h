// Status: the outcome of an operation that can fail.
//
// The library never prints, exits or throws on input.  Whatever can go wrong
// comes back as a Status: a code for programs and a message for people, which
// says what, where and why.  Unless a function says otherwise, an operation
// that fails leaves its object exactly as it was.
//
// Success is a null pointer: creating, moving and testing it costs nothing.
//
//   if (Status s = filter.Insert(hash); !s.ok()) Log(s.message());

#ifndef TAMIS_STATUS_H_
#define TAMIS_STATUS_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tamis/internal/base/cxx20.h"

namespace tamis {

enum class StatusCode {
  kOk,
  kFull,             // no room for one more key; nothing was changed
  kNotFound,         // the key (or file) is not there
  kIsMember,         // asked to adapt to a key that is in the set
  kInvalidArgument,  // a parameter is outside of what is documented
  kUnsupported,      // this filter has no such operation
  kIncompatible,     // two filters that can't be combined
  kCorrupt,          // bytes from outside, or an invariant, are damaged
  kVersion,          // a file of a format version that we don't know
  kIo,               // the operating system refused to read or write
  kOutOfMemory,      // an allocation failed
  kStale,            // what is known of the members is too old; read again
};

// Returns the name of the code in words, such as "full" or "not found".
std::string_view ToString(StatusCode code);

class [[nodiscard]] Status {
 public:
  Status() = default;  // success
  // REQUIRES: code != StatusCode::kOk
  Status(StatusCode code, std::string message);

  Status(const Status& other) { *this = other; }
  Status& operator=(const Status& other);
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept = default;
  ~Status() = default;

  bool ok() const { return rep_ == nullptr; }
  StatusCode code() const { return ok() ? StatusCode::kOk : rep_->code; }
  // The sentence for people; empty on success.
  std::string_view message() const;
  // "full: rsqf holds 1024 of 1024 keys", or "ok".
  std::string ToString() const;
  // Returns the same error with "`where`: " put before its message.
  Status WithContext(std::string_view where) const;

 private:
  struct Rep {
    StatusCode code;
    std::string message;
  };
  std::unique_ptr<const Rep> rep_;
};

inline Status OkStatus() { return {}; }

}  // namespace tamis

#endif  // TAMIS_STATUS_H_
