"""Where the probability of a leaf comes from: the numbers, the rings and the sentence."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import OptionError
from probtrees.explain.detail import group_probs, is_group_mean
from probtrees.explain.path import PathStep, path_steps
from probtrees.explain.rule import outcome_names, outcome_number, rule
from probtrees.explain.sentence import groups_of, mean_sentence, steps_sentence, weight_sentence
from probtrees.explain.sources import Source, fill_formula, rings, sources
from probtrees.grow.count_tree import CountTree
from probtrees.model.track_record import LeafInterval, TrackRecord
from probtrees.smooth.smoothed_tree import FilledFormula, SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import percent

SPREAD_NOTE = "spread given this tree; it ignores that the same rows chose the tree"
PSEUDO_COUNT_NOTE = "average over branches, not over rows"
PULLED_TOWARDS = f"What its leaves are pulled towards: an {PSEUDO_COUNT_NOTE}."
"""Stands beside the formula of an inner node that is shown as the mean of its leaves."""

_ALIKE = 5e-4
"""Probabilities that are no farther apart may be printed alike."""


@dataclass(frozen=True)
class Spread:
    """A posterior interval, always shown with what it is."""

    lower: float
    upper: float
    std: float | None
    level: float = 0.9
    note: str = SPREAD_NOTE


@dataclass(frozen=True)
class Explanation:
    """One outcome of one node, taken apart.

    Attributes
    ----------
    node, outcome, outcome_name : what is explained
    smoother : the smoother's name
    probability : what the smoother says
    observed : cases / rows of the node; None without rows
    overall : the same at the root: the overall rate
    rows, cases : training rows in the node, and those with the outcome
    rule : the conditions that lead here, in words; empty at the root
    steps : the way down, with observed rates and estimates
    contributions : node, ancestors, uniform: overlapping rows; points sum to probability
    rings : disjoint rows; points sum to the probability; empty where there are none
    sentence : how large it is, and on whom its weight lies; printed parts add up
    formula : the smoother's formula with the numbers filled in
    spread : a posterior interval where the smoother has one
    interval : where the true rate of a leaf like this lies, judged by rows not used to grow;
        None for inner nodes, and without a track record
    notes : what a reader must know to read the numbers rightly
    """

    node: int
    outcome: int
    outcome_name: str
    smoother: str
    probability: float
    observed: float | None
    overall: float | None
    rows: float
    cases: float
    rule: tuple[str, ...]
    steps: tuple[PathStep, ...]
    contributions: tuple[Source, ...]
    rings: tuple[Source, ...]
    sentence: str
    formula: FilledFormula
    spread: Spread | None = None
    interval: LeafInterval | None = None
    notes: tuple[str, ...] = ()

    @property
    def card_notes(self) -> tuple[str, ...]:
        """The notes on the number that cards print: an inner node's own value is not on them."""
        return tuple(note for note in self.notes if note != PSEUDO_COUNT_NOTE)

    @property
    def rule_sentence(self) -> str:
        """The rule as part of a sentence: "age is above 34 and lactate was not recorded"."""
        return " and ".join(self.rule) or "all rows"

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain values, ready for JSON."""
        record = asdict(self)
        record["formula"] = self.formula.to_dict()
        record["rule_sentence"] = self.rule_sentence
        for name in ("contributions", "rings"):
            record[name] = [source.to_dict() for source in getattr(self, name)]
        for name in ("rule", "steps", "notes"):
            record[name] = list(record[name])
        return record


def explain_leaf(
    smoothed: SmoothedTree,
    node: int,
    schema: Schema,
    outcome: int | str | None = None,
    *,
    track_record: TrackRecord | None = None,
) -> Explanation:
    """Explain one probability of a leaf, of an inner node, or of a row of a table.

    Parameters
    ----------
    schema : the columns as the tree sees them (after cutting, for a table)
    outcome : the outcome of interest by number or name; the most probable one if None
    track_record : of the model that the tree is; gives a leaf its interval
    """
    tree = smoothed.tree
    node = _check_node(tree, node)
    names = outcome_names(tree, schema)
    number = int(smoothed.probs[node].argmax())
    if outcome is not None:
        number = outcome_number(outcome, names)
    parts = smoothed.contributions(node)
    listed = sources(tree, parts, number)
    ringed = rings(tree, parts, number)
    steps = path_steps(smoothed, schema, node, number)
    probability = float(smoothed.probs[node, number])
    overall = None if node == 0 else steps[0].observed
    if is_group_mean(smoothed, node):
        mean = float(group_probs(smoothed)[node, number])
        sentence = mean_sentence(mean, overall, _n_leaves_below(tree, node))
    elif parts.log_odds is None:
        groups = groups_of(tree, schema, ringed or listed)
        sentence = weight_sentence(probability, overall, groups)
    else:
        sentence = steps_sentence(tree, schema, probability, overall, listed)
    return Explanation(
        node=node,
        outcome=number,
        outcome_name=names[number],
        smoother=smoothed.smoother.name,
        probability=probability,
        observed=steps[-1].observed,
        overall=steps[0].observed,
        rows=steps[-1].rows,
        cases=steps[-1].cases,
        rule=tuple(condition.words for condition in rule(tree, schema, node)),
        steps=steps,
        contributions=listed,
        rings=ringed,
        sentence=sentence,
        formula=fill_formula(smoothed, node, number),
        spread=_spread(smoothed, node, number),
        interval=_interval(tree, node, number, probability, track_record),
        notes=_notes(smoothed, node, number),
    )


def _interval(
    tree: CountTree, node: int, outcome: int, probability: float, record: TrackRecord | None
) -> LeafInterval | None:
    """Bound the true rate of a leaf by what happened to unseen rows; None if not known."""
    if record is None or not tree.is_leaf[node]:
        return None
    return record.leaf_interval(probability, float(tree.arrays.weight[node]), outcome)


def _check_node(tree: CountTree, node: int) -> int:
    if not isinstance(node, int | np.integer) or not 0 <= node < tree.n_nodes:
        raise OptionError(
            f"node={node!r} must be a node of the tree. It has nodes 0 to {tree.n_nodes - 1}."
        )
    return int(node)


def _spread(smoothed: SmoothedTree, node: int, outcome: int) -> Spread | None:
    """Take the posterior interval of a leaf; an inner node's would be read as a group's."""
    if smoothed.lower is None or smoothed.upper is None or not smoothed.tree.is_leaf[node]:
        return None
    std = None if smoothed.std is None else float(smoothed.std[node, outcome])
    lower, upper = smoothed.lower[node, outcome], smoothed.upper[node, outcome]
    return Spread(float(lower), float(upper), std)


def _n_leaves_below(tree: CountTree, node: int) -> int:
    """Count the leaves below a node that have rows."""
    filled = tree.is_leaf & (tree.totals > 0)
    return sum(1 for leaf in np.flatnonzero(filled).tolist() if node in tree.path(leaf))


def _notes(smoothed: SmoothedTree, node: int, outcome: int) -> tuple[str, ...]:
    """Collect what the reader must know."""
    if is_group_mean(smoothed, node):
        odd = PSEUDO_COUNT_NOTE
    else:
        odd = _against_its_rows(smoothed, node, outcome)
    return (*smoothed.warnings, *([odd] if odd else []))


def _against_its_rows(smoothed: SmoothedTree, node: int, outcome: int) -> str:
    """Say where a number looks like a mistake beside the rows of the node.

    An inner node need not be the mean of its branches, which are smoothed by themselves. A leaf of
    0 of 15 may show more than the node above it: it borrows from every group above by itself, and
    the fewer its rows, the more from the far ones.
    """
    tree, shown = smoothed.tree, group_probs(smoothed)[:, outcome]
    parent = int(tree.arrays.parent[node])
    if node == 0 or tree.totals[node] <= 0:
        return ""
    own = float(tree.arrays.counts[node, outcome] / tree.totals[node])
    number, above = float(shown[node]), float(shown[parent])
    if not tree.is_leaf[node]:
        apart = abs(own - number) > _ALIKE
        said = f"it need be neither the share of its own rows ({percent(own)}) nor the mean of its"
        return f"smoothed by itself: {said} branches" if apart else ""
    if min(abs(own - above), abs(number - above)) <= _ALIKE or (own < above) == (number < above):
        return ""
    side, rows_side = ("more", "less") if number > above else ("less", "more")
    return (
        f"{side} than one step up ({percent(above)}), although its own rows say {rows_side}: it "
        "has fewer rows than that step, so more of its weight lies outside them"
    )


def leaf_to_show(
    smoothed: SmoothedTree, outcome: int, among: NDArray[np.intp] | None = None
) -> int:
    """Choose the leaf to explain first: the largest well above the overall rate of an outcome.

    Well above: at least one and a half times the overall odds. Without such a leaf, the
    one with the highest probability.

    Parameters
    ----------
    among : the leaves to choose from; all when not given
    """
    tree = smoothed.tree
    leaves = tree.leaves if among is None else among
    base = tree.arrays.counts[0, outcome] / max(float(tree.totals[0]), 1e-300)
    chances = np.clip([*smoothed.probs[leaves, outcome], base], 1e-9, 1 - 1e-9)
    odds, p = chances / (1 - chances), chances[:-1]
    above = (odds[:-1] >= 1.5 * odds[-1]) & (tree.totals[leaves] > 0)
    if above.any():
        return int(leaves[np.argmax(np.where(above, tree.totals[leaves], -1.0))])
    return int(leaves[np.argmax(p)])
