"""What the Help of every page says: what is on it, how to read it, what to do next."""

from __future__ import annotations

EVERYWHERE = """
**Everywhere.** *Change data* takes another sample or a file of your own; it stays in the memory
of this server and is sent nowhere. *Link* gives the address of what you see. The question marks
explain single controls. Pages remember what you chose while this tab is open.
"""

HELP: dict[str, str] = {
    "tree": """
**What you see.** A decision tree: every row of the table goes down from the left to one leaf. The
panel on the right says what chance the leaf gives to the *outcome of interest*, and whose rows
that number rests on.

**How to read it.** An edge is as wide as its rows are many. Orange is above the overall rate, blue
below. The ladder in the panel goes from all rows to the leaf's few; the dashed line is the overall
rate. The *track record* says what happened to unseen rows that were given a similar number.

**What to do.** Click a node, or walk with the arrow keys; Enter opens and closes, `/` searches
("n < 5", "p > 0.9", "class = sick"), `f` looks at a part, Escape at the whole. Choose another
smoother above the picture, and a second one to compare it with. Pin up to three leaves to print
them on one page. *Outline* is the same tree as text. *Export* makes a report, saves the model and
loads one, and scores a file. The sliders beside the smoothers hold their options.
""",
    "network": """
**What you see.** A Bayesian network classifier. Every attribute has a table of the chance of its
values, given the class and the attributes that arrows come from. Thick arrows carry much
information, boxes of a stronger colour tell more about the class.

**How to read it.** Click a box: its table is drawn as the tree it is, the class first, then the
parents. The panel explains one row of the table just as it explains a leaf of a tree.
*Follow a row* says what each table adds to the odds of a class.

**What to do.** Choose the kind of network, from naive Bayes (no arrows between attributes) to an
ensemble. For selective KDB the chart of losses shows every choice that was tried; the sliders
take another. Numbers are cut into intervals first; the cuts stand on the histogram. *Export* saves
the model and loads one. A loaded network has no rows: what needs them says so, and *Back to the
table* ends it.
""",
    "compare": """
**What you see.** Models and smoothers measured on the same folds: every row is predicted by a
model that has not seen it. *Always the base rate* is the row to beat.

**How to read it.** Methods marked with a dot cannot be told from the best one; do not read more
into their order. *Brier* and *RMSE* judge the probabilities, *log loss* punishes certainty that
turns out wrong, *AUC* judges only the ranking, *ECE* only whether 30 % means 30 %.

**What to do.** Press Compare; it can be stopped, and what is finished is kept. Click a dot of the
reliability diagram to see its rows and leaves. Under *Costs* say what a false alarm and a miss
cost. A file written by `probtrees benchmark` opens in the second tab.
""",
    "learn": """
**What you see.** Smoothing explained in six steps on one leaf: a famous small example whose counts
you can edit, or any leaf of your own tree.

**What to do.** Guess, then press *Reveal*. Move the sliders; the formula is filled in with the
numbers on the page. *Link* gives an address for a slide: it brings back this step, these counts
and this seed. With `embed=true` in the address the page shows in large type without controls.
""",
    "data": """
**What you see.** The table as it will be read: what each column holds, what it is used for, what
is missing, and what you should know before believing anything grown from it.

**What to do.** Pick a sample or upload a file (CSV, TSV, ARFF, Parquet, also gzipped). Set roles:
*target* is predicted, *feature* predicted from, *ignore* left out, *weight* counts a row several
times, *group* keeps rows of one patient or customer together when folds are cut, *time* trains on
the past only. Warnings come with a button that settles them. *Use this table* builds the other
pages from it. Where the server shares a folder (`probtrees app --allow-paths DIR`), *Large data on
this server* learns from files that are too large to upload.
""",
}
