"""Acting on forecasts: on whom, by a slider, and what comes of it on unseen rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.charts.decision_table import acting_words, decision_html
from probtrees.draw.escape import shorten
from probtrees.draw.palette import PAINTS, Theme
from probtrees.score.calibration_in_large import Estimate
from probtrees.score.curves import ranking_curve
from probtrees.score.decision import Cut, Decision, capacity_threshold, threshold_of_costs
from probtrees.score.unseen_scores import UnseenScores
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray
from probtrees.ui.shared.forms import keep_choice
from probtrees.ui.shared.session import state
from probtrees.ui.shared.show import known_scores, numbers_of
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.tree_page import BESIDE, DECIDE, RULE
from probtrees.words import act_from, percent

Rule = tuple[str, Any]
_KINDS: dict[str, tuple[str, str, float, float]] = {
    "threshold": ("Chance, in %", "Act from a chance of", 100.0, 99.9),
    "costs": ("Cost of a miss, in false alarms", "A miss costs, in false alarms", 1.0, 10_000.0),
    "capacity": ("Room for, of 1,000", "Act on, of 1,000", 1000.0, 1000.0),
}
"""Among the choices, beside the slider; what a typed number is divided by, and its largest."""
_STOPS: dict[str, list[Any]] = {
    "threshold": [0.001, 0.002, 0.005, *(k / 100 for k in range(1, 100))],
    "costs": [(float(m), 1.0) for m in (0.1, 0.2, 0.5, *range(1, 11), 15, 20, 30, 50, 75, 100)],
    "capacity": [k / 1000 for k in (1, 2, 5, *range(10, 1001, 10))],
}


@dataclass(frozen=True)
class Acting:
    """On whom to act, and what the slider in the picture may change it to.

    Attributes
    ----------
    rule, proposed : what is in force, and what would be without a choice
    answers, rows : the chances that are given, and to how many rows each
    rules : along the slider
    ends : from which chance on each acts in the tree, and on what share of the rows just there
    scores : what inner models said of rows they had not seen; None where there are none (yet)
    """

    rule: Rule
    proposed: Rule
    answers: FloatArray
    rows: FloatArray
    rules: list[Rule]
    ends: list[tuple[float, float]]
    outcome: int
    scores: UnseenScores | None

    @property
    def in_files(self) -> Cut:
        """On whom files act: for the last of rows with chances of their own there are no lots."""
        threshold, lot = self.ends[self.rules.index(self.rule)]
        if lot > 1 - 1e-9 or self.rows[self.answers == threshold].sum() > 1:
            return Cut(self.outcome, threshold, lot if lot < 1 - 1e-9 else 1.0)
        return Cut(self.outcome, float(min(self.answers[self.answers > threshold], default=1.0)))

    @cached_property
    def found(self) -> Decision | None:
        """What comes of it on unseen rows.

        Room for so many says nothing about what a false alarm costs: no net benefit follows.
        """
        if self.scores is None:
            return None
        found = self.scores.decide(self.outcome, **dict([self.rule]))
        if self.rule[0] != "capacity":
            return found
        (_, at, lot), room = self.in_files, Estimate(*3 * (self.rule[1],))
        return replace(found, threshold=at, lot=lot, acted_on=room, net_benefit=None, over_all=None)

    def head(self, theme: Theme) -> dict[str, Any]:
        """Return what the picture draws: for every stop of the slider its words and its leaves."""
        labels = [_label(rule) for rule in self.rules]
        stops = zip(labels, *zip(*self.ends, strict=True), self._words(), strict=True)
        at, paint = self.rules.index(self.rule), PAINTS[theme].diverging[3:]
        return {"rule": _KINDS[self.rule[0]][1], "at": at, "stops": list(stops), "paint": paint}

    def _words(self) -> list[str]:
        """Say of every stop what comes of it; figures of many stops come from one curve."""
        if (scores := self.scores) is None:
            return [""] * len(self.rules)
        cases = scores.labels == self.outcome
        curve = ranking_curve(scores.proba[:, self.outcome], cases, scores.weights)
        total = curve.cases + curve.others
        words = []
        for (kind, value), (at, _) in zip(self.rules, self.ends, strict=True):
            place = np.searchsorted(-curve.thresholds, -at, side="right") - 1
            acted = value if kind == "capacity" else float(curve.found_share[place])
            found = float(np.interp(acted, curve.found_share, curve.found_cases / total))
            words.append(acting_words(acted, found, curve.cases / total - found))
        return words


def acting_on(bench: Workbench, smoothed: SmoothedTree, smoother: str) -> Acting:
    """Return on whom to act with the groups of a tree."""
    leaves = smoothed.tree.leaves
    answers, rows = smoothed.probs[leaves, bench.outcome], smoothed.tree.totals[leaves]
    scores = known_scores(bench, smoother)
    return acting_by(answers, rows, bench.outcome, bench.base_rate, scores)


def acting_by(
    answers: FloatArray,
    rows: FloatArray,
    outcome: int,
    base_rate: float,
    scores: UnseenScores | None,
) -> Acting:
    """Return on whom to act: by the person's rule, else on who is above the overall rate."""
    proposed: Rule = ("threshold", min(max(float(f"{base_rate:.2g}"), 0.001), 0.99))
    rule: Rule = st.session_state.get(RULE, proposed)
    kind = rule[0]
    values = sorted({*_STOPS[kind], rule[1]}, key=lambda value: _size((kind, value)))
    rules = [(kind, value) for value in values]
    ends = [
        capacity_threshold(answers, np.maximum(rows, 1e-9), value)
        if kind == "capacity"
        else (value if kind == "threshold" else threshold_of_costs(*value), 1.0)
        for value in values
    ]
    return Acting(rule, proposed, answers, rows, rules, ends, outcome, scores)


