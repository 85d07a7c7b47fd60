// Errors: from Status to what C reads.

#include <limits>
#include <new>
#include <string>
#include <string_view>

#include "c/handles.h"

namespace tamis::c {

tamis_status CodeOf(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return TAMIS_OK;
    case StatusCode::kFull:
      return TAMIS_FULL;
    case StatusCode::kNotFound:
      return TAMIS_NOT_FOUND;
    case StatusCode::kIsMember:
      return TAMIS_IS_MEMBER;
    case StatusCode::kInvalidArgument:
      return TAMIS_INVALID_ARGUMENT;
    case StatusCode::kUnsupported:
      return TAMIS_UNSUPPORTED;
    case StatusCode::kIncompatible:
      return TAMIS_INCOMPATIBLE;
    case StatusCode::kCorrupt:
      return TAMIS_CORRUPT;
    case StatusCode::kVersion:
      return TAMIS_UNKNOWN_VERSION;
    case StatusCode::kIo:
      return TAMIS_IO;
    case StatusCode::kOutOfMemory:
      return TAMIS_OUT_OF_MEMORY;
    case StatusCode::kStale:
      return TAMIS_STALE;
  }
  return TAMIS_INTERNAL;
}

namespace {

// A string's own memory may lack too: then the code is all there is.
void Write(tamis_error* error, int status, std::string_view text) noexcept {
  if (error == nullptr) return;
  error->status = status;
  try {
    error->text = text;
  } catch (...) {
    error->text.clear();
  }
}

}  // namespace

tamis_status Tell(const Status& status, tamis_error* error) noexcept {
  const tamis_status code = CodeOf(status);
  Write(error, code, status.message());
  return code;
}

tamis_status TellOutOfMemory(tamis_error* error) noexcept {
  Write(error, TAMIS_OUT_OF_MEMORY, "not enough memory");
  return TAMIS_OUT_OF_MEMORY;
}

tamis_status TellException(const char* what, tamis_error* error) noexcept {
  Write(error, TAMIS_INTERNAL, what);
  return TAMIS_INTERNAL;
}

Result<std::string_view> KeyOf(const void* key, size_t size) {
  if (key == nullptr && size != 0) {
    return Invalid("NULL given for a key of " + std::to_string(size) +
                   " bytes");
  }
  if (size > size_t{std::numeric_limits<ptrdiff_t>::max()}) {
    return Invalid("a key can't have " + std::to_string(size) + " bytes");
  }
  if (key == nullptr) return std::string_view("");
  return std::string_view(static_cast<const char*>(key), size);
}

}  // namespace tamis::c

extern "C" {

tamis_error* tamis_error_new(void) { return new (std::nothrow) tamis_error; }

void tamis_error_free(tamis_error* error) { delete error; }

tamis_status tamis_error_status(const tamis_error* error) {
  return error == nullptr ? TAMIS_INVALID_ARGUMENT
                          : static_cast<tamis_status>(error->status);
}

const char* tamis_error_text(const tamis_error* error) {
  return error == nullptr ? "" : error->text.c_str();
}

void tamis_error_set(tamis_error* error, tamis_status status,
                     const char* text) {
  tamis::c::Write(error, static_cast<int>(status), text == nullptr ? "" : text);
}

const char* tamis_status_name(tamis_status status) {
  static constexpr const char* kNames[] = {"ok",
                                           "full",
                                           "not found",
                                           "is a member",
                                           "invalid argument",
                                           "unsupported",
                                           "incompatible",
                                           "corrupt",
                                           "unknown version",
                                           "input or output",
                                           "out of memory",
                                           "stale",
                                           "internal error"};
  const auto index = static_cast<unsigned int>(status);
  return index < std::size(kNames) ? kNames[index] : "unknown status";
}

const char* tamis_version(void) { return TAMIS_C_VERSION; }

}  // extern "C"
