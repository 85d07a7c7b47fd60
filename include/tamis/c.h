/* tamis/c.h: the filters for C, and for every language that can call C.
 *
 *   tamis_error* error = tamis_error_new();
 *   tamis_filter* filter = NULL;
 *   if (tamis_create_fpr(1000000, 0.001, &filter, error) != TAMIS_OK)
 *     puts(tamis_error_text(error));
 *   tamis_insert(filter, "alice", 5, error);
 *   if (tamis_may_contain(filter, "bob", 3)) ...  look into the database ...
 *   tamis_filter_free(filter);
 *   tamis_error_free(error);
 *
 * Conventions
 *   status   What can fail returns a tamis_status, and writes the reason into
 *            the tamis_error given last, which may be NULL.  One error object
 *            serves any number of calls, of one thread at a time.  What fails
 *            leaves the filter as it was, unless the function says otherwise.
 *   keys     Bytes, by pointer and length; NULL with length 0 is the empty key.
 *            An integer is its 8 little-endian bytes, in every language.
 *   handles  Opaque.  Each has one _free, which takes NULL.  A function that
 *            makes one sets *out, to NULL if it fails.
 *   NULL     for a handle or an output is TAMIS_INVALID_ARGUMENT, never a crash.
 *   structs  that can grow begin with their size; fill them by their _INIT.
 *   threads  Functions on a const filter may run at the same time.  Any other
 *            needs the filter alone, unless it was made with TAMIS_THREADS.
 *   C++      exceptions never leave a function; none may leave a callback.
 *
 * The library is libtamis-c.so.0; it exports the functions declared here, with
 * the version TAMIS_C_0.  Link with `pkg-config --libs tamis-c`.  The guide is
 * docs/guide/c.md.
 */

#ifndef TAMIS_C_H_
#define TAMIS_C_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TAMIS_C_API __attribute__((visibility("default")))
#else
#define TAMIS_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Names are as C has them. */
/* NOLINTBEGIN(readability-identifier-naming) */

/* ---- Errors ------------------------------------------------------------- */

typedef enum tamis_status {
  TAMIS_OK = 0,
  TAMIS_FULL = 1,             /* no room for one more key */
  TAMIS_NOT_FOUND = 2,        /* the key (or file) is not there */
  TAMIS_IS_MEMBER = 3,        /* a key reported as absent is in the set */
  TAMIS_INVALID_ARGUMENT = 4, /* outside of what is documented */
  TAMIS_UNSUPPORTED = 5,      /* this filter has no such operation */
  TAMIS_INCOMPATIBLE = 6,     /* two filters that can't be combined */
  TAMIS_CORRUPT = 7,          /* bytes from outside are damaged */
  TAMIS_UNKNOWN_VERSION = 8,  /* a file of a format that we don't know */
  TAMIS_IO = 9,               /* the operating system refused */
  TAMIS_OUT_OF_MEMORY = 10,
  TAMIS_STALE = 11,   /* what is known of the members is too old; read again */
  TAMIS_INTERNAL = 12 /* a mistake of the library, or of a callback */
} tamis_status;

typedef struct tamis_error tamis_error;

/* NULL if there is no memory. */
TAMIS_C_API tamis_error* tamis_error_new(void);
TAMIS_C_API void tamis_error_free(tamis_error* error);
/* The outcome of the last call that was given this object. */
TAMIS_C_API tamis_status tamis_error_status(const tamis_error* error);
/* What happened, where and why; "" after a success.  Good until the next call
   that is given this object. */
TAMIS_C_API const char* tamis_error_text(const tamis_error* error);
/* For callbacks: says why they fail. */
TAMIS_C_API void tamis_error_set(tamis_error* error, tamis_status status,
                                 const char* text);
/* A status in words, such as "full". */
TAMIS_C_API const char* tamis_status_name(tamis_status status);
/* Of the library, such as "0.1.0". */
TAMIS_C_API const char* tamis_version(void);

/* ---- Hashes and key sources --------------------------------------------- */

/* A key's hash under a filter's seed: a number of 128 bits. */
typedef struct tamis_hash {
  uint64_t high;
  uint64_t low;
} tamis_hash;

typedef enum tamis_algorithm {
  TAMIS_XXH3 = 1,   /* the fastest */
  TAMIS_SIPHASH = 2 /* for keys that an adversary chooses */
} tamis_algorithm;

typedef struct tamis_seed {
  uint64_t low;
  uint64_t high;
} tamis_seed;

/* Takes one member; 0 says that this was enough. */
typedef int (*tamis_visit)(void* visitor, tamis_hash member);

