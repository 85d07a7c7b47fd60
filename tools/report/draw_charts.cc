#include "tools/report/draw_charts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "tamis/internal/format/file.h"
#include "tools/report/html_page.h"
#include "tools/report/plot_script.h"

extern char** environ;

namespace tamis::tools {
namespace {

// A folder for the time of drawing.
class Workshop {
 public:
  static Result<Workshop> Make(const std::string& dir) {
    std::string path = dir + "/.drawing-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) {
      return internal::SystemError(path, "create");
    }
    return Workshop(std::move(path));
  }
  Workshop(Workshop&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
  }
  Workshop& operator=(Workshop&&) = delete;
  ~Workshop() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  std::string Script() const { return path_ + "/script"; }
  std::string Messages() const { return path_ + "/messages"; }
  std::string Drawing(size_t number) const {
    return fmt::format("{}/{}.svg", path_, number);
  }

 private:
  explicit Workshop(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Starts gnuplot on the script, away from the terminal: its own group of
// processes, so that Ctrl-C reaches us and lets it finish.
int Spawn(const Workshop& workshop, pid_t* child) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, workshop.Messages().c_str(),
                                   O_WRONLY | O_CREAT, 0600);
  std::string program = "gnuplot";
  std::string script = workshop.Script();
  char* arguments[] = {program.data(), script.data(), nullptr};
  const int error = posix_spawnp(child, program.c_str(), &files, &attributes,
                                 arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

Status RunGnuplot(const Workshop& workshop) {
  pid_t child = 0;
  const int error = Spawn(workshop, &child);
  if (error == ENOENT) {
    return {StatusCode::kNotFound, "gnuplot is not installed"};
  }
  if (error != 0) {
    return {StatusCode::kIo, "gnuplot can't be started: " +
                                 std::generic_category().message(error)};
  }
  int outcome = 0;
  while (waitpid(child, &outcome, 0) < 0 && errno == EINTR) {
  }
  if (outcome == 0) return {};
  return {StatusCode::kIo, "gnuplot failed: " + Contents(workshop.Messages())};
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Removes everything from each `begin` up to the `end` that follows it.
void RemoveAll(std::string& text, std::string_view begin,
               std::string_view end) {
  for (size_t at = text.find(begin); at != std::string::npos;
       at = text.find(begin, at)) {
    const size_t limit = text.find(end, at + begin.size());
    if (limit == std::string::npos) return;
    text.erase(at, limit + end.size() - at);
  }
}

// Removes the white discs that gnuplot puts below error bars: on a dark page
// they would be seen.
void RemoveWhiteDiscs(std::string& svg) {
  constexpr std::string_view kEnd = "color='white'/>";
  for (size_t end = svg.find(kEnd); end != std::string::npos;
       end = svg.find(kEnd)) {
    const size_t begin = svg.rfind("<use", end);
    if (begin == std::string::npos) return;
    svg.erase(begin, end + kEnd.size() - begin);
  }
}

// Makes what gnuplot wrote an element of a page among others.
std::string AsElement(std::string svg, const Chart& chart, size_t number) {
  const size_t begin = svg.find("<svg");
  if (begin == std::string::npos) return "";
  svg.erase(0, begin);
  RemoveAll(svg, "<title>", "</title>");
  RemoveAll(svg, "<desc>", "</desc>");
  RemoveAll(svg, "<filter", "</filter>");
  RemoveAll(svg, " id=\"gnuplot_", "\"");
  RemoveWhiteDiscs(svg);
  const std::string prefix = fmt::format("c{}-", number);
  ReplaceAll(svg, "id='gp", "id='" + prefix + "gp");
  ReplaceAll(svg, "'#gp", "'#" + prefix + "gp");
  return svg.insert(4, fmt::format(" class=\"plot\" role=\"img\" "
                                   "aria-label=\"{}\"",
                                   EscapeHtml(chart.title)));
}

}  // namespace

Result<std::vector<std::string>> DrawCharts(
    std::span<const Chart* const> charts, const std::string& dir) {
  std::vector<std::string> drawings(charts.size());
  if (charts.empty()) return drawings;
  TAMIS_ASSIGN_OR_RETURN(const Workshop workshop, Workshop::Make(dir));
  std::ofstream script(workshop.Script(), std::ios::binary);
  for (size_t i = 0; i < charts.size(); ++i) {
    if (!CanDraw(*charts[i])) continue;
    script << PlotScript(*charts[i], workshop.Drawing(i));
  }
  script.close();
  if (!script) {
    return Status(StatusCode::kIo, workshop.Script() + ": can't be written");
  }
  TAMIS_RETURN_IF_ERROR(RunGnuplot(workshop));
  for (size_t i = 0; i < charts.size(); ++i) {
    drawings[i] = AsElement(Contents(workshop.Drawing(i)), *charts[i], i + 1);
  }
  return drawings;
}

}  // namespace tamis::tools
