"""The tab *On another table*: do methods and models hold on people they have never seen.

All methods of a comparison stand beside their figures at home. What is found of one model is said
in words; every figure stands in the report, which is shown as it is saved.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.verdict import MARGIN, holds_words, is_worse_there
from probtrees.experiment.registry import SMOOTHERS
from probtrees.experiment.validation.new_table import read_new_rows, with_known_class
from probtrees.experiment.validation.re_estimate import Gain, gain_of_re_estimating, re_estimate
from probtrees.experiment.validation.validate import in_large_words, validate
from probtrees.model.model import Model
from probtrees.report.validation_report import validation_report
from probtrees.score.calibration_in_large import calibration_in_large
from probtrees.score.measures import MEASURES, shown
from probtrees.score.paired_test import LEVEL
from probtrees.table.dataset import Dataset
from probtrees.table.folds import NEVER_TESTED, Folds
from probtrees.table.match import UnmatchedColumn
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import find_unmatched, read_to_predict
from probtrees.ui.compare import compare_page as on_page
from probtrees.ui.compare import comparison_run as runs
from probtrees.ui.compare.comparison_exports import VALIDATION_EXPORTS, Validated
from probtrees.ui.compare.comparison_plan import ComparisonPlan, chosen_plan
from probtrees.ui.compare.tested_rows import chances_of
from probtrees.ui.shared.exports import MODEL, offer
from probtrees.ui.shared.kept_session import given_file, kept_here
from probtrees.ui.shared.loaded_model import read_model_bytes
from probtrees.ui.shared.score_file import match_values
from probtrees.ui.shared.session.bounded_cache import Upload, kept, limits
from probtrees.ui.shared.session.jobs import Job, Report, jobs, show_progress
from probtrees.ui.shared.session.kept_tables import RECORDS
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.smoother_options import current_smoother
from probtrees.ui.shared.table_source import FILE_HELP
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import p_text, score_texts

_ALL, _ON_SHOW, _FROM_FILE = "All methods compared", "The tree on show", "A model from a file"
_WANTED, _VIEW, _TABLE = "validate.again", "validate.view", "validate.table"
_LAYOUT = "compare.there layout"
"""How the methods were last told to read another table."""
_PRIOR_WEIGHTS = (0.0, 0.1, 0.5, 1.0)
"""What an old row may count beside a new one where a model is learnt again."""


def validate_here(bench: TreeBench) -> None:
    """Ask for a model and a table, hold one against the other, and show what was found."""
    left, right = st.columns(2, gap="medium")
    given = None
    with left:
        plan = runs.asked_plan(bench) or chosen_plan(bench)
        ways = (_ALL, _ON_SHOW, _FROM_FILE)[bool(plan.lacking) :]
        which = st.radio("Model", ways, key="validate.which", horizontal=True)
        if which == _ALL:
            st.caption(markdown_text(plan.words(bench)))
        elif which == _ON_SHOW:
            label = SMOOTHERS[current_smoother()].label
            st.caption(f"C4.5 tree of the table in use, smoothed by {label}.")
        else:
            given = given_file(
                "Model (JSON)",
                "validate.model",
                type=["json", "gz"],
                help="Saved here or by probtrees grow --out. Nothing in it is executed.",
            )
    file = given_file(
        "Another table, with what happened",
        _TABLE,
        right,
        help="New rows with the columns of the model and their true class: another year, "
        f"another hospital. {FILE_HELP}",
    )
    if file is None or (which == _FROM_FILE and given is None):
        st.info("Upload rows that the model has not seen, to learn whether it holds there.")
        return
    model_key: Any = bench.variant(current_smoother())
    if given is None:
        job = bench.smoothing(current_smoother())
        show_progress(job, "Smoothing", lambda: None)
        model: Model | None = job.result
    else:
        model, model_key = read_model_bytes(given.name, given.content), given.digest
    if model is None:
        return
    table, digest = (file.name, file.content), file.digest
    outcome = 0 if which == _ALL else _ask_outcome(model, bench)
    layout = ReadOptions() if which == _ALL else ReadOptions(unused=model.unused_columns)
    if unknown := _unknown_values((model_key, digest), model, table, layout):
        layout = match_values(unknown, f"validate {digest}", layout)
    if which == _ALL:
        _all_methods(bench, plan, file, layout)
        return
    key = ("validate", model_key, digest, outcome, layout)
    _show(model, partial(read_new_rows, model, table, layout), outcome, key)


def run_there(bench: TreeBench) -> runs.ComparisonRun | None:
    """Return what came out on the other table in use, if the server knows it, as after a reload."""
    if (held := f"{_TABLE} held") not in st.session_state and (kept := kept_here()) is not None:
        saved = kept.find(f"{RECORDS}{_TABLE}")
        st.session_state[held] = None if saved is None else saved.upload
    file, layout = st.session_state.get(held), st.session_state.get(_LAYOUT, ReadOptions())
    job = None if file is None else _job_there(bench, file, layout, is_known=True)
    run: runs.ComparisonRun | None = None if job is None else job.result
    return run


def answer_there(
    here: runs.ComparisonRun, there: runs.ComparisonRun, margin: float, bench: TreeBench
) -> tuple[str, str]:
    """Say in a sentence whether the choice holds on another table, and what that rests on.

    What training rows and the figures at home owe to chance counts as much as what new rows do.
    """
    found, new, name = here.verdict(margin), there.verdict(margin), there.data.name
    own, away = (run.by_name()[found.best] for run in (here, there))
    given = chances_of(there, away, bench.outcome)
    large = calibration_in_large(*given, learnt_from=here.data.n_rows)
    level = LEVEL / 2  # two tests share what chance is allowed
    came = in_large_words(large, bench.asked, len(given[0]), level)
    holds, fails = holds_words(found, new, name), f"Forecasts do not hold on {name}"
    if large.p_value <= level:
        return f"{fails}: {came}", holds
    if not is_worse_there((own, here.data, here.folds), (away, there.data, there.folds)):
        return holds, came
    measured = (shown("brier", one.scores.brier, own.n_classes) or 0.0 for one in (own, away))
    rises = "the Brier score of {} rises from {} to {}, which chance does not explain."
    return f"{fails}: {rises.format(found.best, *score_texts(*measured))}", f"{came} {holds}"


def _job_there(
    bench: TreeBench, file: Upload, layout: ReadOptions, *, is_known: bool = False
) -> Job | None:
    """Learn all methods from all rows at home, and measure them on the other table."""
    _, plan = asked = st.session_state[runs.ASKED]

    def work(report: Report) -> runs.ComparisonRun:
        rows = read_to_predict((file.name, file.content), bench.data.schema, layout)
        limits().check_table(rows.n_rows, rows.schema.n_columns)
        there = runs.ComparisonRun(
            plan, *as_hold_out(bench.data, with_known_class(rows), file.name)
        )
        return runs.measure_all(there, report)

    key = ("there", *asked, file.digest, layout)
    return jobs().ask(key, work) if not is_known or jobs().knows(key) else None


def _all_methods(bench: TreeBench, plan: ComparisonPlan, file: Upload, layout: ReadOptions) -> None:
    """Learn every method from all rows at home, and hold it against the other table."""
    if runs.asked_plan(bench) is None:  # who gives a table asks for the comparison at home as well
        st.session_state[runs.ASKED] = (bench.key[0], plan)
    st.session_state[_LAYOUT], job = layout, _job_there(bench, file, layout)
    assert job is not None
    show_progress(job, "Comparing", lambda: None)
    here = runs.current_run(bench, plan, start=False)
    if job.result is None or here is None or not here.is_whole:
        return
    there: runs.ComparisonRun = job.result
    margin = float(st.session_state.get(on_page.MARGIN, MARGIN))
    answer, details = answer_there(here, there, margin, bench)
    found = there.verdict(margin)
    st.subheader(markdown_text(answer), anchor=False)
    st.caption(markdown_text(details))
    beside = {
        (f"{MEASURES[m].label} {where}", label): shown(m, scores[m], bench.data.n_classes)
        for m in ("brier", "log_loss", "auc")
        for where, run in (("here", here), ("there", there))
        for label, scores in run.scores().items()
    }
    frame = pd.Series(beside).unstack(0, sort=False).rename_axis("method")
    standing = {label: found.label(label) for label in there.by_name()}
    frame.insert(0, "there", frame.index.map(standing).fillna(""))
    frame = frame.sort_values(f"{MEASURES['brier'].label} there").reset_index()
    numbers: dict[str, Any] = dict.fromkeys(frame.columns[2:], "%.4f")
    numbers["there"] = st.column_config.TextColumn(width="medium")
    show_table(frame, "validate.methods", "Every method here and on the other table", numbers)
    st.caption(f"Here: held out of {markdown_text(bench.data.name)}; there: learnt from all of it.")


def as_hold_out(data: Dataset, new: Dataset, name: str) -> tuple[Dataset, list[Folds]]:
    """Put new rows behind those of a table, and hold out just them, once."""
    weights = None
    if data.weights is not None or new.weights is not None:
        weights = np.concatenate([data.row_weights, new.row_weights])
    values = np.concatenate([data.values, new.values])
    both = Dataset(data.schema, values, name, weights, repeats=data.repeats_rule)
    test_fold = np.repeat([NEVER_TESTED, 0], [data.n_rows, new.n_rows])
    return both, [Folds(test_fold)]


@kept(spinner="Looking at the table")
def _unknown_values(
    key: tuple[Any, ...], _model: Model, _table: tuple[str, bytes], _layout: ReadOptions
) -> tuple[UnmatchedColumn, ...]:
    """List the columns of another table that hold words which the model does not know."""
    return find_unmatched(_table, _model.schema, _layout, with_target=True)


def _ask_outcome(model: Model, bench: TreeBench) -> int:
    """Ask which class the figures are about."""
    classes, key = model.schema.classes, "validate.outcome"
    if st.session_state.get(key, 0) not in range(len(classes)):
        del st.session_state[key]
    chosen = st.selectbox(
        "Outcome of interest",
        range(len(classes)),
        index=bench.outcome if classes == bench.outcomes else len(classes) - 1,
        format_func=lambda number: classes[number],
        key=key,
    )
    return int(chosen)


def _show(model: Model, read: Callable[[], Dataset], outcome: int, key: tuple[Any, ...]) -> None:
    """Validate beside the page; show the findings in words, then every figure and what to do.

    Parameters
    ----------
    read : reads the table for the model
    key : what the result is found again by
    """

    def work(report: Report) -> Validated:
        report(0.1, "reading the table")
        rows = read()
        limits().check_table(rows.n_rows, rows.schema.n_columns)
        report(0.4, "holding the model against it")
        found = validate(model, rows, outcome=outcome)
        return found, validation_report(model, found)

    job = jobs().ask(key, work)
    show_progress(job, "Validating", lambda: None)
    if job.result is None:
        return
    found, report = job.result
    st.markdown("\n".join(f"- {markdown_text(sentence)}" for sentence in found.sentences))
    offer(VALIDATION_EXPORTS, job.result)
    figures, again = st.tabs(["Every figure", "Learn again"], on_change="rerun", key=_VIEW)
    if figures.open:
        with figures:
            st.iframe(report, alt="Every figure of the validation")
    if again.open:
        with again:
            _learn_again(model, read, (*key, "again"))


def _learn_again(model: Model, read: Callable[[], Dataset], key: tuple[Any, ...]) -> None:
    """Measure on left-out new rows what learning the numbers again gains; offer the new model."""
    if st.session_state.get(_WANTED) != key:
        st.caption(
            "The questions of the model stay; its numbers are learnt again from the new rows, with "
            "the old ones as a prior. The gain is measured on new rows that are left out."
        )
        if not st.button("Learn again", icon=":material/restart_alt:"):
            return
        st.session_state[_WANTED] = key

    def work(report: Report) -> list[Gain]:
        rows = with_known_class(read())
        return gain_of_re_estimating(model, rows, prior_weights=_PRIOR_WEIGHTS, progress=report)

    job = jobs().ask(key, work)
    show_progress(job, "Learning again", lambda: st.session_state.pop(_WANTED, None))
    if job.result is None:
        return
    names = ("Brier before", "after", "gain (95 % interval)")
    show_table(
        [
            {
                "an old row counts": gain.prior_weight,
                **dict(zip(names, gain.shown(len(model.schema.classes)), strict=True)),
                "p": p_text(gain.p_value),
                "verdict": gain.verdict,
            }
            for gain in job.result
        ],
        "validate.gains",
        "What learning again gains, by the weight of old rows",
    )
    st.caption("Brier score on new rows left out in ten parts; a gain above 0 is better.")
    weight = st.select_slider(
        "An old row counts as much as ... new rows",
        _PRIOR_WEIGHTS,
        0.5,
        key="validate.weight",
        help="In the model to take away: 0 forgets the old rows, 1 counts them like new ones.",
    )

    offer((MODEL,), lambda: re_estimate(model, with_known_class(read()), prior_weight=weight))
