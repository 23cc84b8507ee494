"""The table in use: a sample or an uploaded file, and what the user said about its columns.

A table that was read is found again by its source. Whoever does not hold the same file cannot
reach it.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from probtrees.errors import ProbTreesWarning
from probtrees.experiment.fit import load_model
from probtrees.experiment.warm_up import is_compiling
from probtrees.model.model import Model
from probtrees.table.dataset import Dataset
from probtrees.table.formats.open_table import FORMAT_NAMES
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.samples import sample_names, sample_path
from probtrees.table.written_rows import WrittenRows, read_written
from probtrees.ui.shared.link_choices import LinkChoice, one_of, whole
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import bounded_cache, kept, limits
from probtrees.ui.shared.session.given_files import Upload

FILE_HELP = f"{FORMAT_NAMES}, also gzipped or in a zip archive. It stays on this server."
READING = "reading"


@dataclass(frozen=True)
class ChosenTable:
    """Where the table of a session comes from and how it is read.

    Attributes
    ----------
    upload : the file, or None for the sample
    sample : the sample's name; it stays chosen while an uploaded table is shown instead
    reading : what was said about its columns
    """

    upload: Upload | None
    sample: str
    reading: ReadOptions = field(default_factory=ReadOptions)

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.sample if self.upload is None else self.upload.name

    @property
    def file_name(self) -> str:
        """The name of the table's file."""
        return f"{self.sample}.csv" if self.upload is None else self.upload.name

    @property
    def file_key(self) -> str:
        """What is the same for every reading of the table."""
        return self.sample if self.upload is None else self.upload.digest

    @property
    def key(self) -> str:
        """What results made from the table are found again by."""
        return f"{self.key_begin} {self.reading}"

    @property
    def key_begin(self) -> str:
        """What the keys of all readings of the table begin with."""
        return f"sample {self.sample}" if self.upload is None else self.upload.digest

    @property
    def is_in_use(self) -> bool:
        """Whether the pages are built from it."""
        return self.key == current_source().key

    def read(self) -> Dataset:
        """Read the table, or find it again; an upload within the limits of the server."""
        upload = self.upload
        if upload is None:
            return _sample_data(self.sample, self.reading)

        def read() -> Dataset:
            data = _read((upload.name, upload.content), self.reading)
            limits().check_table(data.n_rows, len(data.provenance.roles))
            return data

        data: Dataset = bounded_cache().get((upload.digest, upload.name, self.reading), read)
        return data


def written_rows(source: ChosenTable) -> WrittenRows:
    """Return all columns of a table as they stand in its file."""
    upload, reading = source.upload, source.reading
    if upload is None:
        return _written(source.sample, reading.layout, sample_path(source.sample))
    return _written(f"upload {upload.digest}", reading.layout, (upload.name, upload.content))


def current_source() -> ChosenTable:
    """Return the source of the table in use."""
    return ChosenTable(state.current_upload(), state.current_sample(), current_reading())


def use_source(source: ChosenTable) -> None:
    """Build the pages from this table."""
    if source.upload is None:
        st.session_state.pop(state.UPLOAD, None)
        if st.session_state.get(state.SAMPLE) != source.sample:
            st.session_state[state.SAMPLE] = source.sample
    else:
        st.session_state[state.UPLOAD] = source.upload
    use_reading(source.reading)


def current_reading() -> ReadOptions:
    """Return how the table in use is read."""
    reading: ReadOptions = st.session_state.get(READING, ReadOptions())
    return reading


def use_reading(reading: ReadOptions) -> None:
    """Read the table in use like this from now on."""
    st.session_state[READING] = reading


def table_choices() -> dict[str, LinkChoice]:
    """List what every link holds of the table: the sample, and the outcome of interest."""
    return {
        state.SAMPLE: LinkChoice(state.SAMPLE, one_of(sample_names)),
        state.OUTCOME: LinkChoice(state.OUTCOME, whole()),
    }


def saved_with_sample(source: ChosenTable) -> Model | None:
    """Return the tree that ships with a sample, while a first start compiles what grows trees.

    It is the tree that would be grown: ``sample_data/make_models.py`` writes it, and a test
    compares. So the first picture need not wait.
    """
    if source.upload is not None or source.reading != ReadOptions() or not is_compiling():
        return None
    file = sample_path(source.sample).with_suffix(".model.json")
    return load_model(file) if file.exists() else None


@st.cache_resource(show_spinner=False, max_entries=32)
def _sample_data(name: str, reading: ReadOptions) -> Dataset:
    return _read(sample_path(name), reading)


@kept()
def _written(key: str, layout: ReadOptions, _file: Any) -> WrittenRows:
    return read_written(_file, layout)


def _read(source: Any, reading: ReadOptions) -> Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ProbTreesWarning)  # the Data page shows them as findings
        return read_table(source, **reading.arguments)
