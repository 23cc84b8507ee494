"""Learning from files on the server that are too large to be uploaded: in chunks, as a job."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import DataError, OptionError, ProbTreesError
from probtrees.experiment.model_spec import make_spec, named_smoother
from probtrees.experiment.registry import (
    DEFAULT_CHUNKED_SMOOTHER,
    LEARNERS,
    SMOOTHERS,
    learners_in_chunks,
    make_smoother,
)
from probtrees.machine.limits import ALLOW_PATHS
from probtrees.model.model import Model
from probtrees.options import build, option_fields
from probtrees.scale.files.allowed_folder import AllowedFolder, held_open
from probtrees.scale.files.table_files import TableFile, find_files
from probtrees.scale.learn.binned_c45 import BinnedC45
from probtrees.scale.learn.fit_chunks import fit_table
from probtrees.scale.passes.conductor import conducting
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.ui.shared.exports import MODEL, offer
from probtrees.ui.shared.forms import option_widgets
from probtrees.ui.shared.loaded_model import show_loaded
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, jobs, show_progress
from probtrees.words import plural, rows_text

_ASKED = "server.asked"
_PATH = "server.path"
_TREE_OPTIONS = ("bins", "min_leaf", "max_depth", "collapse")
_MOST_NODES = 200_000
"""Larger trees and tables are not sent to a browser, which is shown one at a time."""

_AT_WORK = threading.Lock()
"""One large job at a time, so that their memory does not add up."""


@dataclass(frozen=True)
class Request:
    """What is to be learnt from which files."""

    files: tuple[TableFile, ...]
    target: str
    learner: str
    options: tuple[tuple[str, Any], ...]
    smoother: str

    @property
    def digest(self) -> str:
        """Changes whenever a file or a wish does."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    def learn(self, report: Report) -> Model:
        """Read the files in chunks, grow and smooth, when no other such job is at work."""
        while not _AT_WORK.acquire(timeout=0.5):
            report(0.0, "waiting for another large job")
        try:
            return self._learn(report)
        finally:
            _AT_WORK.release()

    def _learn(self, report: Report) -> Model:
        options, is_tree = dict(self.options), self.learner == BinnedC45.name
        spec = make_spec(build(BinnedC45, options)) if is_tree else make_spec(self.learner, options)
        n_steps, n_done = 5 if is_tree else 6, 0

        @contextmanager
        def stage(what: str) -> Iterator[Report]:
            """Turn the progress of a step into that of the whole."""
            nonlocal n_done

            def progress(share: float, detail: str) -> None:
                words = what if detail in what else f"{what}, {detail}"
                report((n_done + share) / n_steps, words)

            progress(0.0, "")
            yield progress
            n_done = min(n_done + 1, n_steps - 1)

        paths, folder = [file.path for file in self.files], allowed_folder()
        if folder is None:
            raise DataError("files must be in a folder that this server shares; it shares none.")
        with held_open(folder.root, paths), conducting(stage=stage) as conductor:
            table = open_chunks(paths, self.target, conductor=conductor)
            return fit_table(table, spec, named_smoother(self.smoother), conductor)


def allowed_folder() -> AllowedFolder | None:
    """Return the folder whose files may be named; None: none may be."""
    named = os.environ.get(ALLOW_PATHS)
    try:
        return AllowedFolder.at(named) if named else None
    except OptionError:
        return None


def server_files() -> None:
    """Offer to learn from files on the server, where it was started with a folder for them."""
    folder = allowed_folder()
    if folder is None:
        return
    asked: Request | None = st.session_state.get(_ASKED)
    is_open = bool(st.session_state.get(_PATH))
    with st.expander("Large data on this server", icon=":material/dns:", expanded=is_open):
        path = st.text_input(
            "File, folder or pattern",
            key=_PATH,
            placeholder="sales.parquet, sales/ or 2024-*.csv",
            persist_state="session",
            help="In the folder that this server shares. Parquet or CSV; * stands for any part of "
            "the name of a file. Rows are read in chunks, never all at once.",
        )
        if not path.strip():
            st.caption("Name files that are too large to upload. Nothing else can be read.")
            return
        try:
            request = _choose(folder, path)
            if asked is not None:
                _follow(asked, asked == request)
        except ProbTreesError as problem:
            st.error(markdown_text(folder.shown(str(problem))))


