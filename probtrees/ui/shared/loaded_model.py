"""A saved model, loaded into the app: looked at like a grown one, as far as its file allows.

The file holds counts, probabilities and provenance, not rows. So what needs rows is not
there, and said so: the Rows tab, and smoothers that choose their settings on held-out rows.
Trees are looked at on the Tree page; networks on theirs, see :mod:`probtrees.ui.network.loaded`.
"""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import DataError, ProbTreesError
from probtrees.experiment.grown_member import GrownMember
from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.load_model import load_model
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import LEARNERS, SMOOTHERS, make_smoother
from probtrees.grow.count_tree import CountTree
from probtrees.model.model import Member, Model
from probtrees.table.dataset import Dataset, Schema
from probtrees.ui.shared import state
from probtrees.ui.shared.cached import GrownTree, Settings
from probtrees.ui.shared.jobs import Report, Work
from probtrees.ui.shared.workbench import Workbench

LOADED = "loaded model"
PART = "loaded part"
"""Which of its trees is on show."""
_HANDLED = "model file handled"
LONGEST_NAME = 60


Home = Literal["tree", "network"]


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

    @property
    def is_network(self) -> bool:
        """Whether it is made of networks: each the table of the class and one per attribute."""
        several = any(len(member.trees) > 1 for member in self.model.members)
        return all(_has_tables(member, self.model.schema) for member in self.model.members) and (
            several or _is_network_learner(self.model.learner)
        )

    @property
    def home(self) -> Home:
        """The page that shows it."""
        return "network" if self.is_network else "tree"

    @property
    def spec(self) -> ModelSpec:
        """The kind of model, for what is asked of a grown one; its options are in the model."""
        if not self.is_network:
            return make_spec("c45")
        return make_spec(self.model.learner if _is_network_learner(self.model.learner) else "nb")

    def schema(self, member: int) -> Schema:
        """Return the columns as a member sees them, numbers cut into intervals."""
        cuts = self.model.members[member].cuts
        return self.model.schema if cuts is None else cuts.apply_to_schema(self.model.schema)

    def no_rows(self, schema: Schema) -> Dataset:
        """Return the table it was made from, without the rows, which are not in the file."""
        cells = np.empty((0, schema.n_columns))
        return Dataset(schema, cells, name=self.name, provenance=self.model.provenance)

    def label(self, part: tuple[int, int]) -> str:
        """Name one of its trees."""
        member, number = part
        tree = self.model.members[member].trees[number].tree
        name = shorten(self.model.schema.columns[tree.target].name, LONGEST_NAME)
        words = "tree" if tree.target == self.model.schema.target_column else f"table of {name}"
        several = len(self.model.members) > 1
        return f"member {member + 1}: {words}" if several else words


def _has_tables(member: Member, schema: Schema) -> bool:
    """Whether a member has the form of a network."""
    targets = [smoothed.tree.target for smoothed in member.trees]
    lone_roots = [t.tree.target for t in member.trees if t.tree.n_nodes == 1]
    return len(set(targets)) == len(targets) and schema.target_column in lone_roots


def _is_network_learner(name: str) -> bool:
    return name in LEARNERS and make_spec(name).is_network


@dataclass(frozen=True)
class LoadedBench(Workbench):
    """One tree of a loaded model, to be looked at like a grown one."""

    alone: Model
    whole: Model

    @classmethod
    def of(cls, loaded: Loaded, part: tuple[int, int]) -> Self:
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
        no_rows = loaded.no_rows(schema)
        grown = GrownModel(no_rows, loaded.spec, (GrownMember((smoothed.tree,)),))
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

    @property
    def saved_smoother(self) -> str:
        """The smoother whose numbers are in the file."""
        return self.alone.smoother

    def _work(self, name: str) -> Work:
        return smoothing_without_rows(self.alone, self.grown_tree.grown, name, self._settings(name))

    def can_smooth(self, name: str) -> bool:
        """Whether a smoother can be used without rows."""
        return smooths_without_rows(self.alone, name, self._settings(name))


def smooths_without_rows(model: Model, name: str, settings: Settings) -> bool:
    """Whether a loaded model can be shown with a smoother: its own, or one that asks no rows."""
    return name == model.smoother or not make_smoother(name, dict(settings)).needs_evidence


def smoothing_without_rows(model: Model, grown: GrownModel, name: str, settings: Settings) -> Work:
    """Return what smooths the counts of a loaded model.

    Its own smoother gives the numbers of the file, unless it was set otherwise in this session.
    """
    options = dict(settings)

    def work(report: Report) -> Model:
        needs_rows = make_smoother(name, options).needs_evidence
        if name == model.smoother and (needs_rows or not options):
            return model
        if needs_rows:
            raise DataError(
                f"{SMOOTHERS[name].label} needs the rows the model was made from, and a model "
                "file does not hold them."
            )
        anew = grown.smooth(name, options, progress=report)
        told = {"smoother": anew.options["smoother"]}
        source = replace(model.provenance, options={**model.provenance.options, **told})
        return replace(
            model,
            members=anew.members,
            smoother=name,
            options={**model.options, **told},
            provenance=source,
            track_record=None,
        )

    return work


def loaded_model() -> Loaded | None:
    """Return the loaded model on show, if there is one."""
    loaded: Loaded | None = st.session_state.get(LOADED)
    return loaded


def loaded_tree(loaded: Loaded) -> LoadedBench:
    """Take the tree on show out of a loaded model."""
    part = st.session_state.get(PART)
    return LoadedBench.of(loaded, part if part in loaded.parts else loaded.parts[0])


def forget_loaded() -> None:
    """Return to the table, or go on to another one."""
    st.session_state.pop(LOADED, None)
    st.session_state.pop(PART, None)
    state.forget_view()


def choose_model_file(key: str, page: Home) -> None:
    """Ask for a model file and show it; a broken one is told in one sentence.

    Parameters
    ----------
    page : where this is asked; a model that belongs elsewhere is shown there
    """
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
    loaded = show_loaded(file.name, digest, model)
    if loaded.home != page:
        st.switch_page(f"pages/{loaded.home}.py")
    st.rerun()


def show_loaded(name: str, digest: str, model: Model) -> Loaded:
    """Put a model that came without its rows on show."""
    loaded = Loaded(name, digest, model)
    st.session_state[LOADED] = loaded
    st.session_state.pop(PART, None)
    state.forget_view()
    st.session_state[state.NEXT_SMOOTHER] = model.smoother
    return loaded


def read_model_bytes(name: str, content: bytes) -> Model:
    """Read a model from the bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        path.write_bytes(content)
        try:
            model = load_model(path)
        except DataError as problem:
            raise DataError(str(problem).replace(str(path), shorten(name, 80))) from None
    if model.smoother not in SMOOTHERS:
        raise DataError(
            f"model={shorten(name, 80)!r} must name a smoother that is known here, not "
            f"{shorten(model.smoother, 40)!r}. Save it again, or start the app with that smoother."
        )
    return model
