"""The tables of a report: how its numbers fared on unseen rows, and all leaves."""

from __future__ import annotations

import numpy as np

from probtrees.draw.escape import shorten
from probtrees.draw.tables import LUCK
from probtrees.explain.rule import all_rules, conditions_text
from probtrees.explain.track import TRACK_HEAD, interval_text, track_lines
from probtrees.report.html_page import HtmlPage
from probtrees.report.tree_report import TreeParts
from probtrees.words import count_text, percent

MOST_LEAVES = 2000
"""Leaves that are listed; the largest."""

_RULE = 300
"""Characters of a rule that are printed."""


def add_track_record(page: HtmlPage, parts: TreeParts) -> None:
    """Add what happened to unseen rows, by the number they were given."""
    if parts.track_record is None:
        return
    page.heading("How such numbers fared on unseen rows")
    page.text(
        "Every row was asked of a tree grown without it and smoothed alike. Where the rate lies "
        "near what was given, the numbers can be taken at their word."
    )
    page.table([list(TRACK_HEAD), *track_lines(parts.track_record, parts.outcome)])


_READ, _FIRST = 40, 25
"""Leaves that are read one after the other; of more, as many come first and all are folded."""


def add_leaves(page: HtmlPage, parts: TreeParts) -> None:
    """Add the table of all leaves."""
    tree = parts.smoothed.tree
    page.heading("All leaves")
    page.text(LUCK)
    leaves = tree.leaves[np.lexsort((tree.leaves, -tree.totals[tree.leaves]))][
        :MOST_LEAVES
    ].tolist()
    rules = all_rules(tree, parts.schema)
    head = ["rule", "node", tree.rows_word, "cases", "observed", *parts.answers, "disagreement"]
    if parts.track_record is not None:
        head += ["track record", "chance between"]
    lines = [
        [shorten(conditions_text(rules[leaf]), _RULE), *_leaf_line(parts, leaf)] for leaf in leaves
    ]
    if len(lines) > _READ:
        page.table([head, *lines[:_FIRST]], caption=f"The {_FIRST} largest leaves.")
    page.table(
        [head, *lines],
        sortable=True,
        caption="A click on a column's head sorts by it.",
        folded=f"{len(lines):,} leaves" if len(lines) > _READ else "",
    )
    if tree.n_leaves > MOST_LEAVES:
        page.text(f"The {MOST_LEAVES:,} largest of {tree.n_leaves:,} leaves.", note=True)


def _leaf_line(parts: TreeParts, leaf: int) -> list[str]:
    """Print one leaf."""
    tree, outcome = parts.smoothed.tree, parts.outcome
    rows, cases = float(tree.totals[leaf]), float(tree.arrays.counts[leaf, outcome])
    answers = [float(smoothed.probs[leaf, outcome]) for smoothed in parts.answers.values()]
    observed = percent(cases / rows) if rows > 0 else "no rows"
    line = [str(leaf), count_text(rows), count_text(cases), observed]
    line += [percent(answer) for answer in answers]
    line.append(percent(max(answers) - min(answers)))
    if parts.track_record is not None:
        similar = parts.track_record.lookup(float(parts.smoothed.probs[leaf, outcome]), outcome)
        line.append(
            f"{percent(similar.cases / similar.rows)} of {count_text(similar.rows)}"
            if similar.rows > 0
            else "no similar rows"
        )
        interval = parts.leaf_interval(leaf)
        line.append("not shown" if interval is None else interval_text(interval))
    return line
