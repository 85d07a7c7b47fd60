// SpecNotes: which parameters a filter takes, found out by watching it read its
// spec.
//
//   SpecNotes notes;                            // from here on
//   (void)AnyFilter::Create("taf", 1000, hasher);
//   notes.ParametersOf("taf");                  // r, overflow, c
//
// The functions of Spec that read a parameter (Integer, Number, Choice) know
// its limits and default, and ExpectOnly knows the names: while notes are
// taken, they say so here.  No filter has to list its parameters twice.
//
// Thread safety: notes are of the thread that takes them; one at a time.

#ifndef TAMIS_INTERNAL_FILTERS_SPEC_NOTES_H_
#define TAMIS_INTERNAL_FILTERS_SPEC_NOTES_H_

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tamis::internal {

// What a parameter may be, and what it is if it is not given.
struct SpecParameter {
  std::string name;
  std::string fallback;
  std::string min = {};                   // of a number
  std::string max = {};                   // of a number
  std::vector<std::string> choices = {};  // of all else

  friend bool operator==(const SpecParameter&, const SpecParameter&) = default;
};

class SpecNotes {
 public:
  SpecNotes();
  SpecNotes(const SpecNotes&) = delete;
  SpecNotes& operator=(const SpecNotes&) = delete;
  ~SpecNotes();

  // Returns what specs of this name were read for and allowed to have, in the
  // order of ExpectOnly.
  std::vector<SpecParameter> ParametersOf(const std::string& spec_name) const;

  // For Spec alone: these do nothing while nobody takes notes.
  static bool AreTaken();
  static void Read(const std::string& spec_name, SpecParameter parameter);
  static void Allow(const std::string& spec_name,
                    std::initializer_list<std::string_view> names);

 private:
  struct OfName {
    std::vector<SpecParameter> read;  // some are for other filters
    std::vector<std::string> allowed;
  };
  std::map<std::string, OfName> by_name_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_SPEC_NOTES_H_
