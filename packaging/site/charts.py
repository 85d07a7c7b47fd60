"""Charts of committed results: horizontal bars, drawn as SVG."""

import html
import math
import re

# Small enough for a phone; wider screens draw it larger.
WIDTH, ROW, RIGHT, LETTER = 480, 22, 60, 6.3


def bars(title, rows, unit="", mark_least=True):
    """rows: (label, value), in the order given; the least is the best."""
    if not rows:
        return ""
    best = min(value for _, value in rows)
    low = min(v for _, v in rows if v > 0) if any(v > 0 for _, v in rows) else 1
    high = max(v for _, v in rows) or 1
    wide = high / low > 50  # then lengths are logarithms
    left = 12 + LETTER * max(len(label) for label, _ in rows)

    def length(value):
        room = WIDTH - left - RIGHT
        if value <= 0:
            return 0
        if not wide:
            return room * value / high
        return room * (0.05 + 0.95 * math.log(value / low) / math.log(high / low))

    parts = [f'<svg viewBox="0 0 {WIDTH} {ROW * len(rows) + 8}" role="img" '
             f'aria-label="{html.escape(title)}">']
    for i, (label, value) in enumerate(rows):
        y = ROW * i + 4
        kind = "bar best" if mark_least and value == best else "bar"
        parts.append(
            f'<text x="{left - 8:.0f}" y="{y + 14}" font-size="12" text-anchor="end">'
            f'{html.escape(label)}</text>'
            f'<rect class="{kind}" x="{left:.0f}" y="{y + 2}" height="{ROW - 6}" '
            f'width="{length(value):.1f}"/>'
            f'<text x="{left + length(value) + 6:.1f}" y="{y + 14}" font-size="12">'
            f'{value:,g}{unit}</text>')
    parts.append("</svg>")
    note = ", logarithmic lengths" if wide else ""
    return (f'<figure class="chart" markdown="0">'
            f"<figcaption><b>{html.escape(title)}</b>{note}</figcaption>"
            f'{"".join(parts)}</figure>\n')


def front_door(text):
    rows = []
    for line in text.splitlines():
        match = re.match(r"(\S.*?) {2,}(\S+) +([\d.]+) +([\d.]+) +(\d+) +(\d+) +(\d+)$",
                         line)
        if match:
            name, spec, bits, beside, _, _, wasted = match.groups()
            rows.append((f"{name}: {spec.split(':')[0]}", int(wasted),
                         float(bits) + float(beside)))
    return (bars("Reads wasted", [(n, w) for n, w, _ in rows]) +
            bars("Memory in all, bits a key", [(n, b) for n, _, b in rows]))


def bench(text):
    """Nanoseconds of each workload, one chart for each size; of all tables."""
    head = ["filter", "workload", "slots", "load"]
    lines = [line.split() for line in text.splitlines()
             if line and not line.startswith("#")]
    if not lines or lines[0][:4] != head:
        return ""
    table = [row for row in lines if row[:4] != head]
    charts = ""
    for slots in dict.fromkeys(row[2] for row in table):
        rows = [(f"{row[0]} {row[1]}", float(row[4])) for row in table
                if row[2] == slots]
        charts += bars(f"Nanoseconds a key, {slots} slots", rows, mark_least=False)
    return charts


def of(path, text):
    """The charts of a result file; none if there is nothing to draw."""
    if path.endswith("front-door.txt"):
        return front_door(text)
    return bench(text)
