"""``python -m probtrees`` is the command line."""

import sys

from probtrees.cli import main

if __name__ == "__main__":
    sys.exit(main())
