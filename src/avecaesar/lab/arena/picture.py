"""Standings as a picture, drawn by matplotlib."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from avecaesar.lab.arena.marks import ErrorBar, multiples, ratings, warmth
from avecaesar.lab.arena.pairings import ArenaError
from avecaesar.lab.arena.standings import Standings

WIDE, ROW, MARGIN = 9.0, 0.32, 0.9  # inches
PAPER, INK, FAINT, RULE, MARK, BETTER, WORSE = (
    "#fbf9f4", "#26221c", "#8a8174", "#ddd6c8", "#a3243b", "#2a6f97", "#c2703d"
)  # fmt: skip
DOTS = 150  # an inch


def need_matplotlib() -> None:
    """Say what is missing before races are run for a picture."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ArenaError(
            "a PNG is drawn by matplotlib, which is missing: pip install 'avecaesar[plot]', or plot to FILE.html"
        ) from None


def picture(standings: Standings) -> bytes:
    """A PNG."""
    from matplotlib.figure import Figure

    arena = standings.arena
    parts: list[tuple[int, Any]] = [
        (len(standings.rows), lambda axes: _marks(axes, multiples(standings), "times the fair share of wins", 1.0))
    ]
    if standings.crossed:
        parts.append((len(arena.drivers), lambda axes: _heat_map(axes, standings)))
    parts.append((len(standings.ratings), lambda axes: _marks(axes, ratings(standings), "OpenSkill mu ± 3 sigma")))
    heights = [MARGIN + ROW * rows for rows, _ in parts]
    figure = Figure(figsize=(WIDE, sum(heights) + 0.5), layout="constrained", facecolor=PAPER)
    figure.suptitle(
        f"{arena.races:,} races of each pairing, {arena.players} players, {arena.course} {arena.track.direction}, "
        f"{arena.edition}",
        color=INK, fontsize=11,
    )  # fmt: skip
    for axes, (_, draw) in zip(
        figure.subplots(len(parts), height_ratios=heights, squeeze=False)[:, 0], parts, strict=True
    ):
        axes.set_facecolor(PAPER)
        axes.tick_params(colors=INK, length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        draw(axes)
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=DOTS, metadata={"Software": None})
    return out.getvalue()


def _marks(axes: Any, marks: Sequence[ErrorBar], label: str, fair: float | None = None) -> None:
    axes.set_yticks(range(len(marks)), [name for name, *_ in marks])
    axes.set_ylim(len(marks) - 0.5, -0.5)
    axes.grid(axis="x", color=RULE)
    axes.set_axisbelow(True)
    if fair is not None:
        axes.axvline(fair, color=INK, linestyle=(0, (4, 4)), linewidth=1)
    for number, (_, value, low, high, words) in enumerate(marks):
        axes.plot([low, high], [number, number], color=MARK, linewidth=2.5, solid_capstyle="round")
        axes.plot(value, number, "o", color=MARK)
        axes.annotate(words, (1.01, number), xycoords=("axes fraction", "data"), color=FAINT, va="center", fontsize=9)
    axes.set_xlabel(label, color=INK)


def _heat_map(axes: Any, standings: Standings) -> None:
    from matplotlib.patches import Rectangle

    names = standings.arena.drivers
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xticks(range(len(names)), names, fontsize=8)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("times the fair share, rows against columns", color=INK)
    for y, driver in enumerate(names):
        for x, against in enumerate(names):
            row = standings.row(driver, against)
            if row is not None:
                value = row.multiple.value
                colour = BETTER if value >= 1 else WORSE
                axes.add_patch(
                    Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=colour, alpha=warmth(value), linewidth=0)
                )
                axes.text(x, y, f"{value:.2f}", ha="center", va="center", color=INK)
