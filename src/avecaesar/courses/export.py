"""A course as JSON data for other programs: the graph, the grid and the figures of COU-3."""

from __future__ import annotations

from typing import Any

from avecaesar.courses.course import LAPS, Course
from avecaesar.courses.geometry import lay_out


def export_course(course: Course) -> dict[str, Any]:
    """The course in the form that docs/interfaces.md fixes for `avecaesar course export`."""
    shapes = lay_out(course.board).shapes
    return {
        "board": course.board.name,
        "course": course.name,
        "direction": course.direction,
        "laps": LAPS,
        "grid": list(course.grid),
        "spaces": [
            {
                "id": space.id,
                "steps": [{"to": step.to, "line": step.line} for step in space.steps],
                "alley": space.alley is not None,
                "bottleneck": space.bottleneck,
                "x": round(shapes[space.name].x, 2),
                "y": round(shapes[space.name].y, 2),
            }
            for space in course.spaces
        ],
        "shortest_lap": course.shortest_lap,
        "alley_extra": course.alley_extra,
        "shortest_race": course.shortest_race,
    }
