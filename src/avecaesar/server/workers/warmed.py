"""What workers have in common, loaded once in the fork server that they come from (`pool` names this module)."""

from __future__ import annotations

from avecaesar.server.workers.pool import warm_up

warm_up()