def is_deciding() -> bool:
    """Whether somebody chose on whom to act, or looks at it; files then say it, too."""
    return RULE in st.session_state or st.session_state.get(BESIDE) == DECIDE


def decided(bench: Workbench, smoothed: SmoothedTree, smoother: str) -> Acting | None:
    """Return on whom to act where that is decided."""
    return acting_on(bench, smoothed, smoother) if is_deciding() and bench.tells_class else None


def decision_words(chance: float, act: Cut) -> str:
    """Say what is done with a row that has a chance."""
    return f"**{act.done(chance).capitalize()}.** The decision is to {act_from(*act[1:])}."


def _size(rule: Rule) -> float:
    """Return where a rule stands on its slider."""
    kind, value = rule
    return float(value if kind != "costs" else value[0] / max(value[1], 1e-9))


def _label(rule: Rule) -> str:
    kind, value = rule
    if kind == "threshold":
        return percent(value)
    return f"{_size(rule):.3g}" if kind == "costs" else f"{1000 * value:,.4g}"


def decide_panel(bench: Workbench, smoother: str, acting: Acting) -> None:
    """Ask by what to act, and show what comes of it, with intervals."""
    _ask_kind(acting)
    if acting.found is None:
        if known_scores(bench, smoother) is not None:
            st.rerun()  # they came while the page was drawn
        st.caption("What comes of it is measured on unseen rows. There are none yet.")
        return
    with numbers_of(bench.variant(smoother), "decision"):
        _show_found(acting.found, bench.schema, bench.outcome)


def decide_form(acting: Acting, schema: Schema) -> None:
    """Ask on whom to act by a model whose rows have chances of their own, and show what follows."""
    _ask_kind(acting)
    st.session_state["decide.stop"] = acting.rules.index(acting.rule)
    st.select_slider(
        _KINDS[acting.rule[0]][1],
        range(len(acting.rules)),
        format_func=lambda at: _label(acting.rules[at]),
        key="decide.stop",
        on_change=lambda: keep_choice(
            RULE, acting.rules[st.session_state["decide.stop"]], acting.proposed
        ),
    )
    if acting.found is not None:
        _show_found(acting.found, schema, acting.outcome)


def _show_found(found: Decision, schema: Schema, outcome: int) -> None:
    of_what = f"{shorten(schema.target.title, 40)} = {schema.classes[outcome]}"
    st.html(decision_html(found, of_what, theme=state.theme()))


def _ask_kind(acting: Acting) -> None:
    """Ask by what to act, a chance, costs or a capacity, and for its number."""
    kind = st.session_state["decide.kind"] = acting.rule[0]
    (_, label, times, most), least = _KINDS[kind], 1.0 if kind == "capacity" else 0.01
    typed = float(f"{_size(acting.rule) * times:.6g}")
    st.session_state["decide.typed"] = min(max(typed, least), most)
    by, number = st.columns([3, 2], vertical_alignment="bottom", gap="small")
    by.selectbox(
        "Act by",
        list(_KINDS),
        format_func=lambda name: _KINDS[name][0],
        key="decide.kind",
        on_change=lambda: _take_kind(acting),
        help="A chance, what a miss costs, or for how many of 1,000 there is room.",
    )
    number.number_input(
        label,
        min_value=least,
        max_value=most,
        step=1.0,
        format="%.0f" if kind == "capacity" else "%.4g",
        key="decide.typed",
        on_change=lambda: _take_typed(kind, acting.proposed),
        label_visibility="collapsed",
    )
    if kind != "threshold":
        st.caption(f"Files {act_from(*acting.in_files[1:])}.")


def _take_typed(kind: str, proposed: Rule) -> None:
    """Act by the number that was typed."""
    number = round(st.session_state["decide.typed"] / _KINDS[kind][2], 6)
    keep_choice(RULE, (kind, (number, 1.0) if kind == "costs" else number), proposed)


def _take_kind(acting: Acting) -> None:
    """Begin with what the rule so far comes close to."""
    kind, found, at = st.session_state["decide.kind"], acting.found, acting.in_files.threshold
    share = 0.1 if found is None or found.acted_on is None else found.acted_on.value
    miss = float(f"{1 / max(at, 0.001) - 1:.3g}")
    begins = {
        "threshold": min(max(math.floor(1000 * at) / 1000, 0.001), 0.99),  # with rows at the edge
        "costs": (max(miss, 0.01), 1.0),
        "capacity": max(round(share, 3), 0.001),
    }
    keep_choice(RULE, (kind, begins[kind]), acting.proposed)
