"""The parts of a report that show a tree: picture, explained leaves, track record, all leaves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from probtrees.draw.bars import SmootherAnswer, estimates_html
from probtrees.draw.escape import shorten
from probtrees.draw.ladder import axis_of_tree, ladder_html
from probtrees.draw.leaf_explanation import headline_html, headline_words, rings_html, spread_text
from probtrees.draw.legend import Legend, legend_html
from probtrees.draw.node_card import outline
from probtrees.draw.palette import Theme
from probtrees.draw.tables import (
    CHANCE_FROM,
    CHANCE_TO,
    LUCK,
    TRACK_RECORD,
    UNSEEN_ROWS,
    leaf_table,
)
from probtrees.draw.tree import open_to_depth, opened_branches, tree_dot, with_paths
from probtrees.explain.detail import FIRST_GROUPS, detail_order, group_probs, is_group_mean
from probtrees.explain.leaf import PULLED_TOWARDS, Explanation, explain_leaf, leaf_to_show
from probtrees.explain.rule import outcome_names
from probtrees.explain.track import (
    TRACK_HEAD,
    interval_sentence,
    interval_text,
    track_lines,
    track_sentence,
)
from probtrees.model.track_record import LeafInterval, TrackRecord
from probtrees.report.html_page import HtmlPage, report_picture
from probtrees.report.masking import Mask, masked
from probtrees.score.decision import Cut
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.types import IntArray
from probtrees.words import count_text, percent, plural

_PICTURED = 80
"""Nodes that a picture holds at most, besides the ways to the pinned leaves."""

_OUTLINED = 6
"""Levels of the tree that are also given as text."""

MOST_LEAVES = 2000
"""Leaves that are listed; the largest."""

_RULE = 300
"""Characters of a rule that are printed."""

_READ = 40
"""Leaves that are read one after the other; more are folded away."""


@dataclass(frozen=True)
class TreeParts:
    """A tree and everything a report needs to speak about it.

    Attributes
    ----------
    smoothed, schema, outcome : what is shown
    smoother : the smoother's label
    others : what other smoothers make of the tree, by label
    track_record : what happened to unseen rows
    act : on whom the picture says to act; not under a mask
    """

    smoothed: SmoothedTree
    schema: Schema
    outcome: int
    smoother: str
    others: Mapping[str, SmoothedTree] = field(default_factory=dict)
    track_record: TrackRecord | None = None
    act: Cut | None = None

    @cached_property
    def answers(self) -> dict[str, SmoothedTree]:
        """Every smoother's tree, by label."""
        own = {self.smoother: self.smoothed}
        return {**({} if self.smoother in self.others else own), **self.others, **own}

    def merged(self, mask: Mask) -> tuple[TreeParts, IntArray]:
        """Return the tree with small groups merged, and where its former nodes are now."""
        small = masked(self.smoothed.tree, self.schema, mask)
        smoothed = small.smooth(self.smoothed)
        others = {label: small.smooth(tree) for label, tree in self.others.items()}
        outcome = int(small.outcome_of[self.outcome])
        return TreeParts(smoothed, small.schema, outcome, self.smoother, others), small.place_of

    def leaf_interval(self, leaf: int) -> LeafInterval | None:
        """Bound the true rate of a leaf, judged by rows not used to grow."""
        if self.track_record is None:
            return None
        probability = float(self.smoothed.probs[leaf, self.outcome])
        rows = float(self.smoothed.tree.arrays.weight[leaf])
        return self.track_record.leaf_interval(probability, rows, self.outcome)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes' names."""
        return outcome_names(self.smoothed.tree, self.schema)

    @property
    def base_rate(self) -> float:
        """How often the outcome occurs among all rows."""
        tree = self.smoothed.tree
        return float(tree.arrays.counts[0, self.outcome] / max(float(tree.totals[0]), 1e-300))


def tree_summary(parts: TreeParts, label: str, source: str) -> str:
    """Say in plain words what the tree is and what it says."""
    tree = parts.smoothed.tree
    rows, cases = float(tree.totals[0]), float(tree.arrays.counts[0, parts.outcome])
    name, target = parts.outcomes[parts.outcome], parts.schema.columns[tree.target].name
    probs = parts.smoothed.probs[tree.leaves[tree.totals[tree.leaves] > 0], parts.outcome]
    lowest, highest = (percent(float(end)) for end in (probs.min(initial=1), probs.max(initial=0)))
    return (
        f"This {label} of {tree.n_leaves:,} leaves was grown from "
        f"{plural(rows, tree.rows_word)} of {source}. It says how probable "
        f"{target} = {name} is. Among all rows that is "
        f"{percent(parts.base_rate)} ({count_text(cases)} of {count_text(rows)}). Its "
        f"probabilities are smoothed by {parts.smoother}; they run from {lowest} to {highest} "
        "over the leaves."
    )


def tree_picture(
    smoothed: SmoothedTree,
    schema: Schema,
    outcome: int,
    shown: Collection[int],
    theme: Theme,
    act: Cut | None = None,
) -> str:
    """Draw some nodes of a tree, and what their colours mean."""
    dot = tree_dot(smoothed, schema, outcome=outcome, visible=shown, act=act, theme=theme)
    legend = Legend.of_tree(smoothed, schema, outcome)
    legend = replace(legend, colour_by="acting") if act else legend
    return report_picture(dot, theme) + legend_html(legend, theme=theme)


