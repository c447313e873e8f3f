"""The way in: addresses, sockets, static files, and who may come how often."""
