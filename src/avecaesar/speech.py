"""What is said to people, in their language.

Texts stand in the code in English, where they are used; a catalogue for each other language (`languages/*.toml`) maps
them to its own, and a text that it lacks is said in English. Whoever answers somebody says in which language:
`with speaking("it"): …`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from typing import ParamSpec, TypeVar

LANGUAGES = {"en": "English", "it": "Italiano", "fr": "Français", "de": "Deutsch", "la": "Latina"}
ENGLISH = "en"

P = ParamSpec("P")
T = TypeVar("T")
_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language for a while."""
    token = _spoken.set(language if language in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> str:
    """The language that is spoken now."""
    return _spoken.get()


def said_in(language: str, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
    """What comes of work in which this language is spoken: for other processes, which know nothing of ours."""
    with speaking(language):
        return work(*args, **more)


def say(text: str, sense: str = "", /, **parts: object) -> str:
    """A text in the language that is spoken now, with its parts put in; a sense tells it from others that look alike.

    >>> say("{name} plays {card}", name="Livia", card=3)
    'Livia plays 3'
    """
    translated = catalogue(_spoken.get()).texts.get(key_of(text, sense), text)
    return translated.format(**parts) if parts else translated


def counted(n: int, one: str, many: str, /, **parts: object) -> str:
    """A text about n things, in the form that the language has for so many.

    >>> counted(1, "{n} point", "{n} points"), counted(3, "{n} point", "{n} points")
    ('1 point', '3 points')
    """
    language = _spoken.get()
    forms = catalogue(language).counted.get(many, (one, many))
    single = abs(n) <= 1 if language == "fr" else abs(n) == 1
    return forms[0 if single else 1].format(n=n, **parts)


def key_of(text: str, sense: str = "") -> str:
    """What a catalogue calls a text."""
    return f"{text} ¦ {sense}" if sense else text


class Catalogue:
    """A language's texts by their English; of those that count, singular and plural by the English plural."""

    def __init__(self, texts: Mapping[str, str], counted: Mapping[str, list[str]]) -> None:
        self.texts = {english: text for english, text in texts.items() if text}
        self.counted = {english: (forms[0], forms[1]) for english, forms in counted.items() if all(forms)}


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language."""
    if language == ENGLISH:
        return Catalogue({}, {})
    read = tomllib.loads(resources.files(__package__).joinpath(f"languages/{language}.toml").read_text("utf-8"))
    return Catalogue(read["texts"], read["counted"])


def preferred(accept: str) -> str:
    """The best of our languages for what a browser asks for (Accept-Language).

    >>> preferred("pt-BR, de-CH;q=0.8, en;q=0.5"), preferred("")
    ('de', 'en')
    """
    wishes = []
    for place, wish in enumerate(accept[:500].split(",")):
        tag, _, quality = wish.replace(" ", "").partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            continue
        wishes.append((-weight, place, tag.partition("-")[0].lower()))
    return next((tag for weight, _, tag in sorted(wishes) if tag in LANGUAGES and weight < 0), ENGLISH)
