"""The types of all that page and server send each other: writes `web/lib/types.js` from the server's own shapes.

`tools/page_types.py` writes it; `tests/server/wire/test_page_types.py` fails when it is stale. What a field means is
the comment behind it in the Python source.
"""

from __future__ import annotations

import inspect
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from avecaesar.courses import Direction
from avecaesar.game.moves import Destination
from avecaesar.game.view import Question, Status
from avecaesar.records.shape import Record
from avecaesar.server.http.routes import OPERATIONS
from avecaesar.server.wire import messages

FILE = Path(__file__).parent.parent / "src" / "avecaesar" / "web" / "lib" / "types.js"
HEAD = """\
/**
 * All that page and server send each other, as types. Written by tools/page_types.py from the server's own shapes: do
 * not edit it, run that. Use them with `@import * as t from "../lib/types.js"`; nothing here runs.
 * @module
 */
/** @template T @typedef {T extends unknown ? Omit<T, "id"> : never} WithoutId */
/** @typedef {WithoutId<Command>} Unsent  a command before it gets its id */
"""
WIDTH = 140
WIRE = f"{messages.__package__}."  # its shapes come first
PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    bytes: "string",
    type(None): "null",
    Any: "any",
}
ELSEWHERE = {"Direction": Direction, "Question": Question, "Status": Status, "Destination": Destination}


def shapes() -> list[type[msgspec.Struct]]:
    """Every struct that crosses the wire, module by module in the order of the sources."""
    found: dict[type[msgspec.Struct], None] = {}
    sent = [messages.Command, messages.Outgoing]
    for operation in OPERATIONS:
        sent += [shape for shape in (operation.takes, operation.gives) if shape not in (None, Record)]
    for shape in sent:
        _gather(shape, found)
    return sorted(found, key=lambda one: (not one.__module__.startswith(WIRE), one.__module__, _line(one)))


def _gather(shape: Any, found: dict[type[msgspec.Struct], None]) -> None:
    if isinstance(shape, type) and issubclass(shape, msgspec.Struct):
        if shape not in found:
            found[shape] = None
            for hint in get_type_hints(shape, include_extras=True).values():
                _gather(hint, found)
    else:
        for part in get_args(shape):
            _gather(part, found)


def _line(shape: type) -> int:
    return inspect.getsourcelines(shape)[1]


def names(modules: Iterator[str]) -> dict[str, Any]:
    """What has a name of its own beside the structs: words to choose from, and shapes that are one of several."""
    found = dict(ELSEWHERE)
    for module in modules:
        for name, value in vars(sys.modules[module]).items():
            if name[0].isupper() and (get_origin(value) is Literal or _is_union(value)):
                found.setdefault(name, value)
    return found


def _is_union(value: Any) -> bool:
    parts = get_args(value) if get_origin(value) in (Union, types.UnionType) else ()
    return bool(parts) and all(isinstance(part, type) and issubclass(part, msgspec.Struct) for part in parts)


