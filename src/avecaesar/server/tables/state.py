"""A table as the fold of its log: what has happened, and whose turn it is. It does no I/O.

Event sourcing: the log is the truth, and the state follows from it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, assert_never, get_args

import msgspec

from avecaesar.game import IllegalMove, Lot, Race, View
from avecaesar.game import moves as m
from avecaesar.game.lead import Front
from avecaesar.game.numbers import ChariotNumber, SeatNumber
from avecaesar.game.sealed_chance import Purpose
from avecaesar.game.tournament import Load
from avecaesar.game.view import Question
from avecaesar.records import Record, Seal
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import events as e
from avecaesar.server.tables.admission import Admission
from avecaesar.server.tables.dealing import Dealer, Encrypter, lot, seal_for
from avecaesar.server.tables.news import news_of
from avecaesar.server.tables.plan import games_planned, house_rules, our_course, setup_of
from avecaesar.server.tables.seats import Circumstances, GivenShare, chair_of, left_by_seat, numbered
from avecaesar.server.tables.simultaneous import TOGETHER, answered, foreseen, to_come
from avecaesar.server.tables.story import Story, erased, turn_line
from avecaesar.server.wire.fields import Phase, Phrase
from avecaesar.server.wire.shown import Line
from avecaesar.speech import say, spoken
from avecaesar.table import HUMAN, Rig, Table
from avecaesar.telling import narration
from avecaesar.telling.opening import opening
from avecaesar.telling.sight_lines import thrown_away


class TableState:
    """A table. `apply` folds an event in, `happen` those that a command leads to (`decisions.py`)."""

    def __init__(self, table: str, dealer: Dealer = Lot, load: Load = our_course) -> None:
        """`load` finds the courses of its board, which were compiled before if it is not one of ours."""
        self.id = table
        self.number = -1  # of the last event
        self.changed = -1  # of the last one that a decision must know of
        self.touched = -1  # the event with which the game last went on: what clocks count from
        self.left: float | None = None  # seconds that are left of the turn since then, None: all
        self.commands: dict[str, int] = {}  # command ids with their events
        self.closed = False  # for good
        self.blanked = False  # all names and words were erased
        self.paused = False
        self.paused_by: SeatNumber | None = None
        self.table: Table | None = None
        self.rigs: tuple[Rig, ...] = ()  # the chariots of the race that is on, or was last
        self.game = -1  # how many games were begun at this table, less one
        self.finished: list[tuple[Table, list[Seal]]] = []  # the games before
        self.seals: list[Seal] = []  # of the races of this game, the current one included
        self.made_by: dict[tuple[int, int], tuple[e.By, ...]] = {}  # by game and race: who made each turn
        self.sealed: e.Sealed | None = None  # of the race to come
        self.shares: list[GivenShare] = []  # added to it
        self.dealt: list[GivenShare] = []  # the same of the race that is on or just over
        self.key = ""  # the name of the key to the cards of the race that is on
        self.said = 0  # sayings so far
        self.sayers: dict[int, str] = {}  # by number of the event: who said what is still told, in words of his own
        self.ready: frozenset[SeatNumber] = frozenset()  # seats whose persons want to go on to it
        self.chosen: dict[ChariotNumber, m.Move] = {}  # by chariot: decks and sortings that were not asked for yet
        self._foreseen: dict[ChariotNumber, Race] = {}  # the race when it will be asked, as the last event left it
        self._asked: Question | None = None
        self._asked_at = -1  # the event since when this is asked
        self._chosen_at: dict[SeatNumber, int] = {}  # by seat: the event of its last answer to it
        self.wasted: dict[ChariotNumber, int] = {}  # by chariot of this race: points that brought it no nearer
        self._in_front: ChariotNumber | None = None  # the chariot that led this race alone last
        self._public_view: View | None = None  # since the last move, once it was asked for
        self.admission = Admission()
        self.story = Story()
        self._house_rules: dict[str, list[str]] = {}  # in words, by language
        self._dealer, self.load = dealer, load

    def twin(self) -> TableState:
        """A copy that events are folded into before they are committed; it becomes the state afterwards, or is dropped.

        Whatever lies in lists and dictionaries here never changes itself, so that it can be shared.
        """
        twin = object.__new__(TableState)
        twin.__dict__.update(
            {name: value.copy() if type(value) in (dict, list) else value for name, value in self.__dict__.items()}
        )
        twin.admission = self.admission.copy()
        twin.table = None if self.table is None else self.table.copy(twin._lots)
        twin.story = self.story.copy(None if twin.table is None else twin.table.race)
        return twin

    def afresh(self) -> TableState:
        """The same table before its first event."""
        return TableState(self.id, self._dealer, self.load)

    # ------------------------------------------------------------------ where it stands

    @property
    def lines(self) -> list[Line]:
        """What was told in this race, and said, in the language that is spoken now."""
        return self.story.since()

    @property
    def house_rules(self) -> list[str]:
        """In what the table differs from its edition, in words."""
        if spoken() not in self._house_rules:  # the plan is laid once, and everybody is told of it with every move
            self._house_rules[spoken()] = house_rules(self.plan, self.rules)
        return self._house_rules[spoken()]

    @property
    def phase(self) -> Phase:
        """Whether people are still sitting down, racing, between two races, or at the end."""
        if self.table is None:
            return "gathering"
        if not self.table.race_over:
            return "racing"
        return "over" if self.table.over else "podium"

    @property
    def may_be_renamed(self) -> bool:
        """Whether chariots may get other names and colours: not while a game is on."""
        return self.phase in ("gathering", "over")

    @property
    def racing(self) -> bool:
        """Whether somebody's move is awaited."""
        return self.phase == "racing" and not self.paused and not self.closed

    @property
    def stopped(self) -> bool:
        """Whether the next race cannot begin: its cards are encrypted with a key that is not here."""
        return self.sealed is not None and not self.sealed.secret

    @property
    def secrets(self) -> tuple[str, str]:
        """By which the race that is on, or was last, was dealt, and by which the next one will be; empty: none."""
        return self.seals[-1].secret if self.seals else "", self.sealed.secret if self.sealed else ""

    def rekey(self, name: str) -> None:
        """What it has of sealed cards is encrypted with another key now."""
        self.key = name
        if self.sealed is not None and self.sealed.secret:
            self.sealed = msgspec.structs.replace(self.sealed, key=name)

    @property
    def goes_on(self) -> bool:
        """Whether a move is made here even if nobody comes: the computer's, a riderless chariot's, or by the clock."""
        if not self.racing or self.on_turn is None:
            return self.racing
        chair = self.chairs[self.on_turn]
        return bool(chair.driver) or chair.free or self.plan.clock is not None

    @property
    def game_table(self) -> Table:
        """The game that was begun."""
        if self.table is None:
            raise RefusedError(say("no race has begun at this table"))
        return self.table

    @property
    def public_view(self) -> View:
        """The race as everybody sees it."""
        if self._public_view is None:
            self._public_view = self.game_table.view()
        return self._public_view

    @property
    def on_turn(self) -> SeatNumber | None:
        """The seat that must decide; None when nobody must, or a riderless chariot only does what it must."""
        turn = None if self.table is None or self.closed else self.table.race.turn
        return None if turn is None else self.rigs[turn].seat

    def asked(self, seat: SeatNumber) -> tuple[ChariotNumber, Race] | None:
        """What a seat may decide: for which chariot, in the race as it is then; None if nothing.

        Decks and their sortings are chosen by all at once: who is not on turn answers what he will be asked.
        """
        if self.table is None or self.phase != "racing" or self.closed:
            return None
        race = self.table.race
        if self.on_turn == seat and race.turn is not None:
            return race.turn, race
        chariot = to_come(race, self._chariots_of(seat), self.chosen)
        if chariot is None:
            return None
        if chariot not in self._foreseen:  # asked for by everybody who is told of the same event
            self._foreseen[chariot] = foreseen(race, chariot)
        return chariot, self._foreseen[chariot]

    def asked_since(self, seat: SeatNumber) -> int:
        """The event since when a seat is asked what it is asked: what all are asked at once, whatever others answer."""
        if self._asked in TOGETHER:
            return max(self._asked_at, self._chosen_at.get(seat, -1))
        return self.changed

    def has_chosen(self, seat: SeatNumber) -> bool:
        """Whether a seat has answered what all are asked at once, and waits for the others."""
        if self.table is None or self.table.race.asks not in TOGETHER:
            return False
        return to_come(self.table.race, self._chariots_of(seat), self.chosen) is None

    def _chariots_of(self, seat: SeatNumber) -> list[ChariotNumber]:
        grid = self.game_table.race.grid
        return [chariot for chariot, rig in zip(grid, self.rigs, strict=True) if rig.seat == seat]

    @property
    def seats(self) -> Sequence[SeatNumber]:
        """All seats, by number."""
        return [seat for seat, _ in numbered(self.chairs)]

    @property
    def kept(self) -> frozenset[SeatNumber]:
        """Seats that a stand-in has to the end of the race: their hands are nobody's who comes now.

        Those that were free when it began are among them, or whoever races would sit down there for a second hand.
        """
        free = frozenset(seat for seat, chair in numbered(self.chairs) if chair.free)
        return free if self.phase == "racing" else frozenset()

    @property
    def persons(self) -> frozenset[SeatNumber]:
        """Seats at which a person sits."""
        return frozenset(seat for seat, chair in numbered(self.chairs) if chair.taken and not chair.driver)

    def waits(self, away: frozenset[SeatNumber]) -> frozenset[SeatNumber]:
        """Seats that the next race waits for: who is ready and goes away, say to look at the replay, is waited for."""
        return self.persons - (self.ready - away)

    def begins(self, seats: frozenset[SeatNumber], host: bool, circumstances: Circumstances) -> bool:
        """Whether the next race or a rematch begins if whoever holds these seats says that he is ready.

        All who sit there are waited for; without those who have been away too long the host may begin, or if he is
        away himself, anybody.
        """
        waits = self.waits(circumstances.away) - seats
        return not waits or (waits <= circumstances.gone and (host or not circumstances.host_here))

    def races_over(self, game: int) -> int:
        """How many races of a game are over."""
        if not 0 <= game <= self.game:
            raise RefusedError(say("there is no such game at this table"), status=404)
        table, _ = self.games[game]
        return table.number + table.race_over

    def races_run(self, game: int) -> tuple[Race, ...]:
        """The races of a game that are over, one at least."""
        over = self.races_over(game)
        if not over:
            raise RefusedError(say("its first race is not over yet"), status=404)
        return self.games[game][0].races[:over]

    def record(self, game: int, races: int | None = None) -> Record:
        """The races of a game that are over, or the first of them."""
        over = len(self.races_run(game)) if races is None else races
        table, seals = self.games[game]
        return table.record(over, seals[:over])

    @property
    def games(self) -> list[tuple[Table, list[Seal]]]:
        """All games that were begun here, with the seals of their races."""
        return self.finished if self.table is None else [*self.finished, (self.table, self.seals)]

    # ------------------------------------------------------------------ folding the log

    def happen(
        self,
        events: Sequence[e.AnyEvent],
        at: float,
        command: str | None = None,
        encrypt: Encrypter = lambda sealed: sealed,
    ) -> list[e.AnyEvent]:
        """Fold in events that a command leads to, and those that follow by themselves; all of them, in their order.

        RefusedError: the rules of the game forbid a move. Whoever asks has a twin then, and drops it.
        """
        happened, waiting = list[e.AnyEvent](), list(events)
        while waiting:
            event = waiting.pop(0)
            event = encrypt(event) if isinstance(event, e.Sealed) else event
            try:
                self.apply(self.number + 1, at, event)
            except IllegalMove as error:
                raise RefusedError.by_the_rules(error.refusal) from None
            except m.InvalidMove as error:
                raise RefusedError(str(error), status=400) from None
            happened.append(event)
            if isinstance(event, e.Moved):
                waiting = [*self._following(), *waiting]
        if command is not None:
            self._carried_out(command)
        return happened

    def _following(self) -> list[e.AnyEvent]:
        """What follows on a move: the answer of whoever is asked next, if he has given it already.

        Where it ended the race, its secret is opened and the next one's cards are sealed.
        """
        race = self.game_table.race
        if race.over:
            return [e.Unsealed(self.seals[-1].secret), seal_for(self.plan)]
        if (given := answered(race, self.chosen)) is None:
            return []
        chariot, move = given
        return [e.Moved(self.rigs[chariot].seat, move, "person")]

    def apply(self, number: int, at: float, event: e.AnyEvent, command: str | None = None) -> None:
        """Fold the next event in."""
        if number != self.number + 1:
            raise ValueError(f"event {number} does not follow on {self.number}")
        self.number = number
        self._foreseen.clear()
        if not isinstance(event, e.Quiet):
            self.changed = number
        self._clock(event)
        self._fold(event, at)
        names = [chair.name for chair in self.chairs]  # as they are now: words may be asked for much later
        for seat, words in news_of(event, names, self.admission.wishes, self.may_be_renamed):
            self._tell(at, words, seat)
        self.admission.apply(event, at, number)  # after the story, which tells who had asked
        if isinstance(event, e.Said) and event.text is not None:
            self.sayers[number] = ""
        if command is not None:
            self._carried_out(command)
        asks = self.table.race.asks if self.table else None
        if asks != self._asked:
            self._asked, self._asked_at, self._chosen_at = asks, number, {}

    def _carried_out(self, command: str) -> None:
        """The last event is the last of this command's."""
        self.commands[command] = self.number
        if self.number in self.sayers:
            self.sayers[self.number] = command.partition(":")[0]

    def _clock(self, event: e.AnyEvent) -> None:
        """A turn's clock begins with the turn, and after a pause it goes on where it stood.

        It does so too when the seat on turn changes hands, or whoever stood up and came back would have another turn.
        """
        match event:
            case e.Paused(_, left):
                self.left = left
            case e.Resumed():
                self.touched = self.number
            case e.Begun() | e.Moved():
                self.touched, self.left = self.number, None

    def _fold(self, event: e.AnyEvent, at: float) -> None:
        match event:
            case e.WasLaid(plan=plan, rules=rules):
                self.plan, self.rules = plan, rules
                self._house_rules = {}
                self.stages = games_planned(plan, self.load, rules).schedule
                self.chairs = [chair_of(seat) for seat in plan.seats]
            case e.Sealed():
                self.sealed, self.shares = event, []
            case e.Unsealed():
                pass  # whoever reads a log has put its secrets in before (`keyring.opened`)
            case e.Shaken(holder, share, seat):
                self.shares.append(GivenShare(holder, share, seat))
            case e.Sat(seat, name, colour):
                self._set_chair(seat, name=name, colour=colour, taken=True, driver="")
                self._afresh(seat)
            case e.Dressed(seat, name, colour):
                self._set_chair(seat, name=name, colour=colour)
            case e.Stood(seat):
                self._set_chair(seat, taken=False, kind="friend", driver="")
                self._afresh(seat)
                self._reseat(seat, HUMAN)
            case e.Appointed(seat, driver):
                self._set_chair(seat, taken=True, kind="driver", driver=driver)
                self._afresh(seat)
                self._reseat(seat, driver)
            case e.Begun():
                self._begin(at)
            case e.Readied(seats):
                self.ready |= frozenset(seats)
            case e.ChosenAhead(seat, chariot, move):
                self.chosen[chariot] = e.in_clear(move)
                self._chosen_at[seat] = self.number
            case e.Moved(seat, move, by):
                self._move(at, seat, e.in_clear(move), by)
            case e.Said(seat, text, phrase):
                self.said += 1
                gone = text is None and phrase is None
                line = Line(self.number, "said", "", seat=seat, phrase=_known(phrase), at=at, erased=gone)
                self.story.add(line, erased if gone else lambda: text or "")
            case e.Paused(seat):
                self.paused, self.paused_by = True, seat
            case e.Resumed():
                self.paused, self.paused_by = False, None
            case e.Closed():
                self.closed = True
            case e.Struck(number):
                self._strike(number)
            case e.Blanked():
                self.closed = self.blanked = True
            case (
                e.Banned()
                | e.Linked()
                | e.Opened()
                | e.Voided()
                | e.OthersShutOut()
                | e.HandedOn()
                | e.Wished()
                | e.Agreed()
                | e.Declined()
            ):
                pass  # whom they let in is for `admission` to know
            case _:
                assert_never(event)

    def _strike(self, number: int) -> None:
        """What was said there is told no longer."""
        self.sayers.pop(number, None)
        self.story.strike(number)

    def _set_chair(self, seat: SeatNumber, **changes: Any) -> None:
        self.chairs[seat] = replace(self.chairs[seat], **changes)

    def _afresh(self, seat: SeatNumber) -> None:
        """Somebody else has a seat: what was said or chosen there before no longer holds, and shares are not his."""
        self.ready -= {seat}
        self.shares, self.dealt = left_by_seat(self.shares, seat), left_by_seat(self.dealt, seat)
        if self.table is not None:
            for chariot in self._chariots_of(seat):
                self.chosen.pop(chariot, None)

    def _reseat(self, seat: SeatNumber, driver: str) -> None:
        if self.table is not None:
            self.table.reseat(seat, driver)

    def _tell(self, at: float, words: Callable[[], str], seat: SeatNumber | None = None) -> None:
        self.story.add(Line(self.number, "news", "", seat=seat, at=at), words)

    def _begin(self, at: float) -> None:
        if self.sealed is None or not self.sealed.secret:
            raise ValueError("a race begins with cards that are sealed, and that can be dealt")
        self.key, shares = self.sealed.key, tuple(share.share for share in self.shares)
        seal = Seal(commitment=self.sealed.commitment, secret=self.sealed.secret, shares=shares)
        self.sealed, self.dealt, self.shares = None, self.shares, []
        self.ready, self.chosen = frozenset(), {}
        if self.table is not None and self.phase == "podium":
            self.seals.append(seal)
            self.table.next_race()
        else:
            if self.table is not None:
                self.finished.append((self.table, self.seals))
            self.seals = [seal]
            self.game += 1
            self.table = Table(setup_of(self.present_plan, self.rules), lots=self._lots, load=self.load)
        self.rigs = self.table.rigs
        self.wasted, self._in_front, self._public_view = {}, None, None
        self.story.begin(self.table.race)
        for words in opening(self.table):
            self._tell(at, words)

    @property
    def present_plan(self) -> e.Plan:
        """The table as it would be laid now, with whoever sits there."""
        seats = tuple(
            e.PlannedSeat(kind=chair.kind, name=chair.name, colour=chair.colour, driver=chair.driver)
            for chair in self.chairs
        )
        return msgspec.structs.replace(self.plan, seats=seats)

    @property
    def _lots(self) -> Callable[[int, Purpose], Random]:
        """By which races are dealt. (It holds no state, which would be garbage in a cycle after every move.)"""
        return partial(lot, self._dealer, self.seals)

    def _move(self, at: float, seat: SeatNumber | None, move: m.Move, by: e.By) -> None:
        table, before = self.game_table, self.public_view
        table.play(move)
        self._public_view = None
        asked = before.turn
        if asked is not None and self.chosen.pop(asked, None) is None and seat is not None:
            self._chosen_at[seat] = self.number
        if isinstance(move, m.Vote):  # which is told with what it decides
            return
        this = self.game, table.number
        self.made_by[this] = (*self.made_by.get(this, ()), by)
        after = self.public_view
        mover = after.history[-1].chariot
        self.wasted[mover] = self.wasted.get(mover, 0) + thrown_away(before, after, mover, move)
        line = turn_line(before, after, move)
        leads, lead_from = self._takes_the_lead(after, mover)
        line = msgspec.structs.replace(
            line, number=self.number, seat=seat, leads=leads, lead_from=lead_from, by=by, at=at
        )
        self.story.add_turn(line, before, after)
        if narration.is_announced(before, after):
            self._tell(at, partial(narration.announce, before, after))

    def _takes_the_lead(self, view: View, mover: ChariotNumber) -> tuple[bool, ChariotNumber | None]:
        """Whether a chariot leads alone now that was not the last to do so; and which was, if any."""
        last, front = self._in_front, Front(self._in_front)
        leads = front.taken_by(view.leaders) == mover
        self._in_front = front.chariot
        return leads, last if leads else None

    def has_shared(self, seats: frozenset[SeatNumber], holder: str) -> bool:
        """Whether somebody has added his share: one for a sitting, with whichever keys or devices."""
        given = [share for share in self.shares if not share.left]
        return any(share.holder == holder for share in given) or seats <= {share.seat for share in given}


def _known(phrase: str | None) -> Phrase | None:
    """A phrase that the page can say; a log may have one that is offered no longer."""
    return next((known for known in get_args(Phrase) if known == phrase), None)
