"""A chronicle as a poster to share: an SVG drawing of our own, in the paints of the circus, with its text as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import cos, inf, radians, sin

from avecaesar.courses import ROMAN
from avecaesar.courses.drawing.ink import (
    CAPITALS,
    GOLD,
    LEAF,
    LEAF_DARK,
    MARBLE,
    NIGHT,
    SAND,
    SAND_DARK,
    SAND_LIGHT,
    VERMILION,
    linear,
    mixed,
    number,
    path,
    tag,
    words,
)
from avecaesar.speech import counted, say
from avecaesar.telling.chronicle import Chronicle, Chronicled
from avecaesar.telling.chronicle_words import Praise
from avecaesar.telling.liveries import livery_of
from avecaesar.telling.wording import short_name

WIDTH, HEIGHT = 1080, 1350
MARGIN = 60
ROUND = "Optima, Candara, 'Gill Sans', 'Noto Sans', 'Liberation Sans', 'DejaVu Sans', sans-serif"
DEEP = "#8e2512"  # vermilion in the shade, for letters
SOFT = "#6b5340"
FLAT = 26  # characters of the headline on a line
AVERAGE = 0.52  # a letter's width by its height
ABOVE = 62  # of the chart, above the home line: the shields of those that are home
BELOW = 16  # below it, so that who is nearly home is not there
APART = 38  # shields side by side
LEAVES = (-58, -32, -6, 20, 46, 70)


def poster(chronicle: Chronicle, praise: Praise) -> str:
    """The whole poster as an SVG document."""
    head = _fitted(praise.headline, FLAT)
    top = 232 + 62 * (len(head) - 1)
    rows = _ranked(chronicle)
    table = HEIGHT - 208 - 34 * len(rows)
    return tag(
        "svg",
        tag("title", words(praise.headline)),
        tag("defs", linear("sky", SAND_LIGHT, SAND), linear("cloth", "#c43f22", "#a82c16")),
        tag("rect", width=WIDTH, height=HEIGHT, fill="url(#sky)"),
        _awning(),
        *(
            _text(line, WIDTH / 2, 206 + 62 * i, 56, DEEP, font=CAPITALS, weight=600, anchor="middle")
            for i, line in enumerate(head)
        ),
        _text(_where(chronicle), WIDTH / 2, top + 16, 24, SOFT, anchor="middle"),
        _podium(rows, top + 92),
        _chart(chronicle, praise, MARGIN, top + 160, WIDTH - 2 * MARGIN, table - top - 204),
        _figures(rows, table),
        _verdict(chronicle, praise, HEIGHT - 172),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        aria_label=praise.headline,
    )


# ---------------------------------------------------------------------- text


def _text(
    text: str, x: float, y: float, size: int, fill: str, *,
    font: str = ROUND, weight: int = 400, anchor: str = "start", spacing: int | None = None, room: float | None = None,
    halo: str | None = None,
) -> str:  # fmt: skip
    """A line of text; where there is little room it is set narrower, with a halo it can be read across lines."""
    wide = room is not None and len(text) * size * AVERAGE > room
    return tag(
        "text", words(text),
        x=number(x), y=number(y), font_size=size, fill=fill, font_family=font, font_weight=weight,
        text_anchor=anchor, letter_spacing=spacing,
        textLength=number(room) if wide and room is not None else None,
        lengthAdjust="spacingAndGlyphs" if wide else None,
        stroke=halo, stroke_width=5 if halo else None, stroke_linejoin="round" if halo else None,
        paint_order="stroke" if halo else None,
    )  # fmt: skip


def _fitted(text: str, letters: int) -> list[str]:
    """A text in lines of about so many letters."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > letters:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _where(chronicle: Chronicle) -> str:
    """On which course, by which rules, and how long it was."""
    turns = counted(len(chronicle.scenes) - 1, "{n} turn", "{n} turns")
    return " · ".join((_course(chronicle), short_name(chronicle.edition), turns))


def _course(chronicle: Chronicle) -> str:
    if chronicle.direction == "clockwise":
        return say("course {course}, clockwise", course=say(chronicle.course))
    return say("course {course}, anticlockwise", course=say(chronicle.course))


# ---------------------------------------------------------------------- the awning and the podium


