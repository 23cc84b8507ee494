"""Seed small faults, one at a time, and see which of them the tests catch.

    python benchmarks/seeded_faults.py pick > benchmarks/golden/faults.csv
    python benchmarks/seeded_faults.py run SCRATCH --results results.csv

`pick` draws 300 faults with a seed: a comparison, a sign, a constant, an `and` or a `not` of one
line becomes another. A fault is known by its file, its function and its line as they were, so that
it is found again in code that has moved; where the line is no more, the fault is gone.

`run` copies this tree to SCRATCH, or goes on with what is there, seeds one fault after the other
and runs the tests that mirror or import its file, in order, until one fails: at most `--seconds`
of processor time each, without browser. Results are added to a CSV; those known are skipped.
Caught means that a test failed which passes without the fault, or that tests hang with it alone.
"""

from __future__ import annotations

import argparse
import ast
import csv
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FAULTS = Path(__file__).with_name("golden") / "faults.csv"
N_FAULTS = 300
QUOTAS = {"table": 40}
"""Chapters that get so many faults; the others share the rest by their lines."""
PICTURES = ("draw", "ui", "report")
"""Chapters whose numbers are mostly lengths and places: of these only 0 and 1 are changed."""
_LONGEST_WALL = 20
"""So many times the processor time may pass on the clock, on a busy machine."""
_OTHER = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "/",
    ast.And: "or",
    ast.Or: "and",
}


@dataclass(frozen=True)
class Fault:
    """A line of a function, and what it becomes; ``nth`` tells equal lines of it apart."""

    file: str
    function: str
    nth: int
    line: str
    replacement: str

    @property
    def chapter(self) -> str:
        """The folder of the package that it lies in."""
        parts = Path(self.file).parts
        return parts[1] if len(parts) > 2 else "."


# --- picking --------------------------------------------------------------------------------------


