"""A bot that takes the seat of a link and races to the end: python examples/bot.py 'http://localhost:8042/t/TABLE#KEY'

It makes the move that the table offers first. Write a better `choose`.
"""

import json
import sys
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def choose(table):
    """A move for the question that the table asks; all that may be known is in `table`."""
    return table["question"]["offers"][0]["move"]


def race(link):
    """Sit down, race, and tell what happens."""
    server, _, rest = link.partition("/t/")
    table, _, key = rest.partition("#")
    sit = Request(f"{server}/api/tables/{table}/sit", json.dumps({"token": key}).encode())
    sit.add_header("Content-Type", "application/json")
    seat = json.load(urlopen(sit))
    address = f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(address, additional_headers={"Authorization": f"Bearer {seat['token']}"}, max_size=None) as socket:
        for message in map(json.loads, socket):
            for line in message.get("story", ()):
                print(line["words"], flush=True)
            shown = message.get("table")
            if shown and shown["phase"] == "over":
                return
            if shown and shown["question"]:
                at, move = shown["changed"], choose(shown)
                socket.send(json.dumps({"do": "move", "id": f"at-{at}", "at": at, "seat": seat["seat"], "move": move}))


if __name__ == "__main__":
    race(sys.argv[1])
