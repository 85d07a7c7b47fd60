/* An adaptive filter before a table, in C.
 *
 * The table is an array of hashes, sorted: what a database with an index on the
 * hash would answer.  The filter learns from each wasted read, and does not make
 * the same mistake twice.
 */

#include <stdio.h>
#include <stdlib.h>

#include "tamis/c.h"

enum { kUsers = 100000, kVisitors = 1000000 };

/* The table, sorted by hash. */
typedef struct table {
  tamis_hash* rows;
  size_t count;
} table;

static int compare(const void* a, const void* b) {
  const tamis_hash* x = (const tamis_hash*)a;
  const tamis_hash* y = (const tamis_hash*)b;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->low == y->low ? 0 : x->low < y->low ? -1 : 1;
}

/* The first row that is not less than `hash`. */
static size_t lower_bound(const table* rows, tamis_hash hash) {
  size_t low = 0, high = rows->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare(&rows->rows[middle], &hash) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* SELECT hash FROM users WHERE hash BETWEEN low AND high ORDER BY hash. */
static tamis_status members(void* context, tamis_hash low, tamis_hash high,
                            tamis_visit visit, void* visitor,
                            tamis_error* error) {
  const table* rows = (const table*)context;
  size_t i = lower_bound(rows, low);
  (void)error; /* this table never fails */
  for (; i < rows->count && compare(&rows->rows[i], &high) <= 0; ++i) {
    if (!visit(visitor, rows->rows[i])) break;
  }
  return TAMIS_OK;
}

static void must(tamis_status status, const tamis_error* error) {
  if (status == TAMIS_OK) return;
  fprintf(stderr, "%s: %s\n", tamis_status_name(status),
          tamis_error_text(error));
  exit(1);
}

/* Asks for all visitors, none of whom is a user; returns the wasted reads. */
static int ask_for_visitors(tamis_filter* filter, tamis_error* error) {
  int wasted = 0;
  for (uint64_t visitor = 0; visitor < kVisitors; ++visitor) {
    const uint64_t key = (UINT64_C(1) << 40) + visitor;
    if (!tamis_may_contain_u64(filter, key)) continue; /* no is certain */
    ++wasted;                           /* the read found nothing: */
    must(tamis_report_u64(filter, key, NULL, error), error);
  }
  return wasted;
}

int main(void) {
  tamis_error* error = tamis_error_new();
  tamis_filter* filter = NULL;
  table users = {malloc(kUsers * sizeof(tamis_hash)), 0};
  const tamis_source source = {&users, members, NULL};
  tamis_options options = TAMIS_OPTIONS_INIT;
  int first, second, missing = 0;
  if (error == NULL || users.rows == NULL) return 1;

  options.keys = kUsers;
  options.fpr = 0.001;
  options.source = &source;
  must(tamis_create(&options, &filter, error), error);

  /* Into the filter first, into the table second. */
  for (uint64_t user = 0; user < kUsers; ++user) {
    must(tamis_insert_u64(filter, user, error), error);
    must(tamis_hash_u64(filter, user, &users.rows[users.count++], error),
         error);
  }
  qsort(users.rows, users.count, sizeof(tamis_hash), compare);

  first = ask_for_visitors(filter, error);
  second = ask_for_visitors(filter, error);
  printf("a million visitors: %d wasted reads, the second time %d\n", first,
         second);

  for (uint64_t user = 0; user < kUsers; ++user) {
    missing += tamis_may_contain_u64(filter, user) == 0;
  }
  printf("users that are not found: %d\n", missing);

  tamis_filter_free(filter);
  tamis_error_free(error);
  free(users.rows);
  return missing == 0 && second * 5 <= first ? 0 : 1;
}
