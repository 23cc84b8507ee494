"""A tree with shapes, or a council of models: which is asked for, fitted, and how good it is."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from probtrees.draw.charts.quality_strip import against_sentence, quality_sentence, unseen_verdict
from probtrees.draw.escape import markdown_text
from probtrees.draw.node_card import default_outcome
from probtrees.experiment.council import COUNCILLORS, Council
from probtrees.experiment.fit import finish_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import unseen_scores
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import DEFAULT_SMOOTHER, SMOOTHERS
from probtrees.experiment.warm_up import FIRST
from probtrees.explain.shape_curves import WORDS, additive_member
from probtrees.model.model import Model
from probtrees.score.decision import Cut
from probtrees.score.unseen_scores import UnseenScores
from probtrees.table.dataset import Dataset
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Report, result_of
from probtrees.ui.shared.smoother_options import settings
from probtrees.ui.shared.workbench import TreeBench, settings_seen
from probtrees.ui.tree.decide_panel import Acting
from probtrees.ui.tree.tree_page import COUNCIL, FALLING, FORM, FORMS, NO_SHAPE, RISING
from probtrees.words import plural

_OF_TABLE = "shaped.wishes of table"
_TREE_ALONE = f"the tree alone, smoothed by {SMOOTHERS[DEFAULT_SMOOTHER].label}"


@dataclass(frozen=True)
class ShapedOnShow:
    """A shaped tree or a council, and the rows it was fitted to where they are here.

    Attributes
    ----------
    key : what it was made from
    own, alone : how good it is on rows it has not seen, and how good the tree alone
    n_variants : how many settings were looked at on this table; None: not known
    acting : on whom to act, where that is decided
    """

    model: Model
    rows: Dataset | None
    key: Any
    outcome: int
    own: UnseenScores | None = None
    alone: UnseenScores | None = None
    n_variants: int | None = None
    acting: Acting | None = None

    @property
    def act(self) -> Cut | None:
        """On whom to act, where that is decided."""
        return None if self.acting is None else self.acting.in_files

    @property
    def is_council(self) -> bool:
        """Whether several models answer together."""
        return self.model.kind == "council"


def form_choice() -> str:
    """Ask for a tree alone or with a shape for every column; a council is asked for under More."""
    current = st.session_state.get(FORM)
    chosen = st.segmented_control(
        "What the tree is",
        [form for form in FORMS if form != "council" or current == form],
        format_func=lambda name: FORMS[name],
        default="tree",
        required=True,
        **state.lasting(FORM),
        label_visibility="collapsed",
        width="content",
        help="With shapes every row gets a number of its own: what its columns add and what its "
        "path adds, in log-odds. It is often better on unseen rows, and takes a while to fit.",
    )
    return str(chosen)


def council_button() -> None:
    """Offer that several models answer together."""
    words = "Let tree with shapes, soft tree and network answer together (council)"
    st.button(words, on_click=lambda: st.session_state.update({FORM: "council"}))


def fitted_form(bench: TreeBench, form: str, bar: DeltaGenerator) -> ShapedOnShow:
    """Fit what is asked for to the table in use; while that runs the page ends with its progress.

    Parameters
    ----------
    bar : where wishes are asked for
    """
    growing = dict(bench.key[1])
    if form == "council":
        learner, title = "council", "Letting the council sit"
        options = {"missing": growing["missing"]} if "missing" in growing else {}
        options["members"] = ",".join(_ask_members())
    else:
        learner, title = "shaped-tree", "Fitting path and shapes"
        with bar:
            options = growing | _ask_wishes(bench)
    spec = make_spec(learner, options)
    key = (learner, settings(options), *bench.key)
    model, own, alone = result_of(
        key,
        lambda report: _fit_judged(bench, spec, report),
        title=title,
        on_cancel=lambda: st.session_state.update({FORM: "tree"}),
        kernels={learner, *FIRST} if form == "shaped" else None,
    )
    (seen := settings_seen(bench)).add(str(key))
    return ShapedOnShow(model, bench.data, key, bench.outcome, own, alone, len(seen))


def saved_form(model: Model, digest: str) -> ShapedOnShow:
    """Take a model that came as a file, without its rows."""
    chosen = st.session_state.get(state.OUTCOME)
    if chosen is None or chosen >= len(model.schema.classes):
        target = model.schema.target_column
        chosen = default_outcome(next(s.tree for s in model.trees if s.tree.target == target))
    return ShapedOnShow(model, None, digest, int(chosen))


def size_words(model: Model) -> str:
    """Say how large a model is."""
    if model.kind == "council":
        return plural(len(model.members), "members")
    member = additive_member(model)
    return f"{member.smoothed.tree.n_leaves:,} leaves, {len(member.shapes):,} shapes"


def _fit_judged(
    bench: TreeBench, spec: ModelSpec, report: Report
) -> tuple[Model, UnseenScores | None, UnseenScores | None]:
    """Fit a model, and ask inner models about rows they have not seen: its own, and the tree's."""
    grown = grow_model(bench.data, spec, progress=report)
    model = finish_model(grown, DEFAULT_SMOOTHER, progress=report, track_record=True)
    own = unseen_scores(grown, model, report)
    alone = bench.counts.smooth(DEFAULT_SMOOTHER, (), report)
    with bench.counts.lock:
        return model, own, unseen_scores(bench.counts.grown, alone, report)


