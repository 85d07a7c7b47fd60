#include "python/errors.h"

#include <string>

#include "python/source.h"

namespace tamis::python {
namespace {

namespace py = pybind11;

const char* NameOf(tamis_status status) {
  switch (status) {
    case TAMIS_FULL:
      return "FullError";
    case TAMIS_NOT_FOUND:
      return "NotFoundError";
    case TAMIS_IS_MEMBER:
      return "IsMemberError";
    case TAMIS_INVALID_ARGUMENT:
      return "InvalidArgumentError";
    case TAMIS_UNSUPPORTED:
      return "UnsupportedError";
    case TAMIS_INCOMPATIBLE:
      return "IncompatibleError";
    case TAMIS_CORRUPT:
      return "CorruptError";
    case TAMIS_UNKNOWN_VERSION:
      return "VersionError";
    case TAMIS_IO:
      return "FileError";
    case TAMIS_OUT_OF_MEMORY:
      return "OutOfMemoryError";
    case TAMIS_STALE:
      return "StaleError";
    default:
      return "TamisError";
  }
}

}  // namespace

void Error::Throw(tamis_status status) const {
  if (status == TAMIS_OK) return DropPending();
  ThrowPending();
  const py::object type =
      py::module_::import("tamis.errors").attr(NameOf(status));
  std::string text = tamis_error_text(error_);
  if (text.empty()) text = tamis_status_name(status);
  PyErr_SetObject(type.ptr(), py::str(text).ptr());
  throw py::error_already_set();
}

}  // namespace tamis::python
