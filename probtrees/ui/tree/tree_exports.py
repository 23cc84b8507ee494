"""What can be taken away from the Tree page: report, pictures, tables, model, rules, code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import streamlit as st

from probtrees.draw.code.rules_as_code import python_rules, sql_rules
from probtrees.draw.legend import framed_dot
from probtrees.draw.picture_file import render
from probtrees.draw.tree import opened_branches, tree_dot, undrawn_note
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.detail import shown_children
from probtrees.model.model import Model
from probtrees.score.decision import Cut
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.ui.shared.exports import (
    MODEL,
    Export,
    ExportTab,
    Recipe,
    picture_exports,
    show_recipe,
)
from probtrees.ui.shared.loaded_model import choose_model_file
from probtrees.ui.shared.score_file import scores_tab
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.state import edits_in_force
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.view_controls import View
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.decide_panel import decided
from probtrees.ui.tree.leaf_list import current_leaves, leaves_csv
from probtrees.ui.tree.leaf_panel import track_record_job
from probtrees.ui.tree.pins import pinned_nodes
from probtrees.ui.tree.report_export import REPORT, ask_report, finished
from probtrees.ui.tree.tree_picture import detail_of, opened_nodes, picture_legend
from probtrees.version import __version__
from probtrees.words import act_from, percent, plural

_MOST_GROUPS = 750


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
        return self.bench.model(self.view.smoother)

    @property
    def act(self) -> Cut | None:
        """On whom to act, where that is decided."""
        acting = decided(self.bench, self.smoothed, self.view.smoother)
        return None if acting is None else acting.in_files


LEAVES: Export[TreeOnShow] = Export(
    "leaves.csv",
    "Leaves (CSV)",
    lambda shown: leaves_csv(current_leaves(shown.bench, shown.view.smoother)),
    help="All leaves: rule, rows, cases, every smoother, track record; text that a spreadsheet "
    "would run is made harmless.",
)


def _ask_model(shown: TreeOnShow) -> Callable[[], Model]:
    """Return what waits for the model's track record, which it takes along."""
    model = shown.model
    if shown.bench.saved is not None:
        return lambda: model
    record = track_record_job(shown.bench, shown.view.smoother)
    return lambda: finished(record) or model


def model_tab(
    ask: Callable[[Any], Callable[[], Model]], page: Literal["tree", "network"]
) -> ExportTab[Any]:
    """Offer a model as a file, and to load one.

    Parameters
    ----------
    ask : returns what returns the model
    page : where it is offered
    """

    def remark(_: Any) -> None:
        st.caption(
            "It holds counts, not the rows. Use it with probtrees predict model.json NEW.csv, or "
            "probtrees.load_model."
        )
        choose_model_file(f"{page}.export.model", page)

    return ExportTab("Model", ask, (MODEL,), remark)


@dataclass(frozen=True)
class Rules:
    """The leaves as code that runs without this program.

    Attributes
    ----------
    model : routed down one branch at a split, which is all that rules can express
    remarks : in what the rules differ from the model
    act : on whom they say to act, where that is decided
    """

    model: Model
    remarks: tuple[str, ...] = ()
    act: Cut | None = None


def _ask_code(shown: TreeOnShow) -> Rules | None:
    """Show what grows the same model, and return its rules; a table of a network has none."""
    bench, smoother = shown.bench, shown.view.smoother
    if bench.saved is None:
        target = bench.schema.target.name
        show_recipe(Recipe(current_source(), target, "c45", bench.key[1], smoother=smoother))
    if not bench.tells_class:
        st.caption("A table of a network has no rules of its own.")
        return None
    model = shown.model if bench.saved is None else bench.model(smoother)
    member = model.members[0]
    remarks = {
        "The rules hold the leaves' numbers; the model calibrates them afterwards.": (
            model.calibration is not None
        ),
        "The rules send a row down one branch at a split; the model routes it softly.": (
            member.routing is not None
        ),
        "Corrections, File saves the edits.json that the command asks for.": (
            not bench.is_table and bool(edits_in_force())
        ),
    }
    hard = replace(model, members=(replace(member, routing=None),), calibration=None)
    said = tuple(remark for remark, holds in remarks.items() if holds)
    if act := shown.act:
        said += (f"They have a decision: {act_from(*act[1:])}.",)
    return Rules(hard, said, act)


