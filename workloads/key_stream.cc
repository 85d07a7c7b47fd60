#include "workloads/key_stream.h"

#include <array>
#include <limits>
#include <string>
#include <utility>

#include "tamis/hasher.h"
#include "tamis/internal/bits/words.h"
#include "workloads/firehose.h"
#include "workloads/flows.h"
#include "workloads/key_reader.h"
#include "workloads/random.h"
#include "workloads/uniform.h"
#include "workloads/zipf.h"

namespace tamis::workloads {
namespace {

using StreamResult = Result<std::unique_ptr<KeyStream>>;

constexpr uint64_t kAnyNumber = ~uint64_t{0};
constexpr double kMaxActiveExponent = 16;

// Carries any endless generator.
template <typename Generator>
class Endless final : public KeyStream {
 public:
  explicit Endless(Generator generator) : generator_(std::move(generator)) {}
  size_t Fill(std::span<uint64_t> keys) override {
    for (uint64_t& key : keys) key = generator_.Next();
    return keys.size();
  }

 private:
  Generator generator_;
};

template <typename Generator>
StreamResult Carry(Generator generator) {
  return std::unique_ptr<KeyStream>(
      std::make_unique<Endless<Generator>>(std::move(generator)));
}

class DistinctStream {
 public:
  explicit DistinctStream(uint64_t seed) : seed_(seed) {}
  uint64_t Next() { return DistinctKey(seed_, index_++); }

 private:
  uint64_t seed_;
  uint64_t index_ = 0;
};

Result<uint64_t> SeedOf(const Spec& spec) {
  return spec.Integer("seed", 1, 0, kAnyNumber);
}

// The original generators keep their state in 32 bits.
Result<uint32_t> FirehoseSeedOf(const Spec& spec) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t seed,
                         spec.Integer("seed", kFirehoseSeed, 0,
                                      std::numeric_limits<uint32_t>::max()));
  return static_cast<uint32_t>(seed);
}

Result<bool> ScrambleOf(const Spec& spec) {
  TAMIS_ASSIGN_OR_RETURN(const size_t choice,
                         spec.Choice("scramble", {"yes", "no"}));
  return choice == 0;
}

StreamResult MakeActiveSet(const Spec& spec) {
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"seed", "exponent"}));
  ActiveSetStream::Options options;
  TAMIS_ASSIGN_OR_RETURN(options.seed, FirehoseSeedOf(spec));
  TAMIS_ASSIGN_OR_RETURN(options.exponent,
                         spec.Number("exponent", options.exponent,
                                     -kMaxActiveExponent, kMaxActiveExponent));
  return Carry(ActiveSetStream(options));
}

StreamResult MakePowerLaw(const Spec& spec) {
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"seed"}));
  TAMIS_ASSIGN_OR_RETURN(const uint32_t seed, FirehoseSeedOf(spec));
  return Carry(PowerLawStream(seed));
}

StreamResult MakeZipf(const Spec& spec) {
  TAMIS_RETURN_IF_ERROR(
      spec.ExpectOnly({"seed", "exponent", "universe", "scramble"}));
  ZipfStream::Options options;
  TAMIS_ASSIGN_OR_RETURN(options.seed, SeedOf(spec));
  TAMIS_ASSIGN_OR_RETURN(
      options.exponent,
      spec.Number("exponent", options.exponent, 0, ZipfStream::kMaxExponent));
  TAMIS_ASSIGN_OR_RETURN(
      options.universe,
      spec.Integer("universe", options.universe, 1, ZipfStream::kMaxUniverse));
  TAMIS_ASSIGN_OR_RETURN(options.scramble, ScrambleOf(spec));
  return Carry(ZipfStream(options));
}

StreamResult MakeUniform(const Spec& spec) {
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"seed", "universe", "scramble"}));
  UniformStream::Options options;
  TAMIS_ASSIGN_OR_RETURN(options.seed, SeedOf(spec));
  TAMIS_ASSIGN_OR_RETURN(options.universe,
                         spec.Integer("universe", 0, 0, kAnyNumber));
  TAMIS_ASSIGN_OR_RETURN(options.scramble, ScrambleOf(spec));
  return Carry(UniformStream(options));
}