def quality_words(shown: ShapedOnShow) -> list[str]:
    """Say what the page and the report say of unseen rows; nothing where there are none."""
    own, alone = shown.own, shown.alone
    if own is None:
        return []
    return [
        quality_sentence(own, shown.model.schema.classes, shown.outcome),
        unseen_verdict(own)[0],
        "" if alone is None else against_sentence(own, alone, _TREE_ALONE),
    ]


def _ask_members() -> list[str]:
    """Ask who sits on the council; nobody chosen means the usual ones."""
    usual = Council().names
    chosen = st.multiselect(
        "Who sits on the council",
        list(COUNCILLORS),
        default=list(usual),
        **state.lasting(COUNCIL),
        help="Held-out rows decide how loud everybody is; who does not help is left out. "
        f"{'; '.join(f'{name}: {words}' for name, words in WORDS.items())}.",
    )
    return [name for name in COUNCILLORS if name in (chosen or usual)]


def _ask_wishes(bench: TreeBench) -> dict[str, str]:
    """Ask what shapes must do, and return it as options of a shaped tree.

    Wishes are about the outcome of interest, so that choosing another one asks for another fit.
    """
    features, outcome = bench.schema.features, bench.outcomes[bench.outcome]
    numbers = [at for at, column in enumerate(features) if not column.is_nominal]
    asked = {
        RISING: (f"Must never fall for {outcome} as the number grows", numbers),
        FALLING: (f"Must never rise for {outcome} as the number grows", numbers),
        NO_SHAPE: ("Gets no curve", list(range(len(features)))),
    }
    # What was wished of another table's columns is forgotten, and what a link has too much.
    is_other = st.session_state.get(_OF_TABLE) not in (None, bench.key[0])
    st.session_state[_OF_TABLE] = bench.key[0]
    for key, (_, columns) in asked.items():
        wished = () if is_other else st.session_state.get(key) or ()
        st.session_state[key] = [at for at in wished if at in columns]
    n_wishes = sum(len(st.session_state[key]) for key in asked)
    label = f"What curves must do ({n_wishes})" if n_wishes else "What curves must do"
    with st.popover(label, icon=":material/rule:"), st.form("shape wishes", border=False):
        for key, (words, columns) in asked.items():
            if columns:
                st.multiselect(
                    markdown_text(words),
                    columns,
                    format_func=lambda at: features[at].name,
                    **state.lasting(key),
                )
        st.caption(
            "The curves are fitted again so that they obey; what that costs on rows held out is "
            "said below them. The tree may still split on a column: to have nothing of it, leave "
            "it out on the Data page."
        )
        st.form_submit_button("Fit again")
    rising, falling, none = (_names(bench, st.session_state[key]) for key in asked)
    options = {"increasing": rising, "decreasing": falling, "banned": none}
    options["increasing_for"] = outcome if rising or falling else ""
    return {name: text for name, text in options.items() if text}


def _names(bench: TreeBench, columns: Sequence[int]) -> str:
    """Write columns as options take them: with commas between, quoted where they hold some."""
    text = io.StringIO()
    csv.writer(text).writerow([bench.schema.features[at].name for at in columns])
    return text.getvalue().strip("\r\n")
