// Filters of C: described.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "c/handles.h"
#include "tamis/tamis.h"

namespace tamis::c {
namespace {

// What the first header that had it declared.
constexpr size_t kFirstStats = sizeof(tamis_stats);

uint32_t Flags(const Filter& filter) {
  const Capabilities can = filter.capabilities();
  uint32_t flags = 0;
  const auto add = [&](bool has, uint32_t flag) { flags |= has ? flag : 0; };
  add(can.erase, TAMIS_CAN_ERASE);
  add(can.adapt, TAMIS_CAN_ADAPT);
  add(can.knows_members, TAMIS_KNOWS_MEMBERS);
  add(can.adapt_with_members, TAMIS_CAN_ADAPT_WITH_MEMBERS);
  add(can.expand, TAMIS_CAN_EXPAND);
  add(can.merge, TAMIS_CAN_MERGE);
  add(HasThreads(filter), TAMIS_CAN_THREADS);
  return flags;
}

Status GetStats(const Filter& filter, tamis_stats* out) {
  const FilterStats stats = filter.stats();
  const tamis_stats all = {out->struct_size, stats.size,
                           stats.capacity,   stats.size_bits,
                           stats.side_bits,  stats.expected_fpr};
  std::memcpy(out, &all, std::min(out->struct_size, sizeof(all)));
  return {};
}

}  // namespace
}  // namespace tamis::c

namespace c = tamis::c;
using tamis::Status;

extern "C" {

tamis_status tamis_get_stats(const tamis_filter* filter, tamis_stats* out,
                             tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter or out", filter, out));
    if (out->struct_size < c::kFirstStats) {
      return c::Invalid("struct_size is " + std::to_string(out->struct_size) +
                        ": fill the struct by its _INIT");
    }
    return c::GetStats(filter->filter, out);
  });
}

tamis_status tamis_get_details(const tamis_filter* filter,
                               void (*each)(void* context, const char* name,
                                            double value),
                               void* context, tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    if (each == nullptr) return c::Invalid("NULL given for a function");
    for (const auto& [name, value] : filter->filter.stats().details) {
      each(context, name.c_str(), value);
    }
    return {};
  });
}

size_t tamis_get_spec(const tamis_filter* filter, char* text, size_t size) {
  std::string spec;
  const tamis_status status = c::Call(nullptr, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    spec = filter->filter.spec().ToString();
    return {};
  });
  if (status != TAMIS_OK) spec.clear();
  if (text != nullptr && size > 0) {
    const size_t length = std::min(size - 1, spec.size());
    spec.copy(text, length);
    text[length] = '\0';
  }
  return spec.size();
}

uint32_t tamis_get_capabilities(const tamis_filter* filter) {
  uint32_t flags = 0;
  const tamis_status status = c::Call(nullptr, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    flags = c::Flags(filter->filter);
    return {};
  });
  return status == TAMIS_OK ? flags : 0;
}

tamis_algorithm tamis_get_algorithm(const tamis_filter* filter) {
  return filter != nullptr && filter->filter.hasher().algorithm() ==
                                  tamis::HashAlgorithm::kSipHash
             ? TAMIS_SIPHASH
             : TAMIS_XXH3;
}

tamis_seed tamis_get_seed(const tamis_filter* filter) {
  if (filter == nullptr) return {0, 0};
  const tamis::Seed seed = filter->filter.hasher().seed();
  return {seed.low, seed.high};
}

}  // extern "C"
