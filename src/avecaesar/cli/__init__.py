"""The command line: `avecaesar --help` teaches it. Each command has a module of its own, loaded when it is called.

Exit status: 0 done, 2 bad input (one clear line on stderr), 1 what went wrong outside. Never a traceback.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from avecaesar import __version__
from avecaesar.cli.words import Parser, examples
from avecaesar.errors import BadInput, plain

COMMANDS = {
    "play": "race in the terminal, against the computer or with friends",
    "serve": "race in the browser, alone or with friends; a server for one table or for many",
    "tables": "for who runs a server: list its tables, close or erase them, ban people",
    "key": "for who runs a server: the keys to the sealed cards of running races",
    "replay": "watch a recorded race again",
    "rules": "any clause of the rules in words",
    "editions": "what each edition sets, and how two differ",
    "drivers": "who drives for the computer, and how to write your own",
    "simulate": "run many races and count what comes of them",
    "arena": "drivers against each other on the same deals, with ratings",
    "verify": "referee recorded races again",
    "record": "records: their schema, and as texts for people and back",
    "course": "look at boards and courses, check your own",
}


def parser(chosen: str | None = None) -> argparse.ArgumentParser:
    """The command line: all commands by name, and of the chosen one (or of each, if none is) the arguments too."""
    top = Parser(
        prog="avecaesar",
        description="Ave Caesar: the chariot race. An unofficial implementation, on boards of our own.",
        epilog=examples(
            "avecaesar play                         a race, now",
            "avecaesar serve --open                 the same in the browser",
            "avecaesar rules SIX-4                  what a clause says",
            "avecaesar course show white            a map of a course",
            "avecaesar simulate --races 10000       what drivers and rules are worth",
            "avecaesar COMMAND --help               more about a command",
        ),
    )
    top.add_argument("--version", action="version", version=f"avecaesar {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    for name, words in COMMANDS.items():
        command = commands.add_parser(name, help=words)
        if chosen in (None, name):
            import_module(f"avecaesar.cli.{name}").define(command)
    return top


def read(words: Sequence[str]) -> argparse.Namespace:
    """What was typed. What no command knows is told with that command's own help."""
    options, unknown = parser(words[0] if words and words[0] in COMMANDS else "").parse_known_args(words)
    if unknown:
        options.parser.error(f"it knows no {' '.join(unknown)}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character still shows the rest
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        options = read(words)
        status: int | None = options.run(options)
        sys.stdout.flush()
    except BadInput as error:
        return _complain(str(error), 2)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError) as error:
        return _complain(f"{error.filename}: it cannot be written: {error.strerror}", 2)  # a place that was named
    except OSError as error:
        return _complain(f"{error.filename or 'output'}: {error.strerror}", 1)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    return status or 0


def _complain(problem: str, status: int) -> int:
    print(f"avecaesar: {plain(problem)}", file=sys.stderr)
    return status
