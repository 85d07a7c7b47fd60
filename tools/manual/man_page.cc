#include "tools/manual/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tamis::tools {
namespace {

// Text that means itself: roff gives backslashes, dashes, and periods and
// quotes at the beginning of a line a meaning.
std::string Roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool begins = result.empty() || result.back() == '\n';
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '^':
        result += "\\(ha";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Lets a long list without spaces go on in the next line, behind a comma.
std::string MayBreak(std::string_view roff) {
  std::string result;
  for (size_t i = 0; i < roff.size(); ++i) {
    result += roff[i];
    const bool is_inside = i + 1 < roff.size() && roff[i + 1] != ' ';
    if (roff[i] == ',' && is_inside) result += "\\:";
  }
  return result;
}

std::string UpperCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return text;
}

// "[OPTIONS] FILE..."
std::string Usage(const CommandInfo& command) {
  std::string usage = "[\\fIOPTIONS\\fR]";
  for (const OptionInfo& option : command.options) {
    if (!option.positional) continue;
    usage += fmt::format(" \\fI{}\\fR{}", Roff(option.names[0]),
                         option.many ? "..." : "");
  }
  return usage;
}

// "-o, --output TEXT", in bold and italics.
std::string Heading(const OptionInfo& option) {
  std::string heading;
  for (const std::string& name : option.names) {
    heading += fmt::format("{}\\f{}{}\\fR", heading.empty() ? "" : ", ",
                           option.positional ? "I" : "B", Roff(name));
  }
  if (!option.positional && option.takes_value && !option.value.empty()) {
    heading += fmt::format(" \\fI{}\\fR", Roff(option.value));
  }
  return heading;
}

std::string Paragraph(const OptionInfo& option) {
  std::string text = option.help;
  if (!text.empty() && text.back() != '.') text += '.';
  if (!option.standard.empty()) {
    text += fmt::format(" Default: {}.", option.standard);
  }
  return fmt::format(".TP\n{}\n{}\n", Heading(option), MayBreak(Roff(text)));
}

// Lines as they are: examples, lists.
std::string Verbatim(const std::string& text) {
  if (text.empty()) return "";
  return fmt::format(".PP\n.nf\n{}\n.fi\n", Roff(text));
}

std::string Verb(const CommandInfo& verb, const std::string& tool) {
  std::string page =
      fmt::format(".SS {0}\n{1}.\n.PP\n\\fB{2} {0}\\fR {3}\n", Roff(verb.name),
                  Roff(verb.help), Roff(tool), Usage(verb));
  for (const OptionInfo& option : verb.options) page += Paragraph(option);
  return page + Verbatim(verb.footer);
}

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\nAll went well.\n"
    ".TP\n1\nThe data were at fault: a file that can\\(aqt be read, a filter\n"
    "that is full.\n"
    ".TP\n2\nThe command line was at fault.\n"
    ".TP\n130, 143, 129\nInterrupted by SIGINT, SIGTERM or SIGHUP; what was\n"
    "finished is kept.\n";

}  // namespace

std::string ManPage(const CommandTree& tree, const std::string& version) {
  const std::string& tool = tree.tool.name;
  std::string help = tree.tool.help;
  if (!help.empty() && help.back() == '.') help.pop_back();
  std::string page = fmt::format(
      ".\\\" Made by `{0} man`.\n"
      ".TH {1} 1 \"\" \"{0} {2}\" \"User commands\"\n"
      ".ad l\n"
      ".SH NAME\n{0} \\- {3}\n"
      ".SH SYNOPSIS\n\\fB{0}\\fR \\fISUBCOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH OPTIONS\n",
      tool, UpperCase(tool), Roff(version), Roff(help));
  for (const OptionInfo& option : tree.tool.options) page += Paragraph(option);
  page += ".SH SUBCOMMANDS\n";
  for (const CommandInfo& verb : tree.verbs) page += Verb(verb, tool);
  return page + kExitStatus + ".SH EXAMPLES\n" + Verbatim(tree.tool.footer);
}

}  // namespace tamis::tools
