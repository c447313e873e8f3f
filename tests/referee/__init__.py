"""The independent referee: a slow, obvious reading of RULES.md, to be compared with it clause by clause.

It shares nothing with the package but the course that `avecaesar course export` prints.
"""
