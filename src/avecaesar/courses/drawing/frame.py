"""The mosaic round a board: four strips of whole keys, and a rosette in every corner."""

from __future__ import annotations

from avecaesar.courses.drawing.ink import GOLD, number, tag

KEY = 23.0  # about the width of one key; strips stretch it a little to come out even
EARTH, CREAM, BROWN = "#a8482c", "#f3e6c8", "#7c3a1e"


def definitions() -> list[str]:
    """The corner stone, drawn once."""
    petals = "".join(
        tag("ellipse", cy=-6.4, rx=2.5, ry=4.2, fill=EARTH, transform=f"rotate({turn})") for turn in range(0, 360, 45)
    )
    return [
        tag(
            "g",
            tag("rect", x=-13, y=-13, width=26, height=26, fill=CREAM, stroke=BROWN, stroke_width=3),
            tag("circle", r=11.2, fill="none", stroke=GOLD, stroke_width=1.4),
            petals,
            tag("circle", r=2.8, fill=GOLD, stroke=BROWN, stroke_width=0.9),
            id="board-corner",
        )
    ]


def frame(width: float, height: float, thick: float) -> str:
    """The whole border; its inner edge lies `thick` from the canvas's own."""
    corner = thick / 2
    band = f"M0 0H{number(width)}V{number(height)}H0zM{number(thick)} {number(thick)}"
    band += f"V{number(height - thick)}H{number(width - thick)}V{number(thick)}z"
    across, down = _strip(width - 2 * thick, thick), _strip(height - 2 * thick, thick)
    strips = [
        tag("path", d=across, transform=f"translate({number(thick)} 0)"),
        tag("path", d=down, transform=f"translate({number(width)} {number(thick)}) rotate(90)"),
        tag("path", d=across, transform=f"translate({number(width - thick)} {number(height)}) rotate(180)"),
        tag("path", d=down, transform=f"translate(0 {number(height - thick)}) rotate(270)"),
    ]
    corners = [
        tag("use", href="#board-corner", x=number(x), y=number(y))
        for x in (corner, width - corner)
        for y in (corner, height - corner)
    ]
    return tag(
        "g",
        tag("path", d=band, fill=CREAM, fill_rule="evenodd"),
        tag("g", *strips, fill="none", stroke=EARTH, stroke_width=2.6),
        _ring(width, height, 1.5, BROWN, 3),
        _ring(width, height, thick - 1.5, BROWN, 3),
        _ring(width, height, thick + 1.2, GOLD, 2),
        *corners,
        id="frame",
    )


def _strip(length: float, thick: float) -> str:
    """Keys side by side, their line along the canvas's edge: turned, a strip faces inwards on any side."""
    count = max(round(length / KEY), 1)
    step = length / count
    base, top, middle = number(5.6), number(thick - 5.6), number(thick / 2 + 1.2)
    keys = []
    for k in range(count):
        right, left = number((k + 0.86) * step), number((k + 0.26) * step)
        keys.append(f"M{right} {base}V{top}H{left}V{middle}H{number((k + 0.58) * step)}")
    return f"M0 {base}H{number(length)}" + "".join(keys)


def _ring(width: float, height: float, at: float, ink: str, thick: float) -> str:
    size = {"width": number(width - 2 * at), "height": number(height - 2 * at)}
    return tag("rect", x=at, y=at, fill="none", stroke=ink, stroke_width=thick, **size)
