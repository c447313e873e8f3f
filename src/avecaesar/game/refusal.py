"""Why a move is refused: each of the kernel's verdicts with its clause and its sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

from avecaesar.courses import ROMAN
from avecaesar.kernel import layout as k
from avecaesar.renamed import renamed_attribute
from avecaesar.rules import PILES, Clause, clauses
from avecaesar.speech import say


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not allowed: the clause, and the sentence that says how this move breaks it.

    Whoever must know which reason it is asks for the kernel's verdict: several have the same clause.
    """

    clause: str
    reason: str
    pile: int | None = None  # of a sorting: the pile that is wrong, from 0
    verdict: int = field(kw_only=True, repr=False, compare=False)  # `kernel.layout.REFUSED_WALL` and so on

    @property
    def text(self) -> str:
        """The clause itself, in words."""
        return self.rule.text

    @property
    def rule(self) -> Clause:
        """The clause with its title and sources."""
        return clauses()[self.clause]


class IllegalMove(ValueError):
    """A move that the rules do not allow now; it names the clause and says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.reason} ({refusal.clause})")
        self.refusal = refusal

    infraction = renamed_attribute("infraction", "refusal")

    @property
    def clause(self) -> str:
        """The id of the clause, such as SIX-1."""
        return self.refusal.clause

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        return self.refusal.reason


# {card} is the value, {to} the destination's name, {pile} a pile's number.
SENTENCES: dict[int, tuple[str, str]] = {
    k.REFUSED_OVER: ("END-3", "The race is over."),
    k.REFUSED_NO_SUCH_MOVE: ("MOV-2", "There is no such space on this course."),
    k.REFUSED_NOT_IN_HAND: ("MOV-1", "You hold no {card}."),
    k.REFUSED_MUST_CRASH: ("CRA-1", "You lead with nothing but sixes in hand: your chariot crashes."),
    k.REFUSED_NO_CRASH: (
        "CRA-1",
        "Only a leader with nothing but sixes crashes, and only where it is agreed.",
    ),
    k.REFUSED_SIX: ("SIX-1", "You lead the race, so you may not play a 6 now."),
    k.REFUSED_WALL: ("MOV-2", "A wall lies between you and {to}."),
    k.REFUSED_NOT_EXACT: ("MOV-3", "No way of exactly {card} leads from your space to {to}."),
    k.REFUSED_NOT_HOME_YET: (
        "COU-2",
        "You are home when you cross the line for the fourth time, after three laps.",
    ),
    k.REFUSED_BEYOND_FINISH: ("MOV-5", "Your race ends at the line: a card that crosses it takes you home."),
    k.REFUSED_OCCUPIED: ("MOV-2", "Another chariot stands on {to}."),
    k.REFUSED_BLOCKED: ("MOV-2", "Other chariots stand in the way to {to}."),
    k.REFUSED_TRIBUTE: (
        "TRI-3",
        "You still owe Caesar his coin, and a card of yours would stop in the alley if the way were free: "
        "you may not drive past it.",
    ),
    k.REFUSED_MUST_PLAY: ("MOV-3", "You can play a card, so you must."),
    k.REFUSED_MUST_EXCHANGE: (
        "MOV-4",
        "You miss this turn and exchange a card: say which one goes under the deck.",
    ),
    k.REFUSED_NO_EXCHANGE: ("MOV-4", "You miss this turn without exchanging a card."),
    k.REFUSED_NO_WITHDRAWAL: ("TRI-4", "Only a disqualified chariot may withdraw."),
    k.REFUSED_CHOOSE_DECK: ("AUS-1", "First choose your deck: slow, average or fast."),
    k.REFUSED_SORT: ("AUS-3", "First sort your deck into three piles."),
    k.REFUSED_DRAW: ("AUS-3", "Draw a card from one of your piles."),
    k.REFUSED_LAY: ("AUS-4", "Lay the emperor's 3 on one of your piles."),
    k.REFUSED_VOTE: ("NPC-3", "Vote for where the riderless chariot is to go, or abstain."),
    k.REFUSED_NOT_NOW: ("TURN-1", "That is not asked now: it is time to play a card."),
    k.REFUSED_SORTING: ("AUS-3", "The three piles together are not the deck that you have to sort."),
    **dict.fromkeys(range(k.REFUSED_LEFT_EMPTY, k.REFUSED_LEFT_EMPTY + PILES), ("AUS-3", "Pile {pile} is empty.")),
    **dict.fromkeys(
        range(k.REFUSED_MIXED, k.REFUSED_MIXED + PILES),
        ("AUS-3", "Pile {pile} holds more than two values: one or two are allowed."),
    ),
    k.REFUSED_EMPTY_PILE: ("AUS-3", "That pile is empty."),
    k.REFUSED_NO_SUCH_VOTE: ("NPC-3", "The riderless chariot cannot do that with its card."),
    k.REFUSED_RIDERLESS: ("NPC-3", "A riderless chariot does what rule or vote say, and nothing else."),
}

# The same where the destination is the finish.
HOME_SENTENCES = {
    k.REFUSED_NOT_EXACT: "No way of exactly {card} leads from your space to the finish.",
    k.REFUSED_BLOCKED: "Other chariots stand in the way to the finish.",
}
_PILE = {first + i: i for first in (k.REFUSED_LEFT_EMPTY, k.REFUSED_MIXED) for i in range(PILES)}


def explain(verdict: int, card: int, to: str) -> Refusal:
    """The refusal that a verdict means."""
    clause, sentence = SENTENCES[verdict]
    if to == "home":
        sentence = HOME_SENTENCES.get(verdict, sentence)
    pile = _PILE.get(verdict)
    reason = say(sentence, card=card, to=to, pile="" if pile is None else ROMAN[pile])
    return Refusal(clause, reason, pile, verdict=verdict)


def explain_card(card: int) -> Refusal:
    """Why a card goes nowhere at all, if nothing but chariots keeps it."""
    reason = say("Other chariots stand in the way: your {card} cannot be moved in full.", card=card)
    return Refusal("MOV-3", reason, verdict=k.REFUSED_BLOCKED)
