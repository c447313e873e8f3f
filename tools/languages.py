"""All that the server says to people, and how far it is translated: `tools/languages.py` writes every language's files
anew, with all texts in the order of the code; what is not translated yet is left empty there, and told here.

The texts are the literals in calls of `say` and `counted`, and those behind the few calls whose text is data (`DATA`).
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from avecaesar import validation_words
from avecaesar.courses import DIRECTIONS, boards
from avecaesar.drivers import CHARACTERS
from avecaesar.game.lineup import COLOURS
from avecaesar.game.refusal import HOME_SENTENCES, SENTENCES
from avecaesar.rules import DECKS, EDITIONS, VARIANTS, clauses, offered
from avecaesar.server.content import menu, replay
from avecaesar.server.http import gatekeeper
from avecaesar.server.tables import connection, news, projection
from avecaesar.speech import ENGLISH, LANGUAGES, key_of
from avecaesar.telling import narration, wording

PACKAGE = Path(__file__).parent.parent / "src" / "avecaesar"
OTHERS = tuple(language for language in LANGUAGES if language != ENGLISH)

_COURSES = [course for board in boards() for course in board.courses]
_TITLES = [edition.title for edition in EDITIONS.values()]
_MEANINGS = [option.meaning for option in offered().values()]
_LEVELS: list[str] = list(dict.fromkeys(character.level for character in CHARACTERS.values()))
_TELLS = [character.tells for character in CHARACTERS.values()]

# Calls whose text is not a literal: the expression, by module, and the texts that it can be.
DATA: dict[tuple[str, str], list[str]] = {
    ("courses/drawing/scenery.py", "self.board.title"): [board.title for board in boards()],
    ("game/refusal.py", "sentence"): [
        *(sentence for _, sentence in SENTENCES.values()),
        *HOME_SENTENCES.values(),
    ],
    ("server/content/replay.py", "ENDS[chariot.status]"): list(replay.ENDS.values()),
    ("server/content/replay.py", "races[0].course.name"): _COURSES,
    ("server/content/replay.py", "races[0].course.direction"): list(DIRECTIONS),
    ("server/tables/connection.py", "FAREWELLS[why]"): list(connection.FAREWELLS.values()),
    ("server/content/menu.py", "name"): list(VARIANTS),
    ("server/content/menu.py", "words"): list(menu.PHRASES.values()),
    ("server/content/menu.py", "edition.title"): _TITLES,
    ("server/content/menu.py", "OPTIONS[option].meaning"): _MEANINGS,
    ("server/content/menu.py", "option.meaning"): _MEANINGS,
    ("server/content/menu.py", "EXAMPLES[name]"): list(menu.EXAMPLES.values()),
    ("server/content/menu.py", "course.board.title"): [board.title for board in boards()],
    ("server/content/menu.py", "who.level"): _LEVELS,
    ("server/content/menu.py", "who.tells"): _TELLS,
    ("server/content/pictures.py", "course.board.title"): [board.title for board in boards()],
    ("server/content/poster.py", "chronicle.course"): _COURSES,
    ("validation_words.py", "wording"): [wording for _, wording in validation_words.WORDINGS],
    ("server/tables/decisions.py", "colour"): list(COLOURS),
    ("server/tables/news.py", "CLOSED[by]"): list(news.CLOSED.values()),
    ("server/content/rulebook.py", "EDITIONS[edition].title"): _TITLES,
    ("server/content/rulebook.py", "told.title"): _TITLES,
    ("server/content/rulebook.py", "OPTIONS[option].meaning"): _MEANINGS,
    ("server/content/rulebook.py", "option.meaning"): _MEANINGS,
    ("server/content/rulebook.py", "name"): list(VARIANTS),
    ("server/tables/projection.py", "ASKED[view.asks or 'turn']"): list(projection.ASKED.values()),
    ("server/http/socket.py", "FAREWELLS['closing']"): [connection.FAREWELLS["closing"]],
    ("telling/narration.py", "PLAYS[where]"): list(narration.PLAYS.values()),
    ("telling/narration.py", "sentence"): [*narration.DRAWS.values(), *narration.USES.values()],
    ("telling/narration.py", "UNUSED[kept, leads, turn.exchanged]"): list(narration.UNUSED.values()),
    ("telling/narration.py", "chariot.deck"): list(DECKS),
    ("telling/narration.py", "THE_DECK[deck]"): list(narration.THE_DECK.values()),
    ("telling/narration.py", "ORDINALS[place - 1]"): list(narration.ORDINALS),
    ("telling/narration.py", "FATES[told.status]"): list(narration.FATES.values()),
    ("telling/opening.py", "course.name"): _COURSES,
    ("telling/opening.py", "course.direction"): list(DIRECTIONS),
    ("telling/opening.py", "character.level"): _LEVELS,
    ("telling/opening.py", "character.tells"): _TELLS,
    ("telling/wording.py", "words"): [
        *(words for option in offered().values() for words in option.words.values()),
        *(words for words in wording.BRIEFLY.values() if words),
    ],
    ("telling/wording.py", "OPTIONS[option].meaning"): _MEANINGS,
}
PAIRS: dict[tuple[str, str], list[tuple[str, str]]] = {
    ("server/http/gatekeeper.py", "*TOO_MANY[what]"): list(gatekeeper.TOO_MANY.values()),
}


@dataclass(slots=True)
class Texts:
    """All texts by what catalogues call them, with the module that says them first."""

    said: dict[str, str] = field(default_factory=dict)
    counted: dict[str, tuple[str, str]] = field(default_factory=dict)  # the plural, with module and singular
    unknown: list[str] = field(default_factory=list)  # calls that cannot be read
    used: set[tuple[str, str]] = field(default_factory=set)  # of DATA and PAIRS


def texts() -> Texts:
    """Everything that is said."""
    found = Texts()
    for file in sorted(PACKAGE.rglob("*.py")):
        module = file.relative_to(PACKAGE).as_posix()
        if module == "speech.py":
            continue
        for call in _calls(ast.parse(file.read_text(encoding="utf-8"))):
            _take(found, module, call)
    return found


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return iter(sorted(calls, key=lambda call: (call.lineno, call.col_offset)))


def _take(found: Texts, module: str, call: ast.Call) -> None:
    assert isinstance(call.func, ast.Name)
    match call.func.id, [_literal(argument) for argument in call.args]:
        case "say", [str(text)]:
            found.said.setdefault(text, module)
        case "say", [str(text), str(sense)]:
            found.said.setdefault(key_of(text, sense), module)
        case "say", [None, *senses] if (behind := (module, ast.unparse(call.args[0]))) in DATA and None not in senses:
            found.used.add(behind)
            for text in DATA[behind]:
                found.said.setdefault(key_of(text, *(sense for sense in senses if sense)), module)
        case "counted", [_, str(one), str(many)]:
            found.counted.setdefault(many, (module, one))
        case "counted", [_, None] if (behind := (module, ast.unparse(call.args[1]))) in PAIRS:
            found.used.add(behind)
            for one, many in PAIRS[behind]:
                found.counted.setdefault(many, (module, one))
        case (("say" | "counted"), _):
            found.unknown.append(f"{module}:{call.lineno}: {ast.unparse(call)}")


def _literal(argument: ast.expr) -> str | None:
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


def placeholders(text: str) -> set[str]:
    """What is put into a text."""
    return set(re.findall(r"\{(\w*)\}", text))


# ---------------------------------------------------------------------- files


def catalogue_file(language: str) -> Path:
    """Where a language's texts are."""
    return PACKAGE / "languages" / f"{language}.toml"


