// Call: one command as it arrives, its arguments, its key and its reply.
//
// Every command is a function of a Call.  Run<F> makes the server's kind of
// function out of it, and answers for it if memory ends.

#ifndef TAMIS_REDIS_COMMAND_H_
#define TAMIS_REDIS_COMMAND_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/api.h"
#include "redis/memory.h"
#include "redis/value.h"

namespace tamis::redis {

// What the module's arguments set.
struct Settings {
  bool bloom = true;
  bool cuckoo = true;
  double error = 0.01;     // of a filter that nobody reserved
  uint64_t max_bytes = 0;  // of one filter; 0: no limit
};
extern Settings settings;

// Counted since the server's start, for INFO.
struct Counts {
  uint64_t created = 0;
  uint64_t loaded = 0;  // from chunks, of whatever origin
  uint64_t reported = 0;
  uint64_t fixed = 0;
  uint64_t stale = 0;
};
extern Counts counts;

// The server's types of our values, one a family; see type.h.
DataType* TypeOf(Family family);

inline constexpr char kWrongType[] =
    "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr char kNoMemory[] = "ERR Insufficient memory to create filter";
inline constexpr char kNotLoaded[] =
    "ERR the filter is being loaded: send its other chunks first";

class Call {
 public:
  Call(Context* context, String** argv, int argc)
      : context_(context), argv_(argv), argc_(argc) {}

  Context* context() const { return context_; }
  // Arguments; 0 is the command, 1 the key.
  int size() const { return argc_; }
  String* raw(int i) const { return argv_[i]; }
  String** raw_from(int i) const { return argv_ + i; }
  std::string_view operator[](int i) const;
  bool Is(int i, std::string_view word) const;  // whatever its case
  std::optional<int64_t> IntegerAt(int i) const;
  std::optional<double> DoubleAt(int i) const;
  // From the master, or from the AOF: what it says was decided elsewhere.
  bool IsReplicated() const {
    return (api.GetContextFlags(context_) & (kFlagReplicated | kFlagLoading)) !=
           0;
  }

  // Replies; each returns what a command returns.
  int Error(const char* text) const {
    return api.ReplyWithError(context_, text);
  }
  int Error(const std::string& text) const { return Error(text.c_str()); }
  int Ok() const { return api.ReplyWithSimpleString(context_, "OK"); }
  int Integer(int64_t value) const {
    return api.ReplyWithLongLong(context_, value);
  }
  int Bool(bool value) const {
    return api.ReplyWithBool(context_, value ? 1 : 0);
  }
  int Double(double value) const {
    return api.ReplyWithDouble(context_, value);
  }
  int Text(std::string_view text) const {
    return api.ReplyWithStringBuffer(context_, text.data(), text.size());
  }
  int Null() const { return api.ReplyWithNull(context_); }
  int Array(size_t length) const {
    return api.ReplyWithArray(context_, static_cast<long>(length));
  }
  int Map(size_t pairs) const {
    return api.ReplyWithMap(context_, static_cast<long>(pairs));
  }
  int WrongArity() const { return api.WrongArity(context_); }
  // A label and a number of an INFO reply.
  void Field(std::string_view label, uint64_t value) const {
    Text(label);
    Integer(static_cast<int64_t>(value));
  }

 private:
  Context* context_;
  String** argv_;
  int argc_;
};

// The key of a call, open as long as this lives.
class Target {
 public:
  Target(const Call& call, Family family, int mode, int argument = 1);
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  bool is_missing() const { return missing_; }
  bool is_other_type() const { return !missing_ && value_ == nullptr; }
  // None, if the key is missing or of another type.
  Value* value() const { return value_; }
  Value* operator->() const { return value_; }
  // Why commands can't use it: `missing`, kWrongType, kNotLoaded; or nullptr.
  const char* Problem(const char* missing) const;

  // Puts a value there, in place of any other.  REQUIRES: opened for writing
  void Set(std::unique_ptr<Value> value);
  // The same in place of value(): the key expires when it would have.
  void Replace(std::unique_ptr<Value> value);

 private:
  Family family_;
  Key* key_;
  bool missing_ = true;
  Value* value_ = nullptr;
};

// Puts a new, empty filter into `target`, and tells replicas and the AOF, seed
// and all.  Returns an error to be replied, or nullptr.
const char* MakeAt(const Call& call, Target& target, const Plan& plan,
                   const Hasher& hasher = Hasher(), int fingerprint_bits = 0);

// All of RESERVE, once its arguments are read.
int Reserve(const Call& call, const Plan& plan, const Hasher& hasher = Hasher(),
            int fingerprint_bits = 0);

// Where the items of a call begin, and what to make if there is no filter.
struct Insertion {
  Plan plan;
  bool create = true;
  int first_item = 2;
};
// Opens or makes the filter, and has `add` put the items into it and reply.
using AddItemsFunction = int (*)(const Call& call, Value& value,
                                 int first_item);
int Insert(const Call& call, const Insertion& insertion, AddItemsFunction add);
// The same, as the words before the items say.  `parse` reads them, and sets
// where the items begin; it returns an error to be replied, or nullptr.
using ParseWordsFunction = const char* (*)(const Call& call,
                                           Insertion& insertion);
int Insert(const Call& call, const Plan& plan, ParseWordsFunction parse,
           AddItemsFunction add);

// Calls function(value) with the filter at the key, which replies; an error if
// there is none.
template <typename Function>
int WithFilter(const Call& call, Family family, int mode, const char* missing,
               Function function) {
  const Target target(call, family, mode);
  if (const char* problem = target.Problem(missing)) return call.Error(problem);
  const MemoryScope scope(target->account());
  return function(*target.value());
}
inline constexpr char kNotFound[] = "ERR not found";

// What one filter may hold, its own budget or the module's, the smaller of both;
// 0: no limit.
uint64_t LimitOf(const Plan& plan);
// The same, for this call: what is replicated was decided elsewhere.
uint64_t MaxBytes(const Call& call, const Value& value);

// Hashes of the arguments from `first` on.
std::vector<KeyHash> HashesOf(const Call& call, const Value& value, int first);

// The hashes of the arguments from `first` on, in order; some are made ahead, so
// that what they read of the filter is on its way.
class HashesAhead {
 public:
  HashesAhead(const Call& call, const Value& value, int first)
      : call_(call), value_(value), next_(first) {}
  KeyHash Next() {
    if (used_ == count_) Fill();
    return hashes_[used_++];
  }

 private:
  void Fill();

  const Call& call_;
  const Value& value_;
  int next_;  // the argument to be hashed next
  std::array<KeyHash, 32> hashes_;
  size_t used_ = 0;
  size_t count_ = 0;
};

using Command = int (*)(Call&);

template <Command command>
int Run(Context* context, String** argv, int argc) {
  Call call(context, argv, argc);
  try {
    return command(call);
  } catch (const std::bad_alloc&) {
    return call.Error("ERR out of memory");
  }
}

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_COMMAND_H_
