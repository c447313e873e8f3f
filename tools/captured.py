"""What the program says and does, captured to files: before a great change and after it, to be compared byte for byte.

    python tools/captured.py take build/before --checkout ../older      capture another checkout
    python tools/captured.py take build/after                           capture this one
    python tools/captured.py compare build/before build/after           what differs; status 1 if anything does
    python tools/captured.py take build/after --only commands,races     some parts

The parts: `commands` (what the shell prints: editions, rules, courses, drawings, the schema), `experiments` (simulate
and arena, 50 seeds in each edition), `pages` (the OpenAPI document, menu and rules in every language, courses and their
pictures), `races` (all that a socket tells of a whole race, in each edition and language, and its record, chronicle
and poster), `golden` (playthroughs and perft counts). Only faces that outsiders use are asked, so that any release can
be captured. Chance is pinned by the luck.py of the checkout's own tests; times, keys and names of tables are blanked.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import httpx2
from rich.progress import track
from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parent.parent
EDITIONS = ("ravensburger", "pro-ludo", "thibault", "fiche", "riassunto", "ausgebremst")
LANGUAGES = ("en", "it", "fr", "de", "la")
COURSES = ("white", "blue", "yellow", "red")
DIRECTIONS = ("clockwise", "anticlockwise")
SEEDS = 50
TABLES = (("here", "scorpus", "festina", "bibulus"), ("here", "here", "greedy"), ("here", "scorpus"))
FIELDS = (["sibylla@4", "scorpus", "festina", "bibulus", "greedy"], ["random"], ["greedy", "scorpus"])
SINCE_1970 = 1e9  # any larger number is a time of day
SHOWN = 5  # differences of a file in the report
PATIENCE = 600.0  # seconds

Capture = Callable[[Path, Path], None]


# ---------------------------------------------------------------------- the shell


def shell_commands() -> Iterator[tuple[str, list[str]]]:
    """Names of files, and the commands whose output they get."""
    yield from ((name, [name]) for name in ("editions", "rules", "drivers"))
    yield "schema", ["record", "schema"]
    yield "courses", ["course", "list"]
    yield from ((f"board-{board}-check", ["course", "check", board]) for board in ("A", "B"))
    for course in COURSES:
        for direction in DIRECTIONS:
            for what in ("export", "show", "svg"):
                yield f"{course}-{direction}-{what}", ["course", what, course, "--direction", direction]


def experiments(journals: Path) -> Iterator[tuple[str, list[str]]]:
    """The same for experiments: few races each, of many kinds."""
    for number, edition in enumerate(EDITIONS):
        for seed in range(SEEDS):
            course, direction = COURSES[(number + seed) % 4], DIRECTIONS[seed % 2]
            where = ["--edition", edition, "--course", course, "--direction", direction, "--seed", str(seed)]
            chariots = 2 + (seed + number) % 4
            count = ["--chariots", str(chariots), "--jobs", "1", "--json"]
            field = FIELDS[seed % len(FIELDS)][:chariots]
            races = "4" if "sibylla@4" in field else "40"
            drivers = ["--races", races, "--drivers", ",".join(field), "--rotate"]
            yield f"{edition}-{seed}-simulate", ["simulate", *drivers, *where, *count]
            save = ["--save", str(journals / f"{edition}-{seed}")]
            drivers = ["scorpus", "greedy", "random", "--races", "8"]
            yield f"{edition}-{seed}-arena", ["arena", *drivers, *where, *count, *save]


def capture_commands(checkout: Path, folder: Path) -> None:
    """What the shell prints."""
    _run_inside(checkout, "commands", folder)


def capture_experiments(checkout: Path, folder: Path) -> None:
    """What simulate and arena find out."""
    _run_inside(checkout, "experiments", folder)


def _run_inside(checkout: Path, part: str, folder: Path) -> None:
    """Some hundred commands in one process that has the other checkout's package."""
    command = [sys.executable, __file__, "inside", part, str(folder)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(checkout / "src")}, check=True)


def print_commands(part: str, folder: Path) -> None:
    """In the process that has the package: run each command, and keep what it prints."""
    from avecaesar.cli import main

    with tempfile.TemporaryDirectory() as journals:
        listed = list(shell_commands() if part == "commands" else experiments(Path(journals)))
        for name, words in track(listed, part):
            printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
            with redirect_stdout(printed):
                status = main(words)
            told = printed.buffer.getvalue().decode().replace(journals, "")  # type: ignore[attr-defined]
            (folder / f"{name}.txt").write_text(f"{told}\n[exit status {status or 0}]\n", encoding="utf-8")


# ---------------------------------------------------------------------- the server


class Server:
    """A checkout's server with pinned luck, and what is asked of it."""

    def __init__(self, address: str, luck: Path) -> None:
        self.address, self.luck = address, luck
        self.client = httpx2.Client(base_url=address, timeout=PATIENCE, trust_env=False)

    def get(self, path: str, language: str = "en", key: str | None = None) -> httpx2.Response:
        headers = {"Accept-Language": language} | ({"Authorization": f"Bearer {key}"} if key else {})
        answer = self.client.get(path, headers=headers)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        return answer

    def lay(self, **plan: Any) -> dict[str, Any]:
        answer = self.client.post("/api/tables", json=plan)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())


