"""A saved model, loaded into the app: looked at like a grown one, as far as its file allows.

The file holds counts, probabilities and provenance, not rows. What needs rows says that there
are none: the Rows tab, and smoothers that choose their settings on held-out rows. Trees are
looked at on the Tree page, networks on the Network page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import DataError
from probtrees.experiment.fit import load_model
from probtrees.experiment.registry import SMOOTHERS
from probtrees.model.model import Model
from probtrees.ui.shared.counts import SavedCounts
from probtrees.ui.shared.forms import file_field
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.shared.view_controls import View
from probtrees.ui.shared.workbench import Bench, Workbench

LOADED = "loaded model"
PART = "loaded part"
"""Which of its trees is on show."""
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

    @property
    def home(self) -> str:
        """The page that shows it."""
        return "network" if self.model.is_network else "tree"

    def label(self, part: tuple[int, int]) -> str:
        """Name one of its trees."""
        member, number = part
        tree = self.model.members[member].trees[number].tree
        name = shorten(self.model.schema.columns[tree.target].name, _LONGEST_NAME)
        words = "tree" if tree.target == self.model.schema.target_column else f"table of {name}"
        return f"member {member + 1}: {words}"


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
    if st.session_state.pop(LOADED, None) is not None:
        st.session_state.pop(PART, None)
        state.forget_view()


def choose_model_file(key: str, page: Literal["tree", "network"]) -> None:
    """Ask for a model file and show it; a broken one is explained in one sentence.

    Parameters
    ----------
    page : where this is asked; a model that belongs elsewhere is shown there
    """

    def take(upload: Upload) -> None:
        model = read_model_bytes(upload.name, upload.content)
        loaded = show_loaded(upload.name, upload.digest, model)
        if loaded.home != page:
            st.switch_page(f"pages/{loaded.home}.py")
        st.rerun()

    file_field(
        "Load a model (JSON)",
        key,
        take,
        type=["json", "gz"],
        help="A file saved here or by probtrees grow --out. Nothing in it is executed.",
    )


def show_loaded(name: str, digest: str, model: Model) -> Loaded:
    """Put a model that came without its rows on show."""
    loaded = Loaded(name, digest, model)
    st.session_state[LOADED] = loaded
    st.session_state.pop(PART, None)
    state.forget_view()
    if model.smoother in SMOOTHERS:
        st.session_state[state.SMOOTHER] = model.smoother
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


def usable_smoother(bench: Bench, smoother: str, kept: str) -> str:
    """Take the smoother that the model was saved with where the other needs rows, and say so."""
    if bench.can_smooth(smoother):
        return smoother
    st.info(
        f"{markdown_text(SMOOTHERS[smoother].label)} asks held-out rows, which a model's file does "
        "not hold. You see the numbers the model was saved with "
        f"({markdown_text(SMOOTHERS[kept].label)})."
    )
    return kept


def usable_view(bench: Workbench, view: View, kept: str) -> View:
    """Show what can be shown without rows, and say so where something else was asked for."""
    smoother = usable_smoother(bench, view.smoother, kept)
    if smoother != view.smoother:
        return replace(view, smoother=smoother, other=None, colour_by="lift")
    other = view.other if view.other and bench.can_smooth(view.other) else None
    return replace(view, other=other)
