"""Single things, drawn once: Caesar's box, the spina and its monuments, trees, roofs, the tablet."""

from __future__ import annotations

from avecaesar.courses.drawing.ink import (
    BRONZE,
    CAPITALS,
    GOLD,
    MARBLE,
    NIGHT,
    PURPLE,
    SKIN,
    STONE_DARK,
    STONE_LIGHT,
    TERRACOTTA,
    VERMILION,
    linear,
    number,
    tag,
    use,
    words,
)
from avecaesar.courses.drawing.plants import shadow


def definitions() -> list[str]:
    """Gradients, and every symbol that scenery uses again."""
    return [
        linear("board-cloth", "#8a2f63", PURPLE, "#4a1536"),
        linear("board-marble", "#fffdf7", "#e7dcc8"),
        linear("board-shaft", "#cfc2aa", "#fffaf0", "#b8a98d", x2=1, y2=0),
        *_spina_pieces(),
    ]


# ---------------------------------------------------------------------- the spina


def _spina_pieces() -> list[str]:
    cone = "M-5 4C-4-6-2-14 0-22 2-14 4-6 5 4A5 2 0 0 1-5 4z"
    meta = "".join(
        tag("path", d=cone, fill=fill, stroke=BRONZE, stroke_width=0.8, transform=f"translate({x} {y})")
        for x, y, fill in ((-6, -5, "#d8a04a"), (6, -4, "#e6b65e"), (0, 4, "#f0c878"))
    )
    bands = tag("path", d="M-3.4 0H3.4M-2.2-9H2.2", stroke=VERMILION, stroke_width=2, transform="translate(0 4)")
    return [
        tag(
            "g",
            shadow(17, 6, 7, 5),
            tag("ellipse", cy=3, rx=15, ry=8, fill=STONE_LIGHT, stroke=STONE_DARK),
            meta,
            bands,
            id="board-meta",
        ),
        tag(
            "g",
            tag("path", d="M0 6L44 16 48 13 6 0z", fill=NIGHT, opacity=0.3),
            tag("rect", x=-10, y=-1, width=20, height=10, fill=STONE_LIGHT, stroke=STONE_DARK),
            tag("path", d="M-6 0L-3.5-56 0-64V0z", fill="#e5a684"),
            tag("path", d="M6 0L3.5-56 0-64V0z", fill="#b4694a"),
            tag("path", d="M-3.5-56L0-64 3.5-56z", fill=GOLD),
            tag(
                "path",
                d="M-3-10h2M-3-18h2M-2.8-26h2M-2.5-34h2M-2.4-42h1.6M1.4-14h2M1.2-22h2M1-30h2M1-38h1.6",
                stroke=NIGHT,
                stroke_width=1.5,
                opacity=0.6,
            ),
            id="board-obelisk",
        ),
        tag(
            "g",
            tag("path", d="M-24 4V-12M24 4V-12M-26-12H26", stroke=STONE_DARK, stroke_width=3),
            *(
                tag("ellipse", cx=x, cy=-17, rx=2.7, ry=4, fill="#fffdf4", stroke=BRONZE, stroke_width=0.8)
                for x in range(-21, 22, 7)
            ),
            id="board-eggs",
        ),
        tag(
            "g",
            tag("path", d="M-24 4V-12M24 4V-12M-26-12H26", stroke=STONE_DARK, stroke_width=3),
            *(
                tag(
                    "path",
                    d="M-3.2 1.5C-2-4 2.4-4 3.2-.5L1.6-.2C.6-1.6-1-1-1.4 1.8L-3.4 3z",
                    fill="#4b8aa6",
                    stroke="#24506a",
                    stroke_width=0.5,
                    transform=f"translate({x} -15.5)",
                )
                for x in range(-21, 22, 7)
            ),
            id="board-dolphins",
        ),
    ]


def spina(length: float) -> str:
    """The wall in the middle of the circus, with its turning posts, obelisk, eggs and dolphins."""
    half = length / 2
    flat = number(half - 20)
    slab = f"M-{flat}-17H{flat}A17 17 0 0 1 {flat} 17H-{flat}A17 17 0 0 1-{flat}-17z"
    joints = "".join(f"M{number(x)}-10V10" for x in _evenly(-half + 40, half - 40, 22))
    near = half - 21
    parts = [
        tag("path", d=slab, fill=NIGHT, opacity=0.3, transform="translate(4 9)"),
        tag("path", d=slab, fill="#a9623f", transform="translate(0 6)"),
        tag("path", d=slab, fill="url(#board-marble)", stroke=STONE_DARK, stroke_width=1.2),
        tag(
            "path",
            d=f"M{number(-half + 36)}-10H{number(half - 36)}V10H{number(-half + 36)}z",
            fill=TERRACOTTA,
            opacity=0.55,
        ),
        tag("path", d=joints, stroke=MARBLE, stroke_width=1.4),
        use("board-meta", -near, 0),
        use("board-meta", near, 0),
    ]
    if length >= 200:
        parts += [use("board-eggs", -half * 0.46, 3), use("board-dolphins", half * 0.46, 3)]
    return "".join((*parts, use("board-obelisk", 0, -2)))


