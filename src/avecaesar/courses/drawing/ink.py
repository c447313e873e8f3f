"""Ink for drawings: SVG elements as text, paths from points, and the palette of a Roman summer afternoon.

Only presentation attributes are written, never a style or a script: the page's content security policy is strict.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from avecaesar.courses.curves import Point

SAND, SAND_DARK, SAND_LIGHT = "#e9cf9b", "#a97f47", "#f7e6c0"
STONE, STONE_DARK, STONE_LIGHT = "#d8ccb6", "#8b7c66", "#f4ecdc"
MARBLE, BRONZE, GOLD, VERMILION = "#f3ede1", "#8c5a2b", "#d9a441", "#c8402a"
PURPLE, TERRACOTTA, SKY, NIGHT = "#6d2450", "#bf6a43", "#5f9fbc", "#3a2a1d"
LEAF, LEAF_DARK, MEADOW, DUST = "#5f7f45", "#2f4f36", "#a9b878", "#d8c08e"
SKIN = "#e3b48c"
TUNICS = ("#2e8078", "#c8402a", "#3f6f9a", "#d9a441", "#7a8f4d", "#8a4f7d", "#b9794a")
# Inscriptional capitals where there are any, else a bookish serif: nothing has to be installed.
CAPITALS = (
    "Cinzel, 'Trajan Pro', 'Palatino Linotype', 'Book Antiqua', Palatino, 'URW Palladio L', P052, "
    "'Times New Roman', 'Liberation Serif', 'DejaVu Serif', serif"
)

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Attribute = str | float | int | None


def number(value: float) -> str:
    """A coordinate, short and the same on every machine."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def tag(name: str, *children: str, **attributes: Attribute) -> str:
    """One element; `stroke_width=2` writes stroke-width, `class_` class, None is left out."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_allowed(_text(value)))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def _text(value: str | float | int) -> str:
    if isinstance(value, float):
        return f"{round(value, 2):g}"
    return str(value)


def words(text: str) -> str:
    """Text inside an element."""
    return escape(_allowed(text))


def _allowed(text: str) -> str:
    """Without the characters that XML does not take in any form: one in a name would spoil the whole drawing."""
    return FORBIDDEN.sub("", text)


def path(points: Sequence[Point], closed: bool = False) -> str:
    """Path data through points, in whole tenths and relative steps: short."""
    x, y = round(points[0][0] * 10), round(points[0][1] * 10)
    parts = [f"M{_tenths(x)} {_tenths(y)}l"]
    for px, py in points[1:]:
        nx, ny = round(px * 10), round(py * 10)
        if (nx, ny) != (x, y):
            dx, dy = _tenths(nx - x), _tenths(ny - y)
            parts.append(f"{'' if dx[0] == '-' or parts[-1][-1] == 'l' else ' '}{dx}{'' if dy[0] == '-' else ' '}{dy}")
            x, y = nx, ny
    return "".join(parts) + ("z" if closed else "")


def smooth(points: Sequence[Point], closed: bool = False) -> str:
    """Path data of a line as curves: few points, each with the direction that the line has there."""
    dense = _apart(points, closed)
    if len(dense) < 3:
        return path(points, closed)
    count = len(dense)
    ways = [_way(dense, i, closed) for i in range(count)]
    kept = _telling(dense, ways)
    spots = [(*dense[i], *ways[i]) for i in kept] + ([(*dense[0], *ways[0])] if closed else [])
    x, y = (round(value * 10) for value in dense[0])
    start, parts = f"M{_tenths(x)} {_tenths(y)}c", []
    for (ax, ay, adx, ady), (bx, by, bdx, bdy) in pairwise(spots):
        third = math.hypot(bx - ax, by - ay) / 3
        bends = ((ax + adx * third, ay + ady * third), (bx - bdx * third, by - bdy * third), (bx, by))
        values = [(round(px * 10), round(py * 10)) for px, py in bends]
        steps = [_tenths(v - base) for spot in values for v, base in zip(spot, (x, y), strict=True)]
        parts.append(" ".join(steps))
        x, y = values[-1]
    return start + " ".join(parts).replace(" -", "-") + ("z" if closed else "")


def _apart(points: Sequence[Point], closed: bool) -> list[Point]:
    """Without points that (nearly) repeat the one before, as where sections meet."""
    found = [points[0]]
    for point in points[1:]:
        if math.dist(point, found[-1]) > 0.7:
            found.append(point)
    return found[:-1] if closed and len(found) > 1 and math.dist(found[0], found[-1]) <= 0.7 else found


def _way(points: Sequence[Point], i: int, closed: bool) -> Point:
    """The direction of a line at one of its points: square to the bisector, as on a circle through three."""
    before, after = i - 1, i + 1
    if not closed:
        before, after = max(before, 0), min(after, len(points) - 1)
    a, b, c = points[before], points[i], points[after % len(points)]
    near, far = math.dist(a, b) or 1e9, math.dist(b, c) or 1e9  # an end counts its one neighbour only
    dx = (b[0] - a[0]) / near**2 + (c[0] - b[0]) / far**2
    dy = (b[1] - a[1]) / near**2 + (c[1] - b[1]) / far**2
    length = math.hypot(dx, dy) or 1.0
    return (dx / length, dy / length)


def _telling(points: Sequence[Point], ways: Sequence[Point]) -> list[int]:
    """The points that a smooth line needs: after a turn of some degrees, or a longer way."""
    kept = [0]
    for i in range(1, len(points)):
        (ax, ay), (bx, by) = ways[kept[-1]], ways[i]
        turn = abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by))
        if turn > 0.2 or math.dist(points[i], points[kept[-1]]) > 26 or i == len(points) - 1:
            kept.append(i)
    return kept


def mixed(colour: str, other: str, share: float) -> str:
    """A colour on its way to another."""
    pairs = zip((colour[1:3], colour[3:5], colour[5:7]), (other[1:3], other[3:5], other[5:7]), strict=True)
    return "#" + "".join(f"{round(int(a, 16) * (1 - share) + int(b, 16) * share):02x}" for a, b in pairs)


def faded(drawn: str, towards: str, share: float = 0.8) -> str:
    """Something drawn again in paler colours: opaque, so that nothing shows through it."""
    return re.sub(r'(?<=")#[0-9a-f]{6}(?=")', lambda found: mixed(found[0], towards, share), drawn)


def dots(points: Iterable[Point]) -> str:
    """Path data of dots: lines without length, to be drawn with round ends."""
    x = y = 0
    parts = []
    for px, py in points:
        nx, ny = round(px * 10), round(py * 10)
        dx, dy = _tenths(nx - x), _tenths(ny - y)
        parts.append(f"m{dx}{'' if dy[0] == '-' else ' '}{dy}h0")
        x, y = nx, ny
    return "".join(parts)


def _tenths(value: int) -> str:
    whole, tenth = divmod(abs(value), 10)
    text = f"{whole or (0 if not tenth else '')}{f'.{tenth}' if tenth else ''}"
    return f"-{text}" if value < 0 else text


def paths(lines: Iterable[Sequence[Point]], closed: bool = False) -> str:
    """Path data of several lines in one."""
    return "".join(path(line, closed) for line in lines)


def pieces(points: Sequence[Point], jump: float) -> list[list[Point]]:
    """A line cut wherever it jumps: at the mouths of the alley an edge leaves off and goes on elsewhere."""
    found = [[points[0]]]
    for a, b in pairwise(points):
        if math.dist(a, b) > jump:
            found.append([b])
        else:
            found[-1].append(b)
    return [piece for piece in found if len(piece) > 1]


def aside(points: Sequence[Point], distance: float) -> list[Point]:
    """A line beside another, so far to its right (negative: left)."""
    result = []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        result.append((x - distance * (by - ay) / length, y + distance * (bx - ax) / length))
    return result


def linear(id_: str, *stops: str, x2: int = 0, y2: int = 1) -> str:
    """A gradient with evenly spaced colours, from top to bottom unless said otherwise."""
    last = max(len(stops) - 1, 1)
    marks = [tag("stop", offset=i / last, stop_color=colour) for i, colour in enumerate(stops)]
    return tag("linearGradient", *marks, id=id_, x1=0, y1=0, x2=x2, y2=y2)


def use(id_: str, x: float, y: float, **attributes: Attribute) -> str:
    """A symbol again, somewhere else."""
    return tag("use", href=f"#{id_}", x=number(x), y=number(y), **attributes)
