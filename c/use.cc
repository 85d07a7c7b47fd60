// Filters of C: asked, changed and taught.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "c/batch.h"
#include "c/handles.h"
#include "tamis/tamis.h"

namespace tamis::c {
namespace {

// Calls use(filter, hash) with the hash of the key.
template <typename F, typename Use>
Status WithKey(F* filter, const void* key, size_t size, Use use) {
  TAMIS_RETURN_IF_ERROR(Need("the filter", filter));
  TAMIS_ASSIGN_OR_RETURN(const std::string_view bytes, KeyOf(key, size));
  return use(filter->filter, filter->filter.Hash(bytes));
}
template <typename F, typename Use>
Status WithInteger(F* filter, uint64_t key, Use use) {
  TAMIS_RETURN_IF_ERROR(Need("the filter", filter));
  return use(filter->filter, filter->filter.Hash(key));
}

Status Insert(Filter& filter, KeyHash hash) { return filter.Insert(hash); }
Status Erase(Filter& filter, KeyHash hash) { return filter.Erase(hash); }

Status OneByOne(Filter& filter, std::span<const KeyHash> hashes, size_t& done,
                Status (*change)(Filter&, KeyHash)) {
  for (const KeyHash hash : hashes) {
    TAMIS_RETURN_IF_ERROR(change(filter, hash));
    ++done;
  }
  return {};
}

// What is new in a filter that nobody else changes was inserted here.
Status InsertChunk(Filter& filter, std::span<const KeyHash> hashes,
                   size_t& done) {
  const uint64_t before = filter.size();
  Status status = filter.Insert(hashes);
  done += status.ok() ? hashes.size() : filter.size() - before;
  return status;
}

Status InsertBatch(Filter& filter, const tamis_batch& keys, size_t& done) {
  const bool shared = HasThreads(filter);
  return ForEachChunk(keys, filter.hasher(), [&](size_t, auto hashes) {
    return shared ? OneByOne(filter, hashes, done, Insert)
                  : InsertChunk(filter, hashes, done);
  });
}

Status EraseBatch(Filter& filter, const tamis_batch& keys, size_t& done) {
  return ForEachChunk(keys, filter.hasher(), [&](size_t, auto hashes) {
    return OneByOne(filter, hashes, done, Erase);
  });
}

template <typename Change>
Status ChangeBatch(tamis_filter* filter, const tamis_batch* keys, size_t* done,
                   Change change) {
  size_t count = 0;
  if (done != nullptr) *done = 0;
  TAMIS_RETURN_IF_ERROR(Need("the filter", filter));
  TAMIS_RETURN_IF_ERROR(CheckBatch(keys));
  Status status = change(filter->filter, *keys, count);
  if (done != nullptr) *done = count;
  return status;
}

void AskBatch(const Filter& filter, const tamis_batch& keys, bool* results) {
  if (keys.layout == TAMIS_U64S) {
    const std::span integers(static_cast<const uint64_t*>(keys.data),
                             keys.count);
    return filter.any().MayContain(integers, std::span(results, keys.count));
  }
  const Status always_ok =
      ForEachChunk(keys, filter.hasher(), [&](size_t begin, auto hashes) {
        filter.MayContain(hashes, std::span(results + begin, hashes.size()));
        return Status();
      });
  static_cast<void>(always_ok.ok());
}

tamis_outcome FromOutcome(AdaptOutcome outcome) {
  switch (outcome) {
    case AdaptOutcome::kFixed:
      return TAMIS_FIXED;
    case AdaptOutcome::kNothingToFix:
      return TAMIS_NOTHING_TO_FIX;
    case AdaptOutcome::kReset:
      return TAMIS_RESET;
    case AdaptOutcome::kNotFixed:
      return TAMIS_NOT_FIXED;
  }
  return TAMIS_NOT_FIXED;
}

Status TellOutcome(const Result<AdaptOutcome>& done, tamis_outcome* outcome) {
  if (outcome != nullptr) {
    *outcome = done.ok() ? FromOutcome(*done) : TAMIS_NOT_FIXED;
  }
  return done.status();
}

Status ReportBatch(Filter& filter, const tamis_batch& keys, uint8_t* outcomes) {
  return ForEachChunk(
      keys, filter.hasher(), [&](size_t begin, auto hashes) -> Status {
        for (size_t i = 0; i < hashes.size(); ++i) {
          tamis_outcome outcome = TAMIS_NOT_FIXED;
          Status status =
              TellOutcome(filter.ReportFalsePositive(hashes[i]), &outcome);
          if (!status.ok() && status.code() != StatusCode::kIsMember) {
            return status;
          }
          if (outcomes == nullptr) continue;
          outcomes[begin + i] = static_cast<uint8_t>(outcome);
        }
        return {};
      });
}

}  // namespace
}  // namespace tamis::c

namespace c = tamis::c;
using tamis::Filter;
using tamis::KeyHash;
using tamis::Status;

