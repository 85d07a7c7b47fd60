// PyFilter: a filter of tamis/c.h as an object of Python.
//
// It adds three things: errors become exceptions (errors.h), the GIL is let go
// where much is to be done, and two threads in one filter wait for each other
// (lock.h).  All else is in C, or in Python (python/tamis/filter.py).
//
// Python can get hold of an object whose __init__ has failed or was never
// called.  So an object begins as a closed filter (__new__), and takes over what
// was made elsewhere.

#ifndef TAMIS_PYTHON_FILTER_H_
#define TAMIS_PYTHON_FILTER_H_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>

#include "python/errors.h"
#include "python/keys.h"
#include "python/lock.h"
#include "tamis/c.h"

namespace tamis::python {

// Serialized filters, as a buffer that Python can read without a copy.
class SavedFilter {
 public:
  explicit SavedFilter(tamis_bytes* bytes) : bytes_(bytes) {}
  py::buffer_info info() const;

 private:
  struct Free {
    void operator()(tamis_bytes* bytes) const { tamis_bytes_free(bytes); }
  };
  std::unique_ptr<tamis_bytes, Free> bytes_;
};

class PyFilter {
 public:
  struct Options {
    std::string spec;
    uint64_t keys = 0;
    double fpr = 0;
    double bits_per_key = 0;
    uint32_t flags = 0;
    uint32_t algorithm = TAMIS_XXH3;
    tamis_seed seed = {0, 0};
    py::object source = py::none();
  };
  PyFilter() = default;  // closed
  static std::unique_ptr<PyFilter> Create(const Options& options);
  static std::unique_ptr<PyFilter> Load(const std::string& path, bool map,
                                        bool check, const py::object& source);
  static std::unique_ptr<PyFilter> Loads(const py::object& data, bool check,
                                         const py::object& source);
  std::unique_ptr<PyFilter> Copy();
  // Has what `other` had from now on, which is closed then.
  void Take(PyFilter& other);
  void Close();
  bool closed() const { return filter_ == nullptr; }

  void Add(const py::object& key);
  bool Contains(const py::object& key);
  // False if the filter says that it is not there.
  bool Discard(const py::object& key);
  bool Report(const py::object& key);
  bool ReportWith(const py::object& key, const py::object& members,
                  uint64_t num_erases);

  void AddMany(const py::object& keys, const py::object& offsets);
  py::array_t<bool> ContainsMany(const py::object& keys,
                                 const py::object& offsets);
  void DiscardMany(const py::object& keys, const py::object& offsets);
  py::array_t<bool> ReportMany(const py::object& keys,
                               const py::object& offsets);

  py::int_ HashOf(const py::object& key);
  py::object CollisionRange(const py::object& key);
  uint64_t NumErases(const py::object& key);

  void Merge(PyFilter& other);
  void Clear();
  void Expand();
  void Check();
  void Save(const std::string& path);
  std::unique_ptr<SavedFilter> Serialize();

  uint64_t size();
  py::dict Stats();
  std::string Spec();
  uint32_t Capabilities();
  std::string Algorithm();
  py::int_ Seed();

 private:
  struct Free {
    void operator()(tamis_filter* filter) const { tamis_filter_free(filter); }
  };

  using Handle = std::unique_ptr<tamis_filter, Free>;

  explicit PyFilter(tamis_filter* filter);
  tamis_filter* Open() const;  // throws ValueError if it is closed
  Access Writing() const { return threads_ ? Access::kRead : Access::kWrite; }
  template <typename Call>
  tamis_status Ask(Access access, size_t keys, const Error& error, Call call);
  template <typename Call>
  void Use(Access access, size_t keys, Call call);
  template <typename Get>
  auto Read(Get get);
  tamis_hash RawHash(const py::object& key);
  tamis_status MergeLocked(PyFilter& other, const Error& error);

  Handle filter_;
  std::shared_mutex mutex_;
  bool threads_ = false;
};

}  // namespace tamis::python

#endif  // TAMIS_PYTHON_FILTER_H_
