#include "filters/growing/chain.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "filters/growing/parameters.h"
#include "filters/growing/threshold.h"
#include "tamis/internal/filters/growing/generations.h"

namespace tamis {

using internal::Snapshot;

namespace {

constexpr std::array<std::string_view, 3> kNames = {"chain-linear", "chain",
                                                    "chain-growing"};
constexpr uint64_t kMaxLinks = uint64_t{1} << 32;

Result<ChainFilter::Options> ChainOptionsFrom(const Spec& spec,
                                              uint64_t slots) {
  const ParameterReader read(spec, internal::kSlotFilterParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());
  TAMIS_ASSIGN_OR_RETURN(const int bits, read.Int("f"));
  TAMIS_ASSIGN_OR_RETURN(const double threshold, read.Number("threshold"));
  const auto* name = std::find(kNames.begin(), kNames.end(), spec.name());
  if (name == kNames.end()) {
    return Status(StatusCode::kInvalidArgument,
                  "'" + spec.name() + "' is no chain of filters");
  }
  return ChainFilter::Options{
      .slots = slots,
      .fingerprint_bits = bits,
      .growth = static_cast<ChainFilter::Growth>(name - kNames.begin()),
      .threshold = threshold};
}

}  // namespace

Rsqf::Options ChainFilter::LinkOptions(uint64_t number) const {
  Rsqf::Options link = {.slots = options_.slots,
                        .remainder_bits = options_.fingerprint_bits};
  if (options_.growth != Growth::kLinear) link.slots <<= number;
  if (options_.growth == Growth::kGrowing) {
    link.remainder_bits =
        std::min(internal::kMaxSlotBits,
                 link.remainder_bits + internal::AddedBits(number));
  }
  return link;
}

Status ChainFilter::AddLink(uint64_t number) {
  const bool doubles = options_.growth != Growth::kLinear;
  if (number >= kMaxLinks ||
      (doubles &&
       (number > 55 || options_.slots > (uint64_t{1} << 55) >> number))) {
    return {StatusCode::kFull, "link " + std::to_string(number) +
                                   " would have more than 2^55 slots"};
  }
  TAMIS_ASSIGN_OR_RETURN(Rsqf filter,
                         Rsqf::Create(LinkOptions(number), hasher_));
  links_.insert(links_.begin(), Link{number, std::move(filter)});
  return {};
}

Result<ChainFilter> ChainFilter::Create(const Options& options,
                                        const Hasher& hasher) {
  TAMIS_RETURN_IF_ERROR(internal::CheckThreshold(options.threshold));
  ChainFilter chain(options, hasher);
  TAMIS_ASSIGN_OR_RETURN(Rsqf first,
                         Rsqf::Create(chain.LinkOptions(0), hasher));
  chain.links_.push_back(Link{0, std::move(first)});
  return chain;
}

Result<ChainFilter> ChainFilter::Create(const Spec& spec, uint64_t slots,
                                        const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Options options, ChainOptionsFrom(spec, slots));
  return Create(options, hasher);
}

Spec ChainFilter::spec() const {
  const std::string_view name = kNames[static_cast<size_t>(options_.growth)];
  Spec spec{std::string(name)};
  spec.Set("f", static_cast<uint64_t>(options_.fingerprint_bits));
  internal::AddThreshold(spec, options_.threshold);
  return spec;
}

Snapshot ChainFilter::ToSnapshot() const {
  Snapshot snapshot(WithDefaults(spec(), internal::kSlotFilterParameters),
                    hasher_);
  snapshot.AddNumber("slots", options_.slots);
  snapshot.AddNumber("links", links_.size());
  for (size_t i = 0; i < links_.size(); ++i) {
    const std::string suffix = "." + std::to_string(i);
    const Rsqf& filter = links_[i].filter;
    snapshot.AddNumber("number" + suffix, links_[i].number);
    snapshot.AddNumber("size" + suffix, filter.size());
    snapshot.AddArray("lines" + suffix, filter.table().lines());
  }
  return snapshot;
}

Result<ChainFilter> ChainFilter::FromSnapshot(const Snapshot& snapshot,
                                              const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots,
                         snapshot.Number("slots", 1, uint64_t{1} << 55));
  TAMIS_ASSIGN_OR_RETURN(const Options options,
                         ChainOptionsFrom(snapshot.spec(), slots));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t links,
                         snapshot.Number("links", 1, kMaxLinks));
  ChainFilter chain(options, snapshot.hasher());
  for (uint64_t i = 0; i < links; ++i) {
    const std::string suffix = "." + std::to_string(i);
    const uint64_t most = options.growth == Growth::kLinear ? kMaxLinks : 55;
    TAMIS_ASSIGN_OR_RETURN(const uint64_t number,
                           snapshot.Number("number" + suffix, 0, most));
    if (options.growth != Growth::kLinear &&
        slots > (uint64_t{1} << 55) >> number) {
      return Status(StatusCode::kCorrupt,
                    "link " + std::to_string(number) + " is too large");
    }
    const Rsqf::Options link = chain.LinkOptions(number);
    TAMIS_ASSIGN_OR_RETURN(const uint64_t size,
                           snapshot.Number("size" + suffix));
    TAMIS_ASSIGN_OR_RETURN(const auto lines, snapshot.Array("lines" + suffix));
    Snapshot part(
        Spec("rsqf").Set("r", static_cast<uint64_t>(link.remainder_bits)),
        snapshot.hasher());
    part.AddNumber("slots", link.slots);
    part.AddNumber("size", size);
    part.AddArray("lines", lines);
    part.set_owner(snapshot.owner());
    TAMIS_ASSIGN_OR_RETURN(
        Rsqf filter,
        Rsqf::FromSnapshot(part, {.check_invariants = false, .map = load.map}));
    chain.size_ += filter.size();
    chain.links_.push_back(Link{number, std::move(filter)});
  }
  return internal::CheckedIfAsked(std::move(chain), load);
}

