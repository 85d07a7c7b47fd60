// The module tamis._core: FilterBase, which tamis.Filter (filter.py) is made of.

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "python/filter.h"
#include "python/keys.h"
#include "tamis/c.h"

namespace tamis::python {
namespace {

constexpr const char* kAdd = R"(Add a key.

>>> f = Filter(keys=100)
>>> f.add("alice")
>>> "alice" in f
True

A key that is added twice counts twice, and must be discarded twice.
Raises FullError if there is no room; a filter made with grows=True has.

Thread safety: waits while other threads use the filter.
)";
constexpr const char* kContains = R"(Say whether a key may be in the set.

False is certain.  True is wrong for a small share of absent keys.

Thread safety: any number of threads may ask at the same time.
)";
constexpr const char* kDiscard =
    R"(Remove one occurrence of a key that is in the set.

>>> f = Filter(keys=100, deletes=True)
>>> f.add(7)
>>> f.discard(7)
>>> 7 in f
False

Like set.discard, it does nothing if the key is not there.  But only a filter
that knows its members ("knows_members" in capabilities) is sure of that.  From
any other, discard only what you know to be in the set: an absent key that the
filter mistakes for a member would take that member away.

Thread safety: waits while other threads use the filter.
)";
constexpr const char* kAddMany = R"(Add many keys.

Takes a NumPy array of integers or of type S, a list (or any iterable) of keys,
or bytes that `offsets` divide, as Arrow has them.

>>> f = Filter(keys=100)
>>> f.add_many(["a", b"b", 3])
>>> f.add_many(b"onetwo", offsets=[0, 3, 6])
>>> b"two" in f
True

Zeros at the end of a key in an S array are lost, as NumPy does.  If the filter
gets full, the keys before the one that did not fit have been added.

Thread safety: waits while other threads use the filter, without the GIL.
)";
constexpr const char* kContainsMany =
    R"(Say for many keys whether they may be in the set.

>>> f = Filter.from_keys([1, 2, 3], fpr=0.0001)
>>> f.contains_many([3, 4])
array([ True, False])

Takes what add_many takes; several times as fast as asking one by one.

Thread safety: any number of threads may ask at the same time, without the GIL.
)";
constexpr const char* kDiscardMany = R"(Remove many keys that are in the set.

Raises NotFoundError at the first that is not there; those before it are
removed.  See discard for what only members mean.

>>> f = Filter(keys=100, deletes=True)
>>> f.add_many([1, 2, 3])
>>> f.discard_many([1, 2])
>>> len(f)
1

Thread safety: waits while other threads use the filter, without the GIL.
)";
constexpr const char* kHashOf =
    R"(Return the hash of a key, an integer of 128 bits.

It orders key sources and ranges.  It depends on the filter's seed.

>>> f = Filter(keys=100, seed=1)
>>> f.hash_of(42) == f.hash_of((42).to_bytes(8, "little"))
True

Thread safety: any number of threads may ask at the same time.
)";

