"""A model on another table as one HTML file that works offline."""

from __future__ import annotations

from collections.abc import Sequence

from probtrees.draw.charts.forecast_charts import Bin, reliability_chart
from probtrees.draw.charts.validation_pictures import validated_tree_dot, validation_legend_html
from probtrees.draw.escape import shorten
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.experiment.validation.re_estimate import Gain
from probtrees.experiment.validation.validate import Validation
from probtrees.model.model import Model
from probtrees.report.benchmark_report import score_cells
from probtrees.report.html_page import HtmlPage, add_provenance, report_picture
from probtrees.score.calibration_in_large import Estimate
from probtrees.score.measures import better_when_larger, main_measures
from probtrees.words import count_text, p_text, percent

_MOST_CONTEXTS = 200


def validation_report(model: Model, found: Validation, gains: Sequence[Gain] = ()) -> str:
    """Write the report: what was found in words, then every figure."""
    label = LEARNERS[model.learner].label if model.learner in LEARNERS else model.learner
    page = HtmlPage(f"{label} for {model.schema.target.name} on {found.source or 'another table'}")
    page.bullets(found.sentences)
    _answers(page, found)
    if found.groups:
        _groups(page, model, found)
    if found.tables:
        _tables(page, found)
    _columns(page, found)
    if gains:
        _gains(page, gains)
    smoother = SMOOTHERS[model.smoother].label if model.smoother in SMOOTHERS else model.smoother
    add_provenance(
        page,
        model.provenance,
        [["Smoother", smoother], ["Validated on", f"{found.rows:,} rows of {found.source}"]],
    )
    return page.render()


def _answers(page: HtmlPage, found: Validation) -> None:
    """Add calibration and ranking as a whole, then by tenths."""
    name = found.classes[found.outcome]
    page.heading("The answers as a whole")
    head = ["class", "predicted", "came", "95 % interval", "came / predicted", "slope", "AUC"]
    rows = [
        [
            label,
            percent(large.expected),
            percent(large.observed.value),
            f"{percent(large.observed.lower)} to {percent(large.observed.upper)}",
            _with_interval(large.ratio),
            _with_interval(large.slope),
            _with_interval(large.auc, 3),
        ]
        for label, large in zip(found.classes, found.by_class, strict=True)
    ]
    page.table([head, *rows], marked=[found.outcome])
    page.text(
        "Slope: below 1 forecasts are too bold, above 1 too timid. Intervals hold with 95 %.",
        note=True,
    )
    measures = main_measures()
    cells = [["", *(measure.label for measure in measures)]]
    for words, scores in (("the model", found.scores), ("rates of training", found.base_rate)):
        cells.append([words, *score_cells(scores)])
    caption = f"Smaller is better, except for {better_when_larger(measures)}."
    page.table(cells, caption=caption)
    page.heading(
        "By tenths of the rows", "On the dashed line forecasts come true. Bars: 95 % interval."
    )
    bins = [Bin(b.predicted, b.observed, b.lower, b.upper, b.rows) for b in found.deciles]
    page.chart(reliability_chart(bins, shorten(name, 40)))


def _with_interval(estimate: Estimate | None, digits: int = 2) -> str:
    if estimate is None:
        return "-"
    value, lower, upper = (
        f"{number:.{digits}f}" for number in (estimate.value, estimate.lower, estimate.upper)
    )
    return f"{value} ({lower} to {upper})"


def _groups(page: HtmlPage, model: Model, found: Validation) -> None:
    """Add the tree with its marked leaves, and the figures of every leaf."""
    page.heading(
        "Leaf by leaf",
        "Every leaf is a group of people. Its answer is compared with the cases that came among "
        "the new rows, as far as the answer itself is sure; marks keep the false discovery rate "
        "at 5 %.",
    )
    outcome = found.classes[found.outcome]
    page.themed(
        lambda theme: (
            validation_legend_html(outcome, theme=theme)
            + report_picture(validated_tree_dot(model, found, theme=theme), f"leaves-{theme}")
        )
    )
    head = ["group", "rows before", "rows now", "answer", "95 % interval", "expected", "came"]
    rows = [
        [
            group.rule,
            count_text(round(group.trained_rows, 1)),
            count_text(round(group.rows, 1)),
            percent(group.chance),
            f"{percent(group.lower)} to {percent(group.upper)}",
            f"{group.expected:.1f}",
            f"{group.observed:.1f}",
            p_text(group.adjusted_p),
            group.verdict,
        ]
        for group in found.groups
    ]
    marked = [number for number, group in enumerate(found.groups) if group.is_off]
    page.table([[*head, "adjusted p", "verdict"], *rows], marked=marked, sortable=True)


def _tables(page: HtmlPage, found: Validation) -> None:
    """Add what became of every table of a network."""
    page.heading(
        "Table by table",
        "Every table says how the values of a column are spread, given the class and other "
        "columns. Marks keep the false discovery rate at 5 %.",
    )
    head = ["table of", "rows", "values moved", "adjusted p", "verdict"]
    rows = [
        [
            table.name,
            count_text(round(table.rows, 1)),
            percent(table.distance),
            p_text(table.adjusted_p),
            table.verdict,
        ]
        for table in found.tables
    ]
    marked = [number for number, table in enumerate(found.tables) if table.is_off]
    page.table([head, *rows], marked=marked, sortable=True)
    off = [
        [table.name, context.rule, count_text(round(context.rows, 1)), context.change]
        for table in found.tables
        for context in table.contexts
        if context.is_off
    ]
    if off:
        page.table(
            [["table of", "rows of it where", "rows", "largest change"], *off[:_MOST_CONTEXTS]],
            caption="Rows of the tables that differ by more than chance allows",
            in_words=True,
        )


def _columns(page: HtmlPage, found: Validation) -> None:
    """Add how every column differs from training."""
    page.heading("Column by column")
    if found.columns is None:
        page.text("The model does not know what its columns held in training.")
        return
    page.text(
        "Distance: the share of rows that would have to have another value for both tables to "
        "be alike.",
        note=True,
    )
    head = ["column", "verdict", "distance", "adjusted p", "what changed"]
    rows = [
        [
            drift.name,
            drift.verdict,
            percent(drift.distance),
            p_text(drift.adjusted_p),
            drift.words,
        ]
        for drift in found.columns
    ]
    marked = [n for n, drift in enumerate(found.columns) if drift.verdict != "as before"]
    page.table([head, *rows], marked=marked, in_words=True)


def _gains(page: HtmlPage, gains: Sequence[Gain]) -> None:
    """Add what learning the numbers again is worth."""
    page.heading(
        "Numbers learnt again from the new rows",
        "The structure is kept; old counts stay as a prior. Judged on new rows that were left "
        "out, in ten parts.",
    )
    head = ["an old row counts", "Brier score before", "after", "gain (95 % interval)", "p"]
    rows = []
    for gain in gains:
        brier = gain.brier_gain
        rows.append(
            [
                count_text(gain.prior_weight),
                f"{gain.before.brier:.4f}",
                f"{gain.after.brier:.4f}",
                f"{brier.value:.4f} ({brier.lower:.4f} to {brier.upper:.4f})",
                p_text(gain.p_value),
                gain.verdict,
            ]
        )
    page.table([[*head, "verdict"], *rows])
