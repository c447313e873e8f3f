"""`python -m avecaesar`."""

import sys

from avecaesar.cli import main

if __name__ == "__main__":
    sys.exit(main())
