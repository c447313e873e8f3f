"""A table as the fold of its log: what has happened, whose turn it is, and what a command would add. It does no I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

import msgspec

from avecaesar.drivers import DriverError
from avecaesar.game import IllegalMove, Lot, Race, View, commitment_of, new_secret
from avecaesar.game import moves as m
from avecaesar.game.sealed_chance import MOST_SHARES, Purpose
from avecaesar.game.view import Question
from avecaesar.records import Record, Seal
from avecaesar.rules import MOST_CHARIOTS
from avecaesar.server.refused import RefusedError as RefusedError
from avecaesar.server.refused import StoppedError
from avecaesar.server.tables import events as e
from avecaesar.server.tables import lesson
from avecaesar.server.tables.admission import Admission
from avecaesar.server.tables.plan import Load, games_of, house_rules, our_course, setup_of
from avecaesar.server.tables.simultaneous import TOGETHER, answered, foreseen, to_come
from avecaesar.server.wire import messages as msg
from avecaesar.server.wire.legible import fault_in, likeness
from avecaesar.server.wire.messages import Line, NewTable, Phase, SeatPlan
from avecaesar.server.workers.pool import allowed_driver
from avecaesar.speech import counted, in_every_language, say, spoken
from avecaesar.table import HUMAN, Table, character_of
from avecaesar.telling import narration
from avecaesar.telling.opening import opening
from avecaesar.telling.scenes import scene_of, way_of
from avecaesar.telling.sight_lines import lap_begun, stuck_behind, thrown_away

MOST_TOLD = 200  # sayings that are kept in sight, and announcements
MOST_SAID = 2_000  # sayings in a table's log
MOST_EVENTS = 20_000  # in a log that is still added to, but for the race that is on: every one is folded when it wakes
RESERVED = 500  # of these for people who sit there already: those who come cannot fill the log up to its end

CLOSED = {
    "operator": "The table is closed by the server's operator.",
    "host": "The table is closed by the host.",
    "nobody": "The table is closed: its host has left, and nobody else sits here.",
}

Dealer = Callable[[bytes, Sequence[bytes], Purpose], Random]


class Actor(NamedTuple):
    """Who gives a command: his seats, whether the table is his, and a name that tells him from others."""

    seats: frozenset[int]
    host: bool
    holder: str


class Moment(NamedTuple):
    """What no log tells: how long the person on turn still has, who is away, and who is so too long, or the host."""

    left: float | None = None
    away: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    host_here: bool = True
    alone: bool = False  # whether all persons who sit here are one, by their keys
    unasked: frozenset[int] = frozenset()  # seats that somebody asked for who can no longer have them


UNTOLD = Moment()


@dataclass(slots=True)
class Chair:
    """A seat as it is now."""

    kind: Literal["here", "friend", "driver"]
    name: str
    colour: str
    driver: str  # of the computer's; empty: a person's seat
    taken: bool

    @property
    def free(self) -> bool:
        """Whether somebody may sit down here."""
        return not self.driver and not self.taken


@dataclass(slots=True)
class Share:
    """What somebody has added to a deal. It stays where it is, or whoever leaves would have a say in the cards."""

    holder: str
    share: str
    seat: int | None  # where he sat; None: an old log does not tell
    left: bool = False  # he sits there no longer


class Told(NamedTuple):
    """A line of the story, which everybody hears in his own language."""

    line: Line
    words: Mapping[str, str]  # by language

    @property
    def heard(self) -> Line:
        """The line in the language that is spoken now."""
        return msgspec.structs.replace(self.line, words=self.words[spoken()])


class Room:
    """A table. `apply` folds an event in; `decide` says which events a command leads to, or refuses it."""

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
        self.paused_by: int | None = None  # the seat
        self.table: Table | None = None
        self.game = -1  # how many games were begun at this table, less one
        self.finished: list[tuple[Table, list[Seal]]] = []  # the games before
        self.seals: list[Seal] = []  # of the races of this game, the current one included
        self.made_by: dict[tuple[int, int], list[e.By]] = {}  # by game and race: who made each turn
        self.sealed: e.Sealed | None = None  # of the race to come
        self.shares: list[Share] = []  # added to it
        self.dealt: list[Share] = []  # the same of the race that is on or just over
        self.key = ""  # the name of the key to the cards of the race that is on
        self._said = 0  # sayings so far
        self._sayers: dict[int, str] = {}  # by number of the event: who said what is still told, in words of his own
        self.ready: frozenset[int] = frozenset()  # seats whose persons want to go on to it
        self.chosen: dict[int, m.Move] = {}  # by chariot: decks and sortings that were not asked for yet
        self._foreseen: dict[int, Race] = {}  # by chariot: the race when it will be asked, as the last event left it
        self._asked: Question | None = None
        self._asked_at = -1  # the event since when this is asked
        self._chosen_at: dict[int, int] = {}  # by seat: the event of its last answer to it
        self.wasted: dict[int, int] = {}  # by chariot of this race: points that brought it no nearer
        self._in_front: int | None = None  # the chariot that led this race alone last
        self.admission = Admission()
        self._story: list[Told] = []
        self._house_rules: dict[str, list[str]] = {}  # in words, by language
        self._dealer, self.load = dealer, load

    def afresh(self) -> Room:
        """The same table before its first event."""
        return Room(self.id, self._dealer, self.load)

    # ------------------------------------------------------------------ where it stands

    @property
    def story(self) -> list[Line]:
        """What was told in this race, and said, in the language that is spoken now."""
        return self.told_since(-1)

    def told_since(self, number: int) -> list[Line]:
        """What was told after an event."""
        return [told.heard for told in self._story if told.line.number > number]

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
        """Whether the next race cannot begin: its cards are sealed with a key that is not here."""
        return self.sealed is not None and not self.sealed.secret

    @property
    def secrets(self) -> tuple[str, str]:
        """By which the race that is on, or was last, was dealt, and by which the next one will be; empty: none."""
        return self.seals[-1].secret if self.seals else "", self.sealed.secret if self.sealed else ""

    def rekey(self, name: str) -> None:
        """What it has of sealed cards is sealed with another key now."""
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
    def on_turn(self) -> int | None:
        """The seat that must decide; None when nobody must, or a riderless chariot only does what it must."""
        return self.table.seat_on_turn if self.table and self.phase == "racing" and not self.closed else None

    def asked(self, seat: int) -> tuple[int, Race] | None:
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

    def asked_since(self, seat: int) -> int:
        """The event since when a seat is asked what it is asked: what all are asked at once, whatever others answer."""
        if self._asked in TOGETHER:
            return max(self._asked_at, self._chosen_at.get(seat, -1))
        return self.changed

    def has_chosen(self, seat: int) -> bool:
        """Whether a seat has answered what all are asked at once, and waits for the others."""
        if self.table is None or self.table.race.asks not in TOGETHER:
            return False
        return to_come(self.table.race, self._chariots_of(seat), self.chosen) is None

    def _chariots_of(self, seat: int) -> list[int]:
        return [i for i, rig in enumerate(self.game_table.rigs) if rig.seat == seat]

    @property
    def kept(self) -> frozenset[int]:
        """Seats that a stand-in has to the end of the race: their hands are nobody's who comes now.

        Those that were free when it began are among them, or whoever races would sit down there for a second hand.
        """
        free = frozenset(number for number, chair in enumerate(self.chairs) if chair.free)
        return free if self.phase == "racing" else frozenset()

    @property
    def persons(self) -> frozenset[int]:
        """Seats at which a person sits."""
        return frozenset(number for number, chair in enumerate(self.chairs) if chair.taken and not chair.driver)

    def waits(self, away: frozenset[int]) -> frozenset[int]:
        """Seats that the next race waits for: who is ready and goes away, say to look at the replay, is waited for."""
        return self.persons - (self.ready - away)

    def begins(self, seats: frozenset[int], host: bool, moment: Moment) -> bool:
        """Whether the next race or a rematch begins if whoever holds these seats says that he is ready.

        All who sit there are waited for; without those who have been away too long the host may begin, or if he is
        away himself, anybody.
        """
        waits = self.waits(moment.away) - seats
        return not waits or (waits <= moment.gone and (host or not moment.host_here))

    def races_over(self, game: int) -> int:
        """How many races of a game are over."""
        if not 0 <= game <= self.game:
            raise RefusedError(say("there is no such game at this table"), status=404)
        table, _ = self.games[game]
        return table.number + table.race_over

    def record(self, game: int, races: int | None = None) -> Record:
        """The races of a game that are over, or the first of them."""
        over = self.races_over(game) if races is None else races
        if not over:
            raise RefusedError(say("its first race is not over yet"), status=404)
        table, seals = self.games[game]
        return table.record(over, seals[:over])

    @property
    def games(self) -> list[tuple[Table, list[Seal]]]:
        """All games that were begun here, with the seals of their races."""
        return self.finished if self.table is None else [*self.finished, (self.table, self.seals)]

    # ------------------------------------------------------------------ folding the log

    def apply(self, number: int, at: float, event: e.AnyEvent, command: str | None = None) -> None:
        """Fold the next event in."""
        if number != self.number + 1:
            raise ValueError(f"event {number} does not follow on {self.number}")
        self.number = number
        self._foreseen.clear()
        if command is not None:
            self.commands[command] = number
        if not isinstance(event, e.Quiet):
            self.changed = number
        self._clock(event)
        self._fold(event, at)
        self.admission.apply(event, at, number)  # after the story, which tells who had asked
        if isinstance(event, e.Said) and event.text is not None:
            self._sayers[number] = (command or "").partition(":")[0]
        asks = self.table.race.asks if self.table else None
        if asks != self._asked:
            self._asked, self._asked_at, self._chosen_at = asks, number, {}

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
                self._house_rules.clear()
                self.stages = games_of(plan, self.load, rules).schedule
                self.chairs = [_chair(seat) for seat in plan.seats]
            case e.Sealed():
                self.sealed, self.shares = event, []
            case e.Unsealed():
                pass  # whoever reads a log has put its secrets in before (`keys.opened`)
            case e.Shaken(holder, share, seat):
                self.shares.append(Share(holder, share, seat))
            case e.Sat(seat, name, colour):
                chair = self.chairs[seat]
                chair.name, chair.colour, chair.taken, chair.driver = name, colour, True, ""
                self._afresh(seat)
                self._tell(at, self._sits_down(event), seat)
            case e.Dressed(seat, name, colour):
                self.chairs[seat].name, self.chairs[seat].colour = name, colour
            case e.Stood(seat):
                chair = self.chairs[seat]
                chair.taken, chair.kind, chair.driver = False, "friend", ""
                self._afresh(seat)
                self._reseat(seat, HUMAN)
                self._tell(at, lambda: say("{name}'s seat is free.", name=chair.name), seat)
            case e.Appointed(seat, driver):
                chair = self.chairs[seat]
                chair.taken, chair.kind, chair.driver = True, "driver", driver
                self._afresh(seat)
                self._reseat(seat, driver)
                who = character_of(driver)
                named = who.title if who else driver
                self._tell(at, lambda: say("{name} is driven by {driver} now.", name=chair.name, driver=named), seat)
            case e.Begun():
                self._begin(at)
            case e.Readied(seats):
                self.ready |= frozenset(seats)
                for seat in seats:
                    self._tell(at, self._is_ready(self.chairs[seat].name), seat)
            case e.Chosen(seat, chariot, move):
                self.chosen[chariot] = msg.move_from(e.in_clear(move))
                self._chosen_at[seat] = self.number
            case e.Moved(seat, move, by):
                self._move(at, seat, msg.move_from(e.in_clear(move)), by)
            case e.Said(seat, text, phrase):
                self._said += 1
                erased = text is None and phrase is None
                line = Line(self.number, "said", "", seat=seat, phrase=phrase, at=at, erased=erased)
                self._add(line, in_every_language(_erased if erased else lambda: text or ""))
            case e.Paused(seat):
                self.paused, self.paused_by = True, seat
                if seat is None:
                    self._tell(at, lambda: say("The host pauses the race."))
                else:
                    name = self.chairs[seat].name
                    self._tell(at, lambda: say("{name} pauses the race.", name=name), seat)
            case e.Resumed(seat):
                self.paused, self.paused_by = False, None
                if seat is None:
                    self._tell(at, lambda: say("The host goes on."))
                else:
                    name = self.chairs[seat].name
                    self._tell(at, lambda: say("{name} goes on.", name=name), seat)
            case e.Closed(by):
                self.closed = True
                self._tell(at, lambda: say(CLOSED[by]))
            case e.Banned(seat):
                name = self.chairs[seat].name
                self._tell(at, lambda: say("The host has banned {name} from this table.", name=name), seat)
            case e.Struck(number, seat):
                self._strike(number)
                if seat is None:
                    self._tell(at, lambda: say("The host has erased a saying."))
                else:
                    name = self.chairs[seat].name
                    self._tell(at, lambda: say("{name} has erased a saying.", name=name), seat)
            case e.Blanked():
                self.closed = self.blanked = True
                self._tell(at, lambda: say("The host has erased all names and words, and closed the table."))
            case (
                e.Linked()
                | e.Opened()
                | e.Voided()
                | e.ShutOut()
                | e.HandedOn()
                | e.Wished()
                | e.Agreed()
                | e.Declined()
            ):
                self._tell_of_door(event, at)

    def _tell_of_door(self, event: e.Doors, at: float) -> None:
        """Everybody hears who may come in, and as what: a hand is never seen by somebody unawares."""
        if isinstance(event, e.Linked) and event.laid:
            return  # every table for friends has this invitation
        seat = getattr(event, "seat", None)
        name = "" if seat is None else self.chairs[seat].name
        all_of = [self.chairs[each].name for each in getattr(event, "seats", ())] or [name]

        def words() -> str:
            match event:
                case e.Linked(kind="invitation"):
                    return say("The host has made an invitation.")
                case e.Linked(kind="seat"):
                    return say("The host has made a link to {name}'s seat, which is free.", name=name)
                case e.Linked() | e.Opened(kind="device"):
                    return _of_device(event, all_of)
                case e.Opened():
                    return say("The link to {name}'s seat has been used.", name=name)
                case e.Voided():
                    return say("The host has voided all invitations.")
                case e.ShutOut():
                    return say("{name} has shut all other devices out.", name=name)
                case e.HandedOn():
                    return say("{name} is the host now.", name=name)
                case e.Wished(name=asker):
                    if asker:
                        return say("{asker} asks to take over {name}'s chariot in this race.", asker=asker, name=name)
                    return say("Somebody asks to take over {name}'s chariot in this race.", name=name)
                case e.Agreed(by=by):
                    agreed = narration.listed([self.chairs[each].name for each in by])
                    return counted(
                        len(by),
                        "{agreed} agrees that {name}'s chariot is taken over.",
                        "{agreed} agree that {name}'s chariot is taken over.",
                        agreed=agreed,
                        name=name,
                    )
                case e.Declined(by=by):
                    if by is None:
                        return say("Nobody asks for {name}'s chariot any more.", name=name)
                    return say(
                        "{who} would rather not: a stand-in drives {name}'s chariot to the end of the race.",
                        who=self.chairs[by].name,
                        name=name,
                    )

        self._tell(at, words, seat)

    def _strike(self, number: int) -> None:
        """What was said there is told no longer."""
        self._sayers.pop(number, None)
        self._story = [
            Told(msgspec.structs.replace(told.line, erased=True), in_every_language(_erased))
            if told.line.kind == "said" and told.line.number == number
            else told
            for told in self._story
        ]

    def _sits_down(self, event: e.Sat) -> Callable[[], str]:
        """Who has a seat now, which need not be whoever its chariot is called after."""
        name, keeps = event.name, not self.may_be_renamed
        wish = self.admission.wishes.get(event.seat) if event.how == "agreed" else None
        if event.how == "back":
            return lambda: say("{name}'s chariot has its driver back.", name=name)
        if event.besides is not None:
            who = self.chairs[event.besides].name
            return lambda: say("{who} now has {name}'s seat too.", who=who, name=name)
        if wish is not None and wish.name:
            who = wish.name
            return lambda: say("{who} takes over {name}'s chariot.", who=who, name=name)
        if keeps:
            return lambda: say("Somebody takes over {name}'s chariot.", name=name)
        return lambda: say("{name} takes a seat.", name=name)

    @staticmethod
    def _is_ready(name: str) -> Callable[[], str]:
        return lambda: say("{name} is ready for the next race.", name=name)

    def _afresh(self, seat: int) -> None:
        """Somebody else has a seat: what was said or chosen there before no longer holds, and shares are not his."""
        self.ready -= {seat}
        for share in (*self.shares, *self.dealt):
            share.left |= share.seat == seat
        if self.table is not None:
            for chariot in self._chariots_of(seat):
                self.chosen.pop(chariot, None)

    def _reseat(self, seat: int, driver: str) -> None:
        if self.table is not None:
            self.table.reseat(seat, driver)

    def _tell(self, at: float, words: Callable[[], str], seat: int | None = None) -> None:
        self._add(Line(self.number, "news", "", seat=seat, at=at), in_every_language(words))

    def _add(self, line: Line, words: Mapping[str, str]) -> None:
        self._story.append(Told(line, words))
        if line.kind != "turn":
            alike = [told for told in self._story if told.line.kind == line.kind]
            if len(alike) > MOST_TOLD:
                self._story.remove(alike[0])

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
            self.table = Table(setup_of(self.present_plan, self.rules), lots=self._lot, load=self.load)
        self.wasted, self._in_front = {}, None
        self._story = [told for told in self._story if told.line.kind == "said"]
        begun = self.table
        openings = in_every_language(lambda: opening(begun))
        for lines in zip(*openings.values(), strict=True):
            line = Line(self.number, "news", "", at=at)
            self._add(line, dict(zip(openings, lines, strict=True)))

    @property
    def present_plan(self) -> NewTable:
        """The table as it would be laid now, with whoever sits there."""
        seats = tuple(
            SeatPlan(kind=chair.kind, name=chair.name, colour=chair.colour, driver=chair.driver)
            for chair in self.chairs
        )
        return msgspec.structs.replace(self.plan, seats=seats)

    def _lot(self, race: int, purpose: Purpose) -> Random:
        seal = self.seals[race]
        return self._dealer(bytes.fromhex(seal.secret), [bytes.fromhex(share) for share in seal.shares], purpose)

    def _move(self, at: float, seat: int | None, move: m.Move, by: e.By) -> None:
        table = self.game_table
        before = table.view()
        asked = table.race.turn
        if asked is not None and self.chosen.pop(asked, None) is None and seat is not None:
            self._chosen_at[seat] = self.number
        driven = way_of(before, move) if isinstance(move, m.Play) else ()
        table.play(move)
        if isinstance(move, m.Vote):  # which is told with what it decides
            return
        self.made_by.setdefault((self.game, table.number), []).append(by)
        after = table.view()
        scene = scene_of(before, after, driven)
        assert scene.mover is not None
        mover = scene.mover
        then, now = before.chariots[mover], after.chariots[mover]
        self.wasted[mover] = self.wasted.get(mover, 0) + thrown_away(before, after, mover, move)
        self._add(
            Line(
                self.number,
                "turn",
                "",
                chariot=mover,
                seat=seat,
                notation=scene.notation,
                origin=scene.origin,
                way=driven,
                home=now.status == "home",
                paid=then.coin and not now.coin,
                culprits=stuck_behind(before, mover) if isinstance(move, m.Miss) and not now.riderless else (),
                lap=lap_begun(before, after, mover),
                leads=self._takes_the_lead(after, mover),
                by=by,
                at=at,
            ),
            in_every_language(lambda: narration.tell(before, after)),
        )
        if scene.event:
            self._tell(at, lambda: narration.announce(before, after))

    def _takes_the_lead(self, view: View, mover: int) -> bool:
        """Whether a chariot leads alone now that was not the last to do so."""
        alone = next(iter(view.leaders)) if len(view.leaders) == 1 else None
        taken = alone is not None and alone != self._in_front
        self._in_front = self._in_front if alone is None else alone
        return taken and alone == mover

    # ------------------------------------------------------------------ deciding

    def decide(self, actor: Actor, command: msg.Logged, moment: Moment = UNTOLD) -> list[e.AnyEvent]:
        """The events that a command leads to; it changes nothing."""
        if not isinstance(command, msg.EraseSaying | msg.EraseWords):
            self.need_open()
        if not isinstance(command, msg.MakeMove | msg.Resume | msg.Order):
            self.need_room_in_log()
        match command:
            case msg.MakeMove():
                return self._decide_move(actor, command)
            case msg.Say(text=text, phrase=phrase):
                self._need_place(actor)
                if self._said >= MOST_SAID:
                    raise RefusedError(say("enough was said at this table: lay a new one to go on talking"))
                if (text is None) == (phrase is None):
                    raise RefusedError(say("say either words of your own or a phrase"), status=400)
                _need_legible(text or "")
                return [e.Said(min(actor.seats, default=None), text, phrase)]
            case msg.Shake(share=share):
                return self._decide_share(actor, share)
            case msg.Begin():
                return self._decide_begin(actor, command, moment)
            case msg.Pause():
                self._need_place(actor)
                if not self.racing:
                    raise RefusedError(
                        say("the race rests already") if self.paused else say("there is no race to pause")
                    )
                return [e.Paused(min(actor.seats, default=None), moment.left)]
            case msg.Resume():
                self._need_place(actor)
                if not self.paused:
                    raise RefusedError(say("the race is not paused"))
                return [e.Resumed(min(actor.seats, default=None))]
            case msg.Dress(seat=seat, name=name, colour=colour):
                self._need_seat(actor, seat)
                if not self.may_be_renamed:
                    raise RefusedError(say("names and colours stay as they are until the last race is over"))
                return [e.Dressed(seat, *self._dress(seat, name, colour))]
            case msg.Stand(seat=seat):
                self._need_seat(actor, seat)
                return [e.Stood(seat)]
            case msg.Vacate(seat=seat):
                self._need_host(actor, seat)
                return [e.Stood(seat, freed=True)]
            case msg.Appoint(seat=seat, driver=driver):
                self._need_host(actor, seat)
                try:
                    return [e.Appointed(seat, allowed_driver(driver))]
                except DriverError as error:
                    raise RefusedError(str(error), status=400) from None
            case msg.ShutOut(seat=seat):
                self._need_seat(actor, seat)
                return [e.ShutOut(seat)]
            case msg.HandOn(seat=seat, at=at):
                self._need_host(actor, seat)
                self._need_fresh(at, self.changed)
                if seat not in self.persons:
                    raise RefusedError(say("nobody sits there who could be the host"))
                return [e.HandedOn(seat)]
            case msg.VoidLinks():
                if not actor.host:
                    raise RefusedError(say("only the host may do that"), status=403)
                return [e.Voided()]
            case msg.Agree() | msg.Decline():
                return self._decide_wish(actor, command, moment)
            case msg.Ban() | msg.CloseTable() | msg.EraseSaying() | msg.EraseWords():
                return self._decide_order(actor, command)

    def _decide_order(self, actor: Actor, command: msg.Order) -> list[e.AnyEvent]:
        """What keeps order at a table; most of it is the host's."""
        if isinstance(command, msg.EraseSaying):
            return self._decide_strike(actor, command.number)
        if not actor.host:
            raise RefusedError(say("only the host may do that"), status=403)
        self._need_fresh(command.at, self.changed)
        match command:
            case msg.Ban(seat=seat):
                if seat not in self.persons:
                    raise RefusedError(say("no person sits there"))
                if seat in actor.seats:
                    raise RefusedError(say("you sit there yourself"))
                return [e.Banned(seat)]
            case msg.CloseTable():
                return [e.Closed("host")]
            case msg.EraseWords():
                if not (self.may_be_renamed or self.closed):
                    raise RefusedError(say("while a game is on its names and words stay: close the table first"))
                if self.blanked:
                    raise RefusedError(say("all names and words are erased already"))
                return [e.Blanked()]

    def _decide_strike(self, actor: Actor, number: int) -> list[e.AnyEvent]:
        self._need_place(actor)
        if number not in self._sayers:
            raise RefusedError(say("nothing was said there that could be erased"), status=404)
        if not (actor.host or self._sayers[number] == actor.holder):
            raise RefusedError(say("only the host may do that, or whoever said it"), status=403)
        return [e.Struck(number, min(actor.seats, default=None))]

    def wish(self, seat: int, holder: str, name: str, moment: Moment = UNTOLD) -> list[e.AnyEvent]:
        """Somebody asks to take over a seat that a stand-in drives in this race."""
        self.need_open()
        self.need_room_in_log(RESERVED)
        _need_legible(name)
        if not 0 <= seat < len(self.chairs):
            raise RefusedError(say("there is no seat {seat} at this table", seat=seat), status=404)
        if seat not in self.kept:
            raise RefusedError(say("that seat was not freed in this race"))
        if seat in self.admission.wishes and seat not in moment.unasked:
            raise RefusedError(say("somebody has asked for this chariot already"))
        self._need_two(moment)
        return [e.Wished(seat, holder, name)]

    def _need_two(self, moment: Moment) -> None:
        """Nobody agrees with himself: whoever freed a seat could ask for it with another browser.

        Of two persons who agree at least one did not free it, and at least one does not ask.
        """
        if moment.alone or not self.persons:
            raise RefusedError(
                say("at least two people at the table have to agree to that: wait for the end of the race")
            )

    def _decide_wish(self, actor: Actor, command: msg.Agree | msg.Decline, moment: Moment) -> list[e.AnyEvent]:
        seat = command.seat
        mine = actor.seats & self.persons
        if not mine:
            raise RefusedError(say("only those who sit at the table may do that"), status=403)
        wish = self.admission.wishes.get(seat)
        if wish is None or wish.number != command.wish:  # or somebody else asks by now
            raise RefusedError(say("nobody asks for that chariot"))
        if isinstance(command, msg.Decline):
            return [e.Declined(seat, min(mine))]
        if seat in moment.unasked:  # then the seat would be taken, and nobody would have it
            raise RefusedError(say("nobody asks for that chariot"))
        self._need_two(moment)  # somebody may have left since it was asked
        agreed = e.Agreed(seat, tuple(sorted(mine)))
        if self.persons <= wish.agreed | mine:
            return [agreed, e.Sat(seat, self.chairs[seat].name, self.chairs[seat].colour, "agreed")]
        if mine <= wish.agreed:
            raise RefusedError(say("you have agreed already"))
        return [agreed]

    def _decide_move(self, actor: Actor, command: msg.MakeMove) -> list[e.AnyEvent]:
        self._need_seat(actor, command.seat)
        self._need_fresh(command.at, self.asked_since(command.seat))
        if self.paused:
            raise RefusedError(say("the race is paused"))
        if (asked := self.asked(command.seat)) is None:
            raise RefusedError(say("it is not your turn"))
        chariot, race = asked
        move = self.judged(command.move, race)
        if self.on_turn == command.seat:
            return self.moved(command.seat, move, "person")
        return [e.Chosen(command.seat, chariot, msg.move_to(move))]

    def judged(self, move: msg.Move, race: Race) -> m.Move:
        """A move that whoever is on turn in a race may make, or the reason why he may not."""
        try:
            meant = msg.move_from(move)
            if refused := race.why_not(meant):
                raise RefusedError(refused.reason, clause=refused.clause, pile=refused.pile)
        except m.InvalidMove as error:
            raise RefusedError(str(error), status=400) from None
        return meant

    def moved(self, seat: int | None, move: m.Move, by: e.By) -> list[e.AnyEvent]:
        """A legal move, and what others have answered before they were asked.

        Where it ends the race, its secret is opened and the next one's cards are sealed with it.
        """
        after = self.game_table.race.copy()
        try:
            after.play(move)
        except IllegalMove as error:
            raise RefusedError(error.reason, clause=error.clause) from None
        rigs = self.game_table.rigs
        given = [
            e.Moved(rigs[chariot].seat, msg.move_to(choice), "person")
            for chariot, choice in answered(after, self.chosen)
        ]
        return [e.Moved(seat, msg.move_to(move), by), *given, *(self._unsealed() if after.over else [])]

    def _unsealed(self) -> list[e.AnyEvent]:
        """The end of a race: everybody learns its secret, and the next one's is drawn."""
        return [e.Unsealed(self.seals[-1].secret), seal_for(self.plan)]

    def _decide_share(self, actor: Actor, share: str) -> list[e.AnyEvent]:
        if not actor.seats:  # a share is somebody's whom all can see at the table
            raise RefusedError(say("only those who sit at the table may do that"), status=403)
        if self.sealed is None:
            raise RefusedError(say("the cards are dealt already"))
        if self.plan.lesson:
            raise RefusedError(say("the cards of a lesson are the same for everybody"))
        if self.has_shared(actor.seats, actor.holder):
            raise RefusedError(say("you have added your share already"))
        seat = self._shares_for(actor)
        if seat is None:
            raise RefusedError(say("no more shares can be added to this deal"))
        return [e.Shaken(actor.holder, share, seat)]

    def has_shared(self, seats: frozenset[int], holder: str) -> bool:
        """Whether somebody has added his share: one for a sitting, with whichever keys or devices."""
        given = [share for share in self.shares if not share.left]
        return any(share.holder == holder for share in given) or seats <= {share.seat for share in given}

    def _shares_for(self, actor: Actor) -> int | None:
        """The seat for which somebody may add a share: each has so many that nobody uses up what is left for others."""
        full, given = MOST_SHARES // (MOST_CHARIOTS + 1), Counter(share.seat for share in self.shares)
        now = {share.seat for share in self.shares if not share.left}
        seats = [seat for seat in sorted(actor.seats - now) if given[seat] < full]
        return seats[0] if seats and len(self.shares) < MOST_SHARES else None

    def _decide_begin(self, actor: Actor, command: msg.Begin, moment: Moment) -> list[e.AnyEvent]:
        self._need_place(actor)
        self._need_fresh(command.at, self.changed)
        if self.phase == "racing":
            raise RefusedError(say("the race has begun already"))
        if self.stopped:
            raise StoppedError
        if self.phase == "gathering":
            if not actor.host:
                raise RefusedError(say("the host begins the first race"), status=403)
            free = [number + 1 for number, chair in enumerate(self.chairs) if chair.free]
            if free:
                raise RefusedError(
                    counted(
                        len(free),
                        "seat {seats} is still free: wait for your friends, or let drivers of the computer's sit there",
                        "seats {seats} are still free: wait for your friends, "
                        "or let drivers of the computer's sit there",
                        seats=narration.listed(free),
                    )
                )
        shared = self.plan.lesson or self.has_shared(actor.seats, actor.holder)
        takes_one = not shared and self._shares_for(actor) is not None
        share = self._decide_share(actor, command.share) if command.share is not None and takes_one else []
        if self.phase == "gathering" or self.begins(actor.seats, actor.host, moment):
            return [*share, e.Begun()]
        if fresh := (actor.seats & self.persons) - self.ready:
            return [*share, e.Readied(tuple(sorted(fresh)))]
        waits = [self.chairs[seat].name for seat in sorted(self.waits(moment.away))]
        raise RefusedError(say("the race waits for {names}", names=narration.listed(waits)))

    def sit(
        self,
        seat: int | None,
        name: str | None,
        colour: str | None,
        left: frozenset[int] = frozenset(),
        own: frozenset[int] = frozenset(),
    ) -> list[e.AnyEvent]:
        """Somebody takes a free seat, that one or the first.

        `left` are those that he himself left in this race, `own` those that he has.
        """
        self.need_open()
        self.need_room_in_log(RESERVED)
        free = [number for number, chair in enumerate(self.chairs) if chair.free]
        kept = self.kept - left
        if seat is None:
            if not free:
                raise RefusedError(say("all seats are taken"))
            seat = next((number for number in free if number not in kept), free[0])
        if not 0 <= seat < len(self.chairs):
            raise RefusedError(say("there is no seat {seat} at this table", seat=seat), status=404)
        if seat not in free:
            raise RefusedError(say("that seat is taken"))
        if seat in kept:
            raise RefusedError(
                say("a stand-in drives this chariot to the end of the race: ask the others to let you take over now")
            )
        chair, besides = self.chairs[seat], min(own, default=None)
        how: e.How = "back" if seat in self.kept else "free"
        if not self.may_be_renamed:  # chariots keep their names to the end
            return [e.Sat(seat, chair.name, chair.colour, how, besides)]
        return [e.Sat(seat, *self._dress(seat, name or chair.name, colour or chair.colour), how, besides)]

    def _dress(self, seat: int, name: str, colour: str) -> tuple[str, str]:
        others = [chair for number, chair in enumerate(self.chairs) if number != seat]
        if name != self.chairs[seat].name:
            _need_legible(name)
        if any(likeness(chair.name) == likeness(name) for chair in others):
            raise RefusedError(say("somebody else is called {name}", name=name))
        if any(chair.colour == colour for chair in others):
            raise RefusedError(say("somebody else drives {colour}", colour=say(colour, "a chariot's colour")))
        return name, colour

    # ------------------------------------------------------------------ who may

    def need_room_in_log(self, reserved: int = 0) -> None:
        """Logs do not grow without end; but a race that was begun can be driven to its own."""
        if self.number >= MOST_EVENTS - reserved:
            raise RefusedError(say("this table has seen enough: lay a new one"))

    def _need_fresh(self, at: int, since: int) -> None:
        if at < since:
            raise RefusedError(say("the table has moved on since then: look again"))
        if at > self.number:
            raise RefusedError(say("that has not happened yet"), status=400)

    def need_open(self) -> None:
        """A table that is closed can only be looked at."""
        if self.closed:
            raise RefusedError(say("this table is closed"))

    def _need_place(self, actor: Actor) -> None:
        if not (actor.seats or actor.host):
            raise RefusedError(say("only those who sit at the table may do that"), status=403)

    def _need_seat(self, actor: Actor, seat: int) -> None:
        if seat not in actor.seats or seat >= len(self.chairs):
            raise RefusedError(say("that is not your seat"), status=403)

    def _need_host(self, actor: Actor, seat: int) -> None:
        if not actor.host:
            raise RefusedError(say("only the host may do that"), status=403)
        if seat >= len(self.chairs):
            raise RefusedError(say("there is no seat {seat} at this table", seat=seat), status=404)


