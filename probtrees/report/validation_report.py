"""A model on another table as one HTML file that works offline."""

from __future__ import annotations

from collections.abc import Sequence

from probtrees.draw.charts.forecast_charts import reliability_chart
from probtrees.draw.escape import shorten
from probtrees.experiment.registry import LEARNERS, smoother_label
from probtrees.experiment.validation.re_estimate import Gain
from probtrees.experiment.validation.validate import Validation
from probtrees.model.model import Model
from probtrees.report.html_page import HtmlPage, add_provenance
from probtrees.score.calibration_in_large import Estimate
from probtrees.score.measures import better_when_larger, shown_measures, shown_scores
from probtrees.words import count_text, p_text, percent


def validation_report(model: Model, found: Validation, gains: Sequence[Gain] = ()) -> str:
    """Write the report: what was found in words, then every figure."""
    label = LEARNERS[model.learner].label if model.learner in LEARNERS else model.learner
    page = HtmlPage(f"{label} for {model.schema.target.name} on {found.source or 'another table'}")
    page.bullets(found.sentences)
    _answers(page, found)
    if found.groups:
        _groups(page, found)
    _columns(page, found)
    if gains:
        _gains(page, gains, len(found.classes))
    about = [["Smoother", smoother_label(model.smoother)]]
    about.append(["Validated on", f"{found.rows:,} rows of {found.source}"])
    add_provenance(page, model.provenance, about)
    return page.render()


def _answers(page: HtmlPage, found: Validation) -> None:
    """Add calibration and ranking as a whole, then by tenths."""
    outcome = found.classes[found.outcome]
    page.heading("The answers as a whole")
    page.listed(
        list(zip(found.classes, found.by_class, strict=True)),
        {
            "class": lambda one: one[0],
            "predicted": lambda one: percent(one[1].expected),
            "came": lambda one: percent(one[1].observed.value),
            "95 % interval": lambda one: _interval(one[1].observed),
            "came / predicted": lambda one: _with_interval(one[1].ratio),
            "slope": lambda one: _with_interval(one[1].slope),
            "AUC": lambda one: _with_interval(one[1].auc, 3),
        },
        lambda one: one[0] == outcome,
    )
    page.text(
        "Slope: below 1 forecasts are too bold, above 1 too timid. Intervals hold with 95 %.",
        note=True,
    )
    measures, n_classes = shown_measures(), len(found.classes)
    head = ["", *(measure.label for measure in measures)]
    own, base = (
        shown_scores(one, found.base_rate, n_classes) for one in (found.scores, found.base_rate)
    )
    caption = f"Smaller is better, except for {better_when_larger(measures)}."
    page.table([head, ["the model", *own], ["rates of training", *base]], caption=caption)
    page.heading(
        "By tenths of the rows", "On the dashed line forecasts come true. Bars: 95 % interval."
    )
    page.chart(reliability_chart(found.deciles, shorten(outcome, 40)))


def _interval(estimate: Estimate) -> str:
    return f"{percent(estimate.lower)} to {percent(estimate.upper)}"


def _with_interval(estimate: Estimate | None, digits: int = 2) -> str:
    if estimate is None:
        return "-"
    value, lower, upper = (
        f"{number:.{digits}f}" for number in (estimate.value, estimate.lower, estimate.upper)
    )
    return f"{value} ({lower} to {upper})"


def _groups(page: HtmlPage, found: Validation) -> None:
    """Add the figures of every leaf."""
    page.heading(
        "Leaf by leaf",
        "Every leaf is a group of people. Its answer is compared with the cases that came among "
        "the new rows, as far as the answer itself is sure; marks keep the false discovery rate "
        "at 5 %.",
    )
    page.listed(
        found.groups,
        {
            "group": lambda group: group.rule,
            "rows before": lambda group: count_text(round(group.trained_rows, 1)),
            "rows now": lambda group: count_text(round(group.rows, 1)),
            "answer": lambda group: percent(group.chance),
            "95 % interval": _interval,
            "expected": lambda group: f"{group.expected:.1f}",
            "came": lambda group: f"{group.observed:.1f}",
            "adjusted p": lambda group: p_text(group.adjusted_p),
            "verdict": lambda group: group.verdict,
        },
        lambda group: group.is_off,
    )


def _columns(page: HtmlPage, found: Validation) -> None:
    """Add how every column differs from training."""
    page.heading("Column by column")
    if found.columns is None:
        page.text("The model does not know what its columns held in training.")
        return
    page.listed(
        found.columns,
        {
            "column": lambda drift: drift.name,
            "verdict": lambda drift: drift.verdict,
            "distance": lambda drift: percent(drift.distance),
            "adjusted p": lambda drift: p_text(drift.adjusted_p),
            "what changed": lambda drift: drift.words,
        },
        lambda drift: drift.verdict != "as before",
        in_words=True,
        caption="Distance: the share of rows that would have to have another value for both "
        "tables to be alike.",
    )


def _gains(page: HtmlPage, gains: Sequence[Gain], n_classes: int) -> None:
    """Add what learning the numbers again is worth."""
    page.heading(
        "Numbers learnt again from the new rows",
        "The structure is kept; old counts stay as a prior. Judged on new rows that were left "
        "out, in ten parts.",
    )
    page.listed(
        gains,
        {
            "an old row counts": lambda gain: count_text(gain.prior_weight),
            "Brier score before": lambda gain: gain.shown(n_classes)[0],
            "after": lambda gain: gain.shown(n_classes)[1],
            "gain (95 % interval)": lambda gain: gain.shown(n_classes)[2],
            "p": lambda gain: p_text(gain.p_value),
            "verdict": lambda gain: gain.verdict,
        },
    )
