"""From the column to predict to its classes, or to the reason why it has none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from probtrees.errors import DataError
from probtrees.table.dataset import Column
from probtrees.table.findings import Finding, Fix, listed
from probtrees.table.infer.identify import is_whole
from probtrees.table.infer.recognise import IDENTIFIER_SHARE, ColumnPlan, recognise
from probtrees.table.number_text import spell
from probtrees.table.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.readings.find_reading import find_reading
from probtrees.table.readings.reading import PLAIN, ColumnReading
from probtrees.table.readings.spellings import spellings
from probtrees.table.readings.words import folded, natural_order
from probtrees.table.steps import STEPS, Settings, apply_steps, offers, shortest_between
from probtrees.types import FloatArray, IntArray
from probtrees.words import rows_text

MAX_CLASSES = 1_000
"""More classes than this are refused: every node counts every class."""

MAX_NUMERIC_CLASSES = 20
"""A numeric target with at most this many different values is a class."""

_DEFAULT_CLASSES = 3


def is_undecided(text: str) -> bool:
    """Whether an outcome says that it is not known yet, or to nobody any more.

    >>> [is_undecided(text) for text in ("Under review", "noch offen", "closed")]
    [True, True, False]
    """
    return folded(text).strip(".…") in spellings("outcome")["undecided"]


def plan_target(
    base: Column, found: RawColumn, raw: RawTable, forced: str, steps: Iterable[Settings]
) -> ColumnPlan:
    """Make classes of the target, or say why it has none.

    Parameters
    ----------
    base, found, forced : as in ``recognise``
    steps : those about the target that come after its reading: cut, join outcomes, group
    """
    name, said = base.source_name, {step["step"]: step for step in steps}
    if isinstance(found, Dates) or forced == "date":
        return _refused(name, "date", "must be a class; it holds dates.")
    as_they_are = forced in ("nominal", "boolean") or said.get("cut", {}).get("classes") == 0
    if "cut" in said and not as_they_are:
        recognised = _cut(base, found, raw, forced, said["cut"])
    else:
        recognised = _classes(base, found, raw, as_they_are=as_they_are)
    for kind in ("group", "join outcomes"):
        if kind in said and recognised.columns:
            column = recognised.columns[0]
            texts = apply_steps(raw, column) or found
            columns = STEPS[kind].resolve(column, texts, raw, said[kind])
            recognised = replace(recognised, columns=columns)
    return recognised


def _cut(base: Column, found: RawColumn, raw: RawTable, forced: str, step: Settings) -> ColumnPlan:
    """Cut a numeric target as somebody says."""
    read = recognise(base, found, raw.decimal, forced or "numeric" * isinstance(found, Numbers))
    errors = tuple(each for each in read.findings if each.severity == "error")
    if errors or not read.columns or read.type not in ("numeric", "identifier"):
        rule = "must be numbers to be cut into classes."
        return replace(_refused(base.name, "numeric target", rule), type="numeric")
    asked = tuple(each for each in read.findings if each.question == "missing")
    column = replace(read.columns[0], two_values=())
    try:
        columns = STEPS["cut"].resolve(column, found, raw, step)
    except DataError as problem:
        finding = Finding(base.name, "target", str(problem), "error", kind="target")
        return ColumnPlan("numeric", (), (finding,))
    names = columns[0].categories
    if names is None:
        return _classes(base, found, raw, as_they_are=True)
    sentence = f"Target {base.name!r} is cut into {len(names)} classes: {', '.join(names)}."
    return ColumnPlan("numeric", columns, (Finding(base.name, None, sentence, kind="cut"), *asked))


def _classes(base: Column, found: RawColumn, raw: RawTable, *, as_they_are: bool) -> ColumnPlan:
    """Make a class of each value; numbers must be few, unless somebody wants each as it is."""
    name = base.source_name
    texts = found.as_texts()
    if texts.declared or texts.boolean:
        return _judged(replace(base, categories=texts.texts), texts)
    numbers, reading = numbers_of_target(found, texts, raw.decimal)
    if numbers is not None:
        numbers = numbers[: texts.n_distinct]
        if not as_they_are and _too_many_numbers(numbers, texts.rows_of):
            error = _numeric_target(name, numbers, texts.rows_of)
            return ColumnPlan("numeric", (), (error,))
        is_whole = reading == PLAIN and not np.isnan(numbers).any()
        if is_whole and len(np.unique(numbers)) < len(numbers):  # 1 beside 1.0 is one class
            spelled = zip(texts.texts, map(spell, numbers.tolist()), strict=True)
            texts = texts.respelled(dict(spelled))
    return _judged(replace(base, categories=natural_order(texts.texts)), texts)


def numbers_of_target(
    found: RawColumn, texts: Texts, decimal: str
) -> tuple[FloatArray | None, ColumnReading]:
    """Return the number of each text of a target that holds nothing else; None for others."""
    if not texts.n_distinct or texts.declared:
        return None, PLAIN
    read = find_reading(texts, "." if isinstance(found, Numbers) else decimal)
    if read.kind != "numeric" or read.reading is None or read.left_over:
        return None, PLAIN
    return read.values, read.reading


def _too_many_numbers(numbers: FloatArray, rows_of: IntArray) -> bool:
    """Whether numbers are too many to be classes each."""
    n_distinct = int((~np.isnan(numbers)).sum())
    repeats = int(rows_of.sum()) >= 2 * n_distinct
    return n_distinct > MAX_NUMERIC_CLASSES or not (repeats or is_whole(numbers))


def _numeric_target(name: str, numbers: FloatArray, rows_of: IntArray) -> Finding:
    """Ask whether a numeric target is over the middle one, or is to be cut into some classes."""
    known = ~np.isnan(numbers)
    order = np.argsort(numbers[known])
    values, reached = numbers[known][order], np.cumsum(rows_of[known][order])
    middle, *above = values[int(np.searchsorted(reached, reached[-1] / 2)) :].tolist()
    if above:
        middle = min(middle, shortest_between(middle, above[0]), key=lambda cut: len(spell(cut)))
    sentence = f"target={name!r} must be a class; it is numeric with {len(numbers):,} different "
    steps = ({"step": "cut", "at": middle}, {"step": "cut", "classes": _DEFAULT_CLASSES})
    fixes = (
        Fix(f"Ask whether it is over {spell(middle)}", "step", steps[0]),
        Fix(f"Cut it into {_DEFAULT_CLASSES} classes", "step", steps[1]),
    )
    return Finding(name, "target", f"{sentence}values.", "error", fixes, "numeric target")


def _judged(column: Column, texts: Texts) -> ColumnPlan:
    """Say whether classes can be learnt, and ask about those that may be none."""
    findings = _class_findings(column.source_name, texts) or _outcome_questions(column, texts)
    return ColumnPlan("nominal", (column,), findings)


def _class_findings(name: str, texts: Texts) -> tuple[Finding, ...]:
    """Refuse a target without two classes, or with too many; warn of hardly any rows for each."""
    n_known, n_present = int(texts.rows_of.sum()), int((texts.rows_of > 0).sum())
    kind = "many classes"
    fixes: tuple[Fix, ...] = ()
    identifies = n_present > MAX_NUMERIC_CLASSES and n_present >= IDENTIFIER_SHARE * n_known
    if n_present == 0:
        kind, rule = "no class", "must have values; it has none."
    elif n_present == 1:
        kind, only = "one class", texts.texts[int(texts.rows_of.argmax())]
        rule = f"must have at least two classes; {name} has only one value, {only!r}."
        if n_known < len(texts.codes):
            step = {"step": "recode", "column": name, "values": {"": "no"}}
            rule = f"must have at least two classes; it is {only!r} or empty."
            fixes = (Fix("Empty means no", "step", step, name),)
    elif texts.n_distinct > MAX_CLASSES:
        rule = f"must have at most {MAX_CLASSES:,} classes; it has {texts.n_distinct:,}."
    elif identifies and not texts.declared:
        rule = f"must be a class; it has {n_present:,} different values in {n_known:,} rows."
    else:
        return ()
    return _refused(name, kind, rule, *fixes).findings


def _outcome_questions(column: Column, texts: Texts) -> tuple[Finding, ...]:
    """Ask about outcomes that are not decided, and about those that are spelled in two ways."""
    name, findings = column.source_name, []
    there = [text for text, n in zip(texts.texts, texts.rows_of.tolist(), strict=True) if n]
    undecided = sorted(text for text in there if is_undecided(text))
    if undecided and len(there) - len(undecided) >= 2:
        step = {"step": "missing", "column": name, "texts": undecided}
        shown = listed([repr(text) for text in undecided[:4]])
        sentence = (
            f"Target {name!r} is {shown} in {rows_text(texts.rows_with(undecided))}. Is that not "
            "decided yet? Then these rows have no outcome to learn from."
        )
        fixes = (Fix("Leave these rows out", "step", step, name),)
        findings.append(Finding(name, "missing", sentence, "warning", fixes, "undecided"))
    variants = (offer for offer in offers(column, texts) if offer.kind == "variants")
    return (*findings, *(replace(offer, question="target") for offer in variants))


def _refused(name: str, kind: str, rule: str, *fixes: Fix) -> ColumnPlan:
    """Say why a column cannot be the target; where nothing mends it, another one must be."""
    sentence = f"target={name!r} {rule}{'' if fixes else ' Choose another target.'}"
    finding = Finding(name, "target", sentence, "error", fixes, kind)
    return ColumnPlan("date" if kind == "date" else "nominal", (), (finding,))
