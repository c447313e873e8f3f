"""Boards as pictures: from above as SVG (`svg`), and with characters in a terminal (`terminal`).

Everything is drawn from `courses.geometry`; nothing here knows a rule.
"""
