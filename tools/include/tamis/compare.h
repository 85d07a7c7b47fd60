// tamis::compare: the `tamis` command as a function, for filters of one's own.
//
// Readers of traces, generators, comparisons, benchmarks and reports, for every
// kind of filter that is registered.  A whole program:
//
//   int main(int argc, char** argv) {
//     tamis::RegisterKind(tamis::KindOf<MyFilter>({.name = "mine", ...}));
//     return tamis::compare::Main(argc, argv);
//   }
//
//   ./mine filters
//   ./mine compare --queries trace.u64.zst --members 1/10 --filters mine,taf
//   ./mine bench --filters mine:r=8,rsqf:r=8
//
// With CMake: find_package(tamis REQUIRED COMPONENTS compare), and link
// tamis::compare.  See kind.h for the row, and examples/own_filter.

#ifndef TAMIS_TOOLS_INCLUDE_TAMIS_COMPARE_H_
#define TAMIS_TOOLS_INCLUDE_TAMIS_COMPARE_H_

namespace tamis::compare {

// Does what the command line says; returns the exit status: 0 if all went well,
// 1 if the data were at fault, 2 if the command line was, 130 if interrupted.
int Main(int argc, char** argv);

}  // namespace tamis::compare

#endif  // TAMIS_TOOLS_INCLUDE_TAMIS_COMPARE_H_
