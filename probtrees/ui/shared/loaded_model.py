"""A saved model, loaded into the app: looked at like a grown one, as far as its file allows.

The file holds counts, probabilities and provenance, not rows. What needs rows says that there
are none: the Rows tab, and smoothers that choose their settings on held-out rows. Trees are
looked at on the Tree page, networks on the Network page.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import DataError, ProbTreesError
from probtrees.experiment.fit import load_model
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.model.model import Model
from probtrees.ui.shared.counts import SavedCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import content_of
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
        return self.model.is_network

    @property
    def home(self) -> Home:
        """The page that shows it."""
        return "network" if self.is_network else "tree"

    def label(self, part: tuple[int, int]) -> str:
        """Name one of its trees."""
        member, number = part
        tree = self.model.members[member].trees[number].tree
        name = shorten(self.model.schema.columns[tree.target].name, LONGEST_NAME)
        words = "tree" if tree.target == self.model.schema.target_column else f"table of {name}"
        several = len(self.model.members) > 1
        return f"member {member + 1}: {words}" if several else words


def _is_network_learner(name: str) -> bool:
    return name in LEARNERS and LEARNERS[name].is_network


def loaded_model() -> Loaded | None:
    """Return the loaded model on show, if there is one."""
    loaded: Loaded | None = st.session_state.get(LOADED)
    return loaded


def loaded_tree(loaded: Loaded) -> Workbench:
    """Take the tree on show out of a loaded model."""
    chosen = st.session_state.get(PART)
    part = chosen if chosen in loaded.parts else loaded.parts[0]
    counts = SavedCounts(loaded.model).tree(*part)
    return Workbench(counts, ("loaded", loaded.digest, part), saved=loaded.model)


def forget_loaded() -> None:
    """Return to the table, or go on to another one."""
    st.session_state.pop(LOADED, None)
    st.session_state.pop(PART, None)
    state.forget_view()


def choose_model_file(key: str, page: Home) -> None:
    """Ask for a model file and show it; a broken one is explained in one sentence.

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
    try:
        content = content_of(file)
        digest = hashlib.sha256(content).hexdigest()
        if st.session_state.get(_HANDLED) == (key, digest):
            return
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
    if model.smoother in SMOOTHERS:
        st.session_state[state.NEXT_SMOOTHER] = model.smoother
    return loaded


def read_model_bytes(name: str, content: bytes) -> Model:
    """Read a model from the bytes of its file."""
    model = load_model((shorten(name, 80), content))
    if model.kind not in ("shaped", "council") and model.smoother not in SMOOTHERS:
        raise DataError(
            f"model={shorten(name, 80)!r} must name a smoother that is known here, not "
            f"{shorten(model.smoother, 40)!r}. Save it again, or start the app with that smoother."
        )
    return model
