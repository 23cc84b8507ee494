"""Many visitors at once: ``python -m tests.trust.load --sessions 20 --minutes 5``.

Starts the app on this machine, opens sessions that load, grow, switch, compare and upload, each
a table of its own, and prints how long clicks took, how much memory the server held, and whether
anybody was sent a piece of another's table. Loopback only, bounded in count and time.
"""

import argparse
import contextlib
import os
import random
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from probtrees.table.read_table import sample_names
from tests.app.conftest import free_port, served
from tests.trust.protocol_session import ProtocolSession

_SAMPLE_SECONDS = 5.0


def main(argv: list[str] | None = None) -> int:
    """Run the visitors; the exit code is 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust.load", description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--patience", type=float, default=60, help="seconds a click may take")
    parser.add_argument("--log", type=Path, default=Path(os.devnull), help="what the server says")
    parser.add_argument("--pause", type=float, default=7, help="seconds between deeds (7)")
    args = parser.parse_args(argv)
    port = free_port()
    with args.log.open("wb") as said, served(port, said=said, NO_COLOR="1") as (_, process):
        visitors = [Visitor(port, n, args) for n in range(args.sessions)]
        until = time.monotonic() + 60 * args.minutes
        for visitor in visitors:
            visitor.start(until)
            time.sleep(0.5)
        memory = list(_sample_memory(process.pid, until))
        for visitor in visitors:
            visitor.thread.join(args.patience + 30)
        memory.append(memory_of(process.pid))
    return _report(visitors, memory, args.minutes)


class Visitor:
    """One visitor, in a thread, with a table of his own that nobody else may see."""

    def __init__(self, port: int, number: int, args: argparse.Namespace) -> None:
        self.port, self.number, self.patience = port, number, args.patience
        self.pause = (args.pause / 4, args.pause * 7 / 4)
        self.chance = random.Random(f"{args.seed}/{number}")
        self.mark = f"zebra{number:03d}q"
        self.clicks: list[float] = []
        self.actions: Counter[str] = Counter()
        self.problems: list[str] = []
        self.seen: set[str] = set()

    def start(self, until: float) -> None:
        """Begin to click."""
        self.thread = threading.Thread(target=self._visit, args=(until,), daemon=True)
        self.thread.start()

    def _visit(self, until: float) -> None:
        while time.monotonic() < until:
            try:
                self._open_a_tab(until)
            except Exception as problem:
                self.problems.append(f"{type(problem).__name__}: {problem}"[:300])
                time.sleep(1)

    def _open_a_tab(self, until: float) -> None:
        """Visit until the time is over, or until this tab is closed for a new one."""
        tab = ProtocolSession(self.port, patience=self.patience)
        deeds = (self._load, self._grow, self._switch, self._compare, self._upload, self._network)
        try:
            tab.open("", f"sample={self.chance.choice(sample_names())}")
            tab.settle(20)
            for _ in range(self.chance.randint(8, 20)):
                if time.monotonic() > until:
                    break
                deed = self.chance.choice(deeds)
                self.actions[deed.__name__[1:]] += 1
                deed(tab)
                time.sleep(self.chance.uniform(*self.pause))
        finally:
            self.clicks += tab.clicks
            self.seen |= {word for word in _words(bytes(tab.received)) if word != self.mark}
            tab.close()

    def _load(self, tab: ProtocolSession) -> None:
        _go_to(tab, "")
        tab.choose("Sample", self.chance.randrange(7))
        tab.settle(20)

    def _grow(self, tab: ProtocolSession) -> None:
        _go_to(tab, "")
        tab.enter("Rows in two branches of a split", self.chance.randint(1, 20))
        tab.settle(20)

    def _switch(self, tab: ProtocolSession) -> None:
        _go_to(tab, "")
        tab.press("Smoother", self.chance.randrange(9))
        tab.settle(20)

    def _network(self, tab: ProtocolSession) -> None:
        tab.open("network")
        tab.settle(20)

    def _compare(self, tab: ProtocolSession) -> None:
        if _go_to(tab, "compare"):
            tab.enter("Folds", 2)
        tab.click("Compare")
        if not tab.settle(self.chance.choice((3, 20))):
            tab.click("Cancel")

    def _upload(self, tab: ProtocolSession) -> None:
        rows = [f"{self.chance.gauss(0, 1):.3f},{self.chance.choice('uv')}" for _ in range(300)]
        lines = [f"{row},{self.mark if self.chance.random() < 0.4 else 'other'}" for row in rows]
        content = "\n".join([f"x,{self.mark}_column,class", *lines]).encode()
        if not tab.use_table(f"{self.mark}.csv", content):
            self.problems.append("an upload could not be used")


def _go_to(tab: ProtocolSession, page: str) -> bool:
    """Open a page unless it is open; tell whether it was opened."""
    if tab.page == page:
        return False
    tab.open(page)
    return True


def _words(received: bytes) -> set[str]:
    """Find the marks of all visitors' tables in what was received."""
    found = re.findall(rb"zebra.{,4}", received, re.DOTALL)
    return {mark.decode("utf-8", "replace") for mark in found}


def memory_of(pid: int) -> float:
    """Return the memory of a process in MiB."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return float("nan")


def _sample_memory(pid: int, until: float) -> Iterator[float]:
    while time.monotonic() < until:
        time.sleep(_SAMPLE_SECONDS)
        yield memory_of(pid)


def _report(visitors: list[Visitor], memory: list[float], minutes: float) -> int:
    clicks = sorted(seconds for visitor in visitors for seconds in visitor.clicks) or [0.0]
    problems = [problem for visitor in visitors for problem in visitor.problems]
    leaks = [(visitor.number, visitor.seen) for visitor in visitors if visitor.seen]
    actions = sum((visitor.actions for visitor in visitors), Counter[str]())
    warm = memory[len(memory) * 2 // 5]
    print(f"{len(visitors)} sessions, {minutes:g} minutes, {len(clicks):,} clicks")
    print("  " + ", ".join(f"{name} {count}" for name, count in actions.most_common()))
    print(
        f"  click: median {clicks[len(clicks) // 2]:.2f} s, "
        f"p95 {clicks[int(0.95 * (len(clicks) - 1))]:.2f} s, longest {clicks[-1]:.2f} s"
    )
    print(f"  memory: {warm:.0f} MiB warm, {memory[-1]:.0f} MiB at the end, {max(memory):.0f} most")
    print(f"  errors: {len(problems)}, tables of others seen: {len(leaks)}")
    for problem, count in Counter(problems).most_common(10):
        print(f"    {count} x {problem}")
    return 1 if problems or leaks else 0


if __name__ == "__main__":
    sys.exit(main())