def _awning() -> str:
    """Red and marble cloth with scallops, and the name of the game on it."""
    step = WIDTH / 12
    flaps = [
        tag(
            "path",
            d=f"M{number(i * step)} 96h{number(step)}v14a{number(step / 2)} 26 0 0 1 {number(-step)} 0z",
            fill=MARBLE if i % 2 else "#c43f22",
        )
        for i in range(12)
    ]
    return tag(
        "g",
        tag("rect", width=WIDTH, height=98, fill="url(#cloth)"),
        *flaps,
        tag("path", d=f"M0 97h{WIDTH}", stroke=GOLD, stroke_width=4),
        _text("AVE CAESAR", WIDTH / 2, 66, 44, "#fff6e4", font=CAPITALS, weight=600, anchor="middle", spacing=12),
    )


def _ranked(chronicle: Chronicle) -> list[Chronicled]:
    """Those that took a place first, then those that arrived, then the others by how far they came."""
    return sorted(chronicle.chariots, key=lambda c: (c.place or 99, c.arrival or 99, c.way[-1]))


def _shield(colour: str, x: float, y: float, scale: float, wreath: bool = False) -> str:
    livery = livery_of(colour)
    return tag(
        "g",
        tag("circle", r=10.5, fill=livery.paint, stroke=livery.edge, stroke_width=1.5),
        tag("path", d=livery.sign, fill=livery.ink, fill_rule="evenodd", transform="scale(.84)"),
        *(_wreath(14) if wreath else ()),
        transform=f"translate({number(x)} {number(y)}) scale({scale:g})",
    )


def _wreath(radius: float) -> Iterator[str]:
    """Leaves on both sides of a circle, open at the top."""
    for angle in (turn for leaf in LEAVES for turn in (leaf, 180 - leaf)):
        x, y = cos(radians(angle)) * radius, sin(radians(angle)) * radius
        lean = angle - 64 if angle <= 90 else angle + 64
        yield tag(
            "ellipse", rx=3.5, ry=1.8, fill=LEAF, stroke=LEAF_DARK, stroke_width=0.4,
            transform=f"translate({number(x)} {number(y)}) rotate({lean})",
        )  # fmt: skip


def _podium(rows: Sequence[Chronicled], y: float) -> str:
    """The three best in a line, the winner with his wreath."""
    best = [chariot for chariot in rows if chariot.place is not None][:3]
    step = (WIDTH - 2 * MARGIN) / max(len(best), 1)
    parts = []
    for i, chariot in enumerate(best):
        x = MARGIN + step * i + 48
        parts += [
            _shield(chariot.colour, x, y, 3 if i == 0 else 2.4, wreath=i == 0),
            _text(f"{ROMAN[i]}  {chariot.name}", x + 54, y - 2, 28, NIGHT, font=CAPITALS, weight=600, room=step - 110),
            _text(_laurels(chariot.laurels), x + 54, y + 30, 22, SOFT),
        ]
    return tag("g", *parts)


def _laurels(laurels: int) -> str:
    return counted(laurels, "{n} laurel", "{n} laurels")


# ---------------------------------------------------------------------- the chart


@dataclass(frozen=True, slots=True)
class Chart:
    """Where a turn and a distance lie on the paper."""

    x: float
    y: float
    width: float
    height: float
    turns: int
    longest: int

    def across(self, turn: float) -> float:
        """A turn, from left to right."""
        return self.x + self.width * turn / max(self.turns, 1)

    def up(self, spaces: float) -> float:
        """Spaces to home, below the home line."""
        return self.y + BELOW + (self.height - BELOW) * spaces / max(self.longest, 1)

    def at(self, chariot: Chronicled, turn: int) -> tuple[float, float]:
        """Where a chariot is after a turn: on the home line only if it came home."""
        home = turn == chariot.ended and came_home(chariot)
        return self.across(turn), self.y if home else self.up(chariot.way[turn])


