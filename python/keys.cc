#include "python/keys.h"

#include <string>
#include <utility>

namespace tamis::python {
namespace {

std::string TypeName(py::handle object) {
  return Py_TYPE(object.ptr())->tp_name;
}

[[noreturn]] void RefuseKey(py::handle object) {
  throw py::type_error("a key is bytes, str, int or memoryview, not " +
                       TypeName(object));
}

uint64_t IntegerOf(py::handle object) {
  const auto index =
      py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  if (!index) throw py::error_already_set();
  const unsigned long long value = PyLong_AsUnsignedLongLong(index.ptr());
  if (PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) {
      throw py::error_already_set();
    }
    PyErr_Clear();
    PyErr_SetString(PyExc_OverflowError,
                    "an integer key n must be 0 <= n < 2**64");
    throw py::error_already_set();
  }
  return value;
}

bool IsInteger(py::handle object) {
  if (PyBool_Check(object.ptr())) return false;
  if (PyLong_Check(object.ptr())) return true;
  // NumPy's scalars: its bool_ refuses to be an index, but says so late.
  return PyIndex_Check(object.ptr()) != 0 &&
         TypeName(object).find("bool") == std::string::npos;
}

std::array<unsigned char, 8> LittleEndian(uint64_t value) {
  std::array<unsigned char, 8> bytes = {};
  for (unsigned char& byte : bytes) {
    byte = static_cast<unsigned char>(value);
    value >>= 8;
  }
  return bytes;
}

tamis_key BytesOf(py::handle object) {
  return {PyBytes_AS_STRING(object.ptr()),
          static_cast<size_t>(PyBytes_GET_SIZE(object.ptr()))};
}

tamis_key Utf8Of(py::handle object) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (text == nullptr) throw py::error_already_set();
  return {text, static_cast<size_t>(size)};
}

void RequireOneDimension(const py::array& array) {
  if (array.ndim() == 1) return;
  throw py::value_error("an array of keys has one dimension, not " +
                        std::to_string(array.ndim()));
}

}  // namespace

HeldBuffer::HeldBuffer(py::handle object) {
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) {
    throw py::error_already_set();
  }
}

Key::Key(py::handle object) {
  if (PyUnicode_Check(object.ptr())) {
    key_ = Utf8Of(object);
  } else if (PyBytes_Check(object.ptr())) {
    key_ = BytesOf(object);
  } else if (PyByteArray_Check(object.ptr()) ||
             PyMemoryView_Check(object.ptr())) {
    buffer_ = std::make_unique<HeldBuffer>(object);
    key_ = buffer_->key();
  } else if (IsInteger(object)) {
    integer_ = LittleEndian(IntegerOf(object));
    is_integer_ = true;
  } else {
    RefuseKey(object);
  }
}

Batch::Batch(const py::object& keys, const py::object& offsets) {
  if (!offsets.is_none()) {
    TakeOffsets(keys, offsets);
  } else if (py::isinstance<py::array>(keys)) {
    TakeArray(py::reinterpret_borrow<py::array>(keys));
  } else {
    TakeIterable(keys);
  }
}

void Batch::TakeArray(const py::array& keys) {
  RequireOneDimension(keys);
  switch (keys.dtype().kind()) {
    case 'u':
    case 'i':
      return TakeIntegers(keys);
    case 'S':
      return TakeBytes(keys);
    case 'U':
    case 'O':
      return TakeIterable(keys.attr("tolist")());
    default:
      throw py::type_error(
          "an array of keys has integers, bytes or strings, not " +
          std::string(py::str(keys.dtype())));
  }
}

void Batch::TakeIntegers(const py::array& keys) {
  if (keys.dtype().kind() == 'i' && keys.size() > 0 &&
      py::cast<bool>(keys.attr("min")().attr("__lt__")(0))) {
    PyErr_SetString(PyExc_OverflowError,
                    "an integer key n must be 0 <= n < 2**64");
    throw py::error_already_set();
  }
  // The same memory, if it is what it should be; else a copy.
  const auto integers =
      py::array_t<uint64_t, py::array::c_style | py::array::forcecast>::ensure(
          keys);
  if (!integers) throw py::error_already_set();
  kept_ = integers;
  const auto count = static_cast<size_t>(integers.size());
  batch_ = tamis_u64s(integers.data(), count);
  if (reinterpret_cast<uintptr_t>(batch_.data) % alignof(uint64_t) == 0) return;
  kept_ = integers.attr("copy")();
  batch_.data = py::reinterpret_borrow<py::array>(kept_).data();
}

void Batch::TakeBytes(const py::array& keys) {
  const auto rows = py::array::ensure(keys, py::array::c_style);
  if (!rows) throw py::error_already_set();
  kept_ = rows;
  batch_.layout = TAMIS_PADDED;
  batch_.count = static_cast<size_t>(rows.size());
  batch_.data = rows.data();
  batch_.data_bytes = static_cast<size_t>(rows.nbytes());
  batch_.width = static_cast<size_t>(rows.itemsize());
}

