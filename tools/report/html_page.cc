#include "tools/report/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "tools/common/text_table.h"
#include "tools/report/answer_html.h"
#include "tools/report/line_chart.h"
#include "tools/report/page_style.h"
#include "tools/report/plot_script.h"
#include "tools/report/text_report.h"

namespace tamis::tools {
namespace {

// Sections with more tables than this show them folded, as do long tables.
constexpr size_t kOpenTables = 2;
constexpr size_t kOpenRows = 16;
// More claims that differ, or notes of a section, than this are folded.
constexpr size_t kOpenDiffering = 8;
constexpr size_t kOpenNotes = 3;
constexpr size_t kLongName = 30;
// Fewer sections need no list of contents, which takes the tables' room.
constexpr size_t kListedSections = 4;

struct Score {
  size_t holds = 0;
  size_t differs = 0;

  size_t All() const { return holds + differs; }
};

void Count(const Section& section, Score& score) {
  for (const Claim& claim : section.findings.claims) {
    ++(claim.holds ? score.holds : score.differs);
  }
}

std::string Fact(const MachineFacts& machine, std::string_view name) {
  for (const auto& [key, value] : machine) {
    if (key == name) return value;
  }
  return "";
}

std::string ListOf(std::span<const std::string> items, const char* kind) {
  if (items.empty()) return "";
  std::string html = fmt::format("<ul class=\"{}\">\n", kind);
  for (const std::string& one : items) {
    html += fmt::format("<li>{}</li>\n", Breakable(one));
  }
  return html + "</ul>\n";
}

std::string HeadOf(const PageParts& parts) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>{}{}{}{}</style>\n</head>\n",
      EscapeHtml(parts.head.title), kPageStyle, kAnswerStyle, kLineChartStyle,
      PlotStyle());
}

std::string MachineOf(const PageParts& parts) {
  const MachineFacts& machine = parts.machine;
  std::string html = fmt::format(
      "<p class=\"made\">Made {} on {} ({} cores), by {}.</p>\n"
      "<details class=\"machine\"><summary>The machine, and the command that "
      "makes this again</summary>\n<pre>{}</pre>\n<dl>\n",
      EscapeHtml(parts.date), EscapeHtml(Fact(machine, "cpu")),
      EscapeHtml(Fact(machine, "cores")), EscapeHtml(Fact(machine, "compiler")),
      EscapeHtml(parts.head.command));
  for (const auto& [name, value] : machine) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", EscapeHtml(name),
                        EscapeHtml(value));
  }
  return html + "</dl></details>\n";
}

std::string Anchor(const Section& section) { return EscapeHtml(section.name); }

// A list of what differs, with both numbers, by experiment.
std::string DifferingOf(std::span<const Section> sections, size_t count) {
  std::string html = fmt::format(
      "<details{}><summary>What differs</summary><dl class=\"differing\">\n",
      count <= kOpenDiffering ? " open" : "");
  for (const Section& section : sections) {
    Score score;
    Count(section, score);
    if (score.differs == 0) continue;
    html += fmt::format("<dt><a href=\"#{}\">{}</a> <small>{}</small></dt>\n",
                        Anchor(section), EscapeHtml(section.title),
                        EscapeHtml(section.source));
    for (const Claim& claim : section.findings.claims) {
      if (claim.holds) continue;
      html += fmt::format(
          "<dd>{}: <small>limit</small> {}, "
          "<small>measured</small> {}</dd>\n",
          EscapeHtml(claim.text), EscapeHtml(ToText(claim.limit)),
          EscapeHtml(claim.ours));
    }
  }
  return html + "</dl></details>\n";
}

// The score of each paper: what stands before the first comma of a source.
std::string PapersOf(std::span<const Section> sections) {
  std::vector<std::pair<std::string, Score>> papers;
  for (const Section& section : sections) {
    const std::string name = section.source.substr(0, section.source.find(','));
    auto paper =
        std::find_if(papers.begin(), papers.end(),
                     [&](const auto& one) { return one.first == name; });
    if (paper == papers.end()) paper = papers.insert(paper, {name, Score()});
    Count(section, paper->second);
  }
  std::erase_if(papers, [](const auto& one) { return one.second.All() == 0; });
  if (papers.size() < 2) return "";
  std::string html = "<ul class=\"papers\">\n";
  for (const auto& [name, score] : papers) {
    html += fmt::format(
        "<li><span>{}</span><span class=\"bar\" aria-hidden=\"true\">"
        "<i style=\"width:{:.1f}%\"></i></span><span>{} of {} hold</span>"
        "</li>\n",
        EscapeHtml(name),
        100 * static_cast<double>(score.holds) /
            static_cast<double>(score.All()),
        score.holds, score.All());
  }
  return html + "</ul>\n";
}

