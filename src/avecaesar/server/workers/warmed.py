"""Run once in the fork server, so that all workers share it (`worker` names this module).

That process leads a session of its own, which its forks are in too. Linux may share the processor among sessions first
(autogroup): then nice values count within a session only, and what workers took of the server's own share its event
loop would wait for, whenever anything else runs on the machine.
"""

from __future__ import annotations

import os
from contextlib import suppress

from avecaesar.server.workers.worker import warm_up

with suppress(OSError):  # it leads a group of processes already
    os.setsid()
warm_up()
