// A store on RocksDB whose filter learns: a hundred thousand users, and a robot
// that asks for the same three thousand strangers again and again.

#include "tamis/store.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace {

int Fail(const tamis::Status& status) {
  std::puts(status.ToString().c_str());
  return 1;
}

// Asks for all strangers once.
tamis::Status AskForStrangers(tamis::Store& store) {
  for (int i = 0; i < 3000; ++i) {
    std::string value;
    TAMIS_RETURN_IF_ERROR(
        store.Get("stranger" + std::to_string(i), &value).status());
  }
  return {};
}

}  // namespace

int main() {
  const auto path = std::filesystem::temp_directory_path() /
                    ("tamis-example-" + std::to_string(getpid()));
  tamis::StoreOptions options;
  options.filter.fingerprint_bits = 6;  // few, so that there are mistakes
  auto opened = tamis::Store::Open(options, path.string());
  if (!opened.ok()) return Fail(opened.status());
  tamis::Store& users = **opened;

  for (int i = 0; i < 100'000; ++i) {
    const tamis::Status put = users.Put("user" + std::to_string(i), "data");
    if (!put.ok()) return Fail(put);
  }
  uint64_t wasted[3] = {};
  uint64_t before = 0;
  for (uint64_t& reads : wasted) {
    if (tamis::Status s = AskForStrangers(users); !s.ok()) return Fail(s);
    const uint64_t now = users.Stats().counters.false_positives;
    reads = now - before;
    before = now;
    std::printf("3000 strangers: %d reads wasted\n", static_cast<int>(reads));
  }
  std::string value;
  const tamis::Result<bool> found = users.Get("user42", &value);
  const tamis::Status closed = users.Close();
  std::filesystem::remove_all(path);
  if (!found.ok()) return Fail(found.status());
  if (!closed.ok()) return Fail(closed);
  return *found && value == "data" && 3 * wasted[2] < wasted[0] ? 0 : 1;
}
