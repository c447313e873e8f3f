"""`avecaesar drivers`: who drives for the computer, and how one writes a driver of one's own."""

from __future__ import annotations

import argparse
import json

from avecaesar.cli.words import examples, paragraph
from avecaesar.drivers import CHARACTERS, Character
from avecaesar.drivers.characters import A_BUDGET
from avecaesar.drivers.searcher import PLAYOUTS

OWN = """\
  class Miser:
      def choose(self, view):
          return min(view.plays, key=lambda play: view.outlooks[play].wasted, default=view.legal_moves[0])"""


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "The computer's drivers by name, the easiest first: how well they drive and what they are like, how long one "
        "may think, and how to write one of your own."
    )
    parser.epilog = examples(
        "avecaesar drivers",
        "avecaesar drivers --json",
        "avecaesar play --against festina,scorpus,sibylla",
        "avecaesar arena scorpus sibylla@200 --against festina",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the text")
    parser.set_defaults(run=tell_drivers)


def tell_drivers(options: argparse.Namespace) -> None:
    """All of them."""
    if options.json:
        print(json.dumps({"drivers": [_as_json(character) for character in CHARACTERS.values()]}))
        return
    wide = max(map(len, CHARACTERS)) + 2
    for character in CHARACTERS.values():
        paragraph(f"{character.title}, {character.level}, {character.tells}.", " " * wide, f"{character.name:{wide}}")
    for character in CHARACTERS.values():
        if character.thinks:
            _tell_budget(character)
    print()
    paragraph(
        "A driver of your own is a class with choose(view), which answers with one of view.legal_moves. "
        "This one wastes as little as possible:"
    )
    print(f"\n{OWN}\n")
    paragraph("Saved as miser.py it is called miser.py:Miser in play, simulate and arena. docs/drivers.md tells more.")


def _tell_budget(character: Character) -> None:
    """How long a driver may think, and how that is written."""
    name = character.name
    print()
    paragraph(
        f"{character.title} thinks for {PLAYOUTS:,} playouts a move, or for a budget of yours after an @: {A_BUDGET}. "
        f"So {name}@5000 tries 5,000, {name}@2s thinks for two seconds, {name}@1s/2 for one on two cores."
    )


def _as_json(character: Character) -> dict[str, object]:
    return {
        "name": character.name,
        "title": character.title,
        "level": character.level,
        "tells": character.tells,
        "budget": character.thinks,
    }
