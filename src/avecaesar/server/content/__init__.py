"""Pages about races and rules: replays, posters, chronicles, the rulebook, the menu. Touches no table."""
