"""What a scene adds to the terminal's log."""

from __future__ import annotations

from collections.abc import Sequence

from avecaesar.game import Draw, Lay
from avecaesar.telling.scenes import Scene
from avecaesar.tui.board_widget import Mark
from avecaesar.tui.screen import LogLine


def told_after(lines: Sequence[LogLine], scene: Scene, marks: Sequence[Mark]) -> list[LogLine]:
    """The log with what a scene adds to it; what a driver draws stands beside what he played."""
    told, (words, place) = list(lines), scene.brief
    mark = None if scene.mover is None else marks[scene.mover]
    if scene.mover is not None and isinstance(scene.move, Draw | Lay) and told and told[-1][0] == mark:
        _, played, where = told.pop()
        more = words.removeprefix(f"{scene.view.chariots[scene.mover].name} ")
        joined = f"{played} {more[0].upper()}{more[1:]}" if played.endswith("!") else f"{played}, {more}"
        told.append((mark, joined, where))
    else:
        told.append((mark, words, place))
    return [*told, (None, scene.event, "")] if scene.event else told
