// A filter in front of something slow: build it, ask it, save it, load it.

#include <cstdio>
#include <string>

#include "tamis/rsqf.h"
#include "tamis/serialize.h"

int main() {
  // A million keys, and one absent key in 250 taken for a member at most: 8
  // bits of each are stored, and it takes about 10.8 bits a key.
  tamis::Result<tamis::Rsqf> created =
      tamis::Rsqf::Create({.keys = 1'000'000, .fpr = 0.004});
  if (!created.ok()) return 1;
  tamis::Rsqf filter = std::move(created).value();

  // A key is hashed once, by the filter's own hasher: its seed is a secret.
  const tamis::Hasher& hasher = filter.hasher();
  for (int i = 0; i < 1'000'000; ++i) {
    const std::string key = "user:" + std::to_string(i);
    if (tamis::Status s = filter.Insert(hasher.Hash(key)); !s.ok()) {
      std::fprintf(stderr, "%s\n", s.ToString().c_str());
      return 1;
    }
  }

  // "No" is certain; "maybe" is worth a read.
  int maybe = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::string key = "visitor:" + std::to_string(i);
    maybe += static_cast<int>(filter.MayContain(hasher.Hash(key)));
  }
  std::printf("%d of 100000 absent keys need a read (expected %.0f)\n", maybe,
              1e5 * filter.ExpectedFpr());
  std::printf("%.2f bits a key\n", filter.stats().BitsPerKey());

  // The whole filter, with its seed, in one checksummed file.
  const std::string path = "/tmp/tamis_example_users.tamis";
  if (!tamis::Save(filter, path).ok()) return 1;
  tamis::Result<tamis::Rsqf> loaded = tamis::Load<tamis::Rsqf>(path);
  std::remove(path.c_str());
  if (!loaded.ok()) return 1;
  return loaded->MayContain(hasher.Hash("user:17")) ? 0 : 1;
}