class Writer:
    """Writes types as JSDoc has them."""

    def __init__(self) -> None:
        self.shapes = shapes()
        self.names = names(iter(dict.fromkeys(shape.__module__ for shape in self.shapes)))

    def text(self) -> str:
        """The whole file."""
        parts = [HEAD]
        used = [name for name in self.names if self._is_used(name)]
        parts += [f"/** @typedef {{{self.written(self.names[name], but=name)}}} {name} */\n" for name in used]
        for shape in self.shapes:
            parts.append(self._typedef(shape))
        return "".join(parts) + "\nexport {};\n"

    def _is_used(self, name: str) -> bool:
        hints = [hint for shape in self.shapes for hint in get_type_hints(shape, include_extras=True).values()]
        others = [value for other, value in self.names.items() if other != name]
        return _is_union(self.names[name]) or any(_holds(hint, self.names[name]) for hint in [*hints, *others])

    def _typedef(self, shape: type[msgspec.Struct]) -> str:
        """On one line if it is short and there is nothing to say of its fields."""
        told, comments, fields = (shape.__doc__ or "").strip().split("\n")[0], _comments(shape), self._fields(shape)
        short = ", ".join(f"{name}{'?' * left_out}: {kind}" for name, kind, left_out in fields)
        line = f"/** @typedef {{{{ {short} }}}} {shape.__name__}  {told} */\n"
        if not comments and len(line) <= WIDTH:
            return line
        lines = ["/**", f" * {told}", f" * @typedef {{object}} {shape.__name__}"]
        for name, kind, left_out in fields:
            shown = f"[{name}]" if left_out else name
            lines.append(f" * @property {{{kind}}} {shown} {comments.get(name, '')}".rstrip())
        return "\n".join([*lines, " */", ""])

    def _fields(self, shape: type[msgspec.Struct]) -> list[tuple[str, str, bool]]:
        """The name and type of each, and whether it may be missing."""
        config, hints = shape.__struct_config__, get_type_hints(shape, include_extras=True)
        fields = [(str(config.tag_field), f'"{config.tag}"', False)] if config.tag is not None else []
        for field in msgspec.structs.fields(shape):
            left_out = not field.required and (config.forbid_unknown_fields or config.omit_defaults)
            kind = self.written(hints[field.name])
            if _may_leave_out(hints[field.name]) and not config.forbid_unknown_fields:
                kind = f"Required<{kind}>"  # the server says everything
            if config.omit_defaults and field.default is None:
                kind = kind.removesuffix(" | null")  # it is left out then
            fields.append((field.encode_name, kind, left_out))
        return fields

    def written(self, hint: Any, but: str = "") -> str:
        """A Python type as a type of the page."""
        for name, value in self.names.items():
            if name != but and value == hint:
                return name
        origin, parts = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self.written(parts[0], but)
        if origin is Literal:
            return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in parts)
        if origin in (Union, types.UnionType):
            return self._one_of([part for part in parts if part is not msgspec.UnsetType])
        if origin in (list, frozenset) or (origin is tuple and parts[-1] is ...):
            inner = self.written(parts[0])
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        if origin is tuple:
            return f"[{', '.join(map(self.written, parts))}]"
        if origin in (dict, types.MappingProxyType) or (isinstance(origin, type) and issubclass(origin, dict)):
            return f"Record<{self.written(parts[0])}, {self.written(parts[1])}>"
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return hint.__name__
        return PLAIN[getattr(hint, "__supertype__", hint)]

    def _one_of(self, parts: list[Any]) -> str:
        """A union; where some of its parts together have a name, by that name."""
        written: list[str] = []
        left = list(parts)
        for name, value in self.names.items():
            of = get_args(value) if _is_union(value) else ()
            if of and len(of) < len(parts) and all(part in left for part in of):
                written.append(name)
                left = [part for part in left if part not in of]
        return " | ".join([*written, *map(self.written, left)])


def _may_leave_out(hint: Any) -> bool:
    """Whether it is a struct of which a page need not send everything."""
    struct = isinstance(hint, type) and issubclass(hint, msgspec.Struct)
    return struct and hint.__struct_config__.forbid_unknown_fields and hint.__struct_config__.tag is None


def _holds(hint: Any, value: Any) -> bool:
    return hint == value or any(_holds(part, value) for part in get_args(hint))


def _comments(shape: type) -> dict[str, str]:
    """What stands behind the fields in the source."""
    lines = "".join(inspect.getsourcelines(shape)[0])
    found = re.findall(r"^    (\w+): [^#\n]*?  # (?:type: ignore\[[\w-]+\](?:  # )?)?(.*)$", lines, re.MULTILINE)
    return {name: comment for name, comment in found if comment}


if __name__ == "__main__":
    FILE.write_text(Writer().text(), encoding="utf-8")
