"""The interface described for programs (OpenAPI) and, made from that, for people: a page without a script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from typing import Any

import msgspec

from avecaesar import __version__
from avecaesar.server.http.gatekeeper import JSON, Problem
from avecaesar.server.http.routes import OPERATIONS
from avecaesar.server.http.routes.operation import Operation
from avecaesar.server.wire.messages import Command, Outgoing

REFUSALS = {
    400: "It cannot be read, or makes no sense.",
    401: "The key has no key's shape, or none was sent where one is needed.",
    403: "You may not do this; or the request comes from a page of somebody else's.",
    404: "There is no such thing here.",
    409: "Not now, or against the rules: the table is as it was.",
    413: "It is too long.",
    414: "More than a kilobyte stands after the ?.",
    415: "It was not sent as what it should be (Content-Type).",
    429: "Too often; Retry-After says when to try again.",
    503: "The server is too busy, or its disk or database is not well; try again later.",
}
EVERYWHERE = (403, 414, 429, 503)
REFERENCE = "#/components/schemas/{name}"
ABOUT = """\
Everything that the page does, a program can do. Bodies and answers are JSON in UTF-8; what is refused is answered with
`problem`, a sentence that says why.

**Keys.** Whoever lays a table or takes a seat gets a key, the `token` of the answer. A program sends it with every
request, `Authorization: Bearer KEY`, also when it opens the socket. (A browser has a cookie instead.) A link is
`/t/TABLE#KEY`: what stands after the # is a key to a seat (`s_…`) or an invitation (`i_…`), and
`POST /api/tables/{table}/sit` takes either.

**The socket.** `GET /api/tables/{table}/socket` opens a WebSocket. The server first sends a `Whole`, then `News` after
every event; commands are sent as on `POST /api/tables/{table}/commands` and answered by `Done`, `Refused`, `Reason` or
`Hint` with the same `id`. To race: wait for a message whose `table.question` is not null, choose one of its `offers`,
and send `{"do": "move", "id": …, "at": table.changed, "seat": table.eyes, "move": offer.move}`.
"""


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    schemas = _schemas()
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ave Caesar",
            "version": __version__,
            "summary": "The chariot race, for programs.",
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name} for name in dict.fromkeys(operation.group for operation in OPERATIONS)],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "The token of a table, seat or link."}
            },
        },
    }


class _Schemas:
    """The shapes of all messages, each described once."""

    def __init__(self, shapes: list[Any]) -> None:
        schemas, self.components = msgspec.json.schema_components(shapes, ref_template=REFERENCE)
        self.of = dict(zip(map(_named, shapes), schemas, strict=True))
        _simplify(self.components)
        _simplify(self.of)

    def __getitem__(self, shape: Any) -> dict[str, Any]:
        return self.of[_named(shape)]


def _named(shape: Any) -> str:
    return str(shape)


def _schemas() -> _Schemas:
    shapes: list[Any] = [Problem, Command, Outgoing]
    for operation in OPERATIONS:
        shapes += [shape for shape in (operation.takes, operation.gives) if shape is not None]
        for words in filter(None, (operation.within, operation.asks)):
            shapes += [field.type for field in msgspec.structs.fields(words)]
    unique = {_named(shape): shape for shape in shapes}
    return _Schemas(list(unique.values()))


def _simplify(schema: Any) -> None:
    """Leave out what only our own reader understands: patterns with half characters in them."""
    if isinstance(schema, dict):
        if "\\ud800" in str(schema.get("pattern", "")):
            del schema["pattern"]
        for part in schema.values():
            _simplify(part)
    elif isinstance(schema, list):
        for part in schema:
            _simplify(part)


def _operation(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    refuses = sorted({*operation.refuses, *EVERYWHERE})
    problem = {JSON: {"schema": schemas[Problem]}}
    told: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.group],
        "summary": operation.summary,
        "description": _flowing(operation.description),
        "parameters": [*_parameters(operation.within, "path", schemas), *_parameters(operation.asks, "query", schemas)],
        "responses": {
            str(operation.status): {
                "description": "Done.",
                "content": {kind: {"schema": _schema(operation.gives, kind, schemas)} for kind in operation.media},
            },
            **{str(status): {"description": REFUSALS[status], "content": problem} for status in refuses},
        },
    }
    if operation.media == ("image/svg+xml",):
        told["responses"]["304"] = {"description": "You have it already (If-None-Match)."}
    if operation.takes is not None:
        content: dict[str, Any] = {
            kind: {"schema": _schema(operation.takes, kind, schemas)} for kind in operation.accepts
        }
        if operation.example is not None:
            content[operation.accepts[0]]["example"] = operation.example
        told["requestBody"] = {"required": True, "content": content}
    if operation.key:
        told["security"] = [{}, {"key": []}]
    return told


def _schema(shape: Any, kind: str, schemas: _Schemas) -> dict[str, Any]:
    return schemas[shape] if kind == JSON else {"type": "string"}


def _parameters(words: type[msgspec.Struct] | None, where: str, schemas: _Schemas) -> Iterator[dict[str, Any]]:
    for field in msgspec.structs.fields(words) if words else ():
        schema = dict(schemas[field.type])
        description = schema.pop("description", "")
        yield {
            "name": field.name,
            "in": where,
            "required": field.required,
            "description": description,
            "schema": schema,
        }


def _flowing(text: str) -> str:
    """A docstring as paragraphs."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


