"""The chariots' liveries for the page: writes `web/lib/paints.js` from `telling/liveries.toml`.

`tests/telling/test_liveries.py` fails when it is stale.
"""

from __future__ import annotations

import json
from pathlib import Path

from avecaesar.telling.liveries import Livery, liveries

FILE = Path(__file__).parent.parent / "src" / "avecaesar" / "web" / "lib" / "paints.js"
HEAD = """\
/**
 * How each colour of chariot is painted. Written by tools/liveries.py from telling/liveries.toml: do not edit it, run
 * that.
 * @module
 * @import { Colour } from "./types.js"
 */

/**
 * The sign is path data within a circle of radius 10.
 * @typedef {{ paint: string, ink: string, edge: string, sign: string }} Livery
 */

/** @type {Record<Colour, Livery>} */
export const LIVERIES = {
"""


def text() -> str:
    """The whole file."""
    return HEAD + "".join(_written(*one) for one in liveries().items()) + "};\n"


def _written(colour: str, livery: Livery) -> str:
    parts = {"paint": livery.paint, "ink": livery.ink, "edge": livery.edge, "sign": livery.sign}
    lines = (f"    {name}: {json.dumps(part)},\n" for name, part in parts.items())
    return f"  {colour}: {{\n{''.join(lines)}  }},\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
