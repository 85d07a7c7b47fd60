#include "tools/report/write_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "tamis/internal/format/file.h"
#include "tools/common/machine.h"
#include "tools/common/text_table.h"
#include "tools/report/draw_charts.h"
#include "tools/report/html_page.h"
#include "tools/report/line_chart.h"
#include "tools/report/plot_script.h"
#include "tools/report/text_report.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

Status WriteFile(const std::string& path, std::string_view text) {
  TAMIS_ASSIGN_OR_RETURN(internal::NewFile file,
                         internal::NewFile::Create(path));
  TAMIS_RETURN_IF_ERROR(file.Write(std::as_bytes(std::span(text))));
  return file.Commit(internal::NewFile::Durability::kLeftToTheSystem);
}

std::string Today() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
}

std::string AsCsv(const ResultTable& table) {
  std::ostringstream csv;
  TextTable{table.columns, table.rows}.PrintCsv(csv);
  return csv.str();
}

std::string AsFile(std::string svg) {
  const std::string style = fmt::format(
      "<style>{}{}@media (prefers-color-scheme:dark){{svg.plot{{"
      "background:#161a20}}}}</style>",
      PlotStyle(), kLineChartStyle);
  return svg.insert(svg.find('>') + 1, style);
}

Json TilesAsJson(const ReportHead& head) {
  Json tiles = Json::array();
  for (const Tile& one : head.tiles) {
    tiles.push_back({{"figure", one.figure}, {"meaning", one.meaning}});
  }
  return tiles;
}

std::string AsJson(const PageParts& parts, std::span<const Section> sections) {
  Json machine = Json::object();
  for (const auto& [name, value] : parts.machine) machine[name] = value;
  const Json report = {{"title", parts.head.title},
                       {"summary", parts.head.summary},
                       {"points", parts.head.points},
                       {"tiles", TilesAsJson(parts.head)},
                       {"build", parts.head.build},
                       {"conditions", parts.head.conditions.rows},
                       {"command", parts.head.command},
                       {"date", parts.date},
                       {"machine", machine},
                       {"sections", SectionsAsJson(sections)}};
  // Bytes that are no UTF-8 may come from names of files.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

// Fills in the drawings, or why there are none: the rest is still of use.
void Draw(std::span<const Section> sections, const std::string& dir,
          PageParts& parts) {
  std::vector<const Chart*> charts;
  for (const Section& section : sections) {
    for (const Chart& chart : section.findings.charts) charts.push_back(&chart);
  }
  parts.drawings.resize(charts.size());
  std::vector<const Chart*> plotted;
  std::vector<size_t> places;
  for (size_t i = 0; i < charts.size(); ++i) {
    if (charts[i]->labelled) {
      parts.drawings[i] = DrawLineChart(*charts[i]);
    } else {
      plotted.push_back(charts[i]);
      places.push_back(i);
    }
  }
  auto drawings = DrawCharts(plotted, dir);
  if (!drawings.ok()) parts.no_drawings = drawings.status().message();
  for (size_t i = 0; i < places.size() && drawings.ok(); ++i) {
    parts.drawings[places[i]] = std::move((*drawings)[i]);
  }
}

using FileNames = std::set<std::string>;

// Writes the files of a section and adds their names to `written`.
Status WriteSection(const Section& section,
                    std::span<const std::string> drawings,
                    const std::string& dir, FileNames& written) {
  const auto write = [&](const std::string& name, const std::string& text) {
    written.insert(name);
    return WriteFile(dir + '/' + name, text);
  };
  const Findings& findings = section.findings;
  for (size_t i = 0; i < findings.tables.size(); ++i) {
    TAMIS_RETURN_IF_ERROR(
        write(TableFile(section, i + 1), AsCsv(findings.tables[i])));
  }
  for (size_t i = 0; i < findings.charts.size(); ++i) {
    if (drawings[i].empty()) continue;
    TAMIS_RETURN_IF_ERROR(
        write(ChartFile(section, i + 1), AsFile(drawings[i])));
  }
  return {};
}

// Returns the files of tables and plots of the report that is in `dir`; none
// if there is no report that can be read.
FileNames FilesOfReport(const std::string& dir) {
  FileNames names;
  std::ifstream file(dir + "/report.json", std::ios::binary);
  try {
    const Json report = Json::parse(file);
    for (const Json& one : report.at("sections")) {
      const Section section{one.at("name"), "", "", {}};
      if (section.name.find('/') != std::string::npos) continue;  // not ours
      for (size_t i = 1; i <= one.at("tables").size(); ++i) {
        names.insert(TableFile(section, i));
      }
      for (size_t i = 1; i <= one.at("charts").size(); ++i) {
        names.insert(ChartFile(section, i));
      }
    }
  } catch (const Json::exception&) {
    return {};
  }
  return names;
}

}  // namespace

Status PrepareReportFolder(const std::string& dir) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (!error && !std::filesystem::is_directory(dir, error) && !error) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (!error && access(dir.c_str(), W_OK | X_OK) != 0) {
    error = {errno, std::generic_category()};
  }
  if (!error) return {};
  return {StatusCode::kIo,
          dir + ": can't write a report there: " + error.message()};
}

Status WriteReport(const ReportHead& head, std::span<const Section> sections,
                   const std::string& dir) {
  TAMIS_RETURN_IF_ERROR(PrepareReportFolder(dir));
  PageParts parts{head, DescribeMachine(), Today(), {}, {}};
  Draw(sections, dir, parts);
  const FileNames before = FilesOfReport(dir);
  FileNames written;
  std::span<const std::string> drawings = parts.drawings;
  for (const Section& section : sections) {
    TAMIS_RETURN_IF_ERROR(WriteSection(section, drawings, dir, written));
    drawings = drawings.subspan(section.findings.charts.size());
  }
  TAMIS_RETURN_IF_ERROR(
      WriteFile(dir + "/report.json", AsJson(parts, sections)));
  TAMIS_RETURN_IF_ERROR(
      WriteFile(dir + "/index.html", HtmlPage(parts, sections)));
  for (const std::string& name : before) {
    std::error_code ignored;  // the new report is whole without
    if (!written.contains(name)) {
      std::filesystem::remove(dir + '/' + name, ignored);
    }
  }
  return {};
}

}  // namespace tamis::tools
