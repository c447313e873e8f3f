"""What grows and what people have built around the circus: trees, gardens, vines, roofs."""

from __future__ import annotations

from avecaesar.courses.drawing.ink import (
    LEAF,
    LEAF_DARK,
    NIGHT,
    SKY,
    STONE,
    STONE_DARK,
    STONE_LIGHT,
    tag,
)

SIZES = {"parterre": (96.0, 66.0), "vines": (92.0, 60.0), "villa": (92.0, 62.0), "house": (60.0, 44.0)}


def definitions() -> list[str]:
    """Every symbol that scenery uses again and again."""
    return [
        *_trees(),
        *_buildings(),
    ]


def shadow(rx: float, ry: float, x: float = 6, y: float = 1) -> str:
    """What a standing thing throws on the ground."""
    return tag("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=NIGHT, opacity=0.28)


def _trees() -> list[str]:
    cypress = "M0 0C-8-6-8-22 0-42 8-22 8-6 0 0z"
    return [
        tag(
            "g",
            tag("path", d="M0 0L22 6 30 4 6-3z", fill=NIGHT, opacity=0.25),
            tag("path", d=cypress, fill=LEAF_DARK),
            tag("path", d="M-1-2C-6-8-6-22-1-38-2-22-2-10-1-2z", fill="#6f9160", opacity=0.85),
            id="board-cypress",
        ),
        tag(
            "g",
            shadow(19, 7, 9, 2),
            tag("path", d="M-2 0L-1-22H2L2 0z", fill="#6b4a30"),
            tag("path", d="M-20-20C-22-32-8-38 0-36 10-39 23-31 19-20 10-14-10-14-20-20z", fill="#3f6238"),
            tag("path", d="M-15-24C-14-31-4-34 2-32 8-33 11-30 10-27 2-29-8-28-15-24z", fill="#86a765", opacity=0.9),
            id="board-pine",
        ),
        tag(
            "g",
            shadow(14, 5),
            tag("path", d="M-1.5 0L0-12 2 0z", fill="#75583a"),
            tag("circle", cy=-16, r=11, fill="#75875a"),
            tag("circle", cx=-7, cy=-11, r=7, fill="#68794f"),
            tag("circle", cx=-3, cy=-19, r=5.5, fill="#a9b88a", opacity=0.8),
            id="board-olive",
        ),
        tag(
            "g",
            shadow(9, 3.5, 3),
            tag("circle", cy=-4, r=6.5, fill=LEAF),
            tag("circle", cx=-2, cy=-6, r=3, fill="#9dbb74", opacity=0.8),
            tag("circle", cx=3, cy=-3, r=1.3, fill="#f2c9c0"),
            id="board-bush",
        ),
        tag(
            "g",
            tag("path", d="M0 0L-4-15M0 0L0-18M0 0L4-14M0 0L7-10", stroke="#6f7d3c", stroke_width=1.7, fill="none"),
            tag("path", d="M-4-15v-4M0-18v-5M4-14v-4", stroke="#7a5230", stroke_width=2.6, stroke_linecap="round"),
            id="board-reed",
        ),
    ]


def _buildings() -> list[str]:
    beds = "".join(
        tag("rect", x=x, y=y, width=38, height=23, rx=2, fill="#c99f62", stroke=LEAF_DARK, stroke_width=3.5)
        for x in (-44, 6)
        for y in (-29, 6)
    )
    dots = "".join(f"M{x} {y}h0" for x in range(-37, 40, 8) if abs(x) > 8 for y in (-22, -14, 13, 21))
    flowers = tag("path", d=dots, stroke="#d9604c", stroke_width=4, stroke_linecap="round")
    pool = tag("circle", r=8, fill=SKY, stroke=STONE_LIGHT, stroke_width=3)
    rows = "".join(f"M-44 {y}H44" for y in range(-26, 30, 10))
    return [
        tag(
            "g",
            tag("rect", x=-48, y=-33, width=96, height=66, rx=3, fill="#dccb98"),
            beds,
            flowers,
            pool,
            id="board-parterre",
        ),
        tag(
            "g",
            tag("rect", x=-46, y=-31, width=92, height=62, fill="#b58d58", opacity=0.75),
            tag("path", d=rows, stroke=NIGHT, stroke_width=5, opacity=0.22, transform="translate(2 3)"),
            tag("path", d=rows, stroke="#4f7a3c", stroke_width=5, stroke_dasharray="7 2.5"),
            tag("path", d=rows, stroke="#6b3a6b", stroke_width=2.4, stroke_dasharray="0 11", stroke_linecap="round"),
            id="board-vines",
        ),
        tag("g", _villa(), id="board-villa"),
        tag("g", _house(), id="board-house"),
    ]


def _villa() -> str:
    """A court with a pool between four roofs."""
    return "".join(
        (
            tag("rect", x=-42, y=-26, width=92, height=62, fill=NIGHT, opacity=0.25),
            tag("path", d="M-46-31H46L32-17H-32z", fill="#d98a5e"),
            tag("path", d="M46-31V31L32 17V-17z", fill="#a9542f"),
            tag("path", d="M46 31H-46L-32 17H32z", fill="#b8613a"),
            tag("path", d="M-46 31V-31L-32-17V17z", fill="#c97549"),
            tag("rect", x=-32, y=-17, width=64, height=34, fill="#efe3c8", stroke=STONE_DARK, stroke_width=1),
            tag("rect", x=-14, y=-8, width=28, height=16, fill=SKY, stroke=STONE, stroke_width=3),
            tag("path", d="M-46-31L-32-17M46-31L32-17M46 31L32 17M-46 31L-32 17", stroke="#7c3a1e", stroke_width=1.2),
        )
    )


def _house() -> str:
    lines = "".join(f"M{x}-20V20" for x in range(-22, 28, 7))
    return "".join(
        (
            tag("rect", x=-26, y=-16, width=62, height=44, fill=NIGHT, opacity=0.25),
            tag("rect", x=-30, y=-22, width=60, height=22, fill="#dc9468"),
            tag("rect", x=-30, y=0, width=60, height=22, fill="#b05c36"),
            tag("path", d=lines, stroke="#8a4526", stroke_width=1, opacity=0.6),
            tag("path", d="M-31 0H31", stroke="#f0c09c", stroke_width=2.5),
        )
    )
