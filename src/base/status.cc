#include "tamis/status.h"

#include <cassert>

namespace tamis {

std::string_view ToString(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kFull:
      return "full";
    case StatusCode::kNotFound:
      return "not found";
    case StatusCode::kIsMember:
      return "is a member";
    case StatusCode::kInvalidArgument:
      return "invalid argument";
    case StatusCode::kUnsupported:
      return "unsupported";
    case StatusCode::kIncompatible:
      return "incompatible";
    case StatusCode::kCorrupt:
      return "corrupt";
    case StatusCode::kVersion:
      return "unknown version";
    case StatusCode::kIo:
      return "input/output error";
    case StatusCode::kOutOfMemory:
      return "out of memory";
    case StatusCode::kStale:
      return "stale";
  }
  return "unknown";
}

Status::Status(StatusCode code, std::string message)
    : rep_(std::make_unique<const Rep>(Rep{code, std::move(message)})) {
  assert(code != StatusCode::kOk && "success has no message");
}

Status& Status::operator=(const Status& other) {
  if (this != &other) {
    rep_ = other.ok() ? nullptr : std::make_unique<const Rep>(*other.rep_);
  }
  return *this;
}

std::string_view Status::message() const {
  return ok() ? std::string_view() : std::string_view(rep_->message);
}

std::string Status::ToString() const {
  if (ok()) return "ok";
  return std::string(tamis::ToString(code())) + ": " + rep_->message;
}

Status Status::WithContext(std::string_view where) const {
  if (ok()) return {};
  return {code(), std::string(where) + ": " + rep_->message};
}

}  // namespace tamis
