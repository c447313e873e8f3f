"""Standings as a page: one HTML file with pictures drawn in it, that needs nothing else; for light and for dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor

from avecaesar.lab.arena.marks import ErrorBar, multiples, ratings, warmth
from avecaesar.lab.arena.standings import Standings

WIDTH, RIGHT = 800, 150  # of a picture, and of its figures
LETTER = 8  # of a name; about
LINE, HEAD, FOOT = 30, 14, 34  # heights: a row, and what is above and below the rows
CELL = 72
TICKS = 6

STYLE = """
:root { color-scheme: light dark; --paper: #fbf9f4; --ink: #26221c; --faint: #8a8174; --rule: #ddd6c8; --mark: #a3243b;
  --better: #2a6f97; --worse: #c2703d }
@media (prefers-color-scheme: dark) { :root { --paper: #191714; --ink: #ece6da; --faint: #9a9182; --rule: #3a352d;
  --mark: #f0798c; --better: #6db6dc; --worse: #e0975f } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto;
  max-width: 54rem; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem } p, pre { margin: .5rem 0 }
svg { display: block; height: auto; max-width: 100% } svg text { fill: var(--ink); font-size: 14px }
svg .faint { fill: var(--faint); font-size: 12px } svg .rule { stroke: var(--rule) } svg .end { text-anchor: end }
svg .middle { text-anchor: middle } svg .fair { stroke: var(--ink); stroke-dasharray: 4 4 }
svg .span { stroke: var(--mark); stroke-width: 3; stroke-linecap: round } svg .mark { fill: var(--mark) }
svg .better { fill: var(--better) } svg .worse { fill: var(--worse) }
pre { font-size: 12px; line-height: 1.35; overflow-x: auto }
"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>
<body>
{body}
</body>
</html>
"""


def page(standings: Standings) -> str:
    """The whole page."""
    arena = standings.arena
    title = f"Arena: {', '.join(arena.drivers)}" + (f" against {arena.against}" if arena.against else "")
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{arena.races:,} races of each pairing, {arena.players} players, on "
        f"{escape(arena.experiments[0].setting(arena.course))}.</p>",
        "<h2>Wins, in multiples of the fair share</h2>",
        _marks(multiples(standings), fair=1.0),
        *(["<h2>Times the fair share, rows against columns</h2>", _heat_map(standings)] if standings.crossed else []),
        "<h2>OpenSkill ratings, mu ± 3 sigma</h2>",
        _marks(ratings(standings)),
        "<h2>All figures</h2>",
        f"<pre>{escape(str(standings))}</pre>",
    ]
    return PAGE.format(title=escape(title), style=STYLE, body="\n".join(parts))


def ticks(low: float, high: float) -> list[float]:
    """Round numbers that enclose these.

    >>> ticks(0.2, 2.9)
    [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
    """
    step = next(
        step for power in range(-3, 6) for step in (10.0**power, 2 * 10.0**power, 5 * 10.0**power)
        if (high - low) / step <= TICKS
    )  # fmt: skip
    return [step * k for k in range(floor(low / step), ceil(high / step) + 1)]


def _marks(marks: Sequence[ErrorBar], fair: float | None = None) -> str:
    """A row each: a point on its interval."""
    ends = [end for _, _, low, high, _ in marks for end in (low, high)] + ([0.0, fair] if fair is not None else [])
    scale = ticks(min(ends), max(ends))
    left, height = _left([name for name, *_ in marks]), HEAD + LINE * len(marks) + FOOT
    bottom = height - FOOT

    def across(value: float) -> float:
        return round(left + (WIDTH - left - RIGHT) * (value - scale[0]) / (scale[-1] - scale[0]), 1)

    lines = [f'<line class="rule" x1="{across(t)}" x2="{across(t)}" y1="{HEAD}" y2="{bottom}"/>' for t in scale]
    lines += [f'<text class="faint middle" x="{across(t)}" y="{bottom + 18}">{t:g}</text>' for t in scale]
    if fair is not None:
        lines += [f'<line class="fair" x1="{across(fair)}" x2="{across(fair)}" y1="{HEAD}" y2="{bottom}"/>']
        lines += [f'<text class="faint middle" x="{across(fair)}" y="{HEAD - 3}">fair</text>']
    for number, (name, value, low, high, words) in enumerate(marks):
        y = HEAD + LINE * number + LINE // 2
        lines += [
            f"<g><title>{escape(name)}: {words}</title>",
            f'<text class="end" x="{left - 14}" y="{y + 5}">{escape(name)}</text>',
            f'<line class="span" x1="{across(low)}" x2="{across(high)}" y1="{y}" y2="{y}"/>',
            f'<circle class="mark" cx="{across(value)}" cy="{y}" r="5"/>',
            f'<text class="faint end" x="{WIDTH}" y="{y + 4}">{words}</text></g>',
        ]
    return _svg(WIDTH, height, lines)


def _heat_map(standings: Standings) -> str:
    """Rows against columns: the stronger the colour, the further from the fair share."""
    names = standings.arena.drivers
    left, lines = _left(names), []
    for column, name in enumerate(names):
        x = left + CELL * column + CELL // 2
        lines.append(
            f'<text class="faint middle" x="{x}" y="{HEAD - 3}"><title>{escape(name)}</title>{column + 1}</text>'
        )
    for number, driver in enumerate(names):
        y = HEAD + LINE * number
        label = f"{driver}  {number + 1}"
        lines.append(f'<text class="end" x="{left - 14}" y="{y + LINE // 2 + 5}">{escape(label)}</text>')
        for column, against in enumerate(names):
            row = standings.row(driver, against)
            if row is not None:
                lines += _cell(left + CELL * column, y, row.multiple.value, f"{driver} against {against}")
    return _svg(left + CELL * len(names), HEAD + LINE * len(names) + 2, lines)


def _cell(x: int, y: int, value: float, words: str) -> list[str]:
    kind, depth = "better" if value >= 1 else "worse", f'fill-opacity="{warmth(value):.2f}"'
    return [
        f"<g><title>{escape(words)}: {value:.2f}</title>",
        f'<rect class="{kind}" x="{x}" y="{y}" width="{CELL - 2}" height="{LINE - 2}" {depth}/>',
        f'<text class="middle" x="{x + CELL // 2 - 1}" y="{y + LINE // 2 + 4}">{value:.2f}</text></g>',
    ]


def _left(names: Sequence[str]) -> int:
    """Room for names."""
    return 44 + LETTER * max(map(len, names))


def _svg(width: int, height: int, lines: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">'
    return "\n".join([head, *lines, "</svg>"])
