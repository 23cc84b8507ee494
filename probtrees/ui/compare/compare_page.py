"""The Compare page: its help, what can be chosen on it, and what its link holds."""

from __future__ import annotations

from probtrees.experiment.evaluation.leading_methods import Over
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.score.measures import main_measures
from probtrees.ui.network.network_page import network_option_choices
from probtrees.ui.shared.page import (
    LinkChoice,
    Page,
    as_digit,
    between,
    joined,
    one_of,
    several_of,
    table_choices,
    whole,
    yes_or_no,
)
from probtrees.ui.shared.smoother_options import CALIBRATIONS, smoothing_choices
from probtrees.ui.shared.workbench import growing_choices

MODELS, SMOOTHER_NAMES, CALIBRATE = "compare.models", "compare.smoothers", "compare.calibrate"
FOLDS, REPEATS, SEED = "compare.folds", "compare.repeats", "compare.seed"
SCHEME, SHARE = "compare.scheme", "compare.share"
PUBLISHED, OTHERS = "compare.published", "compare.others"
"""Whether published habits are repeated, and whether methods of others are measured too."""
FALSE_ALARM, MISS = "compare.alarm", "compare.miss"
VIEW, TAB = "compare.view", "compare.tab"
METHOD, ACTING = "compare.reliability", "compare.acting"
UP, ACROSS = "compare.first", "compare.second"
"""The methods whose reliability, threshold and forecasts against each other are shown."""
OVERLAID, DRAWN = "compare.overlaid", "compare.drawn"
"""Further methods in the reliability diagram, and those whose curves are drawn."""
KIND, THRESHOLD = "compare.kind", "compare.threshold"
BIN, EQUAL_ROWS = "compare.bin", "compare.bins"
"""The bin of the reliability diagram whose rows are listed; whether bins have equally many."""
DOT, BOX = "compare.dot", "compare.box"
"""Where one method is drawn against another: the number of the row that is chosen, and the box that
is drawn, across from and to, up from and to."""
CELL, ROW = "compare.cell", "compare.row"
"""The cell of the table of mistakes whose rows are listed; the number of the row explained."""
MEASURE, OVER = "compare.measure", "compare.over"
"""What the table is sorted by and tests are about, and what differences are tested over."""
OVERS: dict[Over, str] = {"rows": "row by row", "folds": "over the folds"}
STARTED = "compare.started"
"""Whether the comparison was run: a link to it shows what was found, where that is known."""

DEFAULT_SMOOTHERS = ("mle", "laplace", "m-estimate", "m-branch", "hdp", "hgs", "blend")
PUBLISHED_SMOOTHERS = ("mle", "laplace", "m-estimate", "m-branch", "hdp", "hgs-published")
DEFAULT_MEASURE = "brier"
SCHEMES = {
    "folds": "parts in turn (folds)",
    "5x2": "halves, five times",
    "loo": "one row at a time",
    "holdout": "one part, once",
    "given": "as a file says",
}
"""How rows can be held out, by the name the command line gives it."""
MOST_SEEDS = 10**6
MOST_BINS = 10
MOST_FOLDS, MOST_REPEATS = 50, 20
VIEWS = ("Reliability", "Curves", "Threshold", "One against another", "Costs", "More")
TABS = ("On this table", "On another table", "Earlier comparisons")
HIGHEST_COST = 1e9
DECISION = "Decision curve"
KINDS = ("ROC", "Precision and recall", "Gain", "Lift", DECISION)
_LONGEST_NAME = 300


_HELP = """
**What you see.** Models and smoothers on the same rows, each predicted by one that has not seen it.

**Read the order.** Methods with a dot cannot be distinguished from the best, which has a star.

**Measures.** *Brier* and *log loss* judge probabilities, *AUC* the ranking, the *calibration error*
whether 30 % means 30 %.

**Look closer.** Click a dot of the reliability diagram for its rows; under *Costs* say what a false
alarm and a miss cost.

**Other rows.** *On another table* holds a model against rows of another year or place.
"""


def _method(text: str) -> str:
    """Read the name of a method; whether it is compared is known when there are results."""
    if not 0 < len(text) <= _LONGEST_NAME:
        raise ValueError(text)
    return text


def _methods(text: str) -> list[str]:
    return [_method(name) for name in text.split("|") if name]


def _box(text: str) -> tuple[float, ...]:
    """Read the ends of a box of chances; it may be drawn a little beyond them."""
    ends = tuple(map(between(-1, 2), text.split(",")))
    if len(ends) != 4:
        raise ValueError(text)
    return ends


def _choices() -> dict[str, LinkChoice]:
    """List what the link holds."""
    cost = between(0, HIGHEST_COST)
    own = (
        LinkChoice(MODELS, several_of(lambda: LEARNERS), joined, ["c45"]),
        LinkChoice(SMOOTHER_NAMES, several_of(lambda: SMOOTHERS), joined, list(DEFAULT_SMOOTHERS)),
        LinkChoice(FOLDS, whole(2, MOST_FOLDS), usual=10),
        LinkChoice(REPEATS, whole(1, MOST_REPEATS), usual=1),
        LinkChoice(SCHEME, one_of(lambda: SCHEMES), usual="folds"),
        LinkChoice(SHARE, whole(5, 95), usual=33),
        LinkChoice(SEED, whole(0, MOST_SEEDS), usual=0),
        LinkChoice(OTHERS, yes_or_no, as_digit, False),
        LinkChoice(PUBLISHED, yes_or_no, as_digit, False),
        LinkChoice(CALIBRATE, one_of(lambda: CALIBRATIONS), usual="none"),
        LinkChoice(FALSE_ALARM, cost, "{:g}".format, 1.0),
        LinkChoice(MISS, cost, "{:g}".format, 5.0),
        LinkChoice(VIEW, one_of(lambda: VIEWS), usual=VIEWS[0]),
        LinkChoice(TAB, one_of(lambda: TABS), usual=TABS[0]),
        LinkChoice(BIN, whole(0, MOST_BINS)),
        *(LinkChoice(key, _method) for key in (METHOD, ACTING, UP, ACROSS)),
        *(LinkChoice(key, _methods, "|".join, []) for key in (OVERLAID, DRAWN)),
        LinkChoice(KIND, one_of(lambda: KINDS), usual=KINDS[0]),
        LinkChoice(THRESHOLD, between(0, 100), "{:g}".format, 50.0),
        LinkChoice(EQUAL_ROWS, yes_or_no, as_digit, False),
        *(LinkChoice(key, whole(1)) for key in (DOT, ROW)),
        LinkChoice(CELL, whole()),
        LinkChoice(BOX, _box, lambda box: ",".join(f"{end:g}" for end in box)),
        LinkChoice(
            MEASURE, one_of(lambda: [one.name for one in main_measures()]), usual=DEFAULT_MEASURE
        ),
        LinkChoice(OVER, one_of(lambda: OVERS), usual="rows"),
        LinkChoice(STARTED, yes_or_no, as_digit, False),
    )
    choices = table_choices() | growing_choices() | smoothing_choices()
    choices |= network_option_choices()
    return choices | {choice.key: choice for choice in own}


COMPARE = Page("compare", "Compare", _HELP, _choices)
