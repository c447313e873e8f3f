"""The page as an app: what a browser needs to install it, what it keeps, and what it never does."""

from __future__ import annotations

import json
import re
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from avecaesar.server.http.gatekeeper import Settings
from avecaesar.server.http.static import Build
from browser import PATIENCE
from checkout import ROOT
from players_in_browser import Invite, race
from servers import ROOMY, Server, ServerClient, in_a_thread

WEB = ROOT / "src" / "avecaesar" / "web"
KEPT = """async () => {
  const kept = {};
  for (const name of await caches.keys())
    kept[name] = (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname);
  return kept;
}"""
INCOGNITO = [{"errorId": "in-incognito", "errorArguments": []}]  # which every browser of the tests is
WAIT = """async ({ gone, patience }) => {
  const settled = async () => {
    const names = await caches.keys();
    if (names.length !== 1 || names[0] === gone || !navigator.serviceWorker.controller) return false;
    const kept = (await (await caches.open(names[0])).keys()).map(({ url }) => url);
    return [...document.querySelectorAll("link[rel=modulepreload]")].every(({ href }) => kept.includes(href));
  };
  for (const begun = performance.now(); !(await settled()); await new Promise(requestAnimationFrame))
    if (performance.now() - begun > patience) throw new Error(`there is ${await caches.keys()}`);
}"""


@pytest.fixture(scope="module")
def server(own_server: Server) -> Server:
    return own_server


def settled(page: Page, gone: str = "") -> tuple[str, list[str]]:
    """Wait until the worker has the page, what it has loaded, and nothing of an older build; what is kept then."""
    page.evaluate(WAIT, {"gone": gone, "patience": PATIENCE})
    ((name, paths),) = page.evaluate(KEPT).items()
    return name, paths


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's files, to be changed."""
    return Path(shutil.copytree(WEB, tmp_path_factory.mktemp("copied") / "web"))


@pytest.fixture(scope="module")
def served(copied: Path) -> Iterator[ServerClient]:
    with in_a_thread(copied.parent / "a.db", Settings(limits=ROOMY, web=copied)) as served:
        yield served


# ---------------------------------------------------------------------- what is sent