void DefineMethods(py::class_<PyFilter>& type) {
  using py::arg;
  const py::arg_v offsets = arg("offsets") = py::none();
  type.def("add", &PyFilter::Add, arg("key"), kAdd)
      .def("__contains__", &PyFilter::Contains, arg("key"), kContains)
      .def(
          "discard",
          [](PyFilter& self, const py::object& key) { self.Discard(key); },
          arg("key"), kDiscard)
      .def("add_many", &PyFilter::AddMany, arg("keys"), py::kw_only(), offsets,
           kAddMany)
      .def("contains_many", &PyFilter::ContainsMany, arg("keys"), py::kw_only(),
           offsets, kContainsMany)
      .def("discard_many", &PyFilter::DiscardMany, arg("keys"), py::kw_only(),
           offsets, kDiscardMany)
      .def("hash_of", &PyFilter::HashOf, arg("key"), kHashOf)
      .def("_discard", &PyFilter::Discard, arg("key"))
      .def("_report", &PyFilter::Report, arg("key"))
      .def("_report_with", &PyFilter::ReportWith, arg("key"), arg("members"),
           arg("erases"))
      .def("_report_many", &PyFilter::ReportMany, arg("keys"), arg("offsets"))
      .def("_collision_range", &PyFilter::CollisionRange, arg("key"))
      .def("_num_erases", &PyFilter::NumErases, arg("key"))
      .def("_copy", &PyFilter::Copy)
      .def("_close", &PyFilter::Close)
      .def("_closed", &PyFilter::closed)
      .def("_merge", &PyFilter::Merge, arg("other"))
      .def("_clear", &PyFilter::Clear)
      .def("_expand", &PyFilter::Expand)
      .def("_check", &PyFilter::Check)
      .def("_save", &PyFilter::Save, arg("path"))
      .def("_serialize", &PyFilter::Serialize)
      .def("_size", &PyFilter::size)
      .def("_stats", &PyFilter::Stats)
      .def("_spec", &PyFilter::Spec)
      .def("_capabilities", &PyFilter::Capabilities)
      .def("_algorithm", &PyFilter::Algorithm)
      .def("_seed", &PyFilter::Seed);
}

// An object that pybind11 has made, but whose __init__ was never called, has no
// filter at all.  So __new__ calls it: every object has one, if a closed one.
void DefineNew(py::class_<PyFilter>& type) {
  const newfunc make = reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new;
  const py::handle base = type;
  type.def(py::init<>());
  const auto make_closed = [make, base](const py::type& wanted,
                                        const py::args& /*unused*/,
                                        const py::kwargs& /*unused*/) {
    auto* const kind = reinterpret_cast<PyTypeObject*>(wanted.ptr());
    auto* const least = reinterpret_cast<PyTypeObject*>(base.ptr());
    if (PyType_IsSubtype(kind, least) == 0) {
      throw py::type_error("not a type of filters");
    }
    auto self = py::reinterpret_steal<py::object>(
        make(kind, py::tuple().ptr(), nullptr));
    if (!self) throw py::error_already_set();
    base.attr("__init__")(self);
    return self;
  };
  type.def_static("__new__", make_closed);
}

void DefineFilter(py::module_& module) {
  using py::arg;
  py::class_<PyFilter> type(module, "FilterBase");
  DefineNew(type);
  type.def("_take", &PyFilter::Take, arg("other"));
  DefineMethods(type);
  module.def(
      "create",
      [](const std::string& spec, uint64_t keys, double fpr,
         double bits_per_key, uint32_t flags, uint32_t algorithm,
         const py::int_& seed, const py::object& source) {
        const tamis_hash halves = ToHash(seed);
        return PyFilter::Create({.spec = spec,
                                 .keys = keys,
                                 .fpr = fpr,
                                 .bits_per_key = bits_per_key,
                                 .flags = flags,
                                 .algorithm = algorithm,
                                 .seed = {halves.low, halves.high},
                                 .source = source});
      },
      arg("spec"), arg("keys"), arg("fpr"), arg("bits_per_key"), arg("flags"),
      arg("algorithm"), arg("seed"), arg("source"));
  module.def("load", &PyFilter::Load, arg("path"), arg("map"), arg("check"),
             arg("source"));
  module.def("loads", &PyFilter::Loads, arg("data"), arg("check"),
             arg("source"));
}

}  // namespace
}  // namespace tamis::python

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using tamis::python::SavedFilter;
  py::options options;
  options.disable_function_signatures();
  py::class_<SavedFilter>(module, "SavedFilter", py::buffer_protocol())
      .def_buffer([](SavedFilter& saved) { return saved.info(); })
      .def_static("__new__", [](const py::args&, const py::kwargs&) -> bool {
        throw py::type_error("only a filter makes a SavedFilter");
      });
  tamis::python::DefineFilter(module);
  module.def("version", [] { return tamis_version(); });
}
