// FireHose's streams as queries for sets of any size.
//
// The queries are the stream; the set is random keys that are never asked for.

#ifndef TAMIS_LAB_REPRODUCE_FIREHOSE_STREAM_H_
#define TAMIS_LAB_REPRODUCE_FIREHOSE_STREAM_H_

#include <cstdint>
#include <string>

#include "tamis/result.h"
#include "tools/compare/query_stream.h"

namespace tamis::tools {

// What is asked.  A quick run takes the keys of the whole stream, but only one
// key in `one_in`, by hash: each is then repeated as often as in the whole.
struct FirehoseStream {
  std::string stream;  // its spec
  uint64_t count;
  uint64_t one_in;
};

// A stream of queries; no set yet.
Result<QueryStream> QueriesOf(const FirehoseStream& asked);

// Makes the set of `stream` so many keys that are no queries.
// REQUIRES: the first `unique` keys are the queries'
void SetRandomMembers(uint64_t unique, uint64_t members, QueryStream& stream);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_FIREHOSE_STREAM_H_
