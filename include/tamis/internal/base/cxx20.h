// One line for compilers of an older C++, instead of a page: what every public
// header includes first, directly or by another.  A file that is not there ends
// the compilation.

#ifndef TAMIS_INTERNAL_BASE_CXX20_H_
#define TAMIS_INTERNAL_BASE_CXX20_H_

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "tamis needs C++20: compile with -std=c++20 (in C, include tamis/c.h)"
#include <tamis_needs_cxx20>
#endif

#endif  // TAMIS_INTERNAL_BASE_CXX20_H_
