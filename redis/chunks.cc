#include "redis/chunks.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "redis/memory.h"
#include "redis/shape.h"

namespace tamis::redis {
namespace {

constexpr std::string_view kHeaderMagic = "TMSH";
constexpr std::string_view kChunkMagic = "TMSC";
constexpr uint64_t kVersion = 1;
constexpr size_t kNumberBytes = 8;
constexpr size_t kExtraBytes = 3 * kNumberBytes;
constexpr uint64_t kMaxNames = 1 << 24;

Status Corrupt(std::string what) {
  return {StatusCode::kCorrupt, std::move(what)};
}

// The low half of XXH3-128, seed 0.
uint64_t ChecksumOf(std::string_view text) {
  static const Hasher kHasher{Seed{}};
  return kHasher.Hash(text).low;
}

// Numbers are little-endian, whatever the machine.
void PutNumber(std::string& out, uint64_t value) {
  for (size_t i = 0; i < kNumberBytes; ++i) {
    out.push_back(static_cast<char>(value >> (8 * i)));
  }
}

void PutText(std::string& out, std::string_view text) {
  PutNumber(out, text.size());
  out.append(text);
}

uint64_t NumberAt(const void* bytes, size_t at) {
  const auto* begin = static_cast<const unsigned char*>(bytes) + at;
  uint64_t value = 0;
  for (size_t i = kNumberBytes; i > 0; --i) value = value << 8 | begin[i - 1];
  return value;
}
uint64_t NumberAt(std::string_view text, size_t at) {
  return NumberAt(text.data(), at);
}

// What every header begins with.
std::string BeginHeader(const Plan& plan, const Value::Counters& counters,
                        const Spec& spec, const Hasher& hasher) {
  std::string out(kHeaderMagic);
  PutNumber(out, kVersion);
  PutNumber(out, static_cast<uint64_t>(plan.family));
  PutNumber(out, std::bit_cast<uint64_t>(plan.error));
  for (const uint64_t number :
       {plan.capacity, plan.expansion, plan.bucket_size, plan.max_iterations,
        plan.max_bytes, plan.shard, plan.num_shards, counters.num_deleted,
        counters.version}) {
    PutNumber(out, number);
  }
  PutText(out, spec.ToString());
  PutNumber(out, static_cast<uint64_t>(hasher.algorithm()));
  PutNumber(out, hasher.seed().low);
  PutNumber(out, hasher.seed().high);
  return out;
}

// Whether a command can have asked for this.
bool IsPossible(const Plan& plan) {
  if (!(plan.error > 0 && plan.error < 1) || plan.capacity == 0) return false;
  if (plan.family == Family::kCuckoo && plan.bucket_size == 0) return false;
  if (plan.num_shards == 0) return plan.shard == 0;
  return plan.family == Family::kAdaptive && plan.shard < plan.num_shards &&
         plan.num_shards <= kMaxShards;
}

std::string EndHeader(std::string header) {
  const uint64_t checksum = ChecksumOf(header);
  PutNumber(header, checksum);
  return header;
}

// Takes the checksum off the end of `text`; false if it is wrong.
bool TakeChecksum(std::string_view& text, uint64_t& checksum) {
  if (text.size() < kNumberBytes) return false;
  checksum = NumberAt(text, text.size() - kNumberBytes);
  text.remove_suffix(kNumberBytes);
  return ChecksumOf(text) == checksum;
}

}  // namespace

// ---- Out ------------------------------------------------------------------

std::string EmptyHeader(const Value& value) {
  const Shape shape = ShapeLike(value.plan(), value.filter().spec());
  std::string out =
      BeginHeader(value.plan(), {}, shape.spec, value.filter().hasher());
  PutNumber(out, shape.slots);
  PutNumber(out, 0);
  PutNumber(out, 0);
  PutNumber(out, 0);
  return EndHeader(std::move(out));
}

void Dump::Append(std::span<const std::byte> bytes) {
  parts_.push_back(bytes);
  payload_bytes_ += bytes.size();
}

Dump::Dump(const Value& value) {
  if (!value.is_complete()) {
    header_ = value.loader()->header();
    identity_ = NumberAt(header_, header_.size() - kNumberBytes);
    Append(value.loader()->received());
    return;
  }
  snapshot_ = value.filter().ToSnapshot();
  std::string out =
      BeginHeader(value.plan(), {value.num_deleted(), value.version()},
                  snapshot_->spec(), snapshot_->hasher());
  PutNumber(out, 0);
  PutNumber(out, snapshot_->numbers().size());
  for (const auto& number : snapshot_->numbers()) {
    PutText(out, number.name);
    PutNumber(out, number.value);
  }
  PutNumber(out, snapshot_->arrays().size());
  for (const auto& array : snapshot_->arrays()) {
    PutText(out, array.name);
    PutNumber(out, array.bytes.size());
    Append(array.bytes);
  }
  PutNumber(out, value.extra().size());
  for (const auto& [hash, copies] : value.extra()) {
    PutNumber(extra_, hash.high);
    PutNumber(extra_, hash.low);
    PutNumber(extra_, copies);
  }
  Append(std::as_bytes(std::span(extra_)));
  header_ = EndHeader(std::move(out));
  identity_ = NumberAt(header_, header_.size() - kNumberBytes);
}

std::string Dump::Chunk(uint64_t offset) const {
  std::string out;
  if (offset >= payload_bytes_) return out;
  const uint64_t limit = std::min(offset + kChunkBytes, payload_bytes_);
  out.reserve(limit - offset + 4 * kNumberBytes);
  out.append(kChunkMagic);
  PutNumber(out, identity_);
  PutNumber(out, offset);
  uint64_t begin = 0;  // of the part
  for (const auto& part : parts_) {
    const uint64_t end = begin + part.size();
    const uint64_t from = std::max(begin, offset);
    const uint64_t to = std::min(end, limit);
    if (from < to) {
      out.append(reinterpret_cast<const char*>(part.data()) + (from - begin),
                 to - from);
    }
    begin = end;
  }
  return EndHeader(std::move(out));
}

// ---- In -------------------------------------------------------------------

// Reads the fields of a header whose checksum is right; all lengths are checked
// all the same.
class HeaderReader {
 public:
  HeaderReader(std::string_view fields, Loader& to) : rest_(fields), to_(to) {}

