"""From the column to predict to its classes, or to the reason why it has none."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from probtrees.table.cells.intervals import (
    equal_frequency_intervals,
    interval_names,
    shortest_between,
)
from probtrees.table.cells.numbers_within import THE_NUMBER
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.cells.value_labels import ValueLabels
from probtrees.table.dataset import Column
from probtrees.table.infer.coded_missing import labelled_missing
from probtrees.table.infer.marked_cells import (
    ask_empty_class,
    empty_target_finding,
    mark_of,
    with_empty_as_no,
    words_as_empty,
)
from probtrees.table.infer.numbers_in_texts import offer_numbers, read_numbers_in
from probtrees.table.infer.outcomes.joined_outcomes import (
    Outcomes,
    joined_outcomes,
    spelt_alike,
)
from probtrees.table.infer.outcomes.refused_outcomes import ask_no_refusals
from probtrees.table.infer.outcomes.undecided_outcomes import ask_undecided
from probtrees.table.infer.recognise import IDENTIFIER_SHARE, group_values, recognise
from probtrees.table.infer.recognise_numbers import Recognised, measure_findings
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.infer.text_habits import (
    AS_CATEGORIES,
    dash_finding,
    listed,
    maybe_missing,
    means_unknown,
    missing_option,
    text_findings,
    treat_as_missing,
)
from probtrees.table.infer.words_among_numbers import mixed_numbers, wrong_cell
from probtrees.table.read_options import SEVERAL, ReadOptions
from probtrees.table.spelling import PLAIN, Spelling
from probtrees.table.table_report import ColumnType, Finding, Fix
from probtrees.types import FloatArray, IntArray
from probtrees.words import quoted, rows_text

MAX_CLASSES = 1_000
"""More classes than this are refused: every node counts every class."""

MAX_NUMERIC_CLASSES = 20
"""A numeric target with at most this many different values is a class."""

WORDS_IN_TARGET = "words in target"
"""The kind of a question about words, or labelled codes, that are no number of a target."""
_DEFAULT_BINS = 5
_SEVERAL_NUMBERS = 5
"""Beside so many numbers a word is seldom a class like them."""
_SHOWN = 3
_FEWEST_ROWS = 10
"""Classes of fewer rows on average are hardly to be learnt where there are many of them."""


def plan_target(name: str, raw: RawTable, options: ReadOptions, n_blank: int) -> ColumnPlan:
    """Make classes of the target, or say why it has none.

    Parameters
    ----------
    n_blank : cells that were empty before anybody said which words mean missing
    """
    column = raw.columns[name]
    if isinstance(column, Dates) or options.types.get(name) == "date":
        finding = _target_error(
            name, "date", "must be a class; it holds dates.", "Choose another target."
        )
        return ColumnPlan(name, "date", "target", findings=(finding,))
    notes: tuple[Finding, ...] = ()
    n_said = int(column.missing.sum()) - n_blank
    spelling = Spelling(missing=options.missing_for(name))
    if isinstance(column, Texts) and not options.keeps_words(name) and column.not_stated:
        texts = column.not_stated
        notes = (dash_finding(name, texts, column.rows_with(texts)),)
        spelling = Spelling(missing=(*spelling.missing, *texts))
        column = raw.columns[name] = column.without(texts)
    if isinstance(column, Numbers) and not options.keeps_words(name):
        asked = _labelled_codes(name, column, raw.value_labels.get(name, ()))
        notes += asked
        texts = tuple(text for found in asked for text in found.texts)
        spelling = replace(spelling, missing=(*spelling.missing, *texts))
        column = raw.columns[name] = column.without(texts)
    said = read_as_said(name, column, options)
    if said is not None:
        column = raw.columns[name] = said.column
        notes += said.findings
        spelling = replace(said.spelling, missing=spelling.missing)
    is_cut = options.bin_target is not None or options.cut_target is not None
    is_settled = is_cut or "blanks" in options.as_written
    mark = "" if is_settled else mark_of(column)
    if mark or name in options.empty_no:
        raw.columns[name], empty = with_empty_as_no(column)
        notes += (empty_target_finding(name, mark, column, empty),) if mark else ()
        if n_said > 0 and (words := options.missing_in.get(name)):
            notes += (words_as_empty(name, words, n_said, empty),)
        spelling = replace(spelling, empty=empty)
    plan = _plan_target(name, raw, options, spelling)
    if plan.columns and not is_settled:
        notes += ask_empty_class(name, raw.columns[name], n_blank)
    return replace(plan, findings=(*notes, *plan.findings))


def _labelled_codes(name: str, column: Numbers, labels: ValueLabels) -> tuple[Finding, ...]:
    """Ask about codes of a target that the file labels "no answer": no number over another."""
    said = dict(labels)
    codes = labelled_missing(column.values, labels)
    held = {c: n for c in codes if (n := int((column.values == float(c)).sum()))}
    if not held:
        return ()
    shown = listed([f"{code} {quoted(said[code])} in {rows_text(n)}" for code, n in held.items()])
    them, are = ("it", "this is") if len(held) == 1 else ("them", "these are")
    keep = "Keep it as a number" if len(held) == 1 else "Keep them as numbers"
    return (
        Finding(
            name,
            WORDS_IN_TARGET,
            f"Target {name!r} has {shown}, by the file's labels: {are} no answer, and the rows are "
            "left out.",
            f"Treat {them} as missing if that is right ({missing_option(name, *held)}). {keep} if "
            f"that is wrong (--keep-words {shlex.quote(name)}).",
            "warning",
            (treat_as_missing(*held), Fix(keep, "keep_words", name)),
            texts=(*held, *(said[code] for code in held)),
        ),
    )


def read_as_said(name: str, column: RawColumn, options: ReadOptions) -> Recognised | None:
    """Read the numbers of a target that somebody said to be some; None where nobody did."""
    if not isinstance(column, Texts):
        return None
    if name in options.numbers_in:
        return read_numbers_in(name, column, Recognised(column, "nominal"), THE_NUMBER)
    if options.types.get(name) == "numeric" and column.numbers.units:
        return recognise(name, column, "numeric")
    return None


def _plan_target(name: str, raw: RawTable, options: ReadOptions, spelling: Spelling) -> ColumnPlan:
    """Make classes of what is stated."""
    column = raw.columns[name]
    if options.bin_target is not None or options.cut_target is not None:
        return _bin_target(name, raw, options, spelling)
    outcomes = spelt_alike(name, column.as_texts(), options, spelling)
    if options.join_outcomes:
        return _joined_outcomes(name, raw, outcomes, options.join_outcomes)
    spelled, spelling = outcomes.texts, outcomes.spelling
    if spelled.declared:
        raw.columns[name] = spelled
        return _classes(name, spelled, "nominal", spelling)
    raw.columns[name] = spelled
    forced = options.types.get(name) in ("nominal", "boolean")
    if not forced and (wrong := _words_among_numbers(name, spelled)):
        return ColumnPlan(name, "numeric", "target", findings=(wrong,))
    numbers = spelled.numbers.values
    if len(numbers) and not np.isnan(numbers).any() and not forced:
        too_many = _too_many_numbers(name, spelled)
        if too_many is not None:
            return ColumnPlan(name, "numeric", "target", findings=(too_many,))
    plan = _classes(name, spelled, "nominal", spelling)
    asked = () if forced else _words_as_classes(name, spelled) or _numbers_as_classes(name, spelled)
    if not asked and not plan.findings and not (forced or spelling.rest):
        asked = _few_rows_each(name, spelled)
    return replace(plan, findings=(*asked, *plan.findings))


def _joined_outcomes(
    name: str, raw: RawTable, outcomes: Outcomes, together: Sequence[str]
) -> ColumnPlan:
    """Make two classes; other spellings of the outcomes are asked about as ever."""
    joined, said = joined_outcomes(name, outcomes, together)
    if said.severity == "error":
        return ColumnPlan(name, "nominal", "target", findings=(said,))
    raw.columns[name] = joined.texts
    plan = _classes(name, joined.texts, "nominal", joined.spelling)
    asked = () if plan.findings else _warned(text_findings(name, outcomes.texts))
    return replace(plan, findings=(said, *asked, *plan.findings))


def _numbers_as_classes(name: str, column: Texts) -> tuple[Finding, ...]:
    """Ask about classes that look like numbers written as text: 61 dt/ha, ~40."""
    if column.n_distinct <= MAX_NUMERIC_CLASSES:
        return ()
    found = offer_numbers(name, column, Recognised(column, "nominal"), "classes").findings
    return tuple(f for f in found if any(fix.setting == "numbers_in" for fix in f.fixes))


def _few_rows_each(name: str, column: Texts) -> tuple[Finding, ...]:
    """Warn of many classes with a few rows each, of which hardly one can be learnt."""
    n_classes, n_known = int((column.rows_of > 0).sum()), int(column.rows_of.sum())
    if n_classes <= MAX_NUMERIC_CLASSES or n_known >= _FEWEST_ROWS * n_classes:
        return ()
    return (
        Finding(
            name,
            "few rows per class",
            f"Target {name!r} has {n_classes:,} classes in {rows_text(n_known)}, "
            f"{n_known / n_classes:.0f} rows each on average: too few to learn what tells them "
            "apart.",
            "Choose another target, or take the rare ones for one (--group).",
            "warning",
            (group_values(name), AS_CATEGORIES),
        ),
    )


def _words_as_classes(name: str, column: Texts) -> tuple[Finding, ...]:
    """Ask about words that are classes beside several numbers, unless they say "unknown"."""
    found = mixed_numbers(column)
    if found is None or np.count_nonzero(~found[0]) < _SEVERAL_NUMBERS:
        return ()
    is_word = found[0]
    words = [column.texts[code] for code in np.flatnonzero(is_word)]
    words = [text for text in words if not means_unknown(text)]
    if not words:
        return ()
    return (
        Finding(
            name,
            WORDS_IN_TARGET,
            f"Target {name!r} has numbers, and {_few(words)} in "
            f"{rows_text(column.rows_with(words))}, which is a class of its own.",
            "Treat it as missing, or ask whether the number is over another (cut_target).",
            "warning",
            (
                treat_as_missing(*words),
                *ways_to_cut(column.numbers.values[~is_word], column.rows_of[~is_word])[:1],
            ),
        ),
    )


def _few(words: Sequence[str]) -> str:
    return listed([*map(repr, words[:_SHOWN]), *(["others"] if len(words) > _SHOWN else [])])


def _words_among_numbers(name: str, column: Texts) -> Finding | None:
    """Refuse a numeric target some of whose cells are words, unless its numbers are classes too."""
    found = mixed_numbers(column)
    if found is None:
        return None
    is_word, share = found
    if np.count_nonzero(~is_word) <= MAX_NUMERIC_CLASSES:
        return None
    rule = f"must be a number, since {share:.0%} of the target are numbers."
    advice = "Correct or empty the cell, cut the numbers into classes, or choose another target."
    wrong = np.append(is_word, False)[column.codes]
    ways = ways_to_cut(column.numbers.values[~is_word], column.rows_of[~is_word])
    return wrong_cell(name, column, wrong, rule, advice, ways)


def _classes(name: str, column: Texts, kind: ColumnType, spelling: Spelling = PLAIN) -> ColumnPlan:
    habits = text_findings(name, column)
    habits += tuple(maybe_missing(name, column, dash) for dash in column.dashes)
    if np.count_nonzero(column.rows_of) == 2:
        # Without one of two classes nothing is left to predict: 'Refusé' beside 'Admis' is one.
        habits = tuple(found for found in habits if found.kind != "maybe missing")
    habits = ask_no_refusals(column, habits)
    if undecided := ask_undecided(name, column):
        asked = set(str(undecided[0].fixes[0].value).split(SEVERAL))
        kept = (f for f in habits if not f.fixes or f.fixes[0].value not in asked)
        habits = (*undecided, *kept)
    findings = _class_findings(name, column) or _warned(habits)
    classes = Column(name, column.categories, spelling=spelling)
    return ColumnPlan(name, kind, "target", (classes,), findings)


def _warned(habits: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(replace(found, severity="warning") for found in habits)


def _too_many_numbers(name: str, column: Texts) -> Finding | None:
    """Refuse a numeric target unless its few values can be classes."""
    numbers, rows_of = column.numbers.values, column.rows_of
    n_distinct = len(numbers)
    repeats = int(rows_of.sum()) >= 2 * n_distinct
    are_whole = bool((np.floor(numbers) == numbers).all())
    if n_distinct <= MAX_NUMERIC_CLASSES and (repeats or are_whole):
        return None
    ways = ways_to_cut(numbers, rows_of)
    return Finding(
        name,
        "numeric target",
        f"target={name!r} must be a class; it is numeric with {n_distinct:,} different values.",
        f"Cut it in two with cut_target={spell(float(ways[0].value))}, or into classes with "
        f"bin_target={_DEFAULT_BINS}, or choose another target.",
        "error",
        ways,
    )


def ways_to_cut(numbers: FloatArray, rows_of: IntArray) -> tuple[Fix, ...]:
    """Offer to ask whether a number is over the middle one, or to make some classes of it."""
    known = ~np.isnan(numbers)
    numbers, rows_of = numbers[known], rows_of[known]
    order = np.argsort(numbers)
    reached = np.cumsum(rows_of[order])
    at = int(np.searchsorted(reached, reached[-1] / 2))
    middle, *above = numbers[order][at:].tolist()
    if above:
        middle = min(middle, shortest_between(middle, above[0]), key=lambda cut: len(spell(cut)))
    return (
        Fix(f"Ask whether it is over {spell(middle)}", "cut_target", middle),
        Fix(f"Cut it into {_DEFAULT_BINS} classes", "bin_target", _DEFAULT_BINS),
    )


def _class_findings(name: str, column: Texts) -> tuple[Finding, ...]:
    rows_of = column.rows_of
    n_known, n_present = int(rows_of.sum()), int((rows_of > 0).sum())
    choose = "Choose another target."
    if n_present == 0:
        return (_target_error(name, "no class", "must have values; it has none.", choose),)
    if n_present == 1:
        only = column.texts[int(rows_of.argmax())]
        rule = f"must have at least two classes; every row has {only!r}."
        if n_known == len(column.codes):
            return (_target_error(name, "one class", rule, choose),)
        rule = f"must have at least two classes; it is {only!r} or empty."
        error = _target_error(
            name, "one class", rule, "Choose another target, or say what empty means."
        )
        return (replace(error, fixes=(Fix("Empty means no", "empty_no", name),)),)
    if column.n_distinct > MAX_CLASSES:
        rule = f"must have at most {MAX_CLASSES:,} classes; it has {column.n_distinct:,}."
        advice = "Choose another target, or merge classes."
        return (_target_error(name, "many classes", rule, advice),)
    identifies = n_present > MAX_NUMERIC_CLASSES and n_present >= IDENTIFIER_SHARE * n_known
    if identifies and not column.declared:
        return (_identifies(name, column, n_present, n_known),)
    return ()


def _identifies(name: str, column: Texts, n_present: int, n_known: int) -> Finding:
    """Refuse a target that nearly every row has another value of; perhaps they are numbers."""
    rule = f"must be a class; it has {n_present:,} different values in {n_known:,} rows."
    is_word = np.isnan(column.numbers.values)
    words = tuple(column.texts[code] for code in np.flatnonzero(is_word))
    if not 0 < len(words) <= _SHOWN:
        return _target_error(name, "many classes", rule, "Choose another target.")
    cut = spell(float(ways_to_cut(column.numbers.values, column.rows_of)[0].value))
    advice = (
        f"All but {_few(words)} are numbers: treat that as missing "
        f"({missing_option(name, *words)}) and cut them with cut_target={cut} or "
        f"bin_target={_DEFAULT_BINS}, or choose another target."
    )
    error = _target_error(name, "many classes", rule, advice)
    return replace(error, fixes=(treat_as_missing(*words),))


def _target_error(name: str, kind: str, rule: str, advice: str) -> Finding:
    return Finding(name, kind, f"target={name!r} {rule}", advice, "error")


def _without_words(name: str, column: RawColumn) -> tuple[RawColumn, tuple[Finding, ...]]:
    """Let words in a target that is to be cut be missing, and ask about them; else nothing.

    Rows that answer "refused" have no number to be above or below another.
    """
    found = mixed_numbers(column) if isinstance(column, Texts) else None
    if found is None or not isinstance(column, Texts):
        return column, ()
    words = tuple(column.texts[code] for code in np.flatnonzero(found[0]))
    finding = Finding(
        name,
        WORDS_IN_TARGET,
        f"Target {name!r} has {_few(words)} in {rows_text(column.rows_with(words))} instead of a "
        "number: these have no class, and are left out.",
        "Treat them as missing if that is right, or correct these cells.",
        "warning",
        (treat_as_missing(*words),),
        texts=words,
    )
    return column.without(words), (finding,)


def _bin_target(name: str, raw: RawTable, options: ReadOptions, spelling: Spelling) -> ColumnPlan:
    """Cut a numeric target into classes of about equal size, or at a number."""
    column, left_out = _without_words(name, raw.columns[name])
    spelling = replace(
        spelling, missing=(*spelling.missing, *(t for f in left_out for t in f.texts))
    )
    if isinstance(column, Texts) and column.numbers.spelling.unit:
        found = column.numbers.spelling
        spelling = replace(spelling, decimal=found.decimal, unit=found.unit)
    numbers = column.as_numbers()
    wrong = (numbers.missing & ~column.missing) | np.isinf(numbers.values)
    if wrong.any():
        rule = f"must be a finite number to be cut into {options.bin_target or 2} classes."
        first = column.cell(int(wrong.argmax()))
        advice = (
            f"Correct or empty the cell, treat it as missing ({missing_option(name, first)}), or "
            "do not cut the target."
        )
        finding = wrong_cell(name, column, wrong, rule, advice)
        return ColumnPlan(name, "numeric", "target", findings=(finding,))
    if options.cut_target is not None:
        cuts = np.array([options.cut_target])
        names = interval_names(cuts)
    else:
        cuts, names = equal_frequency_intervals(numbers.values, options.bin_target or 2)
    if not len(cuts):
        return _classes(name, numbers.as_texts(), "numeric", spelling)
    codes = np.searchsorted(cuts, numbers.values, side="left").astype(np.int32)
    codes[numbers.missing] = -1
    binned = Texts.of(codes, names, declared=True)
    raw.columns[name] = binned
    sentence = f"Target {name!r} is cut into {len(names)} classes: {', '.join(names)}."
    plan = _classes(name, binned, "numeric", spelling)
    stand_ins = measure_findings(name, numbers.values)
    findings = (Finding(name, "binned", sentence), *left_out, *stand_ins, *plan.findings)
    return ColumnPlan(name, "numeric", "target", plan.columns, findings)