extern "C" {

tamis_status tamis_insert(tamis_filter* filter, const void* key, size_t size,
                          tamis_error* error) {
  return c::Call(error,
                 [&] { return c::WithKey(filter, key, size, c::Insert); });
}

tamis_status tamis_insert_u64(tamis_filter* filter, uint64_t key,
                              tamis_error* error) {
  return c::Call(error, [&] { return c::WithInteger(filter, key, c::Insert); });
}

int tamis_may_contain(const tamis_filter* filter, const void* key,
                      size_t size) {
  int answer = 1;
  const tamis_status status = c::Call(nullptr, [&] {
    return c::WithKey(filter, key, size, [&](const Filter& in, KeyHash hash) {
      answer = in.MayContain(hash) ? 1 : 0;
      return Status();
    });
  });
  return status == TAMIS_OK ? answer : -static_cast<int>(status);
}

int tamis_may_contain_u64(const tamis_filter* filter, uint64_t key) {
  if (filter == nullptr) return -TAMIS_INVALID_ARGUMENT;
  return filter->filter.MayContain(key) ? 1 : 0;
}

tamis_status tamis_erase(tamis_filter* filter, const void* key, size_t size,
                         tamis_error* error) {
  return c::Call(error,
                 [&] { return c::WithKey(filter, key, size, c::Erase); });
}

tamis_status tamis_erase_u64(tamis_filter* filter, uint64_t key,
                             tamis_error* error) {
  return c::Call(error, [&] { return c::WithInteger(filter, key, c::Erase); });
}

tamis_status tamis_hash_key(const tamis_filter* filter, const void* key,
                            size_t size, tamis_hash* out, tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("out", out));
    return c::WithKey(filter, key, size, [&](const Filter&, KeyHash hash) {
      *out = c::FromHash(hash);
      return Status();
    });
  });
}

tamis_status tamis_hash_u64(const tamis_filter* filter, uint64_t key,
                            tamis_hash* out, tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter or out", filter, out));
    *out = c::FromHash(filter->filter.Hash(key));
    return {};
  });
}

tamis_status tamis_insert_batch(tamis_filter* filter, const tamis_batch* keys,
                                size_t* done, tamis_error* error) {
  return c::Call(error, [&] {
    return c::ChangeBatch(filter, keys, done, c::InsertBatch);
  });
}

tamis_status tamis_may_contain_batch(const tamis_filter* filter,
                                     const tamis_batch* keys, uint8_t* results,
                                     tamis_error* error) {
  static_assert(sizeof(bool) == sizeof(uint8_t));
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    TAMIS_RETURN_IF_ERROR(c::CheckBatch(keys));
    if (keys->count == 0) return {};
    TAMIS_RETURN_IF_ERROR(c::Need("the results", results));
    c::AskBatch(filter->filter, *keys, reinterpret_cast<bool*>(results));
    return {};
  });
}

tamis_status tamis_erase_batch(tamis_filter* filter, const tamis_batch* keys,
                               size_t* done, tamis_error* error) {
  return c::Call(
      error, [&] { return c::ChangeBatch(filter, keys, done, c::EraseBatch); });
}

tamis_status tamis_report(tamis_filter* filter, const void* key, size_t size,
                          tamis_outcome* outcome, tamis_error* error) {
  return c::Call(error, [&] {
    return c::WithKey(filter, key, size, [&](Filter& in, KeyHash hash) {
      return c::TellOutcome(in.ReportFalsePositive(hash), outcome);
    });
  });
}

tamis_status tamis_report_u64(tamis_filter* filter, uint64_t key,
                              tamis_outcome* outcome, tamis_error* error) {
  return c::Call(error, [&] {
    return c::WithInteger(filter, key, [&](Filter& in, KeyHash hash) {
      return c::TellOutcome(in.ReportFalsePositive(hash), outcome);
    });
  });
}

tamis_status tamis_report_batch(tamis_filter* filter, const tamis_batch* keys,
                                uint8_t* outcomes, tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    TAMIS_RETURN_IF_ERROR(c::CheckBatch(keys));
    return c::ReportBatch(filter->filter, *keys, outcomes);
  });
}

tamis_status tamis_report_members(tamis_filter* filter, tamis_hash absent,
                                  const tamis_batch* members,
                                  uint64_t num_erases, tamis_outcome* outcome,
                                  tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    TAMIS_RETURN_IF_ERROR(c::CheckBatch(members));
    Filter& in = filter->filter;
    return c::TellOutcome(
        in.ReportFalsePositive(c::ToHash(absent),
                               c::AllHashes(*members, in.hasher()), num_erases),
        outcome);
  });
}

tamis_status tamis_collision_range(const tamis_filter* filter,
                                   tamis_hash absent, tamis_hash* low,
                                   tamis_hash* high, tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(
        c::Need("the filter or the range", filter, low, high));
    const auto range = filter->filter.CollisionRange(c::ToHash(absent));
    if (!range) {
      return {tamis::StatusCode::kNotFound,
              "the filter does not claim to contain the key"};
    }
    *low = c::FromHash(range->low);
    *high = c::FromHash(range->high);
    return {};
  });
}

uint64_t tamis_num_erases(const tamis_filter* filter, tamis_hash absent) {
  return filter == nullptr ? 0 : filter->filter.num_erases(c::ToHash(absent));
}

tamis_status tamis_expand(tamis_filter* filter, tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    return filter->filter.Expand();
  });
}

tamis_status tamis_merge(tamis_filter* filter, const tamis_filter* other,
                         tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("a filter", filter, other));
    if (filter == other)
      return c::Invalid("a filter can't be merged with itself");
    return filter->filter.Merge(other->filter);
  });
}

tamis_status tamis_check(const tamis_filter* filter, tamis_error* error) {
  return c::Call(error, [&]() -> Status {
    TAMIS_RETURN_IF_ERROR(c::Need("the filter", filter));
    return filter->filter.CheckInvariants();
  });
}

}  // extern "C"
