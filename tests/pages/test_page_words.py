"""The page's own words in five languages: all there, all translated, all used, well set; and how one is chosen.

That every page has room for them, `test_every_language.py` sees.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from playwright.sync_api import Browser, expect

from avecaesar.speech import LANGUAGES
from browser import visitor
from page_texts import PAGES, SAME, WEB, node, texts_of
from servers import Server

OTHERS = [language for language in LANGUAGES if language != "en"]


# Texts that are what they are in English: names, signs and numerals, and words that two languages share.
SAME_EVERYWHERE = re.compile(
    r"shell/name|coach/name|rules/names/.*|race/pageTitle"
    r"|(replay/piles|rules/pile|table/roman|race/roman)/\d|replay/speeds/.*|table/prefs/keys/\d+/0"
)


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


# ---------------------------------------------------------------------- numbers

COUNT = """
const [folder] = JSON.parse(process.argv[1]);
const { counting } = await import(`${folder}/plurals.js`);
const told = {};
for (const language of ["en", "it", "fr", "de", "la"]) {
  const so = counting(language);
  const table = (await import(`${folder}/${language}/table.js`)).default;
  const shell = (await import(`${folder}/${language}/shell.js`)).default;
  told[language] = {
    forms: [0, 1, 2, 5, 21, 100].map((count) => so(count, "one", "more")),
    ordinals: [1, 2, 3, 4, 5, 6].map(table.ordinal),
    ago: [shell.ago(1, "minute"), shell.ago(5, "minute"), shell.ago(1, "hour"), shell.ago(1, "day")],
    laurels: [0, 1, 2, 6].map(table.podium.laurels),
  };
}
console.log(JSON.stringify(told));
"""
ENGLISH_FORMS = ["0 more", "1 one", "2 more", "5 more", "21 more", "100 more"]
COUNTED: dict[str, dict[str, list[str]]] = {
    "en": {
        "forms": ENGLISH_FORMS,
        "ordinals": ["1st", "2nd", "3rd", "4th", "5th", "6th"],
        "ago": ["1 minute ago", "5 minutes ago", "1 hour ago", "yesterday"],
        "laurels": ["0 laurels", "1 laurel", "2 laurels", "6 laurels"],
    },
    "it": {
        "forms": ENGLISH_FORMS,
        "ordinals": ["1º", "2º", "3º", "4º", "5º", "6º"],
        "ago": ["1 minuto fa", "5 minuti fa", "1 ora fa", "ieri"],
        "laurels": ["0 allori", "1 alloro", "2 allori", "6 allori"],
    },
    "fr": {
        "forms": ["0 one", *ENGLISH_FORMS[1:]],  # nothing is singular in French
        "ordinals": ["1er", "2e", "3e", "4e", "5e", "6e"],
        "ago": ["il y a 1 minute", "il y a 5 minutes", "il y a 1 heure", "hier"],
        "laurels": ["0 laurier", "1 laurier", "2 lauriers", "6 lauriers"],
    },
    "de": {
        "forms": ENGLISH_FORMS,
        "ordinals": ["1.", "2.", "3.", "4.", "5.", "6."],
        "ago": ["vor 1 Minute", "vor 5 Minuten", "vor 1 Stunde", "gestern"],
        "laurels": ["0 Lorbeeren", "1 Lorbeer", "2 Lorbeeren", "6 Lorbeeren"],
    },
    "la": {
        "forms": ENGLISH_FORMS,
        "ordinals": ["I", "II", "III", "IV", "V", "VI"],
        "ago": ["abhinc 1 minutam", "abhinc 5 minutas", "abhinc 1 horam", "heri"],
        "laurels": ["0 laureae", "1 laurea", "2 laureae", "6 laureae"],
    },
}


def test_numbers_are_written_and_counted_as_each_language_does() -> None:
    assert node(COUNT, (WEB / "words").as_uri()) == COUNTED


# ---------------------------------------------------------------------- how it is set


def test_no_quotation_mark_or_apostrophe_is_a_typewriters() -> None:
    typed = [(language, path, text) for language in LANGUAGES for path, (_, text) in texts_of(language).items()]
    assert [one for one in typed if re.search(r"['\"]|\.\.\.|  ", one[2])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_own_quotation_marks(language: str) -> None:
    foreign = {"en": "[«»„]", "de": "[«»”]"}.get(language, "[„“”]")
    assert {path: text for path, (_, text) in texts_of(language).items() if re.search(foreign, text)} == {}


def test_french_has_its_spaces_before_signs_and_inside_quotation_marks() -> None:
    signs = r"(?<!\u202f)[;!?](?=\s|$)|(?<!\u00a0):(?=\s|$)|(?<!\u00a0)»|«(?!\u00a0)"
    alone = re.compile(r"[;:!?]")
    texts = {path: text for path, (_, text) in texts_of("fr").items() if not alone.fullmatch(text)}
    assert {path: text for path, text in texts.items() if re.search(signs, text)} == {}


def test_german_sets_three_dots_apart() -> None:
    assert {path: text for path, (_, text) in texts_of("de").items() if re.search(r"\w…", text)} == {}


# ---------------------------------------------------------------------- the choice of a language


@pytest.fixture(scope="module")
def server(own_server: Server) -> Server:
    return own_server


def test_the_browsers_language_is_spoken_until_another_is_chosen(browser: Browser, server: Server) -> None:
    with visitor(browser, server.address, locale="de-CH") as context:
        page = context.new_page()
        asked: list[tuple[str, str]] = []
        page.on("request", lambda request: asked.append((request.url, request.headers.get("accept-language", ""))))
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator(".listing .empty")).to_have_count(2)
        folders = {found[1] for url, _ in asked if (found := re.search(r"/static/(?:v-\w+/)?words/(\w+)/", url))}
        assert folders == {"de"}, "only the language that is spoken is loaded"
        assert {language for url, language in asked if "/api/tables" in url} == {"de"}
        page.locator(".head-language select").select_option("la")
        expect(page.locator("html")).to_have_attribute("lang", "la")
        page.reload()
        expect(page.locator("h1")).to_have_text(texts_of("la")["lobby/headline"][1])
        page.goto("/new?ready=open")
        expect(page.locator("html")).to_have_attribute("lang", "la")
        page.locator(".head-language select").select_option("it")
        expect(page.locator("html")).to_have_attribute("lang", "it")
        assert page.url.endswith("/new?ready=open"), "it is the same page in another language"


def test_on_a_phone_the_language_is_chosen_among_the_tables_preferences(browser: Browser, server: Server) -> None:
    table = server.visitor().lay(["scorpus", "festina"])["table"]
    with visitor(browser, server.address, locale="it") as context:
        page = context.new_page()
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(f"/t/{table}")
        page.locator("#help").click()
        expect(page.locator("#help-dialog h2").first).to_have_text(texts_of("it")["table/settings"][1])
        page.locator("#tab-prefs").click()
        page.locator("#pref-language").select_option("fr")
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        assert page.url.endswith(f"/t/{table}"), "it is the same table in another language"
        page.locator("#help").click()
        expect(page.locator("#help-dialog h2").first).to_have_text(texts_of("fr")["table/settings"][1])
        expect(page.locator("#pref-language")).to_be_visible()  # it opens where it was closed


def test_a_language_that_nobody_speaks_here_becomes_english(browser: Browser, server: Server) -> None:
    with visitor(browser, server.address, locale="pt-BR") as context:
        page = context.new_page()
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator("h1")).to_have_text(texts_of("en")["lobby/headline"][1])
