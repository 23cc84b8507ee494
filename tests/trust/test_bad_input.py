"""A bounded part of ``python -m tests.trust``, with fixed seeds."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.trust.bad_files import KINDS, bad_file
from tests.trust.cases import PARTS, Part, run_case
from tests.trust.fault_cases import SCENES

pytestmark = pytest.mark.slow

COSTLY = ("many columns", "huge field", "gzip", "many values")


def judge(part: Part, number: int) -> None:
    verdict = run_case(part, number, seed=1)
    assert verdict.is_good, f"{verdict.ended}\n{verdict.detail}"


@pytest.mark.parametrize("kind", list(KINDS))
def test_bad_tables(kind: str) -> None:
    part = replace(PARTS["tables"], make=lambda chance, _: bad_file(chance, kind))
    for number in range(1 if kind in COSTLY else 6):
        judge(part, number)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_hostile_models(first: int) -> None:
    for number in range(first, first + 50):
        judge(PARTS["models"], number)


@pytest.mark.parametrize("name", ["options", "commands"])
@pytest.mark.parametrize("quarter", range(4))
def test_options_at_their_borders_and_beyond(name: str, quarter: int) -> None:
    for number in range(13 * quarter, PARTS[name].most_cases or 0, 53):
        judge(PARTS[name], number)


@pytest.mark.parametrize(
    ("name", "n_cases"),
    [("rooms", 20), ("origins", 300), ("masks", 5), ("networks", 20), ("kernels", 30)],
)
def test_strangers_and_what_they_send(name: str, n_cases: int) -> None:
    for number in range(n_cases):
        judge(PARTS[name], number)


def test_faults(tmp_path: Path) -> None:
    """In a process of its own: it forks, which threads of other tests forbid."""
    arguments = ["--part", "faults", "--seed", "1", "--cases", str(len(SCENES))]
    command = [sys.executable, "-m", "tests.trust", *arguments, "--failures", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    notes = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("what-happened.txt")]
    assert run.returncode == 0, "\n".join([run.stdout, run.stderr, *notes])