/* The set that an adaptive filter stands for, sorted by hash.
 *
 * `members` calls visit(visitor, hash) for every member in [low, high], both
 * included, ascending, one that was inserted twice, twice, until visit returns
 * 0.  It may fail: the filter is as it was then, and hands on status and text.
 * It must not use the filter.  The filter contains the source, always: a key
 * goes into the filter first, and leaves the source first. */
typedef struct tamis_source {
  void* context;
  tamis_status (*members)(void* context, tamis_hash low, tamis_hash high,
                          tamis_visit visit, void* visitor, tamis_error* error);
  /* Called when the last filter that has it is freed; may be NULL.  A call that
     fails has not taken the source. */
  void (*release)(void* context);
} tamis_source;

/* ---- Making filters ----------------------------------------------------- */

typedef struct tamis_filter tamis_filter;

enum {                  /* tamis_options.flags */
       TAMIS_GROWS = 1, /* holds more than `keys`, up to 1000 times at `fpr` */
       TAMIS_DELETES = 2,    /* keys can be erased */
       TAMIS_ADAPTS = 4,     /* learns from false positives that are reported */
       TAMIS_THREADS = 8,    /* any number of threads may read and write */
       TAMIS_FIXED_SEED = 16 /* `seed` is given; otherwise it is random */
};

typedef struct tamis_options {
  size_t struct_size;
  const char* spec; /* such as "taf:r=8"; NULL: chosen by the rest */
  uint64_t keys;
  double fpr;          /* this, or ... */
  double bits_per_key; /* ... this, or none of both with a whole spec */
  uint32_t flags;
  uint32_t algorithm; /* a tamis_algorithm */
  tamis_seed seed;
  const tamis_source* source; /* NULL: none.  Copied, its context is not */
} tamis_options;
#define TAMIS_OPTIONS_INIT \
  { sizeof(tamis_options), NULL, 0, 0.0, 0.0, 0, TAMIS_XXH3, {0, 0}, NULL }

TAMIS_C_API tamis_status tamis_create(const tamis_options* options,
                                      tamis_filter** out, tamis_error* error);
/* The same in one line each. */
TAMIS_C_API tamis_status tamis_create_spec(const char* spec, uint64_t keys,
                                           tamis_filter** out,
                                           tamis_error* error);
TAMIS_C_API tamis_status tamis_create_fpr(uint64_t keys, double fpr,
                                          tamis_filter** out,
                                          tamis_error* error);
TAMIS_C_API tamis_status tamis_create_bits(uint64_t keys, double bits_per_key,
                                           tamis_filter** out,
                                           tamis_error* error);
/* A filter of the same kind, size and seed, with the same keys and source. */
TAMIS_C_API tamis_status tamis_copy(const tamis_filter* filter,
                                    tamis_filter** out, tamis_error* error);
/* Removes all keys. */
TAMIS_C_API tamis_status tamis_clear(tamis_filter* filter, tamis_error* error);
TAMIS_C_API void tamis_filter_free(tamis_filter* filter);

/* ---- One key ------------------------------------------------------------ */

TAMIS_C_API tamis_status tamis_insert(tamis_filter* filter, const void* key,
                                      size_t size, tamis_error* error);
TAMIS_C_API tamis_status tamis_insert_u64(tamis_filter* filter, uint64_t key,
                                          tamis_error* error);
/* 0: the key is not in the set, for certain.  1: it may be.  Negative: minus a
   tamis_status, and nothing is known; as a truth value that is "may be". */
TAMIS_C_API int tamis_may_contain(const tamis_filter* filter, const void* key,
                                  size_t size);
TAMIS_C_API int tamis_may_contain_u64(const tamis_filter* filter, uint64_t key);
/* Removes one occurrence of a member.  Only of a member: unless the filter knows
   its members (TAMIS_KNOWS_MEMBERS), another key would lose its place. */
TAMIS_C_API tamis_status tamis_erase(tamis_filter* filter, const void* key,
                                     size_t size, tamis_error* error);
TAMIS_C_API tamis_status tamis_erase_u64(tamis_filter* filter, uint64_t key,
                                         tamis_error* error);
/* The key's hash, as sources know it. */
TAMIS_C_API tamis_status tamis_hash_key(const tamis_filter* filter,
                                        const void* key, size_t size,
                                        tamis_hash* out, tamis_error* error);
TAMIS_C_API tamis_status tamis_hash_u64(const tamis_filter* filter,
                                        uint64_t key, tamis_hash* out,
                                        tamis_error* error);

/* ---- Many keys ---------------------------------------------------------- */

