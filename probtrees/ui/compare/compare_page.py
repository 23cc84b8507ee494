"""The Compare page: its help, what can be chosen on it, and what its link holds."""

from __future__ import annotations

from probtrees.experiment.evaluation.verdict import MARGIN as USUAL_MARGIN
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.score.measures import main_measures
from probtrees.ui.network.network_page import network_option_choices
from probtrees.ui.shared.page import (
    LinkChoice,
    Page,
    between,
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
LIT, REFERENCE, MARGIN = "compare.lit", "compare.reference", "compare.margin"
"""The method lit in all pictures, the one that differences are to, and what is too small."""
KIND, THRESHOLD = "compare.kind", "compare.threshold"
BIN = "compare.bin"
"""The bin of the reliability diagram whose rows are listed."""
DOT, CELL, ROW = "compare.dot", "compare.cell", "compare.row"
"""The number of the row chosen where one method is drawn against another, the cell of the table of
mistakes whose rows are listed, and the number of the row explained."""
MEASURE = "compare.measure"
"""What differences are of."""
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
VIEWS = ("Where they differ", "Reliability", "Curves", "Threshold", "Costs", "More")
TABS = ("On this table", "On another table", "Earlier comparisons")
HIGHEST_COST = 1e9
DECISION = "Decision curve"
KINDS = ("ROC", "Precision and recall", "Gain", "Lift", DECISION)
_LONGEST_NAME = 300


_HELP = """
**What you see.** Models and smoothers on the same rows, each predicted by one that has not seen it.

**Read the picture.** Each bar is a method's difference to the one to use: in the shaded band it is
as good, beyond it worse, across its edge the dot decides. Click a name to highlight it everywhere.

**Measures.** *Brier* and *log loss* judge probabilities, *AUC* the ranking, the *calibration error*
whether 30 % means 30 %. *% best*, *% as good*: the chance of a method to be so, up to the margin.
"""


def _method(text: str) -> str:
    """Read the name of a method; whether it is compared is known when there are results."""
    if not 0 < len(text) <= _LONGEST_NAME:
        raise ValueError(text)
    return text


def _view(text: str) -> str:
    """Read a view; one has changed its name."""
    return one_of(lambda: VIEWS)(text.replace("One against another", VIEWS[0]))


def _choices() -> dict[str, LinkChoice]:
    """List what the link holds."""
    cost = between(0, HIGHEST_COST)
    own = (
        LinkChoice(MODELS, several_of(lambda: LEARNERS), ",".join, ["c45"]),
        LinkChoice(
            SMOOTHER_NAMES, several_of(lambda: SMOOTHERS), ",".join, list(DEFAULT_SMOOTHERS)
        ),
        LinkChoice(FOLDS, whole(2, MOST_FOLDS), usual=10),
        LinkChoice(REPEATS, whole(1, MOST_REPEATS), usual=1),
        LinkChoice(SCHEME, one_of(lambda: SCHEMES), usual="folds"),
        LinkChoice(SHARE, whole(5, 95), usual=33),
        LinkChoice(SEED, whole(0, MOST_SEEDS), usual=0),
        LinkChoice(OTHERS, yes_or_no, "{:d}".format, False),
        LinkChoice(PUBLISHED, yes_or_no, "{:d}".format, False),
        LinkChoice(CALIBRATE, one_of(lambda: CALIBRATIONS), usual="none"),
        LinkChoice(FALSE_ALARM, cost, "{:g}".format, 1.0),
        LinkChoice(MISS, cost, "{:g}".format, 5.0),
        LinkChoice(VIEW, _view, usual=VIEWS[0]),
        LinkChoice(TAB, one_of(lambda: TABS), usual=TABS[0]),
        LinkChoice(BIN, whole(0, MOST_BINS)),
        *(LinkChoice(key, _method) for key in (METHOD, ACTING, UP, ACROSS, LIT, REFERENCE)),
        LinkChoice(MARGIN, between(0, 1), "{:g}".format, USUAL_MARGIN),
        LinkChoice(KIND, one_of(lambda: KINDS), usual=KINDS[0]),
        LinkChoice(THRESHOLD, between(0, 100), "{:g}".format, 50.0),
        *(LinkChoice(key, whole(1)) for key in (DOT, ROW)),
        LinkChoice(CELL, whole()),
        LinkChoice(
            MEASURE, one_of(lambda: [one.name for one in main_measures()]), usual=DEFAULT_MEASURE
        ),
        LinkChoice(STARTED, yes_or_no, "{:d}".format, False),
    )
    choices = table_choices() | growing_choices() | smoothing_choices()
    choices |= network_option_choices()
    return choices | {choice.key: choice for choice in own}


COMPARE = Page("compare", "Compare", _HELP, _choices)
