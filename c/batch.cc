#include "c/batch.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "c/handles.h"

namespace tamis::c {
namespace {

template <typename T>
const T* ArrayOf(const void* memory) {
  return static_cast<const T*>(memory);
}

std::string_view Bytes(const void* data, size_t size) {
  return {static_cast<const char*>(data), size};
}
std::string_view Record(const tamis_batch& batch, size_t i) {
  return Bytes(ArrayOf<char>(batch.data) + i * batch.width, batch.width);
}
std::string_view Unpadded(std::string_view record) {
  const size_t last = record.find_last_not_of('\0');
  return record.substr(0, last == std::string_view::npos ? 0 : last + 1);
}
template <typename Offset>
std::string_view AtOffset(const tamis_batch& batch, size_t i) {
  const Offset* offsets = ArrayOf<Offset>(batch.offsets);
  return Bytes(ArrayOf<char>(batch.data) + offsets[i],
               static_cast<size_t>(offsets[i + 1] - offsets[i]));
}

Status CheckArray(const void* array, size_t count, size_t bytes,
                  size_t element_bytes, const char* name) {
  if (count == 0) return {};
  if (array == nullptr) return Invalid(std::string("NULL given for ") + name);
  if (reinterpret_cast<uintptr_t>(array) % element_bytes != 0 &&
      element_bytes <= alignof(uint64_t)) {
    return Invalid(std::string(name) + " are not aligned to " +
                   std::to_string(element_bytes) + " bytes");
  }
  if (count > bytes / element_bytes) {
    return Invalid(std::to_string(count) + " " + name + " of " +
                   std::to_string(element_bytes) + " bytes are not in " +
                   std::to_string(bytes) + " bytes of data");
  }
  return {};
}

Status CheckKeys(const tamis_batch& batch) {
  TAMIS_RETURN_IF_ERROR(CheckArray(batch.data, batch.count, batch.data_bytes,
                                   sizeof(tamis_key), "keys"));
  if (reinterpret_cast<uintptr_t>(batch.data) % alignof(tamis_key) != 0) {
    return Invalid("keys are not aligned");
  }
  const auto* keys = ArrayOf<tamis_key>(batch.data);
  for (size_t i = 0; i < batch.count; ++i) {
    const auto key = KeyOf(keys[i].data, keys[i].size);
    if (!key.ok()) {
      return key.status().WithContext("key " + std::to_string(i));
    }
  }
  return {};
}

Status CheckHashes(const tamis_batch& batch) {
  if (reinterpret_cast<uintptr_t>(batch.data) % alignof(tamis_hash) != 0) {
    return Invalid("hashes are not aligned");
  }
  return CheckArray(batch.data, batch.count, batch.data_bytes,
                    sizeof(tamis_hash), "hashes");
}

Status CheckRecords(const tamis_batch& batch) {
  if (batch.count == 0) return {};
  if (batch.width == 0) return Invalid("records have no bytes");
  if (batch.data == nullptr) return Invalid("NULL given for records");
  if (batch.count <= batch.data_bytes / batch.width) return {};
  return Invalid(std::to_string(batch.count) + " records of " +
                 std::to_string(batch.width) + " bytes are not in " +
                 std::to_string(batch.data_bytes) + " bytes of data");
}

template <typename Offset>
Status CheckOffsets(const tamis_batch& batch) {
  if (batch.count == 0) return {};
  constexpr size_t kMost = std::numeric_limits<ptrdiff_t>::max();
  const size_t most = batch.data == nullptr ? 0 : batch.data_bytes;
  if (batch.count >= kMost / sizeof(Offset) || most > kMost) {
    return Invalid("so many keys or bytes can't be: " +
                   std::to_string(batch.count) + ", " + std::to_string(most));
  }
  TAMIS_RETURN_IF_ERROR(CheckArray(batch.offsets, batch.count + 1,
                                   (batch.count + 1) * sizeof(Offset),
                                   sizeof(Offset), "offsets"));
  const Offset* offsets = ArrayOf<Offset>(batch.offsets);
  Offset last = 0;
  for (size_t i = 0; i <= batch.count; ++i) {
    if (offsets[i] < last || static_cast<uint64_t>(offsets[i]) > most) {
      return Invalid("offset " + std::to_string(i) + " is " +
                     std::to_string(offsets[i]) + "; expected " +
                     std::to_string(last) + " to " + std::to_string(most));
    }
    last = offsets[i];
  }
  return {};
}

template <typename KeyAt>
void HashEach(const Hasher& hasher, std::span<KeyHash> hashes, KeyAt key_at) {
  for (size_t i = 0; i < hashes.size(); ++i) hashes[i] = hasher.Hash(key_at(i));
}

}  // namespace

Status CheckBatch(const tamis_batch* batch) {
  TAMIS_RETURN_IF_ERROR(Need("the batch", batch));
  switch (batch->layout) {
    case TAMIS_U64S:
      return CheckArray(batch->data, batch->count, batch->data_bytes,
                        sizeof(uint64_t), "integers");
    case TAMIS_KEYS:
      return CheckKeys(*batch);
    case TAMIS_HASHES:
      return CheckHashes(*batch);
    case TAMIS_RECORDS:
    case TAMIS_PADDED:
      return CheckRecords(*batch);
    case TAMIS_OFFSETS32:
      return CheckOffsets<int32_t>(*batch);
    case TAMIS_OFFSETS64:
      return CheckOffsets<int64_t>(*batch);
    default:
      return Invalid("no such layout of a batch: " +
                     std::to_string(batch->layout));
  }
}

void HashBatch(const tamis_batch& batch, size_t begin, const Hasher& hasher,
               std::span<KeyHash> hashes) {
  const auto each = [&](auto key_at) {
    HashEach(hasher, hashes, [&](size_t i) { return key_at(begin + i); });
  };
  switch (batch.layout) {
    case TAMIS_U64S:
      return hasher.Hash(
          std::span(ArrayOf<uint64_t>(batch.data) + begin, hashes.size()),
          hashes);
    case TAMIS_HASHES:
      for (KeyHash& hash : hashes) {
        hash = ToHash(ArrayOf<tamis_hash>(batch.data)[begin++]);
      }
      return;
    case TAMIS_KEYS:
      return each([&](size_t i) {
        const tamis_key& key = ArrayOf<tamis_key>(batch.data)[i];
        return Bytes(key.data, key.size);
      });
    case TAMIS_RECORDS:
      return each([&](size_t i) { return Record(batch, i); });
    case TAMIS_PADDED:
      return each([&](size_t i) { return Unpadded(Record(batch, i)); });
    case TAMIS_OFFSETS32:
      return each([&](size_t i) { return AtOffset<int32_t>(batch, i); });
    default:
      return each([&](size_t i) { return AtOffset<int64_t>(batch, i); });
  }
}

std::vector<KeyHash> AllHashes(const tamis_batch& batch, const Hasher& hasher) {
  std::vector<KeyHash> hashes(batch.count);
  HashBatch(batch, 0, hasher, hashes);
  return hashes;
}

}  // namespace tamis::c
