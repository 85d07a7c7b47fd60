#include "store/src/layout.h"

#include <bit>

namespace tamis::internal {
namespace {

constexpr std::string_view kMetaMagic = "tamis store\n";

Status Damaged(const std::string& what) {
  return {StatusCode::kCorrupt, what + " is damaged"};
}

Result<Meta> DecodeBody(ByteReader in, uint32_t version) {
  Meta meta;
  meta.version = version;
  const uint8_t layout = in.U8();
  const uint8_t algorithm = in.U8();
  const uint64_t low = in.U64();
  const uint64_t high = in.U64();
  meta.filter.fingerprint_bits = in.U8();
  meta.filter.grow = in.U8() != 0;
  meta.filter.expected_keys = in.U64();
  meta.filter.extension_bits = std::bit_cast<double>(in.U64());
  if (version >= 2) meta.filter.shard_slots = in.U64();
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
  PutU64(&out, meta.filter.shard_slots);
  return Sealed(std::move(out));
}

Result<Meta> DecodeMeta(std::string_view bytes) {
  const std::string_view body = Unsealed(bytes);
  ByteReader in(body);
  if (in.Bytes(kMetaMagic.size()) != kMetaMagic) {
    return Damaged("the description of the store");
  }
  const uint32_t version = in.U32();
  if (in.ok() && (version == 0 || version > kStoreVersion)) {
    return Status(StatusCode::kVersion,
                  "a store of version " + std::to_string(version) +
                      "; this program knows versions up to " +
                      std::to_string(kStoreVersion));
  }
  return DecodeBody(in, version);
}

std::string PageKey(uint32_t family, KeyHash low) {
  std::string key = PageKeys(family).first;
  PutU64(&key, low.high);
  return key;
}

std::pair<std::string, std::string> PageKeys(uint32_t family) {
  std::string first = "page/";
  std::string end = first;
  PutU32(&first, family);
  PutU32(&end, family + 1);
  return {std::move(first), std::move(end)};
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