@contextmanager
def served(checkout: Path, data: Path | None = None) -> Iterator[Server]:
    """A server of a checkout, on a free port, with a data file of its own unless one is named."""
    [luck_module] = [*checkout.glob("tests/luck.py"), *checkout.glob("tests/support/luck.py")]
    with tempfile.TemporaryDirectory() as folder:
        luck = Path(folder) / "luck"
        luck.touch()
        environment = {
            **os.environ,
            "PYTHONPATH": f"{checkout / 'src'}{os.pathsep}{luck_module.parent}",
            "AVECAESAR_TEST_LUCK": str(luck),
            "AVECAESAR_TEST_BOUNDLESS": "1",
        }
        command = [sys.executable, str(luck_module), "serve", "--port", "0"]
        command += ["--data", str(data or Path(folder) / "captured.db")]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r"served at http://localhost:(\d+)", process.stdout.readline())
            assert found, "the server does not start"
            yield Server(f"http://127.0.0.1:{found[1]}", luck)
        finally:
            process.terminate()
            process.communicate()


def capture_pages(checkout: Path, folder: Path) -> None:
    """What the server tells whoever asks."""
    with served(checkout) as server:
        document = server.get("/api/openapi.json").json()
        (folder / "openapi.json").write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8")
        for course in COURSES:
            for direction in DIRECTIONS:
                path = f"/api/courses/{course}/{direction}"
                (folder / f"{course}-{direction}.json").write_text(_in_lines(server.get(path).json(), {}))
                (folder / f"{course}-{direction}.svg").write_bytes(server.get(f"{path}/picture.svg").content)
        for language in LANGUAGES:
            menu = server.get("/api/menu", language).json()
            (folder / f"menu-{language}.json").write_text(_in_lines(menu, {}), encoding="utf-8")
            for edition in EDITIONS:
                rules = server.get(f"/api/rules/{edition}", language).json()
                (folder / f"rules-{edition}-{language}.json").write_text(_in_lines(rules, {}), encoding="utf-8")


def capture_races(checkout: Path, folder: Path) -> None:
    """Whole races at a table, as a socket tells them, and what is left of them."""
    with served(checkout) as server:
        cells = [(edition, language) for edition in EDITIONS for language in LANGUAGES]
        for number, (edition, language) in enumerate(track(cells, "races")):
            server.luck.write_text(f"{edition} {language}")
            seats = [
                {"kind": "here"} if who == "here" else {"kind": "driver", "driver": who}
                for who in TABLES[number % len(TABLES)]
            ]
            course = COURSES[number % 4]
            laid = server.lay(seats=seats, pace=0, edition=edition, course=course, title="Captured")
            blanked = {laid["table"]: "TABLE", laid["token"]: "KEY"}
            heard = _raced(server, laid, language)
            lines = "".join(_in_lines(message, blanked) for message in heard)
            (folder / f"{edition}-{language}.jsonl").write_text(lines, encoding="utf-8")
            _keep_replay(server, laid, language, blanked, folder / f"{edition}-{language}")


def _raced(server: Server, laid: dict[str, Any], language: str) -> list[Any]:
    """Everything that the socket tells to the end of the race; whoever drives does many kinds of things."""
    with joined(server, laid, language) as socket:
        return Driver(socket).drive()


def joined(server: Server, laid: dict[str, Any], language: str = "en") -> ClientConnection:
    """A socket to a table, with the key of whoever laid it."""
    address = f"ws{server.address[4:]}/api/tables/{laid['table']}/socket?lang={language}"
    headers = {"Authorization": f"Bearer {laid['token']}"}
    return connect(address, additional_headers=headers, max_size=None, compression=None, proxy=None)


