"""A bounded part of ``python -m tests.trust``, with fixed seeds."""

from __future__ import annotations

import pytest

from tests.trust import watched
from tests.trust.bad_files import KINDS, bad_file
from tests.trust.fault_cases import SCENES
from tests.trust.misbehaviour import DEEDS, deed, misbehave
from tests.trust.parts import PARTS
from tests.trust.watched import Verdict, run_case, verdicts

pytestmark = pytest.mark.slow

COSTLY = ("many columns", "huge field", "gzip", "many values")


def judge(verdict: Verdict) -> None:
    assert verdict.is_good, f"{verdict.ended} in {verdict.last_step}\n{verdict.detail}"


def nobody(words: str) -> None:
    """Nobody watches."""


@pytest.mark.parametrize("kind", list(KINDS))
def test_bad_tables(kind: str) -> None:
    for number in range(1 if kind in COSTLY else 6):
        judge(run_case(number, 1, lambda c, _: bad_file(c, kind), PARTS["tables"].run, nobody))


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_hostile_models(first: int) -> None:
    part = PARTS["models"]
    for number in range(first, first + 50):
        judge(run_case(number, 1, part.make, part.run, nobody))


@pytest.mark.parametrize("name", ["options", "commands"])
@pytest.mark.parametrize("quarter", range(4))
def test_options_at_their_borders_and_beyond(name: str, quarter: int) -> None:
    part = PARTS[name]
    assert part.most_cases is not None
    for number in range(13 * quarter, part.most_cases, 53):
        judge(run_case(number, 1, part.make, part.run, nobody))


def test_strangers_at_class_rooms() -> None:
    part = PARTS["rooms"]
    for number in range(20):
        judge(run_case(number, 1, part.make, part.run, nobody))


@pytest.mark.parametrize("half", range(2))
def test_faults(half: int) -> None:
    part = PARTS["faults"]
    for verdict in verdicts(1, part.make, part.run, iter(range(half, len(SCENES), 2))):
        judge(verdict)


def test_the_watch_notices_what_it_watches_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "LONGEST_WAIT", 6.0)  # "grow" must get there before, if busy
    monkeypatch.setattr(watched, "MOST_MEMORY", 600)
    found = [verdict.ended for verdict in verdicts(0, deed, misbehave, iter(range(len(DEEDS))))]
    assert found == list(DEEDS.values())


def test_only_the_memory_a_case_takes_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    held = b"x" * (300 << 20)
    monkeypatch.setattr(watched, "MOST_MEMORY", 200)
    kind = next(iter(KINDS))
    verdict = run_case(0, 1, lambda c, _: bad_file(c, kind), lambda *_: "result", nobody)
    assert (verdict.ended, len(held)) == ("result", 300 << 20)
