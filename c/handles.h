// What is behind the handles of tamis/c.h, and the wall that no exception
// passes.

#ifndef TAMIS_C_HANDLES_H_
#define TAMIS_C_HANDLES_H_

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c/callback_source.h"
#include "tamis/c.h"
#include "tamis/result.h"
#include "tamis/status.h"
#include "tamis/tamis.h"

struct tamis_error {
  int status = TAMIS_OK;  // a tamis_status, or what a callback took for one
  std::string text;
};

struct tamis_filter {
  // Outlives `filter`, which borrows it.  Copies share it.
  std::shared_ptr<tamis::c::CallbackSource> source;
  // None if it was loaded.
  std::optional<tamis::Filter::Options> made_with;
  tamis::Filter filter;
};

struct tamis_bytes {
  std::vector<std::byte> bytes;
};

namespace tamis::c {

tamis_status CodeOf(const Status& status);
// Writes the outcome into the error, if there is one, and returns its code.
tamis_status Tell(const Status& status, tamis_error* error) noexcept;
tamis_status TellOutOfMemory(tamis_error* error) noexcept;
tamis_status TellException(const char* what, tamis_error* error) noexcept;

// Does the work of one call, which returns a Status.
template <typename Work>
tamis_status Call(tamis_error* error, Work work) noexcept {
  try {
    return Tell(work(), error);
  } catch (const std::bad_alloc&) {
    return TellOutOfMemory(error);
  } catch (const std::exception& exception) {
    return TellException(exception.what(), error);
  } catch (...) {
    return TellException("an unknown exception", error);
  }
}

inline Status Invalid(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}

// Fails unless all pointers are there; `names` says which they are.
template <typename... Pointers>
Status Need(const char* names, Pointers... pointers) {
  if ((... && (pointers != nullptr))) return {};
  return Invalid(std::string("NULL given for ") + names);
}

// Reads a struct that begins with its size, as an older or a newer header has
// it.  `defaults` is what the older one does not say.
template <typename S>
Result<S> ReadSized(const S* given, S defaults, size_t least_size) {
  TAMIS_RETURN_IF_ERROR(Need("options", given));
  if (given->struct_size < least_size) {
    return Invalid("struct_size is " + std::to_string(given->struct_size) +
                   ": fill the struct by its _INIT");
  }
  S read = defaults;
  const size_t size = std::min(given->struct_size, sizeof(S));
  std::copy_n(reinterpret_cast<const std::byte*>(given), size,
              reinterpret_cast<std::byte*>(&read));
  return read;
}

// Whether any number of threads may read and write it.
inline bool HasThreads(const Filter& filter) {
  return filter.spec().Text("threads").value_or("no") == "yes";
}

inline KeyHash ToHash(tamis_hash hash) { return {hash.high, hash.low}; }
inline tamis_hash FromHash(KeyHash hash) { return {hash.high, hash.low}; }

// Bytes of a key as the library takes them; kInvalidArgument for NULL.
Result<std::string_view> KeyOf(const void* key, size_t size);

}  // namespace tamis::c

#endif  // TAMIS_C_HANDLES_H_
