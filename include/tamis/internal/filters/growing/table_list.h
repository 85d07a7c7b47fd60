// TableList: the tables of a filter that has several.
//
// A vector, but for one thing: moved to itself, it stays as it is.  A
// std::vector is then allowed to lose its elements, and does; here they are a
// filter's members.

#ifndef TAMIS_INTERNAL_FILTERS_GROWING_TABLE_LIST_H_
#define TAMIS_INTERNAL_FILTERS_GROWING_TABLE_LIST_H_

#include <utility>
#include <vector>

namespace tamis::internal {

template <typename Table>
class TableList : public std::vector<Table> {
 public:
  TableList() = default;
  TableList(TableList&&) noexcept = default;
  TableList& operator=(TableList&& other) noexcept {
    std::vector<Table>(std::move(other)).swap(*this);
    return *this;
  }
  TableList(const TableList&) = delete;
  TableList& operator=(const TableList&) = delete;
  ~TableList() = default;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_GROWING_TABLE_LIST_H_
