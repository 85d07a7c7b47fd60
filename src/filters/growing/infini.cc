#include "tamis/infini.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "filters/growing/threshold.h"

namespace tamis {
namespace {

using internal::PrefixTable;

constexpr uint64_t kNoHome = ~uint64_t{0};
constexpr size_t kChunk = 512;  // keys of a batch that ask the chain at once

// The entries that a table may hold at most: fuller, inserts are too slow.
uint64_t MostEntries(uint64_t homes) { return homes - homes / 50; }

}  // namespace

uint64_t InfiniFilter::KeyLimit(uint64_t homes, uint64_t copies) const {
  const uint64_t limit = internal::ThresholdLimit(options_.threshold, homes);
  const uint64_t left = limit - std::min(copies, limit);
  const uint64_t room =
      MostEntries(homes) - std::min(copies, MostEntries(homes));
  return std::min(room, std::max({left, limit / 2, uint64_t{1}}));
}

Status InfiniFilter::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (size_ >= KeyLimit(active_.homes(), Copies())) {
    TAMIS_RETURN_IF_ERROR(Expand());
  }
  TAMIS_RETURN_IF_ERROR(active_.Insert(active_.Read(hash)));
  ++size_;
  return {};
}

void InfiniFilter::MayContain(std::span<const KeyHash> hashes,
                              std::span<bool> results) const {
  active_.MayContain(hashes, results);
  if (chain_.empty() || Duplicates()) return;
  for (size_t begin = 0; begin < hashes.size(); begin += kChunk) {
    const size_t count = std::min(kChunk, hashes.size() - begin);
    AskChain(hashes.subspan(begin, count), results.subspan(begin, count));
  }
}

// Asks the chain for those keys of a chunk that are still missing and pass the
// screen.
void InfiniFilter::AskChain(std::span<const KeyHash> hashes,
                            std::span<bool> results) const {
  std::array<KeyHash, kChunk> passed;
  std::array<uint16_t, kChunk> places;
  size_t count = 0;
  for (size_t i = 0; i < hashes.size(); ++i) {
    // Written always, counted if needed: no branch to mispredict.
    passed[count] = hashes[i];
    places[count] = static_cast<uint16_t>(i);
    count += static_cast<size_t>(!results[i]) &
             static_cast<size_t>(screen_.MayContain(hashes[i]));
  }
  std::array<bool, kChunk> found;
  for (const PrefixTable& table : chain_) {
    table.MayContain(std::span(passed).first(count), found);
    for (size_t i = 0; i < count; ++i) results[places[i]] |= found[i];
  }
}

uint64_t InfiniFilter::CountDuplicates(uint64_t home, int generation) const {
  uint64_t count = 0;
  for (const PrefixTable& table : chain_) {
    count += table.CountMatches(table.ReadHome(home, generation));
  }
  return count;
}

uint64_t InfiniFilter::NumDuplicates() const {
  uint64_t count = 0;
  for (const PrefixTable& table : chain_) {
    for (int r = table.generation(); Duplicates() && r < generation(); ++r) {
      count += table.entries_of(r) << (generation() - r);
    }
  }
  return count;
}

bool InfiniFilter::IsDuplicate(const PrefixTable::Match& match) const {
  if (!Duplicates() || match.length > 0) return false;
  return active_.CountVoids(match.home) <=
         CountDuplicates(match.home, generation());
}

std::optional<InfiniFilter::ChainMatch> InfiniFilter::FindInChain(
    KeyHash hash) const {
  for (size_t i = 0; i < chain_.size(); ++i) {
    const auto match = chain_[i].FindLongest(chain_[i].Read(hash));
    if (match) return ChainMatch{i, *match};
  }
  return std::nullopt;
}

void InfiniFilter::EraseFromChain(const ChainMatch& found, uint64_t keep) {
  PrefixTable& table = chain_[found.index];
  if (Duplicates()) {
    const int copied = generation() - table.Resolution(found.match);
    const uint64_t first = table.PrefixOf(found.match) << copied;
    for (uint64_t i = 0; i < uint64_t{1} << copied; ++i) {
      if (first + i != keep) active_.EraseVoid(first + i);
    }
  }
  table.Erase(found.match);
  if (table.size() == 0) {
    chain_.erase(chain_.begin() + static_cast<ptrdiff_t>(found.index));
  }
}

