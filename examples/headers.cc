// The examples of the headers, so that they compile as they stand there, with
// warnings as errors: tools/dev/check_text compares.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "own_filter/own_filter.h"
#include "tamis/adaptive_cuckoo.h"
#include "tamis/allocator.h"
#include "tamis/any_filter.h"
#include "tamis/by_key.h"
#include "tamis/cached.h"
#include "tamis/cuckoo.h"
#include "tamis/kind.h"
#include "tamis/parameter.h"
#include "tamis/rsqf.h"
#include "tamis/serialize.h"
#include "tamis/sharded.h"
#include "tamis/sizing.h"
#include "tamis/taf.h"
#include "tamis/tamis.h"
#include "tamis/vacuum.h"

namespace tamis {
namespace {

// What the examples speak of.
struct Database {
  bool Has(std::string_view key) const { return key == "key"; }
  std::vector<std::string> KeysIn(const HashRange& range) const {
    std::vector<std::string> keys;
    for (auto at = by_hash.lower_bound(range.low);
         at != by_hash.end() && at->first <= range.high; ++at) {
      keys.push_back(at->second);
    }
    return keys;
  }
  std::map<KeyHash, std::string> by_hash;
};
void ReadFromDisk(std::string_view key) { std::puts(std::string(key).c_str()); }
void Log(std::string_view text) { std::puts(std::string(text).c_str()); }
void* ServerCalloc(uint64_t bytes) { return std::calloc(1, bytes); }
void ServerFree(void* memory) { std::free(memory); }

Status AdaptiveCuckoo(const Database& database) {
  Result<CuckooingFilter> made =
      CuckooingFilter::Create({.keys = 1'000'000, .fpr = 0.001});
  if (!made.ok()) return made.status();
  CuckooingFilter& filter = *made;
  const KeyHash x = filter.hasher().Hash("absent");
  if (filter.MayContain(x) && !database.Has("absent"))
    return filter.Adapt(x).status();
  return {};
}

Status Any() {
  Result<AnyFilter> filter = AnyFilter::Create("rsqf:r=8", {.keys = 1'000'000});
  if (!filter.ok()) return filter.status();
  TAMIS_RETURN_IF_ERROR(filter->Insert(filter->hasher().Hash("key")));
  if (filter->MayContain("key")) return {};
  return {StatusCode::kCorrupt, "lost"};
}

Status ByKey() {
  TAMIS_ASSIGN_OR_RETURN(const Rsqf filter, Rsqf::Create({.slots = 100}));
  const std::vector<uint64_t> keys(10);
  const auto memory = std::make_unique<bool[]>(keys.size());
  const std::span<bool> results(memory.get(), keys.size());
  if (tamis::MayContainKey(filter, uint64_t{42})) return {};
  tamis::MayContainKeys(filter, keys, results);
  return {};
}

Status Cached() {
  Result<AnyFilter> filter = AnyFilter::Create(
      "cached(bloom:bits=12):bytes=65536,policy=lru", {.keys = 1'000'000});
  return filter.status();
}

Status Shards() {
  auto filter = Sharded<Rsqf>::Create(*Spec::Parse("rsqf:r=8"), 1 << 20,
                                      Hasher(), {.bits = 4});
  return filter.status();
}

Status Cuckoo() {
  Result<CuckooFilter> filter =
      CuckooFilter::Create({.keys = 1'000'000, .fpr = 0.001});
  if (!filter.ok()) return filter.status();
  TAMIS_RETURN_IF_ERROR(filter->Insert(filter->hasher().Hash("key")));
  return {};
}

Status OwnKind() {
  using MyFilter = examples::OwnFilter;
  RegisterKind(KindOf<MyFilter>({.name = "mine",
                                 .use = "what it is for",
                                 .parameters = MyFilter::kParameters,
                                 .open = "r"}));
  Result<AnyFilter> mine = AnyFilter::Create("mine:r=8", {.keys = 1000});
  // It has no r; with one it would be there.
  return mine.ok() || mine.status().code() == StatusCode::kInvalidArgument
             ? Status()
             : mine.status();
}

Status ReadSpec(const Spec& spec) {
  constexpr Parameter kParameters[] = {
      WholeNumber("r", 8, {2, 56}, "bits of a remainder"),
      OneOf("overflow", "refuse|evict|reset", "what to do when ..."),
  };
  const ParameterReader read(spec, kParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());  // names what is not declared
  TAMIS_ASSIGN_OR_RETURN(uint64_t r, read.Whole("r"));
  return r == 8 ? Status() : Status(StatusCode::kCorrupt, "not the default");
}

Status Results() {
  Result<Rsqf> filter = Rsqf::Create({.keys = 1'000'000, .fpr = 0.001});
  if (!filter.ok()) return filter.status();
  TAMIS_RETURN_IF_ERROR(filter->Insert(filter->hasher().Hash("key")));
  return {};
}

Status Files(Rsqf& filter) {
  const KeyHash hash = filter.hasher().Hash("key");
  if (Status s = filter.Insert(hash); !s.ok()) Log(s.message());
  TAMIS_RETURN_IF_ERROR(Save(filter, "users.tamis"));
  Result<Rsqf> same = Load<Rsqf>("users.tamis");
  Result<AnyFilter> some = LoadAny("users.tamis");
  std::remove("users.tamis");
  return same.ok() ? some.status() : same.status();
}

Status Sizes() {
  Result<Sizing> sizing = SizeFor("rsqf", 1'000'000, 0.001);
  // sizing->spec is rsqf:r=10, sizing->slots is 1'052'632
  auto filter = AnyFilter::Create(sizing->spec, {.slots = sizing->slots});
  sizing = SizeFor("rsqf", MemoryBudget{.keys = 500, .bits_per_key = 12.6});
  TAMIS_ASSIGN_OR_RETURN(const Spec spec, Spec::Parse("rsqf:r=8"));
  Result<double> fpr = FprFor(spec, 1 << 20, 900'000);
  Result<uint64_t> bits = SizeBitsFor(spec, 1 << 20);
  return filter.ok() && fpr.ok() ? bits.status() : fpr.status();
}

Status Telescoping(const Database& database) {
  Result<Taf> filter = Taf::Create({.keys = 1'000'000, .fpr = 0.004});
  if (!filter.ok()) return filter.status();
  TAMIS_RETURN_IF_ERROR(filter->Insert(filter->hasher().Hash("key")));
  const KeyHash x = filter->hasher().Hash("absent");
  if (filter->MayContain(x) && !database.Has("absent"))
    return filter->Adapt(x).status();
  return {};
}

Status Vacuum() {
  Result<VacuumFilter> filter =
      VacuumFilter::Create({.keys = 1'000'000, .fpr = 0.001});
  return filter.status();
}

Status FrontDoor() {
  tamis::Result<tamis::Filter> made =
      tamis::Filter::Create({.keys = 1'000'000, .fpr = 0.001});
  if (!made.ok()) return made.status();
  tamis::Filter& filter = *made;
  TAMIS_RETURN_IF_ERROR(filter.Insert("user:42"));
  if (filter.MayContain("user:43")) ReadFromDisk("user:43");  // no is certain
  return {};
}

Status Learning(const Database& database, Filter& filter,
                std::string_view key) {
  const uint64_t erases = filter.num_erases(key);  // before the read
  if (const auto range = filter.CollisionRange(key)) {
    const std::vector<std::string> members = database.KeysIn(*range);
    return filter.ReportFalsePositive(key, members, erases).status();
  }
  return {};
}

Status OwnMemory() {
  static const tamis::Allocator kHost = {
      .allocate = [](void*, uint64_t bytes) { return ServerCalloc(bytes); },
      .free = [](void*, void* memory, uint64_t) { ServerFree(memory); },
      .huge_pages = false};
  tamis::SetAllocator(&kHost);  // before the first filter
  return {};
}

Status All() {
  const Database database;
  TAMIS_RETURN_IF_ERROR(OwnMemory());
  TAMIS_RETURN_IF_ERROR(OwnKind());
  TAMIS_RETURN_IF_ERROR(AdaptiveCuckoo(database));
  TAMIS_RETURN_IF_ERROR(Any());
  TAMIS_RETURN_IF_ERROR(ByKey());
  TAMIS_RETURN_IF_ERROR(Cached());
  TAMIS_RETURN_IF_ERROR(Shards());
  TAMIS_RETURN_IF_ERROR(Cuckoo());
  TAMIS_RETURN_IF_ERROR(ReadSpec(Spec("rsqf")));
  TAMIS_RETURN_IF_ERROR(Results());
  TAMIS_ASSIGN_OR_RETURN(Rsqf rsqf, Rsqf::Create({.slots = 100}));
  TAMIS_RETURN_IF_ERROR(Files(rsqf));
  TAMIS_RETURN_IF_ERROR(Sizes());
  TAMIS_RETURN_IF_ERROR(Telescoping(database));
  TAMIS_RETURN_IF_ERROR(Vacuum());
  TAMIS_RETURN_IF_ERROR(FrontDoor());
  TAMIS_ASSIGN_OR_RETURN(Filter filter,
                         Filter::Create({.keys = 100, .adapts = true}));
  return Learning(database, filter, "absent");
}

}  // namespace
}  // namespace tamis

int main() {
  const tamis::Status status = tamis::All();
  if (!status.ok()) std::puts(status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
