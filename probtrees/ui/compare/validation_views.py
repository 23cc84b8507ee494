"""What was found where a model was held against another table: in words, then by figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st

from probtrees.draw.charts.forecast_charts import Bin, reliability_chart
from probtrees.draw.charts.validation_pictures import leaf_colours, validation_legend_html
from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import ProbTreesError
from probtrees.experiment.validation.validate import Validation
from probtrees.model.model import Model
from probtrees.score.calibration_in_large import Estimate
from probtrees.score.measures import better_when_larger, main_measures
from probtrees.table.read_options import ReadOptions
from probtrees.ui.compare.bin_rows import show_leaf_button
from probtrees.ui.compare.comparison_exports import VALIDATION_EXPORTS, ValidationFiles
from probtrees.ui.compare.learn_again import learn_again
from probtrees.ui.compare.scores import plain_scores
from probtrees.ui.shared.exports import offer
from probtrees.ui.shared.session import state
from probtrees.ui.tree.tree_picture import show_painted_picture
from probtrees.words import count_text, p_text, percent, plural

_NODE, _LEAVES = "validate.node", "validate.groups"
"""The leaf that is explained, and the table it may be chosen in."""

_MOST_WAYS = 12
"""Marked leaves that are in sight at first."""


@dataclass(frozen=True)
class Asked:
    """A model, the table it is checked against, and what the result is found again by.

    Attributes
    ----------
    is_on_show : whether the model is the tree of the Tree page, so that its leaves can be shown
    layout : how the table is read: which of its values are which of training
    asked_about : columns of whose values somebody was asked which are which
    """

    model: Model
    table: tuple[str, bytes]
    key: tuple[Any, ...]
    is_on_show: bool
    layout: ReadOptions = field(default_factory=ReadOptions)
    asked_about: frozenset[str] = frozenset()


def show_validation(asked: Asked, found: Validation) -> None:
    """Show the findings in words, then figure by figure."""
    st.markdown("\n".join(f"- {markdown_text(sentence)}" for sentence in found.sentences))
    offer(VALIDATION_EXPORTS, ValidationFiles(asked.model, found))
    parts = {"Answers": _answers}
    if found.groups:
        parts["Leaf by leaf"] = _groups
    if found.tables:
        parts["Table by table"] = _tables
    parts["Column by column"] = _columns
    parts["Learn again"] = _learn_again
    tabs = st.tabs(list(parts), on_change="rerun", key="validate.view")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show(asked, found)


def _answers(asked: Asked, found: Validation) -> None:
    """Show calibration and ranking as a whole, and by tenths of the rows."""
    frame = pd.DataFrame(
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
        ]
    )
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "slope": st.column_config.TextColumn(
                help="Below 1 forecasts are too bold, above 1 too timid."
            ),
            "AUC": st.column_config.TextColumn(help="How well rows are ranked; 0.5 is chance."),
        },
        key="validate.large",
        alt="Predicted and observed rates of every class",
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
    value, lower, upper = (
        f"{number:.{digits}f}" for number in (estimate.value, estimate.lower, estimate.upper)
    )
    return f"{value} ({lower} to {upper})"


def _groups(asked: Asked, found: Validation) -> None:
    """Show the tree with its marked leaves, and every leaf's figures."""
    theme, model = state.theme(), asked.model
    st.html(validation_legend_html(found.classes[found.outcome], theme=theme))
    node = _chosen_node(found, model)
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
    _one_group(asked, found, node)
    frame = pd.DataFrame(
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
        ]
    )
    one = st.column_config.NumberColumn(format="%.1f")
    st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "expected": one,
            "came": one,
            "answer": st.column_config.NumberColumn(format="%.1f %%"),
            "adjusted p": st.column_config.TextColumn(
                help="Adjusted over all leaves: the false discovery rate is 5 %."
            ),
        },
        key=_LEAVES,
        alt="Every leaf on the new rows",
    )
    st.caption(
        "In the picture: the answers, and rows of training. Expected cases by the answer stand "
        "against those that came. A leaf is marked if its "
        "cases lie further off than chance and the answer's own interval allow; at most 5 % of "
        "the marks are expected to be false."
    )


def _chosen_node(found: Validation, model: Model) -> int:
    """Return the node that was clicked in the picture or in the table, at first the first leaf."""
    table = st.session_state.get(_LEAVES)
    rows = [] if table is None else table["selection"]["rows"]
    if rows != st.session_state.get("validate.clicked leaf"):
        st.session_state["validate.clicked leaf"] = rows
        if rows and rows[0] < len(found.groups):
            st.session_state[_NODE] = found.groups[rows[0]].node
    node = st.session_state.get(_NODE)
    if node is None or node >= model.tree.tree.n_nodes:
        node = found.groups[0].node
    return int(node)


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
    frame = pd.DataFrame(
        [
            {
                "verdict": table.verdict,
                "table of": table.name,
                "rows": table.rows,
                "values moved": 100 * table.distance,
                "adjusted p": p_text(table.adjusted_p),
            }
            for table in found.tables
        ]
    )
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "values moved": st.column_config.NumberColumn(format="%.1f %%"),
        },
        key="validate.tables",
        alt="Every table on the new rows",
    )
    off = [
        {"table of": table.name, "where": c.rule, "rows": c.rows, "largest change": c.change}
        for table in found.tables
        for c in table.contexts
        if c.is_off
    ]
    if off:
        st.markdown("**Rows of the tables that differ by more than chance allows**")
        st.dataframe(pd.DataFrame(off), hide_index=True, key="validate.contexts")
    else:
        st.caption("No single row of a table differs by more than chance allows.")


def _columns(asked: Asked, found: Validation) -> None:
    """Show how every column differs from training."""
    if found.columns is None:
        st.info("The model's file does not say what its columns held in training.")
        return
    frame = pd.DataFrame(
        [
            {
                "column": drift.name,
                "verdict": drift.verdict,
                "what changed": drift.words,
                "distance": 100 * drift.distance,
                "adjusted p": p_text(drift.adjusted_p),
            }
            for drift in found.columns
        ]
    )
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "distance": st.column_config.NumberColumn(
                format="%.1f %%",
                help="Rows that would have to have another value for both tables to be alike.",
            ),
        },
        key="validate.columns",
        alt="Every column then and now",
    )


def _learn_again(asked: Asked, found: Validation) -> None:
    try:
        learn_again(asked.model, asked.table, asked.key, asked.layout)
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
