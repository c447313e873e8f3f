"""What an older release leaves behind on disk, and whether this one goes on with it.

    python tools/inherited.py leave build/of-0.6 --checkout ../older    a thousand records, and tables in every state
    python tools/inherited.py take-over build/of-0.6                    verify the records, open the tables and race on

Tables are left gathering, in the middle of a race, resting, between the races of a tournament, at their end, in a
lesson, and in Ausgebremst while decks are chosen and sorted, in every edition. Taken over, each of them is raced to its
end by whoever had its key, and the record of it is verified. Status 1 if anything is refused.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.progress import track

from avecaesar.records import RecordError, from_json, read_record, referee
from captured import EDITIONS, ROOT, Driver, Server, joined, served

RECORDS = 1_000
COURSES = {2: "white", 3: "blue", 4: "white", 5: "yellow", 6: "red"}
DRIVERS = ("scorpus", "greedy", "random")
KEPT = "tables.json"


def left_tables() -> Iterator[tuple[str, int, dict[str, Any]]]:
    """What is done at each table before it is left, with how many decisions, and what it is to be."""
    for edition in EDITIONS:
        seats = [{"kind": "here"}, {"kind": "here"}, {"kind": "driver", "driver": "scorpus"}]
        for state, decisions in (("gathering", 0), ("racing", 1), ("racing", 9), ("resting", 5), ("over", 10_000)):
            yield state, decisions, {"edition": edition, "seats": seats, "pace": 0}
        yield "between races", 10_000, {"edition": edition, "seats": seats, "pace": 0, "tournament": True}
        votes = {"riderless": "extra", "riderless_count": "1", "riderless_moves": "vote"}
        yield "racing", 2, {"edition": edition, "seats": seats, "pace": 0, "options": votes}
    yield "racing", 3, {"lesson": True, "seats": [{"kind": "here"}]}


def leave(folder: Path, checkout: Path) -> None:
    """Let a release race, and keep what it wrote."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "records").mkdir(parents=True)
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    per_edition = -(-RECORDS // len(EDITIONS))
    for number, edition in enumerate(track(EDITIONS, "records")):
        chariots = 2 + number % 5
        words = ["simulate", "--races", str(per_edition), "--edition", edition, "--course", COURSES[chariots]]
        words += ["--chariots", str(chariots), "--drivers", ",".join(DRIVERS[:chariots]), "--seed", str(number)]
        words += ["--record", str(folder / "records" / edition), "--jobs", "1", "--json"]
        command = [sys.executable, "-m", "avecaesar", *words]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    kept = []
    with served(checkout, folder / "tables.db") as server:
        for state, decisions, plan in track(list(left_tables()), "tables"):
            answer = server.client.post("/api/tables", json=plan)
            if answer.status_code == 400:
                continue  # this edition has no such option
            laid = answer.json()
            with joined(server, laid) as socket:
                _leave_in(Driver(socket), state, decisions)
            kept.append({"state": state, "table": laid["table"], "token": laid["token"]})
    (folder / KEPT).write_text(json.dumps(kept, indent=1), encoding="utf-8")
    print(f"{sum(1 for _ in (folder / 'records').rglob('*.race.json'))} records and {len(kept)} tables")


def _leave_in(driver: Driver, state: str, decisions: int) -> None:
    driver.hear("whole")
    if state == "gathering":
        return
    driver.do("begin", at=driver.table["changed"])
    driver.race(decisions)
    if state == "resting" and driver.table["phase"] == "racing":
        driver.do("pause")


def take_over(folder: Path) -> int:
    """How many records and tables this release refuses."""
    files = sorted((folder / "records").rglob("*.race.json"))
    refused = [f"{file.name}: {error}" for file in track(files, "records") if (error := _refused(file))]
    kept = json.loads((folder / KEPT).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as copy:
        for file in folder.glob("tables.[dk]*"):  # with the file of keys; the original stays as it was left
            shutil.copy(file, copy)
        with served(ROOT, Path(copy) / "tables.db") as server:
            for left in track(kept, "tables"):
                try:
                    _race_on(server, left)
                except Exception as error:
                    refused.append(f"table {left['table']} ({left['state']}): {type(error).__name__}: {error}")
    for line in refused:
        print(line)
    print(f"{len(files)} records and {len(kept)} tables, {len(refused)} of them refused")
    return len(refused)


def _refused(file: Path) -> str:
    try:
        referee(read_record(file))
    except RecordError as error:
        return str(error)
    return ""


def _race_on(server: Server, left: dict[str, Any]) -> None:
    """From wherever the table was left to the end of its races."""
    with joined(server, left) as socket:
        driver = Driver(socket)
        driver.hear("whole")
        if driver.table["paused"]:
            driver.do("resume")
        while driver.table["phase"] != "over":
            if driver.table["phase"] != "racing":
                driver.do("begin", at=driver.table["changed"])
            driver.race()
    record = server.get(f"/api/tables/{left['table']}/record", key=left["token"])
    referee(from_json(record.content))


def main() -> int:
    """Leave or take over; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    leaving = commands.add_parser("leave", help="let a checkout write records and tables")
    leaving.add_argument("folder", type=Path)
    leaving.add_argument("--checkout", type=Path, default=ROOT, help="of any release (default: this one)")
    taking = commands.add_parser("take-over", help="verify and race on with this checkout")
    taking.add_argument("folder", type=Path)
    options = parser.parse_args()
    if options.command == "leave":
        leave(options.folder.resolve(), options.checkout.resolve())
        return 0
    return 1 if take_over(options.folder.resolve()) else 0


if __name__ == "__main__":
    sys.exit(main())
