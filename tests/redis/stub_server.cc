#include "redis/stub_server.h"

#include <malloc.h>

#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "redis/memory.h"

namespace tamis::redis {
namespace {

template <typename T>
StubFile& Of(T* handle) {
  return *reinterpret_cast<StubFile*>(handle);
}

char* LoadString(Io* io, size_t* size) {
  StubFile& file = Of(io);
  if (file.next_string == file.strings.size()) {
    file.failed = true;
    return nullptr;
  }
  const std::string& text = file.strings[file.next_string++];
  *size = text.size();
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  std::memcpy(copy, text.data(), text.size());
  return copy;
}

// g++ 12 makes no function of a lambda with `...`.
void IgnoreLog(Io*, const char*, const char*, ...) {}

uint64_t LoadNumber(Io* io) {
  StubFile& file = Of(io);
  if (file.next_number == file.numbers.size()) {
    file.failed = true;
    return 0;
  }
  return file.numbers[file.next_number++];
}

// "slb": a key, which is nullptr here, a number, and bytes.
void Emit(Io* io, const char* command, const char* format, ...) {
  std::vector<std::string> words = {command, format};
  va_list arguments;
  va_start(arguments, format);
  va_arg(arguments, String*);
  words.push_back(std::to_string(va_arg(arguments, long long)));
  const char* bytes = va_arg(arguments, const char*);
  words.emplace_back(bytes, va_arg(arguments, size_t));
  va_end(arguments);
  Of(io).commands.push_back(words);
}

void* Move(DefragContext* context, void* memory) {
  StubFile& file = Of(context);
  if (file.refuses_to_move) return nullptr;
  ++file.moves;
  const size_t size = malloc_usable_size(memory);
  void* moved = std::malloc(size);
  std::memcpy(moved, memory, size);
  std::free(memory);
  return moved;
}

}  // namespace

void UseStubServer() {
  api.Alloc = std::malloc;
  api.TryAlloc = std::malloc;
  api.Free = std::free;
  api.MallocSize = malloc_usable_size;
  api.LoadStringBuffer = LoadString;
  api.LoadUnsigned = LoadNumber;
  api.SaveUnsigned = [](Io* io, uint64_t number) {
    Of(io).numbers.push_back(number);
  };
  api.SaveStringBuffer = [](Io* io, const char* text, size_t size) {
    Of(io).strings.emplace_back(text, size);
  };
  api.IsIOError = [](Io* io) { return Of(io).failed ? 1 : 0; };
  api.LogIOError = IgnoreLog;
  api.EmitAOF = Emit;
  api.DigestAddStringBuffer = [](Digest* digest, const char* text,
                                 size_t size) {
    Of(digest).digest.append(text, size);
  };
  api.DigestEndSequence = [](Digest*) {};
  api.DefragAlloc = Move;
  UseServerMemory();
}

}  // namespace tamis::redis
