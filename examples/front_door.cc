// The front door: a filter before a table on disk, which learns from the reads
// that found nothing, and is kept in a file between runs.

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tamis/tamis.h"

namespace {

// The table, sorted by the hashes of its keys: an interval of hashes is one
// short read.
class Table {
 public:
  void Put(tamis::KeyHash hash, std::string key) {
    rows_.emplace(hash, std::move(key));
  }
  bool Has(tamis::KeyHash hash, const std::string& key) {
    ++reads_;
    const auto row = rows_.find(hash);
    return row != rows_.end() && row->second == key;
  }
  // What the filter asks when it is told of a mistake.
  tamis::Status ForEachInRange(tamis::KeyHash low, tamis::KeyHash high,
                               tamis::HashVisitor visit) const {
    auto row = rows_.lower_bound(low);
    for (; row != rows_.end() && row->first <= high; ++row) {
      if (!visit(row->first)) break;
    }
    return {};
  }
  uint64_t reads() const { return std::exchange(reads_, 0); }

 private:
  std::map<tamis::KeyHash, std::string> rows_;
  mutable uint64_t reads_ = 0;
};

tamis::Status Use(Table& table) {
  tamis::Result<tamis::Filter> made = tamis::Filter::Create(
      {.keys = 1'000, .fpr = 0.01, .grows = true, .source = table});
  if (!made.ok()) return made.status();
  tamis::Filter& filter = *made;
  std::printf("chosen: %s\n", filter.spec().ToString().c_str());

  for (int id = 0; id < 50'000; ++id) {  // it grows
    const std::string key = "user:" + std::to_string(id);
    TAMIS_RETURN_IF_ERROR(filter.Insert(key));  // the filter first
    table.Put(filter.Hash(key), key);
  }

  for (int day = 1; day <= 2; ++day) {
    for (int id = 0; id < 50'000; ++id) {
      const std::string key = "guest:" + std::to_string(id);
      if (!filter.MayContain(key)) continue;  // no is certain: no read
      if (table.Has(filter.Hash(key), key)) continue;
      if (auto fixed = filter.ReportFalsePositive(key); !fixed.ok())
        return fixed.status();
    }
    std::printf("day %d: 50000 absent keys, %d reads\n", day,
                static_cast<int>(table.reads()));
  }

  TAMIS_RETURN_IF_ERROR(filter.Save("guests.tamis"));
  tamis::Result<tamis::Filter> again =
      tamis::Filter::Load("guests.tamis", {.source = table});
  std::remove("guests.tamis");
  if (!again.ok()) return again.status();
  const tamis::FilterStats stats = again->stats();
  std::printf("loaded: %d keys, %.1f bits a key in all\n",
              static_cast<int>(stats.size),
              stats.BitsPerKey() + stats.SideBitsPerKey());
  return again->CheckInvariants();
}

}  // namespace

int main() {
  Table table;
  const tamis::Status status = Use(table);
  if (!status.ok()) std::puts(status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
