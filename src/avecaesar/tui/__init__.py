"""The table in the terminal. It shows views and asks for moves; it knows no rule."""
