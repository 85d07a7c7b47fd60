#!/usr/bin/env python3
"""Looks at reports in headless Chromium, as a reader would.

Writes reports with `tamis reproduce` and `tamis compare`, opens each page at the
width of a desktop and of a phone, light and dark, and checks that every chart,
table and claim of report.json is there, that nothing is wider than its place or
scrolls that should not, that no two labels of a plot touch, that the page asks
the network for nothing and that the console stays empty.

usage: report_test.py TAMIS FOLDER

FOLDER gets the reports and a picture of each view.  Needs nothing but Python's
own library, chromium and chromedriver.
"""

import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

# Each report by name, and the command that writes it; the second stream has
# stretches without a mistake, and filters that are equal all along.
REPORTS = {
    "reproduce": ["reproduce", "taf-selectors", "acf-theorem-12",
                  "infini-figure-1"],
    "compare": ["demo", "--queries", "300000", "--seeds", "2",
                "--bits-per-key", "8..16:4", "--keys-in", "store"],
    "compare-few": ["demo", "--queries", "60000", "--seeds", "1",
                    "--bits-per-key", "18"],
}
# Pages whose tables are seen whole on a desktop; wide ones scroll in their box,
# with the names in sight.
SEEN_WHOLE = []
VIEWS = [(1280, 900, "light"), (1280, 900, "dark"), (390, 844, "light"),
         (390, 844, "dark")]
CHROMIUM_OPTIONS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
    "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]

# What a reader can see of the page; asked for with all tables unfolded.
LOOK = """
document.querySelectorAll('details').forEach(d => d.open = true);
const box = e => { const r = e.getBoundingClientRect();
                   return [r.width, r.height]; };
const all = q => [...document.querySelectorAll(q)];
const room = document.documentElement.clientWidth;
const wide = e => e.getBoundingClientRect().right > room + 1 &&
                  !e.closest('.scroll');
const scrolls = e => e.scrollWidth > e.clientWidth + 1 &&
    ['auto', 'scroll'].includes(getComputedStyle(e).overflowX);
const called = e => e.tagName + '.' + e.getAttribute('class');
// Labels of a plot that touch each other, or are cut off by its edge.
const collisions = svg => {
  const outer = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].filter(
      t => t.textContent.trim()).map(
      t => [t.textContent, t.getBoundingClientRect()]);
  const found = texts.filter(([, r]) => r.left < outer.left - 1 ||
      r.right > outer.right + 1 || r.top < outer.top - 1 ||
      r.bottom > outer.bottom + 1).map(([name]) => name + ' is cut off');
  texts.forEach(([a, r], i) => texts.slice(i + 1).forEach(([b, q]) => {
    const x = Math.min(r.right, q.right) - Math.max(r.left, q.left);
    const y = Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top);
    const high = Math.min(r.height, q.height);
    if (x > -0.25 * high && y > 0.35 * high) found.push(a + ' touches ' + b);
  }));
  return found;
};
return {
  width: document.scrollingElement.scrollWidth,
  window: room,
  scrolling: all('body *').filter(e => scrolls(e) &&
      !e.matches('.scroll, pre')).map(called),
  scrolling_tables: all('.scroll').filter(scrolls).map(
      e => `${e.getAttribute('aria-label')}: ${e.scrollWidth} px`),
  unpinned: all('.scroll').filter(scrolls).filter(
      e => getComputedStyle(e.querySelector('td')).position != 'sticky').length,
  collisions: all('figure svg.plot').flatMap(collisions),
  plots: all('figure svg.plot').map(box),
  curves: all('figure svg.plot').map(s => s.querySelectorAll('path').length),
  names: all('figure svg.plot').map(
      s => [...s.querySelectorAll('text')].map(t => t.textContent)),
  tables: all('.table table').map(box),
  rows: all('.table tbody tr').length,
  holds: all('.claims .holds').length,
  differs: all('.claims .differs').length,
  sections: all('main > section').map(s => s.id),
  too_wide: all('body *').filter(wide).map(called).slice(0, 5),
  ids_twice: all('[id]').map(e => e.id).filter(
      (id, i, ids) => ids.indexOf(id) != i).slice(0, 5),
  text_px: Math.min(...all('figure svg.plot').map(
      s => 15 * s.getBoundingClientRect().width / s.viewBox.baseVal.width)),
  tiles: all('.tiles > div').map(box),
  build: all('.build pre').map(e => e.textContent),
  copies: all('.build button').map(box),
  conditions: all('.conditions > div').length,
  bars: all('.bars li').length,
  won: all('.bars .won').length,
  marked: all('tr.marked').length,
  headline: document.querySelector('h1').textContent,
  // Everything that is wide enough to use both halves of a desktop screen.
  right: Math.max(...all('header *, main *').map(
      e => e.getBoundingClientRect().right)),
  background: getComputedStyle(document.body).backgroundColor,
  resources: performance.getEntriesByType('resource').map(e => e.name),
};
"""