Status InfiniFilter::Erase(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  const auto match = active_.FindLongest(active_.Read(hash));
  if (match && !IsDuplicate(*match)) {
    active_.Erase(*match);
  } else {
    const auto found = FindInChain(hash);
    if (!found) {
      return {StatusCode::kNotFound, "no such fingerprint in the filter"};
    }
    EraseFromChain(*found, kNoHome);
  }
  --size_;
  ContractIfSparse();
  return {};
}

void InfiniFilter::ContractIfSparse() {
  // Where memory for the smaller table is lacking, the larger one stays.
  if (generation() > 0 && size_ <= KeyLimit(active_.homes(), Copies()) / 4) {
    (void)Contract().ok();
  }
}

Status InfiniFilter::Rejuvenate(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  return RejuvenateSorted(std::span(&hash, 1));
}

Status InfiniFilter::Rejuvenate(std::span<const KeyHash> hashes) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  std::vector<KeyHash> sorted(hashes.begin(), hashes.end());
  std::sort(sorted.begin(), sorted.end());
  return RejuvenateSorted(sorted);
}

// Of n members whose whole fingerprints are equal, each has a prefix of it in
// the filter.  After it the n longest are whole, and whoever owned one of them
// takes a shorter one instead: no member is without.
Status InfiniFilter::RejuvenateSorted(std::span<const KeyHash> sorted) {
  for (size_t i = 0; i < sorted.size();) {
    const PrefixTable::Query query = active_.Read(sorted[i]);
    uint64_t whole = active_.CountEqual(query.home, query.string | 1);
    for (; i < sorted.size() && active_.Read(sorted[i]) == query; ++i) {
      if (whole > 0) {
        --whole;
      } else {
        TAMIS_RETURN_IF_ERROR(RejuvenateShorter(sorted[i], query));
      }
    }
  }
  return {};
}

Status InfiniFilter::RejuvenateShorter(KeyHash hash,
                                       const PrefixTable::Query& query) {
  const auto match = active_.FindLongest(query, active_.bits() - 1);
  if (match && !IsDuplicate(*match)) {
    active_.Lengthen(*match, query);
    return {};
  }
  const auto found = FindInChain(hash);
  if (!found) {
    return {StatusCode::kNotFound, "no such fingerprint in the filter"};
  }
  if (Duplicates()) {
    active_.Lengthen(*match, query);
    EraseFromChain(*found, query.home);
  } else {
    TAMIS_RETURN_IF_ERROR(active_.Insert(query));
    EraseFromChain(*found, kNoHome);
  }
  return {};
}

uint64_t InfiniFilter::SizeBits() const {
  uint64_t bits = active_.SizeBits() + screen_.SizeBits();
  if (Duplicates()) return bits;
  for (const PrefixTable& table : chain_) bits += table.SizeBits();
  return bits;
}

double InfiniFilter::ExpectedFpr() const {
  // An entry of resolution r matches a random key with probability 2^-r / m0.
  double log_none = 0;
  const auto add = [&](const PrefixTable& table) {
    for (int r = table.generation(); r <= internal::kMaxResolution; ++r) {
      const auto count = static_cast<double>(table.entries_of(r));
      const double match =
          std::ldexp(1.0, -r) / static_cast<double>(generations().first_homes);
      if (count > 0) log_none += count * std::log1p(-match);
    }
  };
  add(active_);
  if (!Duplicates()) std::for_each(chain_.begin(), chain_.end(), add);
  return 0 - std::expm1(log_none);  // without entries 0, and not -0
}

FilterStats InfiniFilter::stats() const {
  FilterStats stats;
  stats.size = size();
  stats.capacity = capacity();
  stats.size_bits = SizeBits();
  stats.expected_fpr = ExpectedFpr();
  uint64_t chain_entries = 0;
  for (const PrefixTable& table : chain_) {
    chain_entries += table.size();
    if (Duplicates()) stats.side_bits += table.SizeBits();
  }
  stats.details = {{"load", active_.load()},
                   {"expansions", generation()},
                   {"fingerprint_bits", active_.bits()},
                   {"voids", static_cast<double>(active_.num_voids())},
                   {"chain_tables", static_cast<double>(chain_.size())},
                   {"chain_entries", static_cast<double>(chain_entries)}};
  return stats;
}

}  // namespace tamis