def _chart(chronicle: Chronicle, praise: Praise, x: float, y: float, width: float, height: float) -> str:
    """Everybody's way along three laps: home is above, time goes to the right, the ribbon below tells who leads."""
    turns = len(chronicle.scenes) - 1
    longest = max(chariot.way[0] for chariot in chronicle.chariots)
    chart = Chart(x + 62, y + ABOVE, width - 106, height - ABOVE - 56, turns, longest)
    return tag(
        "g",
        tag("rect", x=number(x), y=number(y), width=number(width), height=number(height), rx=18,
            fill=MARBLE, stroke=SAND_DARK, stroke_width=2),
        *_laps(chronicle, chart),
        *_decider(chronicle, chart),
        *_legend(chronicle, chart),
        *_story(praise, chart),
        *(part for i in range(len(chronicle.chariots)) for part in _way(chronicle, i, chart)),
        *(part for chariot in chronicle.chariots for part in _marks(chariot, chart)),
        *_deciding_point(chronicle, chart),
        *_ends(chronicle, chart),
        *_ribbon(chronicle, chart),
    )  # fmt: skip


def _legend(chronicle: Chronicle, chart: Chart) -> Iterator[str]:
    """What the signs mean, where no chariot has ever been: nobody is home so early."""
    x, y = chart.x + 24, chart.y + 36
    signs = [(_cross(0, 0, NIGHT), say("a missed turn")), (_coin(0, 0), say("the coin is paid"))]
    signs += [(_out(0, 0, one.colour), say("out of the race")) for one in chronicle.chariots if left_the_race(one)][:1]
    for i, (sign, text) in enumerate(signs):
        yield tag("g", sign, transform=f"translate({number(x)} {number(y + 30 * i - 7)})")
        yield _text(text, x + 20, y + 30 * i, 20, SOFT)


def _story(praise: Praise, chart: Chart) -> Iterator[str]:
    """The story below the ways, on the right, where everybody is long gone."""
    below = chart.y + chart.height - 18
    for i, line in enumerate(reversed(praise.story)):
        yield _text(
            line, chart.x + chart.width - 16, below - 28 * i, 20, NIGHT,
            anchor="end", room=chart.width * 0.55, halo=mixed(MARBLE, SAND, 0.22),
        )  # fmt: skip


def _laps(chronicle: Chronicle, chart: Chart) -> Iterator[str]:
    wide = number(chart.width + 26)
    for y, height, share in ((chart.y - ABOVE + 8, ABOVE - 8, 0.12), (chart.y, BELOW, 0.22)):
        yield tag(
            "rect", x=number(chart.x), y=number(y), width=wide, height=number(height), fill=mixed(MARBLE, SAND, share)
        )
    for behind in range(3):
        below = min((behind + 1) * chronicle.lap, chart.longest) if behind < 2 else chart.longest
        top, bottom = chart.up(behind * chronicle.lap), chart.up(below)
        yield tag(
            "rect", x=number(chart.x), y=number(top), width=wide, height=number(max(bottom - top, 0)),
            fill=mixed(MARBLE, SAND, 0.22 + 0.2 * (behind % 2)),
        )  # fmt: skip
        yield _text(ROMAN[2 - behind], chart.x - 16, (top + bottom) / 2 + 9, 26, SAND_DARK, font=CAPITALS, anchor="end")
    yield tag("path", d=f"M{number(chart.x)} {number(chart.y)}h{wide}", stroke=VERMILION, stroke_width=4)


def _decider(chronicle: Chronicle, chart: Chart) -> Iterator[str]:
    if chronicle.decided is not None:
        x = number(chart.across(chronicle.decided.turn))
        yield tag(
            "path", d=f"M{x} {number(chart.y)}v{number(chart.height)}",
            stroke=VERMILION, stroke_width=3, stroke_dasharray="3 7", stroke_linecap="round",
        )  # fmt: skip


def _deciding_point(chronicle: Chronicle, chart: Chart) -> Iterator[str]:
    if decided := chronicle.decided:
        x, y = chart.at(chronicle.chariots[decided.chariot], decided.turn)
        yield tag("circle", cx=number(x), cy=number(y), r=9, fill="none", stroke=MARBLE, stroke_width=8)
        yield tag("circle", cx=number(x), cy=number(y), r=9, fill="none", stroke=VERMILION, stroke_width=5)


def came_home(chariot: Chronicled) -> bool:
    """Whether it came home, and not as one that was disqualified."""
    return chariot.status == "home" and not chariot.disqualified


def left_the_race(chariot: Chronicled) -> bool:
    """Whether it left the race on the way."""
    return chariot.ended is not None and not came_home(chariot)


