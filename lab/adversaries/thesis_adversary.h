// The adversary of the telescoping filter's papers: it asks again what was a
// false positive before.
//
//   Q = random queries, none of them a member of S
//   round:  10 subrounds, in each of which every element of Q is queried (and
//           the filter told, by Adapt, when it was wrong)
//           then Q = those elements that were a false positive in this round
//   until a number of rounds is reached, or |Q| <= 1 % of |S|
//
//   |Q|  ####################            the filter wins: Q runs empty
//        ##
//        #
//        round 1  2  3
//
// The adversary wins with a Q of which every element errs at least once a
// round: the false positive rate is then 1/10 or more, for ever.  Two rates
// are kept for each round: overall, false positives per query; and
// element-wise, the share of Q's elements that erred at least once.
//
// A filter that does not adapt takes part too (nothing is told to it).
//
// Papers: Lee, McCauley, Singh, Stein, "Telescoping Filter", ESA 2021, section
// 6 (which stops at 1 %); and the thesis on adaptive quotient filters, section
// 6.2.3 (which runs all rounds; set stop_share = 0).

#ifndef TAMIS_LAB_ADVERSARIES_THESIS_ADVERSARY_H_
#define TAMIS_LAB_ADVERSARIES_THESIS_ADVERSARY_H_

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"
#include "workloads/random.h"

namespace tamis::workloads {

struct ThesisAdversaryOptions {
  uint64_t seed = 1;
  uint64_t members = 0;      // |S|
  uint64_t queries = 0;      // |Q| at the start
  int rounds = 10;           // at most
  int subrounds = 10;        // n in the thesis
  double stop_share = 0.01;  // stop when |Q| <= stop_share * |S|
};

// What happened in one round.
struct AdversaryRound {
  uint64_t queue_size = 0;       // |Q| at the start of the round
  uint64_t queries = 0;          // queue_size * subrounds
  uint64_t false_positives = 0;  // of those queries
  uint64_t erring = 0;           // elements wrong at least once
  uint64_t resets = 0;           // fixes that forgot earlier ones

  double OverallFpr() const { return Share(false_positives, queries); }
  double ElementFpr() const { return Share(erring, queue_size); }

 private:
  static double Share(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0
                      : static_cast<double>(part) / static_cast<double>(whole);
  }
};

// Inserts the set S of `options` into an empty filter.  Its keys and those of
// Q are images of different counters under one bijection: never equal.
template <typename F>
Status InsertAdversaryMembers(F& filter,
                              const ThesisAdversaryOptions& options) {
  for (uint64_t i = 0; i < options.members; ++i) {
    TAMIS_RETURN_IF_ERROR(
        filter.Insert(filter.hasher().Hash(DistinctKey(options.seed, i))));
  }
  return {};
}

// Plays against `filter`, which holds the set S of `options`, and returns what
// happened round by round.  F is any filter, or AnyFilter.
template <typename F>
Result<std::vector<AdversaryRound>> RunThesisAdversary(
    F& filter, const ThesisAdversaryOptions& options);

namespace internal_adversary {

struct Element {
  KeyHash hash;
  bool erred = false;
};

inline std::vector<Element> FirstQueue(const Hasher& hasher,
                                       const ThesisAdversaryOptions& options) {
  std::vector<Element> queue(options.queries);
  for (uint64_t i = 0; i < options.queries; ++i) {
    queue[i].hash = hasher.Hash(DistinctKey(options.seed, options.members + i));
  }
  return queue;
}

template <typename F>
concept Adapts = requires(F filter, KeyHash hash) {
  { filter.Adapt(hash) } -> std::same_as<Result<AdaptOutcome>>;
};

// Tells the filter of a false positive, if it wants to know.
template <typename F>
Status Tell(F& filter, KeyHash hash, AdversaryRound& round) {
  if constexpr (Adapts<F>) {
    const Result<AdaptOutcome> outcome = filter.Adapt(hash);
    if (outcome.ok()) {
      round.resets += *outcome == AdaptOutcome::kReset;
    } else if (outcome.status().code() != StatusCode::kUnsupported) {
      return outcome.status();
    }
  }
  return {};
}

// Queries every element once.
template <typename F>
Status RunSubround(F& filter, std::vector<Element>& queue,
                   AdversaryRound& round) {
  for (Element& element : queue) {
    ++round.queries;
    if (!filter.MayContain(element.hash)) continue;
    ++round.false_positives;
    round.erring += !element.erred;
    element.erred = true;
    TAMIS_RETURN_IF_ERROR(Tell(filter, element.hash, round));
  }
  return {};
}

// Keeps the elements that erred, to begin anew.
inline void Whittle(std::vector<Element>& queue) {
  std::erase_if(queue, [](const Element& element) { return !element.erred; });
  for (Element& element : queue) element.erred = false;
}

}  // namespace internal_adversary

template <typename F>
Result<std::vector<AdversaryRound>> RunThesisAdversary(
    F& filter, const ThesisAdversaryOptions& options) {
  namespace game = internal_adversary;
  std::vector<game::Element> queue = game::FirstQueue(filter.hasher(), options);
  const double stop_size =
      options.stop_share * static_cast<double>(options.members);
  std::vector<AdversaryRound> rounds;
  while (std::cmp_less(rounds.size(), options.rounds) && !queue.empty() &&
         static_cast<double>(queue.size()) > stop_size) {
    AdversaryRound& round = rounds.emplace_back();
    round.queue_size = queue.size();
    for (int i = 0; i < options.subrounds; ++i) {
      TAMIS_RETURN_IF_ERROR(game::RunSubround(filter, queue, round));
    }
    game::Whittle(queue);
  }
  return rounds;
}

}  // namespace tamis::workloads

#endif  // TAMIS_LAB_ADVERSARIES_THESIS_ADVERSARY_H_
