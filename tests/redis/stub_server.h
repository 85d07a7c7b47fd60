// A server of a few lines: the functions of the module interface that values
// and types need, on malloc, so that sanitizers see every byte.

#ifndef TAMIS_TESTS_REDIS_STUB_SERVER_H_
#define TAMIS_TESTS_REDIS_STUB_SERVER_H_

#include <string>
#include <vector>

#include "redis/api.h"

namespace tamis::redis {

// What the server calls an Io, a Digest and a DefragContext.
struct StubFile {
  std::vector<std::string> strings;  // written or to be read
  std::vector<uint64_t> numbers;
  size_t next_string = 0;
  size_t next_number = 0;
  bool failed = false;
  std::string digest;
  std::vector<std::vector<std::string>> commands;  // of the AOF
  int moves = 0;
  bool refuses_to_move = false;

  Io* io() { return reinterpret_cast<Io*>(this); }
  Digest* as_digest() { return reinterpret_cast<Digest*>(this); }
  DefragContext* defrag() { return reinterpret_cast<DefragContext*>(this); }
};

// Fills `api`; from then on the module's memory is malloc's.
void UseStubServer();

}  // namespace tamis::redis

#endif  // TAMIS_TESTS_REDIS_STUB_SERVER_H_
