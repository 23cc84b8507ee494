"""Run the harness: ``python -m tests.trust --minutes 30 [--seed N] [--part NAME]``.

Prints figures per part; the exit code is 1 if anything failed. Every failing case is saved with
a note on how to run it again. A step that hangs ends the run with the place where it hangs.
"""

import argparse
import faulthandler
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from probtrees.experiment.warm_up import compile_in_background
from tests.trust.cases import PARTS, Verdict, run_case

LONGEST_STEP = 240.0
"""Seconds by the clock after which a step hangs, however busy the machine is."""
MOST_ADDRESSES = 8 << 30
"""Bytes; protects the machine should a case run away."""


def main(argv: list[str] | None = None) -> int:
    """Run the parts that were asked for and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="all parts together (30)")
    parser.add_argument("--cases", type=int, help="at most this many cases per part")
    parser.add_argument("--first", type=int, default=0, help="number of the first case (0)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other cases (0)")
    parser.add_argument("--part", choices=list(PARTS), action="append", help="only this part")
    parser.add_argument("--failures", type=Path, default=Path("trust-failures"), metavar="DIR")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one case, its steps told")
    args = parser.parse_args(argv)
    if args.only is not None:
        args.first, args.cases = args.only, 1
    for process in compile_in_background():  # whose time is no case's
        process.wait()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    names = args.part or list(PARTS)
    weight = sum(PARTS[name].weight for name in names)
    failures = sum(_run(n, args, 60 * args.minutes * PARTS[n].weight / weight) for n in names)
    print("FAILED" if failures else "all well", f"({failures} failures)", flush=True)
    return 1 if failures else 0


def _run(name: str, args: argparse.Namespace, seconds: float) -> int:
    """Run cases of a part until its time is over; return how many failed."""
    part, start, found = PARTS[name], time.monotonic(), list[Verdict]()
    last = min(args.first + (args.cases or sys.maxsize), part.most_cases or sys.maxsize)

    def step(words: str) -> None:
        faulthandler.dump_traceback_later(LONGEST_STEP, exit=True)
        if args.only is not None:
            print("  ", words, flush=True)

    for number in range(args.first, last):
        if time.monotonic() > start + seconds:
            break
        step("make")
        found.append(run_case(part, number, args.seed, step))
        if not found[-1].is_good:
            print(f"  {name} {number}: {found[-1].ended}, kept as {_save(name, found[-1], args)}")
            print(found[-1].detail if args.only is not None else "", flush=True)
    faulthandler.cancel_dump_traceback_later()
    ended = Counter(verdict.ended for verdict in found)
    figures = ", ".join(f"{count:,} {what}" for what, count in ended.most_common())
    peak = max((verdict.peak for verdict in found), default=0)
    took = time.monotonic() - start
    print(f"{name}: {len(found):,} cases in {took:.0f} s: {figures}; peak {peak:.0f} MiB")
    return sum(not verdict.is_good for verdict in found)


def _save(name: str, verdict: Verdict, args: argparse.Namespace) -> Path:
    """Keep a failing case: its file, what happened, and how to see it again."""
    folder: Path = args.failures / f"{name}-{args.seed}-{verdict.number}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / Path(verdict.file.name).name).write_bytes(verdict.file.content)
    again = f"python -m tests.trust --part {name} --seed {args.seed} --only {verdict.number}"
    words = f"{verdict.file.kind}: {verdict.ended}\n{again}\n\n{verdict.detail}\n"
    (folder / "what-happened.txt").write_text(words, encoding="utf-8")
    return folder


if __name__ == "__main__":
    sys.exit(main())
