"""Loaded once in the fork server, so that all workers share it (`worker` names this module)."""

from __future__ import annotations

from avecaesar.server.workers.worker import warm_up

warm_up()
