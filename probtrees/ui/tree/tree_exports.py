"""What can be taken away from the Tree page: report, pictures, tables, model, rules, code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.code.rules_as_code import python_rules, sql_check, sql_rules
from probtrees.draw.legend import Frame
from probtrees.draw.tree import opened_branches, tree_dot, undrawn_note
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.detail import FIRST_GROUPS, DetailOrder, shown_children
from probtrees.grow.edits import Edit, edits_text
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.ui.shared.exports import (
    MODEL,
    Export,
    ExportTab,
    Recipe,
    picture_exports,
    show_recipe,
)
from probtrees.ui.shared.loaded_model import choose_model_file
from probtrees.ui.shared.quality import final_model
from probtrees.ui.shared.score_file import scores_tab
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.state import edits_in_force
from probtrees.ui.shared.smoother_options import current_calibration
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.view_controls import View
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.leaf_list import current_leaves, leaves_csv
from probtrees.ui.tree.leaf_panel import track_record_job
from probtrees.ui.tree.pins import pinned_nodes
from probtrees.ui.tree.report_export import REPORT, ask_report
from probtrees.ui.tree.tree_picture import detail_of, opened_nodes, picture_legend
from probtrees.version import __version__
from probtrees.words import percent, plural

_MOST_GROUPS = 750
_PATIENCE = 120.0
"""Seconds that a download waits for numbers that are still being computed."""
_TEST_ROWS = 100
"""Rows of the table that exported rules check themselves on."""


@dataclass(frozen=True)
class TreeOnShow:
    """The tree on show, how it is shown, and the node that is selected."""

    bench: Workbench
    view: View
    smoothed: SmoothedTree
    node: int

    @property
    def model(self) -> Model:
        """The model that is saved and that scores a file: all of it, where a part is on show."""
        if self.bench.saved is not None:
            return self.bench.saved
        smoother = self.view.smoother
        return final_model(self.bench, smoother, self.bench.model(smoother))


LEAVES: Export[TreeOnShow] = Export(
    "leaves.csv",
    "Leaves (CSV)",
    lambda shown: leaves_csv(current_leaves(shown.bench, shown.view.smoother)),
    help="All leaves: rule, rows, cases, every smoother, track record.",
)


def _leaves_remark(_: TreeOnShow) -> None:
    st.caption("The leaf table below the picture downloads only the leaves it lists.")


def _ask_model(shown: TreeOnShow) -> Callable[[], Model]:
    """Return what waits for the model's track record, which it takes along."""
    saved = shown.bench.saved
    if saved is not None:
        return lambda: saved
    model = shown.model
    if model.calibration is not None:
        return lambda: model
    record = track_record_job(shown.bench, shown.view.smoother)

    def with_record() -> Model:
        record.finished.wait(_PATIENCE)
        return model if record.error is not None or record.result is None else record.result

    return with_record


def _model_remark(_: Callable[[], Model]) -> None:
    st.caption(
        "It holds the counts of every node, not the rows. Use it with probtrees predict "
        "model.json NEW.csv, or probtrees.load_model."
    )
    choose_model_file("export.model", "tree")


@dataclass(frozen=True)
class Rules:
    """The leaves as code that runs without this program.

    Attributes
    ----------
    model : routed down one branch at a split, which is all that rules can express
    rows : rows of the table that the code checks itself on; None: there are none
    edits : the corrections that the command asks for as a file
    """

    model: Model
    rows: Dataset | None
    is_routed_softly: bool
    is_table: bool
    is_calibrated: bool = False
    edits: tuple[Edit, ...] = ()

    @property
    def tests(self) -> tuple[Dataset, FloatArray] | None:
        """The rows, and what the code must answer for them."""
        return None if self.rows is None else (self.rows, predict_proba(self.model, self.rows))


def _ask_code(shown: TreeOnShow) -> Rules:
    """Show what grows the same model, and return its rules."""
    bench, smoother = shown.bench, shown.view.smoother
    if bench.saved is None:
        target = bench.schema.target.name
        options = bench.key[1]
        show_recipe(
            Recipe(
                current_source(),
                target,
                "c45",
                options,
                smoother=smoother,
                routing=bench.routing,
                calibrate=current_calibration(),
            )
        )
    model = shown.model if bench.saved is None else bench.model(smoother)
    member, rows = model.members[0], bench.rows
    if rows is not None:
        picked = np.linspace(0, rows.n_rows - 1, min(rows.n_rows, _TEST_ROWS)).astype(np.int64)
        rows = rows.take(picked)
    hard = replace(model, members=(replace(member, routing=None),), calibration=None)
    softly = member.routing is not None
    edits = edits_in_force() if bench.saved is None and not bench.is_table else ()
    return Rules(hard, rows, softly, not bench.tells_class, model.calibration is not None, edits)


def _rules_remark(rules: Rules) -> None:
    if rules.is_table:
        st.caption("A table of a network has no rules of its own.")
        return
    if rules.is_calibrated:
        st.caption("The rules hold the leaves' numbers; the model calibrates them afterwards.")
    if rules.is_routed_softly:
        st.caption("The rules send a row down one branch at a split; the model routes it softly.")
    if rules.rows is None:
        st.caption("A loaded model has no rows, so the Python file has none to check itself on.")


def _python(rules: Rules) -> str:
    return python_rules(rules.model.tree, rules.model.schema, *(rules.tests or ()))


