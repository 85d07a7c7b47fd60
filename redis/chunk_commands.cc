// SCANDUMP and LOADCHUNK of all families: a filter in pieces, out and in.
//
//   SCANDUMP key 0    ->  [1, header]
//   SCANDUMP key i    ->  [next, chunk], or [0, ""] at the end (CF: [0, nil])
//   LOADCHUNK key i p     each pair as it came, in order
//
// Until the last chunk has arrived, every answer is maybe; a chunk that is
// damaged, of another dump or out of order is refused, and changes nothing.

#include <memory>
#include <utility>

#include "redis/chunks.h"
#include "redis/commands.h"

namespace tamis::redis {
namespace {

// What goes wrong, in the words of each family.
struct Texts {
  const char* position;
  const char* header;
  const char* create;
  const char* offset;
  const char* size;
  const char* data;
};
constexpr Texts kBloomTexts = {"ERR Second argument must be numeric",
                               "ERR received bad data",
                               "ERR received bad data",
                               "ERR invalid offset - no link found",
                               "ERR invalid chunk - Too big for current filter",
                               "ERR received bad data"};
constexpr Texts kCuckooTexts = {
    "ERR Invalid position",        "ERR Invalid header",
    "ERR Couldn't create filter!", "ERR Couldn't load chunk!",
    "ERR Couldn't load chunk!",    "ERR Couldn't load chunk!"};

const Texts& TextsOf(Family family) {
  return family == Family::kCuckoo ? kCuckooTexts : kBloomTexts;
}

int End(const Call& call, Family family) {
  call.Array(2);
  call.Integer(0);
  return family == Family::kCuckoo ? call.Null() : call.Text("");
}

template <Family family>
int ScanDump(Call& call) {
  if (call.size() != 3) return call.WrongArity();
  const Target target(call, family, kRead);
  if (target.is_missing()) return call.Error("ERR not found");
  if (target.is_other_type()) return call.Error(kWrongType);
  const auto position = call.IntegerAt(2);
  if (!position) return call.Error(TextsOf(family).position);
  const Value& value = *target.value();
  const bool nothing =
      family == Family::kCuckoo && value.is_complete() && value.size() == 0;
  if (*position < 0 || nothing) return End(call, family);
  const Dump dump(value);
  if (*position == 0) {
    call.Array(2);
    call.Integer(1);
    return call.Text(dump.header());
  }
  const auto offset = static_cast<uint64_t>(*position - 1);
  const std::string chunk = dump.Chunk(offset);
  if (chunk.empty()) return End(call, family);
  const uint64_t end = std::min(offset + kChunkBytes, dump.payload_bytes());
  call.Array(2);
  call.Integer(static_cast<int64_t>(end + 1));
  return call.Text(chunk);
}

// Puts the complete filter into its place, in that of the loader or of whatever
// is there; a text if it is none.
using Place = void (Target::*)(std::unique_ptr<Value>);
const char* Finish(Target& target, const Loader& loader, Place place) {
  auto value = loader.Finish();
  if (!value.ok()) return TextsOf(loader.family()).create;
  (target.*place)(*std::move(value));
  ++counts.loaded;
  return nullptr;
}

const char* Start(const Call& call, Target& target, Family family) {
  if (family == Family::kCuckoo && !target.is_missing() &&
      !call.IsReplicated()) {
    return "ERR item exists";
  }
  auto loader = Loader::Start(call[3]);
  if (!loader.ok() || loader->family() != family) {
    return TextsOf(family).header;
  }
  const uint64_t limit = LimitOf(loader->plan());
  if (limit != 0 && loader->expected_bytes() > limit && !call.IsReplicated()) {
    return kNoMemory;
  }
  if (loader->is_complete()) return Finish(target, *loader, &Target::Set);
  target.Set(Value::Loading(std::make_unique<Loader>(*std::move(loader))));
  return nullptr;
}

const char* Continue(const Call& call, Target& target, Family family) {
  const Texts& texts = TextsOf(family);
  if (target.is_missing()) return "ERR not found";
  if (target->is_complete()) return texts.offset;
  Loader& loader = *target->loader();
  const uint64_t before = loader.received().size();
  {
    const MemoryScope scope(target->account());
    const Status fed = loader.Feed(call[3]);
    if (fed.code() == StatusCode::kIncompatible) return texts.offset;
    if (fed.code() == StatusCode::kFull) return texts.size;
    if (!fed.ok()) return texts.data;
  }
  if (!loader.is_complete()) return nullptr;
  const char* problem = Finish(target, loader, &Target::Replace);
  if (problem != nullptr) loader.Unfeed(loader.received().size() - before);
  return problem;
}

template <Family family>
int LoadChunk(Call& call) {
  if (call.size() != 4) return call.WrongArity();
  const auto position = call.IntegerAt(2);
  if (!position || *position < 1) return call.Error(TextsOf(family).position);
  Target target(call, family, kRead | kWrite);
  if (target.is_other_type()) return call.Error(kWrongType);
  const char* problem = *position == 1 ? Start(call, target, family)
                                       : Continue(call, target, family);
  if (problem != nullptr) return call.Error(problem);
  api.ReplicateVerbatim(call.context());
  return call.Ok();
}

}  // namespace

std::string LoadCommand(Family family) {
  return std::string(Prefix(family)) +
         (family == Family::kAdaptive ? ".LOAD" : ".LOADCHUNK");
}

CommandFunction const kBfScanDump = Run<ScanDump<Family::kBloom>>;
CommandFunction const kCfScanDump = Run<ScanDump<Family::kCuckoo>>;
CommandFunction const kAfDump = Run<ScanDump<Family::kAdaptive>>;
CommandFunction const kBfLoadChunk = Run<LoadChunk<Family::kBloom>>;
CommandFunction const kCfLoadChunk = Run<LoadChunk<Family::kCuckoo>>;
CommandFunction const kAfLoad = Run<LoadChunk<Family::kAdaptive>>;

}  // namespace tamis::redis
