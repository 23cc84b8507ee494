"""Everything slow, described once: tables that are kept, and the jobs of growing and smoothing.

A result is found again by what it was made from: a sample's name or the fingerprint of an
uploaded file, and the options. Whoever does not hold the same file cannot reach it.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from probtrees.dataset import Dataset
from probtrees.experiment.fit import grow
from probtrees.experiment.grown import Grown
from probtrees.experiment.registry import LEARNERS
from probtrees.prepare.read_table import read_table
from probtrees.samples import load_sample
from probtrees.smoothed_tree import SmoothedTree
from probtrees.ui.jobs import Report, Work
from probtrees.ui.state import Upload

Settings = tuple[tuple[str, Any], ...]
"""Options by name, in an order of their own, so that they can be a key."""


def settings(options: Mapping[str, Any]) -> Settings:
    """Make options usable as a key."""
    return tuple(sorted(options.items()))


@st.cache_resource(show_spinner=False, max_entries=32)
def sample_data(name: str) -> Dataset:
    """Read a sample."""
    return load_sample(name)


@st.cache_resource(show_spinner=False, max_entries=16)
def _uploaded(digest: str, name: str, _content: bytes) -> Dataset:
    file = io.BytesIO(_content)
    file.name = name
    return read_table(file)


def uploaded_data(upload: Upload) -> Dataset:
    """Read an uploaded file."""
    return _uploaded(upload.digest, upload.name, upload.content)


@dataclass(frozen=True)
class GrownTree:
    """A grown tree; the lock lets one job at a time gather its evidence, for all to share."""

    grown: Grown
    lock: threading.Lock = field(default_factory=threading.Lock)


def growing_job(options: Settings, data: Dataset) -> Work:
    """Describe the job of growing a C4.5 tree."""

    def work(report: Report) -> GrownTree:
        learner = LEARNERS["c45"].make(dict(options))
        return GrownTree(grow(data, learner, progress=report))

    return work


def smoothing_job(tree: GrownTree, smoother: str, options: Settings) -> Work:
    """Describe the job of smoothing a grown tree."""

    def work(report: Report) -> SmoothedTree:
        with tree.lock:
            model = tree.grown.smooth(smoother, dict(options), progress=report)
        return model.members[0].trees[0]

    return work