std::string ScoreOf(std::span<const Section> sections) {
  Score score;
  for (const Section& section : sections) Count(section, score);
  if (score.All() == 0) return "";
  std::string html = fmt::format(
      "<div class=\"score\"><div><b>{}</b><span>{}</span></div>"
      "<div class=\"holds\"><b>{}</b><span>claims hold</span></div>"
      "<div class=\"differs\"><b>{}</b><span>differ</span></div></div>\n",
      sections.size(), sections.size() == 1 ? "experiment" : "experiments",
      score.holds, score.differs);
  html += PapersOf(sections);
  if (score.differs > 0) html += DifferingOf(sections, score.differs);
  return html;
}

std::string HeaderOf(const PageParts& parts,
                     std::span<const Section> sections) {
  const ReportHead& head = parts.head;
  std::string html = fmt::format(
      "<header>\n<p class=\"kicker\">tamis {}{}</p>\n<h1>{}</h1>\n"
      "{}{}<div{}>\n<div><p class=\"lead\">{}</p>\n{}</div>\n"
      "<div>{}</div>\n</div>\n{}{}",
      EscapeHtml(Fact(parts.machine, "tamis")),
      head.kicker.empty() ? "" : " &middot; " + EscapeHtml(head.kicker),
      Breakable(head.title), TilesOf(head), BuildCommandOf(head),
      head.conditions.rows.empty() ? "" : " class=\"answer\"",
      Breakable(head.summary), ListOf(head.points, "points"),
      ConditionsOf(head), ScoreOf(sections), MachineOf(parts));
  if (!parts.no_drawings.empty()) {
    html += fmt::format("<p class=\"undrawn\">There are no plots: {}.</p>\n",
                        EscapeHtml(parts.no_drawings));
  }
  return html + "</header>\n";
}

std::string ContentsOf(std::span<const Section> sections) {
  std::string html = "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n";
  for (const Section& section : sections) {
    Score score;
    Count(section, score);
    const std::string share =
        score.All() == 0
            ? ""
            : fmt::format("<small{} title=\"claims that hold\">{}/{}</small>",
                          score.differs > 0 ? " class=\"differs\"" : "",
                          score.holds, score.All());
    html += fmt::format("<li><a href=\"#{}\"><span>{}</span>{}</a></li>\n",
                        Anchor(section), EscapeHtml(section.title), share);
  }
  return html + "</ol>\n</nav>\n";
}

std::string FigureOf(const Section& section, size_t number,
                     const std::string& drawing, bool drawn) {
  const Chart& chart = section.findings.charts[number - 1];
  const std::string file = EscapeHtml(ChartFile(section, number));
  if (!drawing.empty()) {
    return fmt::format(
        "<figure><figcaption>{0} <a class=\"files\" href=\"{1}\">SVG</a>"
        "</figcaption>\n{2}{3}</figure>\n",
        EscapeHtml(chart.title), file, drawing,
        ShowsZeros(chart)
            ? fmt::format("<p class=\"remark\">{}: 0, which a logarithmic axis "
                          "does not have.</p>\n",
                          chart.labelled ? "At the lowest line"
                                         : "In the grey band at the lower edge")
            : "");
  }
  return fmt::format(
      "<figure><figcaption>{}</figcaption><p class=\"undrawn\">{}</p>"
      "</figure>\n",
      EscapeHtml(chart.title),
      drawn ? "Nothing to draw: no point lies on these axes."
            : "Not drawn; the figures are in the tables.");
}

// Which columns are numbers, and so go to the right.
std::vector<bool> NumericColumns(const ResultTable& table) {
  std::vector<bool> numeric(table.columns.size(), true);
  for (const auto& row : table.rows) {
    for (size_t i = 0; i < std::min(row.size(), numeric.size()); ++i) {
      numeric[i] = numeric[i] && LooksNumeric(row[i]);
    }
  }
  return numeric;
}

std::string RowOf(const std::vector<std::string>& cells, const char* tag,
                  const std::vector<bool>& numeric, bool marked = false) {
  std::string html = marked ? "<tr class=\"marked\">" : "<tr>";
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool right = i < numeric.size() && numeric[i];
    html += fmt::format("<{0}{1}>{2}</{0}>", tag, right ? " class=\"n\"" : "",
                        i == 0 ? Breakable(cells[i]) : EscapeHtml(cells[i]));
  }
  return html + "</tr>\n";
}

// Names that are to be broken, so that the figures beside them are seen.
bool HasLongNames(const ResultTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
    return !row.empty() && row.front().size() > kLongName;
  });
}

std::string TableOf(const Section& section, size_t number, bool open) {
  const ResultTable& table = section.findings.tables[number - 1];
  const std::vector<bool> numeric = NumericColumns(table);
  const std::string title = EscapeHtml(table.title);
  std::string html = fmt::format(
      "<{0} class=\"table\"><{1}>{2} <a class=\"files\" href=\"{3}\">CSV</a>"
      "</{1}>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{2}\"><table class=\"sortable{5}\">\n<thead>{4}</thead>\n"
      "<tbody>\n",
      open ? "div" : "details", open ? "h3" : "summary", title,
      EscapeHtml(TableFile(section, number)),
      RowOf(table.columns, "th", numeric), HasLongNames(table) ? " named" : "");
  for (size_t i = 0; i < table.rows.size(); ++i) {
    html += RowOf(table.rows[i], "td", numeric, table.marked_row == i);
  }
  return html +
         fmt::format("</tbody></table></div></{}>\n", open ? "div" : "details");
}

