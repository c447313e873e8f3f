"""A board as a picture, seen from above on a summer afternoon: the track, its signs and the spaces to click on.

`road` and `signs` draw the track, `scenery` everything around it. The same board gives the same bytes, always.
"""

from __future__ import annotations

import random

from avecaesar.courses.board import Board, BoardError, Direction
from avecaesar.courses.drawing import scenery, signs
from avecaesar.courses.drawing.ink import MARBLE, number, path, tag, words
from avecaesar.courses.drawing.plots import Ground
from avecaesar.courses.drawing.road import Road
from avecaesar.courses.geometry import LANE, Layout, lay_out


def draw(board: Board, course: str | None = None, direction: Direction = "clockwise") -> str:
    """The whole board as an SVG document; with a course, that one is raced and the other branch is faint."""
    if course is not None and course not in board.courses:
        raise BoardError(f"board {board.name} has no course '{course}'; it has {' and '.join(board.courses)}")
    layout = lay_out(board)
    ground = Ground(layout, scenery.FRAME + 6, LANE * 0.45)
    rng = random.Random(f"{board.name}/{board.title}")
    arrow = signs.arrow(layout, ground, direction)
    surroundings = scenery.Surroundings(board, layout, ground, rng)
    road = Road(board, layout, course, surroundings.earth)
    below, above = surroundings.below(), surroundings.above()
    title = board.title or f"Board {board.name}"
    caption = f"{title}: {course or ' and '.join(board.courses)}, {direction}"
    return tag(
        "svg",
        tag("title", words(caption)),
        tag(
            "defs",
            *surroundings.definitions(),
            *road.definitions(),
            *signs.definitions(board, surroundings.earth),
        ),
        below,
        road.drawn(surroundings.water()),
        signs.chevrons(board, layout, course, direction),
        signs.inlays(board, layout, course),
        signs.finish(layout),
        signs.grid(board, layout, direction),
        above,
        signs.fork(board, layout, course),
        arrow,
        _spaces(board, layout, course),
        surroundings.frame(),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(layout.width)} {number(layout.height)}",
        role="img",
        aria_label=caption,
    )


def _spaces(board: Board, layout: Layout, course: str | None) -> str:
    """Every space as a shape of its own: what a page lights up and listens to."""
    owner = {section.name: name for name in board.courses for section in board.branches[name] if len(board.courses) > 1}
    found = []
    shapes = layout.shapes | (layout.closed[course].shapes if course in layout.closed else {})
    for name, shape in shapes.items():
        section = name[:-1].rstrip("0123456789") if not name.startswith("alley") else "alley"
        raced = course is None or owner.get(section, course) == course
        found.append(
            tag(
                "path",
                tag("title", name),
                id=f"space-{name}",
                class_="space" if raced else "space not-raced",
                d=path(shape.outline, closed=True),
            )
        )
    return tag("g", *found, id="spaces", fill=MARBLE, fill_opacity=0, stroke="none")
