"""What can be asked over HTTP, by resource; each operation with the words that its manual is made of.

The handlers only read, ask the house, and write; what is allowed is decided by the gatekeeper before them and by the
house behind them.
"""

from avecaesar.server.http.routes import boards, replays, rules, site, tables
from avecaesar.server.http.routes.operation import Operation

OPERATIONS: tuple[Operation, ...] = (
    *site.OPERATIONS,
    *tables.OPERATIONS,
    *boards.OPERATIONS,
    *replays.OPERATIONS,
    *rules.OPERATIONS,
)