void Batch::TakeIterable(const py::object& keys) {
  if (PyUnicode_Check(keys.ptr()) || PyBytes_Check(keys.ptr()) ||
      PyByteArray_Check(keys.ptr()) || PyMemoryView_Check(keys.ptr())) {
    throw py::type_error("expected many keys, and " + TypeName(keys) +
                         " is one; give a list of keys, or offsets");
  }
  // A tuple of our own: nobody can take keys out of it while the GIL is away.
  kept_ = py::reinterpret_steal<py::object>(PySequence_Tuple(keys.ptr()));
  if (!kept_) throw py::error_already_set();
  const auto all = py::reinterpret_borrow<py::tuple>(kept_);
  bool only_integers = all.size() > 0;
  for (const py::handle key : all) {
    only_integers = only_integers && PyLong_CheckExact(key.ptr()) != 0;
  }
  if (only_integers) return TakeAllIntegers();
  keys_.reserve(all.size());
  pointers_.reserve(all.size());
  for (const py::handle key : all) {
    keys_.emplace_back(key);
    pointers_.push_back({keys_.back().data(), keys_.back().size()});
  }
  batch_ = tamis_keys(pointers_.data(), pointers_.size());
}

void Batch::TakeAllIntegers() {
  const auto all = py::reinterpret_borrow<py::tuple>(kept_);
  integers_.reserve(all.size());
  for (const py::handle key : all) integers_.push_back(IntegerOf(key));
  batch_ = tamis_u64s(integers_.data(), integers_.size());
}

void Batch::TakeOffsets(const py::object& data, const py::object& offsets) {
  buffer_ = std::make_unique<HeldBuffer>(data);
  offsets_ = py::array::ensure(offsets, py::array::c_style);
  if (!offsets_) throw py::error_already_set();
  RequireOneDimension(offsets_);
  const char kind = offsets_.dtype().kind();
  if (kind != 'i' && kind != 'u') {
    throw py::type_error("offsets are integers, not " +
                         std::string(py::str(offsets_.dtype())));
  }
  if (offsets_.size() == 0) throw py::value_error("there are no offsets");
  // As they are, if they are Arrow's; else as 64 bits.
  if (!offsets_.dtype().is(py::dtype::of<int32_t>())) {
    offsets_ =
        py::array_t<int64_t, py::array::c_style | py::array::forcecast>::ensure(
            offsets_);
  }
  if (!offsets_) throw py::error_already_set();
  // A copy of our own: nobody can change it between the check and its use.
  offsets_ = offsets_.attr("copy")();
  const bool narrow = offsets_.itemsize() == 4;
  batch_.layout = narrow ? TAMIS_OFFSETS32 : TAMIS_OFFSETS64;
  batch_.count = static_cast<size_t>(offsets_.size()) - 1;
  batch_.data = buffer_->key().data;
  batch_.data_bytes = buffer_->key().size;
  batch_.offsets = offsets_.data();
}

py::int_ FromHash(tamis_hash hash) {
  std::array<unsigned char, 16> bytes = {};
  for (size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<unsigned char>(hash.low >> (8 * i));
    bytes[8 + i] = static_cast<unsigned char>(hash.high >> (8 * i));
  }
  return py::reinterpret_steal<py::int_>(
      _PyLong_FromByteArray(bytes.data(), bytes.size(), 1, 0));
}

tamis_hash ToHash(py::handle object) {
  std::array<unsigned char, 16> bytes = {};
  if (PyBytes_Check(object.ptr())) {
    if (PyBytes_GET_SIZE(object.ptr()) != 16) {
      throw py::value_error("a hash has 16 bytes, not " +
                            std::to_string(PyBytes_GET_SIZE(object.ptr())));
    }
    const char* given = PyBytes_AS_STRING(object.ptr());
    for (size_t i = 0; i < 16; ++i) {
      bytes[15 - i] = static_cast<unsigned char>(given[i]);
    }
  } else if (PyLong_Check(object.ptr()) && !PyBool_Check(object.ptr())) {
    auto* number = reinterpret_cast<PyLongObject*>(object.ptr());
    if (_PyLong_AsByteArray(number, bytes.data(), bytes.size(), 1, 0) != 0) {
      throw py::error_already_set();  // OverflowError
    }
  } else {
    throw py::type_error("a hash is an int or 16 bytes, not " +
                         TypeName(object));
  }
  tamis_hash hash = {0, 0};
  for (size_t i = 8; i-- > 0;) {
    hash.low = (hash.low << 8) | bytes[i];
    hash.high = (hash.high << 8) | bytes[8 + i];
  }
  return hash;
}

}  // namespace tamis::python
