"""Ask the network: what is known, what it says then, why, and what to ask next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st
from scipy.special import expit

from probtrees.draw.bars import ValueChance, value_chances_html
from probtrees.draw.escape import label_text, markdown_text
from probtrees.experiment.warm_up import TABLES
from probtrees.explain.network_answer import Finding, Findings, NetworkAnswer
from probtrees.explain.network_query import SMALL_CELLS, NetworkQuery
from probtrees.types import FloatArray
from probtrees.ui.network.findings import (
    CASES,
    KNOWN,
    finding_of,
    finding_text,
    findings_about,
    forget,
    frozen,
    known_to,
    say,
    value_of,
    weigh_values,
)
from probtrees.ui.network.network_controls import begin_again
from probtrees.ui.network.network_information import NOT_CUT
from probtrees.ui.network.network_picture import Asked
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Report, jobs, result_of, show_progress, wait_for
from probtrees.ui.shared.show import show_table
from probtrees.words import bits, percent

_UNOBSERVED = "unobserved: summed over"
_UNSURE = "not sure: weigh the values"
_MOST_ERROR = 0.03
_CERTAIN = 1 - 1e-12
_TOO_FAR_OFF = "What moved the answer and what to ask next would need better ones."
_MOST_WEIGHED = _MOST_CLASSES = 12
_MOST_NEXT, _LEAST_TOLD = 4, 0.0005
_MOST_CASES = 8
_OFF = "Asking networks learnt without a part of the rows"


def ask(
    key: tuple[Any, ...],
    make: Callable[[Report], NetworkQuery],
    names: tuple[str, ...],
    column: int,
    member: int = 0,
) -> Asked:
    """Ask a network what it says about what is known.

    Where that takes a while its picture is there already, the chances open. Findings about another
    table than the one that the key begins with are forgotten.

    Parameters
    ----------
    make : makes the network ready to be asked
    column : the column that is chosen
    """
    begin_again("findings", key[:2], (KNOWN,))
    title = "Preparing the network"
    query: NetworkQuery = result_of((*key, "query"), make, title=title, kernels={TABLES})
    findings = findings_about(query)
    job = jobs().ask(
        (*key, "answer", frozen(findings)),
        lambda report: query.ask(findings, report),
        kernels={TABLES},
    )
    nothing = jobs().ask((*key, "answer", ()), lambda report: query.ask({}, report))
    wait_for([job])
    before = nothing.result if nothing.is_ready else None
    return Asked(key, names, column, member, query, findings, job, job.result, before)


def ask_panel(
    asked: Asked, outcome: int, inner: Callable[[Report], Sequence[NetworkQuery]] | None = None
) -> None:
    """Show the class first, then what is known, what moved the answer, and what to ask next.

    Parameters
    ----------
    outcome : the class of interest
    inner : makes the networks that were learnt without a part of the rows, where there are rows
    """
    show_progress(asked.job, "Asking the network")
    if asked.said is None:
        if asked.job.finished.is_set():
            st.rerun()  # the picture was drawn before the answer was there
        st.stop()
    target = asked.query.target
    classes = asked.query.variables[target].values
    is_answered = bool(np.isfinite(asked.answer.target).all())
    if is_answered:
        _the_class(asked, outcome, classes, _spread_of(asked, inner))
    else:
        is_possible, reason = asked.answer.is_possible, asked.answer.reason
        st.warning(markdown_text(reason) if is_possible else _contradiction(asked))
    _field(asked, asked.names[asked.column])
    _known(asked.findings)
    if not is_answered:
        return
    if asked.answer.target.max() >= _CERTAIN:  # log odds of a certain class have no end
        why = "known" if target in asked.findings else "certain by these tables"
        st.caption(f"{markdown_text(target)} is {why}: nothing is left to ask about it.")
    elif _is_good_enough(asked.answer):
        if asked.findings:
            _ladder(asked, classes[outcome])
        _next_questions(asked)
    _cases(asked, outcome, classes[outcome])


def _is_good_enough(answer: NetworkAnswer) -> bool:
    """Whether an answer is exact, or sampled so well that more can be asked."""
    return answer.is_exact or (answer.error is not None and answer.error <= _MOST_ERROR)


def _contradiction(asked: Asked) -> str:
    """Name what cannot occur together."""
    named = [
        f"**{markdown_text(name)}**: {markdown_text(finding_text(asked.findings[name]))}"
        for name in asked.answer.conflict or asked.findings
    ]
    return f"By these tables these cannot occur together: {'; '.join(named)}. Take one back."


def _the_class(
    asked: Asked, outcome: int, classes: tuple[str, ...], spread: tuple[FloatArray, str] | None
) -> None:
    """Show the chance of every class, beside its own without any finding."""
    answer = asked.answer
    lines = f"Thin lines: answers of {spread[1]}; no interval of the chance." if spread else None
    chance = percent(float(answer.target[outcome]))
    name = f"{asked.query.target}: {classes[outcome]}"
    st.markdown(f"**{chance} {markdown_text(name)}**", help=lines)
    order = sorted(range(len(classes)), key=lambda k: (k != outcome, -answer.target[k]))
    bars = [
        ValueChance(
            classes[k],
            float(answer.target[k]),
            float(asked.query.prior[k]) if asked.findings else None,
            k == outcome,
            None if spread is None else (float(spread[0][0, k]), float(spread[0][1, k])),
        )
        for k in order[: _MOST_CLASSES if len(order) > 2 else 1]  # the other is what is left
    ]
    st.html(value_chances_html(bars, theme=state.theme()))
    if answer.error is not None and answer.largest_error is not None:
        st.warning(
            f"{answer.reason} So the answers are sampled: the class may be off by "
            f"{100 * answer.error:.1f} points, other columns by up to "
            f"{100 * answer.largest_error:.1f} (with 95 % confidence)."
            + ("" if _is_good_enough(answer) else f" {_TOO_FAR_OFF}")
        )


def _spread_of(
    asked: Asked, inner: Callable[[Report], Sequence[NetworkQuery]] | None
) -> tuple[FloatArray, str] | None:
    """Say between what other networks put every class, float64[2, n_classes], and which these are.

    They are those of an ensemble, or learnt without a part of the rows. Large networks are not
    asked many times over.
    """
    findings, answer = asked.findings, asked.answer
    if len(answer.members) > 1:
        return _ends(answer.members), f"the {len(answer.members)} networks of the ensemble"
    if inner is None or not answer.is_exact or answer.n_cells > SMALL_CELLS:
        return None
    networks = jobs().ask((*asked.key, "inner networks"), inner)
    show_progress(networks, _OFF, waits=False)
    if not networks.is_ready:
        return None

    def work(_: Report) -> FloatArray:
        return np.array([one.ask(findings).target for one in networks.result])

    job = jobs().ask((*asked.key, "refits", frozen(findings)), work)
    show_progress(job, _OFF)
    found = job.result if job.is_ready else np.full((1, 1), np.nan)
    said = f"{len(found)} networks, each learnt without a part of the rows"
    return (_ends(found), said) if np.isfinite(found).all() else None


def _ends(answers: FloatArray) -> FloatArray:
    """Return the lowest and highest answers."""
    return np.stack([answers.min(axis=0), answers.max(axis=0)])


def _field(asked: Asked, name: str) -> None:
    """Let something be said about the column that is chosen."""
    variable = asked.query.variables.get(name)
    if variable is None:
        return
    if len(variable.values) == 1:
        st.caption(f"**{markdown_text(name)}**: {NOT_CUT} *Options* has other ways to cut.")
        return
    options = [_UNOBSERVED, *variable.values]
    # Networks that cut a number in different places have no values in common to be weighed.
    if len(variable.values) <= _MOST_WEIGHED and asked.query.cuts_alike(name):
        options.append(_UNSURE)
    finding: Finding = asked.findings.get(name, {})
    current = _UNOBSERVED
    if name in asked.findings:
        value = value_of(variable, finding)
        known = finding_text(finding) if value is None else variable.values[value]
        current = _UNSURE if isinstance(finding, Mapping) else known
        if current not in options:  # a range that this network cuts through
            options.append(current)
    key = f"network.known {asked.key} {name} {frozen({name: finding})}"

    def change() -> None:
        chosen = str(st.session_state.get(key))
        if chosen == _UNOBSERVED:
            forget(name)
        elif chosen == _UNSURE:
            say(name, dict.fromkeys(variable.values, 1.0))
        elif chosen in variable.values:
            say(name, finding_of(variable, variable.values.index(chosen)))

    st.selectbox(
        f"Known of {label_text(name)}",
        options,
        index=options.index(current),
        key=key,
        on_change=change,
        help="Unobserved is summed over. Not recorded, where it is among the values, is something "
        "else: a cell that was empty. Or click values in the picture.",
    )
    if current == _UNSURE and isinstance(finding, Mapping):
        weigh_values(variable, finding)


def _known(findings: Mapping[str, Finding]) -> None:
    """List what is known; each can be forgotten."""
    said: Mapping[str, Finding] = st.session_state.get(KNOWN, {})
    left = [f"{name} ({finding_text(said[name])})" for name in said if name not in findings]
    if left:  # it may cut columns otherwise
        words = f"Not used, since this network has no such value: {', '.join(left)}."
        st.caption(markdown_text(words))
    if not said:
        return
    with st.container(horizontal=True):
        for name, finding in findings.items():
            st.button(
                f"{markdown_text(name)}: {markdown_text(finding_text(finding))}",
                icon=":material/close:",
                key=f"network.forget {name}",
                on_click=forget,
                args=(name,),
            )
        st.button("Forget all", on_click=forget, args=tuple(said), type="tertiary")


def _ladder(asked: Asked, name: str) -> None:
    """Show where each finding took the chance, in the order they were said."""
    steps = result_of(
        (*asked.key, "ladder", frozen(asked.findings), name),
        lambda report: asked.query.ladder(asked.findings, name),
        title="What each finding moved",
    )
    said = [f"{step.name}: {finding_text(asked.findings[step.name])}" for step in steps]
    bars = [ValueChance("nothing known", float(expit(steps[0].before)))]
    bars += [
        ValueChance(words, float(expit(step.after)), float(expit(step.before)))
        for words, step in zip(said, steps, strict=True)
    ]
    how = (
        f"The chance of {markdown_text(name)} once this, too, is known, in the order it was "
        "said; the dashed line is where it was before. In another order the steps differ."
        + ("" if asked.answer.is_exact else " Sampled, as the answer is.")
    )
    st.markdown("**What moved the answer**", help=how)
    st.html(value_chances_html(bars, theme=state.theme()))


def _next_questions(asked: Asked) -> None:
    """List the columns that are expected to tell most about the class, if any tells something."""
    target, shares = asked.query.target, asked.answer.target[asked.answer.target > 0]
    unknown = max(float(-(shares * np.log2(shares)).sum()), 1e-300)
    told = {name: bits(nats) / unknown for name, nats in asked.answer.information.items()}
    telling = [name for name in told if told[name] >= _LEAST_TOLD and name in asked.telling]
    ranked = sorted(telling, key=lambda name: -told[name])[:_MOST_NEXT]
    words = f"How much of what is still open about {markdown_text(target)} ({unknown:.3f} bits) an "
    st.markdown("**What to ask next**", help=f"{words}answer is expected to settle.")
    if not ranked:
        st.caption(f"Nothing more tells about {markdown_text(target)}.")
        return
    settled = [ValueChance(name, min(told[name], 1.0)) for name in ranked]
    st.html(value_chances_html(settled, head="settles", theme=state.theme()))


def _cases(asked: Asked, outcome: int, name: str) -> None:
    """Keep what is known as a case, and show the kept ones of this network side by side."""
    all_kept: tuple[Findings, ...] = st.session_state.get(CASES, ())
    kept = [case for case in all_kept if known_to(asked.query, case) == case]
    with st.container(horizontal=True):
        if asked.findings and asked.findings not in kept:
            more = (*all_kept, dict(asked.findings))[-_MOST_CASES:]
            st.button("Keep this case", on_click=st.session_state.update, args=({CASES: more},))
        if kept:
            st.button("Forget kept cases", on_click=st.session_state.pop, args=(CASES,))
    if not kept:
        return
    answers = result_of(
        (*asked.key, "cases", *map(frozen, kept)),
        lambda report: [asked.query.ask(case, report).target for case in kept],
        title="Kept cases",
    )
    lines = [
        {
            "case": ", ".join(f"{column}: {finding_text(each)}" for column, each in case.items()),
            name: 100 * float(answer[outcome]),
        }
        for case, answer in zip(kept, answers, strict=True)
    ]
    words = "Kept cases with the chance of each; picking one takes it up"
    key = f"network.cases {frozen(asked.findings)}"  # picked once: what is known may change then
    picked = show_table(lines, key, words, {name: "%.1f %%"}, picks="single-row")
    if picked and kept[picked[0]] != asked.findings:
        st.session_state[KNOWN] = dict(kept[picked[0]])
        st.rerun()
