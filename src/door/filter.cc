#include <string>

#include "door/choose.h"
#include "tamis/tamis.h"

namespace tamis {

namespace {

Result<Filter> Wrapped(Result<AnyFilter> any) {
  if (!any.ok()) return any.status();
  return Filter(std::move(any).value());
}

}  // namespace

Result<Filter> Filter::Create(const Options& options) {
  TAMIS_ASSIGN_OR_RETURN(const Sizing choice, internal::Choose(options));
  return Wrapped(AnyFilter::Create(choice.spec, {.slots = choice.slots,
                                                 .hasher = options.hasher,
                                                 .source = options.source}));
}

Result<Filter> Filter::Load(const std::string& path,
                            const LoadOptions& options) {
  return Wrapped(LoadAny(path, options));
}

Result<Filter> Filter::Deserialize(std::span<const std::byte> bytes,
                                   const LoadOptions& options) {
  return Wrapped(DeserializeAny(bytes, options));
}

Status Filter::InsertHashes(std::span<const KeyHash> hashes) {
  const uint64_t before = size();
  const Status status = any_.InsertEach(hashes);
  if (status.ok()) return {};
  return InsertFull(hashes.subspan(size() - before), status);
}

Status Filter::InsertFull(std::span<const KeyHash> hashes, const Status& why) {
  if (why.code() != StatusCode::kFull) return why;
  // Full with most slots free: more copies of a key than there are places for
  // it.  No number of slots would help.
  if (size() < any_.capacity() / 4) return why;
  const uint64_t slots = any_.capacity() + any_.capacity() / 2 + 1;
  const Status rebuilt = any_.RebuildTo(slots);
  if (rebuilt.code() == StatusCode::kUnsupported) return why;
  TAMIS_RETURN_IF_ERROR(rebuilt);
  return InsertHashes(hashes);
}

Result<AdaptOutcome> Filter::Report(KeyHash absent) {
  const Capabilities can = any_.capabilities();
  // Alone it would answer "not fixed", again and again.
  if (can.adapt_with_members && !can.knows_members) {
    return Status(StatusCode::kUnsupported,
                  spec().ToString() +
                      " keeps no keys: make it with a .source, or bring the "
                      "members of CollisionRange(key)");
  }
  return any_.Adapt(absent);
}

Result<AdaptOutcome> Filter::ReportWith(KeyHash absent,
                                        std::span<const KeyHash> members,
                                        uint64_t num_erases) {
  return any_.Adapt(absent, members, num_erases);
}

}  // namespace tamis
