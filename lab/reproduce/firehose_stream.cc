#include "lab/reproduce/firehose_stream.h"

#include <utility>
#include <vector>

#include "workloads/key_stream.h"
#include "workloads/random.h"

namespace tamis::tools {

Result<QueryStream> QueriesOf(const FirehoseStream& asked) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<uint64_t> keys,
                         workloads::TakeKeys(asked.stream, asked.count));
  StreamBuilder builder;
  for (const uint64_t key : keys) {
    const KeyHash identity = IdentityOf(key);
    if (identity.high % asked.one_in == 0) builder.AddQuery(identity);
  }
  return std::move(builder).Finish();
}

void SetRandomMembers(uint64_t unique, uint64_t members, QueryStream& stream) {
  constexpr uint64_t kMemberFamily = 0x5e75;
  stream.keys.resize(unique);
  stream.member.assign(unique, false);
  for (uint64_t i = 0; i < members; ++i) {
    stream.keys.push_back(IdentityOf(workloads::DistinctKey(kMemberFamily, i)));
    stream.member.push_back(true);
  }
  stream.num_members = members;
}

}  // namespace tamis::tools
