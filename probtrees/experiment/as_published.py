"""The preset that reproduces the published tables: every quirk of their program at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from probtrees.errors import OptionError
from probtrees.smooth.as_published import AsPublished
from probtrees.smooth.smoothed_tree import Smoother

_QUIRKS: dict[str, dict[str, Any]] = {
    "m-branch": {"chained": True},
    "hgs": {"fit": "published", "weights": "single", "loss": "squared"},
}
"""By smoother, the options under which it does what the published program did."""


def learner_as_published(learner: Any) -> Any:
    """Let a tree learner split rows and place thresholds as the published program did."""
    if not hasattr(learner, "middle_slack"):
        raise OptionError(
            f"as_published must not be set for {learner.name!r}. The published tables that it "
            "reproduces are about C4.5 trees: choose 'c45'."
        )
    return replace(learner, missing="fraction", middle_slack=1e-6)


def smoother_as_published(smoother: Smoother) -> Smoother:
    """Wrap a smoother in the habits of the published program, unless it already is."""
    if isinstance(smoother, AsPublished):
        return smoother
    quirks = _QUIRKS.get(smoother.name)
    return AsPublished(smoother if quirks is None else replace(smoother, **quirks))  # type: ignore[type-var]