def corners(chariot: Chronicled, also: int | None = None) -> list[tuple[int, int]]:
    """The turns in which it moved, missed its turn or paid, and how near home it was then; from the grid to its end.

    Whoever pays may come no nearer by it: the alley can be the longer way. `also` is a turn that is marked as well.
    """
    last = len(chariot.way) - 1 if chariot.ended is None else chariot.ended
    moved = {turn for turn in range(1, last + 1) if chariot.way[turn] != chariot.way[turn - 1]}
    marked = {turn for turn in (0, last, *chariot.missed, chariot.paid, also) if turn is not None}
    return [(turn, chariot.way[turn]) for turn in sorted(marked | moved) if turn <= last]


def _way(chronicle: Chronicle, i: int, chart: Chart) -> Iterator[str]:
    """The line in its colour upon its edge, so that white is seen on marble as well."""
    chariot, decided = chronicle.chariots[i], chronicle.decided
    livery = livery_of(chariot.colour)
    also = decided.turn if decided is not None and decided.chariot == i else None
    line = path([chart.at(chariot, turn) for turn, _ in corners(chariot, also)])
    joined = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    yield tag("path", d=line, stroke=livery.edge, stroke_width=7, **joined)
    yield tag("path", d=line, stroke=livery.paint, stroke_width=4.5, **joined)


def _marks(chariot: Chronicled, chart: Chart) -> Iterator[str]:
    """Missed turns as crosses, and the coin."""
    for turn in chariot.missed:
        yield _cross(*chart.at(chariot, turn), livery_of(chariot.colour).edge)
    if chariot.paid is not None:
        yield _coin(*chart.at(chariot, chariot.paid))


def _cross(x: float, y: float, edge: str) -> str:
    return tag(
        "g",
        tag("circle", cx=number(x), cy=number(y), r=7.5, fill=MARBLE, stroke=edge, stroke_width=2),
        tag("path", d=f"M{number(x - 3.2)} {number(y - 3.2)}l6.4 6.4m0-6.4l-6.4 6.4", stroke=NIGHT, stroke_width=2.2),
    )


def _coin(x: float, y: float) -> str:
    return tag(
        "g",
        tag("circle", cx=number(x), cy=number(y), r=10, fill="#f2c14a", stroke="#96690a", stroke_width=2.5),
        tag("circle", cx=number(x), cy=number(y), r=4.5, fill="none", stroke="#96690a", stroke_width=1.8),
    )


def _out(x: float, y: float, colour: str) -> str:
    """Where somebody left the race."""
    livery, d = livery_of(colour), f"M{number(x - 8)} {number(y - 8)}l16 16m0-16l-16 16"
    return tag(
        "g",
        tag("path", d=d, stroke=livery.edge, stroke_width=9, stroke_linecap="round"),
        tag("path", d=d, stroke=livery.paint, stroke_width=5.5, stroke_linecap="round"),
    )


def _ends(chronicle: Chronicle, chart: Chart) -> Iterator[str]:
    """The shields: above the line of those that are home, at the end of their lines of those still on their way.

    Where they would cover each other a stem leads to each one's own end. Whoever left the race has a cross there.
    """
    ended = [(chariot, chart.at(chariot, corners(chariot)[-1][0])) for chariot in chronicle.chariots]
    home = sorted((one for one in ended if came_home(one[0])), key=lambda one: one[1][0])
    racing = sorted((one for one in ended if one[0].ended is None), key=lambda one: one[1][1])
    across = spread([x for _, (x, _) in home], APART, chart.x + chart.width)
    down = spread([y + APART / 2 for _, (_, y) in racing], APART, inf)
    stands = [(x, chart.y - ABOVE / 2) for x in across] + [(x, y) for (_, (x, _)), y in zip(racing, down, strict=True)]
    for (chariot, (x, y)), (to_x, to_y) in zip([*home, *racing], stands, strict=True):
        livery = livery_of(chariot.colour)
        yield tag("path", d=path([(x, y), (to_x, to_y)]), stroke=livery.edge, stroke_width=2.5, fill="none")
        yield tag("circle", cx=number(x), cy=number(y), r=5.5, fill=livery.paint, stroke=livery.edge, stroke_width=2)
        yield _shield(chariot.colour, to_x, to_y, 1.25, wreath=chariot.place == 1)
    for chariot, (x, y) in ended:
        if left_the_race(chariot):
            yield _out(x, y, chariot.colour)


