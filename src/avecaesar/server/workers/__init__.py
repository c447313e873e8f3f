"""Work for other processes, and whose turn it is."""
