"""The page and its files, as browsers get them: packed, under addresses that change with their contents.

`/static/…` is always the file as it is now, asked for anew each time (`ETag`). The page itself names its files as
`/static/v-BUILD/…`, where BUILD is a digest of all of them: what has such an address never changes, so that a browser
need not ask again, and no page ever mixes the modules of two releases.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import mimetypes
import os
import posixpath
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from avecaesar.speech import spoken

for kind, ending in (  # some systems have other ideas, and a browser takes nothing else
    ("text/javascript", ".js"),
    ("text/css", ".css"),
    ("image/svg+xml", ".svg"),
    ("application/json", ".json"),
    ("application/manifest+json", ".webmanifest"),
    ("font/woff2", ".woff2"),
    ("image/png", ".png"),
):
    mimetypes.add_type(kind, ending)

PACKED_ALREADY = (".woff2", ".png")
FOR_EVER = "public, max-age=31536000, immutable"
HEAD = "<!--head-->"  # where index.html has room for what is found out here
STYLES = "css/all.css"  # all style sheets that index.html names, in their order, in one
LOOKS_A_SECOND = 20  # at all files, whether one has changed: each takes a millisecond
BUILDS_KEPT = 3  # of one process: somebody works on the page while others look at it
IMPORT = re.compile(r'(?:^|;)\s*(?:import|export)\b(?:[^;"\'()]*?\bfrom)?\s*["\']([^"\']+)["\']', re.MULTILINE)
SPOKEN = re.compile(r'\bspoken\("(\w+)"\)')
STYLE = re.compile(r' *<link rel="stylesheet" href="/static/([^"]+)" />\n')
PAGE_OF = {"": "lobby", "t": "table"} | {page: page for page in ("new", "replay", "race", "rules", "privacy")}


class Kept(NamedTuple):
    """A file as it is sent."""

    body: bytes
    packed: bytes | None
    tag: str
    kind: str


def kept(body: bytes, name: str) -> Kept:
    """A file's contents, packed once for all who will ask."""
    packed = None if name.endswith(PACKED_ALREADY) or len(body) < 500 else gzip.compress(body, 9, mtime=0)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Kept(body, packed, f'W/"{hashlib.sha256(body).hexdigest()[:32]}"', kind)


