"""Tables: the log of each, the state it folds to, and who runs, sees and keeps it. Knows no HTTP."""
