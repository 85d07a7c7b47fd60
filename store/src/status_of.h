// RocksDB's outcomes in our words.

#ifndef TAMIS_STORE_SRC_STATUS_OF_H_
#define TAMIS_STORE_SRC_STATUS_OF_H_

#include <rocksdb/status.h>

#include <string_view>

#include "tamis/status.h"

namespace tamis::internal {

// `what` says what was tried: "can't write the page".
Status StatusOf(const rocksdb::Status& status, std::string_view what);

// Leaves the calling function with the error of a rocksdb::Status.
#define TAMIS_RETURN_IF_ROCKS_ERROR(expression, what)          \
  do {                                                         \
    if (const ::rocksdb::Status rocks_status_ = (expression);  \
        !rocks_status_.ok()) {                                 \
      return ::tamis::internal::StatusOf(rocks_status_, what); \
    }                                                          \
  } while (false)

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_STATUS_OF_H_
