#include "redis/command.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "redis/chunks.h"
#include "redis/shape.h"

namespace tamis::redis {

Settings settings;
Counts counts;

std::string_view Call::operator[](int i) const {
  size_t size = 0;
  const char* text = api.StringPtrLen(argv_[i], &size);
  return {text, size};
}

bool Call::Is(int i, std::string_view word) const {
  const std::string_view text = (*this)[i];
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) {
                      return std::toupper(static_cast<unsigned char>(a)) == b;
                    });
}

std::optional<int64_t> Call::IntegerAt(int i) const {
  long long value = 0;
  if (api.StringToLongLong(argv_[i], &value) != kOk) return std::nullopt;
  return value;
}

std::optional<double> Call::DoubleAt(int i) const {
  double value = 0;
  if (api.StringToDouble(argv_[i], &value) != kOk) return std::nullopt;
  return value;
}

Target::Target(const Call& call, Family family, int mode, int argument)
    : family_(family),
      key_(api.OpenKey(call.context(), call.raw(argument), mode)) {
  if (key_ == nullptr || api.KeyType(key_) == kKeyEmpty) return;
  missing_ = false;
  if (api.ModuleTypeGetType(key_) == TypeOf(family)) {
    value_ = static_cast<Value*>(api.ModuleTypeGetValue(key_));
  }
}

Target::~Target() {
  if (key_ != nullptr) api.CloseKey(key_);
}

const char* Target::Problem(const char* missing) const {
  if (missing_) return missing;
  if (value_ == nullptr) return kWrongType;
  return value_->is_complete() ? nullptr : kNotLoaded;
}

void Target::Set(std::unique_ptr<Value> value) {
  value_ = value.get();
  missing_ = false;
  api.ModuleTypeSetValue(key_, TypeOf(family_), value.release());
}

void Target::Replace(std::unique_ptr<Value> value) {
  void* old = nullptr;
  if (api.ModuleTypeReplaceValue(key_, TypeOf(family_), value.get(), &old) !=
      kOk) {
    return Set(std::move(value));  // which frees the old one
  }
  delete std::exchange(value_, value.release());
}

const char* MakeAt(const Call& call, Target& target, const Plan& plan,
                   const Hasher& hasher, int fingerprint_bits) {
  const Shape shape = fingerprint_bits == 0
                          ? ShapeFor(plan)
                          : ShapeWithBits(plan, fingerprint_bits);
  const uint64_t fixes = BytesForFixes(plan, plan.capacity);
  const auto passes = [limit = LimitOf(plan), fixes](uint64_t bytes) {
    return limit != 0 && bytes + fixes > limit;
  };
  // The tables alone tell without memory what is far too large.
  if (passes(BytesOf(plan, shape))) return kNoMemory;
  auto value = Value::Create(plan, shape, hasher);
  if (!value.ok()) {
    api.Log(call.context(), "warning", "no filter %s: %s",
            shape.spec.ToString().c_str(), value.status().ToString().c_str());
    return kNoMemory;
  }
  if (passes((*value)->bytes())) return kNoMemory;
  const std::string header = EmptyHeader(**value);
  target.Set(*std::move(value));
  ++counts.created;
  const std::string command = LoadCommand(plan.family);
  api.Replicate(call.context(), command.c_str(), "slb", call.raw(1), 1LL,
                header.data(), header.size());
  return nullptr;
}

int Reserve(const Call& call, const Plan& plan, const Hasher& hasher,
            int fingerprint_bits) {
  Target target(call, plan.family, kRead | kWrite);
  if (target.is_other_type()) return call.Error(kWrongType);
  if (!target.is_missing()) return call.Error("ERR item exists");
  const char* problem = MakeAt(call, target, plan, hasher, fingerprint_bits);
  return problem != nullptr ? call.Error(problem) : call.Ok();
}

int Insert(const Call& call, const Insertion& insertion, AddItemsFunction add) {
  Target target(call, insertion.plan.family, kRead | kWrite);
  const char* problem = nullptr;
  if (target.is_missing() && insertion.create) {
    problem = MakeAt(call, target, insertion.plan);
  }
  if (problem == nullptr) problem = target.Problem(kNotFound);
  if (problem != nullptr) return call.Error(problem);
  const MemoryScope scope(target->account());
  return add(call, *target.value(), insertion.first_item);
}

int Insert(const Call& call, const Plan& plan, ParseWordsFunction parse,
           AddItemsFunction add) {
  if (call.size() < 4) return call.WrongArity();
  Insertion insertion{.plan = plan, .first_item = call.size()};
  if (const char* problem = parse(call, insertion)) return call.Error(problem);
  if (insertion.first_item == call.size()) return call.WrongArity();
  return Insert(call, insertion, add);
}

uint64_t LimitOf(const Plan& plan) {
  if (plan.max_bytes == 0 || settings.max_bytes == 0) {
    return plan.max_bytes + settings.max_bytes;
  }
  return std::min(plan.max_bytes, settings.max_bytes);
}

uint64_t MaxBytes(const Call& call, const Value& value) {
  const uint64_t limit = LimitOf(value.plan());
  return limit == 0 || call.IsReplicated() ? 0 : limit;
}

void HashesAhead::Fill() {
  used_ = 0;
  for (count_ = 0; count_ < hashes_.size() && next_ < call_.size(); ++count_) {
    hashes_[count_] = value_.Hash(call_[next_++]);
    value_.filter().Prefetch(hashes_[count_]);
  }
}

std::vector<KeyHash> HashesOf(const Call& call, const Value& value, int first) {
  std::vector<KeyHash> hashes;
  hashes.reserve(static_cast<size_t>(call.size() - first));
  for (int i = first; i < call.size(); ++i) {
    hashes.push_back(value.Hash(call[i]));
  }
  return hashes;
}

}  // namespace tamis::redis
