// Filters of C: made, copied, loaded, saved and freed.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "c/handles.h"
#include "tamis/load_options.h"
#include "tamis/tamis.h"

namespace tamis::c {
namespace {

using SharedSource = std::shared_ptr<CallbackSource>;

// What the first header that had them declared.
constexpr size_t kFirstOptions = sizeof(tamis_options);
constexpr size_t kFirstLoadOptions = sizeof(tamis_load_options);

constexpr uint32_t kAllFlags = TAMIS_GROWS | TAMIS_DELETES | TAMIS_ADAPTS |
                               TAMIS_THREADS | TAMIS_FIXED_SEED;

Result<Hasher> HasherOf(const tamis_options& options) {
  if (options.algorithm != TAMIS_XXH3 && options.algorithm != TAMIS_SIPHASH) {
    return Invalid("no such hash algorithm: " +
                   std::to_string(options.algorithm));
  }
  const bool fixed = (options.flags & TAMIS_FIXED_SEED) != 0;
  return Hasher(
      static_cast<HashAlgorithm>(options.algorithm),
      fixed ? Seed{options.seed.low, options.seed.high} : Seed::Random());
}

Result<Filter::Options> Translate(const tamis_options& options) {
  if ((options.flags & ~kAllFlags) != 0) {
    return Invalid("unknown flags: " +
                   std::to_string(options.flags & ~kAllFlags));
  }
  Filter::Options made{
      .keys = options.keys,
      .fpr = options.fpr,
      .bits_per_key = options.bits_per_key,
      .spec = options.spec == nullptr ? "" : options.spec,
      .grows = (options.flags & TAMIS_GROWS) != 0,
      .deletes = (options.flags & TAMIS_DELETES) != 0,
      .adapts = (options.flags & TAMIS_ADAPTS) != 0,
      .threads = (options.flags & TAMIS_THREADS) != 0,
  };
  TAMIS_ASSIGN_OR_RETURN(made.hasher, HasherOf(options));
  return made;
}

// What a failed call was given stays the caller's; this is the last step.
Status Hand(tamis_filter filter, tamis_filter** out) {
  *out = new tamis_filter(std::move(filter));
  if ((*out)->source != nullptr) (*out)->source->Own();
  return {};
}

Status Create(const tamis_options* given, tamis_filter** out) {
  TAMIS_ASSIGN_OR_RETURN(
      const tamis_options options,
      ReadSized<tamis_options>(given, TAMIS_OPTIONS_INIT, kFirstOptions));
  TAMIS_ASSIGN_OR_RETURN(Filter::Options made_with, Translate(options));
  TAMIS_ASSIGN_OR_RETURN(SharedSource source,
                         CallbackSource::Make(options.source));
  if (source != nullptr) made_with.source = *source;
  TAMIS_ASSIGN_OR_RETURN(Filter filter, Filter::Create(made_with));
  return Hand({std::move(source), std::move(made_with), std::move(filter)},
              out);
}

// Calls load(options), which makes the filter.
template <typename Load>
Status LoadWith(const tamis_load_options* given, tamis_filter** out,
                Load load) {
  tamis_load_options options = TAMIS_LOAD_OPTIONS_INIT;
  if (given != nullptr) {
    TAMIS_ASSIGN_OR_RETURN(
        options, ReadSized<tamis_load_options>(given, TAMIS_LOAD_OPTIONS_INIT,
                                               kFirstLoadOptions));
  }
  if ((options.flags & ~uint32_t{TAMIS_MAP | TAMIS_TRUST}) != 0) {
    return Invalid("unknown flags: " + std::to_string(options.flags));
  }
  TAMIS_ASSIGN_OR_RETURN(SharedSource source,
                         CallbackSource::Make(options.source));
  LoadOptions with{.check_invariants = (options.flags & TAMIS_TRUST) == 0,
                   .map = (options.flags & TAMIS_MAP) != 0};
  if (source != nullptr) with.source = *source;
  TAMIS_ASSIGN_OR_RETURN(Filter filter, load(with));
  return Hand({std::move(source), std::nullopt, std::move(filter)}, out);
}

Status Copy(const tamis_filter& from, tamis_filter** out) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                         from.filter.Serialize());
  LoadOptions options{.check_invariants = false};
  if (from.source != nullptr) options.source = *from.source;
  TAMIS_ASSIGN_OR_RETURN(Filter filter, Filter::Deserialize(bytes, options));
  return Hand({from.source, from.made_with, std::move(filter)}, out);
}

// How to make an empty one like it, if nobody remembers how it was made.
Result<Filter> MakeLike(const tamis_filter& filter) {
  CreateOptions options{
      .keys = std::max(filter.filter.any().capacity(), uint64_t{1}),
      .hasher = filter.filter.hasher()};
  if (filter.source != nullptr) options.source = *filter.source;
  TAMIS_ASSIGN_OR_RETURN(AnyFilter any,
                         AnyFilter::Create(filter.filter.spec(), options));
  return Filter(std::move(any));
}

