// Bad input in every call of tamis/c.h gives a status, never a crash.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "c/c_filter.h"

namespace tamis::testing {
namespace {

OwnedFilter MakeRsqf() {
  tamis_filter* filter = nullptr;
  EXPECT_EQ(tamis_create_spec("rsqf:r=8", 1000, &filter, nullptr), TAMIS_OK);
  return OwnedFilter(filter);
}

TEST(CWrong, NullFilters) {
  const uint64_t key = 1;
  const tamis_batch batch = tamis_u64s(&key, 1);
  tamis_filter* out = nullptr;
  tamis_bytes* bytes = nullptr;
  tamis_hash hash = {0, 0};
  tamis_stats stats = TAMIS_STATS_INIT;
  uint8_t answer = 0;
  tamis_filter* const none = nullptr;
  const auto nothing = [](void*, const char*, double) {};
  for (const tamis_status status :
       {tamis_create(nullptr, &out, nullptr),
        tamis_copy(none, &out, nullptr),
        tamis_clear(none, nullptr),
        tamis_insert(none, "a", 1, nullptr),
        tamis_insert_u64(none, 1, nullptr),
        tamis_erase(none, "a", 1, nullptr),
        tamis_erase_u64(none, 1, nullptr),
        tamis_hash_key(none, "a", 1, &hash, nullptr),
        tamis_hash_u64(none, 1, &hash, nullptr),
        tamis_insert_batch(none, &batch, nullptr, nullptr),
        tamis_may_contain_batch(none, &batch, &answer, nullptr),
        tamis_erase_batch(none, &batch, nullptr, nullptr),
        tamis_report(none, "a", 1, nullptr, nullptr),
        tamis_report_u64(none, 1, nullptr, nullptr),
        tamis_report_batch(none, &batch, nullptr, nullptr),
        tamis_report_members(none, hash, &batch, 0, nullptr, nullptr),
        tamis_collision_range(none, hash, &hash, &hash, nullptr),
        tamis_expand(none, nullptr),
        tamis_merge(none, none, nullptr),
        tamis_check(none, nullptr),
        tamis_get_stats(none, &stats, nullptr),
        tamis_get_details(none, nothing, nullptr, nullptr),
        tamis_save(none, "x", nullptr),
        tamis_load(nullptr, nullptr, &out, nullptr),
        tamis_serialize(none, &bytes, nullptr),
        tamis_deserialize(nullptr, 1, nullptr, &out, nullptr)}) {
    EXPECT_EQ(status, TAMIS_INVALID_ARGUMENT);
  }
  EXPECT_EQ(tamis_may_contain(none, "a", 1), -TAMIS_INVALID_ARGUMENT);
  EXPECT_EQ(tamis_may_contain_u64(none, 1), -TAMIS_INVALID_ARGUMENT);
  EXPECT_EQ(tamis_num_erases(none, hash), 0u);
  EXPECT_EQ(tamis_get_spec(none, nullptr, 0), 0u);
  EXPECT_EQ(tamis_get_capabilities(none), 0u);
  EXPECT_EQ(tamis_bytes_data(nullptr), nullptr);
  EXPECT_EQ(tamis_bytes_size(nullptr), 0u);
  EXPECT_STREQ(tamis_error_text(nullptr), "");
  tamis_error_set(nullptr, TAMIS_IO, "x");
  tamis_filter_free(nullptr);
  tamis_error_free(nullptr);
  tamis_bytes_free(nullptr);
}

TEST(CWrong, NullOutputs) {
  const OwnedFilter filter = MakeRsqf();
  const uint64_t key = 1;
  const tamis_batch batch = tamis_u64s(&key, 1);
  const tamis_options options = TAMIS_OPTIONS_INIT;
  tamis_hash hash = {0, 0};
  for (const tamis_status status :
       {tamis_create(&options, nullptr, nullptr),
        tamis_create_spec("rsqf", 1, nullptr, nullptr),
        tamis_create_fpr(1, 0.1, nullptr, nullptr),
        tamis_create_bits(1, 10, nullptr, nullptr),
        tamis_copy(filter.get(), nullptr, nullptr),
        tamis_hash_key(filter.get(), "a", 1, nullptr, nullptr),
        tamis_hash_u64(filter.get(), 1, nullptr, nullptr),
        tamis_may_contain_batch(filter.get(), &batch, nullptr, nullptr),
        tamis_collision_range(filter.get(), hash, nullptr, &hash, nullptr),
        tamis_collision_range(filter.get(), hash, &hash, nullptr, nullptr),
        tamis_get_stats(filter.get(), nullptr, nullptr),
        tamis_get_details(filter.get(), nullptr, nullptr, nullptr),
        tamis_serialize(filter.get(), nullptr, nullptr),
        tamis_load("x", nullptr, nullptr, nullptr),
        tamis_deserialize("x", 1, nullptr, nullptr, nullptr),
        tamis_merge(filter.get(), nullptr, nullptr),
        tamis_save(filter.get(), nullptr, nullptr)}) {
    EXPECT_EQ(status, TAMIS_INVALID_ARGUMENT);
  }
}

TEST(CWrong, ReasonsAreGiven) {
  const OwnedError error = NewError();
  tamis_filter* filter = nullptr;
  EXPECT_EQ(tamis_create_spec("nosuch:r=8", 10, &filter, error.get()),
            TAMIS_INVALID_ARGUMENT);
  EXPECT_EQ(filter, nullptr);
  EXPECT_NE(std::string(tamis_error_text(error.get())).find("nosuch"),
            std::string::npos);
  EXPECT_EQ(tamis_error_status(error.get()), TAMIS_INVALID_ARGUMENT);
  ASSERT_EQ(tamis_create_spec("rsqf", 10, &filter, error.get()), TAMIS_OK);
  EXPECT_STREQ(tamis_error_text(error.get()), "");
  EXPECT_EQ(tamis_error_status(error.get()), TAMIS_OK);
  EXPECT_EQ(tamis_report_u64(filter, 1, nullptr, error.get()),
            TAMIS_UNSUPPORTED);
  EXPECT_STRNE(tamis_error_text(error.get()), "");
  tamis_filter_free(filter);
}

TEST(CWrong, Options) {
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  const auto refused = [](auto change) {
    tamis_options options = TAMIS_OPTIONS_INIT;
    options.keys = 100;
    options.fpr = 0.01;
    change(options);
    tamis_filter* filter = nullptr;
    const OwnedError error = NewError();
    const tamis_status status = tamis_create(&options, &filter, error.get());
    EXPECT_NE(status, TAMIS_OK);
    EXPECT_STRNE(tamis_error_text(error.get()), "");
    EXPECT_EQ(filter, nullptr);
    tamis_filter_free(filter);
  };
  for (const double fpr : {-1.0, 1.5, nan, inf, -inf}) {
    refused([&](auto& options) { options.fpr = fpr; });
  }
  for (const double bits : {-1.0, nan, inf, -inf}) {
    refused(
        [&](auto& options) { options.fpr = 0, options.bits_per_key = bits; });
  }
  refused([](auto& options) { options.keys = 0; });
  refused([](auto& options) { options.keys = ~uint64_t{0}; });
  refused([](auto& options) { options.flags = 1u << 31; });
  refused([](auto& options) { options.algorithm = 77; });
  refused([](auto& options) { options.struct_size = 0; });
  refused([](auto& options) { options.struct_size = 8; });
  refused([](auto& options) { options.spec = "taf:r=1000"; });
  const tamis_source no_function = {nullptr, nullptr, nullptr};
  refused([&](auto& options) { options.source = &no_function; });
  for (const double number : {0.0, -1.0, 2.0, nan}) {
    tamis_filter* filter = nullptr;
    EXPECT_NE(tamis_create_fpr(10, number, &filter, nullptr), TAMIS_OK);
    EXPECT_EQ(filter, nullptr);
  }
  for (const double number : {0.0, -1.0, nan, inf}) {
    tamis_filter* filter = nullptr;
    EXPECT_NE(tamis_create_bits(10, number, &filter, nullptr), TAMIS_OK);
    EXPECT_EQ(filter, nullptr);
  }
}

TEST(CWrong, Batches) {
  const OwnedFilter filter = MakeRsqf();
  std::array<uint64_t, 4> memory = {};
  const std::array<int32_t, 3> descending = {0, 4, 2};
  const std::array<int64_t, 3> negative = {-1, 0, 2};
  const std::array<int64_t, 3> beyond = {0, 4, 1000};
  const std::array<tamis_key, 1> no_key = {{{nullptr, 5}}};
  const std::array<tamis_key, 1> huge_key = {{{"a", ~size_t{0}}}};
  const auto* odd = reinterpret_cast<const char*>(memory.data()) + 1;
  const size_t most = ~size_t{0};
  const std::vector<tamis_batch> wrong = {
      {0, 1, memory.data(), 8, 0, nullptr},
      {99, 1, memory.data(), 8, 0, nullptr},
      {TAMIS_U64S, 5, memory.data(), 32, 0, nullptr},
      {TAMIS_U64S, most, memory.data(), 32, 0, nullptr},
      tamis_u64s(memory.data(), most),
      tamis_u64s(memory.data(), most / 8 + 2),
      {TAMIS_U64S, 1, nullptr, 8, 0, nullptr},
      {TAMIS_U64S, 1, odd, 8, 0, nullptr},
      {TAMIS_HASHES, 1, odd, 16, 0, nullptr},
      {TAMIS_HASHES, 3, memory.data(), 32, 0, nullptr},
      {TAMIS_KEYS, 1, odd, 16, 0, nullptr},
      {TAMIS_KEYS, 1, nullptr, 16, 0, nullptr},
      tamis_keys(no_key.data(), 1),
      tamis_keys(huge_key.data(), 1),
      {TAMIS_RECORDS, 2, memory.data(), 32, 0, nullptr},
      {TAMIS_RECORDS, 2, memory.data(), 32, 17, nullptr},
      {TAMIS_RECORDS, 2, memory.data(), 32, most, nullptr},
      {TAMIS_PADDED, most, memory.data(), 32, 2, nullptr},
      {TAMIS_PADDED, 1, nullptr, 32, 2, nullptr},
      {TAMIS_OFFSETS32, 2, memory.data(), 32, 0, nullptr},
      {TAMIS_OFFSETS32, 2, memory.data(), 32, 0, descending.data()},
      {TAMIS_OFFSETS32, 2, nullptr, 0, 0, descending.data()},
      {TAMIS_OFFSETS32, 1, memory.data(), 32, 0, odd},
      {TAMIS_OFFSETS64, 2, memory.data(), 32, 0, negative.data()},
      {TAMIS_OFFSETS64, 2, memory.data(), 32, 0, beyond.data()},
      {TAMIS_OFFSETS64, most, memory.data(), 32, 0, beyond.data()}};
  std::array<uint8_t, 8> answers = {};
  const OwnedError error = NewError();
  for (size_t i = 0; i < wrong.size(); ++i) {
    SCOPED_TRACE(i);
    size_t done = 7;
    EXPECT_EQ(tamis_insert_batch(filter.get(), &wrong[i], &done, error.get()),
              TAMIS_INVALID_ARGUMENT);
    EXPECT_EQ(done, 0u);
    EXPECT_STRNE(tamis_error_text(error.get()), "");
    EXPECT_EQ(tamis_may_contain_batch(filter.get(), &wrong[i], answers.data(),
                                      nullptr),
              TAMIS_INVALID_ARGUMENT);
    EXPECT_EQ(tamis_erase_batch(filter.get(), &wrong[i], nullptr, nullptr),
              TAMIS_INVALID_ARGUMENT);
    EXPECT_EQ(tamis_report_batch(filter.get(), &wrong[i], nullptr, nullptr),
              TAMIS_INVALID_ARGUMENT);
    EXPECT_EQ(tamis_report_members(filter.get(), {1, 2}, &wrong[i], 0, nullptr,
                                   nullptr),
              TAMIS_INVALID_ARGUMENT);
  }
  EXPECT_EQ(tamis_insert_batch(filter.get(), nullptr, nullptr, nullptr),
            TAMIS_INVALID_ARGUMENT);
  tamis_stats stats = TAMIS_STATS_INIT;
  ASSERT_EQ(tamis_get_stats(filter.get(), &stats, nullptr), TAMIS_OK);
  EXPECT_EQ(stats.size, 0u);
}

TEST(CWrong, EmptyBatchesAndKeysAreFine) {
  const OwnedFilter filter = MakeRsqf();
  const std::vector<tamis_batch> empty = {
      tamis_u64s(nullptr, 0),
      tamis_keys(nullptr, 0),
      {TAMIS_OFFSETS32, 0, nullptr, 0, 0, nullptr},
      {TAMIS_RECORDS, 0, nullptr, 0, 8, nullptr}};
  for (const tamis_batch& batch : empty) {
    EXPECT_EQ(tamis_insert_batch(filter.get(), &batch, nullptr, nullptr),
              TAMIS_OK);
    EXPECT_EQ(tamis_may_contain_batch(filter.get(), &batch, nullptr, nullptr),
              TAMIS_OK);
  }
  EXPECT_EQ(tamis_insert(filter.get(), nullptr, 0, nullptr), TAMIS_OK);
  EXPECT_EQ(tamis_may_contain(filter.get(), "", 0), 1);
  EXPECT_EQ(tamis_insert(filter.get(), nullptr, 1, nullptr),
            TAMIS_INVALID_ARGUMENT);
  EXPECT_EQ(tamis_insert(filter.get(), "a", ~size_t{0}, nullptr),
            TAMIS_INVALID_ARGUMENT);
  EXPECT_EQ(tamis_may_contain(filter.get(), nullptr, 1),
            -TAMIS_INVALID_ARGUMENT);
}

TEST(CWrong, FilesAndBytes) {
  const OwnedError error = NewError();
  tamis_filter* loaded = nullptr;
  EXPECT_EQ(tamis_load("/nonexistent/x", nullptr, &loaded, error.get()),
            TAMIS_NOT_FOUND);
  const OwnedFilter filter = MakeRsqf();
  EXPECT_NE(tamis_save(filter.get(), "/nonexistent/x", error.get()), TAMIS_OK);
  tamis_bytes* made = nullptr;
  ASSERT_EQ(tamis_serialize(filter.get(), &made, nullptr), TAMIS_OK);
  const OwnedBytes bytes(made);
  const auto* data = static_cast<const char*>(tamis_bytes_data(made));
  const size_t size = tamis_bytes_size(made);
  for (size_t cut = 0; cut < size; cut += size / 100 + 1) {
    EXPECT_NE(tamis_deserialize(data, cut, nullptr, &loaded, error.get()),
              TAMIS_OK);
    EXPECT_EQ(loaded, nullptr);
  }
  for (size_t i = 0; i < size; i += size / 200 + 1) {
    std::string damaged(data, size);
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    const tamis_status status = tamis_deserialize(
        damaged.data(), damaged.size(), nullptr, &loaded, error.get());
    EXPECT_TRUE(status == TAMIS_CORRUPT || status == TAMIS_UNKNOWN_VERSION)
        << i << ": " << tamis_error_text(error.get());
    EXPECT_EQ(loaded, nullptr);
  }
  tamis_load_options options = TAMIS_LOAD_OPTIONS_INIT;
  options.flags = 64;
  EXPECT_EQ(tamis_deserialize(data, size, &options, &loaded, nullptr),
            TAMIS_INVALID_ARGUMENT);
  options.flags = 0;
  options.struct_size = 3;
  EXPECT_EQ(tamis_deserialize(data, size, &options, &loaded, nullptr),
            TAMIS_INVALID_ARGUMENT);
}

TEST(CWrong, MappedFiltersCanOnlyBeAsked) {
  const OwnedFilter filter = MakeRsqf();
  ASSERT_EQ(tamis_insert_u64(filter.get(), 42, nullptr), TAMIS_OK);
  const std::string path = ::testing::TempDir() + "/c_mapped.tamis";
  ASSERT_EQ(tamis_save(filter.get(), path.c_str(), nullptr), TAMIS_OK);
  tamis_load_options options = TAMIS_LOAD_OPTIONS_INIT;
  options.flags = TAMIS_MAP;
  tamis_filter* made = nullptr;
  const OwnedError error = NewError();
  ASSERT_EQ(tamis_load(path.c_str(), &options, &made, error.get()), TAMIS_OK)
      << tamis_error_text(error.get());
  const OwnedFilter mapped(made);
  EXPECT_EQ(tamis_may_contain_u64(made, 42), 1);
  EXPECT_EQ(tamis_insert_u64(made, 43, error.get()), TAMIS_UNSUPPORTED);
  EXPECT_EQ(tamis_erase_u64(made, 42, error.get()), TAMIS_UNSUPPORTED);
  EXPECT_EQ(tamis_merge(made, filter.get(), error.get()), TAMIS_UNSUPPORTED);
  // A copy is no longer mapped.
  tamis_filter* copied = nullptr;
  ASSERT_EQ(tamis_copy(made, &copied, error.get()), TAMIS_OK)
      << tamis_error_text(error.get());
  const OwnedFilter copy(copied);
  EXPECT_EQ(tamis_insert_u64(copied, 43, error.get()), TAMIS_OK);
  EXPECT_EQ(tamis_may_contain_u64(copied, 42), 1);
  std::filesystem::remove(path);
}

TEST(CWrong, SpecIsCutToTheBuffer) {
  const OwnedFilter filter = MakeRsqf();
  char text[5] = "zzzz";
  const size_t whole = tamis_get_spec(filter.get(), text, sizeof(text));
  EXPECT_GT(whole, sizeof(text));
  EXPECT_STREQ(text, "rsqf");
  text[0] = 'z';
  EXPECT_EQ(tamis_get_spec(filter.get(), text, 0), whole);
  EXPECT_EQ(text[0], 'z');
  EXPECT_EQ(tamis_get_spec(filter.get(), text, 1), whole);
  EXPECT_EQ(text[0], '\0');
  EXPECT_STREQ(tamis_status_name(static_cast<tamis_status>(5)), "unsupported");
}

}  // namespace
}  // namespace tamis::testing
