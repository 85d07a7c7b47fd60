#include "tools/report/page_style.h"

namespace tamis::tools {

// Colours first, then the page from top to bottom.  A wide table scrolls in
// its own box; nothing else is wider than the page.
const char* const kPageStyle = R"css(
:root{color-scheme:light dark;--paper:#fcfcfb;--card:#fff;--ink:#1f2328;
--soft:#59636e;--line:#e1e5ea;--link:#0062a3;--code:#f3f4f6;--holds:#00704f;
--holds-bg:#e5f4ee;--differs:#b34700;--differs-bg:#fdeee3;--bar:#8fa3b5;
--bar-soft:#dde4ea}
@media (prefers-color-scheme:dark){:root{--paper:#0f1216;--card:#161a20;
--ink:#e3e7ec;--soft:#98a2ad;--line:#2d333b;--link:#6cb8f0;--code:#1c2128;
--holds:#4fd3a4;--holds-bg:#12291f;--differs:#ffa266;--differs-bg:#2f1e12;
--bar:#5d7387;--bar-soft:#2a343d}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--paper);color:var(--ink);
font:1.0625rem/1.6 Charter,"Bitstream Charter","Source Serif 4",Georgia,serif}
h1,h2,h3,nav,dl,table,figcaption,summary,.kicker,.mark,.score,.files{
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.15em}
code,pre{font:.875em/1.5 ui-monospace,"SF Mono",Menlo,Consolas,
"DejaVu Sans Mono",monospace}
p,li,dd,h1,h2,h3,figcaption,summary,th,td{overflow-wrap:break-word}
.page{max-width:82rem;margin:0 auto;padding:0 1.25rem 4rem}
header{padding:3rem 0 1.5rem;border-bottom:1px solid var(--line)}
.kicker{margin:0 0 .35rem;color:var(--soft);font-size:.8125rem;
letter-spacing:.02em}
h1{margin:0 0 .75rem;font-size:clamp(1.7rem,1.2rem + 2.4vw,2.6rem);
line-height:1.15;letter-spacing:-.02em;text-wrap:balance}
header p,.notes,.differing,.points{max-width:46rem}
header .lead{font-size:1.25rem;line-height:1.5}
.points{margin:0 0 1rem;padding-left:1.1rem}
header .made{color:var(--soft);font-size:.9375rem}
pre{margin:.5rem 0 1rem;padding:.75rem 1rem;overflow-x:auto;border-radius:8px;
background:var(--code)}
details.machine{margin:.5rem 0;font-size:.9375rem}
details.machine dl{display:grid;grid-template-columns:max-content 1fr;
gap:.15rem 1rem;margin:.5rem 0;font-size:.875rem}
details.machine dt{color:var(--soft)}
details.machine dd{margin:0;min-width:0}
summary{cursor:pointer;color:var(--soft);font-size:.9375rem}
summary:hover{color:var(--ink)}
.score{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:1.25rem 0 .5rem}
.score div{min-width:6rem}
.score b{display:block;font-size:1.9rem;line-height:1.1;font-weight:650;
font-variant-numeric:tabular-nums}
.score span{color:var(--soft);font-size:.875rem}
.score .holds b{color:var(--holds)}
.score .differs b{color:var(--differs)}
.papers{margin:1rem 0;padding:0;list-style:none;max-width:46rem;
font:.9375rem/1.4 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",
sans-serif}
.papers li{display:grid;gap:.15rem 1rem;align-items:center;padding:.2rem 0;
grid-template-columns:minmax(0,17rem) minmax(3rem,1fr) 7rem}
.papers li>:last-child{color:var(--soft);font-variant-numeric:tabular-nums}
.bar{display:block;height:.6rem;border-radius:99px;overflow:hidden;
background:var(--differs)}
.bar i{display:block;height:100%;background:var(--holds);
border-right:2px solid var(--paper)}
.differing{margin:.5rem 0 0;font-size:.9375rem;line-height:1.45}
.differing dt{margin-top:.6rem;font-weight:600}
.differing dd{margin:.2rem 0 0 1rem}
.differing small{color:var(--soft);font-weight:400}
nav{margin:0 -.5rem;padding:1.25rem 0;font-size:.9375rem;border-bottom:1px solid var(--line)}
nav h2{margin:0 .5rem .5rem;font-size:.8125rem;font-weight:600;color:var(--soft)}
nav ol{margin:0;padding:0;list-style:none}
nav a{display:flex;gap:.75rem;justify-content:space-between;
padding:.28rem .5rem;border-radius:6px;color:inherit;
text-decoration:none;line-height:1.35}
nav a:hover,nav a:focus-visible{background:var(--code)}
nav small{flex:none;color:var(--soft);font-variant-numeric:tabular-nums}
nav small.differs{color:var(--differs)}
main{min-width:0}
main:only-child{grid-column:1/-1}
section{padding:2.5rem 0 1rem;border-bottom:1px solid var(--line)}
section:last-child{border:0}
h2{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;
text-wrap:balance}
h3{margin:1.75rem 0 .5rem;font-size:1rem}
.figures{display:grid;gap:1.25rem;margin:1.25rem 0;
grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr))}
figure{margin:0;padding:1rem 1rem .75rem;border:1px solid var(--line);
border-radius:10px;background:var(--card);min-width:0;max-width:44rem}
figcaption{font-size:.9375rem;font-weight:600;line-height:1.35;
margin-bottom:.5rem}
svg.plot{display:block;width:100%;height:auto}
.remark{margin:.5rem 0 0;color:var(--soft);font-size:.875rem;line-height:1.4}
.undrawn{margin:0;color:var(--soft);font-style:italic}
.files{font-size:.75rem;font-weight:400;white-space:nowrap}
.claims{margin:1.25rem 0;padding:0;list-style:none;
border-top:1px solid var(--line)}
.claims li{display:grid;gap:.15rem 1.25rem;padding:.7rem 0;
border-bottom:1px solid var(--line)}
.claims p{margin:0;line-height:1.45}
.mark{justify-self:start;align-self:start;padding:.1rem .55rem;
border-radius:99px;font-size:.8125rem;font-weight:600;white-space:nowrap}
.holds .mark{color:var(--holds);background:var(--holds-bg)}
.differs .mark{color:var(--differs);background:var(--differs-bg)}
.claims dl{display:contents;font-size:.9375rem;line-height:1.45}
.claims dl div{display:grid;grid-template-columns:5.5rem 1fr;min-width:0}
.claims dt{color:var(--soft);font-size:.8125rem;line-height:1.7}
.claims dd{margin:0;min-width:0;font-variant-numeric:tabular-nums;
font-size:.9375rem;line-height:1.5}
@media (min-width:52rem){.claims li{
grid-template-columns:6rem minmax(0,5fr) minmax(0,3fr) minmax(0,4fr)}
.claims dl div{display:block}.claims dt{line-height:1.3}}
.notes{margin:1rem 0;padding-left:1.1rem;color:var(--soft);font-size:.9375rem}
.table{margin:1rem 0}
.table>h3,.table>summary{margin:0 0 .4rem}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:10px;
background:var(--card);width:fit-content;max-width:100%}
.scroll:focus-visible{outline:2px solid var(--link)}
details.table[open]>summary{margin-bottom:.4rem}
table{border-collapse:collapse;font-size:.875rem;line-height:1.35;
font-variant-numeric:tabular-nums}
th,td{padding:.35rem .4rem;text-align:left;white-space:nowrap}
th:first-child,td:first-child{position:sticky;left:0;background:var(--card)}
.named :is(th,td):first-child{white-space:normal;overflow-wrap:anywhere;
min-width:12.5rem}
th{font-weight:600;color:var(--soft);vertical-align:bottom;
white-space:normal;border-bottom:1px solid var(--line)}
tbody tr+tr td{border-top:1px solid var(--line)}
tbody tr:hover td{background:var(--code)}
.n{text-align:right}
@media (min-width:68rem){
.body{display:grid;grid-template-columns:16rem minmax(0,1fr);gap:3rem}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;
border:0;padding:2.5rem 0;font-size:.875rem}
}
@media (max-width:30rem){.page{padding:0 1rem 3rem}header{padding-top:1.75rem}
header .lead{font-size:1.125rem}
.papers li{grid-template-columns:minmax(0,1fr) 6.5rem}
.papers .bar{grid-column:1/-1;grid-row:2}
.named :is(th,td):first-child{min-width:9.5rem}
figure{padding:.75rem .5rem .5rem}figcaption{padding:0 .25rem}}
@media print{nav{display:none}.body{display:block}section{break-inside:auto}
figure,.claims li{break-inside:avoid}}
)css";

}  // namespace tamis::tools