typedef struct tamis_key {
  const void* data;
  size_t size;
} tamis_key;

/* How the keys of a batch lie in memory. */
typedef enum tamis_layout {
  TAMIS_U64S = 1,      /* uint64_t data[count] */
  TAMIS_KEYS = 2,      /* tamis_key data[count] */
  TAMIS_HASHES = 3,    /* tamis_hash data[count], by tamis_hash_key */
  TAMIS_RECORDS = 4,   /* `width` bytes each */
  TAMIS_PADDED = 5,    /* the same; zero bytes at the end do not belong to it */
  TAMIS_OFFSETS32 = 6, /* key i is data[offsets[i]] up to data[offsets[i+1]], */
  TAMIS_OFFSETS64 = 7  /* without it; intN_t offsets[count + 1], as in Arrow */
} tamis_layout;

typedef struct tamis_batch {
  uint32_t layout; /* a tamis_layout */
  size_t count;
  const void* data;
  size_t data_bytes;   /* of `data`: checked before anything is done */
  size_t width;        /* of records */
  const void* offsets; /* aligned to their size, as u64s and hashes are */
} tamis_batch;

static inline tamis_batch tamis_u64s(const uint64_t* keys, size_t count) {
  tamis_batch batch = {TAMIS_U64S, 0, NULL, 0, 0, NULL};
  batch.count = count;
  batch.data = keys;
  batch.data_bytes = count * sizeof(uint64_t);
  return batch;
}
static inline tamis_batch tamis_keys(const tamis_key* keys, size_t count) {
  tamis_batch batch = {TAMIS_KEYS, 0, NULL, 0, 0, NULL};
  batch.count = count;
  batch.data = keys;
  batch.data_bytes = count * sizeof(tamis_key);
  return batch;
}

/* Inserts all keys, or those before the first that fails; *done, if not NULL,
   becomes their number. */
TAMIS_C_API tamis_status tamis_insert_batch(tamis_filter* filter,
                                            const tamis_batch* keys,
                                            size_t* done, tamis_error* error);
/* results[i] becomes 0 or 1. */
TAMIS_C_API tamis_status tamis_may_contain_batch(const tamis_filter* filter,
                                                 const tamis_batch* keys,
                                                 uint8_t* results,
                                                 tamis_error* error);
/* Erases until one fails, as tamis_insert_batch inserts. */
TAMIS_C_API tamis_status tamis_erase_batch(tamis_filter* filter,
                                           const tamis_batch* keys,
                                           size_t* done, tamis_error* error);

/* ---- Learning ----------------------------------------------------------- */

typedef enum tamis_outcome {
  TAMIS_FIXED = 0,
  TAMIS_NOTHING_TO_FIX = 1, /* it was no false positive */
  TAMIS_RESET = 2,          /* fixed, and some earlier fixes forgotten */
  TAMIS_NOT_FIXED = 3       /* no room, or the members are not known */
} tamis_outcome;

/* Reports a key for which the filter said "may be" and that is not in the set.
   The filter asks its mirror or its source.  `outcome` may be NULL. */
TAMIS_C_API tamis_status tamis_report(tamis_filter* filter, const void* key,
                                      size_t size, tamis_outcome* outcome,
                                      tamis_error* error);
TAMIS_C_API tamis_status tamis_report_u64(tamis_filter* filter, uint64_t key,
                                          tamis_outcome* outcome,
                                          tamis_error* error);
/* Reports many; outcomes[i] becomes a tamis_outcome.  A key that is a member
   stays as it is, with TAMIS_NOT_FIXED.  `outcomes` may be NULL. */
TAMIS_C_API tamis_status tamis_report_batch(tamis_filter* filter,
                                            const tamis_batch* keys,
                                            uint8_t* outcomes,
                                            tamis_error* error);

/* The same with members that the caller has read: all of those with hashes in
   the collision range, or some of them.

     uint64_t erases = tamis_num_erases(filter, hash);   before reading
     if (tamis_collision_range(filter, hash, &low, &high, error) == TAMIS_OK)
       ... read the members in [low, high] ...
     tamis_report_members(filter, hash, &members, erases, &outcome, error);

   TAMIS_STALE if a key was erased in between, TAMIS_INVALID_ARGUMENT if the
   list can't be one of members.  Never list a key that is not in the filter. */
TAMIS_C_API tamis_status tamis_report_members(
    tamis_filter* filter, tamis_hash absent, const tamis_batch* members,
    uint64_t num_erases, tamis_outcome* outcome, tamis_error* error);