def _evenly(first: float, last: float, step: float) -> list[float]:
    count = max(int((last - first) / step), 1)
    return [first + (last - first) * k / count for k in range(count + 1)]


def aqueduct(length: float) -> str:
    """Two storeys of arches with a channel on top; its foot is at y 0."""
    half, count = length / 2, max(round(length / 36), 3)
    step = length / count
    left, right = number(-half), number(half)
    body = f"M{left} 0V-66H{right}V0z"
    low = "".join(_arch(-half + (k + 0.5) * step, 0, step * 0.62, 34) for k in range(count))
    high = "".join(_arch(-half + (k + 0.5) * step / 2, -40, step * 0.28, 17) for k in range(2 * count))
    shade = f"M{left} 0L{number(-half + 14)} 12H{number(half + 14)}L{right} 0z"
    return "".join(
        (
            tag("path", d=shade, fill=NIGHT, opacity=0.28),
            tag("path", d=low + high, fill=NIGHT, opacity=0.38),
            tag("path", d=body + low + high, fill="#e3cba0", fill_rule="evenodd", stroke="#7d6140", stroke_width=1),
            tag("path", d=f"M{left}-37H{right}M{left}-61H{right}", stroke="#b08d5a", stroke_width=3),
            tag("path", d=f"M{left}-66H{right}", stroke="#7d6140", stroke_width=6),
            tag("path", d=f"M{left}-66.6H{right}", stroke="#7fb6c8", stroke_width=3),
            _castellum(-half),
        )
    )


def _castellum(x: float) -> str:
    """The small house where the water ends."""
    tower = tag("rect", x=-15, y=-72, width=30, height=72, fill="#ead6ae", stroke="#7d6140", stroke_width=1.2)
    roof = tag("path", d="M-20-70L0-86 20-70z", fill=TERRACOTTA, stroke="#7c3a1e", stroke_width=1.2)
    door = tag("path", d=_arch(0, 0, 12, 24) + _arch(0, -44, 8, 14), fill="#6b4a35")
    return tag("g", tower, roof, door, transform=f"translate({number(x)} 0)")


def _arch(x: float, foot: float, width: float, height: float) -> str:
    half = width / 2
    rise = number(height - half)
    return f"M{number(x - half)} {number(foot)}v-{rise}a{number(half)} {number(half)} 0 0 1 {number(width)} 0v{rise}z"


# ---------------------------------------------------------------------- Caesar's box


def _standard(x: int) -> str:
    """A pole with a red banner and a gilded wreath."""
    return tag(
        "g",
        tag("path", d="M0 0V-118", stroke=BRONZE, stroke_width=3.4),
        tag("path", d="M-15-100H15", stroke=GOLD, stroke_width=3, stroke_linecap="round"),
        tag("path", d="M-13-99H13V-66Q0-60-13-66z", fill=VERMILION),
        tag("path", d="M-13-66Q0-60 13-66", fill="none", stroke=GOLD, stroke_width=3, stroke_dasharray="2 1.4"),
        tag("circle", cy=-84, r=7, fill="none", stroke=GOLD, stroke_width=2.4, stroke_dasharray="3 1"),
        tag(
            "path",
            d="M0-130C-4-125-12-128-17-134-15-124-7-119 0-118 7-119 15-124 17-134 12-128 4-125 0-130z",
            fill=GOLD,
            stroke=BRONZE,
            stroke_width=0.8,
        ),
        transform=f"translate({x} 0)",
    )


def _person(x: int, tunic: str, cloak: str, crown: str) -> str:
    return tag(
        "g",
        tag("path", d="M-9 0C-9-14-6-20 0-20 6-20 9-14 9 0z", fill=tunic),
        tag("path", d="M-9 0C-9-14-6-20 0-20 2-12-2-4-3 0z", fill=cloak),
        tag("circle", cy=-24, r=5.2, fill=SKIN),
        tag("path", d="M-5-26A5.4 5.4 0 0 1 5-26", fill="none", stroke=crown, stroke_width=2.6),
        transform=f"translate({x} -30)",
    )


# What of the box throws a shadow: steps, columns and pediment.
SILHOUETTE = "M-110 0V-30H-100V-112L0-146 102-112V-30H110V0z"


