"""Ask the network: what is known, what it says then, why, and what to ask next."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.bars import (
    Contribution,
    SmootherAnswer,
    ValueChance,
    contributions_html,
    estimates_html,
    value_chances_html,
)
from probtrees.draw.escape import label_text, markdown_text
from probtrees.experiment.warm_up import TABLES
from probtrees.explain.answer_spread import answer_spread, has_spread
from probtrees.explain.network_answer import Finding, NetworkAnswer
from probtrees.explain.network_query import SMALL_CELLS, NetworkQuery
from probtrees.model.networks.dense_network import Variable
from probtrees.ui.network.findings import (
    KNOWN,
    begin_to_weigh,
    finding_of,
    finding_text,
    findings_about,
    forget,
    forget_all,
    frozen,
    not_used,
    say,
    value_of,
    weigh_values,
)
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_controls import begin_again, choose_outcome
from probtrees.ui.network.network_information import NOT_CUT
from probtrees.ui.network.network_picture import Asked
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, jobs, result_of, show_progress, wait_for
from probtrees.ui.shared.show import show_table
from probtrees.words import percent, small_chance

_UNOBSERVED = "unobserved: summed over"
_UNSURE = "not sure: weigh the values"
_MOST_ERROR = 0.03
_CERTAIN = 1 - 1e-12
_TOO_FAR_OFF = "What moved the answer and what to ask next would need better ones."
_SEARCHED = (
    " It was searched for: the tables are too large to prove that no other row is more probable."
)
_MOST_WEIGHED = _MOST_VALUES = 12
_MOST_CLASSES = 12


def ask(
    key: tuple[Any, ...], query: NetworkQuery, names: tuple[str, ...], member: int = 0
) -> Asked:
    """Ask a network what it says about what is known.

    Where that takes a while its picture is there already, the chances open. Findings about another
    table than the one that the key begins with are forgotten.
    """
    begin_again("findings", key[:2], (KNOWN,))
    findings = findings_about(query)
    job = jobs().ask(
        (*key, "answer", frozen(findings)),
        lambda report: query.ask(findings, report),
        kernels={TABLES},
    )
    wait_for([job])
    return Asked(key, names, member, query, findings, job, job.result)


def ask_bench(bench: NetworkBench, smoother: str, column: int, asked: Asked) -> None:
    """Show what a network of a table says, first about the column that is chosen."""
    outcome = choose_outcome(bench.schema.classes, bench.usual_outcome, (bench.key[1], "ask"))
    model, said, spread = bench.smooth(smoother), asked.said, None
    # An ensemble has its networks instead; large networks are not asked many times over.
    is_small = said is not None and said.is_exact and said.n_cells <= SMALL_CELLS
    if is_small and has_spread(model) and len(model.members) == 1:
        spread = jobs().ask(
            (*asked.key, "spread", frozen(asked.findings)),
            lambda report: answer_spread(model, asked.findings, progress=report),
        )
    ask_panel(asked, column, outcome, spread)


def ask_panel(asked: Asked, column: int, outcome: int, spread: Job | None = None) -> None:
    """Show the class first, then what is known, what moved the answer, and what to ask next.

    Parameters
    ----------
    column, outcome : the column that is chosen, and the class of interest
    spread : works out what networks drawn from the smoother's posterior say, where it has one
    """
    show_progress(asked.job, "Asking the network")
    if asked.said is None:
        if asked.job.finished.is_set():
            st.rerun()  # the picture was drawn before the answer was there
        st.stop()
    classes = asked.query.variables[asked.query.target].values
    is_answered = bool(np.isfinite(asked.answer.target).all())
    if is_answered:
        _the_class(asked, outcome, classes)
        if spread is not None:
            _say_spread(spread, outcome)
    else:
        st.warning(_contradiction(asked))
    _column_chances(asked, asked.names[column])
    _field(asked, asked.names[column])
    _known(asked.findings)
    if not is_answered:
        return
    if asked.answer.target.max() >= _CERTAIN:
        st.caption(_nothing_open(asked))
    elif _is_good_enough(asked.answer):
        if asked.findings:
            _ladder(asked, classes[outcome])
        _next_questions(asked.answer, asked.query.target)
    _most_probable(asked)


def _column_chances(asked: Asked, name: str) -> None:
    """Show the chances of the values of the column that is chosen, unless it is the class."""
    chances, variable = asked.answer.posteriors.get(name), asked.query.variables.get(name)
    if name == asked.query.target or variable is None or len(variable.values) == 1:
        return
    if chances is None or not np.isfinite(chances).all():
        return
    known = value_of(variable, asked.findings.get(name, {}))
    shown = sorted(np.argsort(-chances, kind="stable")[:_MOST_VALUES].tolist())
    bars = [ValueChance(variable.values[k], float(chances[k]), None, k == known) for k in shown]
    st.markdown(f"**Chances of {markdown_text(name)}**")
    st.html(value_chances_html(bars, theme=state.theme()))
    if len(shown) < len(chances):
        st.caption(f"The {len(shown)} most probable of {len(chances)} values.")


def _nothing_open(asked: Asked) -> str:
    """Say why nothing moves the answer any more: log odds of a certain class have no end."""
    target = markdown_text(asked.query.target)
    if asked.query.target in asked.findings:
        return (
            f"{target} itself is known, so nothing moves its answer; the boxes show what follows "
            "for the other columns. Take it back to see what they say about it."
        )
    return f"By these tables {target} is certain: nothing is left to ask about it."


def _is_good_enough(answer: NetworkAnswer) -> bool:
    """Whether an answer is exact, or sampled so well that more can be asked."""
    return answer.is_exact or (answer.error is not None and answer.error <= _MOST_ERROR)


def _contradiction(asked: Asked) -> str:
    """Name what cannot occur together."""
    named = [
        f"**{markdown_text(name)}**: {markdown_text(finding_text(asked.findings[name]))}"
        for name in asked.answer.conflict
    ]
    if len(named) == 1:
        return f"By these tables this cannot occur: {named[0]}. Take it back."
    if len(named) < 2:
        return "What is known contradicts itself by these tables. Take one of it back."
    return (
        f"By these tables these cannot occur together: {'; '.join(named)}. Take one of them back. "
        "They are framed in the picture."
    )


def _the_class(asked: Asked, outcome: int, classes: tuple[str, ...]) -> None:
    """Show the chance of every class, beside the one without any finding."""
    answer = asked.answer
    prior = float(asked.query.prior[outcome]) if asked.findings else None
    st.markdown(f"**{percent(float(answer.target[outcome]))} {markdown_text(classes[outcome])}**")
    order = sorted(range(len(classes)), key=lambda k: (k != outcome, -answer.target[k]))
    bars = [
        SmootherAnswer(classes[k], float(answer.target[k]), k == outcome)
        for k in order[:_MOST_CLASSES]
    ]
    base = float(answer.target[outcome]) if prior is None else prior
    st.html(estimates_html(bars, base, theme=state.theme()))
    if len(answer.members) > 1:
        low, high = (percent(float(end)) for end in np.quantile(answer.members[:, outcome], [0, 1]))
        networks = f"{len(answer.members)} networks say"
        st.caption(
            f"All {networks} this." if low == high else f"The {networks} between {low} and {high}."
        )
    if not answer.is_possible:
        st.warning(
            f"{_contradiction(asked)} The chance of the class is that of the row with the fewest "
            "impossible values; choose a smoother that leaves nothing impossible to ask further."
        )
    elif answer.error is not None and answer.largest_error is not None:
        st.warning(
            f"{answer.reason} So the answers are sampled: the class may be off by "
            f"{100 * answer.error:.1f} points, other columns by up to "
            f"{100 * answer.largest_error:.1f} (with 95 % confidence)."
            + ("" if _is_good_enough(answer) else f" {_TOO_FAR_OFF}")
        )
    elif not answer.is_exact:
        st.warning(
            f"{answer.reason} Only the class is answered, as at prediction: columns that are not "
            "known are left out, which is exact only where nothing known depends on them."
        )


def _say_spread(job: Job, outcome: int) -> None:
    """Say how far networks drawn from the posterior are apart, once they were asked."""
    show_progress(job, "How far the answer may be off")
    if job.finished.is_set() and job.error is None:
        low, high = np.quantile(job.result[:, outcome], [0.05, 0.95])
        st.caption(
            f"How sure the tables are, carried to the answer: 90 % of {len(job.result)} networks "
            f"drawn from the smoother's posterior say between {percent(float(low))} and "
            f"{percent(float(high))}."
        )


def _field(asked: Asked, name: str) -> None:
    """Let something be said about the column that is chosen."""
    variable = asked.query.variables.get(name)
    if variable is None:
        return
    if len(variable.values) == 1:
        st.caption(f"**{markdown_text(name)}**: {NOT_CUT} *Options* has other ways to cut.")
        return
    finding: Finding = asked.findings.get(name, {})
    is_known = name in asked.findings
    options = [_UNOBSERVED, *variable.values]
    if len(variable.values) <= _MOST_WEIGHED and asked.query.cuts_alike(name):
        options.append(_UNSURE)
    current = _UNOBSERVED
    if is_known:
        value = value_of(variable, finding)
        weighed = isinstance(finding, Mapping)
        current = _UNSURE if weighed else finding_text(finding)
        if value is not None:
            current = variable.values[value]
        elif not weighed:  # a range that this network cuts through
            options.append(current)
    key = f"network.known {asked.key} {name} {frozen({name: finding})}"

    def change() -> None:
        _say_choice(variable, str(st.session_state[key]))

    st.selectbox(
        f"Known of {label_text(name)}",
        options,
        index=options.index(current) if current in options else 0,
        key=key,
        on_change=change,
        help="Unobserved is summed over. Not recorded, where it is among the values, is something "
        "else: a cell that was empty. Or click values in the picture.",
    )
    if isinstance(finding, Mapping) and is_known:
        weigh_values(variable, finding)
    elif not asked.query.cuts_alike(name):
        st.caption(
            "Its values cannot be weighed, since the networks cut this number in different places. "
            "Of a range that is known, each network counts what lies in it of its own ranges."
        )


def _say_choice(variable: Variable, chosen: str) -> None:
    """Take over what was chosen in the field of a column."""
    if chosen == _UNOBSERVED:
        forget(variable.name)
    elif chosen == _UNSURE:
        begin_to_weigh(variable)
    elif chosen in variable.values:
        say(variable.name, finding_of(variable, variable.values.index(chosen)))


def _known(findings: Mapping[str, Finding]) -> None:
    """List what is known; each can be forgotten."""
    left = not_used(findings)
    if left:
        st.caption(markdown_text(left))
    elif not findings:
        st.caption("Nothing is known yet: click values in the picture, or choose one above.")
        return
    with st.container(horizontal=True):
        for name, finding in findings.items():
            st.button(
                f"{markdown_text(name)}: {markdown_text(finding_text(finding))}",
                icon=":material/close:",
                key=f"network.forget {name}",
                on_click=forget,
                args=(name,),
                help="Forget it",
            )
        st.button("Forget all", key="network.forget all", on_click=forget_all, type="tertiary")


def _ladder(asked: Asked, name: str) -> None:
    """Show what each finding moved, in the order they were said."""
    steps = result_of(
        (*asked.key, "ladder", frozen(asked.findings), name),
        lambda report: asked.query.ladder(asked.findings, name),
        title="What each finding moved",
    )
    parts = [
        Contribution(step.name, finding_text(asked.findings[step.name]), step.added)
        for step in steps
    ]
    st.markdown("**What moved the answer**")
    st.html(contributions_html(parts, heads=("column", "known"), theme=state.theme()))
    st.caption(
        f"Log odds of {markdown_text(name)}, from {steps[0].before:+.2f} with nothing known to "
        f"{steps[-1].after:+.2f}, one finding after the other in the order they were said; in "
        "another order the same sum is shared out differently."
        + ("" if asked.answer.is_exact else " Sampled, as the answer is.")
    )


def _next_questions(answer: NetworkAnswer, target: str) -> None:
    """List the columns that are expected to tell most about the class."""
    ranked = sorted(answer.information.items(), key=lambda item: -item[1])[:6]
    if not ranked:
        return
    st.markdown("**What to ask next**")
    shares = answer.target[answer.target > 0]
    unknown = float(-(shares * np.log(shares)).sum())
    settled = [
        ValueChance(name, min(nats / unknown, 1.0) if unknown > 0 else 0.0) for name, nats in ranked
    ]
    st.html(value_chances_html(settled, heads=("column", "settles"), theme=state.theme()))
    st.caption(
        f"How much of what is still open about {markdown_text(target)} ({unknown:.3f} nats) an "
        "answer is expected to settle."
    )


def _most_probable(asked: Asked) -> None:
    """Show the row that is most probable as a whole, when it is asked for."""
    folded = st.expander(
        "The most probable row", icon=":material/star:", on_change="rerun", key="network.mpe open"
    )
    if not folded.open:
        return
    query, findings, member = asked.query, asked.findings, asked.member
    with folded:
        row: Mapping[str, str] = result_of(
            (*asked.key, "most probable", frozen(findings), member),
            lambda report: query.most_probable(findings, member),
            title="The most probable row",
        )
        chance = query.row_probability(row, findings, member)
        is_proved = query.is_proved(findings, member)
        if not math.isnan(chance):
            about = "" if is_proved else "About "
            st.markdown(
                f"**{about}{small_chance(chance)}** for exactly this row, given what is known."
            )
        alone = {
            name: asked.answer.posteriors[name][query.variable(name).code(value)]
            for name, value in row.items()
            if value in query.variable(name).values and name in asked.answer.posteriors
        }
        show_table(
            [
                {"column": name, "value": value, "alone": 100 * alone.get(name, math.nan)}
                for name, value in row.items()
            ],
            "network.most probable",
            "The row that is most probable as a whole",
            {"alone": ("%.1f %%", "The chance of this value, whatever the others are.")},
        )
        which = f" By network {member + 1}." if len(asked.answer.members) > 1 else ""
        st.caption(
            "All columns together, given what is known; the most probable value of one column "
            f"alone may be another.{which}{'' if is_proved else _SEARCHED}"
        )
