"""In *Growing*: what a smaller tree would cost on unseen rows, and a click to have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.growing_costs import (
    KEPT_APART,
    GrowingCost,
    growing_costs,
    kept_apart,
    ways_to_grow,
)
from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.warm_up import FIRST
from probtrees.model.model import Model
from probtrees.ui.shared.session.growing_answers import answer_growing
from probtrees.ui.shared.session.jobs import Job, Report, jobs, wait_for
from probtrees.ui.shared.smoother_options import current_smoother, smoother_settings
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import plural, score_decimals

_CHOICE = "growing choice"


def growing_choice(bench: TreeBench) -> None:
    """Show what larger leaves and pruning cost; choosing one grows the tree like that."""
    if wait_for([costs_job(bench)]):
        _show(bench, waiting=False)  # a choice concerns the whole page
    else:
        st.fragment(_show, run_every=0.7)(bench, waiting=True)


def is_done(bench: TreeBench, waiting: bool, apart: bool = False) -> bool:
    """Show how far the trees are; once they are done the page is drawn again."""
    job = costs_job(bench, apart)
    if not job.finished.is_set():
        share = min(max(job.share, 0.0), 1.0)
        what = "the merged leaves" if apart else "smaller trees"
        st.progress(share, text=f"Growing {what}: {markdown_text(job.words)}")
        return False
    if waiting:
        st.rerun()
    return True


def _show(bench: TreeBench, waiting: bool) -> None:
    if not is_done(bench, waiting):
        return
    job = costs_job(bench)
    if job.error is not None or not job.result or job.result[0].brier is None:
        st.caption("There are too few rows to say what a smaller tree costs.")
        return
    costs: Sequence[GrowingCost] = job.result
    names = [way_name(cost.options) for cost in costs]
    st.session_state[_CHOICE] = names[0]
    st.radio(
        "A smaller tree, and what it costs on unseen rows",
        names,
        captions=[cost_words(cost) for cost in costs],
        key=_CHOICE,
        on_change=_take,
        args=(dict(zip(names, [cost.options for cost in costs], strict=True)),),
        help="Each is grown from the same parts of the rows and asked about the others. Trying "
        "many and taking the best makes it look better than it will be on new rows.",
    )


def way_name(options: Mapping[str, Any]) -> str:
    """Name one way to grow.

    >>> way_name({}), way_name({"min_leaf": 20}), way_name({"prune": "none"})
    ('As it is', 'Smallest leaf 20 rows', 'Not pruned')
    >>> way_name({"collapse": False, "min_leaf": 20})
    'Smallest leaf 20 rows, none merged'
    """
    if "min_leaf" in options:
        apart = ", none merged" if options.get("collapse") is False else ""
        return f"Smallest leaf {plural(options['min_leaf'], 'rows')}{apart}"
    if "prune" in options:
        return "Not pruned" if options["prune"] == "none" else "Pruned"
    return "As it is"


def cost_words(cost: GrowingCost) -> str:
    """Say how large the tree is and what it costs.

    >>> cost_words(GrowingCost({"min_leaf": 5}, 31, 0.352, (0.002, -0.004, 0.008)))
    '31 leaves, Brier .352: .002 higher, within noise'
    """
    size = plural(cost.n_leaves, "leaves")
    digits = score_decimals(cost.brier, least=3)
    brier = f"{cost.brier or 0.0:.{digits}f}".removeprefix("0")
    if not cost.options:
        return f"{size}, Brier {brier}"
    apart = f"{abs(cost.cost[0]):.{digits}f}".removeprefix("0")
    way = "higher" if cost.cost[0] > 0 else "lower"
    luck = ", within noise" if cost.is_noise else (", worse" if cost.cost[0] > 0 else ", better")
    return f"{size}, Brier {brier}: {apart} {way}{luck}"


def _take(options_by_name: Mapping[str, Mapping[str, Any]]) -> None:
    """Grow the tree in the way that was chosen: what it costs was found for this table."""
    chosen = options_by_name.get(st.session_state[_CHOICE], {})
    answer_growing(current_source().file_key, chosen)


def costs_job(bench: TreeBench, apart: bool = False) -> Job:
    """Ask for the costs of every way; the smoother is the one in use, hard routing is taken.

    Parameters
    ----------
    apart : ask only what it brings not to merge leaves that predict the same class
    """
    smoother = current_smoother()
    options = dict(smoother_settings(smoother))
    grown = bench.counts.grown

    def smooth(tree: GrownModel) -> Model:
        return tree.smooth(smoother, options)

    def work(report: Report) -> list[GrowingCost]:
        learner = grown.spec.learner
        in_use = {"min_leaf": learner.min_leaf, "prune": learner.prune}
        ways = [{}, KEPT_APART] if apart else ways_to_grow(grown.data.n_rows, in_use)
        with bench.counts.lock:
            grown.evidence(report)
        costs = growing_costs(grown, smooth, ways, report)
        more = [] if apart or not learner.collapse else kept_apart(costs)
        return costs + (growing_costs(grown, smooth, [{}, *more], report)[1:] if more else [])

    key = (*bench.variant(smoother), "leaves apart" if apart else "growing costs")
    return jobs().ask(key, work, kernels={smoother, *FIRST})
