#include "redis/type.h"

#include <array>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "redis/chunks.h"
#include "redis/command.h"

namespace tamis::redis {
namespace {

constexpr int kEncoding = 1;
std::array<DataType*, 4> types = {};

Value* Of(void* value) { return static_cast<Value*>(value); }
const Value* Of(const void* value) { return static_cast<const Value*>(value); }

void Save(Io* io, void* value) {
  const Dump dump(*Of(value));
  const uint64_t chunks =
      (dump.payload_bytes() + kChunkBytes - 1) / kChunkBytes;
  api.SaveUnsigned(io, chunks);
  api.SaveStringBuffer(io, dump.header().data(), dump.header().size());
  for (uint64_t i = 0; i < chunks; ++i) {
    const std::string chunk = dump.Chunk(i * kChunkBytes);
    api.SaveStringBuffer(io, chunk.data(), chunk.size());
  }
}

// One string of a file; none if it can't be read.
class Piece {
 public:
  explicit Piece(Io* io) : text_(api.LoadStringBuffer(io, &size_)) {
    if (api.IsIOError(io) != 0) size_ = 0;
  }
  ~Piece() {
    if (text_ != nullptr) api.Free(text_);
  }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  std::string_view text() const {
    return text_ == nullptr ? std::string_view()
                            : std::string_view(text_, size_);
  }

 private:
  size_t size_ = 0;
  char* text_;
};

Result<std::unique_ptr<Value>> LoadPieces(Io* io, Family family) {
  const uint64_t chunks = api.LoadUnsigned(io);
  Status failed(StatusCode::kIo, "the file ends too early");
  if (api.IsIOError(io) != 0) return failed;
  TAMIS_ASSIGN_OR_RETURN(Loader loader, Loader::Start(Piece(io).text()));
  if (loader.family() != family) {
    return Status(StatusCode::kIncompatible, "a filter of another family");
  }
  for (uint64_t i = 0; i < chunks; ++i) {
    if (api.IsIOError(io) != 0) return failed;
    TAMIS_RETURN_IF_ERROR(loader.Feed(Piece(io).text()));
  }
  if (loader.is_complete()) return loader.Finish();
  return Value::Loading(std::make_unique<Loader>(std::move(loader)));
}

template <Family family>
void* Load(Io* io, int encoding) {
  if (encoding != kEncoding) return nullptr;
  try {
    auto value = LoadPieces(io, family);
    if (!value.ok()) {
      api.LogIOError(io, "warning", "%s", value.status().ToString().c_str());
      return nullptr;
    }
    ++counts.loaded;
    return std::move(value)->release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void RewriteAof(Io* io, String* key, void* value) {
  const Dump dump(*Of(value));
  const std::string command = LoadCommand(Of(value)->plan().family);
  api.EmitAOF(io, command.c_str(), "slb", key, 1LL, dump.header().data(),
              dump.header().size());
  for (uint64_t at = 0; at < dump.payload_bytes(); at += kChunkBytes) {
    const std::string chunk = dump.Chunk(at);
    const uint64_t end = std::min(at + kChunkBytes, dump.payload_bytes());
    api.EmitAOF(io, command.c_str(), "slb", key,
                static_cast<long long>(end + 1), chunk.data(), chunk.size());
  }
}

size_t MemoryUsage(const void* value) { return Of(value)->bytes(); }

void AddDigest(Digest* digest, void* value) {
  const Dump dump(*Of(value));
  api.DigestAddStringBuffer(digest, dump.header().data(), dump.header().size());
  for (uint64_t at = 0; at < dump.payload_bytes(); at += kChunkBytes) {
    const std::string chunk = dump.Chunk(at);
    api.DigestAddStringBuffer(digest, chunk.data(), chunk.size());
  }
  api.DigestEndSequence(digest);
}

void Free(void* value) { delete Of(value); }

// Pages to be unmapped: large filters are freed in the background.
size_t FreeEffort(String* /*key*/, const void* value) {
  return 1 + Of(value)->bytes() / 4096;
}

void* Copy(String* /*from*/, String* /*to*/, const void* value) {
  try {
    auto copy = Value::Copy(*Of(value));
    return copy.ok() ? std::move(copy)->release() : nullptr;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// Only the value itself is small enough to lie in the way of others; tables are
// large, and the allocator gives those whole pages.
int Defrag(DefragContext* context, String* /*key*/, void** value) {
  if (api.DefragAlloc == nullptr) return 0;
  if (void* moved = api.DefragAlloc(context, *value); moved != nullptr) {
    *value = moved;
  }
  return 0;
}

}  // namespace

template <Family family>
TypeMethods MethodsOf() {
  TypeMethods methods;
  methods.rdb_load = Load<family>;
  methods.rdb_save = Save;
  methods.aof_rewrite = RewriteAof;
  methods.mem_usage = MemoryUsage;
  methods.digest = AddDigest;
  methods.free = Free;
  methods.free_effort = FreeEffort;
  methods.copy = Copy;
  methods.defrag = Defrag;
  return methods;
}
template TypeMethods MethodsOf<Family::kBloom>();
template TypeMethods MethodsOf<Family::kCuckoo>();
template TypeMethods MethodsOf<Family::kAdaptive>();

DataType* TypeOf(Family family) { return types[static_cast<size_t>(family)]; }

bool CreateTypes(Context* context) {
  const TypeMethods bloom = MethodsOf<Family::kBloom>();
  const TypeMethods cuckoo = MethodsOf<Family::kCuckoo>();
  const TypeMethods adaptive = MethodsOf<Family::kAdaptive>();
  types[1] = api.CreateDataType(context, "tamis--BF", kEncoding, &bloom);
  types[2] = api.CreateDataType(context, "tamis--CF", kEncoding, &cuckoo);
  types[3] = api.CreateDataType(context, "tamis--AF", kEncoding, &adaptive);
  return types[1] != nullptr && types[2] != nullptr && types[3] != nullptr;
}

}  // namespace tamis::redis
