"""The line at the bottom: the keys that do something here."""

from __future__ import annotations

from textual.widgets import Footer


class Keys(Footer):
    """Close together, so that all of them fit."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self.compact = True
