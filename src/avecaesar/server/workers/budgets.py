"""Budgets of time: how long a driver may think on a server, and how long whatever else workers do takes, roughly.

They are known before the work begins, so that the pool can keep workers free for what is short.
"""

from __future__ import annotations

from avecaesar.drivers import CHARACTERS, DriverError, Searcher, driver
from avecaesar.errors import plain
from avecaesar.game import View
from avecaesar.records.boards import is_ours
from avecaesar.speech import say

LONGEST_NAME = 40  # of a driver, with its budget
LONGEST_THOUGHT = 5  # seconds a move
MOST_PLAYOUTS = 100_000  # a move
PLAYOUTS_A_SECOND = 20_000  # of the searcher's, roughly, on a board of ours
A_MOMENT = 0.1  # seconds, for what is short
A_FEW_SECONDS = 2.0  # for what is made of boards and records, as far as one knows
COMPILING = 2.0  # seconds that a worker may need for a board of somebody's own, which it does not know yet


def allowed_driver(name: str) -> str:
    """The driver's name, if it is one of ours who does not think too long for a server.

    >>> allowed_driver("sibylla@2s")
    'sibylla@2s'
    """
    if name.partition("@")[0] not in CHARACTERS:
        raise DriverError(
            say(
                "there is no driver '{name}' here; there are {drivers}",
                name=plain(name, LONGEST_NAME),
                drivers=", ".join(CHARACTERS),
            )
        )
    made = driver(plain(name, LONGEST_NAME))
    if not isinstance(made, Searcher):
        return name
    if made.cores > 1:
        raise DriverError(
            say("on a server a driver thinks on one core: '{name}' asks for {cores}", name=name, cores=made.cores)
        )
    if made.seconds is not None and made.seconds > LONGEST_THOUGHT:
        raise DriverError(
            say(
                "on a server a driver thinks for at most {most} seconds a move, not {seconds}",
                most=LONGEST_THOUGHT,
                seconds=f"{made.seconds:g}",
            )
        )
    if made.playouts > MOST_PLAYOUTS:
        raise DriverError(
            say(
                "on a server a driver plays at most {most} races a move, not {many}",
                most=f"{MOST_PLAYOUTS:,}",
                many=f"{made.playouts:,}",
            )
        )
    return name


def thinks_for(name: str, view: View) -> float:
    """Seconds that a searcher may think at most, roughly."""
    compiling = 0.0 if is_ours(view.course.board) else COMPILING
    return compiling + budget_of(name)


def budget_of(name: str) -> float:
    """Seconds for which a driver thinks about a move, roughly; 0: he goes by rules of thumb."""
    made = driver(name)
    if not isinstance(made, Searcher):
        return 0.0
    return made.playouts / PLAYOUTS_A_SECOND if made.seconds is None else made.seconds


def time_of(name: str) -> float:
    """Seconds that a driver has for each move, as everybody knows who knows his name; 0: he goes by rules of thumb.

    >>> time_of("scorpus"), time_of("sibylla@2s")
    (0.0, 2.1)
    """
    try:
        return budget + A_MOMENT if (budget := budget_of(name)) else 0.0
    except DriverError:  # somebody else will drive for him
        return 0.0
