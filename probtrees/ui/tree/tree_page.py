"""The Tree page: its help, and what its link holds."""

from __future__ import annotations

from probtrees.draw.palette import COLOUR_BY_WORDS
from probtrees.experiment.registry import SMOOTHERS
from probtrees.ui.shared.link_choices import LinkChoice, one_of, whole
from probtrees.ui.shared.page import Page
from probtrees.ui.shared.session import state
from probtrees.ui.shared.smoother_options import smoothing_choices
from probtrees.ui.shared.table_source import table_choices
from probtrees.ui.shared.workbench import growing_choices

TAB = "tree.tab"
TABS = ("Leaf table", "Rows", "Follow a row", "Outline")
"""What stands below the picture of a tree."""

FORM = "tree.form"
FORMS = {"tree": "Tree", "shaped": "Tree + shapes"}
"""Whether leaves have one number for all their rows, or columns add to every row's own."""

WHAT_IF = "what if"
WHAT_IF_HELP = "Type the values of a row beside the picture and see its way light up."

_HELP = """
**What you see.** A decision tree: every row of the table goes down from the left to one leaf. The
panel on the right says what chance the leaf gives to the *outcome of interest*, and whose rows
that number rests on.

**How to read it.** An edge is as wide as its rows are many. Orange is above the overall rate, blue
below. The ladder in the panel goes from all rows to the leaf's few; the dashed line is the overall
rate. The *track record* says what happened to unseen rows that were given a similar number.

**What to do.** Click a node, or walk with the arrow keys; Enter opens and closes, `/` searches
("n < 5", "p > 0.9", "class = sick"), `f` looks at a part, Escape at the whole. Choose another
smoother above the picture, and under *View* a second one to compare it with. The slider goes from
the few groups that differ most to the whole tree; it changes the picture, not the tree. *What
if* asks for a row's values beside the picture and lights its way. Pin up to three leaves to print
them on one page. *Outline* is the same tree as text. *Export* makes a report,
saves the model and loads one, and scores a file. The sliders beside the smoothers hold their
options. *Tree + shapes* gives every column a curve of its own beside the tree: every row then has
a number of its own, which is taken apart exactly.
"""


def _choices() -> dict[str, LinkChoice]:
    """List what the link holds."""
    return (
        table_choices()
        | growing_choices()
        | smoothing_choices()
        | {
            state.OTHER: LinkChoice(state.OTHER, one_of(lambda: SMOOTHERS)),
            state.COLOUR: LinkChoice(state.COLOUR, one_of(lambda: COLOUR_BY_WORDS), usual="lift"),
            state.NODE: LinkChoice(state.NODE, whole()),
            state.ROW: LinkChoice(state.ROW, whole(1), usual=1),
            FORM: LinkChoice(FORM, one_of(lambda: FORMS), usual="tree"),
            TAB: LinkChoice(TAB, one_of(lambda: TABS), usual=TABS[0]),
        }
    )


TREE = Page("tree", "Tree", _HELP, _choices)
