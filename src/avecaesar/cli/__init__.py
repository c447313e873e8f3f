"""The command line: `avecaesar --help` teaches it. Each subcommand has a module of its own.

Exit status: 0 done, 2 bad input (one clear line on stderr), 1 what went wrong outside. Never a traceback.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from avecaesar import __version__
from avecaesar.cli import course, play, record, replay, rules, simulate, verify
from avecaesar.courses import BoardError
from avecaesar.players import DriverError
from avecaesar.records import RecordError, plain
from avecaesar.rules import RulesError


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where help is."""

    def error(self, message: str) -> NoReturn:
        """Bad arguments."""
        self.exit(2, f"{self.prog}: {message.splitlines()[0]} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = Parser(
        prog="avecaesar",
        description="Ave Caesar: the chariot race. An unofficial implementation, on boards of our own.",
        epilog="Begin with: avecaesar play    or look at a board: avecaesar course show white",
    )
    top.add_argument("--version", action="version", version=f"avecaesar {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    play.add_to(commands)
    replay.add_to(commands)
    rules.add_to(commands)
    verify.add_to(commands)
    record.add_to(commands)
    simulate.add_to(commands)
    course.add_to(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character still shows the rest
    options = parser().parse_args(arguments)
    try:
        status: int | None = options.run(options)
        sys.stdout.flush()
    except (BoardError, DriverError, RecordError, RulesError) as error:
        return _complain(str(error), 2)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(f"{error.filename or 'output'}: {error.strerror}", 1)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    return status or 0


def _complain(problem: str, status: int) -> int:
    print(f"avecaesar: {plain(problem, 5000)}", file=sys.stderr)
    return status
