#include "tools/store/measure_databases.h"

#include <fmt/format.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "workloads/random.h"

namespace tamis::tools {
namespace {

namespace fs = std::filesystem;

std::string PathOf(const MeasureOptions& options, const std::string& name) {
  return (fs::path(options.folder) / name).string();
}

void Tell(const MeasureOptions& options, const std::string& what,
          double share) {
  if (options.progress) options.progress(what, share);
}

SideOptions SideFor(const MeasureOptions& options, const std::string& path) {
  SideOptions side;
  side.path = path;
  side.cache_bytes = options.keys * (options.value_bytes + kKeyBytes) / 10;
  side.direct_io = options.direct_io;
  return side;
}

Status Load(const MeasureOptions& options, Side& side, const char* what) {
  constexpr uint64_t kInABatch = 256;
  char key[kKeyBytes];
  rocksdb::WriteBatch batch;
  for (uint64_t i = 0; i < options.keys; ++i) {
    WriteKey(Keys::kMembers, i, key);
    if (!batch.Put({key, kKeyBytes}, MakeValue(i, options.value_bytes)).ok()) {
      return {StatusCode::kOutOfMemory, "can't make a batch"};
    }
    if ((i + 1) % kInABatch == 0 || i + 1 == options.keys) {
      TAMIS_RETURN_IF_ERROR(side.Write(&batch));
      batch.Clear();
    }
    if (i % 65536 == 0) {
      Tell(options, fmt::format("loads {}", what),
           static_cast<double>(i) / static_cast<double>(options.keys));
    }
  }
  return side.Settle();
}

Status Checkpoint(Side& side, const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
  rocksdb::Checkpoint* made = nullptr;
  if (!rocksdb::Checkpoint::Create(side.db(), &made).ok()) {
    return {StatusCode::kIo, "can't make a checkpoint"};
  }
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (const auto s = checkpoint->CreateCheckpoint(path); !s.ok()) {
    return {StatusCode::kIo, s.ToString()};
  }
  return {};
}

// Bits a key of the filters of a database, written beside it for later.
Status NoteBits(const MeasureOptions& options, const std::string& name,
                const Side& side) {
  std::ofstream(PathOf(options, name) + ".bits")
      << 8.0 * static_cast<double>(side.FilterBytes()) /
             static_cast<double>(options.keys);
  return {};
}

double BitsOf(const MeasureOptions& options, const std::string& name) {
  double bits = options.bits_per_key;
  std::ifstream(PathOf(options, name) + ".bits") >> bits;
  return bits;
}

struct Opening {
  bool rebuild = false;  // the filter of a store
  bool bulk = false;
};
Result<std::unique_ptr<Side>> OpenAs(const MeasureOptions& options,
                                     const std::string& name,
                                     const std::string& path,
                                     const Opening& how = {}) {
  SideOptions side = SideFor(options, path);
  side.bulk = how.bulk;
  if (name.starts_with("bloom-big")) {
    return OpenPlain(side, {PlainForm::Kind::kBloom, BitsOf(options, "grown")});
  }
  if (name.starts_with("bloom")) {
    return OpenPlain(side, {PlainForm::Kind::kBloom, options.bits_per_key});
  }
  if (name == "ribbon") {
    return OpenPlain(side, {PlainForm::Kind::kRibbon, options.bits_per_key});
  }
  StoreForm form;
  form.name = "store, " + name;
  form.rebuild = how.rebuild;
  if (name == "ordered") form.layout = StoreLayout::kKeyOrder;
  if (name == "sized") {
    const SizedFilters sized = MadeToSize(options.keys, options.bits_per_key);
    form.filter = sized.filter;
    form.file_bits = sized.file_bits;
  }
  return OpenStoreSide(side, form);
}

// Table files are never changed: a link is a copy.
Status Copy(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::remove_all(to, error);
  fs::create_directories(to, error);
  for (const auto& file : fs::directory_iterator(from, error)) {
    const fs::path target = fs::path(to) / file.path().filename();
    if (file.path().extension() == ".sst") {
      fs::create_hard_link(file.path(), target, error);
    } else if (file.is_regular_file() && file.path().filename() != "LOCK") {
      fs::copy_file(file.path(), target, error);
    }
    if (error) return {StatusCode::kIo, target.string() + error.message()};
  }
  if (error) return {StatusCode::kIo, from + ": " + error.message()};
  return {};
}

// Brings the files into the page cache, so that each side finds the same.
void Warm(const std::string& path) {
  std::error_code error;
  std::vector<char> buffer(size_t{1} << 20);
  for (const auto& file : fs::directory_iterator(path, error)) {
    if (file.path().extension() != ".sst") continue;
    std::ifstream in(file.path(), std::ios::binary);
    while (
        in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()))) {
    }
  }
}