def _choose(folder: AllowedFolder, path: str) -> Request:
    """Show what was found and ask what to learn from it."""
    files = find_files(folder.find(path))
    names = list(files[0].names)
    words = [plural(len(files), "files"), f"{sum(f.size for f in files) / 1e6:,.3g} MB"]
    rows = [file.n_rows for file in files if file.n_rows is not None]
    words += [rows_text(sum(rows))] if len(rows) == len(files) else []
    st.caption(" · ".join([*words, f"{len(names):,} columns"]))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = st.selectbox(
            "Target",
            names,
            index=len(names) - 1,
            key=f"server.target {hash(tuple(names))}",
            help="The column to predict.",
        )
        learner = st.selectbox(
            "Model",
            [name for name in learners_in_chunks() if LEARNERS[name].takes_smoother],
            format_func=lambda name: LEARNERS[name].label,
            **state.lasting("server.model"),
            help="These can be learnt from counts alone, so from any number of rows.",
        )
        known = [name for name in SMOOTHERS if not make_smoother(name).needs_evidence]
        smoother = st.selectbox(
            "Smoother",
            known,
            index=known.index(DEFAULT_CHUNKED_SMOOTHER),
            format_func=lambda name: SMOOTHERS[name].label,
            **state.lasting("server.smoother"),
            help="Smoothers that hold rows out need all of them in memory and are not offered.",
        )
        with st.popover("Options", icon=":material/tune:"):
            fields = LEARNERS[learner].options
            if learner == BinnedC45.name:  # those that can be followed in chunks
                fields = tuple(f for f in option_fields(BinnedC45) if f.name in _TREE_OPTIONS)
            options = option_widgets(fields, key=f"server.{learner}")
        request = Request(files, target, learner, tuple(sorted(options.items())), smoother)
        st.button(
            "Learn",
            type="primary",
            icon=":material/play_arrow:",
            on_click=lambda: st.session_state.update({_ASKED: request}),
            help="Reads the files several times; you can go on using the other pages meanwhile.",
        )
    return request


def _follow(request: Request, is_shown: bool) -> None:
    """Show how far the job is, or what it made."""
    job: Job = jobs().ask(("server files", request.digest), request.learn)
    show_progress(job, "Learning", lambda: st.session_state.pop(_ASKED, None))
    if job.was_cancelled or job.result is None:
        return
    model: Model = job.result
    n_nodes = sum(tree.tree.n_nodes for tree in model.trees)
    largest = max(tree.tree.n_nodes for tree in model.trees)
    things = plural(len(model.trees), "trees" if request.learner == BinnedC45.name else "tables")
    st.success(
        f"{LEARNERS[request.learner].label} from {int(model.trees[0].tree.totals[0]):,} rows: "
        f"{things} with {n_nodes:,} nodes"
        + ("." if is_shown else ", learnt with other choices than those above.")
    )
    if largest > _MOST_NODES:
        st.info(
            f"A tree or table of more than {_MOST_NODES:,} nodes is too large for a browser. Ask "
            "for larger leaves, fewer levels or fewer parents under Options, or save the model "
            "with `probtrees grow --chunks --out`."
        )
        return
    with st.container(horizontal=True):
        if st.button(
            "Show it",
            icon=":material/account_tree:",
            help="Opens a tree on the Tree page, a network on the Network page, like a saved "
            "model: all that needs no rows is there.",
        ):
            loaded = show_loaded(Path(request.files[0].path).stem, request.digest, model)
            st.switch_page(f"pages/{loaded.home}.py")
        offer((MODEL,), lambda: model)