uint64_t ChainFilter::Limit(const Rsqf& link) const {
  return internal::ThresholdLimit(options_.threshold, link.capacity());
}

uint64_t ChainFilter::capacity() const {
  const Rsqf& newest = links_.front().filter;
  return size_ - newest.size() + std::max(newest.size(), Limit(newest));
}

Status ChainFilter::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  const Rsqf& newest = links_.front().filter;
  if (newest.size() >= Limit(newest)) TAMIS_RETURN_IF_ERROR(Expand());
  TAMIS_RETURN_IF_ERROR(links_.front().filter.Insert(hash));
  ++size_;
  return {};
}

void ChainFilter::MayContain(std::span<const KeyHash> hashes,
                             std::span<bool> results) const {
  constexpr size_t kChunk = 1024;
  std::array<bool, kChunk> more;
  links_.front().filter.MayContain(hashes, results);
  for (size_t link = 1; link < links_.size(); ++link) {
    for (size_t begin = 0; begin < hashes.size(); begin += kChunk) {
      const size_t count = std::min(kChunk, hashes.size() - begin);
      links_[link].filter.MayContain(hashes.subspan(begin, count), more);
      for (size_t i = 0; i < count; ++i) results[begin + i] |= more[i];
    }
  }
}

Status ChainFilter::Erase(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  for (size_t i = 0; i < links_.size(); ++i) {
    const Status status = links_[i].filter.Erase(hash);
    if (status.code() == StatusCode::kNotFound) continue;
    TAMIS_RETURN_IF_ERROR(status);
    --size_;
    FreeIfEmpty(i);
    return {};
  }
  return {StatusCode::kNotFound, "no such fingerprint in any link"};
}

void ChainFilter::FreeIfEmpty(size_t index) {
  if (links_[index].filter.size() > 0) return;
  if (size_ == 0 && links_.front().number != 0) {
    // All is erased: begin anew with the first link, if there is memory.
    if (AddLink(0).ok()) links_.erase(links_.begin() + 1, links_.end());
    return;
  }
  // The newest one stays as long as the next would soon be full again.
  const bool is_needed =
      index == 0 && (links_.size() == 1 ||
                     2 * links_[1].filter.size() > Limit(links_[1].filter));
  if (!is_needed) {
    links_.erase(links_.begin() + static_cast<ptrdiff_t>(index));
  }
}

Status ChainFilter::Expand() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  return AddLink(links_.front().number + 1);
}

Status ChainFilter::Contract() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (links_.size() == 1) {
    return {StatusCode::kUnsupported, "the chain has only one link"};
  }
  if (links_.front().filter.size() > 0) {
    return {StatusCode::kFull,
            "the newest link holds " +
                std::to_string(links_.front().filter.size()) + " keys"};
  }
  links_.erase(links_.begin());
  return {};
}

uint64_t ChainFilter::SizeBits() const {
  uint64_t bits = 0;
  for (const Link& link : links_) bits += link.filter.SizeBits();
  return bits;
}

double ChainFilter::ExpectedFpr() const {
  double none = 1;
  for (const Link& link : links_) none *= 1 - link.filter.ExpectedFpr();
  return 1 - none;
}

FilterStats ChainFilter::stats() const {
  FilterStats stats;
  stats.size = size();
  stats.capacity = capacity();
  stats.size_bits = SizeBits();
  stats.expected_fpr = ExpectedFpr();
  stats.details = {{"links", static_cast<double>(links_.size())}};
  return stats;
}

Status ChainFilter::CheckInvariants() const {
  uint64_t keys = 0;
  for (size_t i = 0; i < links_.size(); ++i) {
    TAMIS_RETURN_IF_ERROR(links_[i].filter.CheckInvariants());
    keys += links_[i].filter.size();
    if (i > 0 && links_[i].number >= links_[i - 1].number) {
      return {StatusCode::kCorrupt, "link " + std::to_string(i) +
                                        " is not older than the one before"};
    }
  }
  if (keys == size_) return {};
  return {StatusCode::kCorrupt, "the links hold " + std::to_string(keys) +
                                    " keys, size() is " +
                                    std::to_string(size_)};
}

}  // namespace tamis
