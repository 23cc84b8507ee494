"""The steps of the lesson, in the order of the papers."""

from __future__ import annotations

from probtrees.ui.learn.words.counts_and_parents import BRANCH, CONSTANT, RAW
from probtrees.ui.learn.words.families import DIRICHLET, GIBBS, RESTAURANT
from probtrees.ui.learn.words.judgement import GRADIENT, NETWORK, VERDICT

STEPS = (RAW, CONSTANT, BRANCH, DIRICHLET, RESTAURANT, GIBBS, GRADIENT, VERDICT, NETWORK)

LAST_STEP = len(STEPS) - 1


def position_of(text: str) -> int:
    """Find the place of the step that a link names, or numbers as links once did.

    >>> position_of("hgs"), position_of("3")
    (6, 6)
    """
    for at, step in enumerate(STEPS):
        if text in (step.name, str(step.number)):
            return at
    raise ValueError(text)
