// Bytes as a program: the first choose a filter, the rest its operations.
// Every step is compared with the truth, as in the random tests.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/checked.h"
#include "model/random_operations.h"
#include "require.h"
#include "tamis/any_filter.h"
#include "tamis/serialize.h"

namespace tamis::fuzz {
namespace {

using testing::Checked;
using testing::RandomOperations;

// Hands out the input, as few bytes at a time as a choice needs; zeros after
// its end.
class ByteChoices {
 public:
  explicit ByteChoices(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint64_t operator()(uint64_t limit) {
    uint64_t value = 0;
    for (uint64_t range = limit - 1; range != 0; range >>= 8) {
      value = value << 8 | Next();
    }
    return value % limit;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  uint8_t Next() {
    if (bytes_.empty()) return 0;
    const uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  std::span<const uint8_t> bytes_;
};

Result<AnyFilter> Reload(const AnyFilter& filter) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, Serialize(filter));
  return DeserializeAny(bytes);
}

// Every kind with its default parameters, so that a new one is fuzzed too.
void Run(ByteChoices& bytes) {
  const std::vector<std::string_view> kinds = AnyFilter::KnownKinds();
  const std::string_view kind = kinds[bytes(kinds.size())];
  const uint64_t slots = 1 + bytes(200);
  const auto make = [=] {
    return AnyFilter::Create(kind, slots, Hasher(Seed{1, 2}));
  };
  Result<AnyFilter> filter = make();
  if (!filter.ok()) return;  // too few slots, or a kind that needs more
  RandomOperations<AnyFilter> operations(
      Checked<AnyFilter>(std::move(filter).value()),
      {.make_empty = make, .reload = Reload},
      {.universe = 2 * slots,
       .max_capacity = 2000,
       .small_capacity = 50,
       .check_every = 20});
  testing::Choices choices = [&](uint64_t limit) { return bytes(limit); };
  for (int step = 0; step < 500 && !bytes.empty(); ++step) {
    Require(operations.Step(choices));
  }
  Require(operations.checked().CheckAll());
}

}  // namespace
}  // namespace tamis::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tamis::fuzz::ByteChoices bytes({data, size});
  tamis::fuzz::Run(bytes);
  return 0;
}
