// tamis_redis.so: the server calls RedisModule_OnLoad, with the arguments
//
//   BF yes|no       the family BF.*, off where another module has it
//   CF yes|no       the same for CF.*
//   ERROR p         the rate of filters that nobody reserved (0.01)
//   MAXBYTES n      the largest that one filter may become; 0: no limit

#include <string>

#include "redis/commands.h"
#include "redis/memory.h"
#include "redis/shape.h"
#include "redis/type.h"

namespace tamis::redis {
namespace {

constexpr int kVersion = 100;  // 0.1.0
constexpr int kApiVersion = 1;

bool ParseSwitch(const Call& call, int i, bool& to) {
  if (i >= call.size()) return false;
  to = call.Is(i, "YES");
  return to || call.Is(i, "NO");
}

// Arguments start at 0 here.
bool ParseArguments(const Call& call) {
  for (int i = 0; i < call.size(); i += 2) {
    bool known = false;
    if (call.Is(i, "BF")) known = ParseSwitch(call, i + 1, settings.bloom);
    if (call.Is(i, "CF")) known = ParseSwitch(call, i + 1, settings.cuckoo);
    if (call.Is(i, "ERROR") && i + 1 < call.size()) {
      const auto error = call.DoubleAt(i + 1);
      known = error && *error > 0 && *error <= 0.25;
      if (known) settings.error = *error;
    }
    if (call.Is(i, "MAXBYTES") && i + 1 < call.size()) {
      const auto bytes = call.IntegerAt(i + 1);
      known = bytes && *bytes >= 0;
      if (known) settings.max_bytes = static_cast<uint64_t>(*bytes);
    }
    if (!known) {
      const std::string word(call[i]);
      api.Log(call.context(), "warning",
              "tamis: argument %s: expected BF yes|no, CF yes|no, ERROR p, "
              "MAXBYTES n",
              word.c_str());
      return false;
    }
  }
  return true;
}

void AddInfo(InfoContext* info, int /*for_crash_report*/) {
  if (api.InfoAddSection(info, "stats") != kOk) return;
  const auto add = [&](const char* name, uint64_t value) {
    api.InfoAddFieldULongLong(info, name, value);
  };
  api.InfoAddFieldCString(info, "version", "0.1.0");
  add("filters_created", counts.created);
  add("filters_loaded", counts.loaded);
  add("reports", counts.reported);
  add("reports_fixed", counts.fixed);
  add("reports_stale", counts.stale);
  add("max_bytes", settings.max_bytes);
}

// The library's lists of kinds are made when first asked for: here, so that no
// filter is charged for them.
void WarmUp() { (void)Value::Create(Plan(), ShapeFor(Plan()), Hasher()).ok(); }

int Load(Context* context, String** argv, int argc) {
  if (!LoadApi(context)) return kError;
  if (api.IsModuleNameBusy("tamis") != 0) return kError;
  api.SetModuleAttribs(context, "tamis", kVersion, kApiVersion);
  UseServerMemory();
  WarmUp();
  if (!ParseArguments(Call(context, argv, argc))) return kError;
  api.SetModuleOptions(
      context, kHandleIoErrors | kHandleAsyncLoad | kHandleSlotMigration);
  if (!CreateTypes(context) || !CreateCommands(context)) return kError;
  if (api.RegisterInfoFunc != nullptr && api.InfoAddSection != nullptr) {
    api.RegisterInfoFunc(context, AddInfo);
  }
  return kOk;
}

}  // namespace
}  // namespace tamis::redis

extern "C" __attribute__((visibility("default"))) int RedisModule_OnLoad(
    tamis::redis::Context* context, tamis::redis::String** argv, int argc) {
  return tamis::redis::Load(context, argv, argc);
}
