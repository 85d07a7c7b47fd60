// The `tamis` command.  Everything it does is in the library of its parts, so
// that tests and programs with filters of their own can call it.

#include "tools/include/tamis/compare.h"

int main(int argc, char** argv) { return tamis::compare::Main(argc, argv); }
