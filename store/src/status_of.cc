#include "store/src/status_of.h"

#include <string>

namespace tamis::internal {
namespace {

StatusCode CodeOf(const rocksdb::Status& status) {
  switch (status.code()) {
    case rocksdb::Status::kNotFound:
      return StatusCode::kNotFound;
    case rocksdb::Status::kCorruption:
      return StatusCode::kCorrupt;
    case rocksdb::Status::kNotSupported:
      return StatusCode::kUnsupported;
    case rocksdb::Status::kInvalidArgument:
      return StatusCode::kInvalidArgument;
    default:
      return status.IsMemoryLimit() ? StatusCode::kOutOfMemory
                                    : StatusCode::kIo;
  }
}

}  // namespace

Status StatusOf(const rocksdb::Status& status, std::string_view what) {
  if (status.ok()) return {};
  return {CodeOf(status), std::string(what) + ": " + status.ToString()};
}

}  // namespace tamis::internal
