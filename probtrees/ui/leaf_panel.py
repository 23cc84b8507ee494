"""The panel that explains one node: where its probability comes from and what to make of it."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.escape import html_lines, html_text, markdown_text
from probtrees.draw.estimates import Estimate, estimates_html
from probtrees.draw.ladder import ladder_html, rungs
from probtrees.draw.node_card import percent
from probtrees.draw.palette import PAINTS
from probtrees.draw.rings import Ring, ring_bar_html
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.leaf import Explanation, explain_leaf
from probtrees.explain.rounding import percent_decimals, round_to_sum
from probtrees.explain.sentence import groups_of
from probtrees.smoothed_tree import SmoothedTree
from probtrees.ui import state
from probtrees.ui.jobs import wait_for
from probtrees.ui.track_record import track_record
from probtrees.ui.workbench import Workbench, ready_trees, smooth_all


def leaf_card(bench: Workbench, smoothed: SmoothedTree, node: int, smoother: str) -> Explanation:
    """Show a node's number, rule and ladder, and whose rows the number rests on."""
    schema, outcome = bench.data.schema, bench.outcome
    told = explain_leaf(smoothed, node, schema, outcome)
    target = schema.columns[smoothed.tree.target].name
    label = SMOOTHERS[smoother].label if smoother in SMOOTHERS else smoother
    st.html(_headline(told, target, label, is_leaf=bool(smoothed.tree.is_leaf[node])))
    interval = None if told.spread is None else (told.spread.lower, told.spread.upper)
    st.html(
        ladder_html(rungs(smoothed, schema, node, outcome), interval=interval, theme=state.theme())
    )
    st.markdown(markdown_text(told.sentence))
    st.html(_rings(smoothed, bench, told))
    for note in told.notes:
        st.caption(markdown_text(note))
    return told


def leaf_panel(bench: Workbench, smoothed: SmoothedTree, node: int, smoother: str) -> None:
    """Explain one node, leaving the other smoothers' numbers to :func:`all_smoothers`."""
    told = leaf_card(bench, smoothed, node, smoother)
    if smoothed.tree.is_leaf[node] and not bench.grown_tree.grown.recipe.is_network:
        track_record(bench, smoother, told.probability)
    _spread(told)
    with st.expander("The formula, filled in"):
        _formula(told)


def all_smoothers(bench: Workbench, node: int, current: str) -> None:
    """Show every smoother's number for the node, filling in those that are not ready yet."""
    waiting = not wait_for(smooth_all(bench).values())
    st.fragment(_estimates, run_every=0.7 if waiting else None)(bench, node, current, waiting)


def _estimates(bench: Workbench, node: int, current: str, waiting: bool) -> None:
    shown = []
    for name, smoothed in ready_trees(bench).items():
        value = None if smoothed is None else float(smoothed.probs[node, bench.outcome])
        error = bench.smoothing(name).error
        note = "" if error is None else str(error)
        shown.append(Estimate(SMOOTHERS[name].label, value, name == current, note))
    st.html(estimates_html(shown, bench.base_rate, theme=state.theme()))
    if waiting and all(job.finished.is_set() for job in smooth_all(bench).values()):
        st.rerun()


def _headline(told: Explanation, target: str, smoother: str, *, is_leaf: bool) -> str:
    """Write the number large, and the rule as a sentence."""
    faint = PAINTS[state.theme()].faint
    conditions = [f"<em>{html_text(words)}</em>" for words in told.rule]
    who = "All rows" if not conditions else "Rows where " + " and ".join(conditions)
    shown = told.probability if is_leaf or told.observed is None else told.observed
    kind = f"Leaf · {smoother}" if is_leaf else "Inner node · observed rate"
    return (
        f'<div style="font-size:.8rem;color:{faint}">{html_text(kind)}</div>'
        f'<div style="line-height:1.2"><span style="font-size:2.1rem;font-weight:700">'
        f'{percent(shown)}</span> <span style="font-size:1.1rem;overflow-wrap:anywhere">'
        f"{html_text(target)}: {html_text(told.outcome_name)}</span></div>"
        f'<div style="margin-top:.2rem;overflow-wrap:anywhere">{who}.</div>'
    )


def _rings(smoothed: SmoothedTree, bench: Workbench, told: Explanation) -> str:
    """Draw whose rows the number rests on; the printed shares and points add up."""
    groups = groups_of(smoothed.tree, bench.data.schema, told.rings or told.contributions)
    decimals = percent_decimals(told.probability)
    shares = round_to_sum([100 * group.share for group in groups], 0)
    points = round_to_sum([100 * group.points for group in groups], decimals)
    parts = [
        Ring(group.words, group.share, f"{share:.0f} %", f"+{point:.{decimals}f} points")
        for group, share, point in zip(groups, shares, points, strict=True)
        if share > 0 or point > 0
    ]
    return ring_bar_html(parts, theme=state.theme())


def _spread(told: Explanation) -> None:
    """Show the posterior interval, named for what it is."""
    if told.spread is None:
        st.caption("Posterior interval: none computed by this smoother.")
        return
    st.caption(
        f"90 % interval {percent(told.spread.lower)} to {percent(told.spread.upper)}: "
        f"{markdown_text(told.spread.note)}."
    )


def _formula(told: Explanation) -> None:
    """Show the smoother's formula with this node's numbers."""
    lines = html_lines([told.formula.general, "", *told.formula.steps])
    st.html(f'<pre style="white-space:pre-wrap;font-size:.85rem;margin:0">{lines}</pre>')
    words = [f"- {markdown_text(s)}: {markdown_text(w)}" for s, w in told.formula.symbols.items()]
    st.markdown("\n".join(words))