class Driver:
    """Somebody on a socket: begins, asks why, says something, pauses, lifts curtains and plays by turns."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._heard: list[Any] = []
        self.table: dict[str, Any] = {}
        self._asked = 0

    def drive(self) -> list[Any]:
        """From the beginning of a race to its end; all that was heard."""
        self.hear("whole")
        self.do("begin", at=self.table["changed"])
        self.race()
        return self._heard

    def race(self, decisions: int = 10_000) -> None:
        """So many decisions of one's own, or to the end of the race."""
        last = self._asked + decisions
        while self.table["phase"] == "racing" and self._asked < last:
            if (seat := self.table["curtain"]) is not None:
                self.do("lift", seat=seat)
            elif (question := self.table["question"]) and not question["ahead"]:  # or it would depend on who is faster
                self._answer(question)
            else:
                self.hear("news")

    def _answer(self, question: dict[str, Any]) -> None:
        offers, eyes = question["offers"], self.table["eyes"]
        number = len(self._heard)
        if self._asked == 3:
            self.do("say", phrase="ave")
            self.do("pause")
            self.do("resume")
        if self._asked % 4 == 0:
            self.do("why", seat=eyes, move={"kind": "play", "card": 6, "to": (7 * self._asked) % 30})
        self._asked += 1
        self.do("move", at=self.table["changed"], seat=eyes, move=offers[number % len(offers)]["move"])

    def do(self, do: str, **fields: Any) -> None:
        """A command, until it is answered and its news have come."""
        command = f"{do}-{len(self._heard)}"
        self._socket.send(json.dumps({"do": do, "id": command, **fields}))
        while (message := self.hear()).get("id") != command:
            pass
        while message["is"] == "done" and self.table["number"] < message["number"]:
            self.hear("news")

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message, or the next of these kinds."""
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(timeout=PATIENCE))
            self._heard.append(message)
            self.table = message.get("table", self.table)
            if not kinds or message["is"] in kinds:
                return message


def _keep_replay(server: Server, laid: dict[str, Any], language: str, blanked: dict[str, str], stem: Path) -> None:
    """Record, replay, chronicle and poster of the race that is over."""
    record = server.get(f"/api/tables/{laid['table']}/record", key=laid["token"]).text
    posted = server.client.post("/api/records", content=record, headers={"Content-Type": "application/json"})
    assert posted.status_code in (200, 201), posted.text
    replay = f"/api/replays/{posted.json()['replay']}"
    blanked = {**blanked, posted.json()["replay"]: "REPLAY"}
    stem.with_suffix(".race.json").write_text(record, encoding="utf-8")
    for name, path in (("film", "/races/0"), ("chronicle", "/races/0/chronicle")):
        told = server.get(f"{replay}{path}", language).json()
        stem.with_name(f"{stem.name}-{name}.json").write_text(_in_lines(told, blanked), encoding="utf-8")
    poster = server.get(f"{replay}/races/0/poster.svg", language).text
    for word, name in blanked.items():
        poster = poster.replace(word, name)
    stem.with_name(f"{stem.name}-poster.svg").write_text(poster, encoding="utf-8")


def _in_lines(message: Any, blanked: dict[str, str]) -> str:
    """A message, readable and without what is different each time."""
    text = json.dumps(_timeless(message), indent=1, ensure_ascii=False, sort_keys=True)
    for word, name in blanked.items():
        text = text.replace(word, name)
    return f"{text}\n"


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_timeless(each) for each in value]
    return 0 if isinstance(value, int | float) and value > SINCE_1970 else value


def capture_golden(checkout: Path, folder: Path) -> None:
    """The playthroughs and perft counts that its tests hold it to."""
    for file in sorted((checkout / "tests" / "golden").rglob("*")):
        if file.is_file():
            shutil.copy(file, folder / "-".join(file.relative_to(checkout / "tests" / "golden").parts))


PARTS: dict[str, Capture] = {
    "commands": capture_commands,
    "experiments": capture_experiments,
    "pages": capture_pages,
    "races": capture_races,
    "golden": capture_golden,
}


# ---------------------------------------------------------------------- comparing


def compare(before: Path, after: Path) -> int:
    """Print what differs; how many files do."""
    one, other = _digests(before), _digests(after)
    for name in sorted(one.keys() - other.keys()):
        print(f"only before: {name}")
    for name in sorted(other.keys() - one.keys()):
        print(f"only after: {name}")
    changed = [name for name in sorted(one.keys() & other.keys()) if one[name] != other[name]]
    for name in changed:
        print(f"different: {name}")
        for line in _differences(before / name, after / name):
            print(f"    {line}")
    different = len(changed) + len(one.keys() ^ other.keys())
    print(f"{len(one.keys() & other.keys()) - len(changed)} files are the same, {different} are not")
    return different


def _digests(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _differences(before: Path, after: Path) -> list[str]:
    texts = [file.read_text(encoding="utf-8").splitlines() for file in (before, after)]
    lines = [line for line in difflib.unified_diff(*texts, n=0, lineterm="") if line[:1] in "+-"][2:]
    return [line[:200] for line in lines[:SHOWN]]


def main() -> int:
    """Capture or compare; returns the exit status."""
    if sys.argv[1:2] == ["inside"]:
        print_commands(sys.argv[2], Path(sys.argv[3]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    take = commands.add_parser("take", help="capture a checkout")
    take.add_argument("folder", type=Path)
    take.add_argument("--checkout", type=Path, default=ROOT, help="of any release (default: this one)")
    take.add_argument("--only", default=",".join(PARTS), help="some parts, separated by commas")
    against = commands.add_parser("compare", help="two captures")
    against.add_argument("before", type=Path)
    against.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.command == "compare":
        return 1 if compare(options.before, options.after) else 0
    wanted = options.only.split(",")
    if unknown := [part for part in wanted if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    for part in wanted:
        folder = options.folder.resolve() / part
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        PARTS[part](options.checkout.resolve(), folder)
        print(f"{part}: {sum(file.is_file() for file in folder.iterdir())} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