def clauses_file(language: str) -> Path:
    """Where a language's clauses are."""
    return PACKAGE / "rules" / f"clauses.{language}.toml"


def read(file: Path) -> dict[str, dict[str, object]]:
    """A file of a language, as it is."""
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def catalogue_of(language: str, found: Texts) -> str:
    """The texts of a language with all that is translated, and room for the rest."""
    before = read(catalogue_file(language))
    said, counted = before.get("texts", {}), before.get("counted", {})
    lines = [
        f"# {LANGUAGES[language]}. English is on the left: translate on the right, and keep what stands in braces."
    ]
    lines += [
        "# What stands after ¦ only tells what is meant. A text that is the same in English goes into `same` as well.",
        "",
        "same = [",
        *(f"    {_quoted(str(text))}," for text in found.said if text in before.get("same", [])),
        "]",
        "",
        "[texts]",
    ]
    module = ""
    for text, where in found.said.items():
        lines += ["", f"# {where}"] if where != module else []
        module = where
        lines.append(f"{_quoted(text)} = {_quoted(str(said.get(text, '')))}")
    lines += ["", "# One thing, and several; English has them as the text on the left, and as the comment above it."]
    lines += ["[counted]", ""]
    for many, (_, one) in found.counted.items():
        forms = counted.get(many)
        first, second = forms if isinstance(forms, list) else ("", "")
        lines += [f"# {one}", f"{_quoted(many)} = [{_quoted(str(first))}, {_quoted(str(second))}]"]
    return "\n".join(lines) + "\n"