// Loads, keeps a copy of that state if it is wanted, compacts.
Status MakeLoaded(const MeasureOptions& options, const std::string& name,
                  bool keep_raw) {
  TAMIS_ASSIGN_OR_RETURN(
      const auto side,
      OpenAs(options, name, PathOf(options, name), {.bulk = !keep_raw}));
  TAMIS_RETURN_IF_ERROR(Load(options, *side, name.c_str()));
  if (keep_raw) {
    TAMIS_RETURN_IF_ERROR(Checkpoint(*side, PathOf(options, name + "-raw")));
  }
  Tell(options, "compacts " + name, 1);
  TAMIS_RETURN_IF_ERROR(side->CompactAll());
  TAMIS_RETURN_IF_ERROR(side->MakeWhole());
  TAMIS_RETURN_IF_ERROR(NoteBits(options, name, *side));
  return side->Close();
}

// The same data with other filters.
Status MakeFrom(const MeasureOptions& options, const std::string& from,
                const std::string& name) {
  Tell(options, "makes " + name, 0);
  TAMIS_RETURN_IF_ERROR(Copy(PathOf(options, from), PathOf(options, name)));
  const bool is_store = name == "sized";
  TAMIS_ASSIGN_OR_RETURN(const auto side,
                         OpenAs(options, name, PathOf(options, name),
                                {.rebuild = is_store, .bulk = true}));
  TAMIS_RETURN_IF_ERROR(side->CompactAll());
  TAMIS_RETURN_IF_ERROR(NoteBits(options, name, *side));
  return side->Close();
}

}  // namespace

void WriteKey(Keys family, uint64_t index, char* to) {
  uint64_t number =
      workloads::DistinctKey(static_cast<uint64_t>(family), index) %
      100'000'000'000'000'000;
  std::copy_n("user", 4, to);
  for (size_t i = kKeyBytes; i-- > 4; number /= 10) {
    to[i] = static_cast<char>('0' + number % 10);
  }
}

std::string MakeValue(uint64_t index, uint64_t size_bytes) {
  workloads::Random random(index);
  std::string value(size_bytes, '\0');
  for (char& byte : value) byte = static_cast<char>(random.Next());
  return value;
}

Result<std::unique_ptr<Side>> OpenMeasured(const MeasureOptions& options,
                                           const std::string& name) {
  const std::string copy = PathOf(options, "copy");
  TAMIS_RETURN_IF_ERROR(Copy(PathOf(options, name), copy));
  if (!options.direct_io) Warm(copy);
  return OpenAs(options, name, copy);
}

Status PrepareMeasure(const MeasureOptions& options) {
  struct Recipe {
    const char* name;
    const char* from;  // null: loaded
  };
  constexpr Recipe kRecipes[] = {{"grown", nullptr},     {"sized", "grown"},
                                 {"bloom", nullptr},     {"ribbon", "bloom"},
                                 {"bloom-big", "bloom"}, {"ordered", nullptr}};
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) return {StatusCode::kIo, options.folder + ": " + error.message()};
  const std::set<std::string> needed = NeededDatabases(options);
  for (const Recipe& recipe : kRecipes) {
    const std::string name = recipe.name;
    const bool is_needed =
        needed.contains(name) || needed.contains(name + "-raw") ||
        (name == "grown" &&
         (needed.contains("sized") || needed.contains("bloom-big"))) ||
        (name == "bloom" &&
         (needed.contains("ribbon") || needed.contains("bloom-big")));
    const bool keep_raw = needed.contains(name + "-raw");
    // The note of its bits is written last.
    const bool is_there =
        fs::exists(PathOf(options, name) + ".bits") &&
        (!keep_raw || fs::exists(PathOf(options, name + "-raw")));
    if (!is_needed || is_there) continue;
    fs::remove_all(PathOf(options, name), error);
    TAMIS_RETURN_IF_ERROR(recipe.from == nullptr
                              ? MakeLoaded(options, name, keep_raw)
                              : MakeFrom(options, recipe.from, name));
  }
  return {};
}

}  // namespace tamis::tools