# Presses the head of a table's column twice; returns what is in it each time.
SORT = """
const table = document.querySelector('.sortable');
const column = [...table.tHead.rows[0].cells].findIndex(
    h => h.textContent.startsWith('FPR'));
const values = () => [...table.tBodies[0].rows].map(
    r => parseFloat(r.cells[Math.max(column, 0)].textContent));
const seen = [];
for (let i = 0; i < 2; ++i) {
  table.tHead.rows[0].cells[Math.max(column, 0)].querySelector('button').click();
  seen.push(values());
}
return seen;
"""


class Driver:
    """A browser behind chromedriver, spoken to in the WebDriver protocol."""

    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.session = None
        self.process = subprocess.Popen(
            ["chromedriver", f"--port={port}",
             f"--log-path={folder / 'chromedriver.log'}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_until_ready()
        options = {"binary": shutil.which("chromium"),
                   "args": CHROMIUM_OPTIONS +
                           [f"--user-data-dir={folder / 'profile'}"]}
        answer = self.call("POST", "/session", {"capabilities": {
            "alwaysMatch": {"goog:chromeOptions": options,
                            "goog:loggingPrefs": {"browser": "ALL",
                                                  "performance": "ALL"}}}})
        self.session = answer["sessionId"]
        # What the browser's own first page does is not the report's doing.
        self.call("POST", "/url", {"url": "about:blank"})
        self.log("performance")
        self.log("browser")

    def wait_until_ready(self):
        for _ in range(150):
            try:
                if self.call("GET", "/status")["ready"]:
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.2)
        raise RuntimeError("chromedriver does not answer")

    def call(self, method, path, body=None):
        if self.session is not None:
            path = f"/session/{self.session}{path}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path, data=data, method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def command(self, name, **parameters):
        """A command of the browser's own protocol."""
        return self.call("POST", "/goog/cdp/execute",
                         {"cmd": name, "params": parameters})

    def show(self, url, width, height, scheme):
        self.command("Emulation.setDeviceMetricsOverride", width=width,
                     height=height, deviceScaleFactor=1, mobile=width < 600)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        self.call("POST", "/url", {"url": url})

    def run(self, script):
        return self.call("POST", "/execute/sync",
                         {"script": script, "args": []})

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def picture(self, path):
        data = self.command("Page.captureScreenshot",
                            captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self):
        try:
            if self.session is not None:
                self.call("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait(30)


class Checks:
    def __init__(self):
        self.failed = 0
        self.passed = 0

    def that(self, ok, what):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {what}")


def requests_to_network(driver):
    """Addresses that the page asked for, other than files and data."""
    asked = []
    for entry in driver.log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                asked.append(url)
    return asked


def write_report(tamis, kind, out):
    """Returns report.json."""
    subprocess.run([tamis, *REPORTS[kind], "--out", out], check=True,
                   stdout=subprocess.DEVNULL)
    return json.loads((out / "report.json").read_text(encoding="utf-8"))


def check_layout(checks, name, seen, whole):
    """Nothing is wider than its place, nothing lies on something else."""
    checks.that(seen["width"] <= seen["window"],
                f"{name}: the page is {seen['width']} px wide")
    checks.that(not seen["too_wide"], f"{name}: too wide: {seen['too_wide']}")
    checks.that(not seen["scrolling"], f"{name}: scrolls: {seen['scrolling']}")
    checks.that(not whole or not seen["scrolling_tables"],
                f"{name}: scrolls: {seen['scrolling_tables']}")
    checks.that(seen["unpinned"] == 0,
                f"{name}: tables whose names scroll away: {seen['unpinned']}")
    checks.that(not seen["collisions"], f"{name}: {seen['collisions']}")


def check_answer(checks, driver, name, report, seen):
    """The headline is the answer, with its figures, command and conditions."""
    checks.that(seen["headline"] == report["title"] and
                seen["headline"].startswith("Take ") and
                "reads fall from" in seen["headline"],
                f"{name}: headline {seen['headline']}")
    checks.that(len(seen["tiles"]) == len(report["tiles"]) >= 3 and
                all(w > 100 and h > 40 for w, h in seen["tiles"]),
                f"{name}: tiles {seen['tiles']}")
    checks.that(seen["build"] == [report["build"]] and
                len(seen["copies"]) == 1 and seen["copies"][0][0] > 20,
                f"{name}: command {seen['build']}, {seen['copies']}")
    checks.that(seen["conditions"] == len(report["conditions"]) > 0,
                f"{name}: {seen['conditions']} conditions")
    bars = sum(len(b["bars"]) for s in report["sections"] for b in s["bars"])
    checks.that(seen["bars"] == bars > 3 and seen["won"] == 1,
                f"{name}: {seen['bars']} bars, {seen['won']} marked")
    checks.that(seen["marked"] >= 1, f"{name}: no row is marked")
    if seen["window"] >= 1280:
        checks.that(seen["right"] > 0.8 * seen["window"],
                    f"{name}: only {seen['right']} px are used")
    up, down = driver.run(SORT)
    checks.that(up == sorted(up) and down == sorted(up, reverse=True),
                f"{name}: sorted {up[:5]}, {down[:5]}")


def check_view(checks, driver, out, report, view):
    width, height, scheme = view
    name = f"{out.name}, {width} px, {scheme}"
    driver.show((out / "index.html").as_uri(), width, height, scheme)
    driver.picture(out.parent / f"{out.name}-{width}-{scheme}.png")
    seen = driver.run(LOOK)
    findings = report["sections"]
    charts = sum(len(s["charts"]) for s in findings)
    tables = [t for s in findings for t in s["tables"]]
    claims = [c for s in findings for c in s["claims"]]

    checks.that(charts > 0 or out.name == "compare-few",
                "the experiments have charts")
    checks.that(len(seen["plots"]) == charts,
                f"{name}: {len(seen['plots'])} plots for {charts} charts")
    for size, curves in zip(seen["plots"], seen["curves"]):
        checks.that(size[0] > 200 and size[1] > 100 and curves > 2,
                    f"{name}: a plot of {size} with {curves} paths")
    for chart, names in zip((c for s in findings for c in s["charts"]),
                            seen["names"]):
        legend = "".join(names).replace(" ", "")  # long ones take several lines
        for series in chart["series"]:
            # Of equal series that share a line, the legend may leave out some.
            first = series["name"].split(" and ")[0]
            # Long ones are cut off.
            checks.that(first[:40].replace(" ", "") in legend,
                        f"{name}: {chart['title']}: no {first}")
    checks.that(charts == 0 or seen["text_px"] >= 8,
                f"{name}: text of plots is {seen['text_px']} px high")
    checks.that(len(seen["tables"]) == len(tables) and
                all(w > 0 and h > 0 for w, h in seen["tables"]),
                f"{name}: tables {seen['tables']}")
    checks.that(seen["rows"] == sum(len(t["rows"]) for t in tables),
                f"{name}: {seen['rows']} rows")
    checks.that(seen["holds"] == sum(c["holds"] for c in claims) and
                seen["holds"] + seen["differs"] == len(claims),
                f"{name}: {seen['holds']} + {seen['differs']} claims")
    checks.that(seen["sections"] == [s["name"] for s in findings],
                f"{name}: sections {seen['sections']}")
    check_layout(checks, name, seen, width >= 1280 and out.name in SEEN_WHOLE)
    if out.name.startswith("compare"):
        check_answer(checks, driver, name, report, seen)
    checks.that(not seen["ids_twice"], f"{name}: twice: {seen['ids_twice']}")
    checks.that(not seen["resources"], f"{name}: loads {seen['resources']}")
    console = driver.log("browser")
    checks.that(not console, f"{name}: console: {console}")
    asked = requests_to_network(driver)
    checks.that(not asked, f"{name}: asks the network for {asked}")
    return seen["background"]


def main():
    tamis = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    reports = {kind: write_report(tamis, kind, folder / kind)
               for kind in REPORTS}
    checks = Checks()
    driver = Driver(folder)
    try:
        for kind, report in reports.items():
            shades = {view: check_view(checks, driver, folder / kind, report,
                                       view) for view in VIEWS}
            checks.that(shades[VIEWS[0]] != shades[VIEWS[1]],
                        f"{kind}: dark pages look different")
    finally:
        driver.close()
        shutil.rmtree(folder / "profile", ignore_errors=True)
    print(f"browser test: {checks.passed} passed, {checks.failed} failed; "
          f"pictures: {os.path.relpath(folder)}/*.png")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
