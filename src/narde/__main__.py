"""`python -m narde` and the command `narde`."""

import sys

from narde.cli import main

if __name__ == "__main__":
    sys.exit(main())
