"""Everything slow, described once: tables that are kept, and the jobs of growing and smoothing.

A result is found again by what it was made from: a sample's name or the fingerprint of an
uploaded file, and the options. Whoever does not hold the same file cannot reach it.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from probtrees.errors import ProbTreesWarning
from probtrees.experiment.fit import grow
from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.model_spec import Routing
from probtrees.experiment.registry import LEARNERS
from probtrees.model.model import Model
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_table
from probtrees.table.samples import sample_path
from probtrees.ui.shared.bounded_cache import BoundedCache, limits
from probtrees.ui.shared.jobs import Report, Work
from probtrees.ui.shared.state import Upload
from probtrees.ui.shared.table_source import Reading

Settings = tuple[tuple[str, Any], ...]
"""Options by name, in an order of their own, so that they can be a key."""


def settings(options: Mapping[str, Any]) -> Settings:
    """Make options usable as a key."""
    return tuple(sorted(options.items()))


@st.cache_resource(show_spinner=False, max_entries=32)
def sample_data(name: str, reading: Reading = Reading()) -> Dataset:  # noqa: B008 - frozen
    """Read a sample."""
    return _read(sample_path(name), reading)


@st.cache_resource(show_spinner=False)
def _uploaded() -> BoundedCache:
    return BoundedCache(limits().cache << 20)


def uploaded_data(upload: Upload, reading: Reading = Reading()) -> Dataset:  # noqa: B008 - frozen
    """Read an uploaded file, within the limits of the server."""

    def read() -> Dataset:
        data = _read((upload.name, upload.content), reading)
        limits().check_table(data.n_rows, len(data.provenance.roles))
        return data

    data: Dataset = _uploaded().get((upload.digest, upload.name, reading), read)
    return data


def _read(source: Any, reading: Reading) -> Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ProbTreesWarning)  # the Data page shows them as findings
        return read_table(source, **reading.arguments)


@dataclass(frozen=True)
class GrownTree:
    """A grown tree; the lock lets one job at a time gather its evidence, for all to share."""

    grown: GrownModel
    lock: threading.Lock = field(default_factory=threading.Lock)


def growing_job(options: Settings, data: Dataset) -> Work:
    """Describe the job of growing a C4.5 tree."""

    def work(report: Report) -> GrownTree:
        learner = LEARNERS["c45"].make(dict(options))
        grown = grow(data, learner, progress=report)
        limits().check_nodes(grown.n_nodes)
        return GrownTree(grown)

    return work


def smoothing_job(
    tree: GrownTree, smoother: str, options: Settings, routing: Routing = "hard"
) -> Work:
    """Describe the job of smoothing a grown tree."""

    def work(report: Report) -> Model:
        with tree.lock:
            grown = tree.grown if routing == "hard" else tree.grown.routed(routing)
            return grown.smooth(smoother, dict(options), progress=report)

    return work
