"""What counts as a valid answer, and what as a failure."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from probtrees.errors import ProbTreesError

LONGEST_SENTENCE = 700
"""Characters; names from data are part of a sentence, but shortened."""


class InvalidAnswerError(AssertionError):
    """The program answered, and the answer is wrong by its form alone."""


def demand(holds: bool, what: str) -> None:
    """Raise unless a promise holds."""
    if not holds:
        raise InvalidAnswerError(what)


def check_probabilities(proba: Any, n_rows: int, n_classes: int) -> None:
    """Finite, within [0, 1], and every row sums to 1."""
    demand(proba.shape == (n_rows, n_classes), f"shape {proba.shape} for {(n_rows, n_classes)}")
    demand(bool(np.isfinite(proba).all()), "a probability is not finite")
    demand(bool(((proba >= 0) & (proba <= 1)).all()), "a probability is not within [0, 1]")
    sums = proba.sum(axis=1)
    demand(bool(np.abs(sums - 1).max(initial=0) < 1e-9), f"rows sum to {sums.min()}..{sums.max()}")


def check_sentence(problem: ProbTreesError | str) -> None:
    """One line a person can read: it ends like a sentence and is not a whole page."""
    said = str(problem)
    demand(said.strip() != "", "an error without words")
    demand(len(said.splitlines()) == 1, f"more than one line: {said[:300]!r}")
    demand(said.rstrip().endswith((".", "?", "'")), f"no sentence: {said[:300]!r}")
    demand(len(said) <= LONGEST_SENTENCE, f"{len(said)} characters: {said[:300]!r}")
    demand("Traceback" not in said, "a traceback")
    demand(
        re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", said) is None,
        f"control characters: {said[:300]!r}",
    )