  Status Read() {
    if (!rest_.starts_with(kHeaderMagic)) return Corrupt("no header");
    rest_.remove_prefix(kHeaderMagic.size());
    if (Number() != kVersion) return Corrupt("a version that we don't know");
    ReadPlan();
    TAMIS_RETURN_IF_ERROR(ReadHasher());
    to_.slots_ = Number();
    for (uint64_t left = Count(); left > 0 && !failed_; --left) {
      std::string name = Text();
      to_.numbers_.push_back({std::move(name), Number()});
    }
    for (uint64_t left = Count(); left > 0 && !failed_; --left) {
      std::string name = Text();
      const uint64_t size_bytes = Number();
      AddPayload(size_bytes, 1);
      to_.arrays_.push_back({std::move(name), size_bytes});
    }
    to_.num_extra_ = Number();
    AddPayload(to_.num_extra_, kExtraBytes);
    if (failed_ || !rest_.empty()) return Corrupt("a header of wrong length");
    return {};
  }

 private:
  void ReadPlan() {
    const uint64_t family = Number();
    failed_ |= family < 1 || family > 3;
    to_.plan_.family = static_cast<Family>(family);
    to_.plan_.error = std::bit_cast<double>(Number());
    for (uint64_t* number :
         {&to_.plan_.capacity, &to_.plan_.expansion, &to_.plan_.bucket_size,
          &to_.plan_.max_iterations, &to_.plan_.max_bytes, &to_.plan_.shard,
          &to_.plan_.num_shards, &to_.counters_.num_deleted,
          &to_.counters_.version}) {
      *number = Number();
    }
    failed_ |= !IsPossible(to_.plan_);
  }

  Status ReadHasher() {
    const std::string text = Text();
    const uint64_t algorithm = Number();
    const uint64_t low = Number();
    const uint64_t high = Number();
    if (failed_ || algorithm < 1 || algorithm > 2) return Corrupt("no hasher");
    TAMIS_ASSIGN_OR_RETURN(to_.spec_, Spec::Parse(text));
    if (!IsOurs(to_.plan_, to_.spec_)) return Corrupt("no filter of ours");
    to_.hasher_ = Hasher(static_cast<HashAlgorithm>(algorithm), {low, high});
    return {};
  }

  void AddPayload(uint64_t count, uint64_t each) {
    constexpr uint64_t kMax = uint64_t{1} << 48;
    failed_ |= count > kMax || to_.payload_bytes_ > kMax;
    if (!failed_) to_.payload_bytes_ += count * each;
  }

