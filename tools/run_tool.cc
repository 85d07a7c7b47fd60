#include "tools/run_tool.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/internal/base/nearest_name.h"
#include "tools/common/machine.h"
#include "tools/common/shell_word.h"

namespace tamis::tools {
namespace {

constexpr const char* kToolExamples =
    "Examples:\n"
    "  tamis demo\n"
    "  tamis compare --queries trace.u64.zst --members 1/10\n"
    "  tamis filters\n"
    "  tamis build users.txt -o users.tamis --fpr 0.001\n"
    "  tamis query users.tamis names.txt\n"
    "  tamis bench --filters rsqf:r=8\n"
    "\n"
    "`tamis help SUBCOMMAND` explains each, with examples; `tamis filters`\n"
    "lists the filters and their parameters.";

int Fail(const std::string& message, int exit_status, Console console) {
  console.err << "tamis: " << message << '\n';
  return exit_status;
}

int ExitStatus(const Status& status) {
  if (status.ok()) return kExitOk;
  return status.code() == StatusCode::kInvalidArgument ? kExitUsageError
                                                       : kExitDataError;
}

// A mistyped verb; CLI11 would only say that one is missing.
bool IsUnknownVerb(std::string_view word, const std::vector<Runner>& runners) {
  return !word.starts_with('-') &&
         std::none_of(runners.begin(), runners.end(), [&](const Runner& one) {
           return one.app->get_name() == word;
         });
}

int FailOnVerb(const std::string& verb, const std::vector<Runner>& runners,
               Console console) {
  std::vector<std::string> known;
  known.reserve(runners.size());
  for (const Runner& one : runners) known.push_back(one.app->get_name());
  const std::vector<std::string_view> names(known.begin(), known.end());
  return Fail(
      fmt::format("unknown subcommand '{}'{}; known are {}", verb,
                  internal::DidYouMean(verb, names), fmt::join(known, ", ")),
      kExitUsageError, console);
}

// A mistyped option before the verb; CLI11 would say that a verb is missing.
bool IsUnknownOption(const std::string& word, const CLI::App& app) {
  const std::string name = word.substr(0, word.find('='));
  return name.starts_with('-') && app.get_option_no_throw(name) == nullptr;
}

int FailOnMemory(std::span<const std::string> arguments, Console console) {
  return Fail(
      fmt::format("not enough memory for: tamis {}", fmt::join(arguments, " ")),
      kExitDataError, console);
}

// A store takes empty keys and values: `tamis store put users.db ada ""`.
bool MayBeEmpty(std::span<const std::string> arguments, size_t place) {
  if (place < 3 || arguments[0] != "store") return false;
  const std::string& verb = arguments[1];
  return (verb == "get" || verb == "put" || verb == "delete") &&
         !arguments[place - 1].starts_with("--");
}

// Returns what is wrong with an argument that says nothing, such as that of a
// shell's variable that is not set; empty if none is.  Options would take it
// for one that was not given, and CLI11 the next argument for the value of
// "--out=".
std::string FindEmpty(std::span<const std::string> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& one = arguments[i];
    if (one.starts_with("--") && one.find('=') == one.size() - 1) {
      return one + " has no value";
    }
    if (!one.empty() || MayBeEmpty(arguments, i)) continue;
    return i == 0 ? "the first argument is empty"
                  : "the argument after " + arguments[i - 1] + " is empty";
  }
  return "";
}

// The long options of the verb that was given, and of the verb below it.
std::vector<std::string> KnownOptions(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  for (const CLI::App* verb : app.get_subcommands()) {
    std::ranges::copy(KnownOptions(*verb), std::back_inserter(names));
  }
  return names;
}

// Names a mistyped option, with a guess at what it meant, where CLI11 may say
// that another one is missing; empty if all are known.
std::string UnknownOption(const CLI::App& app,
                          std::span<const std::string> arguments) {
  const std::vector<std::string> known = KnownOptions(app);
  const std::vector<std::string_view> names(known.begin(), known.end());
  for (const std::string& one : arguments) {
    if (one == "--") break;  // what follows are no options
    const std::string name = one.substr(0, one.find('='));
    if (!name.starts_with("--") ||
        std::ranges::find(known, name) != known.end()) {
      continue;
    }
    return fmt::format("unknown option '{}'{}", name,
                       internal::DidYouMean(name, names));
  }
  return "";
}

// Parses the arguments; true if there is something left to do.
bool Parse(CLI::App& app, std::span<const std::string> arguments,
           Console console, int* exit_status) {
  // CLI11 takes the last argument first.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(std::move(reversed));
    return true;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      app.exit(error, console.out, console.err);  // --help or --version
      *exit_status = kExitOk;
    } else {
      const std::string unknown = UnknownOption(app, arguments);
      *exit_status =
          Fail((unknown.empty() ? error.what() : unknown) + "; try --help",
               kExitUsageError, console);
    }
    return false;
  }
}

int RunChosen(const std::vector<Runner>& runners, Console console) {
  for (const Runner& runner : runners) {
    if (!runner.app->parsed()) continue;
    const Status status = runner.run();
    if (!status.ok()) {
      return Fail(std::string(status.message()), ExitStatus(status), console);
    }
    return InterruptRequested() ? ExitStatusOf(SignalRequested()) : kExitOk;
  }
  return kExitUsageError;  // not reached: a subcommand is required
}

// Parses the command line and does what it says.
int ParseAndRun(std::span<const std::string> arguments, Console console) {
  CLI::App app("Membership filters that adapt and grow.", "tamis");
  app.set_version_flag("--version", std::string("tamis ") + Version());
  app.require_subcommand(1);
  app.footer(kToolExamples);
  std::vector<Runner> runners;
  for (const AddSubcommand add : AllSubcommands()) {
    runners.push_back(add(app, console));
  }
  if (const std::string empty = FindEmpty(arguments); !empty.empty()) {
    return Fail(empty, kExitUsageError, console);
  }
  if (!arguments.empty() && IsUnknownVerb(arguments.front(), runners)) {
    return FailOnVerb(arguments.front(), runners, console);
  }
  if (!arguments.empty() && IsUnknownOption(arguments.front(), app)) {
    return Fail("unknown option '" + arguments.front() + "'; try --help",
                kExitUsageError, console);
  }
  ForgetInterrupts();
  int exit_status = kExitOk;
  if (!Parse(app, arguments, console, &exit_status)) return exit_status;
  // The library throws nothing; what arrives here is the standard library's
  // own, such as bad_alloc for an array of keys that does not fit.
  try {
    return RunChosen(runners, console);
  } catch (const std::bad_alloc&) {
    return FailOnMemory(arguments, console);
  } catch (const std::exception& error) {
    return Fail(error.what(), kExitDataError, console);
  }
}

}  // namespace

int RunTool(std::span<const std::string> arguments, Console console) {
  std::string command = "tamis";
  for (const std::string& one : arguments) command += ' ' + ShellWord(one);
  console.command = command;
  const int exit_status = ParseAndRun(arguments, console);
  console.out.flush();
  if (console.out || exit_status != kExitOk) return exit_status;
  return Fail("standard output: can't write", kExitDataError, console);
}

}  // namespace tamis::tools
