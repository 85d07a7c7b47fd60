#include "c/callback_source.h"

#include <memory>
#include <string>

#include "c/handles.h"

namespace tamis::c {
namespace {

// What `visit` of a callback is given: it must not see C++ exceptions either.
struct Visit {
  HashVisitor visit;
  HashRange range;
  KeyHash last;
  bool threw = false;
  Status wrong = {};
};

Status Misplaced(const Visit& visit, KeyHash member) {
  return {StatusCode::kCorrupt, visit.range.Contains(member)
                                    ? "the key source is not in ascending order"
                                    : "the key source named a member outside "
                                      "of the range it was asked for"};
}

int VisitOne(void* visitor, tamis_hash given) noexcept {
  auto* visit = static_cast<Visit*>(visitor);
  if (visit == nullptr) return 0;
  try {
    const KeyHash member = ToHash(given);
    if (visit->threw || !visit->wrong.ok()) return 0;
    if (!visit->range.Contains(member) || member < visit->last) {
      visit->wrong = Misplaced(*visit, member);
      return 0;
    }
    visit->last = member;
    return visit->visit(member) ? 1 : 0;
  } catch (...) {
    visit->threw = true;
    return 0;
  }
}

// A status that a callback returned, which may be any number.
Status StatusOf(int code, const std::string& text) {
  const auto with = [&](StatusCode mine) {
    return Status(mine, text.empty() ? "the key source failed" : text);
  };
  switch (code) {
    case TAMIS_OK:
      return {};
    case TAMIS_NOT_FOUND:
      return with(StatusCode::kNotFound);
    case TAMIS_CORRUPT:
      return with(StatusCode::kCorrupt);
    case TAMIS_OUT_OF_MEMORY:
      return with(StatusCode::kOutOfMemory);
    case TAMIS_STALE:
      return with(StatusCode::kStale);
    case TAMIS_INVALID_ARGUMENT:
      return with(StatusCode::kInvalidArgument);
    case TAMIS_UNSUPPORTED:
      return with(StatusCode::kUnsupported);
    default:
      return with(StatusCode::kIo);
  }
}

}  // namespace

Result<std::shared_ptr<CallbackSource>> CallbackSource::Make(
    const tamis_source* source) {
  if (source == nullptr) return std::shared_ptr<CallbackSource>();
  if (source->members == nullptr) {
    return Invalid("the key source has no function `members`");
  }
  return std::make_shared<CallbackSource>(*source);
}

Status CallbackSource::ForEachInRange(KeyHash low, KeyHash high,
                                      HashVisitor visit) const {
  Visit visitor{.visit = visit, .range = {low, high}, .last = low};
  tamis_error error;
  const int code = source_.members(source_.context, FromHash(low),
                                   FromHash(high), VisitOne, &visitor, &error);
  if (visitor.threw) {
    return {StatusCode::kOutOfMemory, "not enough memory for the members"};
  }
  TAMIS_RETURN_IF_ERROR(visitor.wrong);
  return StatusOf(code, error.text);
}

}  // namespace tamis::c
