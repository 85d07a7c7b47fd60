#include "store/src/layout.h"

#include <bit>

namespace tamis::internal {
namespace {

constexpr std::string_view kMetaMagic = "tamis store\n";

Status Damaged(const std::string& what) {
  return {StatusCode::kCorrupt, what + " is damaged"};
}

Result<Meta> DecodeVersion1(ByteReader in) {
  Meta meta;
  const uint8_t layout = in.U8();
  const uint8_t algorithm = in.U8();
  const uint64_t low = in.U64();
  const uint64_t high = in.U64();
  meta.filter.fingerprint_bits = in.U8();
  meta.filter.grow = in.U8() != 0;
  meta.filter.expected_keys = in.U64();
  meta.filter.extension_bits = std::bit_cast<double>(in.U64());
  if (!in.AtEnd() || layout < 1 || layout > 2 || algorithm < 1 ||
      algorithm > 2) {
    return Damaged("the description of the store");
  }
  meta.layout = static_cast<StoreLayout>(layout);
  meta.hasher = Hasher(static_cast<HashAlgorithm>(algorithm), {low, high});
  return meta;
}

}  // namespace

std::string JournalKey(uint64_t position) {
  std::string key;
  PutU64(&key, position);
  return key;
}

void AppendChange(std::string* record, const Change& change) {
  PutU32(record, change.family);
  PutU8(record, change.insert ? 1 : 0);
  PutHash(record, change.hash);
}

Result<std::vector<Change>> DecodeChanges(std::string_view record) {
  std::vector<Change> changes;
  ByteReader in(record);
  while (in.ok() && !in.AtEnd()) {
    const uint32_t family = in.U32();
    const uint8_t insert = in.U8();
    const KeyHash hash = in.Hash();
    if (insert > 1) break;
    changes.push_back({family, insert == 1, hash});
  }
  if (!in.AtEnd()) return Damaged("a record of the journal");
  return changes;
}

std::string EncodeMeta(const Meta& meta) {
  std::string out(kMetaMagic);
  PutU32(&out, kStoreVersion);
  PutU8(&out, static_cast<uint8_t>(meta.layout));
  PutU8(&out, static_cast<uint8_t>(meta.hasher.algorithm()));
  PutU64(&out, meta.hasher.seed().low);
  PutU64(&out, meta.hasher.seed().high);
  PutU8(&out, static_cast<uint8_t>(meta.filter.fingerprint_bits));
  PutU8(&out, meta.filter.grow ? 1 : 0);
  PutU64(&out, meta.filter.expected_keys);
  PutU64(&out, std::bit_cast<uint64_t>(meta.filter.extension_bits));
  return Sealed(std::move(out));
}

Result<Meta> DecodeMeta(std::string_view bytes) {
  const std::string_view body = Unsealed(bytes);
  ByteReader in(body);
  if (in.Bytes(kMetaMagic.size()) != kMetaMagic) {
    return Damaged("the description of the store");
  }
  const uint32_t version = in.U32();
  if (in.ok() && version != kStoreVersion) {
    return Status(StatusCode::kVersion, "a store of version " +
                                            std::to_string(version) +
                                            "; this program knows version " +
                                            std::to_string(kStoreVersion));
  }
  return DecodeVersion1(in);
}

std::string PageSetKey(uint32_t family) {
  std::string key = "set/";
  PutU32(&key, family);
  return key;
}

std::string EncodePageSet(const PageSet& set) {
  std::string out;
  PutU64(&out, set.generation);
  PutU64(&out, set.pages);
  PutU64(&out, set.position);
  return Sealed(std::move(out));
}

Result<PageSet> DecodePageSet(std::string_view bytes) {
  ByteReader in(Unsealed(bytes));
  PageSet set;
  set.generation = in.U64();
  set.pages = in.U64();
  set.position = in.U64();
  if (!in.AtEnd()) return Damaged("the list of the filter's pages");
  return set;
}

std::string PageKey(uint32_t family, uint64_t generation, uint64_t number) {
  std::string key = "page/";
  PutU32(&key, family);
  PutU64(&key, generation);
  PutU64(&key, number);
  return key;
}

std::string EncodePage(const SavedPage& page) {
  std::string out;
  out.reserve(page.page.bytes.size() + 64);
  PutU64(&out, page.position);
  PutHash(&out, page.page.range.low);
  PutHash(&out, page.page.range.high);
  out.append(page.page.bytes);
  return Sealed(std::move(out));
}

Result<SavedPage> DecodePage(std::string_view bytes) {
  constexpr size_t kHeadBytes = 8 + 16 + 16;
  const std::string_view body = Unsealed(bytes);
  if (body.size() < kHeadBytes) return Damaged("a page of the filter");
  ByteReader in(body);
  SavedPage page;
  page.position = in.U64();
  page.page.range.low = in.Hash();
  page.page.range.high = in.Hash();
  page.page.bytes = std::string(body.substr(kHeadBytes));
  return page;
}

}  // namespace tamis::internal
