#include "tools/report/answer_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/report/html_page.h"

namespace tamis::tools {
namespace {

// The length that fills a line: that of the longest bar, but no more than so
// many times the marked one's, or that would not be seen.
double LongestOf(const BarChart& chart) {
  double longest = 0;
  double marked = 0;
  for (const Bar& bar : chart.bars) {
    longest = std::max({longest, bar.first + bar.second, bar.high});
    if (bar.marked) marked = bar.first + bar.second;
  }
  if (marked > 0 && chart.most > 0) {
    longest = std::min(longest, chart.most * marked);
  }
  return longest > 0 ? longest : 1;
}

std::string BarOf(const Bar& bar, double longest) {
  const auto percent = [&](double length) {
    return 100 * std::clamp(length / longest, 0.0, 1.0);
  };
  const double first = percent(bar.first);
  const double both = percent(bar.first + bar.second);
  const bool cut = bar.first + bar.second > longest;
  std::string html = fmt::format(
      "<li{}><span class=\"name\">{}<small>{}</small></span>"
      "<span class=\"track{}\" aria-hidden=\"true\">"
      "<i class=\"one\" style=\"width:{:.2f}%\"></i>"
      "<i class=\"two\" style=\"left:{:.2f}%;width:{:.2f}%\"></i>",
      bar.marked ? " class=\"won\"" : "", Breakable(bar.name),
      EscapeHtml(bar.group), cut ? " cut" : "", first, first, both - first);
  if (bar.low < bar.high) {
    html += fmt::format(
        "<i class=\"range\" style=\"left:{:.2f}%;width:{:.2f}%\"></i>",
        percent(bar.low), percent(bar.high) - percent(bar.low));
  }
  return html + fmt::format("</span><b>{}</b></li>\n", EscapeHtml(bar.label));
}

}  // namespace

std::string TilesOf(const ReportHead& head) {
  if (head.tiles.empty()) return "";
  std::string html = "<div class=\"tiles\">\n";
  for (const Tile& one : head.tiles) {
    html += fmt::format("<div><b>{}</b><span>{}</span></div>\n",
                        EscapeHtml(one.figure), EscapeHtml(one.meaning));
  }
  return html + "</div>\n";
}

std::string BuildCommandOf(const ReportHead& head) {
  if (head.build.empty()) return "";
  return fmt::format(
      "<div class=\"build\"><pre id=\"build-command\">{}</pre>"
      "<button type=\"button\" data-copy=\"build-command\">Copy</button></div>"
      "\n",
      EscapeHtml(head.build));
}

std::string ConditionsOf(const ReportHead& head) {
  if (head.conditions.rows.empty()) return "";
  std::string html = fmt::format("<h2>{}</h2>\n<dl class=\"conditions\">\n",
                                 EscapeHtml(head.conditions.title));
  for (const auto& row : head.conditions.rows) {
    html += fmt::format(
        "<div><dt>If {}</dt><dd><code>{}</code><span>{}</span></dd></div>\n",
        EscapeHtml(row[0]), EscapeHtml(row[1]), EscapeHtml(row[2]));
  }
  return html + "</dl>\n";
}

std::string BarsOf(const BarChart& chart) {
  std::string html = fmt::format(
      "<figure class=\"barred\"><figcaption>{}</figcaption>\n"
      "<p class=\"key\"><i class=\"one\"></i>{} <i class=\"two\"></i>{} "
      "<i class=\"range\"></i>lowest to highest seed</p>\n<ul "
      "class=\"bars\">\n",
      EscapeHtml(chart.title), EscapeHtml(chart.first),
      EscapeHtml(chart.second));
  const double longest = LongestOf(chart);
  bool cut = false;
  for (const Bar& bar : chart.bars) {
    html += BarOf(bar, longest);
    cut |= bar.first + bar.second > longest;
  }
  html += "</ul>\n";
  if (cut) {
    html += fmt::format(
        "<p class=\"remark\">Bars with a jagged end are longer than {:g} times "
        "the chosen one, and cut.</p>\n",
        chart.most);
  }
  return html + "</figure>\n";
}

const char* const kAnswerStyle = R"css(
.tiles{display:grid;gap:.75rem;margin:1.5rem 0;
grid-template-columns:repeat(auto-fit,minmax(min(100%,11rem),1fr))}
.tiles div{padding:1rem 1.1rem;border:1px solid var(--line);border-radius:10px;
background:var(--card)}
.tiles b{display:block;font:650 1.9rem/1.15 system-ui,-apple-system,"Segoe UI",
Roboto,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums;
letter-spacing:-.01em}
.tiles div:first-child b{color:var(--holds)}
.tiles span{color:var(--soft);font-size:.9375rem}
.build{display:flex;gap:.5rem;align-items:stretch;margin:1rem 0;max-width:60rem}
.build pre{flex:1;margin:0;min-width:0;white-space:pre-wrap;
overflow-wrap:anywhere}
button{font:600 .875rem/1 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",
sans-serif;padding:0 1rem;border:1px solid var(--line);border-radius:8px;
background:var(--card);color:var(--link);cursor:pointer}
button:hover{background:var(--code)}
.answer{display:grid;gap:1.5rem 3rem}
.answer>*{min-width:0}
.answer p,.answer li{overflow-wrap:anywhere}
.answer h2{font-size:1.125rem;margin:0 0 .5rem}
.conditions{margin:0}
.conditions div{padding:.6rem 0;border-top:1px solid var(--line)}
.conditions dt{color:var(--soft);font-size:.9375rem}
.conditions dd{margin:.1rem 0 0;line-height:1.45}
.conditions code{font-weight:600;overflow-wrap:anywhere}
.conditions span{display:block;color:var(--soft);font-size:.875rem}
@media (min-width:60rem){.answer{grid-template-columns:1fr 1fr}}
figure:only-child{max-width:none}
figure:only-child svg.plot{max-width:44rem}
.bars{margin:0;padding:0;list-style:none;font:.9375rem/1.3 system-ui,
-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.bars li{display:grid;gap:.1rem .9rem;align-items:center;padding:.3rem 0;
grid-template-columns:minmax(0,1fr) auto}
.bars .track{grid-column:1/-1;grid-row:2}
.bars .name{overflow-wrap:anywhere;font-size:.875rem}
.bars small{display:block;color:var(--soft);font-size:.75rem}
.bars b{font-weight:500;font-variant-numeric:tabular-nums}
.bars .won .name,.bars .won b{font-weight:700;color:var(--holds)}
.track{position:relative;height:1.15rem;background:var(--code);
border-radius:3px;overflow:hidden}
.track i,.key i{position:absolute;top:0;bottom:0}
i.one{background:var(--bar)}
i.two{background:repeating-linear-gradient(135deg,var(--bar) 0 3px,
var(--bar-soft) 3px 6px)}
.won i.one{background:var(--holds)}
.won i.two{background:repeating-linear-gradient(135deg,var(--holds) 0 3px,
var(--holds-bg) 3px 6px)}
.track i.range{top:50%;bottom:auto;height:2px;margin-top:-1px;
background:var(--ink);box-shadow:0 0 0 1px var(--card)}
.track.cut{clip-path:polygon(0 0,100% 0,calc(100% - 6px) 25%,100% 50%,
calc(100% - 6px) 75%,100% 100%,0 100%)}
.key{margin:0 0 .5rem;color:var(--soft);font-size:.8125rem;line-height:1.6}
.key i{position:static;display:inline-block;width:1.4rem;height:.7rem;
margin:0 .35rem 0 .9rem;border-radius:2px}
.key i:first-child{margin-left:0}
.key i.range{height:2px;background:var(--ink);vertical-align:middle}
th button{all:unset;cursor:pointer;font-weight:600}
th button:focus-visible{outline:2px solid var(--link)}
th button::after{content:"\2195";opacity:.35;margin-left:.25em;font-size:.85em}
th[aria-sort=ascending] button::after{content:"\2191";opacity:1}
th[aria-sort=descending] button::after{content:"\2193";opacity:1}
tr.marked td{background:var(--holds-bg)}
tr.marked td:first-child{font-weight:700;color:var(--holds)}
@media (max-width:30rem){.tiles{grid-template-columns:1fr 1fr}.tiles b{font-size:1.5rem}
.tiles div{padding:.75rem .8rem}}
@media print{button,.files{display:none}.tiles,.build,.conditions div,.bars li{
break-inside:avoid}details>*{display:block}
body{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

const char* const kPageScript = R"js(
document.querySelectorAll('[data-copy]').forEach(b=>b.onclick=async()=>{
const e=document.getElementById(b.dataset.copy);
try{await navigator.clipboard.writeText(e.textContent)}catch{
const r=document.createRange();r.selectNodeContents(e);
const s=getSelection();s.removeAllRanges();s.addRange(r);
document.execCommand('copy')}
b.textContent='Copied';setTimeout(()=>b.textContent='Copy',1500)});
document.querySelectorAll('.sortable').forEach(t=>{
const body=t.tBodies[0],heads=[...t.tHead.rows[0].cells];
const value=(r,i)=>{const s=r.cells[i].textContent;
const n=parseFloat(s);return isNaN(n)?s:n};
heads.forEach((h,i)=>{const b=document.createElement('button');
b.type='button';b.textContent=h.textContent;h.replaceChildren(b);
b.onclick=()=>{const up=h.getAttribute('aria-sort')!='ascending';
heads.forEach(o=>o.removeAttribute('aria-sort'));
h.setAttribute('aria-sort',up?'ascending':'descending');
const rows=[...body.rows].sort((p,q)=>{const x=value(p,i),y=value(q,i);
const d=typeof x=='number'&&typeof y=='number'?x-y:
typeof x==typeof y?String(x).localeCompare(y):typeof x=='number'?-1:1;
return up?d:-d});body.append(...rows)}})});
)js";

}  // namespace tamis::tools
