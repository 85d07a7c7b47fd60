#include "tools/generate/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "tamis/internal/base/nearest_name.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/format/file.h"
#include "tamis/result.h"
#include "tamis/spec.h"
#include "tools/common/interrupt.h"
#include "tools/common/other_file.h"
#include "tools/common/parse.h"
#include "tools/common/progress.h"
#include "workloads/growth.h"
#include "workloads/key_reader.h"
#include "workloads/key_stream.h"

namespace tamis::tools {
namespace {

using workloads::KeyFormat;
using workloads::Operation;

constexpr size_t kBatchKeys = 8'192;
constexpr std::string_view kReplayName = "replay";

// Before all else: other errors would ask for options of a workload that does
// not exist.
Status CheckName(const Spec& spec) {
  const std::vector<std::string> names = WorkloadNames();
  if (std::find(names.begin(), names.end(), spec.name()) != names.end()) {
    return {};
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  return UsageError(fmt::format(
      "unknown workload '{}'{}; known are {}", spec.name(),
      internal::DidYouMean(spec.name(), views), fmt::join(names, ", ")));
}

// The workload with the options of the command line put in.
Result<Spec> SpecOf(const GenerateOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(Spec spec, Spec::Parse(options.workload));
  TAMIS_RETURN_IF_ERROR(CheckName(spec));
  for (const GenerateOptions::Parameter& parameter : options.parameters) {
    if (!parameter.value.empty()) spec.Set(parameter.name, parameter.value);
  }
  if (spec.Has("seed")) {
    TAMIS_RETURN_IF_ERROR(ParseSeed(spec.Text("seed").value()).status());
  }
  return spec;
}

// The number of keys wanted; none if all.
Result<std::optional<uint64_t>> CountOf(const GenerateOptions& options,
                                        const Spec& spec) {
  if (options.count.empty()) {
    if (spec.name() == kReplayName) return std::optional<uint64_t>();
    return UsageError(spec.name() +
                      " has no end; say how many keys by --count");
  }
  TAMIS_ASSIGN_OR_RETURN(const uint64_t count, ParseSize(options.count));
  return std::optional<uint64_t>(count);
}

// Says whether to write text rather than u64.
Result<bool> IsText(const GenerateOptions& options) {
  KeyFormat format = workloads::DetectKeyFormat(options.output);
  if (format.zstd) {
    return UsageError(
        options.output +
        ": output is not compressed; pipe it through zstd instead");
  }
  if (!options.format.empty()) {
    TAMIS_ASSIGN_OR_RETURN(format, workloads::ParseKeyFormat(options.format));
  }
  if (format.zstd || format.encoding == KeyFormat::Encoding::kPcap) {
    return UsageError("can't write keys as " + workloads::ToString(format) +
                      "; expected text or u64");
  }
  return format.encoding == KeyFormat::Encoding::kText;
}

// Takes the bytes to write.
using Sink = std::function<Status(std::string_view)>;

// Puts keys and operations into the form in which they are written.
class Writer {
 public:
  Writer(Sink sink, bool text) : sink_(std::move(sink)), text_(text) {}

  void Append(uint64_t key) {
    if (text_) {
      fmt::format_to(std::back_inserter(buffer_), "{}\n", key);
    } else {
      std::array<char, sizeof(key)> bytes;
      internal::StoreWord(bytes.data(), key);
      buffer_.append(bytes.data(), bytes.size());
    }
  }
  void Append(const Operation& operation) {
    buffer_ +=
        operation.kind == Operation::Kind::kInsert ? "insert " : "erase ";
    Append(operation.key);
  }
  Status Flush() {
    TAMIS_RETURN_IF_ERROR(sink_(buffer_));
    buffer_.clear();
    return {};
  }

 private:
  Sink sink_;
  bool text_;
  std::string buffer_;
};

// Tells how far the work is.
class Meter {
 public:
  Meter(const Spec& spec, std::optional<uint64_t> count, Console console)
      : progress_(console.err, "generate " + spec.name()), count_(count) {}
  void Report(uint64_t done) {
    if (!count_.has_value()) return;
    progress_.ReportCount(fmt::format("{} of {}", done, *count_), done,
                          *count_);
  }

 private:
  Progress progress_;
  std::optional<uint64_t> count_;
};

// What to write, checked before the first byte is.
struct Job {
  Spec spec;
  std::optional<uint64_t> count;
  bool text;
  std::unique_ptr<workloads::KeyStream> keys;         // one of
  std::optional<workloads::GrowthStream> operations;  // these two
};

Result<Job> Prepare(const GenerateOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const Spec spec, SpecOf(options));
  Job job{spec, std::nullopt, true, nullptr, std::nullopt};
  TAMIS_ASSIGN_OR_RETURN(job.count, CountOf(options, spec));
  TAMIS_ASSIGN_OR_RETURN(job.text, IsText(options));
  if (spec.Has("file")) {
    TAMIS_ASSIGN_OR_RETURN(const std::string input, spec.Text("file"));
    TAMIS_RETURN_IF_ERROR(ExpectOtherFile(input, options.output));
  }
  if (spec.name() != kGrowthName) {
    TAMIS_ASSIGN_OR_RETURN(job.keys, workloads::MakeStream(spec));
  } else if (job.text) {
    TAMIS_ASSIGN_OR_RETURN(job.operations, workloads::MakeGrowth(spec));
  } else {
    return UsageError("growth is written as text, not as u64");
  }
  return job;
}

Status WriteKeys(Job& job, Writer writer, Meter& meter) {
  std::vector<uint64_t> batch(kBatchKeys);
  uint64_t done = 0;
  while (!InterruptRequested()) {
    const uint64_t left = job.count.value_or(~uint64_t{0}) - done;
    const auto wanted = std::span(batch).first(std::min(left, kBatchKeys));
    const size_t got = job.keys->Fill(wanted);
    for (const uint64_t key : wanted.first(got)) writer.Append(key);
    TAMIS_RETURN_IF_ERROR(writer.Flush());
    done += got;
    meter.Report(done);
    if (got < kBatchKeys) break;  // the count is reached, or the stream ended
  }
  return job.keys->status();
}

Status WriteOperations(Job& job, Writer writer, Meter& meter) {
  for (uint64_t done = 0; done < *job.count && !InterruptRequested(); ++done) {
    writer.Append(job.operations->Next());
    if (done % kBatchKeys != 0) continue;
    TAMIS_RETURN_IF_ERROR(writer.Flush());
    meter.Report(done);
  }
  return writer.Flush();
}

Status Write(Job& job, Sink sink, Console console) {
  Writer writer(std::move(sink), job.text);
  Meter meter(job.spec, job.count, console);
  return job.keys != nullptr ? WriteKeys(job, std::move(writer), meter)
                             : WriteOperations(job, std::move(writer), meter);
}

// Writes as the keys come, to what can't be replaced: a pipe, a device.
Status WriteStream(Job& job, std::ostream& out, const std::string& name,
                   Console console) {
  TAMIS_RETURN_IF_ERROR(Write(
      job,
      [&](std::string_view bytes) {
        out << bytes;
        return out.good() ? Status() : internal::SystemError(name, "write");
      },
      console));
  out.flush();
  return out.good() ? Status() : internal::SystemError(name, "write");
}

// Writes a file that is there when it is complete, or not at all.
Status WriteFile(Job& job, const std::string& path, Console console) {
  const InterruptScope interrupts;
  TAMIS_ASSIGN_OR_RETURN(internal::NewFile file,
                         internal::NewFile::Create(path));
  TAMIS_RETURN_IF_ERROR(Write(
      job,
      [&](std::string_view bytes) {
        return file.Write(std::as_bytes(std::span(bytes)));
      },
      console));
  if (!InterruptRequested()) return file.Commit();
  console.err << "tamis: interrupted; " << path << " was not written\n";
  return {};
}

bool IsPipeOrDevice(const std::string& path) {
  std::error_code absent;
  const auto type = std::filesystem::status(path, absent).type();
  return type == std::filesystem::file_type::fifo ||
         type == std::filesystem::file_type::character;
}

}  // namespace

std::vector<std::string> WorkloadNames() {
  std::vector<std::string> names;
  for (const workloads::StreamKind& kind : workloads::StreamKinds()) {
    names.emplace_back(kind.name);
  }
  names.emplace_back(kGrowthName);
  return names;
}

Status RunGenerate(const GenerateOptions& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(Job job, Prepare(options));
  if (options.output.empty() || options.output == "-") {
    return WriteStream(job, console.out, "standard output", console);
  }
  if (!IsPipeOrDevice(options.output)) {
    return WriteFile(job, options.output, console);
  }
  std::ofstream device(options.output, std::ios::binary);
  return WriteStream(job, device, options.output, console);
}

}  // namespace tamis::tools
