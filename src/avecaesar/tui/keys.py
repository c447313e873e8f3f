"""The line at the bottom: the keys that do something here. They can be clicked, too."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence

from rich.text import Text
from textual import events
from textual.widget import Widget

from avecaesar.tui.paint import palette

Key = tuple[str, str, str]  # what to press, what it does, and the action behind it, if a click does it as well


class Keys(Widget):
    """Close together, so that all of them fit."""

    DEFAULT_CSS = "Keys { dock: bottom; height: 1; width: 1fr; background: $panel; padding: 0 1; }"

    def __init__(self, keys: Sequence[Key] = ()) -> None:
        super().__init__()
        self.keys = tuple(keys)
        self.idle: Collection[str] = ()  # actions that can do nothing just now
        self._ends: list[int] = []  # the columns where they end, for the mouse

    def tell(self, keys: Sequence[Key], idle: Collection[str] = ()) -> None:
        """Other keys; those that can do nothing just now are dim."""
        self.keys, self.idle = tuple(keys), idle
        self.refresh()

    def render(self) -> Text:
        """All in one line."""
        paint = palette(self.app.current_theme.dark)
        line = Text(no_wrap=True, overflow="crop")
        self._ends = []
        for key, words, action in self.keys:
            idle = action in self.idle
            line.append("  " if line else "").append(key, style=f"dim {paint.quiet}" if idle else f"bold {paint.gold}")
            line.append(f" {words}", style=f"dim {paint.quiet}" if idle else paint.text)
            self._ends.append(len(line))
        return line

    async def on_click(self, event: events.Click) -> None:
        """Do what the key under the mouse does."""
        at = event.get_content_offset(self)
        number = bisect_right(self._ends, at.x) if at is not None else len(self.keys)
        if number < len(self.keys) and self.keys[number][2]:
            await self.run_action(self.keys[number][2])
