"""The game on the network: tables, seats and spectators, over HTTP and WebSocket."""