Status Clear(tamis_filter& filter) {
  if (filter.filter.size() == 0 && !filter.made_with) return {};
  TAMIS_ASSIGN_OR_RETURN(Filter empty, filter.made_with
                                           ? Filter::Create(*filter.made_with)
                                           : MakeLike(filter));
  filter.filter = std::move(empty);
  return {};
}

}  // namespace
}  // namespace tamis::c

namespace c = tamis::c;

extern "C" {

tamis_status tamis_create(const tamis_options* options, tamis_filter** out,
                          tamis_error* error) {
  return c::Call(error, [&]() -> tamis::Status {
    TAMIS_RETURN_IF_ERROR(c::Need("out", out));
    *out = nullptr;
    return c::Create(options, out);
  });
}

tamis_status tamis_create_spec(const char* spec, uint64_t keys,
                               tamis_filter** out, tamis_error* error) {
  tamis_options options = TAMIS_OPTIONS_INIT;
  options.spec = spec == nullptr ? "" : spec;
  options.keys = keys;
  if (*options.spec != '\0') return tamis_create(&options, out, error);
  if (out != nullptr) *out = nullptr;
  return c::Tell(c::Invalid("there is no spec"), error);
}

tamis_status tamis_create_fpr(uint64_t keys, double fpr, tamis_filter** out,
                              tamis_error* error) {
  tamis_options options = TAMIS_OPTIONS_INIT;
  options.keys = keys;
  options.fpr = fpr;
  if (fpr > 0 && fpr < 1) return tamis_create(&options, out, error);
  if (out != nullptr) *out = nullptr;
  return c::Tell(c::Invalid("fpr is " + std::to_string(fpr) +
                            "; expected a rate between 0 and 1"),
                 error);
}

tamis_status tamis_create_bits(uint64_t keys, double bits_per_key,
                               tamis_filter** out, tamis_error* error) {
  tamis_options options = TAMIS_OPTIONS_INIT;
  options.keys = keys;
  options.bits_per_key = bits_per_key;
  if (bits_per_key > 0) return tamis_create(&options, out, error);
  if (out != nullptr) *out = nullptr;
  return c::Tell(c::Invalid("bits_per_key is " + std::to_string(bits_per_key) +
                            "; expected more than 0"),
                 error);
}

tamis_status tamis_copy(const tamis_filter* filter, tamis_filter** out,
                        tamis_error* error) {
  return c::Call(error, [&]() -> tamis::Status {
    TAMIS_RETURN_IF_ERROR(c::Need("out", out));
    *out = nullptr;
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    return c::Copy(*filter, out);
  });
}

tamis_status tamis_clear(tamis_filter* filter, tamis_error* error) {
  return c::Call(error, [&]() -> tamis::Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    return c::Clear(*filter);
  });
}

void tamis_filter_free(tamis_filter* filter) { delete filter; }

tamis_status tamis_save(const tamis_filter* filter, const char* path,
                        tamis_error* error) {
  return c::Call(error, [&]() -> tamis::Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter or the path", filter, path));
    return filter->filter.Save(path);
  });
}

tamis_status tamis_load(const char* path, const tamis_load_options* options,
                        tamis_filter** out, tamis_error* error) {
  return c::Call(error, [&]() -> tamis::Status {
    TAMIS_RETURN_IF_ERROR(c::Need("out", out));
    *out = nullptr;
    TAMIS_RETURN_IF_ERROR(c::Need("the path", path));
    return c::LoadWith(options, out, [&](const tamis::LoadOptions& with) {
      return tamis::Filter::Load(path, with);
    });
  });
}

tamis_status tamis_serialize(const tamis_filter* filter, tamis_bytes** out,
                             tamis_error* error) {
  return c::Call(error, [&]() -> tamis::Status {
    TAMIS_RETURN_IF_ERROR(c::Need("out", out));
    *out = nullptr;
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    TAMIS_ASSIGN_OR_RETURN(std::vector<std::byte> bytes,
                           filter->filter.Serialize());
    *out = new tamis_bytes{std::move(bytes)};
    return {};
  });
}

const void* tamis_bytes_data(const tamis_bytes* bytes) {
  return bytes == nullptr ? nullptr : bytes->bytes.data();
}

size_t tamis_bytes_size(const tamis_bytes* bytes) {
  return bytes == nullptr ? 0 : bytes->bytes.size();
}

void tamis_bytes_free(tamis_bytes* bytes) { delete bytes; }

tamis_status tamis_deserialize(const void* bytes, size_t size,
                               const tamis_load_options* options,
                               tamis_filter** out, tamis_error* error) {
  return c::Call(error, [&]() -> tamis::Status {
    TAMIS_RETURN_IF_ERROR(c::Need("out", out));
    *out = nullptr;
    TAMIS_RETURN_IF_ERROR(c::KeyOf(bytes, size).status());
    const std::span view(static_cast<const std::byte*>(bytes), size);
    return c::LoadWith(options, out, [&](const tamis::LoadOptions& with) {
      return tamis::Filter::Deserialize(view, with);
    });
  });
}

}  // extern "C"
