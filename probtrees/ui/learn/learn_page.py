"""The address of a lesson: a link reproduces the step, the counts, the settings and the seed.

The names and the format version are a promise: a link on a slide must work next year.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from probtrees.ui.learn.subject import GENE_COUNTS, LARGEST_COUNT
from probtrees.ui.shared.link_readers import as_digit, between, whole, yes_or_no

FORMAT = "1"


@dataclass(frozen=True)
class Lesson:
    """What a link holds.

    Attributes
    ----------
    step : number of the step, from 0
    counts : the six counts of the gene example
    strength : m of the m-estimate
    branch : M of M-branch
    weight : weight of every ancestor in HGS
    sweeps, seed : of HDP
    told : whether the answers are shown, or to be guessed first
    walked : how many nodes of the walk down the branch are shown; 0: all
    """

    step: int = 0
    counts: tuple[int, ...] = GENE_COUNTS
    strength: float = 1.0
    branch: float = 4.0
    weight: float = 1.0
    sweeps: int = 1000
    seed: int = 0
    told: bool = False
    walked: int = 0

    def to_query(self) -> dict[str, str]:
        """Write the lesson as parts of an address; what is usual is left out."""
        parts = {"v": FORMAT}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                parts[field.name] = _WRITERS.get(field.name, str)(value)
        return parts


def read_lesson(query: dict[str, str]) -> tuple[Lesson, list[str]]:
    """Read a link; parts that cannot be followed are named and left at the usual."""
    lesson, problems = Lesson(), []
    if query.get("v", FORMAT) != FORMAT:
        problems.append("v")
    for name, read in _READERS.items():
        if name not in query:
            continue
        try:
            lesson = replace(lesson, **{name: read(query[name])})
        except ValueError:
            problems.append(name)
    return lesson, problems


def _read_counts(text: str) -> tuple[int, ...]:
    counts = tuple(whole(0, LARGEST_COUNT)(part) for part in text.split("-"))
    if len(counts) != len(GENE_COUNTS):
        raise ValueError(text)
    return counts


def _write_counts(counts: tuple[int, ...]) -> str:
    return "-".join(str(count) for count in counts)


LAST_STEP = 5
MOST_STRENGTH, MOST_BRANCH, MOST_WEIGHT, MOST_SWEEPS = 20.0, 20.0, 20.0, 5000

_READERS: dict[str, Callable[[str], Any]] = {
    "step": whole(0, LAST_STEP),
    "counts": _read_counts,
    "strength": between(0, MOST_STRENGTH),
    "branch": between(0, MOST_BRANCH),
    "weight": between(0, MOST_WEIGHT),
    "sweeps": whole(10, MOST_SWEEPS),
    "seed": whole(0, 2**31),
    "told": yes_or_no,
    "walked": whole(0, 10_000),
}
_WRITERS: dict[str, Callable[[Any], str]] = {
    "counts": _write_counts,
    "told": as_digit,
    "strength": "{:g}".format,
    "branch": "{:g}".format,
    "weight": "{:g}".format,
}
