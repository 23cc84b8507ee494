"""A saved model, loaded into the app: looked at like a grown one, as far as its file allows.

The file holds counts, probabilities and provenance, not rows. So what needs rows is not
there, and said so: the Rows tab, and smoothers that choose their settings on held-out rows.
"""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from probtrees.count_tree import CountTree
from probtrees.dataset import Dataset, Schema
from probtrees.draw.escape import markdown_text, shorten
from probtrees.draw.node_card import rows_text
from probtrees.errors import DataError, ProbTreesError
from probtrees.experiment.grown import Grown, GrownMember
from probtrees.experiment.load_model import load_model
from probtrees.experiment.recipe import make_recipe
from probtrees.experiment.registry import LEARNERS, SMOOTHERS, make_smoother
from probtrees.model import Member, Model
from probtrees.ui import state
from probtrees.ui.cached import GrownTree
from probtrees.ui.help_texts import EVERYWHERE, HELP
from probtrees.ui.jobs import Report, Work
from probtrees.ui.view_bar import View, compare_choice, view_options
from probtrees.ui.workbench import Workbench

LOADED = "loaded model"
_PART = "loaded part"
_HANDLED = "model file handled"
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Loaded:
    """A model and the file it came from."""

    name: str
    digest: str
    model: Model

    @property
    def parts(self) -> list[tuple[int, int]]:
        """All its trees: the number of the member, and of the tree in it."""
        return [
            (at, number)
            for at, member in enumerate(self.model.members)
            for number in range(len(member.trees))
        ]

    def schema(self, member: int) -> Schema:
        """Return the columns as a member sees them, numbers cut into intervals."""
        cuts = self.model.members[member].cuts
        return self.model.schema if cuts is None else cuts.apply_to_schema(self.model.schema)

    def label(self, part: tuple[int, int]) -> str:
        """Name one of its trees."""
        member, number = part
        tree = self.model.members[member].trees[number].tree
        name = shorten(self.model.schema.columns[tree.target].name, _LONGEST_NAME)
        words = "tree" if tree.target == self.model.schema.target_column else f"table of {name}"
        several = len(self.model.members) > 1
        return f"member {member + 1}: {words}" if several else words


@dataclass(frozen=True)
class LoadedBench(Workbench):
    """One tree of a loaded model, to be looked at like a grown one."""

    alone: Model
    whole: Model

    @classmethod
    def of(cls, loaded: Loaded, part: tuple[int, int]) -> LoadedBench:
        """Take one tree out of a loaded model."""
        member = loaded.model.members[part[0]]
        smoothed, schema = member.trees[part[1]], loaded.schema(part[0])
        is_class = smoothed.tree.target == schema.target_column
        alone = replace(
            loaded.model,
            schema=schema,
            members=(Member((smoothed,), None, member.routing if is_class else None),),
            track_record=loaded.model.track_record if len(loaded.parts) == 1 else None,
        )
        no_rows = Dataset(
            schema,
            np.empty((0, schema.n_columns)),
            name=loaded.name,
            provenance=loaded.model.provenance,
        )
        grown = Grown(no_rows, make_recipe("c45"), (GrownMember((smoothed.tree,)),))
        key: Any = ("loaded", loaded.digest, part)
        return cls(no_rows, GrownTree(grown), key, alone, loaded.model)

    @property
    def tree(self) -> CountTree:
        """The tree of counts."""
        return self.alone.tree.tree

    @property
    def is_table(self) -> bool:
        """Whether it is a table of a network, which answers only together with the others."""
        return self.tree.target != self.data.schema.target_column

    def _work(self, name: str) -> Work:
        options = dict(self._settings(name))

        def work(report: Report) -> Model:
            if name == self.alone.smoother:
                return self.alone
            if make_smoother(name, options).needs_evidence:
                raise DataError(
                    f"{SMOOTHERS[name].label} needs the rows the tree was grown from, and a model "
                    "file does not hold them."
                )
            own = self.grown_tree.grown.smooth(name, options, progress=report)
            return replace(own, provenance=self.alone.provenance)

        return work

    def can_smooth(self, name: str) -> bool:
        """Whether a smoother can be used without rows."""
        if name == self.alone.smoother:
            return True
        return not make_smoother(name, dict(self._settings(name))).needs_evidence


