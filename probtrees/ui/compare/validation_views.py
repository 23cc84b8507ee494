"""What was found where a model was held against another table: in words, then by figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from probtrees.draw.charts.forecast_charts import Bin, reliability_chart
from probtrees.draw.charts.validation_pictures import leaf_colours, validation_legend_html
from probtrees.draw.escape import markdown_text, shorten
from probtrees.experiment.validation.new_rows import read_new_rows, with_known_class
from probtrees.experiment.validation.re_estimate import Gain, gain_of_re_estimating, re_estimate
from probtrees.experiment.validation.validate import Validation
from probtrees.model.model import Model
from probtrees.score.calibration_in_large import Estimate
from probtrees.score.measures import better_when_larger, main_measures
from probtrees.ui.compare.comparison_exports import VALIDATION_EXPORTS, ValidationFiles
from probtrees.ui.compare.scores import plain_scores
from probtrees.ui.compare.tested_rows import show_leaf_button, take_click
from probtrees.ui.shared.exports import MODEL, offer
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Report, jobs, show_progress
from probtrees.ui.shared.show_table import show_table
from probtrees.ui.tree.tree_picture import show_painted_picture
from probtrees.words import count_text, p_text, percent, plural

_NODE = "validate.node"
"""The leaf that is explained."""

_MOST_WAYS = 12
"""Marked leaves that are in sight at first."""

_WANTED = "validate.again"
_PRIOR_WEIGHTS = (0.0, 0.1, 0.5, 1.0)
"""What an old row may count beside a new one where a model is learnt again."""


@dataclass(frozen=True)
class Asked:
    """A model, the table it is checked against, and what the result is found again by.

    Attributes
    ----------
    is_on_show : whether the model is the tree of the Tree page, so that its leaves can be shown
    """

    model: Model
    table: tuple[str, bytes]
    key: tuple[Any, ...]
    is_on_show: bool


def show_validation(asked: Asked, found: Validation) -> None:
    """Show the findings in words, then figure by figure."""
    st.markdown("\n".join(f"- {markdown_text(sentence)}" for sentence in found.sentences))
    offer(VALIDATION_EXPORTS, ValidationFiles(asked.model, found))
    parts = {"Answers": _answers}
    if found.groups:
        parts["Leaf by leaf"] = _groups
    if found.tables:
        parts["Table by table"] = _tables
    parts |= {"Column by column": _columns, "Learn again": _learn_again}
    tabs = st.tabs(list(parts), on_change="rerun", key="validate.view")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show(asked, found)


def _answers(asked: Asked, found: Validation) -> None:
    """Show calibration and ranking as a whole, and by tenths of the rows."""
    show_table(
        [
            {
                "class": name,
                "predicted": percent(large.expected),
                "came": percent(large.observed.value),
                "95 % interval": f"{percent(large.observed.lower)} to "
                f"{percent(large.observed.upper)}",
                "came / predicted": _with_interval(large.ratio),
                "slope": _with_interval(large.slope),
                "AUC": _with_interval(large.auc, 3),
            }
            for name, large in zip(found.classes, found.by_class, strict=True)
        ],
        "validate.large",
        "Predicted and observed rates of every class",
        {
            "slope": ("", "Below 1 forecasts are too bold, above 1 too timid."),
            "AUC": ("", "How well rows are ranked; 0.5 is chance."),
        },
    )
    both = {"the model": found.scores, "rates of training": found.base_rate}
    plain_scores(both, "validate.scores")
    st.caption(
        "Of all classes together. Smaller is better, except for "
        f"{better_when_larger(main_measures())}; *rates of training* tells everybody how common "
        "the classes were in training."
    )
    bins = [Bin(b.predicted, b.observed, b.lower, b.upper, b.rows) for b in found.deciles]
    name = shorten(found.classes[found.outcome], 40)
    st.plotly_chart(
        reliability_chart(bins, name, theme=state.theme()),
        key="validate.deciles",
        alt="Observed rate against predicted chance, in parts, with 95 % intervals",
    )
    st.caption(
        f"{plural(len(bins), 'parts')} of about equally many new rows. On the dashed line "
        "forecasts come true; bars are 95 % intervals."
    )


def _with_interval(estimate: Estimate | None, digits: int = 2) -> str:
    if estimate is None:
        return "unknown"
    ends = (estimate.value, estimate.lower, estimate.upper)
    return "{} ({} to {})".format(*(f"{number:.{digits}f}" for number in ends))


def _groups(asked: Asked, found: Validation) -> None:
    """Show the tree with its marked leaves, and every leaf's figures."""
    theme, model = state.theme(), asked.model
    st.html(validation_legend_html(found.classes[found.outcome], theme=theme))
    picture, sentence = st.container(), st.container()
    picked = show_table(
        [
            {
                "verdict": group.verdict,
                "group": group.rule,
                "rows": group.rows,
                "expected": group.expected,
                "came": group.observed,
                "answer": round(100 * group.chance, 1),
                "95 % interval": f"{100 * group.lower:.1f} to {100 * group.upper:.1f}",
                "adjusted p": p_text(group.adjusted_p),
                "rows in training": group.trained_rows,
            }
            for group in found.groups
        ],
        "validate.groups",
        "Every leaf on the new rows",
        {
            "expected": "%.1f",
            "came": "%.1f",
            "answer": "%.1f %%",
            "adjusted p": ("", "Adjusted over all leaves: the false discovery rate is 5 %."),
        },
        picks="single-row",
    )
    st.caption(
        "In the picture: the answers, and rows of training. Expected cases by the answer stand "
        "against those that came. A leaf is marked if its "
        "cases lie further off than chance and the answer's own interval allow; at most 5 % of "
        "the marks are expected to be false."
    )
    clicked = found.groups[picked[0]].node if picked else None
    take_click(clicked, _NODE, "validate.clicked leaf")
    node = st.session_state.get(_NODE)
    if node is None or node >= model.tree.tree.n_nodes:
        node = found.groups[0].node
    with picture:
        show_painted_picture(
            f"{asked.key} {theme}",
            model.tree,
            model.schema,
            found.outcome,
            leaf_colours(model, found, theme=theme),
            node,
            node_key=_NODE,
            ways=[group.node for group in found.groups_off[:_MOST_WAYS]],
            kept_nodes=[group.node for group in found.groups if group.rows > 0],
        )
    with sentence:
        _one_group(asked, found, node)


