// Keys and batches of Python, as tamis/c.h takes them.
//
//   bytes, bytearray, memoryview   their bytes
//   str                            UTF-8
//   int, NumPy's integers          8 little-endian bytes; OverflowError outside
//                                  of 0 <= n < 2^64
//   bool and all else              TypeError
//
// Both borrow: the memory is that of the Python objects, which they keep.

#ifndef TAMIS_PYTHON_KEYS_H_
#define TAMIS_PYTHON_KEYS_H_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tamis/c.h"

namespace tamis::python {

namespace py = pybind11;

// An exported buffer, as long as it lives.
class HeldBuffer {
 public:
  explicit HeldBuffer(py::handle object);  // throws what Python says
  ~HeldBuffer() { PyBuffer_Release(&view_); }
  HeldBuffer(const HeldBuffer&) = delete;
  HeldBuffer& operator=(const HeldBuffer&) = delete;

  tamis_key key() const { return {view_.buf, static_cast<size_t>(view_.len)}; }

 private:
  Py_buffer view_;
};

// One key.
class Key {
 public:
  explicit Key(py::handle object);  // throws TypeError or OverflowError

  const void* data() const { return is_integer_ ? integer_.data() : key_.data; }
  size_t size() const { return is_integer_ ? integer_.size() : key_.size; }

 private:
  tamis_key key_ = {nullptr, 0};
  std::array<unsigned char, 8> integer_ = {};
  bool is_integer_ = false;
  std::unique_ptr<HeldBuffer> buffer_;
};

// Many keys: a NumPy array of integers or of type S, or any iterable of keys;
// with offsets, the bytes that these divide (as in Arrow).
class Batch {
 public:
  explicit Batch(const py::object& keys,
                 const py::object& offsets = py::none());

  const tamis_batch& get() const { return batch_; }
  size_t size() const { return batch_.count; }

 private:
  void TakeArray(const py::array& keys);
  void TakeIntegers(const py::array& keys);
  void TakeBytes(const py::array& keys);
  void TakeIterable(const py::object& keys);
  void TakeAllIntegers();
  void TakeOffsets(const py::object& data, const py::object& offsets);

  tamis_batch batch_ = {TAMIS_U64S, 0, nullptr, 0, 0, nullptr};
  py::object kept_;  // what the batch points into
  py::array offsets_;
  std::vector<uint64_t> integers_;
  std::vector<Key> keys_;
  std::vector<tamis_key> pointers_;
  std::unique_ptr<HeldBuffer> buffer_;
};

// A hash as a Python integer of 128 bits, and the reverse, from an integer or
// from 16 bytes, the high ones first.
py::int_ FromHash(tamis_hash hash);
tamis_hash ToHash(py::handle object);

}  // namespace tamis::python

#endif  // TAMIS_PYTHON_KEYS_H_