def usable_view(bench: LoadedBench, view: View) -> View:
    """Show the model's own smoother where the one asked for needs rows, and say so."""
    own = bench.alone.smoother
    other = view.other if view.other and bench.can_smooth(view.other) else None
    if bench.can_smooth(view.smoother):
        return replace(view, other=other)
    label = SMOOTHERS[view.smoother].label
    kept = SMOOTHERS[own].label if own in SMOOTHERS else own
    st.info(
        f"{markdown_text(label)} asks held-out rows, which a model's file does not hold. You see "
        f"the numbers the model was saved with ({markdown_text(kept)})."
    )
    return replace(view, smoother=own, other=None, colour_by="lift")


def current_loaded() -> LoadedBench | None:
    """Return the loaded model on show, if there is one."""
    loaded: Loaded | None = st.session_state.get(LOADED)
    if loaded is None:
        return None
    part = st.session_state.get(_PART)
    return LoadedBench.of(loaded, part if part in loaded.parts else loaded.parts[0])


def forget_loaded() -> None:
    """Return to the table."""
    st.session_state.pop(LOADED, None)
    st.session_state.pop(_PART, None)
    state.forget_view()


def choose_model_file(key: str) -> None:
    """Ask for a model file and show it; a broken one is told in one sentence."""
    file = st.file_uploader(
        "Load a model (JSON)",
        type=["json", "gz"],
        key=key,
        help="A file saved here or by probtrees grow --out. Nothing in it is executed.",
    )
    if file is None:
        st.session_state.pop(_HANDLED, None)
        return
    content = file.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    if st.session_state.get(_HANDLED) == (key, digest):
        return
    try:
        model = read_model_bytes(file.name, content)
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
        return
    st.session_state[_HANDLED] = (key, digest)
    show_loaded(file.name, digest, model)
    st.rerun()


def show_loaded(name: str, digest: str, model: Model) -> None:
    """Put a model that came without its rows on show."""
    st.session_state[LOADED] = Loaded(name, digest, model)
    st.session_state.pop(_PART, None)
    state.forget_view()
    if model.smoother in SMOOTHERS:
        st.session_state[state.NEXT_SMOOTHER] = model.smoother


def read_model_bytes(name: str, content: bytes) -> Model:
    """Read a model from the bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        path.write_bytes(content)
        try:
            return load_model(path)
        except DataError as problem:
            raise DataError(str(problem).replace(str(path), shorten(name, 80))) from None


def loaded_bar(bench: LoadedBench) -> None:
    """Say which model is on show, what it was made from, and lead back to the table."""
    loaded: Loaded = st.session_state[LOADED]
    source = loaded.model.provenance
    learner = LEARNERS.get(loaded.model.learner)
    with st.container(horizontal=True, vertical_alignment="center", key="data_bar"):
        st.markdown(
            f"**{markdown_text(shorten(loaded.name, _LONGEST_NAME))}** · loaded model · "
            f"{markdown_text(learner.label if learner else loaded.model.learner)} · grown from "
            f"{rows_text(float(bench.whole.trees[0].tree.totals[0]))} of "
            f"{markdown_text(shorten(source.source, _LONGEST_NAME))} · target: "
            f"**{markdown_text(shorten(loaded.model.schema.target.name, _LONGEST_NAME))}** · "
            f"{bench.tree.n_nodes:,} nodes, {bench.tree.n_leaves:,} leaves",
            width="content",
        )
        st.button("Back to the table", icon=":material/undo:", on_click=forget_loaded)
        with st.popover("View", icon=":material/palette:"):
            view_options(bench)
        compare_choice()
        with st.popover("Help", icon=":material/help:"):
            st.markdown(HELP["tree"] + EVERYWHERE)
    if len(loaded.parts) > 1:
        st.selectbox(
            "Part of the model",
            loaded.parts,
            format_func=loaded.label,
            key=_PART,
            on_change=state.forget_view,
            persist_state="session",
            help="A network is a product of tables, a forest an average of trees: one at a time "
            "is shown. All of them answer together when a file is scored.",
        )
    st.caption(
        "The rows are not in a model's file: smoothers that ask held-out rows, the Rows tab and "
        "new growing need the table."
    )