def _sql(rules: Rules) -> str:
    return sql_rules(rules.model.tree, rules.model.schema)


def _sql_check(rules: Rules) -> str:
    tests = rules.tests
    return "" if tests is None else sql_check(rules.model.tree, rules.model.schema, *tests)


RULES: tuple[Export[Rules], ...] = (
    Export(
        "edits.json",
        "Corrections (JSON)",
        lambda rules: edits_text(rules.edits),
        help="The file that the command above asks for.",
        is_offered=lambda rules: bool(rules.edits),
    ),
    Export(
        "rules.py",
        "Rules (Python)",
        _python,
        help=f"Needs nothing but Python; contains up to {_TEST_ROWS} rows of the table to check "
        "itself.",
        is_offered=lambda rules: not rules.is_table,
    ),
    Export(
        "rules.sql",
        "Rules (SQL)",
        _sql,
        help="One column per class. A missing value without a branch of its own gives NULL.",
        is_offered=lambda rules: not rules.is_table,
    ),
    Export(
        "rules_check.sql",
        "Test rows (SQL)",
        _sql_check,
        help=f"A query that scores up to {_TEST_ROWS} rows of the table, which it brings along, "
        "and counts those scored as expected.",
        is_offered=lambda rules: not rules.is_table and rules.rows is not None,
    ),
)


def _ask_picture(shown: TreeOnShow) -> Callable[[], str]:
    """Ask how many groups the picture has, and return what draws it."""
    bench, view, smoothed = shown.bench, shown.view, shown.smoothed
    tree, detail = smoothed.tree, detail_of(bench, view.smoother, smoothed)
    opened = _ask_opened(shown, detail)
    st.caption(f"They tell {percent(detail.share_shown(opened))} of what all leaves tell apart.")
    visible = opened_branches(tree, opened)
    looked_at = [node for node in (shown.node, *pinned_nodes(bench)) if node]
    visible.update(node for node in looked_at if int(tree.arrays.parent[node]) in opened)
    other = bench.smooth(view.other) if view.other else None
    schema, outcome, theme = bench.schema, bench.outcome, state.theme()
    source = " · ".join(filter(None, [undrawn_note(tree, visible), _source(shown)]))
    frame = Frame(_title(shown), picture_legend(bench, view, shown.smoothed), source)

    def dot() -> str:
        drawn = tree_dot(
            smoothed,
            schema,
            outcome=outcome,
            visible=visible,
            colour_by=view.colour_by,
            other=other,
            theme=theme,
            direction="right in a frame",
        )
        return frame.around(drawn, theme)

    return dot


def _ask_opened(shown: TreeOnShow, detail: DetailOrder) -> list[int]:
    """Ask which nodes are open in the file: those on the screen, or those that tell most."""
    tree = detail.tree
    if tree.n_leaves <= 2:
        return detail.opened(tree.n_leaves)
    on_screen = opened_nodes(shown.bench, detail, shown.node)
    n_groups = 1 + int((shown_children(tree)[on_screen] - 1).sum())
    if n_groups <= _MOST_GROUPS:
        chosen = st.radio(
            "The file shows",
            [True, False],
            format_func=lambda same: (
                f"as on the screen ({n_groups:,} groups)" if same else "another number of groups"
            ),
            key="export.as shown",
            persist_state="session",
            horizontal=True,
            help="A file has all numbers on every card, and title, legend and source.",
        )
        if chosen is not False:
            return on_screen
    else:
        st.caption(f"The screen shows {n_groups:,} groups; a file has at most {_MOST_GROUPS}.")
    groups = st.slider(
        "Groups",
        2,
        min(tree.n_leaves, _MOST_GROUPS),
        min(FIRST_GROUPS, tree.n_leaves),
        key="export.groups",
        help="Splits that tell least apart are drawn as a number of nodes.",
    )
    return detail.opened(groups)


def _title(shown: TreeOnShow) -> str:
    """Say what the picture shows."""
    bench = shown.bench
    target = bench.schema.columns[bench.tree.target].title
    rows = plural(float(bench.tree.totals[0]), bench.tree.rows_word)
    return f"{target} = {bench.outcomes[bench.outcome]} among {rows}"


def _source(shown: TreeOnShow) -> str:
    """Say where the numbers of the picture come from."""
    made, tree = shown.bench.counts.provenance, shown.bench.tree
    name = shown.view.smoother
    smoother = SMOOTHERS[name].plain if name in SMOOTHERS else name
    parts = [
        made.source,
        f"{plural(tree.n_nodes, 'nodes')}, {plural(tree.n_leaves, 'leaves')}",
        smoother,
        f"SHA-256 {made.sha256[:12]}" if made.sha256 else "",
        f"probtrees {made.version or __version__}",
    ]
    return " · ".join(filter(None, parts))


TREE_EXPORTS: tuple[ExportTab[Any], ...] = (
    ExportTab("Report", lambda shown: ask_report(shown.bench, shown.view.smoother), (REPORT,)),
    ExportTab("Picture", _ask_picture, picture_exports("tree")),
    ExportTab("Tables", lambda shown: shown, (LEAVES,), _leaves_remark),
    ExportTab("Model", _ask_model, (MODEL,), _model_remark),
    ExportTab("Code", _ask_code, RULES, _rules_remark),
    scores_tab(lambda shown: shown.model),
)
