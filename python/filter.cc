#include "python/filter.h"

#include <functional>
#include <utility>
#include <vector>

#include "python/errors.h"
#include "python/source.h"

namespace tamis::python {
namespace {

constexpr size_t kFewKeys = 256;  // not worth letting the GIL go
constexpr size_t kLong = kFewKeys + 1;

// Calls call(error) without the GIL, if it is for many keys.
template <typename Call>
tamis_status CallC(size_t keys, const Error& error, Call call) {
  if (keys <= kFewKeys) return call(error.get());
  const WithoutGil without_gil;
  return call(error.get());
}
template <typename Call>
void CallLong(Call call) {
  const Error error;
  error.Throw(CallC(kLong, error, call));
}

bool SaysNo(uint8_t outcome) { return outcome != TAMIS_NOT_FIXED; }

// Whether it was there; throws what else went wrong.
bool Found(tamis_status status, const Error& error) {
  error.Throw(status == TAMIS_NOT_FOUND ? TAMIS_OK : status);
  return status != TAMIS_NOT_FOUND;
}

using Details = std::vector<std::pair<std::string, double>>;
void AddDetail(void* details, const char* name, double value) {
  static_cast<Details*>(details)->emplace_back(name, value);
}

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

// Calls call(filter, error) with the lock in hand.  What it says is told
// afterwards: making an exception runs Python, which may come back here (L3).
template <typename Call>
tamis_status PyFilter::Ask(Access access, size_t keys, const Error& error,
                           Call call) {
  const Lock lock(mutex_, access, this);
  const Asking asking(this);
  tamis_filter* const filter = Open();
  return CallC(keys, error,
               [&](tamis_error* told) { return call(filter, told); });
}
template <typename Call>
void PyFilter::Use(Access access, size_t keys, Call call) {
  const Error error;
  error.Throw(Ask(access, keys, error, call));
}
// What can't fail.
template <typename Get>
auto PyFilter::Read(Get get) {
  const Lock lock(mutex_, Access::kRead, this);
  return get(Open());
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
  tamis_filter* copy = nullptr;
  Use(Access::kRead, kLong,
      [&](const tamis_filter* filter, tamis_error* error) {
        return tamis_copy(filter, &copy, error);
      });
  return std::unique_ptr<PyFilter>(new PyFilter(copy));
}

// Freed without the lock: a source that goes with it runs Python (L3).
void PyFilter::Take(PyFilter& other) {
  Handle taken;
  bool threads = false;
  {
    const Lock lock(other.mutex_, Access::kWrite, &other);
    other.Open();
    taken = std::move(other.filter_);
    threads = other.threads_;
  }
  const Lock lock(mutex_, Access::kWrite, this);
  std::swap(filter_, taken);
  threads_ = threads;
}

void PyFilter::Close() {
  Handle freed;
  const Lock lock(mutex_, Access::kWrite, this);
  std::swap(filter_, freed);
}

void PyFilter::Add(const py::object& object) {
  const Key key(object);
  Use(Writing(), 1, [&](tamis_filter* filter, tamis_error* error) {
    return tamis_insert(filter, key.data(), key.size(), error);
  });
}

bool PyFilter::Contains(const py::object& object) {
  const Key key(object);
  return Read([&](const tamis_filter* filter) {
    return tamis_may_contain(filter, key.data(), key.size()) != 0;
  });
}

bool PyFilter::Discard(const py::object& object) {
  const Key key(object);
  const Error error;
  const tamis_status status =
      Ask(Writing(), 1, error, [&](tamis_filter* filter, tamis_error* told) {
        return tamis_erase(filter, key.data(), key.size(), told);
      });
  return Found(status, error);
}

bool PyFilter::Report(const py::object& object) {
  const Key key(object);
  tamis_outcome outcome = TAMIS_NOT_FIXED;
  Use(Writing(), 1, [&](tamis_filter* filter, tamis_error* error) {
    return tamis_report(filter, key.data(), key.size(), &outcome, error);
  });
  return SaysNo(static_cast<uint8_t>(outcome));
}

bool PyFilter::ReportWith(const py::object& key, const py::object& members,
                          uint64_t num_erases) {
  const Batch batch(members);
  const tamis_hash absent = RawHash(key);
  tamis_outcome outcome = TAMIS_NOT_FIXED;
  Use(Writing(), batch.size(), [&](tamis_filter* filter, tamis_error* error) {
    return tamis_report_members(filter, absent, &batch.get(), num_erases,
                                &outcome, error);
  });
  return SaysNo(static_cast<uint8_t>(outcome));
}

void PyFilter::AddMany(const py::object& keys, const py::object& offsets) {
  const Batch batch(keys, offsets);
  Use(Writing(), batch.size(), [&](tamis_filter* filter, tamis_error* error) {
    return tamis_insert_batch(filter, &batch.get(), nullptr, error);
  });
}

py::array_t<bool> PyFilter::ContainsMany(const py::object& keys,
                                         const py::object& offsets) {
  const Batch batch(keys, offsets);
  py::array_t<bool> answers(static_cast<py::ssize_t>(batch.size()));
  auto* const results = reinterpret_cast<uint8_t*>(answers.mutable_data());
  Use(Access::kRead, batch.size(),
      [&](const tamis_filter* filter, tamis_error* error) {
        return tamis_may_contain_batch(filter, &batch.get(), results, error);
      });
  return answers;
}

void PyFilter::DiscardMany(const py::object& keys, const py::object& offsets) {
  const Batch batch(keys, offsets);
  Use(Writing(), batch.size(), [&](tamis_filter* filter, tamis_error* error) {
    return tamis_erase_batch(filter, &batch.get(), nullptr, error);
  });
}

py::array_t<bool> PyFilter::ReportMany(const py::object& keys,
                                       const py::object& offsets) {
  const Batch batch(keys, offsets);
  py::array_t<bool> answers(static_cast<py::ssize_t>(batch.size()));
  auto* const outcomes = reinterpret_cast<uint8_t*>(answers.mutable_data());
  Use(Writing(), batch.size(), [&](tamis_filter* filter, tamis_error* error) {
    const tamis_status status =
        tamis_report_batch(filter, &batch.get(), outcomes, error);
    for (size_t i = 0; i < batch.size(); ++i) outcomes[i] = SaysNo(outcomes[i]);
    return status;
  });
  return answers;
}

tamis_hash PyFilter::RawHash(const py::object& object) {
  const Key key(object);
  tamis_hash hash = {0, 0};
  Use(Access::kRead, 1, [&](const tamis_filter* filter, tamis_error* error) {
    return tamis_hash_key(filter, key.data(), key.size(), &hash, error);
  });
  return hash;
}

py::int_ PyFilter::HashOf(const py::object& key) {
  return FromHash(RawHash(key));
}

py::object PyFilter::CollisionRange(const py::object& key) {
  const tamis_hash absent = RawHash(key);
  const Error error;
  tamis_hash low = {0, 0};
  tamis_hash high = {0, 0};
  const tamis_status status =
      Ask(Access::kRead, 1, error,
          [&](const tamis_filter* filter, tamis_error* told) {
            return tamis_collision_range(filter, absent, &low, &high, told);
          });
  if (!Found(status, error)) return py::none();
  return py::make_tuple(FromHash(low), FromHash(high));
}

uint64_t PyFilter::NumErases(const py::object& key) {
  const tamis_hash absent = RawHash(key);
  return Read([&](const tamis_filter* filter) {
    return tamis_num_erases(filter, absent);
  });
}

// Both locks are taken in the order of addresses, whoever merges whom.
void PyFilter::Merge(PyFilter& other) {
  if (&other == this) {
    throw py::value_error("a filter can't be merged with itself");
  }
  const Error error;
  error.Throw(MergeLocked(other, error));
}

tamis_status PyFilter::MergeLocked(PyFilter& other, const Error& error) {
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
  return CallC(kLong, error, [&](tamis_error* told) {
    return tamis_merge(filter, from, told);
  });
}

void PyFilter::Clear() {
  Use(Access::kWrite, kLong, [](tamis_filter* filter, tamis_error* error) {
    return tamis_clear(filter, error);
  });
}

void PyFilter::Expand() {
  Use(Access::kWrite, kLong, [](tamis_filter* filter, tamis_error* error) {
    return tamis_expand(filter, error);
  });
}

void PyFilter::Check() {
  Use(Access::kRead, kLong, [](const tamis_filter* filter, tamis_error* error) {
    return tamis_check(filter, error);
  });
}

void PyFilter::Save(const std::string& path) {
  Use(Access::kRead, kLong,
      [&](const tamis_filter* filter, tamis_error* error) {
        return tamis_save(filter, path.c_str(), error);
      });
}

std::unique_ptr<SavedFilter> PyFilter::Serialize() {
  tamis_bytes* bytes = nullptr;
  Use(Access::kRead, kLong,
      [&](const tamis_filter* filter, tamis_error* error) {
        return tamis_serialize(filter, &bytes, error);
      });
  return std::make_unique<SavedFilter>(bytes);
}

uint64_t PyFilter::size() {
  tamis_stats stats = TAMIS_STATS_INIT;
  Use(Access::kRead, 1, [&](const tamis_filter* filter, tamis_error* error) {
    return tamis_get_stats(filter, &stats, error);
  });
  return stats.size;
}

py::dict PyFilter::Stats() {
  tamis_stats stats = TAMIS_STATS_INIT;
  Details details;
  Use(Access::kRead, 1, [&](const tamis_filter* filter, tamis_error* error) {
    const tamis_status status = tamis_get_stats(filter, &stats, error);
    if (status != TAMIS_OK) return status;
    return tamis_get_details(filter, AddDetail, &details, error);
  });
  py::dict all;
  all["size"] = stats.size;
  all["capacity"] = stats.capacity;
  all["size_bits"] = stats.size_bits;
  all["side_bits"] = stats.side_bits;
  all["expected_fpr"] = stats.expected_fpr;
  py::dict more;
  for (const auto& [name, value] : details) more[name.c_str()] = value;
  all["details"] = more;
  return all;
}

std::string PyFilter::Spec() {
  return Read([](const tamis_filter* filter) {
    std::string spec(tamis_get_spec(filter, nullptr, 0), ' ');
    tamis_get_spec(filter, spec.data(), spec.size() + 1);
    return spec;
  });
}

uint32_t PyFilter::Capabilities() { return Read(tamis_get_capabilities); }

std::string PyFilter::Algorithm() {
  return Read(tamis_get_algorithm) == TAMIS_SIPHASH ? "siphash" : "xxh3";
}

py::int_ PyFilter::Seed() {
  const tamis_seed seed = Read(tamis_get_seed);
  return FromHash({seed.high, seed.low});
}

}  // namespace tamis::python
