#include "tools/files/load_file.h"

#include "tamis/key_source.h"
#include "tamis/serialize.h"

namespace tamis::tools {
namespace {

struct NoSet {
  Status ForEachInRange(KeyHash, KeyHash, HashVisitor) const { return {}; }
};
constexpr NoSet kNoSet;

}  // namespace

Result<AnyFilter> LoadFile(const std::string& path, LoadOptions options) {
  Result<AnyFilter> filter = LoadAny(path, options);
  if (filter.status().code() != StatusCode::kUnsupported) return filter;
  options.source = kNoSet;
  return LoadAny(path, options);
}

}  // namespace tamis::tools
