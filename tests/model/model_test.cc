// The harness tests itself: it must accept a right filter and notice a wrong
// one, each kind of wrong.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "model/checked.h"
#include "model/exact_filter.h"
#include "model/random_operations.h"
#include "tamis/internal/filters/any_filter_model.h"
#include "tamis/serialize.h"

namespace tamis::testing {
namespace {

using internal::AnyFilterModel;

const Hasher kHasher(Seed{1, 2});

ExactFilter MakeExact(uint64_t slots, uint64_t bits = 12) {
  Spec spec("exact");
  spec.Set("bits", bits);
  return ExactFilter::Create(spec, slots, kHasher).value();
}

AnyFilter MakeAny(uint64_t slots) {
  return AnyFilter(
      std::make_unique<AnyFilterModel<ExactFilter>>(MakeExact(slots)));
}

// Returns hooks that make and reload through the format.
RandomHooks<ExactFilter> ExactHooks(uint64_t slots) {
  return {.make_empty = [=] { return Result<ExactFilter>(MakeExact(slots)); },
          .reload = [](const ExactFilter& filter) -> Result<ExactFilter> {
            TAMIS_ASSIGN_OR_RETURN(const auto bytes, Serialize(filter));
            return Deserialize<ExactFilter>(bytes);
          }};
}

// An ExactFilter with a fault, of the kind that its `Fault` says.
enum class Fault {
  kLosesInserts,
  kMiscounts,
  kLosesOnErase,
  kFalseFix,
  kFixesNothing,
};

template <Fault kFault>
class Broken : public ExactFilter {
 public:
  explicit Broken(ExactFilter filter) : ExactFilter(std::move(filter)) {}
  static Result<Broken> Create(const Spec& spec, uint64_t slots,
                               const Hasher& hasher) {
    TAMIS_ASSIGN_OR_RETURN(ExactFilter filter,
                           ExactFilter::Create(spec, slots, hasher));
    return Broken(std::move(filter));
  }
  static Result<Broken> FromSnapshot(const internal::Snapshot& snapshot,
                                     const LoadOptions& options = {}) {
    TAMIS_ASSIGN_OR_RETURN(ExactFilter filter,
                           ExactFilter::FromSnapshot(snapshot, options));
    return Broken(std::move(filter));
  }

  Status Insert(KeyHash hash) {
    last_ = hash;
    ++inserts_;
    return ExactFilter::Insert(hash);
  }
  Status Erase(KeyHash hash) {
    erased_ = true;
    return ExactFilter::Erase(hash);
  }
  using ExactFilter::MayContain;
  bool MayContain(KeyHash hash) const {
    const bool lost = (kFault == Fault::kLosesInserts && inserts_ > 100) ||
                      (kFault == Fault::kLosesOnErase && erased_);
    return !(lost && hash == last_) && ExactFilter::MayContain(hash);
  }
  Result<AdaptOutcome> Adapt(KeyHash hash) {
    if (kFault == Fault::kFalseFix) return AdaptOutcome::kFixed;
    if (kFault == Fault::kFixesNothing) return ExactFilter(*this).Adapt(hash);
    return ExactFilter::Adapt(hash);
  }
  uint64_t size() const {
    return ExactFilter::size() + (kFault == Fault::kMiscounts ? 1 : 0);
  }

 private:
  KeyHash last_;
  uint64_t inserts_ = 0;
  bool erased_ = false;
};

template <Fault kFault>
Status RunBroken() {
  using F = Broken<kFault>;
  static_assert(AdaptiveFilter<F> && ErasableFilter<F>);
  RandomOperations<F> operations(Checked<F>(F(MakeExact(1000))),
                                 RandomHooks<F>{});
  return operations.Run(SeededChoices(1), 1000);
}

TEST(RandomOperations, AcceptARightFilter) {
  uint64_t done[10] = {};
  for (uint64_t seed = 0; seed < 5; ++seed) {
    RandomOperations<ExactFilter> operations(
        Checked<ExactFilter>(MakeExact(300)), ExactHooks(300));
    const Status status = operations.Run(SeededChoices(seed), 1000);
    ASSERT_TRUE(status.ok()) << "seed " << seed << ", " << status.ToString();
    for (int i = 0; i < 10; ++i) {
      done[i] += operations.done(static_cast<Operation>(i));
    }
  }
  for (int i = 0; i < 10; ++i) {
    // Adapting to a member is refused each time.
    if (static_cast<Operation>(i) == Operation::kAdaptMember) continue;
    EXPECT_GT(done[i], 0u) << kOperationNames[static_cast<size_t>(i)];
  }
}

TEST(RandomOperations, WorkThroughAnyFilter) {
  RandomOperations<AnyFilter> operations(
      Checked<AnyFilter>(MakeAny(300)),
      {.make_empty = [] { return Result<AnyFilter>(MakeAny(300)); },
       .reload = nullptr});
  const Status status = operations.Run(SeededChoices(7), 1000);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_GT(operations.done(Operation::kMerge), 0u);
  EXPECT_EQ(operations.done(Operation::kReload), 0u) << "without a hook";
}

TEST(RandomOperations, AreRepeatable) {
  uint64_t sizes[2];
  for (uint64_t& size : sizes) {
    RandomOperations<ExactFilter> operations(
        Checked<ExactFilter>(MakeExact(300)), ExactHooks(300));
    ASSERT_TRUE(operations.Run(SeededChoices(3), 500).ok());
    size = operations.checked().truth().size();
  }
  EXPECT_EQ(sizes[0], sizes[1]);
}

TEST(RandomOperations, NoticeALostInsert) {
  const Status status = RunBroken<Fault::kLosesInserts>();
  EXPECT_EQ(status.code(), StatusCode::kCorrupt);
  EXPECT_NE(status.message().find("false negative"), std::string::npos)
      << status.ToString();
  EXPECT_NE(status.message().find("step "), std::string::npos)
      << status.ToString();
}

TEST(RandomOperations, NoticeAMemberLostByErase) {
  EXPECT_EQ(RunBroken<Fault::kLosesOnErase>().code(), StatusCode::kCorrupt);
}

TEST(RandomOperations, NoticeAWrongSize) {
  const Status status = RunBroken<Fault::kMiscounts>();
  EXPECT_EQ(status.code(), StatusCode::kCorrupt);
  EXPECT_NE(status.message().find("size()"), std::string::npos);
}

TEST(RandomOperations, NoticeAnAdaptThatTakesAMemberForAFalsePositive) {
  EXPECT_EQ(RunBroken<Fault::kFalseFix>().code(), StatusCode::kCorrupt);
}

TEST(RandomOperations, NoticeAnAdaptThatFixesNothing) {
  const Status status = RunBroken<Fault::kFixesNothing>();
  EXPECT_EQ(status.code(), StatusCode::kCorrupt);
  EXPECT_NE(status.message().find("MayContain is true"), std::string::npos)
      << status.ToString();
}

TEST(HashMultiset, KeepsMultiplicities) {
  HashMultiset set;
  const KeyHash a{1, 1};
  const KeyHash b{2, 2};
  set.Add(a);
  set.Add(a);
  set.Add(b);
  EXPECT_TRUE(set.Remove(a));
  EXPECT_TRUE(set.Contains(a));
  EXPECT_TRUE(set.Remove(a));
  EXPECT_FALSE(set.Contains(a));
  EXPECT_FALSE(set.Remove(a));
  EXPECT_EQ(set.size(), 1u);
  EXPECT_EQ(set.At(0), b);
}

}  // namespace
}  // namespace tamis::testing
