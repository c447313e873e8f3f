"""One voice for every front end: what happens in a race, put into words."""
