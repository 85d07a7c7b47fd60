#include "redis/api.h"

namespace tamis::redis {

Api api = {};

bool LoadApi(Context* context) {
  using GetApi = int (*)(const char*, void*);
  const auto get_api =
      reinterpret_cast<GetApi>(reinterpret_cast<void**>(context)[0]);
  bool complete = true;
#define TAMIS_REDIS_FETCH(result, name, arguments) \
  complete &= get_api("RedisModule_" #name, &api.name) == kOk;
  TAMIS_REDIS_NEEDED(TAMIS_REDIS_FETCH)
#undef TAMIS_REDIS_FETCH
#define TAMIS_REDIS_FETCH(result, name, arguments) \
  if (get_api("RedisModule_" #name, &api.name) != kOk) api.name = nullptr;
  TAMIS_REDIS_OPTIONAL(TAMIS_REDIS_FETCH)
#undef TAMIS_REDIS_FETCH
  return complete;
}

}  // namespace tamis::redis
