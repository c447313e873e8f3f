"""The logs on disk: the database, its migrations, and the lock on it."""
