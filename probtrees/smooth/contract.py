"""What every smoother promises, checked: one battery for ours and for anyone's.

``check_smoother`` raises one sentence that names the first broken promise. The tests run
it over the registry and random trees; so may who writes a smoother of his own.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

import numpy as np

from probtrees.errors import OptionError, ProbTreesError, ProbTreesWarning
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.example_trees import example_evidence, example_trees
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.smooth.smoothed_tree import Contributions, SmoothedTree, Smoother

TOLERANCE = 1e-9


def check_smoother(
    smoother: Smoother,
    trees: Mapping[str, CountTree] | None = None,
    *,
    symmetry: float | None = TOLERANCE,
) -> None:
    """Raise :class:`OptionError` if a smoother breaks a promise on one of the trees.

    Parameters
    ----------
    smoother : a smoother, ready made
    trees : trees by a name for messages; the corner cases of :func:`example_trees` if None
    symmetry : how far probabilities may differ when outcomes are listed in another order:
        rounding for a formula, Monte Carlo error for a sampler; None leaves it out
    """
    _check_face(smoother)
    for where, tree in (example_trees() if trees is None else trees).items():
        evidence = example_evidence(tree) if smoother.needs_evidence else None
        before = tree.arrays.counts.copy()
        smoothed = _smooth(smoother, tree, evidence, where)
        _check_probs(smoother, smoothed, where)
        if not np.array_equal(before, tree.arrays.counts):
            _broken(smoother, where, "leave the counts as they are")
        if not np.array_equal(_smooth(smoother, tree, evidence, where).probs, smoothed.probs):
            _broken(smoother, where, "give the same answer twice")
        if symmetry is not None:
            _check_symmetry(smoother, smoothed, evidence, symmetry, where)
        for node in _nodes_to_try(tree):
            _check_contributions(smoother, smoothed, node, where)


def _check_face(smoother: Smoother) -> None:
    """Check what a smoother must have before it is used."""
    if not isinstance(smoother, Smoother):
        raise OptionError(
            f"smoother={smoother!r} must have name, needs_evidence, smooth, contributions and "
            "to_dict. Derive it from probtrees.options.Options to get the last one."
        )
    try:
        json.dumps(smoother.to_dict())
    except TypeError:
        _broken(smoother, "its options", "be described by plain values in to_dict()")


def _smooth(
    smoother: Smoother, tree: CountTree, evidence: Evidence | None, where: str
) -> SmoothedTree:
    """Smooth, turning any failure into a sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ProbTreesWarning)
        try:
            return smoother.smooth(tree, evidence)
        except ProbTreesError:
            raise
        except Exception as problem:
            raise OptionError(
                f"smoother={smoother.name!r} must smooth {where}. It raised "
                f"{type(problem).__name__}: {problem}"
            ) from problem


def _check_probs(smoother: Smoother, smoothed: SmoothedTree, where: str) -> None:
    """Check that every node has a distribution."""
    probs = smoothed.probs
    shape = smoothed.tree.arrays.counts.shape
    if not isinstance(probs, np.ndarray) or probs.dtype != np.float64 or probs.shape != shape:
        _broken(smoother, where, f"give float64 probs of shape {shape}")
    if not np.isfinite(probs).all():
        _broken(smoother, where, "give finite probabilities")
    if (probs < 0).any() or (probs > 1 + TOLERANCE).any():
        _broken(smoother, where, "give probabilities between 0 and 1")
    if np.abs(probs.sum(axis=1) - 1).max() > TOLERANCE:
        _broken(smoother, where, "give probabilities that sum to 1 in every node")


def _check_symmetry(
    smoother: Smoother,
    smoothed: SmoothedTree,
    evidence: Evidence | None,
    tolerance: float,
    where: str,
) -> None:
    """Check that outcomes have no rank: listed in another order, they keep their numbers."""
    tree = smoothed.tree
    order = np.roll(np.arange(tree.n_outcomes), 1)
    place = np.argsort(order)
    turned_evidence = evidence and Evidence(
        tuple(
            replace(part, tree=_reorder(part.tree, order), outcomes=place[part.outcomes])
            for part in evidence.parts
        )
    )
    turned = _smooth(smoother, _reorder(tree, order), turned_evidence, where)
    if np.abs(turned.probs - smoothed.probs[:, order]).max() > tolerance:
        _broken(smoother, where, "treat all outcomes alike, whatever their order")


def _check_contributions(smoother: Smoother, smoothed: SmoothedTree, node: int, where: str) -> None:
    """Check that the parts of a probability add up to it."""
    parts = smoother.contributions(smoothed, node)
    n_own = len(parts.nodes)
    n_sources = n_own + 1 + parts.other_leaves
    if parts.nodes != tuple(reversed(smoothed.tree.path(node))):
        _broken(smoother, where, "name the node and then its ancestors up to the root")
    if parts.values.shape != (n_sources, smoothed.tree.n_outcomes) or parts.shares.shape != (
        n_sources,
    ):
        _broken(smoother, where, "give one row of contributions per node and for the uniform")
    if np.abs(parts.values.sum(axis=0) - smoothed.probs[node]).max() > TOLERANCE:
        _broken(smoother, where, "give contributions that add up to the probabilities")
    if abs(parts.shares.sum() - 1) > TOLERANCE or (parts.shares < -TOLERANCE).any():
        _broken(smoother, where, "give shares that are not negative and sum to 1")
    if np.abs(parts.values.sum(axis=1) - parts.shares).max() > TOLERANCE:
        _broken(smoother, where, "give each source contributions that sum to its share")
    if parts.log_odds is not None:
        said = normalise(parts.log_odds.sum(axis=0, keepdims=True))[0]
        if np.abs(said - smoothed.probs[node]).max() > TOLERANCE:
            _broken(smoother, where, "give log-odds that add up to the probabilities")
    if parts.has_rings:
        rows = Contributions.of_shares(smoothed.tree, parts.nodes, parts.shares[: n_own + 1])
        if np.abs(rows.values[:n_own] - parts.values[:n_own]).max() > TOLERANCE:
            _broken(smoother, where, "contribute share times raw frequency where it has rings")


def _nodes_to_try(tree: CountTree, at_most: int = 40) -> list[int]:
    """Pick nodes over the whole tree, the root and the last one included."""
    return [int(node) for node in np.unique(np.linspace(0, tree.n_nodes - 1, at_most).round())]


def _reorder(tree: CountTree, order: np.ndarray) -> CountTree:
    """List the outcomes of a tree in another order."""
    counts = np.ascontiguousarray(tree.arrays.counts[:, order])
    fragments = None if tree.fragments is None else tree.fragments[:, order]
    weights = None if tree.mean_weights is None else tree.mean_weights[:, order]
    arrays = tree.arrays._replace(counts=counts)
    return replace(tree, arrays=arrays, fragments=fragments, mean_weights=weights)


def _broken(smoother: Smoother, where: str, promise: str) -> NoReturn:
    raise OptionError(f"smoother={smoother.name!r} must {promise}. On {where} it does not.")