# ---------------------------------------------------------------------- the page


@cache
def page() -> str:
    """The manual as HTML: everything in the document, in reading order."""
    told = document()
    parts = [f"<h1>{escape(told['info']['title'])} for programs</h1>", _prose(told["info"]["description"])]
    parts.append('<p>For machines: <a href="/api/openapi.json">openapi.json</a>.</p>')
    rows = [f"<tr><td>{status}</td><td>{escape(words)}</td></tr>" for status, words in REFUSALS.items()]
    parts.append(f'<h2 id="refusals">Refusals</h2>\n<table><tbody>{"".join(rows)}</tbody></table>')
    for tag in told["tags"]:
        parts.append(f"<h2>{escape(tag['name'])}</h2>")
        for path, methods in told["paths"].items():
            for method, operation in methods.items():
                if tag["name"] in operation["tags"]:
                    parts.append(_section(method, path, operation))
    parts.append("<h2>Messages</h2>")
    schemas = told["components"]["schemas"]
    parts += [_shape(name, schema) for name, schema in sorted(schemas.items())]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<title>Ave Caesar for programs</title>\n"
        '<link rel="icon" href="/static/favicon.svg" type="image/svg+xml">\n'
        '<link rel="stylesheet" href="/static/css/manual.css">\n</head>\n<body>\n<main>\n'
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def _section(method: str, path: str, operation: Mapping[str, Any]) -> str:
    lines = [
        f'<section id="{operation["operationId"]}">',
        f"<h3>{escape(operation['summary'])}</h3>",
        f'<p class="call"><b>{method.upper()}</b> <code>{escape(path)}</code></p>',
        _prose(operation["description"]),
    ]
    if operation["parameters"]:
        rows = [
            f"<tr><td><code>{escape(p['name'])}</code></td><td>{_kind(p['schema'])}</td>"
            f"<td>{escape(p['description'])}</td></tr>"
            for p in operation["parameters"]
        ]
        lines.append(f"<table><tbody>{''.join(rows)}</tbody></table>")
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        lines.append(f"<p>Send {_kind(content['schema'])} as <code>{kind}</code>.</p>")
        if "example" in content:
            example = content["example"]
            shown = example if isinstance(example, str) else json.dumps(example, ensure_ascii=False, indent=2)
            lines.append(f"<pre>{escape(shown)}</pre>")
    for status, answer in operation["responses"].items():
        if int(status) < 300:
            kinds = [f"{_kind(c['schema'])} as <code>{kind}</code>" for kind, c in answer["content"].items()]
            lines.append(f"<p>Answered with {status}: {' or '.join(kinds)}.</p>")
    refused = [status for status in operation["responses"] if int(status) >= 400]
    lines.append(f'<p>Refused with {", ".join(refused)}: <a href="#refusals">see above</a>.</p></section>')
    return "\n".join(lines)


def _shape(name: str, schema: Mapping[str, Any]) -> str:
    required = schema.get("required", [])
    rows = []
    for field, of in schema.get("properties", {}).items():
        usual = f", else {json.dumps(of['default'])}" if "default" in of else ""
        need = "" if field in required else f"optional{usual}"
        rows.append(f"<tr><td><code>{escape(field)}</code></td><td>{_kind(of)}</td><td>{escape(need)}</td></tr>")
    if "enum" in schema:
        rows.append(f"<tr><td>{_kind(schema)}</td></tr>")
    words = _prose(_flowing(schema.get("description", "")))
    return f'<section id="{name}"><h3>{name}</h3>{words}<table><tbody>{"".join(rows)}</tbody></table></section>'


def _kind(schema: Mapping[str, Any]) -> str:
    """What stands there, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{name}">{name}</a>'
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " | ".join(f"<code>{escape(json.dumps(value))}</code>" for value in values)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(_kind(one) for one in schema[several])
    kind = schema.get("type", "anything")
    if kind == "array":
        inside = schema.get("items") or (schema.get("prefixItems") or [{}])[0]
        return f"list of {_kind(inside)}" if inside else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    bounds = [f"{words} {schema[key]}" for key, words in _BOUNDS.items() if key in schema]
    return escape(f"{kind} ({', '.join(bounds)})" if bounds else str(kind))


_BOUNDS = {"minimum": "from", "maximum": "to", "minLength": "length from", "maxLength": "length to"}


def _prose(text: str) -> str:
    """Paragraphs with code and bold words in them."""
    paragraphs = []
    for paragraph in filter(None, text.split("\n\n")):
        shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(paragraph, quote=False))
        bold = re.sub(r"[*][*]([^*]+)[*][*]", r"<b>\1</b>", shown)
        paragraphs.append(f"<p>{bold}</p>")
    return "\n".join(paragraphs)