std::string ClaimsOf(const Section& section) {
  if (section.findings.claims.empty()) return "";
  std::string html = "<ul class=\"claims\">\n";
  for (const Claim& claim : section.findings.claims) {
    html += fmt::format(
        "<li class=\"{}\"><span class=\"mark\">{}</span>\n<p>{}</p>\n"
        "<dl><div><dt>{}</dt><dd>{}</dd></div>\n"
        "<div><dt>Measured</dt><dd>{}<br><small>limit: {}</small></dd></div>"
        "</dl></li>\n",
        claim.holds ? "holds" : "differs",
        claim.holds ? "&#10003; holds" : "&#8800; differs",
        EscapeHtml(claim.text), claim.paper.words.empty() ? "" : "Paper",
        EscapeHtml(ToText(claim.paper)), EscapeHtml(claim.ours),
        EscapeHtml(ToText(claim.limit)));
  }
  return html + "</ul>\n";
}

std::string NotesOf(const Section& section) {
  const std::span<const std::string> notes = section.findings.notes;
  const size_t open = std::min(notes.size(), kOpenNotes);
  std::string html = ListOf(notes.first(open), "notes");
  if (open == notes.size()) return html;
  return html + "<details><summary>More on how it was measured</summary>\n" +
         ListOf(notes.subspan(open), "notes") + "</details>\n";
}

std::string SourcesOf(const ReportHead& head) {
  if (head.sources.empty()) return "";
  std::string html = "<footer>\n<h2>The papers</h2>\n<ul class=\"notes\">\n";
  for (const Citation& one : head.sources) {
    const std::string doi = EscapeHtml(one.doi);
    html += fmt::format("<li>{}.{}</li>\n", EscapeHtml(one.text),
                        doi.empty()
                            ? ""
                            : fmt::format(" <a href=\"https://doi.org/{0}\">"
                                          "doi:{0}</a>",
                                          doi));
  }
  return html + "</ul>\n</footer>\n";
}

std::string SectionOf(const Section& section,
                      std::span<const std::string> drawings, bool drawn) {
  const Findings& findings = section.findings;
  std::string html = fmt::format(
      "<section id=\"{}\">\n<p class=\"kicker\">{} &middot; <code>{}</code>"
      "</p>\n<h2>{}</h2>\n{}",
      Anchor(section), EscapeHtml(section.source), EscapeHtml(section.name),
      EscapeHtml(section.title), NotesOf(section));
  const bool figures = !findings.charts.empty() || !findings.bars.empty();
  if (figures) html += "<div class=\"figures\">\n";
  for (const BarChart& chart : findings.bars) html += BarsOf(chart);
  for (size_t i = 0; i < findings.charts.size(); ++i) {
    html += FigureOf(section, i + 1, drawings[i], drawn);
  }
  if (figures) html += "</div>\n";
  html += ClaimsOf(section);
  for (size_t i = 0; i < findings.tables.size(); ++i) {
    const bool is_main = i == 0 && findings.charts.empty();
    const bool open = is_main || (findings.tables.size() <= kOpenTables &&
                                  findings.tables[i].rows.size() <= kOpenRows);
    html += TableOf(section, i + 1, open);
  }
  return html + "</section>\n";
}

}  // namespace

std::string Breakable(std::string_view text) {
  std::string html;
  for (size_t i = 0; i < text.size(); ++i) {
    html += EscapeHtml(text.substr(i, 1));
    const bool separates = text[i] == ',' || text[i] == ':';
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    if (separates && next >= 'a' && next <= 'z') html += "<wbr>";
  }
  return html;
}

std::string EscapeHtml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string TableFile(const Section& section, size_t number) {
  return fmt::format("{}-{}.csv", section.name, number);
}

std::string ChartFile(const Section& section, size_t number) {
  return fmt::format("{}-{}.svg", section.name, number);
}

std::string HtmlPage(const PageParts& parts,
                     std::span<const Section> sections) {
  std::string html = HeadOf(parts) + "<body>\n<div class=\"page\">\n" +
                     HeaderOf(parts, sections) + "<div class=\"body\">\n";
  if (sections.size() >= kListedSections) html += ContentsOf(sections);
  html += "<main>\n";
  std::span<const std::string> drawings = parts.drawings;
  for (const Section& section : sections) {
    const size_t charts = section.findings.charts.size();
    assert(charts <= drawings.size());
    html +=
        SectionOf(section, drawings.first(charts), parts.no_drawings.empty());
    drawings = drawings.subspan(charts);
  }
  html += SourcesOf(parts.head);
  return html + "</main>\n</div>\n</div>\n<script>" + kPageScript +
         "</script>\n</body>\n</html>\n";
}

}  // namespace tamis::tools