def test_the_manifest_is_whole_and_its_icons_are_as_large_as_it_says(served: ServerClient) -> None:
    page = served.client.get("/").text
    (path,) = re.findall(r'rel="manifest" href="([^"]+)"', page)
    manifest = json.loads(served.client.get(path).text)
    assert (manifest["id"], manifest["start_url"], manifest["scope"], manifest["display"]) == (
        "/",
        "/",
        "/",
        "standalone",
    )
    assert all(manifest[word] for word in ("name", "short_name", "description", "theme_color", "background_color"))
    assert {short["url"].partition("?")[0] for short in manifest["shortcuts"]} == {"/"}
    purposes = {(icon["purpose"], icon["sizes"]) for icon in manifest["icons"]}
    assert purposes == {(purpose, size) for purpose in ("any", "maskable") for size in ("any", "192x192", "512x512")}
    for icon in manifest["icons"]:
        answer = served.client.get(path.rpartition("/")[0] + "/" + icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", answer.content[16:24])
            assert f"{width}x{height}" == icon["sizes"]


def test_the_page_names_all_that_it_will_load_and_only_in_the_readers_language(served: ServerClient) -> None:
    page = served.client.get("/t/abc", headers={"Accept-Language": "it"}).text
    named = re.findall(r'rel="modulepreload" href="([^"]+)"', page)
    assert len(named) == len(set(named)) > 30
    assert all(served.client.get(path).status_code == 200 for path in named)
    assert {path.split("/")[4] for path in named if "/words/" in path and path.count("/") == 5} == {"it"}
    assert any(path.endswith("/pages/table.js") for path in named)
    assert not any(path.endswith("/pages/lobby.js") for path in named)
    assert '<html lang="it" data-build="' in page


def test_files_of_a_build_stay_for_ever_and_others_are_asked_for_anew(served: ServerClient, copied: Path) -> None:
    (root,) = re.findall(r'rel="icon" href="([^"]+)favicon.svg"', served.client.get("/").text)
    lasting, plain = served.client.get(f"{root}app.js"), served.client.get("/static/app.js")
    assert lasting.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert plain.headers["cache-control"] == "no-cache"
    for answer in (lasting, plain):
        assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "Accept-Encoding")
        again = served.client.get(answer.url.path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    (copied / "app.js").write_text(f"{plain.text}// changed")
    assert served.client.get("/static/app.js").text.endswith("// changed")
    assert served.client.get(f"{root}app.js").text == lasting.text, "a page that is open keeps its own modules"
    assert root not in served.client.get("/").text
    assert served.client.get("/static/v-0123456789ab/app.js").status_code == 404


def test_all_style_sheets_are_one_and_what_they_show_is_there(served: ServerClient) -> None:
    page = served.client.get("/").text
    (sheet,) = (
        line.partition('href="')[2].partition('"')[0] for line in page.splitlines() if 'rel="stylesheet"' in line
    )
    css = served.client.get(sheet).text
    for name in ("fonts", "base", "header", "lobby", "table/frame", "replay", "rules"):
        assert (WEB / "css" / f"{name}.css").read_text()[:60] in css
    shown = {part.partition('"')[0] for part in css.split('url("')[1:]}
    assert shown
    for path in shown:
        assert served.client.get(f"{sheet.rpartition('/')[0]}/{path}").status_code == 200, path


def test_every_answer_of_the_api_names_the_build_and_links_are_never_packed(served: ServerClient) -> None:
    (build,) = re.findall(r'data-build="(\w+)"', served.client.get("/").text)
    laid = served.lay()
    key = {"Authorization": f"Bearer {laid['token']}"}
    linked = served.client.post(f"/api/tables/{laid['table']}/links", json={}, headers=key)
    for answer in (linked, served.client.get("/api/menu"), served.client.get("/api/nothing")):
        assert answer.headers["avecaesar-build"] == build
    assert "content-encoding" not in linked.headers


def test_a_build_is_named_by_all_its_files() -> None:
    least = {"index.html": b"<!--head-->", "importmap.json": b'{"imports": {}}', "app.js": b"one()"}
    one, again, other = Build(least), Build(dict(least)), Build({**least, "app.js": b"two()"})
    assert one.name == again.name != other.name


# ---------------------------------------------------------------------- what a browser does with it


def test_it_can_be_installed_and_says_in_the_readers_language_when_the_server_is_away(
    invite: Invite, server: Server
) -> None:
    anna = invite(locale="de-AT")
    anna.goto("/")
    expect(anna.find(".start .button.primary")).to_be_visible()
    settled(anna.page)
    session = anna.context.new_cdp_session(anna.page)
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in ([], INCOGNITO)
    anna.forgiven = "ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH|Failed to load resource"
    server.kill()
    anna.page.goto("/rules")
    expect(anna.find("#offline h1")).to_have_text("Die Tore sind geschlossen")
    expect(anna.find("#offline .button.primary")).to_have_text("Noch einmal")
    server.start()
    expect(anna.find("#offline")).to_have_count(0)  # it looks again by itself, and comes to where he was going
    expect(anna.find("main h1")).to_have_text("Die Regeln")


def test_nothing_private_is_ever_kept(invite: Invite) -> None:
    anna, bert = invite(), invite()
    anna.lay(["here", "friend", "greedy"])
    link = anna.invitation()
    settled(anna.page)
    anna.page.reload()
    bert.join(link, "Bert")
    anna.begin()
    race(anna, bert, turns=3)
    _, paths = settled(anna.page)
    assert "/offline" in paths
    assert [path for path in paths if not path.startswith("/static/v-") and path != "/offline"] == []


def test_a_new_build_is_loaded_whole_and_leaves_nothing_of_the_old_one(
    invite: Invite, served: ServerClient, copied: Path
) -> None:
    anna = invite(served.url)
    anna.goto("/")
    expect(anna.find(".start .button.primary")).to_be_visible()
    old, _ = settled(anna.page)
    shell = copied / "words" / "en" / "shell.js"
    shell.write_text(shell.read_text().replace('rules: "Rules"', 'rules: "The new rules"'))
    served.client.get("/")  # somebody else has come since
    with anna.page.expect_response("**/api/tables"):  # the lobby looks again, and hears of the other build
        anna.page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    anna.find('.gates a[href="/new"]').click()
    expect(anna.find("form.plan")).to_be_visible()
    expect(anna.find(".head-rules")).to_have_text("The new rules")
    new, paths = settled(anna.page, gone=old)
    assert new != old
    assert {path.split("/")[2] for path in paths if path != "/offline"} == {f"v-{new.removeprefix('avecaesar-')}"}