class _Finder(ast.NodeVisitor):
    """Collects the faults of a file: what a small part of a line would become."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.lines = file, source.splitlines()
        self.names: list[str] = []
        self.starts: list[int] = []
        self.found: list[Fault] = []
        self.in_pictures = len(Path(file).parts) > 2 and Path(file).parts[1] in PICTURES
        self.visit(ast.parse(source))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Go into the body alone: no decorators, no annotations."""
        self.names.append(node.name)
        self.starts.append(node.lineno)
        for part in [*node.args.defaults, *node.body]:
            self.visit(part)
        self.names.pop()
        self.starts.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.append(node.name)
        self.starts.append(node.lineno)
        for part in node.body:
            self.visit(part)
        self.names.pop()
        self.starts.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            self._between(left, right, operator)
            left = right
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        is_text = isinstance(node.left, (ast.JoinedStr, ast.List, ast.Tuple))
        if not is_text and not isinstance(getattr(node.left, "value", None), str):
            self._between(node.left, node.right, node.op)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, node.op)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        operand = node.operand
        if isinstance(node.op, ast.Not):
            self._replace(node.lineno, node.col_offset, operand.col_offset, "", "not ")
        elif isinstance(node.op, ast.USub) and not isinstance(operand, ast.Constant):
            self._replace(node.lineno, node.col_offset, operand.col_offset, "", "-")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        if node.lineno == node.end_lineno and isinstance(node.test, (ast.Name, ast.Attribute)):
            text = self._text(node.test)
            self._replace(
                node.lineno, node.test.col_offset, node.test.end_col_offset, f"not {text}", text
            )
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        first = node.args[:2]
        one_line = node.lineno == node.end_lineno
        if len(first) == 2 and one_line and all(isinstance(a, ast.Name) for a in first):
            texts = [self._text(part) for part in first]
            old = self.lines[node.lineno - 1][first[0].col_offset : first[1].end_col_offset]
            if texts[0] != texts[1]:
                end = first[1].end_col_offset
                self._replace(node.lineno, first[0].col_offset, end, f"{texts[1]}, {texts[0]}", old)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value, end = node.value, node.end_col_offset
        if isinstance(value, bool):
            self._replace(node.lineno, node.col_offset, end, str(not value), str(value))
        elif isinstance(value, (int, float)) and (value in (0, 1) or not self.in_pictures):
            new = value + 1 if isinstance(value, int) else value * 2 or 1.0
            self._replace(node.lineno, node.col_offset, end, repr(new), self._text(node))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave texts alone."""

    def _text(self, node: ast.expr) -> str:
        return self.lines[node.lineno - 1][node.col_offset : node.end_col_offset]

    def _between(self, left: ast.expr, right: ast.expr, operator: ast.AST) -> None:
        new = _OTHER.get(type(operator))
        if new is None or left.end_lineno != right.lineno or left.end_col_offset is None:
            return
        line = self.lines[right.lineno - 1]
        old = line[left.end_col_offset : right.col_offset]
        if re.fullmatch(r" [-+*/<>=!a-z ]+ ", old):
            self._replace(right.lineno, left.end_col_offset, right.col_offset, f" {new} ", old)

    def _replace(self, lineno: int, start: int, end: int | None, new: str, old: str) -> None:
        """Keep a fault if the line says what it should, as it does in plain letters."""
        line = self.lines[lineno - 1]
        if end is None or not line.isascii() or line[start:end] != old:
            return
        changed = line[:start] + new + line[end:]
        first = self.starts[0] if self.starts else 1
        before = [text.strip() for text in self.lines[first - 1 : lineno - 1]]
        self.found.append(
            Fault(
                self.file,
                ".".join(self.names),
                before.count(line.strip()),
                line.strip(),
                changed.strip(),
            )
        )


def all_faults(root: Path) -> dict[str, list[Fault]]:
    """Return every fault that can be seeded, by chapter."""
    found: dict[str, list[Fault]] = {}
    for path in sorted((root / "probtrees").rglob("*.py")):
        file = path.relative_to(root).as_posix()
        for fault in dict.fromkeys(_Finder(file, path.read_text("utf-8")).found):
            found.setdefault(fault.chapter, []).append(fault)
    return found


def pick(root: Path, seed: int) -> list[Fault]:
    """Draw faults, by chapter as many as its share of the lines."""
    possible, chance = all_faults(root), random.Random(seed)
    lines = dict.fromkeys(possible, 0)
    for path in (root / "probtrees").rglob("*.py"):
        parts = path.relative_to(root).parts
        chapter = parts[1] if len(parts) > 2 else "."
        if chapter in lines:
            lines[chapter] += len(path.read_text("utf-8").splitlines())
    shared = sum(n for chapter, n in lines.items() if chapter not in QUOTAS)
    rest = N_FAULTS - sum(QUOTAS.values())
    quotas = {chapter: round(rest * n / shared) for chapter, n in lines.items()} | QUOTAS
    largest = max(lines.keys() - QUOTAS.keys(), key=lines.__getitem__)
    quotas[largest] += N_FAULTS - sum(quotas.values())
    drawn: list[Fault] = []
    for chapter, faults in sorted(possible.items()):
        in_order = chance.sample(faults, len(faults))
        sound = (fault for fault in in_order if locate(root, fault) is not None)
        drawn += list(islice(sound, quotas[chapter]))
    chance.shuffle(drawn)
    return drawn


# --- seeding --------------------------------------------------------------------------------------


def seed_line(source: str, fault: Fault) -> str | None:
    """Return a source with the fault in it; None where its line is not, or would not parse."""
    lines = source.splitlines(keepends=True)
    start, end = 1, len(lines)
    if fault.function:
        place = _span(ast.parse(source), fault.function.split("."))
        if place is None:
            return None
        start, end = place
    found = [n for n in range(start - 1, end) if lines[n].strip() == fault.line]
    if len(found) <= fault.nth:
        return None
    line = lines[found[fault.nth]]
    lines[found[fault.nth]] = line.replace(fault.line, fault.replacement)
    changed = "".join(lines)
    try:
        ast.parse(changed)
    except SyntaxError:
        return None
    return None if changed == source else changed


def _span(tree: ast.AST, names: Sequence[str]) -> tuple[int, int] | None:
    """Return the lines of the outermost function or class of a name, whoever it stands in."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == names[0]:
            return node.lineno, node.end_lineno or node.lineno
    return None


def locate(root: Path, fault: Fault) -> tuple[Path, str] | None:
    """Find the file a fault lies in now, and its source with the fault; None if it is gone."""
    home = root / fault.file
    others = sorted((root / "probtrees").rglob("*.py"))
    for path in [home, *(other for other in others if other != home)]:
        if path.exists() and (path == home or fault.function):
            source = path.read_text("utf-8")
            if fault.line in source and (changed := seed_line(source, fault)) is not None:
                return path, changed
    return None


# --- running --------------------------------------------------------------------------------------


def tests_of(root: Path, path: Path) -> list[str]:
    """Name the tests of a file: those called like it, then those that import it."""
    parts = path.relative_to(root).with_suffix("").parts
    name = ".".join(parts)
    stem = parts[-1].removeprefix("_").removesuffix("_kernels")
    called, importing = [], []
    words = re.compile(
        rf"from {re.escape(name)} import|import {re.escape(name)}\b|"
        rf"from {re.escape('.'.join(parts[:-1]))} import .*\b{re.escape(parts[-1])}\b"
    )
    for test, text in _texts_of_tests(root):
        if Path(test).stem == f"test_{stem}":
            called.append(test)
        elif words.search(text):
            importing.append(test)
    found = [*called, *importing]
    if not found and len(parts) > 2:
        found = _tests_of_folder(root, parts)
    doctests = [path.relative_to(root).as_posix()] if ">>>" in path.read_text("utf-8") else []
    return [*doctests, *found]


