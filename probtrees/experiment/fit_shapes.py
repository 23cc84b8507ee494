"""Fit a shaped tree: choose its settings by rows that inner trees have not seen, then fit it.

The tree is grown, and how rows are routed softly is chosen, before. What is fitted here are the
weights of the nodes and the shapes of the columns, together, by logistic regression.
"""

from __future__ import annotations

from typing import Any

from probtrees.experiment.choose_routing import route_softly
from probtrees.experiment.choose_shapes import choose_setting, cost_of_wishes
from probtrees.experiment.shape_fit import ShapeFit, ShapeSetting, ShapeWishes
from probtrees.grow.count_tree import CountTree
from probtrees.model.additive_member import AdditiveMember
from probtrees.smooth.blend import Blend
from probtrees.smooth.evidence import Evidence
from probtrees.table.dataset import Dataset
from probtrees.types import Progress


def fit_shapes(
    data: Dataset,
    tree: CountTree,
    evidence: Evidence,
    learner: Any,
    seed: int = 0,
    progress: Progress | None = None,
) -> AdditiveMember:
    """Choose routing and settings by held-out rows, and fit path and shapes.

    Parameters
    ----------
    data : the rows that the tree was grown from
    evidence : the inner trees of the same rows
    learner : its options ``penalty`` and ``freedom`` are used where they are not None
    seed : decides which rows are looked at where there are many
    """
    soft = route_softly(data, tree, evidence, Blend(), seed)
    wishes = ShapeWishes.of(data.schema, learner)
    inner = data, evidence, soft.routing, seed
    setting, fitted = choose_setting(inner, wishes, learner, progress)
    if progress is not None:
        progress(0.9, "fitting path and shapes")
    fit = ShapeFit.of(tree, soft.routing, data, wishes)
    if wishes:
        fitted["wishes"] = wishes._asdict()
        fitted["cost_of_wishes"] = cost_of_wishes(inner, wishes, setting)
    return fit.member(soft.smoothed, fit.mixed(setting), fitted)


def refit_shapes(member: AdditiveMember, tree: CountTree, data: Dataset) -> AdditiveMember:
    """Fit another tree, grown from other rows, with the settings of a member."""
    fitted = member.fitted
    kept = fitted.get("wishes", {})
    pairs = tuple((int(column), int(sign)) for column, sign in kept.get("directions", ()))
    banned = tuple(int(column) for column in kept.get("banned", ()))
    wishes = ShapeWishes(banned, pairs, int(kept.get("outcome", 1)))
    fit = ShapeFit.of(tree, member.routing, data, wishes)
    given = {name: float(fitted[name]) for name in ShapeSetting._fields if name in fitted}
    found = fit.mixed(ShapeSetting(**given), tolerance=1e-8, most_steps=1000)
    smoothed = member.smoothed.smoother.smooth(tree)
    return fit.member(smoothed, found, dict(fitted))