def answer(request: Request, file: Kept, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A file, packed if the browser can unpack it; or nothing, if it has it already."""
    headers = {"ETag": file.tag, "Vary": "Accept-Encoding", **(headers or {})}
    known = (tag.strip() for tag in request.headers.get("if-none-match", "").split(","))
    if status == 200 and file.tag in known:
        return Response(None, 304, headers)
    if file.packed and re.search(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", request.headers.get("accept-encoding", "")):
        return Response(file.packed, status, headers | {"Content-Encoding": "gzip"}, media_type=file.kind)
    return Response(file.body, status, headers, media_type=file.kind)


class Build:
    """All files as they were at one moment, with the digest of them all."""

    def __init__(self, sources: dict[str, bytes]) -> None:
        total = hashlib.sha256()
        for name, body in sorted(sources.items()):
            total.update(f"{name} {len(body)} ".encode() + body)
        self.name = total.hexdigest()[:12]
        self.root = f"/static/v-{self.name}/"
        html = sources["index.html"].decode()
        styles = b"\n".join(_moved(sources[name].decode(), name).encode() for name in STYLE.findall(html))
        self.files = {name: kept(body, name) for name, body in (sources | {STYLES: styles}).items()}
        self._html = STYLE.sub("", html)
        self._imports: dict[str, str] = json.loads(sources["importmap.json"])["imports"]
        self._links = {
            name: [*self._linked(name, body.decode())] for name, body in sources.items() if name.endswith(".js")
        }
        self._spoken = {name: SPOKEN.findall(sources[name].decode()) for name in self._links}
        self._pages: dict[tuple[str, str, bool], Kept] = {}
        self._workers: dict[str, Kept] = {}  # by language
        rooted = {name: path.replace("/static/", self.root, 1) for name, path in self._imports.items()}
        self._map = json.dumps({"imports": rooted}, separators=(",", ":")).replace("<", "\\u003c")
        self.script = f"sha256-{base64.b64encode(hashlib.sha256(self._map.encode()).digest()).decode()}"

    def _linked(self, name: str, text: str) -> Iterator[str]:
        """The modules that a module imports at once."""
        for wanted in IMPORT.findall(text):
            ours = self._imports.get(wanted, "").removeprefix("/static/")
            linked = ours or posixpath.normpath(posixpath.join(posixpath.dirname(name), wanted))
            if linked in self.files:
                yield linked

    def modules(self, *entries: str, language: str) -> list[str]:
        """All modules that are loaded with these, in the order in which they are found, with the reader's words."""
        found = dict.fromkeys(entries)
        queue = list(found)
        for name in queue:  # which grows
            words = [f"words/{language}/{page}.js" for page in self._spoken[name]]
            fresh = [one for one in (*self._links[name], *words) if one in self._links and one not in found]
            found |= dict.fromkeys(fresh)
            queue += fresh
        return list(found)

    def page(self, shown: str, language: str, offline: bool) -> Kept:
        """The page for one of `web/pages`, or for none of them, with what it will load named in its head."""
        wanted = (shown, language, offline)
        if wanted not in self._pages:
            entries = ["app.js", *([f"pages/{shown}.js"] if shown else [])]
            loaded = self.modules(*entries, language=language)
            head = [
                f'<script type="importmap">{self._map}</script>',
                f'<link rel="stylesheet" href="{self.root}{STYLES}" />',
                *(f'<link rel="modulepreload" href="{self.root}{name}" />' for name in loaded),
            ]
            html = self._html.replace('"/static/', f'"{self.root}').replace(HEAD, "\n    ".join(head))
            mark = f'<html lang="{language}" data-build="{self.name}"{" data-offline" if offline else ""}>'
            self._pages[wanted] = kept(html.replace('<html lang="en">', mark).encode(), "index.html")
        return self._pages[wanted]

    def worker(self, language: str) -> Kept:
        """The service worker, which is told its build and what the page without a server is made of."""
        if language not in self._workers:
            shell = ", ".join(f'"{name}"' for name in (STYLES, *self.modules("app.js", language=language)))
            told = self.files["worker.js"].body.decode().replace("BUILD_NAME", self.name)
            self._workers[language] = kept(told.replace('"SHELL_FILES"', shell).encode(), "worker.js")
        return self._workers[language]


def _moved(css: str, name: str) -> str:
    """A style sheet for the folder `css`, wherever it came from: the addresses in it follow."""
    folder = posixpath.dirname(name)

    def follow(found: re.Match[str]) -> str:
        return f'url("{posixpath.relpath(posixpath.join(folder, found[1]), "css")}")'

    return re.sub(r'url\("((?:\.\./|[\w-]+/)[^":]*)"\)', follow, css)


def _stamps(folder: str, within: str = "") -> Iterator[tuple[str, tuple[int, int]]]:
    """All files of a folder, with when they were changed and how large they are: with each page, so it must be fast."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _stamps(entry.path, f"{within}{entry.name}/")
            continue
        with suppress(FileNotFoundError):  # an editor's file, gone again
            state = entry.stat()
            yield within + entry.name, (state.st_mtime_ns, state.st_size)


class Files:
    """The page and its files, read again when one changes."""

    def __init__(self, web: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._web, self._clock = web, clock
        self._second, self._looks = 0, 0  # looks in this second
        self._stamps: dict[str, tuple[int, int]] = {}
        self._builds: dict[str, Build] = {}  # the newest last

    def build(self) -> Build:
        """What there is now; of many who ask at once most are given what there was a moment ago."""
        if not self._may_look():
            return next(reversed(self._builds.values()))
        stamps = dict(_stamps(str(self._web)))
        if stamps != self._stamps:
            fresh = Build({name: (self._web / name).read_bytes() for name in stamps})
            self._builds.pop(fresh.name, None)
            self._builds[fresh.name], self._stamps = fresh, stamps
            while len(self._builds) > BUILDS_KEPT:
                del self._builds[next(iter(self._builds))]
        return next(reversed(self._builds.values()))

    def _may_look(self) -> bool:
        if (second := int(self._clock())) != self._second:
            self._second, self._looks = second, 0
        self._looks += 1
        return self._looks <= LOOKS_A_SECOND or not self._builds

    @property
    def newest(self) -> str:
        """The name of the build that pages were last made of."""
        return next(reversed(self._builds), "") or self.build().name

    def scripts(self) -> tuple[str, ...]:
        """The digests that the content security policy allows: a page has its import map inside."""
        return tuple(build.script for build in self._builds.values() or [self.build()])

    def page(self, request: Request, status: int = 200, *, offline: bool = False) -> Response:
        """The one page, which reads its address."""
        shown = "" if status != 200 or offline else PAGE_OF[request.url.path.split("/")[1]]
        page = self.build().page(shown, spoken(), offline)
        return answer(request, page, status, {"Vary": "Accept-Encoding, Accept-Language"})

    def file(self, request: Request) -> Response:
        """A file by its path; one of a build stays as it is for ever."""
        path = str(request.path_params["path"])
        if of_build := re.fullmatch(r"v-([0-9a-f]{12})/(.+)", path):
            build = self._builds.get(of_build[1])
            path, headers = of_build[2], {"Cache-Control": FOR_EVER}
        else:
            build, headers = self.build(), {}
        if build is None or path not in build.files:  # no build: the page is older than this server, and finds out
            raise HTTPException(404)
        return answer(request, build.files[path], headers=headers)

    def worker(self, request: Request) -> Response:
        """The service worker, in the language that is spoken: its address is always the same."""
        return answer(request, self.build().worker(spoken()), headers={"Vary": "Accept-Encoding, Accept-Language"})