def _box() -> str:
    columns = "".join(
        tag(
            "rect",
            x=x - 4,
            y=-100,
            width=8,
            height=72,
            fill="url(#board-shaft)",
            stroke=STONE_DARK,
            stroke_width=0.7,
        )
        + tag("path", d=f"M{x - 7}-100h14M{x - 7}-28h14", stroke=STONE_LIGHT, stroke_width=5)
        for x in (-84, -46, 46, 84)
    )
    scallops = "M-98-100" + "q7 11 14 0" * 14
    return "".join(
        (
            tag("path", d=SILHOUETTE, fill=NIGHT, opacity=0.25, transform="translate(6 9)"),
            tag("rect", x=-92, y=-108, width=184, height=92, fill="url(#board-cloth)"),
            tag(
                "path",
                d="M-70-104V-30M-24-104V-30M24-104V-30M70-104V-30",
                stroke="#3a0f2b",
                stroke_width=7,
                opacity=0.45,
            ),
            tag("rect", x=-16, y=-72, width=32, height=46, rx=6, fill=GOLD, stroke=BRONZE, stroke_width=1.4),
            _person(0, "#fffaf0", PURPLE, "#5f8f3a"),
            _person(-66, "#b23b2a", "#7f2418", "#c9a24a"),
            _person(66, "#b23b2a", "#7f2418", "#c9a24a"),
            _person(-34, "#f4ead6", "#3f6f9a", "#5a3a22"),
            _person(34, "#f4ead6", "#d9a441", "#5a3a22"),
            columns,
            tag("path", d="M-102-112L0-146 102-112z", fill="url(#board-marble)", stroke=STONE_DARK, stroke_width=1.2),
            tag("circle", cy=-123, r=7.5, fill="none", stroke=GOLD, stroke_width=3, stroke_dasharray="3.4 1"),
            tag(
                "rect",
                x=-102,
                y=-114,
                width=204,
                height=14,
                fill="url(#board-cloth)",
                stroke=GOLD,
                stroke_width=1.4,
            ),
            tag("path", d=scallops, fill=PURPLE, stroke=GOLD, stroke_width=2),
            tag(
                "rect",
                x=-108,
                y=-30,
                width=216,
                height=27,
                fill="url(#board-marble)",
                stroke=STONE_DARK,
                stroke_width=1.2,
            ),
            tag(
                "path",
                d="M-100-25q25 17 50 0q25 17 50 0q25 17 50 0q25 17 50 0",
                fill="none",
                stroke="#4f7a3c",
                stroke_width=5,
            ),
            tag(
                "path",
                d="M-100-25q25 17 50 0q25 17 50 0q25 17 50 0q25 17 50 0",
                fill="none",
                stroke="#d9604c",
                stroke_width=3,
                stroke_dasharray="0 9",
                stroke_linecap="round",
            ),
            tag("path", d="M-110-3H110", stroke=STONE_DARK, stroke_width=3),
            _standard(-120),
            _standard(120),
        )
    )


BOX = _box()


# ---------------------------------------------------------------------- the tablet


def tablet(title: str, below: str, width: float) -> str:
    """The board's name, cut in marble: a tablet with handles, as the Romans hung them."""
    half = width / 2 - 34
    size = min(31.0, (2 * half - 30) / max(len(title), 1) / 0.74)
    inscription = title.upper().replace("U", "V")
    plate = f"M{number(-half)}-29H{number(half)}V29H{number(-half)}z"
    handle = f"M{number(half)}-10L{number(half + 30)}-22V22L{number(half)} 10z"
    common = {"font_family": CAPITALS, "text_anchor": "middle"}
    return "".join(
        (
            tag("path", d=plate, fill=NIGHT, opacity=0.3, transform="translate(4 6)"),
            *(
                tag("path", d=handle, fill="#e0d3bb", stroke=STONE_DARK, stroke_width=1.2, transform=flip)
                + tag("circle", cx=half + 19, r=3, fill=BRONZE, transform=flip)
                for flip in (None, "scale(-1 1)")
            ),
            tag("path", d=plate, fill="url(#board-marble)", stroke=STONE_DARK, stroke_width=1.4),
            tag("path", d=plate, fill="none", stroke="#b9a988", stroke_width=1.2, transform="scale(.965 .82)"),
            tag(
                "text",
                words(inscription),
                y=0.5 + size * (0.14 if below else 0.35),
                font_size=size,
                fill="#8f2f1c",
                letter_spacing=1.5,
                **common,
            ),
            tag("text", words(below.upper()), y=21, font_size=13, fill=BRONZE, letter_spacing=4, **common)
            if below
            else "",
        )
    )