def add_tree(
    page: HtmlPage, parts: TreeParts, pins: Sequence[tuple[int, str]], levels: int | None
) -> None:
    """Add the picture and the explained leaves.

    Parameters
    ----------
    levels : how many levels the picture has; if None, the groups that tell most apart
    """
    tree = parts.smoothed.tree
    chosen = [(node, note) for node, note in pins if 0 <= node < tree.n_nodes]
    page.heading("The tree")
    if levels is None:  # what the app opens with
        opened = detail_order(parts.smoothed).opened(FIRST_GROUPS)
        shown = opened_branches(tree, opened)
    else:
        shown = open_to_depth(tree, levels, _PICTURED)
    shown = with_paths(tree, shown, [node for node, _ in chosen])

    drawn = (parts.smoothed, parts.schema, parts.outcome, shown)
    page.themed(lambda theme: tree_picture(*drawn, theme, parts.act))
    if len(shown) < tree.n_nodes:
        page.text(f"{len(shown):,} of {tree.n_nodes:,} nodes are drawn.", note=True)
    text = outline(parts.smoothed, parts.schema, outcome=parts.outcome, max_depth=_OUTLINED)
    page.preformatted(text, folded="The tree as text")
    page.heading("Groups explained" if len(chosen) > 1 else "One group explained")
    for node, note in chosen or [(leaf_to_show(parts.smoothed, parts.outcome), "")]:
        add_card(page, parts, node, note)


def add_card(page: HtmlPage, parts: TreeParts, node: int, note: str = "") -> None:
    """Explain one node in a box of its own."""
    explained = explain_leaf(parts.smoothed, node, parts.schema, parts.outcome)
    is_leaf = bool(parts.smoothed.tree.is_leaf[node])
    page.markup('<section class="card">')
    page.themed(lambda theme: _card_top(parts, explained, theme))
    if note.strip():
        page.words(note.strip())
    page.text(explained.sentence)
    page.themed(lambda theme: rings_html(parts.smoothed, parts.schema, explained, theme=theme))
    formula = [explained.formula.general, "", *explained.formula.steps]
    interval = parts.leaf_interval(node) if is_leaf else None
    if is_leaf and (record := parts.track_record) is not None:
        similar = record.lookup(explained.probability, parts.outcome)
        page.text("Track record. " + track_sentence(similar))
    if interval is not None:
        page.text(interval_sentence(interval))
    if said := spread_text(explained, parts.smoothed):
        page.text(said, note=True)
    if is_group_mean(parts.smoothed, node):
        formula += ["", PULLED_TOWARDS]
    page.preformatted("\n".join(formula), folded="The formula, filled in")
    for remark in explained.card_notes:
        page.text(remark, note=True)
    answers = [
        SmootherAnswer(
            label, float(group_probs(tree)[node, parts.outcome]), label == parts.smoother
        )
        for label, tree in parts.answers.items()
    ]
    page.themed(lambda theme: estimates_html(answers, parts.base_rate, theme=theme))
    page.markup("</section>")


def _card_top(parts: TreeParts, explained: Explanation, theme: Theme) -> str:
    """Draw the headline and the ladder."""
    node, spread = explained.node, explained.spread
    kind, number = headline_words(parts.smoothed, explained, parts.smoother)
    kind, target = f"Node {node} · {kind}", parts.schema.columns[parts.smoothed.tree.target].name
    top = headline_html(explained, target, kind=kind, number=number, theme=theme)
    interval = None if spread is None else (spread.lower, spread.upper)
    axis = axis_of_tree(parts.smoothed, parts.outcome)
    return top + ladder_html(explained.steps, axis, interval=interval, theme=theme)


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


def add_leaves(page: HtmlPage, parts: TreeParts) -> None:
    """Add the table of all leaves."""
    record = parts.track_record
    track = None if record is None else (record, parts.smoothed)
    table = leaf_table(parts.answers, parts.schema, parts.outcome, track)
    rows_word, n_leaves = parts.smoothed.tree.rows_word, len(table)
    columns: dict[str, Callable[[Any], str]] = {
        "rule": lambda leaf: shorten(leaf["rule"], _RULE),
        "node": lambda leaf: str(leaf["node"]),
        rows_word: lambda leaf: count_text(leaf["rows"]),
        "cases": lambda leaf: count_text(leaf["cases"]),
        "observed": lambda leaf: percent(leaf["observed"]) if leaf["rows"] else "no rows",
    }
    columns |= {name: partial(_share, name) for name in (*parts.answers, "disagreement")}
    if track is not None:
        columns["track record"] = _similar
        columns["chance between"] = lambda leaf: interval_text(leaf[CHANCE_FROM], leaf[CHANCE_TO])
    page.heading("All leaves")
    page.text(LUCK)
    page.listed(
        table.head(MOST_LEAVES).to_dict("records"),
        columns,
        caption="The largest first. A click on a column's head sorts by it.",
        folded=f"{min(n_leaves, MOST_LEAVES):,} leaves" if n_leaves > _READ else "",
    )
    if n_leaves > MOST_LEAVES:
        page.text(f"The {MOST_LEAVES:,} largest of {n_leaves:,} leaves.", note=True)


def _share(name: str, leaf: Mapping[str, Any]) -> str:
    return percent(leaf[name])


def _similar(leaf: Mapping[str, Any]) -> str:
    """Print how unseen rows fared that were given a similar number."""
    rows = leaf[UNSEEN_ROWS]
    return f"{percent(leaf[TRACK_RECORD])} of {count_text(rows)}" if rows else "no similar rows"
