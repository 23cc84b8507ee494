"""The lesson's numbers, computed once for everybody who follows the same link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from probtrees.experiment.registry import make_smoother
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.gibbs.hdp_watch import Watched, watch
from probtrees.smooth.hdp import HDP
from probtrees.smooth.hgs import HGS
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import FloatArray
from probtrees.ui.learn.subject import Subject
from probtrees.ui.shared.jobs import Report, result_of
from probtrees.ui.shared.smoother_options import Settings, settings

GRID = np.linspace(0, 20, 81)
"""Settings at which a curve is drawn."""


def smooth(subject: Subject, name: str, options: Mapping[str, Any] | None = None) -> SmoothedTree:
    """Smooth the subject's tree by its counts alone."""
    return _smooth(subject.key, name, settings(options or {}), subject.tree)


def smooth_by_weight(subject: Subject, weight: float) -> SmoothedTree:
    """Smooth by HGS with one weight for all ancestors, given instead of fitted."""
    return HGS(fit="map").with_weights(subject.tree, np.array([weight]))


def value(subject: Subject, smoothed: SmoothedTree) -> float:
    """Read the estimate of the leaf off a smoothed tree."""
    return float(smoothed.probs[subject.node, subject.outcome])


def m_estimate_curve(subject: Subject) -> FloatArray:
    """Give the m-estimate of the leaf at every strength of the grid."""
    counts, total = subject.counts[subject.node], float(subject.tree.totals[subject.node])
    even = 1 / subject.tree.n_outcomes
    size = np.maximum(total + GRID, 1e-300)
    return np.where(total + GRID > 0, (counts + GRID * even) / size, even)


def weight_curve(subject: Subject) -> FloatArray:
    """Give the HGS estimate of the leaf at every weight of the grid."""
    return _weight_curve(subject.key, subject.node, subject.tree)[:, subject.outcome]


def loss_curve(subject: Subject) -> FloatArray:
    """Give the leave-one-out loss of the whole tree at every weight of the grid."""
    return _loss_curve(subject.key, subject.tree)


def watched(subject: Subject, sweeps: int, seed: int) -> Watched:
    """Watch the leaf while HDP samples; while it does the page ends with the progress."""
    smoother = HDP(n_iterations=sweeps, burn_in=burn_in(sweeps), seed=seed)

    def work(report: Report) -> Watched:
        return watch(smoother, subject.tree, subject.node, report)

    seen: Watched = result_of(
        ("watched", *subject.key, subject.node, sweeps, seed), work, title="Sampling"
    )
    return seen


def burn_in(sweeps: int) -> int:
    """Drop the first tenth of the sweeps."""
    return max(sweeps // 10, 1)


@st.cache_resource(show_spinner=False, max_entries=64)
def _smooth(key: Any, name: str, options: Settings, _tree: CountTree) -> SmoothedTree:
    smoothed: SmoothedTree = make_smoother(name, dict(options)).smooth(_tree)
    return smoothed


@st.cache_resource(show_spinner=False, max_entries=64)
def _weight_curve(key: Any, node: int, _tree: CountTree) -> FloatArray:
    smoother = HGS(fit="map")
    return np.array([smoother.with_weights(_tree, np.array([w])).probs[node] for w in GRID])


@st.cache_resource(show_spinner=False, max_entries=64)
def _loss_curve(key: Any, _tree: CountTree) -> FloatArray:
    smoother = HGS(fit="map")
    return np.array([smoother.leave_one_out_loss(_tree, max(float(w), 1e-6)) for w in GRID])
