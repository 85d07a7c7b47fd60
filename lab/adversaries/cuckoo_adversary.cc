#include "lab/adversaries/cuckoo_adversary.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

namespace tamis::workloads {
namespace {

constexpr int kFinalQueries = 100;

void Shuffle(std::vector<KeyHash>& keys, Random& random) {
  for (uint64_t i = keys.size(); i > 1; --i) {
    std::swap(keys[i - 1], keys[random.Below(i)]);
  }
}

// Asks all of `keys` in order; says whether each was a false positive.
bool AskAll(AdaptivityGame& game, const std::vector<KeyHash>& keys) {
  bool all = true;
  for (const KeyHash key : keys) all &= game.Ask(key);
  return all;
}

// Ends the game: names the first of `keys`, then goes on asking them in turn,
// since each query moves the member on to where the next of them finds it.
GameResult Name(AdaptivityGame& game, const std::vector<KeyHash>& keys) {
  GameResult result{
      .named = true, .tried = game.drawn(), .asked = game.asked()};
  int hits = 0;
  for (size_t i = 0; i < kFinalQueries; ++i) {
    const bool hit = game.Ask(keys[i % keys.size()]);
    if (i == 0) result.won = hit;
    hits += hit;
  }
  result.sustained = static_cast<double>(hits) / kFinalQueries;
  return result;
}

// Preliminary and testing rounds: returns the keys that were false positives
// in a testing round.
std::vector<KeyHash> FindCandidates(AdaptivityGame& game,
                                    const MutuallyUnfixableOptions& options,
                                    Random& random) {
  std::vector<KeyHash> all(options.set_size);
  for (KeyHash& key : all) key = game.Draw();
  std::vector<KeyHash> candidates;
  for (int round = 0; round < 2 * options.k; ++round) {
    Shuffle(all, random);
    for (const KeyHash key : all) {
      if (game.Ask(key) && round >= options.k) candidates.push_back(key);
    }
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()),
                   candidates.end());
  return candidates;
}

// The number of ordered choices of k out of n.
uint64_t Permutations(uint64_t n, uint64_t k) {
  uint64_t product = 1;
  for (uint64_t i = 0; i < k; ++i) product *= n - i;
  return product;
}

}  // namespace

bool AdaptivityGame::Ask(KeyHash hash) {
  ++asked_;
  if (!filter_.MayContain(hash)) return false;
  ++false_positives_;
  // Whether it was mended is for the next query to show.
  (void)filter_.Adapt(hash).ok();
  return true;
}

GameResult RepeatedQueryAdversary(AnyFilter& filter, uint64_t repeats,
                                  uint64_t tries, uint64_t seed) {
  AdaptivityGame game(filter, seed);
  for (uint64_t i = 0; i < tries; ++i) {
    const KeyHash key = game.Draw();
    uint64_t hits = 0;
    while (hits < repeats && game.Ask(key)) ++hits;
    if (hits == repeats) return Name(game, {key});
  }
  return {.tried = game.drawn(), .asked = game.asked()};
}

GameResult MutuallyUnfixableAdversary(AnyFilter& filter,
                                      const MutuallyUnfixableOptions& options) {
  assert(options.k >= 2);
  const auto k = static_cast<uint64_t>(options.k);
  AdaptivityGame game(filter, options.seed);
  Random random(options.seed);
  std::vector<KeyHash> candidates = FindCandidates(game, options, random);
  const uint64_t most = options.max_found == 0 ? 16 * k : options.max_found;
  const uint64_t found = candidates.size();
  if (found < k || found > most) {
    return {.tried = game.drawn(), .asked = game.asked(), .found = found};
  }
  // Twice as many rounds as there are orders, since they are drawn at random.
  for (uint64_t round = 2 * Permutations(found, k); round > 0; --round) {
    Shuffle(candidates, random);
    const std::vector<KeyHash> chosen(
        candidates.begin(), candidates.begin() + static_cast<int64_t>(k));
    if (AskAll(game, chosen) && AskAll(game, chosen)) {
      GameResult result = Name(game, chosen);
      result.found = found;
      return result;
    }
  }
  return {.tried = game.drawn(), .asked = game.asked(), .found = found};
}

uint64_t SmallSetFalsePositives(AnyFilter& filter, uint64_t set_size,
                                uint64_t queries, uint64_t seed) {
  AdaptivityGame game(filter, seed);
  Random random(seed);
  std::vector<KeyHash> set(set_size);
  for (KeyHash& key : set) key = game.Draw();
  for (uint64_t i = 0; i < queries; ++i) game.Ask(set[random.Below(set_size)]);
  return game.false_positives();
}

}  // namespace tamis::workloads
