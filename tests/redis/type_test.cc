// Values and their types under a stub of the server: saving, loading, copying,
// moving, and what is damaged.

#include "redis/type.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "redis/chunks.h"
#include "redis/memory.h"
#include "redis/shape.h"
#include "redis/stub_fixture.h"
#include "redis/value.h"

namespace tamis::redis {
namespace {

class TypeTest : public StubFixture {
 protected:
  // A filter of `count` items, some of which were added a dozen times.
  static std::unique_ptr<Value> Filled(Family family, uint64_t count) {
    const Plan plan = PlanOf(family);
    auto value = Value::Create(plan, ShapeFor(plan), Hasher(Seed{7, 7}));
    EXPECT_TRUE(value.ok());
    const MemoryScope scope((*value)->account());
    for (uint64_t i = 0; i < count; ++i) Add(**value, i);
    for (int i = 0; i < 11; ++i) Add(**value, 0);
    return *std::move(value);
  }
  static void Add(Value& value, uint64_t item) {
    EXPECT_TRUE(value.Add(HashOf(value, item), 0).ok());
  }
  static std::string DigestOf(const TypeMethods& methods, Value& value) {
    StubFile file;
    methods.digest(file.as_digest(), &value);
    return file.digest;
  }
  template <Family family>
  static void SaveAndLoad() {
    const TypeMethods methods = MethodsOf<family>();
    auto value = Filled(family, 3000);
    StubFile file;
    methods.rdb_save(file.io(), value.get());
    std::unique_ptr<Value> loaded(
        static_cast<Value*>(methods.rdb_load(file.io(), 1)));
    ASSERT_NE(loaded, nullptr);
    ExpectAll(*loaded, 3000);
    EXPECT_EQ(loaded->size(), value->size());
    EXPECT_EQ(DigestOf(methods, *loaded), DigestOf(methods, *value));
  }
};

TEST_F(TypeTest, SavesAndLoadsEveryFamily) {
  SaveAndLoad<Family::kBloom>();
  SaveAndLoad<Family::kCuckoo>();
  SaveAndLoad<Family::kAdaptive>();
}

TEST_F(TypeTest, CopiesAreEqualAndIndependent) {
  const TypeMethods methods = MethodsOf<Family::kCuckoo>();
  auto value = Filled(Family::kCuckoo, 500);
  std::unique_ptr<Value> copy(
      static_cast<Value*>(methods.copy(nullptr, nullptr, value.get())));
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(DigestOf(methods, *copy), DigestOf(methods, *value));
  Add(*copy, 1000);
  EXPECT_NE(DigestOf(methods, *copy), DigestOf(methods, *value));
  value.reset();
  ExpectAll(*copy, 500);
}

TEST_F(TypeTest, MayBeMovedByTheServer) {
  const TypeMethods methods = MethodsOf<Family::kAdaptive>();
  void* value = Filled(Family::kAdaptive, 2000).release();
  StubFile file;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(methods.defrag(file.defrag(), nullptr, &value), 0);
    auto& moved = *static_cast<Value*>(value);
    ExpectAll(moved, 2000);
    const MemoryScope scope(moved.account());
    for (uint64_t k = 0; k < 2000; ++k) Add(moved, 2000 + 2000 * i + k);
    EXPECT_TRUE(moved.Delete(HashOf(moved, 0)).ok());
  }
  EXPECT_EQ(file.moves, 3);
  file.refuses_to_move = true;
  void* const before = value;
  EXPECT_EQ(methods.defrag(file.defrag(), nullptr, &value), 0);
  EXPECT_EQ(value, before);
  methods.free(value);
}

TEST_F(TypeTest, AccountsForWhatIsTaken) {
  auto value = Filled(Family::kBloom, 100000);
  const double bytes = static_cast<double>(value->filter().SizeBits()) / 8;
  EXPECT_GT(static_cast<double>(value->bytes()), 0.95 * bytes);
  EXPECT_LT(static_cast<double>(value->bytes()), 1.05 * bytes + 20000);
}

TEST_F(TypeTest, RewritesTheLogAsChunks) {
  const TypeMethods methods = MethodsOf<Family::kBloom>();
  auto value = Filled(Family::kBloom, 100);
  StubFile file;
  methods.aof_rewrite(file.io(), nullptr, value.get());
  ASSERT_GE(file.commands.size(), 2u);
  EXPECT_EQ(file.commands[0][0], "BF.LOADCHUNK");
  auto loader = Loader::Start(file.commands[0][3]);
  ASSERT_TRUE(loader.ok());
  for (size_t i = 1; i < file.commands.size(); ++i) {
    EXPECT_TRUE(loader->Feed(file.commands[i][3]).ok());
  }
  auto loaded = loader->Finish();
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  ExpectAll(**loaded, 100);
}

TEST_F(TypeTest, HalfLoadedIsSavedAsItIs) {
  const TypeMethods methods = MethodsOf<Family::kBloom>();
  auto value = Filled(Family::kBloom, 100);
  const Dump dump(*value);
  auto loader = Loader::Start(dump.header());
  ASSERT_TRUE(loader.ok());
  auto half = Value::Loading(std::make_unique<Loader>(*std::move(loader)));
  EXPECT_FALSE(half->is_complete());
  StubFile file;
  methods.rdb_save(file.io(), half.get());
  std::unique_ptr<Value> loaded(
      static_cast<Value*>(methods.rdb_load(file.io(), 1)));
  ASSERT_NE(loaded, nullptr);
  EXPECT_FALSE(loaded->is_complete());
  EXPECT_TRUE(loaded->loader()->Feed(dump.Chunk(0)).ok());
  EXPECT_TRUE(loaded->loader()->Finish().ok());
}

TEST_F(TypeTest, RefusesWhatIsDamaged) {
  const TypeMethods methods = MethodsOf<Family::kCuckoo>();
  auto value = Filled(Family::kCuckoo, 60);
  StubFile good;
  methods.rdb_save(good.io(), value.get());
  std::mt19937_64 random(3);
  for (int i = 0; i < 3000; ++i) {
    StubFile bad = good;
    std::string& text = bad.strings[random() % bad.strings.size()];
    switch (random() % 4) {
      case 0:
        text[random() % text.size()] ^= static_cast<char>(1 + i % 255);
        break;
      case 1:
        text.resize(random() % text.size());
        break;
      case 2:
        text.insert(random() % text.size(), 1 + i % 9, 'x');
        break;
      default:
        bad.numbers[0] = random() % 4 + (random() % 2 << 60);
    }
    if (bad.strings == good.strings && bad.numbers == good.numbers) continue;
    std::unique_ptr<Value> loaded(
        static_cast<Value*>(methods.rdb_load(bad.io(), 1)));
    EXPECT_TRUE(loaded == nullptr || !loaded->is_complete());
  }
  EXPECT_EQ(methods.rdb_load(good.io(), 2), nullptr) << "another encoding";
  StubFile other = good;
  EXPECT_EQ(MethodsOf<Family::kBloom>().rdb_load(other.io(), 1), nullptr);
}

}  // namespace
}  // namespace tamis::redis