def _erased() -> str:
    return say("(erased)")


def _of_device(event: e.Linked | e.Opened, names: Sequence[str]) -> str:
    """A link for another device was made or opened; whether its holder is host then is said too."""
    many, name = len(names), narration.listed(names)
    match event:
        case e.Linked(host=True):
            return counted(
                many,
                "{name} has made a link for another device, which will have the host's rights too.",
                "{name} have made a link for another device, which will have the host's rights too.",
                name=name,
            )
        case e.Linked():
            return counted(
                many,
                "{name} has made a link for another device.",
                "{name} have made a link for another device.",
                name=name,
            )
        case e.Opened(host=True):
            return counted(
                many,
                "{name} now drives from one more device, which has the host's rights too.",
                "{name} now drive from one more device, which has the host's rights too.",
                name=name,
            )
        case _:
            return counted(
                many,
                "{name} now drives from one more device.",
                "{name} now drive from one more device.",
                name=name,
            )


def _need_legible(text: str) -> None:
    if fault := fault_in(text):
        raise RefusedError(fault, status=400)


def seal_for(plan: NewTable) -> e.Sealed:
    """A secret for the next cards of a table."""
    return lesson.seal() if plan.lesson else new_seal()


def new_seal() -> e.Sealed:
    """A secret for the next cards, of the operating system's randomness."""
    secret = new_secret()
    return e.Sealed(commitment_of(secret), secret.hex())


def _chair(seat: SeatPlan) -> Chair:
    return Chair(seat.kind, seat.name, str(seat.colour), seat.driver, seat.kind != "friend")
