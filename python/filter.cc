#include "python/filter.h"

#include <functional>
#include <utility>
#include <vector>

#include "python/errors.h"
#include "python/source.h"

namespace tamis::python {
namespace {

constexpr size_t kFewKeys = 256;  // not worth letting the GIL go

// Calls call(error) without the GIL, if it is for many keys.
template <typename Call>
void CallC(size_t keys, Call call) {
  const Error error;
  tamis_status status = TAMIS_OK;
  if (keys <= kFewKeys) {
    status = call(error.get());
  } else {
    const py::gil_scoped_release without_gil;
    status = call(error.get());
  }
  error.Throw(status);
}
template <typename Call>
void CallLong(Call call) {
  CallC(kFewKeys + 1, call);
}

std::unique_ptr<SavedFilter> Saved(const tamis_filter* filter) {
  tamis_bytes* bytes = nullptr;
  CallLong([&](tamis_error* error) {
    return tamis_serialize(filter, &bytes, error);
  });
  return std::make_unique<SavedFilter>(bytes);
}

bool SaysNo(uint8_t outcome) { return outcome != TAMIS_NOT_FIXED; }

}  // namespace

py::buffer_info SavedFilter::info() const {
  // Read only: Python must not write there.
  return py::buffer_info(
      const_cast<void*>(tamis_bytes_data(bytes_.get())), 1,
      py::format_descriptor<uint8_t>::format(), 1,
      {static_cast<py::ssize_t>(tamis_bytes_size(bytes_.get()))}, {1}, true);
}

PyFilter::PyFilter(tamis_filter* filter) : filter_(filter) {
  threads_ = (tamis_get_capabilities(filter) & TAMIS_CAN_THREADS) != 0;
}

tamis_filter* PyFilter::Open() const {
  if (filter_ == nullptr) throw py::value_error("the filter is closed");
  return filter_.get();
}

std::unique_ptr<PyFilter> PyFilter::Create(const Options& options) {
  PySource source(options.source);
  tamis_options made = TAMIS_OPTIONS_INIT;
  made.spec = options.spec.c_str();
  made.keys = options.keys;
  made.fpr = options.fpr;
  made.bits_per_key = options.bits_per_key;
  made.flags = options.flags;
  made.algorithm = options.algorithm;
  made.seed = options.seed;
  made.source = source.get();
  tamis_filter* filter = nullptr;
  CallLong(
      [&](tamis_error* error) { return tamis_create(&made, &filter, error); });
  source.Keep();
  return std::unique_ptr<PyFilter>(new PyFilter(filter));
}

std::unique_ptr<PyFilter> PyFilter::Load(const std::string& path, bool map,
                                         bool check,
                                         const py::object& source_object) {
  PySource source(source_object);
  tamis_load_options options = TAMIS_LOAD_OPTIONS_INIT;
  options.flags =
      (map ? uint32_t{TAMIS_MAP} : 0) | (check ? 0 : uint32_t{TAMIS_TRUST});
  options.source = source.get();
  tamis_filter* filter = nullptr;
  CallLong([&](tamis_error* error) {
    return tamis_load(path.c_str(), &options, &filter, error);
  });
  source.Keep();
  return std::unique_ptr<PyFilter>(new PyFilter(filter));
}

std::unique_ptr<PyFilter> PyFilter::Loads(const py::object& data, bool check,
                                          const py::object& source_object) {
  const HeldBuffer buffer(data);
  PySource source(source_object);
  tamis_load_options options = TAMIS_LOAD_OPTIONS_INIT;
  options.flags = check ? 0 : uint32_t{TAMIS_TRUST};
  options.source = source.get();
  tamis_filter* filter = nullptr;
  const tamis_key bytes = buffer.key();
  CallLong([&](tamis_error* error) {
    return tamis_deserialize(bytes.data, bytes.size, &options, &filter, error);
  });
  source.Keep();
  return std::unique_ptr<PyFilter>(new PyFilter(filter));
}

std::unique_ptr<PyFilter> PyFilter::Copy() {
  const Lock lock(mutex_, Access::kRead, this);
  const tamis_filter* const filter = Open();
  tamis_filter* copy = nullptr;
  CallLong(
      [&](tamis_error* error) { return tamis_copy(filter, &copy, error); });
  return std::unique_ptr<PyFilter>(new PyFilter(copy));
}

void PyFilter::Take(PyFilter& other) {
  std::unique_ptr<tamis_filter, Free> taken;
  {
    const Lock lock(other.mutex_, Access::kWrite, &other);
    other.Open();
    taken = std::move(other.filter_);
  }
  const Lock lock(mutex_, Access::kWrite, this);
  filter_ = std::move(taken);
  threads_ = other.threads_;
}

void PyFilter::Close() {
  const Lock lock(mutex_, Access::kWrite, this);
  filter_.reset();
}

void PyFilter::Add(const py::object& object) {
  const Key key(object);
  const Lock lock(mutex_, Writing(), this);
  const Error error;
  error.Throw(tamis_insert(Open(), key.data(), key.size(), error.get()));
}

bool PyFilter::Contains(const py::object& object) {
  const Key key(object);
  const Lock lock(mutex_, Access::kRead, this);
  return tamis_may_contain(Open(), key.data(), key.size()) != 0;
}

bool PyFilter::Discard(const py::object& object) {
  const Key key(object);
  const Lock lock(mutex_, Writing(), this);
  const Asking asking(this);
  const Error error;
  const tamis_status status =
      tamis_erase(Open(), key.data(), key.size(), error.get());
  if (status == TAMIS_NOT_FOUND) return false;
  error.Throw(status);
  return true;
}

bool PyFilter::Report(const py::object& object) {
  const Key key(object);
  const Lock lock(mutex_, Writing(), this);
  const Asking asking(this);
  const Error error;
  tamis_outcome outcome = TAMIS_NOT_FIXED;
  error.Throw(
      tamis_report(Open(), key.data(), key.size(), &outcome, error.get()));
  return SaysNo(static_cast<uint8_t>(outcome));
}

bool PyFilter::ReportWith(const py::object& key, const py::object& members,
                          uint64_t num_erases) {
  const Batch batch(members);
  const tamis_hash absent = RawHash(key);
  const Lock lock(mutex_, Writing(), this);
  const Error error;
  tamis_outcome outcome = TAMIS_NOT_FIXED;
  error.Throw(tamis_report_members(Open(), absent, &batch.get(), num_erases,
                                   &outcome, error.get()));
  return SaysNo(static_cast<uint8_t>(outcome));
}

void PyFilter::AddMany(const py::object& keys, const py::object& offsets) {
  const Batch batch(keys, offsets);
  const Lock lock(mutex_, Writing(), this);
  tamis_filter* const filter = Open();
  CallC(batch.size(), [&](tamis_error* error) {
    return tamis_insert_batch(filter, &batch.get(), nullptr, error);
  });
}

py::array_t<bool> PyFilter::ContainsMany(const py::object& keys,
                                         const py::object& offsets) {
  const Batch batch(keys, offsets);
  py::array_t<bool> answers(static_cast<py::ssize_t>(batch.size()));
  auto* const results = reinterpret_cast<uint8_t*>(answers.mutable_data());
  const Lock lock(mutex_, Access::kRead, this);
  const tamis_filter* const filter = Open();
  CallC(batch.size(), [&](tamis_error* error) {
    return tamis_may_contain_batch(filter, &batch.get(), results, error);
  });
  return answers;
}

void PyFilter::DiscardMany(const py::object& keys, const py::object& offsets) {
  const Batch batch(keys, offsets);
  const Lock lock(mutex_, Writing(), this);
  const Asking asking(this);
  tamis_filter* const filter = Open();
  CallC(batch.size(), [&](tamis_error* error) {
    return tamis_erase_batch(filter, &batch.get(), nullptr, error);
  });
}

py::array_t<bool> PyFilter::ReportMany(const py::object& keys,
                                       const py::object& offsets) {
  const Batch batch(keys, offsets);
  py::array_t<bool> answers(static_cast<py::ssize_t>(batch.size()));
  auto* const outcomes = reinterpret_cast<uint8_t*>(answers.mutable_data());
  const Lock lock(mutex_, Writing(), this);
  const Asking asking(this);
  tamis_filter* const filter = Open();
  CallC(batch.size(), [&](tamis_error* error) {
    const tamis_status status =
        tamis_report_batch(filter, &batch.get(), outcomes, error);
    for (size_t i = 0; i < batch.size(); ++i) outcomes[i] = SaysNo(outcomes[i]);
    return status;
  });
  return answers;
}

tamis_hash PyFilter::RawHash(const py::object& object) {
  const Key key(object);
  const Lock lock(mutex_, Access::kRead, this);
  const Error error;
  tamis_hash hash = {0, 0};
  error.Throw(
      tamis_hash_key(Open(), key.data(), key.size(), &hash, error.get()));
  return hash;
}

py::int_ PyFilter::HashOf(const py::object& key) {
  return FromHash(RawHash(key));
}

py::object PyFilter::CollisionRange(const py::object& key) {
  const tamis_hash absent = RawHash(key);
  const Lock lock(mutex_, Access::kRead, this);
  const Error error;
  tamis_hash low = {0, 0};
  tamis_hash high = {0, 0};
  const tamis_status status =
      tamis_collision_range(Open(), absent, &low, &high, error.get());
  if (status == TAMIS_NOT_FOUND) return py::none();
  error.Throw(status);
  return py::make_tuple(FromHash(low), FromHash(high));
}

uint64_t PyFilter::NumErases(const py::object& key) {
  const tamis_hash absent = RawHash(key);
  const Lock lock(mutex_, Access::kRead, this);
  return tamis_num_erases(Open(), absent);
}

// Both locks are taken in the order of addresses, whoever merges whom.
void PyFilter::Merge(PyFilter& other) {
  if (&other == this) {
    throw py::value_error("a filter can't be merged with itself");
  }
  PyFilter& first = std::less<>()(this, &other) ? *this : other;
  PyFilter& second = &first == this ? other : *this;
  const auto access = [this](const PyFilter& one) {
    return &one == this ? Access::kWrite : Access::kRead;
  };
  const Lock lock_first(first.mutex_, access(first), &first);
  const Lock lock_second(second.mutex_, access(second), &second);
  const Asking asking(this);
  tamis_filter* const filter = Open();
  const tamis_filter* const from = other.Open();
  CallLong(
      [&](tamis_error* error) { return tamis_merge(filter, from, error); });
}

void PyFilter::Clear() {
  const Lock lock(mutex_, Access::kWrite, this);
  const Error error;
  error.Throw(tamis_clear(Open(), error.get()));
}

void PyFilter::Expand() {
  const Lock lock(mutex_, Access::kWrite, this);
  tamis_filter* const filter = Open();
  CallLong([&](tamis_error* error) { return tamis_expand(filter, error); });
}

void PyFilter::Check() {
  const Lock lock(mutex_, Access::kRead, this);
  const Asking asking(this);
  const tamis_filter* const filter = Open();
  CallLong([&](tamis_error* error) { return tamis_check(filter, error); });
}

void PyFilter::Save(const std::string& path) {
  const Lock lock(mutex_, Access::kRead, this);
  const tamis_filter* const filter = Open();
  CallLong([&](tamis_error* error) {
    return tamis_save(filter, path.c_str(), error);
  });
}

std::unique_ptr<SavedFilter> PyFilter::Serialize() {
  const Lock lock(mutex_, Access::kRead, this);
  return Saved(Open());
}

uint64_t PyFilter::size() {
  const Lock lock(mutex_, Access::kRead, this);
  tamis_stats stats = TAMIS_STATS_INIT;
  const Error error;
  error.Throw(tamis_get_stats(Open(), &stats, error.get()));
  return stats.size;
}

py::dict PyFilter::Stats() {
  const Lock lock(mutex_, Access::kRead, this);
  tamis_stats stats = TAMIS_STATS_INIT;
  const Error error;
  error.Throw(tamis_get_stats(Open(), &stats, error.get()));
  py::dict all;
  all["size"] = stats.size;
  all["capacity"] = stats.capacity;
  all["size_bits"] = stats.size_bits;
  all["side_bits"] = stats.side_bits;
  all["expected_fpr"] = stats.expected_fpr;
  const auto each = [](void* context, const char* name, double value) {
    (*static_cast<py::dict*>(context))[name] = value;
  };
  py::dict details;
  error.Throw(tamis_get_details(Open(), each, &details, error.get()));
  all["details"] = details;
  return all;
}

std::string PyFilter::Spec() {
  const Lock lock(mutex_, Access::kRead, this);
  std::string spec(tamis_get_spec(Open(), nullptr, 0), ' ');
  tamis_get_spec(Open(), spec.data(), spec.size() + 1);
  return spec;
}

uint32_t PyFilter::Capabilities() {
  const Lock lock(mutex_, Access::kRead, this);
  return tamis_get_capabilities(Open());
}

std::string PyFilter::Algorithm() {
  const Lock lock(mutex_, Access::kRead, this);
  return tamis_get_algorithm(Open()) == TAMIS_SIPHASH ? "siphash" : "xxh3";
}

py::int_ PyFilter::Seed() {
  const Lock lock(mutex_, Access::kRead, this);
  const tamis_seed seed = tamis_get_seed(Open());
  return FromHash({seed.high, seed.low});
}

}  // namespace tamis::python