def _one_group(asked: Asked, found: Validation, node: int) -> None:
    """Say in a sentence what became of a leaf."""
    group = next((group for group in found.groups if group.node == node), None)
    if group is None:
        st.caption("Click a leaf to read what became of its rows.")
        return
    name = markdown_text(found.classes[found.outcome])
    st.markdown(
        f"**{markdown_text(group.rule)}**: {group.verdict}. {count_text(round(group.observed, 1))} "
        f"of {plural(round(group.rows), 'new rows')} had {name}, expected were "
        f"{group.expected:.1f}: the answer is {percent(group.chance)} "
        f"({percent(group.lower)} to {percent(group.upper)}), from "
        f"{plural(round(group.trained_rows), 'rows')} of training."
        if group.rows > 0
        else f"**{markdown_text(group.rule)}**: no new rows."
    )
    if asked.is_on_show:
        show_leaf_button(node)


def _tables(asked: Asked, found: Validation) -> None:
    """Show every table of the network, and the contexts that changed."""
    show_table(
        [
            {
                "verdict": table.verdict,
                "table of": table.name,
                "rows": table.rows,
                "values moved": 100 * table.distance,
                "adjusted p": p_text(table.adjusted_p),
            }
            for table in found.tables
        ],
        "validate.tables",
        "Every table on the new rows",
        {"values moved": "%.1f %%"},
    )
    off = [
        {"table of": table.name, "where": c.rule, "rows": c.rows, "largest change": c.change}
        for table in found.tables
        for c in table.contexts
        if c.is_off
    ]
    if off:
        st.markdown("**Rows of the tables that differ by more than chance allows**")
        show_table(off, "validate.contexts", "Rows of the tables that differ")
    else:
        st.caption("No single row of a table differs by more than chance allows.")


def _columns(asked: Asked, found: Validation) -> None:
    """Show how every column differs from training."""
    if found.columns is None:
        st.info("The model's file does not say what its columns held in training.")
        return
    distance = "Rows that would have to have another value for both tables to be alike."
    show_table(
        [
            {
                "column": drift.name,
                "verdict": drift.verdict,
                "what changed": drift.words,
                "distance": 100 * drift.distance,
                "adjusted p": p_text(drift.adjusted_p),
            }
            for drift in found.columns
        ],
        "validate.columns",
        "Every column then and now",
        {"distance": ("%.1f %%", distance)},
    )


def _learn_again(asked: Asked, found: Validation) -> None:
    """Measure on left-out new rows what learning the numbers again gains; offer the new model."""
    model, key = asked.model, (*asked.key, "again")
    if st.session_state.get(_WANTED) != key:
        st.caption(
            "The questions of the model stay; its numbers are learnt again from the new rows, with "
            "the old ones as a prior. The gain is measured on new rows that are left out."
        )
        if not st.button("Learn again", icon=":material/restart_alt:"):
            return
        st.session_state[_WANTED] = key

    def work(report: Report) -> list[Gain]:
        rows = with_known_class(read_new_rows(model, asked.table))
        return gain_of_re_estimating(model, rows, prior_weights=_PRIOR_WEIGHTS, progress=report)

    job = jobs().ask(key, work)
    show_progress(job, "Learning again", lambda: st.session_state.pop(_WANTED, None))
    if job.result is None:
        return
    show_table(
        [
            {
                "an old row counts": gain.prior_weight,
                "Brier before": gain.before.brier,
                "after": gain.after.brier,
                "gain": gain.brier_gain.value,
                "95 % interval": f"{gain.brier_gain.lower:+.4f} to {gain.brier_gain.upper:+.4f}",
                "p": p_text(gain.p_value),
                "verdict": gain.verdict,
            }
            for gain in job.result
        ],
        "validate.gains",
        "What learning again gains, by the weight of old rows",
        dict.fromkeys(("Brier before", "after", "gain"), "%.4f"),
    )
    st.caption("Brier score on new rows left out in ten parts; a gain above 0 is better.")
    weight = st.select_slider(
        "An old row counts as much as ... new rows",
        _PRIOR_WEIGHTS,
        0.5,
        key="validate.weight",
        help="In the model to take away: 0 forgets the old rows, 1 counts them like new ones.",
    )

    def learnt_again() -> Model:
        rows = with_known_class(read_new_rows(model, asked.table))
        return re_estimate(model, rows, prior_weight=weight)

    offer((MODEL,), learnt_again)
