"""Memory after visitors left: ``python -m tests.trust.leaving --visitors 7 --megabytes 30``.

Starts the app with a bound on what is kept, lets visitors upload a table each and look at its
tree, closes their tabs, and prints what the server holds before, meanwhile and afterwards, and how
long it took to say that it is well (its health) all the while.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time

from tests.trust.load import Health, memory_of, served
from tests.trust.protocol_session import ProtocolSession

_COLUMNS = 30


def main(argv: list[str] | None = None) -> int:
    """Let visitors come and go; the exit code is 1 if they leave much behind."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust.leaving", description=__doc__)
    parser.add_argument("--visitors", type=int, default=7)
    parser.add_argument("--megabytes", type=float, default=30, help="of every upload")
    parser.add_argument("--max-cache", type=int, default=300, help="as of the app")
    parser.add_argument("--wait", type=float, default=210, help="seconds after they left")
    args = parser.parse_args(argv)
    os.environ["PROBTREES_MAX_CACHE"] = str(args.max_cache)
    with served() as (port, process):
        _visit(port, "sample=titanic").close()
        before = memory_of(process.pid)
        health = Health(port)
        tabs = [_with_table(port, number, args.megabytes) for number in range(args.visitors)]
        during = memory_of(process.pid)
        for tab in tabs:
            tab.close()
        time.sleep(args.wait)
        after = memory_of(process.pid)
        _visit(port, "sample=titanic").close()
        print(f"{args.visitors} visitors with {args.megabytes:g} MB each: {before:.0f} MiB before,")
        print(f"  {during:.0f} MiB with all, {after:.0f} MiB {args.wait:g} s after they left")
        print(f"  {health}")
    return int(after - before > args.max_cache)


def _visit(port: int, query: str = "") -> ProtocolSession:
    tab = ProtocolSession(port, patience=300)
    tab.open("", query)
    tab.settle(300)
    return tab


def _with_table(port: int, number: int, megabytes: float) -> ProtocolSession:
    """Upload a table and look at its tree."""
    tab = _visit(port)
    tab.open("data")
    tab.upload("A table of your own", f"table{number}.csv", _table(number, megabytes))
    tab.click("Grow the tree")
    tab.open("")
    tab.settle(300)
    return tab


def _table(number: int, megabytes: float) -> bytes:
    """Make up a table whose tree is small: one column tells the class."""
    chance = random.Random(number)
    lines = [",".join(f"c{column}" for column in range(_COLUMNS)) + ",class"]
    others = range(_COLUMNS - 1)
    some = [",".join(str(chance.randrange(100, 999)) for _ in others) for _ in range(999)]
    for row in range(int(megabytes * 1e6 / (4 * _COLUMNS + 2))):
        x = chance.randrange(1000)
        lines.append(f"{x},{some[row % 999]},{'yes' if x > 500 else 'no'}")
    return "\n".join(lines).encode()


if __name__ == "__main__":
    sys.exit(main())
