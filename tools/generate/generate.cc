#include "tools/generate/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "tamis/internal/bits/words.h"
#include "tamis/result.h"
#include "tamis/spec.h"
#include "tamis/workloads/growth.h"
#include "tamis/workloads/key_reader.h"
#include "tamis/workloads/key_stream.h"
#include "tools/common/parse.h"
#include "tools/common/progress.h"

namespace tamis::tools {
namespace {

using workloads::KeyFormat;
using workloads::Operation;

constexpr size_t kBatchKeys = 8'192;
constexpr std::string_view kReplayName = "replay";

Status Usage(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}

// The workload with the options of the command line put in.
Result<Spec> SpecOf(const GenerateOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(Spec spec, Spec::Parse(options.workload));
  for (const GenerateOptions::Parameter& parameter : options.parameters) {
    if (!parameter.value.empty()) spec.Set(parameter.name, parameter.value);
  }
  return spec;
}

// The number of keys wanted; none if all.
Result<std::optional<uint64_t>> CountOf(const GenerateOptions& options,
                                        const Spec& spec) {
  if (options.count.empty()) {
    if (spec.name() == kReplayName) return std::optional<uint64_t>();
    return Usage(spec.name() + " has no end; say how many keys by --count");
  }
  TAMIS_ASSIGN_OR_RETURN(const uint64_t count, ParseSize(options.count));
  return std::optional<uint64_t>(count);
}

// Says whether to write text rather than u64.
Result<bool> IsText(const GenerateOptions& options) {
  KeyFormat format = workloads::DetectKeyFormat(options.output);
  if (format.zstd) {
    return Usage(options.output +
                 ": output is not compressed; pipe it through zstd instead");
  }
  if (!options.format.empty()) {
    TAMIS_ASSIGN_OR_RETURN(format, workloads::ParseKeyFormat(options.format));
  }
  if (format.zstd || format.encoding == KeyFormat::Encoding::kPcap) {
    return Usage("can't write keys as " + workloads::ToString(format) +
                 "; expected text or u64");
  }
  return format.encoding == KeyFormat::Encoding::kText;
}

class KeySink {
 public:
  KeySink(std::ostream& out, bool text) : out_(out), text_(text) {}

  void Write(std::span<const uint64_t> keys) {
    buffer_.clear();
    for (const uint64_t key : keys) Append(key);
    out_ << buffer_;
  }
  void Write(const Operation& operation) {
    out_ << (operation.kind == Operation::Kind::kInsert ? "insert " : "erase ")
         << operation.key << '\n';
  }

 private:
  void Append(uint64_t key) {
    if (text_) {
      fmt::format_to(std::back_inserter(buffer_), "{}\n", key);
    } else {
      std::array<char, sizeof(key)> bytes;
      internal::StoreWord(bytes.data(), key);
      buffer_.append(bytes.data(), bytes.size());
    }
  }

  std::ostream& out_;
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
  if (spec.name() != kGrowthName) {
    TAMIS_ASSIGN_OR_RETURN(job.keys, workloads::MakeStream(spec));
  } else if (job.text) {
    TAMIS_ASSIGN_OR_RETURN(job.operations, workloads::MakeGrowth(spec));
  } else {
    return Usage("growth is written as text, not as u64");
  }
  return job;
}

Status WriteKeys(Job& job, std::ostream& out, KeySink sink, Meter& meter) {
  std::vector<uint64_t> batch(kBatchKeys);
  uint64_t done = 0;
  while (out.good()) {
    const uint64_t left = job.count.value_or(~uint64_t{0}) - done;
    const auto wanted = std::span(batch).first(std::min(left, kBatchKeys));
    const size_t got = job.keys->Fill(wanted);
    sink.Write(wanted.first(got));
    done += got;
    meter.Report(done);
    if (got < kBatchKeys) break;  // the count is reached, or the stream ended
  }
  return job.keys->status();
}

void WriteOperations(Job& job, std::ostream& out, KeySink sink, Meter& meter) {
  for (uint64_t done = 0; done < *job.count && out.good(); ++done) {
    if (done % kBatchKeys == 0) meter.Report(done);
    sink.Write(job.operations->Next());
  }
}

Status Write(Job& job, std::ostream& out, Console console) {
  const KeySink sink(out, job.text);
  Meter meter(job.spec, job.count, console);
  if (job.keys != nullptr) return WriteKeys(job, out, sink, meter);
  WriteOperations(job, out, sink, meter);
  return {};
}

Status OutputError(const std::string& name) {
  return {StatusCode::kIo, name + ": can't write: " + std::strerror(errno)};
}

}  // namespace

Status RunGenerate(const GenerateOptions& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(Job job, Prepare(options));
  if (options.output.empty()) {
    TAMIS_RETURN_IF_ERROR(Write(job, console.out, console));
    console.out.flush();
    return console.out.good() ? Status() : OutputError("standard output");
  }
  std::ofstream file(options.output, std::ios::binary);
  if (!file) return OutputError(options.output);
  TAMIS_RETURN_IF_ERROR(Write(job, file, console));
  file.close();
  return file.good() ? Status() : OutputError(options.output);
}

}  // namespace tamis::tools