/* TAMIS_NOT_FOUND if the filter does not claim to contain it. */
TAMIS_C_API tamis_status tamis_collision_range(const tamis_filter* filter,
                                               tamis_hash absent,
                                               tamis_hash* low,
                                               tamis_hash* high,
                                               tamis_error* error);
TAMIS_C_API uint64_t tamis_num_erases(const tamis_filter* filter,
                                      tamis_hash absent);

/* ---- Whole filters ------------------------------------------------------ */

TAMIS_C_API tamis_status tamis_expand(tamis_filter* filter, tamis_error* error);
/* Adds all keys of `other`, which needs the same kind, size and seed. */
TAMIS_C_API tamis_status tamis_merge(tamis_filter* filter,
                                     const tamis_filter* other,
                                     tamis_error* error);
/* Looks at every bit of it; TAMIS_CORRUPT says what is wrong. */
TAMIS_C_API tamis_status tamis_check(const tamis_filter* filter,
                                     tamis_error* error);

typedef struct tamis_stats {
  size_t struct_size;
  uint64_t size;       /* keys, with multiplicity */
  uint64_t capacity;   /* keys that it holds as it is now */
  uint64_t size_bits;  /* memory that look-ups need */
  uint64_t side_bits;  /* memory beside it, such as a mirror */
  double expected_fpr; /* for a random absent key, now */
} tamis_stats;
#define TAMIS_STATS_INIT \
  { sizeof(tamis_stats), 0, 0, 0, 0, 0.0 }
TAMIS_C_API tamis_status tamis_get_stats(const tamis_filter* filter,
                                         tamis_stats* out, tamis_error* error);
/* What only this kind counts: calls `each` with names and values. */
TAMIS_C_API tamis_status tamis_get_details(const tamis_filter* filter,
                                           void (*each)(void* context,
                                                        const char* name,
                                                        double value),
                                           void* context, tamis_error* error);

/* Writes the spec and a NUL, cut to `size` bytes; returns its whole length,
   0 for no filter. */
TAMIS_C_API size_t tamis_get_spec(const tamis_filter* filter, char* text,
                                  size_t size);

enum { /* tamis_get_capabilities */
       TAMIS_CAN_ERASE = 1,
       TAMIS_CAN_ADAPT = 2,
       TAMIS_KNOWS_MEMBERS =
           4, /* refuses to erase others and to adapt to members */
       TAMIS_CAN_ADAPT_WITH_MEMBERS = 8,
       TAMIS_CAN_EXPAND = 16,
       TAMIS_CAN_MERGE = 32,
       TAMIS_CAN_THREADS = 64
};
TAMIS_C_API uint32_t tamis_get_capabilities(const tamis_filter* filter);
TAMIS_C_API tamis_algorithm tamis_get_algorithm(const tamis_filter* filter);
TAMIS_C_API tamis_seed tamis_get_seed(const tamis_filter* filter);

/* ---- Files and memory --------------------------------------------------- */

enum { /* tamis_load_options.flags */
       /* Refer to the file or the bytes instead of copying them.  Such a filter can
     only be asked.  Bytes must outlive it and start at a multiple of 64. */
       TAMIS_MAP = 1,
       /* Do not look for what only a forger would write. */
       TAMIS_TRUST = 2
};

typedef struct tamis_load_options {
  size_t struct_size;
  uint32_t flags;
  const tamis_source* source; /* for filters that were made with one */
} tamis_load_options;
#define TAMIS_LOAD_OPTIONS_INIT \
  { sizeof(tamis_load_options), 0, NULL }

/* Replaces the file by a new one, or leaves the old one. */
TAMIS_C_API tamis_status tamis_save(const tamis_filter* filter,
                                    const char* path, tamis_error* error);
/* `options` may be NULL. */
TAMIS_C_API tamis_status tamis_load(const char* path,
                                    const tamis_load_options* options,
                                    tamis_filter** out, tamis_error* error);

typedef struct tamis_bytes tamis_bytes;
TAMIS_C_API tamis_status tamis_serialize(const tamis_filter* filter,
                                         tamis_bytes** out, tamis_error* error);
TAMIS_C_API const void* tamis_bytes_data(const tamis_bytes* bytes);
TAMIS_C_API size_t tamis_bytes_size(const tamis_bytes* bytes);
TAMIS_C_API void tamis_bytes_free(tamis_bytes* bytes);
TAMIS_C_API tamis_status tamis_deserialize(const void* bytes, size_t size,
                                           const tamis_load_options* options,
                                           tamis_filter** out,
                                           tamis_error* error);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif  // TAMIS_C_H_
