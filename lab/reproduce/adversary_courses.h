// The adversary against every filter that the papers compare.
//
// The filters have the papers' parameters, so that they take nearly the same
// memory; the tables of the figures have the exact bits.

#ifndef TAMIS_LAB_REPRODUCE_ADVERSARY_COURSES_H_
#define TAMIS_LAB_REPRODUCE_ADVERSARY_COURSES_H_

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "lab/reproduce/adversary_runs.h"
#include "lab/reproduce/experiment.h"
#include "lab/reproduce/telescoping_filters.h"

namespace tamis::tools {

// One of each filter of kTelescopingFilters.
using AdversaryCourses =
    std::array<AdversaryCourse, kTelescopingFilters.size()>;

// Plays against all filters at each ratio |Q| / |S|.
Result<std::vector<AdversaryCourses>> PlayAllAdversaries(
    std::span<const uint64_t> ratios, const ExperimentOptions& options);

// Adds the notes about the game and the filters.
void DescribeAdversary(const ExperimentOptions& options, Findings& result);

// Returns "3 of 10", the runs in which Q ran empty.
std::string Emptied(const AdversaryCourse& course);

// Returns the names of the papers' filters (our own policy is none of them),
// but for those in `except`, for which `holds(filter)`; "none" if there are
// none.
std::string NamesWhere(std::initializer_list<size_t> except,
                       const std::function<bool(size_t)>& holds);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_ADVERSARY_COURSES_H_
