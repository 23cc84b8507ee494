"""How sure the structure is: arrows found again without a part of the rows, losses of all parts."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from probtrees.draw.charts.network_charts import loss_surface_chart
from probtrees.experiment.evaluation.stability import ArcStrengths, arc_strengths
from probtrees.experiment.given_network import FirstAttributes
from probtrees.types import FloatArray
from probtrees.ui.network.network_arrow import arrow_panel
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_controls import begin_again
from probtrees.ui.network.network_information import NO_BUTTONS
from probtrees.ui.network.network_page import ARC, COLUMN, N_ATTRIBUTES, SIDE, SIDES, K
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, jobs, show_progress
from probtrees.ui.shared.show import show_table

_PICKED = "network.arc picked"
_NONE_FREE = "No arrow could have been otherwise: the class points at every column."
_NEEDS_ROWS = "How sure arrows are needs the rows, and arrows that were learnt from them."
_HOW_SURE = (
    "All is learnt again several times without a part of the rows: cuts, order, parents and "
    "selection. Arrows from the class that every such network has are left out. Columns that "
    "say the same take turns: an unsure arrow need not be a wrong one."
)


def choose_part(bench: NetworkBench) -> NetworkBench:
    """Use the part of a selective KDB that was asked for; say so where it is not the chosen one."""
    if not _has_losses(bench):
        return bench
    begin_again("part", bench.key, (N_ATTRIBUTES, K))
    known = bench.counts.diagnostics
    chosen, part = (known["n_attributes"], known["k"]), _part(bench)
    if part == chosen:
        return bench
    st.info(
        f"You see {part[0]} attributes and k = {part[1]}, as set by hand or by a link; rows left "
        f"out chose {chosen[0]} and k = {chosen[1]}.",
        icon=":material/tune:",
    )
    return bench.part(*part)


def _part(bench: NetworkBench) -> tuple[int, int]:
    """Return how many attributes and parents are asked for."""
    known, most = bench.counts.diagnostics, bench.counts.largest_part
    chosen = (known["n_attributes"], known["k"])
    if most is None:
        return chosen
    asked = st.session_state.get(N_ATTRIBUTES, chosen[0]), st.session_state.get(K, chosen[1])
    return min(asked[0], most[0]), min(asked[1], most[1])


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
    counts = bench.counts
    if not isinstance(counts, GrownCounts) or "given" in bench.key:
        return None
    known = bench.counts.diagnostics
    learner = FirstAttributes(known["n_attributes"], known["k"]) if bench.is_part else None

    def work(report: Report) -> ArcStrengths:
        return arc_strengths(counts.grown, member, learner=learner, progress=report)

    return jobs().ask((*bench.key, "arcs", member), work)


def structure_panel(
    whole: NetworkBench, bench: NetworkBench, member: int, smoother: str, job: Job | None
) -> None:
    """Show how sure the arrows are and, of a selective KDB, the loss of every part.

    Parameters
    ----------
    whole : the network as rows left out chose it
    bench, member : the part of it on show, and which of an ensemble
    job : works out how sure the arrows are
    """
    if _has_losses(whole):
        _losses(whole)
    is_free = any(bench.schema.target_column not in arc for arc in bench.dag(member).arcs)
    if job is None or not is_free:
        st.caption(_NEEDS_ROWS if is_free else _NONE_FREE)
        arrow_panel(bench, member, smoother)
        return
    st.markdown("**How sure are the arrows?**", help=_HOW_SURE)
    to_tables = partial(st.session_state.update, {SIDE: SIDES[0]})
    show_progress(job, "Learning the network again without parts of the rows", to_tables)
    if job.finished.is_set() and job.error is None:
        _arrows(bench, job.result)
        arrow_panel(bench, member, smoother, job.result)


def _arrows(bench: NetworkBench, found: ArcStrengths) -> None:
    """List the arrows that could have been otherwise, the least sure first; one can be picked."""
    names, target = bench.schema.titles, bench.schema.target_column
    open_arcs = [arc for arc in found.arcs if target != arc.parent or arc.share < 1]
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
            "arrow": st.column_config.TextColumn(width="medium"),
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
    arcs = [(open_arcs[at].parent, open_arcs[at].child) for at in picked]
    if arcs and arcs[0] != st.session_state.get(_PICKED):
        st.session_state.update({_PICKED: arcs[0], ARC: arcs[0], COLUMN: arcs[0][1]})
        st.rerun()


def _losses(bench: NetworkBench) -> None:
    """Show the loss of every part, and let another one be taken."""
    known, part, most = bench.counts.diagnostics, _part(bench), bench.counts.largest_part
    surface, errors = np.asarray(known["loss_surface"]), known.get("loss_errors")
    said = _choice_words(bench, surface, part)
    st.markdown("**Attributes and parents**", help=said)
    chart = loss_surface_chart(
        surface,
        part,
        [bench.schema.titles[column] for column in known["order"]],
        str(known.get("loss", "loss")).upper(),
        errors=None if errors is None else np.asarray(errors),
        theme=state.theme(),
    )
    words = "Loss on rows left out over number of attributes and parents."
    st.plotly_chart(chart, key="network.surface", alt=words, config=NO_BUTTONS)
    if most is not None:
        sliders = (
            ("Attributes", N_ATTRIBUTES, "The first so many by what they tell about the class."),
            ("k", K, "At most so many other attributes does one depend on."),
        )
        for at, (place, (label, key, help)) in enumerate(zip(st.columns(2), sliders, strict=True)):
            st.session_state[key] = part[at]
            if most[at] > 0:
                place.slider(label, 0, most[at], key=key, persist_state="session", help=help)


def _choice_words(bench: NetworkBench, surface: FloatArray, part: tuple[int, int]) -> str:
    """Say who chose the part of a selective KDB, what it loses, and what can be taken instead."""
    known = bench.counts.diagnostics
    chosen = (known["n_attributes"], known["k"])
    is_held_out = known.get("selection") == "held-out"
    said = (
        f"{'Rows that had no part in learning' if is_held_out else 'Leave-one-out'} chose "
        f"{chosen[0]} attributes and k = {chosen[1]} (loss {surface[chosen]:.4f}; of what you see "
        f"{surface[part]:.4f}). At the squares it is within one standard error of the least."
    )
    is_fixed = bench.counts.largest_part is None
    return f"{said} Another choice would need the rows." if is_fixed else said
