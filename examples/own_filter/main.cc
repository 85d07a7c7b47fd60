// Compares a filter of one's own with all of tamis', without a patch to tamis:
//
//   own_filter filters
//   own_filter generate zipf --count 1e6 -o zipf.u64
//   own_filter compare --queries zipf.u64 --members 1/10 --filters own,bloom
//   own_filter bench --filters own,blocked --slots 2^20

#include "own_filter.h"
#include "tamis/compare.h"

int main(int argc, char** argv) {
  tamis::RegisterKind(tamis::KindOf<tamis::examples::OwnFilter>(
      {.name = "own",
       .use = "a bit a key, to show how a filter is plugged in",
       .parameters = tamis::examples::OwnFilter::kParameters,
       .open = "bits",
       .baseline = true}));
  return tamis::compare::Main(argc, argv);
}
