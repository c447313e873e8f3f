"""The rules of an edition."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from avecaesar.rules import EDITIONS
from avecaesar.server.content.rulebook import Rulebook
from avecaesar.server.http.gatekeeper import JSON
from avecaesar.server.http.routes.exchange import in_path, library_of, while_there
from avecaesar.server.http.routes.operation import SERVER, Operations
from avecaesar.server.refused import RefusedError
from avecaesar.server.wire.fields import END
from avecaesar.speech import say

_operations = Operations()
operation = _operations.operation


class OfEdition(msgspec.Struct, frozen=True):
    """An edition of the rules."""

    edition: Annotated[
        Annotated[str, Meta(min_length=1, max_length=40, pattern=f"^[a-z-]+{END}")],
        Meta(description="The edition's name, such as ravensburger; the menu has them all."),
    ]


@operation(
    "GET", "/api/rules/{edition}", SERVER, "The rules of an edition",
    within=OfEdition, gives=Rulebook, refuses=(404, 429),
)  # fmt: skip
async def rules(request: Request) -> Response:
    """Its clauses in the order in which one learns them, what differs from other editions, and little races to see."""
    of = in_path(request, OfEdition)
    if of.edition not in EDITIONS:
        raise RefusedError(say("there is no edition of that name"), status=404)
    return Response(await while_there(request, library_of(request).rules(of.edition)), media_type=JSON)


OPERATIONS = tuple(_operations)