  uint64_t Number() {
    if (rest_.size() < kNumberBytes) {
      failed_ = true;
      return 0;
    }
    const uint64_t value = NumberAt(rest_, 0);
    rest_.remove_prefix(kNumberBytes);
    return value;
  }
  // How many fields follow: no more than there are bytes for.
  uint64_t Count() {
    const uint64_t count = Number();
    failed_ |= count > kMaxNames || count > rest_.size();
    return failed_ ? 0 : count;
  }
  std::string Text() {
    const uint64_t size = Number();
    if (failed_ || size > rest_.size()) {
      failed_ = true;
      return {};
    }
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }

  std::string_view rest_;
  Loader& to_;
  bool failed_ = false;
};

Result<Loader> Loader::Start(std::string_view header) {
  Loader loader;
  loader.header_ = header;
  if (!TakeChecksum(header, loader.identity_)) {
    return Corrupt("the header's checksum is wrong");
  }
  TAMIS_RETURN_IF_ERROR(HeaderReader(header, loader).Read());
  return loader;
}

Status Loader::Feed(std::string_view chunk) {
  uint64_t checksum = 0;
  if (!TakeChecksum(chunk, checksum) || !chunk.starts_with(kChunkMagic) ||
      chunk.size() < kChunkMagic.size() + 2 * kNumberBytes) {
    return Corrupt("the chunk's checksum is wrong");
  }
  chunk.remove_prefix(kChunkMagic.size());
  const uint64_t identity = NumberAt(chunk, 0);
  const uint64_t offset = NumberAt(chunk, kNumberBytes);
  chunk.remove_prefix(2 * kNumberBytes);
  if (identity != identity_) {
    return {StatusCode::kIncompatible, "the chunk is of another dump"};
  }
  if (offset != payload_.size()) {
    return {StatusCode::kIncompatible, "the chunk is not the next one"};
  }
  if (chunk.size() > payload_bytes_ - payload_.size()) {
    return {StatusCode::kFull, "the chunk is larger than what is missing"};
  }
  const auto bytes = std::as_bytes(std::span(chunk));
  payload_.insert(payload_.end(), bytes.begin(), bytes.end());
  return {};
}

void Loader::Unfeed(uint64_t size_bytes) {
  payload_.resize(payload_.size() - size_bytes);
}

uint64_t Loader::expected_bytes() const {
  return slots_ == 0 ? payload_bytes_ : BytesOf(plan_, ShapeLike(plan_, spec_));
}

Result<std::unique_ptr<Value>> Loader::Finish() const {
  auto value = std::make_unique<Value>(plan_, std::nullopt);
  const MemoryScope scope(value->account());
  if (slots_ != 0) {
    const Shape shape = ShapeLike(plan_, spec_);
    if (slots_ != shape.slots) return Corrupt("no such size");
    TAMIS_RETURN_IF_ERROR(CheckSize(plan_, shape));
    TAMIS_ASSIGN_OR_RETURN(Engine filter, Engine::Create(spec_, slots_, hasher_,
                                                         ReserveFor(plan_)));
    value->SetFilter(std::move(filter));
    return value;
  }
  internal::Snapshot snapshot(spec_, hasher_);
  for (const Number& number : numbers_) {
    snapshot.AddNumber(number.name, number.value);
  }
  std::span<const std::byte> rest(payload_);
  for (const Array& array : arrays_) {
    snapshot.AddArray(array.name, rest.first(array.size_bytes));
    rest = rest.subspan(array.size_bytes);
  }
  TAMIS_ASSIGN_OR_RETURN(Engine filter, Engine::FromSnapshot(snapshot, {}));
  Value::Copies extra;
  for (; !rest.empty(); rest = rest.subspan(kExtraBytes)) {
    const KeyHash hash = {NumberAt(rest.data(), 0),
                          NumberAt(rest.data(), kNumberBytes)};
    const uint64_t copies = NumberAt(rest.data(), 2 * kNumberBytes);
    if (!extra.emplace(hash, copies).second) return Corrupt("a hash twice");
  }
  value->SetFilter(std::move(filter));
  value->Restore(counters_, std::move(extra));
  TAMIS_RETURN_IF_ERROR(value->CheckCopies());
  return value;
}

}  // namespace tamis::redis