StreamResult MakeFlows(const Spec& spec) {
  constexpr double kLeast = 0.1, kMostTail = 10, kMostDuration = 1e9;
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"seed", "tail", "duration"}));
  FlowStream::Options options;
  TAMIS_ASSIGN_OR_RETURN(options.seed, SeedOf(spec));
  TAMIS_ASSIGN_OR_RETURN(options.tail,
                         spec.Number("tail", options.tail, kLeast, kMostTail));
  TAMIS_ASSIGN_OR_RETURN(
      options.duration,
      spec.Number("duration", options.duration, kLeast, kMostDuration));
  return Carry(FlowStream(options));
}

template <typename Generator>
StreamResult MakeSeeded(const Spec& spec) {
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"seed"}));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t seed, SeedOf(spec));
  return Carry(Generator(seed));
}

// The keys of a file, as integers.
class ReplayStream final : public KeyStream {
 public:
  ReplayStream(std::unique_ptr<KeyReader> reader, bool integers)
      : reader_(std::move(reader)), integers_(integers) {}
  size_t Fill(std::span<uint64_t> keys) override {
    size_t count = 0;
    while (count < keys.size() && reader_->Next()) {
      keys[count++] = integers_ ? internal::LoadWord(reader_->key().data())
                                : hasher_.Hash(reader_->key()).high;
    }
    return count;
  }
  Status status() const override { return reader_->status(); }

 private:
  std::unique_ptr<KeyReader> reader_;
  bool integers_;
  Hasher hasher_{Seed{}};
};

StreamResult MakeReplay(const Spec& spec) {
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"file", "format"}));
  TAMIS_ASSIGN_OR_RETURN(const std::string path, spec.Text("file"));
  KeyFormat format = DetectKeyFormat(path);
  if (spec.Has("format")) {
    TAMIS_ASSIGN_OR_RETURN(const std::string name, spec.Text("format"));
    TAMIS_ASSIGN_OR_RETURN(format, ParseKeyFormat(name));
  }
  TAMIS_ASSIGN_OR_RETURN(auto reader, OpenKeys(path, format));
  return std::unique_ptr<KeyStream>(std::make_unique<ReplayStream>(
      std::move(reader), format.encoding == KeyFormat::Encoding::kU64));
}

using Maker = StreamResult (*)(const Spec&);

constexpr auto kKinds = std::to_array<StreamKind>({
    {"firehose-active", "seed, exponent",
     "FireHose active set: keys trend and retire"},
    {"firehose-powerlaw", "seed", "FireHose power law over 100,000 keys"},
    {"zipf", "seed, exponent, universe, scramble",
     "rank k has a share proportional to k^-exponent"},
    {"uniform", "seed, universe, scramble", "every key equally likely"},
    {"flows", "seed, tail, duration",
     "packets of flows with heavy-tailed lengths"},
    {"distinct", "seed", "keys that never repeat"},
    {"replay", "file, format", "the keys of a file"},
});
constexpr std::array<Maker, kKinds.size()> kMakers = {
    MakeActiveSet, MakePowerLaw, MakeZipf,
    MakeUniform,   MakeFlows,    MakeSeeded<DistinctStream>,
    MakeReplay,
};

}  // namespace

std::span<const StreamKind> StreamKinds() { return kKinds; }

Result<std::unique_ptr<KeyStream>> MakeStream(const Spec& spec) {
  std::string known;
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i].name == spec.name()) return kMakers[i](spec);
    known += (i == 0 ? "" : ", ") + std::string(kKinds[i].name);
  }
  return Status(StatusCode::kInvalidArgument,
                "unknown workload '" + spec.name() + "'; known are " + known);
}

Result<std::unique_ptr<KeyStream>> MakeStream(std::string_view spec) {
  TAMIS_ASSIGN_OR_RETURN(const Spec parsed, Spec::Parse(spec));
  return MakeStream(parsed);
}

Result<std::vector<uint64_t>> TakeKeys(std::string_view spec, uint64_t count) {
  TAMIS_ASSIGN_OR_RETURN(const auto stream, MakeStream(spec));
  std::vector<uint64_t> keys(count);
  const size_t got = stream->Fill(keys);
  TAMIS_RETURN_IF_ERROR(stream->status());
  if (got == count) return keys;
  return Status(StatusCode::kInvalidArgument,
                std::string(spec) + " ended after " + std::to_string(got) +
                    " keys; wanted " + std::to_string(count));
}

}  // namespace tamis::workloads