def spread(wanted: Sequence[float], apart: float, most: float) -> list[float]:
    """Places in a row, each as near to where it wants to be as the others allow; the last within `most`."""
    found = list(accumulate(wanted, lambda last, at: max(at, last + apart)))
    return [min(at, most - (len(found) - 1 - i) * apart) for i, at in enumerate(found)]


def _ribbon(chronicle: Chronicle, chart: Chart) -> Iterator[str]:
    """Who leads, turn by turn, and a small shield where that changes."""
    y = chart.y + chart.height + 22
    home = min((c.ended for c in chronicle.chariots if c.ended is not None and c.status == "home"), default=chart.turns)
    ends = [lead.turn for lead in chronicle.leads[1:]] + [home]
    free = chart.x
    for lead, end in zip(chronicle.leads, ends, strict=False):
        colour = chronicle.chariots[lead.chariot].colour
        livery, x = livery_of(colour), chart.across(lead.turn)
        yield tag(
            "rect", x=number(x), y=number(y), width=number(max(chart.across(end) - x, 1)), height=16,
            fill=livery.paint, stroke=livery.edge, stroke_width=1,
        )  # fmt: skip
        if x >= free:
            yield _shield(colour, x, y + 8, 1.2)
            free = x + 28


# ---------------------------------------------------------------------- figures and the verdict


def _figures(rows: Sequence[Chronicled], y: float) -> str:
    """A row for each chariot: what it missed, wasted, was barred from, and how long it led."""
    headings = [say("missed"), say("wasted"), say("sixes barred"), say("turns led"), say("laurels")]
    columns = [MARGIN + 440 + 120 * i for i in range(len(headings))]
    parts = [
        _text(heading, x + 40, y, 19, SOFT, anchor="end", room=110)
        for heading, x in zip(headings, columns, strict=True)
    ]
    for i, chariot in enumerate(rows):
        line = y + 34 * (i + 1)
        values = (len(chariot.missed), chariot.wasted, len(chariot.barred), chariot.led, chariot.laurels)
        parts.append(tag("path", d=f"M{MARGIN} {number(line - 25)}h{WIDTH - 2 * MARGIN}", stroke=SAND_DARK,
                         stroke_opacity=0.5))  # fmt: skip
        parts.append(_shield(chariot.colour, MARGIN + 16, line - 8, 1.15))
        parts.append(_text(f"{chariot.name}", MARGIN + 44, line, 24, NIGHT, weight=600, room=220))
        parts.append(_text(fate_in_brief(chariot), MARGIN + 275, line, 20, SOFT, room=140))
        parts += [
            _text(str(value), x + 40, line, 24, NIGHT, anchor="end") for value, x in zip(values, columns, strict=True)
        ]
    return tag("g", *parts)


def fate_in_brief(chariot: Chronicled) -> str:
    """What became of a chariot, in a word or two."""
    if chariot.disqualified:
        return say("disqualified")
    match chariot.status:
        case "home":
            return say("home")
        case "out of cards":
            return say("out of cards")
        case "crashed":
            return say("crashed")
        case "withdrawn":
            return say("withdrawn")
        case "racing":
            return say("not home")


def _verdict(chronicle: Chronicle, praise: Praise, y: float) -> str:
    if praise.decided is None or chronicle.decided is None:
        title, told = say("Won a little at a time"), " ".join(praise.story)
    else:
        title = say("Turn {turn} decided it", turn=chronicle.decided.turn)
        told = f"{praise.decided.played} {praise.decided.verdict}"
    lines = _fitted(told, 88)[:3]
    return tag(
        "g",
        tag("rect", x=MARGIN, y=number(y), width=WIDTH - 2 * MARGIN, height=132, rx=14,
            fill="#fff3d6", stroke=GOLD, stroke_width=2),
        _text(title, MARGIN + 24, y + 38, 28, DEEP, font=CAPITALS, weight=600),
        *(_text(line, MARGIN + 24, y + 70 + 27 * i, 21, NIGHT) for i, line in enumerate(lines)),
    )  # fmt: skip
