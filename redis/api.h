// The part of the server's module interface that this module uses.
//
// A module needs no header of the server: RedisModule_OnLoad is handed a
// context whose first word is the function GetApi(name, out), and every other
// function is fetched by its name.  What is declared here is that interface,
// typed; LoadApi fills it once.
//
//   context  -->  [0] GetApi("RedisModule_Alloc", &api.Alloc) == 0
//
// Functions of the second list exist in newer servers only: check before use.
//
// Thread safety: filled once by OnLoad, read only afterwards.

#ifndef TAMIS_REDIS_API_H_
#define TAMIS_REDIS_API_H_

#include <cstddef>
#include <cstdint>

namespace tamis::redis {

// The server's own types, never looked into.
struct Context;
struct Key;
struct String;
struct Io;
struct Digest;
struct DataType;
struct CommandHandle;
struct InfoContext;
struct DefragContext;

inline constexpr int kOk = 0;
inline constexpr int kError = 1;
// OpenKey.
inline constexpr int kRead = 1;
inline constexpr int kWrite = 2;
// KeyType.
inline constexpr int kKeyEmpty = 0;
// GetContextFlags.
inline constexpr int kFlagReplicated = 1 << 12;
inline constexpr int kFlagLoading = 1 << 13;
inline constexpr int kFlagResp3 = 1 << 22;
// SetModuleOptions.
inline constexpr int kHandleIoErrors = 1 << 0;
inline constexpr int kHandleAsyncLoad = 1 << 2;
inline constexpr int kHandleSlotMigration = 1 << 5;  // Valkey 9
// ReplyWithArray.
inline constexpr long kLengthLater = -1;

using CommandFunction = int (*)(Context*, String**, int);

// What a native data type can do; version 3 of it, which 7.0 and all later
// servers take.
struct TypeMethods {
  uint64_t version = 3;
  void* (*rdb_load)(Io*, int encoding) = nullptr;
  void (*rdb_save)(Io*, void* value) = nullptr;
  void (*aof_rewrite)(Io*, String* key, void* value) = nullptr;
  size_t (*mem_usage)(const void* value) = nullptr;
  void (*digest)(Digest*, void* value) = nullptr;
  void (*free)(void* value) = nullptr;
  int (*aux_load)(Io*, int encoding, int when) = nullptr;
  void (*aux_save)(Io*, int when) = nullptr;
  int aux_save_triggers = 0;
  size_t (*free_effort)(String* key, const void* value) = nullptr;
  void (*unlink)(String* key, const void* value) = nullptr;
  void* (*copy)(String* from, String* to, const void* value) = nullptr;
  int (*defrag)(DefragContext*, String* key, void** value) = nullptr;
};

// COMMAND INFO and COMMAND DOCS.
struct CommandArgument {
  enum Type : int {
    kString,
    kInteger,
    kDouble,
    kKey,
    kPattern,
    kUnixTime,
    kPureToken,
    kOneOf,
    kBlock
  };
  enum Flags : int { kNone = 0, kOptional = 1, kMultiple = 2 };
  const char* name = nullptr;
  int type = kString;
  int key_spec_index = -1;
  const char* token = nullptr;
  const char* summary = nullptr;
  const char* since = nullptr;
  int flags = kNone;
  const char* deprecated_since = nullptr;
  CommandArgument* parts = nullptr;
  const char* display_text = nullptr;
};

struct CommandHistory {
  const char* since;
  const char* changes;
};

struct KeySpec {
  enum Flags : uint64_t {
    kReadOnly = 1 << 0,
    kReadWrite = 1 << 1,
    kAccess = 1 << 4,
    kUpdate = 1 << 5,
    kInsert = 1 << 6,
    kDelete = 1 << 7
  };
  const char* notes = nullptr;
  uint64_t flags = 0;
  int begin_search = 2;  // by index
  union {
    int index;
    struct {
      const char* word;
      int start;
    } keyword;
  } begin = {};
  int find_keys = 2;  // a range
  struct {
    int last;
    int step;
    int limit;
  } keys = {0, 1, 0};
};

struct CommandInfoVersion {
  int version;
  size_t history_bytes;
  size_t key_spec_bytes;
  size_t argument_bytes;
};

struct CommandInfo {
  const CommandInfoVersion* version = nullptr;
  const char* summary = nullptr;
  const char* complexity = nullptr;
  const char* since = nullptr;
  CommandHistory* history = nullptr;
  const char* tips = nullptr;
  int arity = 0;
  KeySpec* key_specs = nullptr;
  CommandArgument* args = nullptr;
};

// F(result, name, arguments)
#define TAMIS_REDIS_NEEDED(F)                                                 \
  F(void, SetModuleAttribs, (Context*, const char* name, int, int))           \
  F(int, IsModuleNameBusy, (const char* name))                                \
  F(void, SetModuleOptions, (Context*, int bits))                             \
  F(int, CreateCommand,                                                       \
    (Context*, const char* name, CommandFunction, const char* flags,          \
     int first_key, int last_key, int step))                                  \
  F(DataType*, CreateDataType,                                                \
    (Context*, const char* name, int encoding, const TypeMethods*))           \
  F(Key*, OpenKey, (Context*, String*, int mode))                             \
  F(void, CloseKey, (Key*))                                                   \
  F(int, KeyType, (Key*))                                                     \
  F(int, DeleteKey, (Key*))                                                   \
  F(DataType*, ModuleTypeGetType, (Key*))                                     \
  F(void*, ModuleTypeGetValue, (Key*))                                        \
  F(int, ModuleTypeSetValue, (Key*, DataType*, void*))                        \
  F(int, ModuleTypeReplaceValue, (Key*, DataType*, void*, void** old))        \
  F(const char*, StringPtrLen, (const String*, size_t*))                      \
  F(int, StringToLongLong, (const String*, long long*))                       \
  F(int, StringToDouble, (const String*, double*))                            \
  F(int, ReplyWithLongLong, (Context*, long long))                            \
  F(int, ReplyWithBool, (Context*, int))                                      \
  F(int, ReplyWithDouble, (Context*, double))                                 \
  F(int, ReplyWithSimpleString, (Context*, const char*))                      \
  F(int, ReplyWithStringBuffer, (Context*, const char*, size_t))              \
  F(int, ReplyWithNull, (Context*))                                           \
  F(int, ReplyWithArray, (Context*, long))                                    \
  F(int, ReplyWithMap, (Context*, long))                                      \
  F(int, ReplyWithError, (Context*, const char*))                             \
  F(void, ReplySetArrayLength, (Context*, long))                              \
  F(int, WrongArity, (Context*))                                              \
  F(int, GetContextFlags, (Context*))                                         \
  F(void, SaveUnsigned, (Io*, uint64_t))                                      \
  F(uint64_t, LoadUnsigned, (Io*))                                            \
  F(void, SaveStringBuffer, (Io*, const char*, size_t))                       \
  F(char*, LoadStringBuffer, (Io*, size_t*))                                  \
  F(int, IsIOError, (Io*))                                                    \
  F(void, EmitAOF, (Io*, const char* command, const char* format, ...))       \
  F(void, LogIOError, (Io*, const char* level, const char* format, ...))      \
  F(void, Log, (Context*, const char* level, const char* format, ...))        \
  F(void, DigestAddStringBuffer, (Digest*, const char*, size_t))              \
  F(void, DigestAddLongLong, (Digest*, long long))                            \
  F(void, DigestEndSequence, (Digest*))                                       \
  F(int, ReplicateVerbatim, (Context*))                                       \
  F(int, Replicate, (Context*, const char* command, const char* format, ...)) \
  F(void*, Alloc, (size_t))                                                   \
  F(void, Free, (void*))

#define TAMIS_REDIS_OPTIONAL(F)                                         \
  F(void*, TryAlloc, (size_t))                                          \
  F(void*, TryCalloc, (size_t, size_t))                                 \
  F(size_t, MallocSize, (void*))                                        \
  F(CommandHandle*, GetCommand, (Context*, const char*))                \
  F(int, SetCommandInfo, (CommandHandle*, const CommandInfo*))          \
  F(int, AddACLCategory, (Context*, const char*))                       \
  F(int, SetCommandACLCategories, (CommandHandle*, const char*))        \
  F(int, RegisterInfoFunc, (Context*, void (*)(InfoContext*, int)))     \
  F(int, InfoAddSection, (InfoContext*, const char*))                   \
  F(int, InfoAddFieldULongLong,                                         \
    (InfoContext*, const char*, unsigned long long))                    \
  F(int, InfoAddFieldCString, (InfoContext*, const char*, const char*)) \
  F(void*, DefragAlloc, (DefragContext*, void*))

struct Api {
#define TAMIS_REDIS_FIELD(result, name, arguments) result(*name) arguments;
  TAMIS_REDIS_NEEDED(TAMIS_REDIS_FIELD)
  TAMIS_REDIS_OPTIONAL(TAMIS_REDIS_FIELD)
#undef TAMIS_REDIS_FIELD
};

extern Api api;

// Fetches all functions from the server that calls OnLoad; false if it lacks
// one that we can't do without.
bool LoadApi(Context* context);

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_API_H_
