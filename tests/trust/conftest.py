"""Where the harness can run: it watches processes in ways that only POSIX systems have."""

import sys

if sys.platform == "win32":
    collect_ignore_glob = ["*.py"]
