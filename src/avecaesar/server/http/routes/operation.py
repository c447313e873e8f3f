"""Something that can be asked over HTTP, with the words that its manual is made of."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from avecaesar.server.http.gatekeeper import JSON


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that can be asked, as the manual tells it."""

    method: Literal["GET", "POST"]
    path: str
    answer: Callable[[Request], Awaitable[Response]]
    group: str
    summary: str
    description: str = ""
    takes: Any = None  # the body's shape
    accepts: tuple[str, ...] = (JSON,)
    example: Any = None  # of the body
    within: type[msgspec.Struct] | None = None  # what stands in the path
    asks: type[msgspec.Struct] | None = None  # what stands after the ?
    gives: Any = None  # the answer's shape
    media: tuple[str, ...] = (JSON,)  # the answer's
    status: int = 200
    refuses: tuple[int, ...] = ()
    key: bool = False  # whether it makes a difference who asks

    @property
    def name(self) -> str:
        """What programs may call it."""
        return self.answer.__name__


TABLES, BOARDS, REPLAYS, SERVER = "Tables", "Boards and courses", "Records and replays", "The server"
Handler = Callable[[Request], Awaitable[Response]]


class Operations(list[Operation]):
    """Those of one resource, in the manual's order."""

    def operation(
        self, method: Literal["GET", "POST"], path: str, group: str, summary: str, **more: Any
    ) -> Callable[[Handler], Handler]:
        """Enter a handler in the list; its docstring is the description."""

        def enter(handler: Handler) -> Handler:
            self.append(Operation(method, path, handler, group, summary, handler.__doc__ or "", **more))
            return handler

        return enter
