"""Run the harness: ``python -m tests.trust --minutes 30 [--seed N] [--part NAME]``.

Prints figures per part; the exit code is 1 if anything failed. Every failing case is saved
with a note on how to run it again.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.trust.parts import PARTS, Part
from tests.trust.watched import Verdict, run_case, verdicts


def main(argv: list[str] | None = None) -> int:
    """Run the parts that were asked for and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="all parts together (30)")
    parser.add_argument("--cases", type=int, help="at most this many cases per part")
    parser.add_argument("--first", type=int, default=0, help="number of the first case (0)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other cases (0)")
    parser.add_argument("--part", choices=list(PARTS), action="append", help="only this part")
    parser.add_argument("--failures", type=Path, default=Path("trust-failures"), metavar="DIR")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one case, in this process")
    args = parser.parse_args(argv)
    chosen = {name: PARTS[name] for name in args.part or PARTS}
    if args.only is not None:
        return _again(chosen, args.seed, args.only)
    return _run(chosen, args)


def _run(chosen: dict[str, Part], args: argparse.Namespace) -> int:
    print(f"seed {args.seed}, {args.minutes:g} minutes", flush=True)
    weight = sum(part.weight for part in chosen.values())
    failures = 0
    for name, part in chosen.items():
        share = 60 * args.minutes * part.weight / weight
        found = list(_run_part(name, part, args, share))
        failures += sum(not verdict.is_good for verdict in found)
        _print_figures(name, found)
    print("FAILED" if failures else "all well", f"({failures} failures)", flush=True)
    return 1 if failures else 0


def _run_part(name: str, part: Part, args: argparse.Namespace, seconds: float) -> Iterator[Verdict]:
    until = time.monotonic() + seconds
    numbers = itertools.takewhile(lambda _: time.monotonic() < until, _numbers(part, args))
    for verdict in verdicts(args.seed, part.make, part.run, numbers):
        if not verdict.is_good:
            place = _save(name, verdict, args)
            print(f"  {name} {verdict.number} {verdict.kind}: {verdict.ended}", end=" ")
            print(f"in '{verdict.last_step}', kept as {place}", flush=True)
        yield verdict


def _numbers(part: Part, args: argparse.Namespace) -> Iterator[int]:
    last = args.first + args.cases if args.cases else sys.maxsize
    return iter(range(args.first, min(last, part.most_cases or sys.maxsize)))


def _save(name: str, verdict: Verdict, args: argparse.Namespace) -> Path:
    """Keep a failing case: its file, what happened, and how to see it again."""
    folder: Path = args.failures / f"{name}-{args.seed}-{verdict.number}"
    folder.mkdir(parents=True, exist_ok=True)
    if verdict.file is not None:
        (folder / Path(verdict.file.name).name).write_bytes(verdict.file.content)
    again = f"python -m tests.trust --part {name} --seed {args.seed} --only {verdict.number}"
    words = f"{verdict.kind}: {verdict.ended} in {verdict.last_step}\n{again}\n\n{verdict.detail}\n"
    (folder / "what-happened.txt").write_text(words, encoding="utf-8")
    return folder


def _print_figures(name: str, found: list[Verdict]) -> None:
    ended = Counter(verdict.ended for verdict in found)
    seconds = sorted(verdict.seconds for verdict in found) or [0.0]
    print(
        f"{name}: {len(found):,} cases in {sum(seconds):.0f} s: "
        + ", ".join(f"{count:,} {what}" for what, count in ended.most_common())
        + f"; longest {seconds[-1]:.1f} s, peak {max((v.peak for v in found), default=0):.0f} MiB",
        flush=True,
    )
    by_kind = Counter(verdict.kind for verdict in found)
    print("  " + ", ".join(f"{kind} {count}" for kind, count in by_kind.most_common()), flush=True)


def _again(chosen: dict[str, Part], seed: int, number: int) -> int:
    """Run one case where its traceback can be seen."""
    for part in chosen.values():
        verdict = run_case(number, seed, part.make, part.run, lambda words: print("  ", words))
        print(verdict.kind, verdict.ended, verdict.detail)
        if not verdict.is_good:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