def _tests_of_folder(root: Path, parts: Sequence[str]) -> list[str]:
    """Name the tests of a chapter; of the app those that are called like the page, if any are."""
    below = "tests/app/" if parts[1] == "ui" else f"tests/{parts[1]}/"
    tests = [test for test, _ in _texts_of_tests(root) if test.startswith(below)]
    return [test for test in tests if f"{parts[2]}_page" in test] or tests


@cache
def _texts_of_tests(root: Path) -> list[tuple[str, str]]:
    paths = sorted((root / "tests").rglob("test_*.py"))
    return [(path.relative_to(root).as_posix(), path.read_text("utf-8")) for path in paths]


def run_tests(root: Path, tests: Sequence[str], seconds: int) -> tuple[str, str]:
    """Run tests; return "passed", "failed" or "time", and the first test that failed."""

    def limit() -> None:
        os.nice(19)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--tb=no"]
    command += ["-m", "not slow and not browser", *tests]
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env=_environment(root),
            preexec_fn=limit,
            timeout=seconds * _LONGEST_WALL,
            capture_output=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "time", ""
    if done.returncode < 0:
        return "time", ""
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", done.stdout.decode(), re.MULTILINE)
    outcome = "passed" if done.returncode in (0, 5) else "failed"
    return outcome, failed.group(1) if failed else ""


def _compile(root: Path) -> None:
    """Compile all kernels once, so that no fault is charged with it."""
    code = (
        "from probtrees.experiment.warm_up import compile_in_background\n"
        "for process in compile_in_background(): process.wait()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=root, env=_environment(root), check=False)


def _environment(root: Path) -> dict[str, str]:
    own = {"PYTHONPATH": str(root), "NUMBA_CACHE_DIR": str(root / ".kernels")}
    return {**os.environ, **own, "PYTHONDONTWRITEBYTECODE": "1"}


def run(root: Path, scratch: Path, results: Path, seconds: int) -> None:
    """Seed every fault that has no result yet in a copy of the tree, and run its tests."""
    if not scratch.exists():
        left_out = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache")
        shutil.copytree(root, scratch, ignore=left_out)
        _compile(scratch)
    if (scratch / ".git").exists():
        raise SystemExit(f"{scratch} is under version control. Name a folder for a copy.")
    done = set()
    if results.exists():
        with results.open(encoding="utf-8", newline="") as file:
            done = {int(row["number"]) for row in csv.DictReader(file)}
    plain: dict[tuple[str, ...], str] = {}
    for number, fault in enumerate(list(read_faults())):
        if number not in done:
            outcome, where, n_tests = _try(scratch, fault, seconds, plain)
            is_new = not results.exists()
            with results.open("a", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                if is_new:
                    writer.writerow(["number", "chapter", "outcome", "file", "tests"])
                writer.writerow([number, fault.chapter, outcome, where, n_tests])


def _try(
    scratch: Path, fault: Fault, seconds: int, plain: dict[tuple[str, ...], str]
) -> tuple[str, str, int]:
    """Seed one fault, run its tests, put the file back."""
    found = locate(scratch, fault)
    if found is None:
        return "gone", fault.file, 0
    path, changed = found
    tests = tests_of(scratch, path)
    where = path.relative_to(scratch).as_posix()
    if not tests:
        return "survived", where, 0
    source, known_since = path.read_text("utf-8"), path.stat().st_mtime_ns
    try:
        path.write_text(changed, encoding="utf-8")
        outcome, failed = run_tests(scratch, tests, seconds)
    finally:
        path.write_text(source, encoding="utf-8")
        os.utime(path, ns=(known_since, known_since))  # kept kernels stay good
    if outcome == "time":
        known = plain.setdefault(tuple(tests), "") or run_tests(scratch, tests, seconds)[0]
        plain[tuple(tests)] = known
        return ("caught" if known == "passed" else "no time"), where, len(tests)
    if outcome == "failed" and failed and run_tests(scratch, [failed], seconds)[0] == "failed":
        return "fails anyway", where, len(tests)
    return ("caught" if outcome == "failed" else "survived"), where, len(tests)


def read_faults() -> Iterator[Fault]:
    """Read the faults that were picked once."""
    with FAULTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield Fault(
                row["file"], row["function"], int(row["nth"]), row["line"], row["replacement"]
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    picking = commands.add_parser("pick")
    picking.add_argument("--seed", type=int, default=1)
    running = commands.add_parser("run")
    running.add_argument("scratch", type=Path)
    running.add_argument("--results", type=Path, required=True)
    running.add_argument("--seconds", type=int, default=60, help="of processor time by fault")
    given = parser.parse_args()
    if given.command == "pick":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow([field.name for field in fields(Fault)])
        writer.writerows(asdict(fault).values() for fault in pick(ROOT, given.seed))
    else:
        run(ROOT, given.scratch.resolve(), given.results.resolve(), given.seconds)


if __name__ == "__main__":
    main()
