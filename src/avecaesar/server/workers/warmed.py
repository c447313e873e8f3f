"""Loaded once in the fork server, so that all workers share it (`pool` names this module)."""

from __future__ import annotations

from avecaesar.server.workers.pool import warm_up

warm_up()
