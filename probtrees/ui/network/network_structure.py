"""How sure the structure is: arrows found again without a part of the rows, losses of all parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.charts.network_charts import loss_surface_chart
from probtrees.experiment.evaluation.stability import ArcStrengths, arc_strengths
from probtrees.experiment.given_network import FirstAttributes
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_controls import begin_again
from probtrees.ui.network.network_information import NO_BUTTONS
from probtrees.ui.network.network_page import COLUMN, N_ATTRIBUTES, SIDE, SIDES, K
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, jobs, show_progress
from probtrees.ui.shared.show import show_table

_SURFACE = "network.surface"


def choose_part(bench: NetworkBench) -> NetworkBench:
    """Use the part of a selective KDB that was asked for; say so where it is not the chosen one."""
    if not _has_losses(bench):
        return bench
    begin_again("part", bench.key, (N_ATTRIBUTES, K))
    known = bench.diagnostics
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
    known, most = bench.diagnostics, bench.counts.largest_part
    chosen = (known["n_attributes"], known["k"])
    if most is None:
        return chosen
    asked = st.session_state.get(N_ATTRIBUTES, chosen[0]), st.session_state.get(K, chosen[1])
    return min(asked[0], most[0]), min(asked[1], most[1])


def _has_losses(bench: NetworkBench) -> bool:
    """Whether the losses are known of all parts of the one network there is."""
    known = bench.diagnostics
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
    known = bench.diagnostics
    learner = FirstAttributes(known["n_attributes"], known["k"]) if bench.is_part else None

    def work(report: Report) -> ArcStrengths:
        return arc_strengths(counts.grown, member, learner=learner, progress=report)

    return jobs().ask((*bench.key, "arcs", member), work)


def structure_panel(whole: NetworkBench, bench: NetworkBench, job: Job | None) -> None:
    """Show how sure the arrows are and, of a selective KDB, the loss of every part.

    Parameters
    ----------
    whole : the network as rows left out chose it
    bench : the part of it on show
    job : works out how sure the arrows are
    """
    if _has_losses(whole):
        _losses(whole)
    st.markdown("**How sure are the arrows?**")
    if job is None:
        st.caption(
            "Arrows are judged by learning the network again without a part of the rows: that "
            "needs the rows, and arrows that were learnt from them."
        )
        return
    show_progress(job, "Learning the network again without parts of the rows", _back_to_tables)
    if job.finished.is_set() and job.error is None:
        _arrows(bench, job.result)


def _back_to_tables() -> None:
    st.session_state[SIDE] = SIDES[0]


def _arrows(bench: NetworkBench, found: ArcStrengths) -> None:
    """List the arrows, the surest first; picking one shows its table."""
    names = bench.schema.titles
    frame = pd.DataFrame(
        {
            "from": [names[arc.parent] for arc in found.arcs],
            "to": [names[arc.child] for arc in found.arcs],
            "found again": [100 * arc.share for arc in found.arcs],
            "turned": [100 * arc.turned for arc in found.arcs],
            "here": [arc.is_here for arc in found.arcs],
        }
    )
    picked = show_table(
        frame,
        f"network.arcs {bench.key}",
        "Every arrow with the share of networks learnt again that have it",
        {
            "found again": st.column_config.ProgressColumn(
                min_value=0.0, max_value=100.0, format="%.0f %%"
            ),
            "turned": ("%.0f %%", "Networks that have the arrow the other way round."),
            "here": st.column_config.CheckboxColumn(
                help="Not ticked: most of the networks have it, this one does not."
            ),
        },
        picks="single-row",
        height=min(430, 38 + 35 * max(len(frame), 1)),
    )
    st.caption(
        f"Of {found.n_networks} networks, each learnt again without a part of the rows (cuts, "
        "order, parents and selection), so many have the arrow. The picture's arrows are as wide "
        "as that. Columns that say the same take turns: an unsure arrow need not be a wrong one."
    )
    choice = f"{bench.key} {picked}"
    if picked and st.session_state.get("network.arc row") != choice:  # once for every choice
        st.session_state["network.arc row"] = choice
        child = found.arcs[picked[0]].child
        if child in bench.dag(0).columns and st.session_state.get(COLUMN) != child:
            st.session_state[COLUMN] = child
            st.rerun()


def _losses(bench: NetworkBench) -> None:
    """Show the loss of every part, and let another one be taken by a click or by sliders."""
    st.markdown("**Which attributes, and how many parents each?**")
    known, part, most = bench.diagnostics, _part(bench), bench.counts.largest_part
    surface = np.asarray(known["loss_surface"])
    errors = known.get("loss_errors")
    chart = loss_surface_chart(
        surface,
        part,
        [bench.schema.titles[column] for column in known["order"]],
        errors=None if errors is None else np.asarray(errors),
        theme=state.theme(),
    )
    takes: dict[str, Any] = {}
    if most is not None:
        takes = {"on_select": lambda: _take_cell(most), "selection_mode": "points"}
    words = "Loss on rows left out over number of attributes and parents."
    st.plotly_chart(chart, key=_SURFACE, alt=words, config=NO_BUTTONS, **takes)
    if most is not None:
        left, right = st.columns(2)
        used = "The first so many attributes by mutual information with the class are used."
        _slide(left, "Attributes", N_ATTRIBUTES, (most[0], part[0]), used)
        parents = "At most so many other attributes does one depend on."
        _slide(right, "k", K, (most[1], part[1]), parents)
    _say_losses(bench, surface, part, has_errors=errors is not None)


def _take_cell(most: tuple[int, int]) -> None:
    """Use the part whose cell was clicked."""
    points = st.session_state[_SURFACE].selection.points
    if points:
        st.session_state[N_ATTRIBUTES] = min(int(points[0]["x"]), most[0])
        st.session_state[K] = min(int(points[0]["y"]), most[1])


def _slide(place: Any, label: str, key: str, bounds: tuple[int, int], help: str) -> None:
    """Let a number be chosen from 0 to the first bound; at first it is the second."""
    most, chosen = bounds
    st.session_state[key] = min(st.session_state.get(key, chosen), most)
    if most > 0:
        place.slider(label, 0, most, key=key, persist_state="session", help=help)


def _say_losses(
    bench: NetworkBench, surface: Any, part: tuple[int, int], *, has_errors: bool
) -> None:
    """Say what was chosen, by what, and what is on show."""
    known = bench.diagnostics
    chosen = surface[known["n_attributes"], known["k"]]
    words = (
        f"{_chooser(known)} {known['n_attributes']} attributes and k = {known['k']} "
        f"(loss {chosen:.4f}); you see {part[0]} and k = {part[1]} (loss {surface[part]:.4f})."
    )
    if has_errors:
        words += " Inside the line the loss is within one standard error of the least."
    if bench.counts.largest_part is None:
        words += " Another choice would have to be smoothed by held-out rows, which are not here."
    elif bench.rows is None:
        words += " Smaller choices are in the model's tables; larger ones need the rows."
    else:
        words += " Click a cell to take it."
    st.caption(words)


def _chooser(known: Mapping[str, Any]) -> str:
    """Say by what a part was chosen, the beginning of a sentence."""
    if known.get("selection") == "held-out":
        return "Rows that had no part in learning chose the smallest that is about as good as any:"
    return "Leave-one-out chose"
