// The server's data types of our values: saving, loading, copying, freeing.
//
// One type a family, so that TYPE and SCAN tell them apart, with the same
// callbacks.  A file holds the number of pieces, the header and the chunks of
// chunks.h; the AOF holds them as commands.

#ifndef TAMIS_REDIS_TYPE_H_
#define TAMIS_REDIS_TYPE_H_

#include "redis/api.h"
#include "redis/value.h"

namespace tamis::redis {

// The methods of a family's type; for tests, too.
template <Family family>
TypeMethods MethodsOf();

// False if the server refuses.
bool CreateTypes(Context* context);

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_TYPE_H_
