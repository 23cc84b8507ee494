"""What can be chosen on the Compare page, and how a link holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.ui.shared.link_readers import (
    as_digit,
    between,
    joined,
    one_of,
    several_of,
    whole,
    yes_or_no,
)

MODELS = "compare.models"
SMOOTHER_NAMES = "compare.smoothers"
FOLDS = "compare.folds"
REPEATS = "compare.repeats"
PUBLISHED = "compare.published"
FALSE_ALARM = "compare.alarm"
MISS = "compare.miss"
VIEW = "compare.view"
STARTED = "compare.started"
"""Whether the comparison was run, so that its link runs it too."""

DEFAULT_SMOOTHERS = ("mle", "laplace", "m-branch", "hgs", "blend")
PUBLISHED_SMOOTHERS = ("mle", "laplace", "m-estimate", "m-branch", "hdp", "hgs-published")
MOST_FOLDS, MOST_REPEATS = 50, 20
VIEWS = ("Reliability", "One against another", "Costs", "More")
HIGHEST_COST = 1e9


def link_parts() -> dict[str, tuple[Callable[[str], Any], Callable[[Any], str], Any]]:
    """Say how each choice is read from a link and written, and what is usual."""
    cost = between(0, HIGHEST_COST)
    return {
        MODELS: (several_of(lambda: LEARNERS), joined, ["c45"]),
        SMOOTHER_NAMES: (several_of(lambda: SMOOTHERS), joined, list(DEFAULT_SMOOTHERS)),
        FOLDS: (whole(2, MOST_FOLDS), str, 10),
        REPEATS: (whole(1, MOST_REPEATS), str, 1),
        PUBLISHED: (yes_or_no, as_digit, False),
        FALSE_ALARM: (cost, "{:g}".format, 1.0),
        MISS: (cost, "{:g}".format, 5.0),
        VIEW: (one_of(lambda: VIEWS), str, VIEWS[0]),
        STARTED: (yes_or_no, as_digit, False),
    }
