#include "tamis/internal/filters/spec_notes.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tamis::internal {
namespace {

thread_local SpecNotes* taken = nullptr;

}  // namespace

SpecNotes::SpecNotes() {
  assert(taken == nullptr);
  taken = this;
}

SpecNotes::~SpecNotes() { taken = nullptr; }

std::vector<SpecParameter> SpecNotes::ParametersOf(
    const std::string& spec_name) const {
  std::vector<SpecParameter> parameters;
  const auto notes = by_name_.find(spec_name);
  if (notes == by_name_.end()) return parameters;
  for (const std::string& name : notes->second.allowed) {
    const auto found =
        std::ranges::find(notes->second.read, name, &SpecParameter::name);
    if (found != notes->second.read.end()) parameters.push_back(*found);
  }
  return parameters;
}

bool SpecNotes::AreTaken() { return taken != nullptr; }

void SpecNotes::Read(const std::string& spec_name, SpecParameter parameter) {
  if (AreTaken()) {
    taken->by_name_[spec_name].read.push_back(std::move(parameter));
  }
}

void SpecNotes::Allow(const std::string& spec_name,
                      std::initializer_list<std::string_view> names) {
  if (!AreTaken()) return;
  taken->by_name_[spec_name].allowed.assign(names.begin(), names.end());
}

}  // namespace tamis::internal
