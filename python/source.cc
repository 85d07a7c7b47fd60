#include "python/source.h"

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "python/gil.h"
#include "python/keys.h"
#include "python/lock.h"

namespace tamis::python {
namespace {

namespace py = pybind11;

// An exception can't pass through C: it waits here until the call is over.
thread_local std::exception_ptr pending;

tamis_status Failed(tamis_error* error) {
  pending = std::current_exception();
  tamis_error_set(error, TAMIS_IO, "the key source raised an exception");
  return TAMIS_IO;
}

tamis_status Members(void* context, tamis_hash low, tamis_hash high,
                     tamis_visit visit, void* visitor, tamis_error* error) {
  std::optional<py::gil_scoped_acquire> gil;
  OrStopHere([&] { gil.emplace(); });
  const InSource in_source(Asking::current());
  try {
    const auto& source = *static_cast<const py::object*>(context);
    const py::object members =
        source.attr("members")(FromHash(low), FromHash(high));
    for (const py::handle member : py::iter(members)) {
      if (visit(visitor, ToHash(member)) == 0) break;
    }
    return TAMIS_OK;
  } catch (abi::__forced_unwind&) {
    StopHere();
  } catch (...) {
    return Failed(error);
  }
}

void Release(void* context) {
  const py::gil_scoped_acquire gil;
  delete static_cast<py::object*>(context);
}

}  // namespace

PySource::PySource(const py::object& object) {
  if (object.is_none()) return;
  if (!py::hasattr(object, "members")) {
    throw py::type_error("a key source has a method members(low, high)");
  }
  context_ = new py::object(object);
  source_ = {context_, Members, Release};
}

PySource::~PySource() { delete context_; }

void ThrowPending() {
  if (pending == nullptr) return;
  std::rethrow_exception(std::exchange(pending, nullptr));
}

void DropPending() {
  if (pending != nullptr) pending = nullptr;
}

}  // namespace tamis::python
