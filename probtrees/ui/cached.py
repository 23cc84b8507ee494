"""Everything slow, computed once and shared: tables, trees, smoothed trees.

A result is found again by what it was made from: a sample's name or the fingerprint of an
uploaded file, and the options. Whoever does not hold the same file cannot reach it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import streamlit as st

from probtrees.dataset import Dataset
from probtrees.experiment.fit import grow
from probtrees.experiment.grown import Grown
from probtrees.experiment.registry import LEARNERS
from probtrees.prepare.read_table import read_table
from probtrees.samples import load_sample
from probtrees.smoothed_tree import SmoothedTree
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


@st.cache_resource(show_spinner=False, max_entries=32)
def grown_tree(data_key: str, options: Settings, _data: Dataset) -> Grown:
    """Grow a C4.5 tree."""
    return grow(_data, LEARNERS["c45"].make(dict(options)))


@st.cache_resource(show_spinner=False, max_entries=256)
def smoothed_tree(
    data_key: str, growing: Settings, smoother: str, options: Settings, _grown: Grown
) -> SmoothedTree:
    """Smooth a grown tree; switching back and forth costs nothing."""
    return _grown.smooth(smoother, dict(options)).members[0].trees[0]
