"""How sure the structure is: arrows found again without a part of the rows, losses of all parts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.charts.comparison_charts import loss_surface_chart
from probtrees.experiment.evaluation.stability import ArcStrengths, arc_strengths
from probtrees.experiment.registry import LEARNERS
from probtrees.ui.network.network_arrow import arrow_panel, correct_arrows
from probtrees.ui.network.network_bench import NetworkBench, other_network
from probtrees.ui.network.network_controls import current_column
from probtrees.ui.network.network_information import NO_BUTTONS
from probtrees.ui.network.network_page import AGAINST, ARC, AS_LEARNT, COLUMN, SIDE, SIDES, networks
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, jobs, show_progress
from probtrees.ui.shared.show import show_table
from probtrees.words import plural

_PICKED = "network.arc picked"
_NONE_FREE = "No arrow could have been otherwise: the class points at every column."
_NEEDS_ROWS = "How sure arrows are needs the rows, and arrows that were learnt from them."
_FORCED = ("tan", "kdb")
"""Networks whose columns have as many parents as there may be."""
_HOW_SURE = (
    "All is learnt again several times without a part of the rows: cuts, order, parents and "
    "selection. Arrows from the class that every such network has are left out. Columns that "
    "say the same take turns: an unsure arrow need not be a wrong one."
)


def _has_losses(bench: NetworkBench) -> bool:
    """Whether the losses are known of all parts of the one network there is."""
    known = bench.counts.diagnostics
    if bench.n_members > 1 or not {"loss_surface", "order", "n_attributes", "k"} <= set(known):
        return False
    most = np.shape(known["loss_surface"])
    fits = bool(known["n_attributes"] < most[0] and known["k"] < most[1])
    return fits and most[0] <= len(known["order"]) + 1


def ask_strengths(bench: NetworkBench, member: int) -> Job | None:
    """Ask how sure the arrows are, without waiting; None where there are no rows to leave out."""
    counts, is_free = bench.counts, _is_free(bench, member)
    if not isinstance(counts, GrownCounts) or "given" in bench.key or not is_free:
        return None

    def work(report: Report) -> ArcStrengths:
        return arc_strengths(counts.grown, member, progress=report)

    return jobs().ask((*bench.key, "arcs", member), work)


def choose_other(bench: NetworkBench) -> tuple[str, NetworkBench] | None:
    """Choose another network, whose arrows are drawn into the same picture; None: none."""
    kinds = [name for name in networks() if LEARNERS[name].kind == "network"]
    names = {name: LEARNERS[name].label for name in kinds if name != bench.key[2]}
    names |= {AS_LEARNT: "the network as learnt"} if bench.edits else {}
    if st.session_state.get(AGAINST) not in names:
        st.session_state.pop(AGAINST, None)
    words = "Compare arrows with"
    how: Any = {"placeholder": "no other network", "persist_state": "session"}
    chosen = st.selectbox(
        words, list(names), index=None, format_func=names.__getitem__, key=AGAINST, **how
    )
    return None if chosen is None else (names[chosen], other_network(bench, chosen))


def _is_free(bench: NetworkBench, member: int) -> bool:
    """Whether an arrow could have been otherwise: those from the class to all columns could not."""
    return any(bench.schema.target_column not in arc for arc in bench.dag(member).arcs)


def structure_panel(bench: NetworkBench, member: int, smoother: str, job: Job | None) -> None:
    """Correct arrows, show how sure they are and, of a selective KDB, the loss of every part.

    Parameters
    ----------
    member : which network of an ensemble
    job : works out how sure the arrows are
    """
    if bench.edits is not None:
        correct_arrows(bench, current_column(bench, member), smoother)
    if _has_losses(bench):
        _losses(bench)
    if job is None:
        st.caption(_NEEDS_ROWS if _is_free(bench, member) else _NONE_FREE)
        arrow_panel(bench, member, smoother)
        return
    st.markdown("**How sure are the arrows?**", help=_HOW_SURE)
    to_tables = partial(st.session_state.update, {SIDE: SIDES[0]})
    show_progress(job, "Learning the network again without parts of the rows", to_tables)
    if job.finished.is_set() and job.error is None:
        names, edits = bench.schema.names, bench.edits or ()
        by_hand = [{names.index(edit.parent), names.index(edit.child)} for edit in edits]
        learnt = [arc for arc in job.result.arcs if {arc.parent, arc.child} not in by_hand]
        found = replace(job.result, arcs=tuple(learnt))
        _arrows(bench, found)
        arrow_panel(bench, member, smoother, found)


def _arrows(bench: NetworkBench, found: ArcStrengths) -> None:
    """List the arrows that could have been otherwise, the least sure first; one can be picked."""
    names, target = bench.schema.titles, bench.schema.target_column
    open_arcs = [arc for arc in found.arcs if target != arc.parent or arc.share < 1]
    if not open_arcs:
        st.caption("All of them are drawn by hand.")
        return
    open_arcs.sort(key=lambda arc: (arc.share, -arc.turned))
    picked = show_table(
        [
            {
                "arrow": f"{names[arc.parent]} → {names[arc.child]}",
                "found again": 100 * arc.share,
                "turned": 100 * arc.turned,
                "here": arc.is_here,
            }
            for arc in open_arcs
        ],
        f"network.arcs {bench.key}",
        "Arrows that could have been otherwise, with the share of networks that have them",
        {
            "arrow": st.column_config.TextColumn(width=165),
            "found again": st.column_config.ProgressColumn(
                min_value=0.0, max_value=100.0, format="%.0f %%"
            ),
            "turned": ("%.0f %%", "Networks that have the arrow the other way round."),
            "here": st.column_config.CheckboxColumn(
                help="Not ticked: most of the networks have it, this one does not."
            ),
        },
        picks="single-row",
        height=min(300, 38 + 35 * max(len(open_arcs), 1)),
    )
    if bench.key[2] in _FORCED:
        st.caption("Every column must have a parent here, whether or not that one tells something.")
    arcs = [(open_arcs[at].parent, open_arcs[at].child) for at in picked]
    if arcs and arcs[0] != st.session_state.get(_PICKED):
        st.session_state.update({_PICKED: arcs[0], ARC: arcs[0], COLUMN: arcs[0][1]})
        st.rerun()


def _losses(bench: NetworkBench) -> None:
    """Show the loss of every part of a selective KDB."""
    known = bench.counts.diagnostics
    surface = np.asarray(known["loss_surface"])
    chosen = (known["n_attributes"], known["k"])
    is_held_out = known.get("selection") == "held-out"
    said = (
        f"{'Rows that had no part in learning' if is_held_out else 'Leave-one-out'} chose "
        f"{plural(chosen[0], 'attributes')} and k = {chosen[1]} (loss {surface[chosen]:.4f})."
    )
    st.markdown("**Attributes and parents**", help=said)
    chart = loss_surface_chart(
        surface,
        chosen,
        [bench.schema.titles[column] for column in known["order"]],
        str(known.get("loss", "loss")).upper(),
        theme=state.theme(),
    )
    words = "Loss on rows left out over number of attributes and parents."
    st.plotly_chart(chart, key="network.surface", alt=words, config=NO_BUTTONS)
