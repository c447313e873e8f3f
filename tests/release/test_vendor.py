"""What the pages have of others: as published, all there, and the modules work together in a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re

from playwright.sync_api import Browser, Route, expect

from checkout import ROOT

WEB = ROOT / "src" / "avecaesar" / "web"
VENDOR = WEB / "vendor"
IMPORTS = (WEB / "importmap.json").read_text()

INNER = {f"noble-hashes/{name}.js" for name in ("_md", "_u64", "utils")}  # which sha2.js imports by itself

PROGRAM = """
import { render } from "preact";
import { useState } from "preact/hooks";
import { computed, signal } from "@preact/signals";
import { Signal } from "@preact/signals-core";
import { html } from "htm/preact";
import htm from "htm";
import { sha256 } from "@noble/hashes/sha2.js";

if (sha256(new TextEncoder().encode("abc"))[0] !== 0xba) throw new Error("not SHA-256");
const lap = signal(1);
const words = computed(() => `lap ${lap.value}`);
const Table = () => {
  const [shouts, shout] = useState(0);
  return html`<button onClick=${() => { shout(shouts + 1); lap.value += 1; }}>${words}, ${shouts} shouts</button>`;
};
if (!(lap instanceof Signal) || typeof htm !== "function") throw new Error("two copies of a module");
render(html`<${Table} />`, document.body);
"""


def listed() -> list[tuple[str, str, str]]:
    """Each file with its licence and its digest, as the README tells them."""
    row = r"^\| `(\S+)` \| .* \| (\S+) \| `([0-9a-f]{64})` \|$"
    return re.findall(row, (VENDOR / "README.md").read_text(), re.MULTILINE)


def test_every_vendored_file_is_as_it_was_published() -> None:
    modules = {name for name, _, _ in listed() if name.endswith(".js")}
    assert {name: digest for name, _, digest in listed()} == {
        file.relative_to(VENDOR).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in VENDOR.rglob("*.*")
        if file.suffix in (".js", ".woff2")
    }
    named = set(json.loads(IMPORTS)["imports"].values())
    assert {f"/static/vendor/{name}" for name in modules if name not in INNER} == named


def test_every_font_is_free_used_and_comes_with_its_licence() -> None:
    fonts = {name: licence for name, licence, _ in listed() if name.startswith("fonts/")}
    used = re.findall(r'url\("\.\./vendor/(fonts/[^"]+)"\)', (WEB / "css" / "fonts.css").read_text())
    assert sorted(used) == sorted(fonts)
    assert set(fonts.values()) == {"OFL-1.1"}
    for family in ("cinzel", "alegreya-sans"):
        assert "SIL OPEN FONT LICENSE Version 1.1" in (VENDOR / f"LICENCE-{family}.txt").read_text()


def test_the_modules_work_together_under_a_strict_policy_and_ask_for_nothing_else(browser: Browser) -> None:
    digest = base64.b64encode(hashlib.sha256(IMPORTS.encode()).digest()).decode()
    page = f'<!doctype html><script type="importmap">{IMPORTS}</script><script type="module" src="/it.js"></script>'
    policy = f"default-src 'none'; script-src 'self' 'sha256-{digest}'"
    asked: list[str] = []

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix("http://circus.test")
        asked.append(path)
        if path == "/":
            route.fulfill(body=page, content_type="text/html", headers={"Content-Security-Policy": policy})
        elif path == "/it.js":
            route.fulfill(body=PROGRAM, content_type="text/javascript")
        else:
            route.fulfill(path=WEB / path.removeprefix("/static/"), content_type="text/javascript")

    complaints: list[str] = []
    with browser.new_context() as person:
        person.route("**/*", serve)
        tab = person.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto("http://circus.test/")
        button = tab.get_by_role("button")
        expect(button).to_have_text("lap 1, 0 shouts")
        button.click()
        expect(button).to_have_text("lap 2, 1 shouts")
    assert complaints == []
    inner = {f"/static/vendor/{name}" for name in INNER}
    assert sorted(asked) == sorted({"/", "/it.js", *json.loads(IMPORTS)["imports"].values(), *inner})
