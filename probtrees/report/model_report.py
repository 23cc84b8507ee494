"""A model as one HTML file that works offline, to be handed over, printed and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from probtrees.draw.bars import column_bars_html
from probtrees.draw.charts.decision_table import decision_html
from probtrees.draw.node_card import default_outcome
from probtrees.draw.tables import LUCK
from probtrees.errors import DataError
from probtrees.experiment.corrections import KINDER, edit_sentences
from probtrees.experiment.evaluation.column_importance import ColumnImportance
from probtrees.experiment.registry import LEARNERS, smoother_label
from probtrees.explain.leaf import SPREAD_NOTE
from probtrees.explain.tree_summary import tree_summary as in_words
from probtrees.model.model import Model
from probtrees.report.html_page import HtmlPage, add_provenance
from probtrees.report.masking import Mask, masked
from probtrees.report.network_report import add_network
from probtrees.report.shaped_report import add_council, add_shaped
from probtrees.report.tree_report import (
    TreeParts,
    add_leaves,
    add_track_record,
    add_tree,
    tree_summary,
)
from probtrees.score.decision import Cut, Decision
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.words import act_from, plural, rows_text

_FOLDS = "5 parts of the training rows, each asked of a model grown without it"
FEW_CASES = 100
"""With fewer rows of a class than this, every number about it is shaky."""


@dataclass(frozen=True)
class ReportRequest:
    """What a report is to hold beyond the model itself.

    Attributes
    ----------
    outcome : the outcome of interest; the rarest if not given
    pins : nodes to explain, each with a note of the writer's; a telling leaf if there are none
    mask : how small a count must not be shown
    levels : how many levels of the tree the picture shows; as the app opens it if None
    column : the column whose table is explained, in a network
    member : which of several trees or networks is shown
    n_variants : how many settings were looked at before this one; None: not known
    columns : how much each column matters on unseen rows; left out if not measured, and under a
        mask, whose merged tree they do not describe
    decision : what comes of acting on unseen rows from a chance on; left out if not given, and
        under a mask
    groups : the tree of a shaped tree, with the mean chances of the rows of its groups
    quality : sentences on how good the model is on unseen rows; left out under a mask
    """

    outcome: int | None = None
    pins: Sequence[tuple[int, str]] = ()
    mask: Mask = field(default_factory=Mask)
    levels: int | None = None
    column: int | None = None
    member: int = 0
    n_variants: int | None = None
    columns: Sequence[ColumnImportance] = ()
    decision: Decision | None = None
    groups: SmoothedTree | None = None
    quality: Sequence[str] = ()


def model_report(
    model: Model,
    others: Mapping[str, SmoothedTree] | None = None,
    request: ReportRequest = ReportRequest(),
) -> str:
    """Write a report on a model as HTML.

    Parameters
    ----------
    model : a decision tree, a shaped tree, a council, a forest (its first tree is shown) or a
        network
    others : by label, what other smoothers make of the tree that is shown, or of the table
    request : what to show
    """
    if model.kind in ("shaped", "council") and request.mask:
        raise DataError(
            "mask must be 0 for a shaped tree, whose curves show how many rows they rest on."
        )
    page = HtmlPage(f"{_learner(model)} for {model.schema.target.name}: {model.provenance.source}")
    if model.kind in ("shaped", "council"):
        _add_additive(page, model, request)
    elif model.members[request.member].is_tree(model.schema):
        _add_tree(page, model, others or {}, request)
    else:
        _add_network(page, model, others or {}, request)
    source, variants = model.provenance, request.n_variants
    about = [
        ["Seed", "none" if source.seed is None else str(source.seed)],
        ["Unseen rows", _FOLDS if _record_shown(model, request) else "not asked"],
        ["Variants tried", "not recorded" if variants is None else f"{variants:,}"],
    ]
    add_provenance(page, source, about, counts_shown=not request.mask)
    return page.render()


def _learner(model: Model) -> str:
    return LEARNERS[model.learner].label if model.learner in LEARNERS else model.learner


def _add_additive(page: HtmlPage, model: Model, request: ReportRequest) -> None:
    """Add what is said of a shaped tree or a council."""
    tree = next(t for t in model.trees if t.tree.target == model.schema.target_column)
    outcome = default_outcome(tree.tree) if request.outcome is None else request.outcome
    shaped = partial(add_shaped, groups=request.groups)
    add = add_council if model.kind == "council" else shaped
    add(page, model, outcome)
    _cautions(page, model, request, tree)
    _acting(page, model, outcome, request)
    _columns(page, request)


def _add_tree(
    page: HtmlPage, model: Model, others: Mapping[str, SmoothedTree], request: ReportRequest
) -> None:
    """Add what is said of a decision tree, or of the first tree of a forest."""
    smoothed = model.members[request.member].trees[0]
    outcome = default_outcome(smoothed.tree) if request.outcome is None else request.outcome
    found = request.decision
    parts = TreeParts(
        smoothed=smoothed,
        schema=model.schema,
        outcome=outcome,
        smoother=smoother_label(model.smoother),
        others=others,
        track_record=model.track_record,
        act=Cut(outcome, found.threshold, found.lot) if found else None,
    )
    pins = [(node, note) for node, note in request.pins if 0 <= node < smoothed.tree.n_nodes]
    if request.mask:
        parts, place_of = parts.merged(request.mask)
        pins = [(int(place_of[node]), note) for node, note in pins]
    page.text(tree_summary(parts, _learner(model), model.provenance.source))
    _cautions(page, model, request, parts.smoothed)
    if edits := edit_sentences(model.diagnostics):  # under a mask only that there are some
        page.heading("Corrected by an expert")
        page.bullets([f"{plural(len(edits), 'corrections')}."] if request.mask else edits)
        page.text(KINDER)
    add_tree(page, parts, pins, request.levels)
    if _record_shown(model, request):
        page.heading("In words")
        page.words(in_words(parts.smoothed, parts.schema, parts.outcome, parts.track_record))
    _acting(page, model, parts.outcome, request)
    _columns(page, request)
    add_track_record(page, parts)
    add_leaves(page, parts)


def _add_network(
    page: HtmlPage, model: Model, others: Mapping[str, SmoothedTree], request: ReportRequest
) -> None:
    """Add what is said of a network."""
    add_network(page, model, others, request.column, request.mask, request.member)
    first = model.members[request.member].trees[0]
    _cautions(page, model, request, replace(first, warnings=()) if request.mask else first)
    _columns(page, request)


def _cautions(page: HtmlPage, model: Model, request: ReportRequest, smoothed: SmoothedTree) -> None:
    page.heading("Before you rely on it")
    if request.quality and not request.mask:
        page.text(" ".join(filter(None, request.quality)))
    page.bullets(cautions(model, smoothed, request))


def _acting(page: HtmlPage, model: Model, outcome: int, request: ReportRequest) -> None:
    """Show what comes of acting, where that was decided."""
    if (found := request.decision) is None or request.mask:
        return
    of_what = f"{model.schema.target.title} = {model.schema.classes[outcome]}"
    page.heading("Acting on it")
    page.text(f"The decision is to {act_from(found.threshold, found.lot)}.")
    page.themed(lambda theme: decision_html(found, of_what, theme=theme))


def _columns(page: HtmlPage, request: ReportRequest) -> None:
    """Show how much each column matters, where it was measured."""
    if request.columns and not request.mask:
        page.heading("Columns at a glance")
        page.themed(lambda theme: column_bars_html(request.columns, theme=theme))


def _record_shown(model: Model, request: ReportRequest) -> bool:
    """Whether what happened to unseen rows is shown; under a mask it would be one count more."""
    return model.track_record is not None and not request.mask


def cautions(model: Model, smoothed: SmoothedTree, request: ReportRequest) -> list[str]:
    """List the cautions, the most general first."""
    n_variants = request.n_variants
    said = [
        LUCK,
        "A rule describes different rows; it does not say what would happen if a value of a "
        "row were changed.",
    ]
    said += _few_cases(model, request.mask)
    if model.calibration is not None:
        rows = "" if request.mask else f" on {rows_text(model.calibration.n_rows)} held out"
        said.append(
            f"Its forecasts are calibrated ({model.calibration.method}{rows}) after all that is "
            "shown here: the numbers of this report are those before that last step."
        )
    if smoothed.lower is not None:
        said.append(f"Posterior intervals are the {SPREAD_NOTE}.")
    if n_variants is not None and n_variants > 1:
        said.append(
            f"{n_variants:,} settings were looked at on this table before this one was kept; "
            "confirm the choice on new rows."
        )
    if not _record_shown(model, request):
        said.append(
            "This report holds no track record: how such numbers fare on unseen rows is not known."
        )
    said += [request.mask.promise] if request.mask else model.diagnostics.get("removed", ())
    said += smoothed.warnings
    return list(dict.fromkeys(said))


def _few_cases(model: Model, mask: Mask) -> list[str]:
    """Warn of classes with few rows."""
    schema = model.schema
    tree = next((s.tree for s in model.trees if s.tree.target == schema.target_column), None)
    if tree is None:
        return []
    if mask:
        tree, schema = masked(tree, schema, mask)[:2]
    few = [
        f"{name} ({plural(count, tree.rows_word)})"
        for name, count in zip(schema.classes, tree.arrays.counts[0].tolist(), strict=True)
        if 0 < count < FEW_CASES
    ]
    if not few:
        return []
    learner = model.options.get("learner")
    apart = isinstance(learner, dict) and bool(learner.get("separate_rows"))
    also = "" if apart else " The same rows chose the tree and its numbers; separate rows for the "
    also += "" if apart else "two would be more honest."
    return [f"Few rows belong to {', '.join(few)}: expect its numbers to move with new data.{also}"]