def clauses_of(language: str) -> str:
    """The clauses of a language with all that is translated, and room for the rest."""
    before = read(clauses_file(language))
    sections, own = before.get("sections", {}), before.get("clause", {})
    lines = [
        f"# The clauses of the rules: {LANGUAGES[language]}. The English ones are in clauses.toml.",
        "",
        "[sections]",
    ]
    lines += [f"{_quoted(section)} = {_quoted(str(sections.get(section, '')))}" for section in _sections()]
    for name, clause in clauses().items():
        told = own.get(name, {})
        assert isinstance(told, dict)
        lines += ["", f"[clause.{name}] # {clause.title}", f"title = {_quoted(told.get('title', ''))}"]
        sentences = told.get("text", "").strip()
        lines += ['text = """\\', f'{_escaped(sentences)}"""']
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _escaped(text: str) -> str:
    """A text between three quotation marks, a sentence a line."""
    safe = text.replace("\\", "\\\\").replace('"""', '""\\"')
    return re.sub(r"(?<=[.!?]) (?=\S)", " \\\\\n", safe)


def missing(language: str, found: Texts) -> list[str]:
    """What is not translated yet."""
    told, rules = read(catalogue_file(language)), read(clauses_file(language))
    gaps = [text for text in found.said if not told.get("texts", {}).get(text)]
    for many in found.counted:
        forms = told.get("counted", {}).get(many)
        gaps += [] if isinstance(forms, list) and all(forms) else [many]
    gaps += [section for section in _sections() if not rules.get("sections", {}).get(section)]
    for name in clauses():
        own = rules.get("clause", {}).get(name, {})
        assert isinstance(own, dict)
        gaps += [f"{name} {part}" for part in ("title", "text") if not own.get(part, "").strip()]
    return gaps


def _sections() -> list[str]:
    return list(dict.fromkeys(clause.section for clause in clauses().values()))


def main() -> int:
    """Write all files anew, and tell what is missing."""
    found = texts()
    for call in found.unknown:
        print(f"neither a literal nor among the data of tools/languages.py: {call}")
    for language in sys.argv[1:] or OTHERS:
        catalogue_file(language).write_text(catalogue_of(language, found), encoding="utf-8")
        clauses_file(language).write_text(clauses_of(language), encoding="utf-8")
        gaps = missing(language, found)
        print(f"{language}: {len(gaps)} texts are not translated yet")
    return 1 if found.unknown else 0


if __name__ == "__main__":
    sys.exit(main())
