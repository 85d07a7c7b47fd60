#include "tools/demo/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/hasher.h"
#include "tools/bench/batches.h"
#include "tools/bench/bench_keys.h"
#include "tools/common/cpu_time.h"
#include "tools/common/statistics.h"

namespace tamis::tools {
namespace {

constexpr double kLoad = 0.95;
constexpr double kReadMicroseconds = 100;  // a random read from a fast disk

// Groups digits by three: 4,000,000.
std::string Grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string Seconds(double seconds) {
  if (seconds >= 100) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.0f} ms", 1000 * seconds);
}

// How long the same hashes take, asked for in two ways.
struct Answers {
  uint64_t found;
  double one_by_one_ns;
  double batched_ns;
};

Answers Ask(const AnyFilter& filter, std::span<const KeyHash> hashes) {
  Answers answers{};
  answers.one_by_one_ns = NanosecondsPer(
      hashes.size(), [&] { answers.found = filter.CountEach(hashes); });
  answers.batched_ns =
      NanosecondsPer(hashes.size(), [&] { AskInBatches(filter, hashes); });
  return answers;
}

std::string SpeedLine(const Answers& answers) {
  return fmt::format(
      "   {:.1f} ns per look-up one by one, {:.1f} ns in batches\n",
      answers.one_by_one_ns, answers.batched_ns);
}

Result<AnyFilter> Build(const DemoOptions& options,
                        std::span<const KeyHash> members, const Hasher& hasher,
                        std::ostream& out) {
  const auto slots =
      static_cast<uint64_t>(static_cast<double>(members.size()) / kLoad) + 1;
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         AnyFilter::Create(options.filter, slots, hasher));
  Status status;
  const double ns = NanosecondsPer(
      members.size(), [&] { status = filter.InsertEach(members); });
  TAMIS_RETURN_IF_ERROR(status);
  const double megabytes = static_cast<double>(filter.SizeBits()) / 8e6;
  out << fmt::format(
      "1. Build {} from {} keys\n"
      "   {} in all, {:.0f} ns per key\n"
      "   {:.1f} MB, {:.2f} bits per key (the keys, at 8 bytes, take {:.0f} "
      "MB)\n\n",
      filter.spec().ToString(), Grouped(members.size()),
      Seconds(ns * static_cast<double>(members.size()) * 1e-9), ns, megabytes,
      filter.stats().BitsPerKey(), static_cast<double>(members.size()) * 8e-6);
  return filter;
}

Status AskForMembers(const AnyFilter& filter, std::span<const KeyHash> members,
                     std::ostream& out) {
  const Answers answers = Ask(filter, members);
  out << fmt::format(
             "2. Ask for the keys that are in it\n"
             "   {} of {} found: a member is never missed\n",
             Grouped(answers.found), Grouped(members.size()))
      << SpeedLine(answers) << '\n';
  if (answers.found == members.size()) return {};
  return {StatusCode::kCorrupt, fmt::format("{} members are not found",
                                            members.size() - answers.found)};
}

double AskForAbsentKeys(const AnyFilter& filter,
                        std::span<const KeyHash> absent, std::ostream& out) {
  const Answers answers = Ask(filter, absent);
  const double rate =
      static_cast<double>(answers.found) / static_cast<double>(absent.size());
  const double theory = filter.ExpectedFpr();
  out << fmt::format(
             "3. Ask for keys that are not in it\n"
             "   {} of {} pass by mistake (false positives)\n"
             "   rate {:.4f} %, by theory {:.4f} %: {:+.1f} standard "
             "deviations\n",
             Grouped(answers.found), Grouped(absent.size()), 100 * rate,
             100 * theory,
             (rate - theory) / ShareDeviation(theory, absent.size()))
      << SpeedLine(answers) << '\n';
  return rate;
}

void PrintSavings(double rate, uint64_t queries, std::ostream& out) {
  const double all = static_cast<double>(queries) * kReadMicroseconds * 1e-6;
  out << fmt::format(
      "4. What that is worth\n"
      "   If each answer \"maybe\" costs a read of {:.0f} us, these {} "
      "look-ups cost\n"
      "   {:>8} without the filter\n"
      "   {:>8} with it: {:.2f} % of the reads are saved\n\n",
      kReadMicroseconds, Grouped(queries), Seconds(all), Seconds(rate * all),
      100 * (1 - rate));
}

// Adapts to every false positive among `absent`; returns how many there were.
Result<uint64_t> AdaptToAll(AnyFilter& filter,
                            std::span<const KeyHash> absent) {
  uint64_t mistakes = 0;
  for (const KeyHash hash : absent) {
    if (!filter.MayContain(hash)) continue;
    ++mistakes;
    TAMIS_RETURN_IF_ERROR(filter.Adapt(hash).status());
  }
  return mistakes;
}

Status LearnFromMistakes(AnyFilter& filter, std::span<const KeyHash> absent,
                         std::ostream& out) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t before, AdaptToAll(filter, absent));
  const uint64_t after = CountInBatches(filter, absent);
  out << fmt::format(
      "5. Learn from the mistakes\n"
      "   {} adapted to {} false positives; asked for the same "
      "keys again,\n"
      "   it now passes {}\n",
      filter.spec().ToString(), Grouped(before), Grouped(after));
  return {};
}

}  // namespace

Status RunDemo(const DemoOptions& options, std::ostream& out) {
  const Hasher hasher(Seed{options.seed, 0});
  TAMIS_ASSIGN_OR_RETURN(
      const BenchKeys keys,
      BenchKeys::Make(hasher, options.keys, options.keys, options.seed));
  const auto absent = keys.absent.hashes();
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         Build(options, keys.members.hashes(), hasher, out));
  TAMIS_RETURN_IF_ERROR(AskForMembers(filter, keys.members.hashes(), out));
  const double rate = AskForAbsentKeys(filter, absent, out);
  PrintSavings(rate, absent.size(), out);
  if (!filter.capabilities().adapt) return {};
  return LearnFromMistakes(filter, absent, out);
}

}  // namespace tamis::tools