RULES: tuple[Export[Rules], ...] = (
    Export(
        "rules.py",
        "Rules (Python)",
        lambda rules: python_rules(rules.model.tree, rules.model.schema, rules.act),
        help="Needs nothing but Python; holds no row of the table.",
    ),
    Export(
        "rules.sql",
        "Rules (SQL)",
        lambda rules: sql_rules(rules.model.tree, rules.model.schema, act=rules.act),
        help="One column per class; a missing or unknown value is averaged over the branches.",
    ),
)


def _rules_remark(rules: Rules) -> None:
    for said in rules.remarks:
        st.caption(said)


def _ask_picture(shown: TreeOnShow) -> Callable[[], str]:
    """Say how much the picture shows, which is what the screen does, and return what draws it."""
    bench, view, smoothed, act = shown.bench, shown.view, shown.smoothed, shown.act
    tree, detail = smoothed.tree, detail_of(bench, view.smoother, smoothed)
    opened = opened_nodes(bench, detail, shown.node)
    n_groups = 1 + int((shown_children(tree)[opened] - 1).sum())
    which = f"as on the screen ({n_groups:,} groups)"
    if n_groups > _MOST_GROUPS:
        opened = detail.opened(_MOST_GROUPS)
        which = f"{_MOST_GROUPS} of the {n_groups:,} groups on the screen, as a file has no more"
    st.caption(
        f"The file shows the tree {which}, which tell {percent(detail.share_shown(opened))} of "
        "what all leaves tell apart. The slider of the picture changes that."
    )
    visible = opened_branches(tree, opened)
    looked_at = [node for node in (shown.node, *pinned_nodes(bench)) if node]
    visible.update(node for node in looked_at if int(tree.arrays.parent[node]) in opened)
    other = bench.smooth(view.other) if view.other else None
    schema, outcome, theme = bench.schema, bench.outcome, state.theme()
    source = " · ".join(filter(None, [undrawn_note(tree, visible), _source(shown)]))
    rows = plural(float(tree.totals[0]), tree.rows_word)
    title = f"{schema.columns[tree.target].title} = {bench.outcomes[outcome]} among {rows}"
    if act is not None:
        view, title = replace(view, colour_by="acting"), f"{title}: {act_from(*act[1:])}"
    legend = picture_legend(bench, view, smoothed)

    def dot() -> str:
        drawn = tree_dot(
            smoothed,
            schema,
            outcome=outcome,
            visible=visible,
            colour_by=view.colour_by,
            other=other,
            act=act,
            theme=theme,
        )
        return framed_dot(drawn, title, legend, source, theme)

    return dot


def _source(shown: TreeOnShow) -> str:
    """Say where the numbers of the picture come from."""
    made, tree = shown.bench.counts.provenance, shown.bench.tree
    name = shown.view.smoother
    parts = [
        made.source,
        f"{plural(tree.n_nodes, 'nodes')}, {plural(tree.n_leaves, 'leaves')}",
        SMOOTHERS[name].plain if name in SMOOTHERS else name,
        f"SHA-256 {made.sha256[:12]}" if made.sha256 else "",
        f"probtrees {made.version or __version__}",
    ]
    return " · ".join(filter(None, parts))


BY_GRAPHVIZ: Export[Callable[[], str]] = Export(
    "tree-graphviz.svg",
    "SVG, laid out by Graphviz",
    lambda dot: render(dot(), by_graphviz=True),
    help="The other pictures stand as on the screen; DOT can be laid out by Graphviz elsewhere.",
)

TREE_EXPORTS: tuple[ExportTab[Any], ...] = (
    ExportTab("Report", lambda shown: ask_report(shown.bench, shown.view.smoother), (REPORT,)),
    ExportTab("Picture", _ask_picture, (*picture_exports("tree"), BY_GRAPHVIZ)),
    ExportTab("Tables", lambda shown: shown, (LEAVES,)),
    model_tab(_ask_model, "tree"),
    ExportTab("Code", _ask_code, RULES, _rules_remark),
    scores_tab(lambda shown: (shown.model, shown.act)),
)
