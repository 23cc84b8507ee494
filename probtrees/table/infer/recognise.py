"""What a column holds: numbers, categories, dates, identifiers, free text, or nothing.

Nothing here depends on the order of the rows. Columns whose file declares what they hold (ARFF,
a pandas Categorical) are taken as they stand.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from probtrees.table.cells.choices import share_of_several
from probtrees.table.cells.padded_codes import code_by_name
from probtrees.table.cells.periods import dates_among_numbers
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, Texts
from probtrees.table.cells.special_numbers.pairs import are_results
from probtrees.table.cells.special_numbers.told_by_name import unit_by_name
from probtrees.table.cells.special_numbers.written_amounts import with_amounts
from probtrees.table.cells.unit_names import is_unit
from probtrees.table.infer.almost_numbers import (
    almost_numbers,
    which_are_numbers,
    without_questions,
)
from probtrees.table.infer.coded_missing import words_among_amounts
from probtrees.table.infer.column_names.incomes import codes_as_written
from probtrees.table.infer.dates.excel_days import ask_about_days, offer_excel_days
from probtrees.table.infer.dates.mixed_dates import (
    are_no_dates,
    as_excel_dates,
    dates_beside_days,
    mixed_dates,
    names_as_dates,
    ranges_as_dates,
    read_counted_days,
)
from probtrees.table.infer.dates.pointed_times import pointed_times
from probtrees.table.infer.dates.settle_dates import (
    MIXED_SHARE,
    date_findings,
    numeral_dates,
    stand_in_dates,
    swapped_dates,
)
from probtrees.table.infer.dates.six_digit_dates import six_digit_dates
from probtrees.table.infer.dates.thai_years import tell_thai_years
from probtrees.table.infer.identifying_numbers import MIN_ROWS, is_of_register
from probtrees.table.infer.named_codes import ask_about_codes
from probtrees.table.infer.numbers_in_texts import few_in_units, offer_numbers, units_finding
from probtrees.table.infer.person_names import ask_contacts, ask_person_names
from probtrees.table.infer.postcodes import are_postcodes, postcode_finding
from probtrees.table.infer.recognise_numbers import (
    IGNORE,
    USE,
    Recognised,
    as_spelled,
    constant_finding,
    identified_by_label,
    identifier_finding,
    infinite_finding,
    measure_findings,
    recognise_numbers,
    units_kept,
)
from probtrees.table.infer.remarks import (
    are_named_remarks,
    free_text,
    is_prose,
    n_words,
    named_remarks,
    remarks,
)
from probtrees.table.infer.repeated_identifiers import name_in_several_rows, repeated_finding
from probtrees.table.infer.text_habits import (
    AS_CATEGORIES,
    LIMITS,
    choices_finding,
    dash_finding,
    limits_read,
    pair_finding,
    text_findings,
    two_numbers,
    without_units,
)
from probtrees.table.infer.words_among_numbers import (
    few_words,
    mixed_numbers,
    no_dates,
    words_question,
    words_read_as_missing,
    wrong_cell,
)
from probtrees.table.spelling import PLAIN, Spelling
from probtrees.table.table_report import ColumnType, Finding, Fix, Severity
from probtrees.types import FloatArray

MAX_CATEGORIES = 10_000
"""A feature with more values than this is left out unless somebody wants it."""

IDENTIFIER_SHARE = 0.5
"""Texts that differ in at least this share of the rows are taken for identifiers."""

_FEW = 20
_MANY, _MANY_CODES = 100, 50
"""So many values are asked about, of numbers that name something fewer: nobody reads their names in
a tree, and rows that are alike do not have codes that are."""
_ROWS_PER_REMARK = 10
"""Sentences that repeat less often than this are remarks, not the answers of a questionnaire."""
_ROWS_PER_PHRASE = 5
"""The same for phrases of a few words: a branch for each of them would hold hardly any rows."""
_ROWS_PER_VALUE = 10
"""Where more than a hundred values have fewer rows each on average, as names do, the column is left
out: a branch for each would hold hardly any rows."""
_FEW_WORDS = 3
_BOOLEANS = (
    {"true", "false"},
    {"yes", "no"},
    {"t", "f"},
    {"y", "n"},
    {"on", "off"},
    {"ja", "nein"},
    {"j", "n"},
    {"oui", "non"},
    {"si", "no"},
    {"sí", "no"},
)

_INSTEAD = (AS_CATEGORIES, IGNORE)


def recognise(
    name: str,
    column: RawColumn,
    forced: ColumnType | None = None,
    *,
    keep_dashes: bool = False,
    keep_words: bool = False,
    label: str = "",
) -> Recognised:
    """Decide what a column holds.

    Parameters
    ----------
    forced : the type set by the user
    keep_dashes, keep_words : whether dashes, and a few words among numbers, are values
    label : what the column holds in the words of its file
    """
    dashes: tuple[str, ...] = ()
    n_cells = 0
    if forced is None and isinstance(column, Texts) and (unit := unit_by_name(column.texts, name)):
        column = replace(column, known=Spelling(column.decimal, unit))
    if isinstance(column, Texts) and not keep_dashes:
        dashes = column.dashes
        dashes += words_among_amounts(column.without(dashes) if dashes else column)
        n_cells = column.rows_with(dashes) if dashes else 0
        column = column.without(dashes) if dashes else column
    # Who reads "<5" as a number means the numbers: an odd word beside them is none.
    with_limits = forced == "numeric" and isinstance(column, Texts) and bool(column.limits)
    kept = (forced is not None and not with_limits) or keep_dashes or keep_words
    found = None if kept else _without_few_words(name, column, forced)
    found = found or _recognised(name, column, forced)
    found = found if forced else identified_by_label(name, found, label)
    if not dashes:
        return found
    note = dash_finding(name, dashes, n_cells)
    spelling = replace(found.spelling, missing=(*dashes, *found.spelling.missing))
    return replace(found, findings=(*found.findings, note), spelling=spelling)


def _without_few_words(
    name: str, column: RawColumn, forced: ColumnType | None
) -> Recognised | None:
    """Recognise numbers or dates with a few words among them, which are missing; else nothing."""
    words = (few_words(column) if isinstance(column, Texts) else ()) or no_dates(column)
    if not words:
        return None
    found = _recognised(name, column.without(words), forced)
    are_units = all(map(is_unit, words)) and any(each.kind == LIMITS for each in found.findings)
    are_names = found.type == "identifier" and is_of_register(name)  # 'England' above its schools
    if found.type not in ("numeric", "date") and not are_units and not are_names:
        return None
    others = "dates" if found.type == "date" else "numbers"
    asked = words_read_as_missing(name, column.as_texts(), words, others)
    spelling = replace(found.spelling, missing=(*found.spelling.missing, *words))
    return replace(found, findings=(*found.findings, asked), spelling=spelling)


def _recognised(name: str, column: RawColumn, forced: ColumnType | None) -> Recognised:
    """Recognise a column without words for "no value"."""
    if forced is not None:
        counted = read_counted_days(name, column) if forced == "date" else None
        found = counted or _as_forced(name, column, forced)
    elif isinstance(column, Dates):
        found = Recognised(column, "date")
    elif read := six_digit_dates(name, column):
        found = read
    elif isinstance(column, Texts) and (column.declared or column.boolean):
        found = Recognised(column, "boolean" if column.boolean else "nominal")
        if not column.boolean:
            found = replace(found, findings=text_findings(name, column))
    elif isinstance(column, Texts) and not _are_amounts(name, column):
        found = _texts(name, column)
    elif are_postcodes(name, column):
        found = _categories(name, column.as_texts())
        found = replace(found, findings=(postcode_finding(name), *found.findings))
    elif (days := _days(name, column)) is not None:
        found = Recognised(Dates.of(days), "date", (numeral_dates(name, column),))
    elif read := pointed_times(name, column):
        found = read
    else:
        found = recognise_numbers(name, column.as_numbers())
        if found.type == "nominal":
            found = replace(found, column=column.as_texts())
        if isinstance(column, Texts):
            found = replace(found, findings=tuple(codes_as_written(found.findings, column)))
            found = as_spelled(found, name, column)
        found = offer_excel_days(name, ask_about_days(name, tell_thai_years(name, found)))
        found = ask_about_codes(name, found)
    return found


def _days(name: str, column: RawColumn) -> FloatArray | None:
    """Return the days of dates that are written as numbers."""
    if isinstance(column, Numbers) and column.declared:
        return None
    return dates_among_numbers(name, column.as_numbers().values)


def _as_forced(name: str, column: RawColumn, forced: ColumnType) -> Recognised:
    if forced not in ("numeric", "date"):
        said = units_kept(name, column) if forced == "nominal" else ()
        return Recognised(column.as_texts(), forced, said)
    if forced == "numeric" and isinstance(column, Texts) and column.limits:
        found = _as_forced(name, column.without_limits(), forced)
        spelling = replace(found.spelling, limits=True)
        asked = without_questions(found.findings, column)
        return replace(found, findings=(*asked, limits_read(name, column)), spelling=spelling)
    spelling, said = PLAIN, ()
    if forced == "numeric" and isinstance(column, Texts):
        spelling = column.numbers.spelling
        spelling = with_amounts(spelling, column.texts, column.rows_of.tolist())
        if column.numbers.units:
            said = (without_units(name, column.numbers.units),)
            column = replace(column, known=spelling)
    typed: RawColumn = column.as_numbers() if forced == "numeric" else column.as_dates()
    if isinstance(typed, Numbers) and np.isinf(typed.values).any():
        return Recognised(typed, forced, (infinite_finding(name, typed.values),))
    wrong = typed.missing & ~column.missing
    if not wrong.any():
        if isinstance(typed, Dates) and isinstance(column, Texts):
            return _with_dates(name, typed, column)
        if isinstance(typed, Numbers) and not typed.missing.all():
            said = (*said, *measure_findings(name, typed.values))
        return Recognised(typed, forced, said, spelling)
    what = "number" if forced == "numeric" else "date"
    rule = f"must be a {what}, as the type set for the column says."
    advice = "Correct or empty the cell, or leave the type to be recognised."
    finding = wrong_cell(name, column, wrong, rule, advice, _INSTEAD)
    return Recognised(typed, forced, (finding, *said), spelling)


def _are_amounts(name: str, column: Texts) -> bool:
    """Whether all texts are numbers, and nothing tells that they are codes or results."""
    all_are_numbers = column.n_distinct > 0 and bool(which_are_numbers(column).all())
    is_code = column.numbers.padded or code_by_name(name, column.texts)
    return all_are_numbers and not is_code and not are_results(column.texts, name)


def _texts(name: str, column: Texts) -> Recognised:
    if column.n_distinct == 0:
        return Recognised(column, "constant", (constant_finding(name, True),))
    if are_results(column.texts, name):
        return offer_numbers(name, column, _categories(name, column))
    if not which_are_numbers(column).all():
        found = _dates(name, column) or _mixed(name, column) or _categories(name, column)
        return offer_numbers(name, column, almost_numbers(name, column, found))
    found = _categories(name, column)
    example = column.numbers.padded or code_by_name(name, column.texts)
    return replace(found, findings=(_codes_finding(name, example), *found.findings))


def _codes_finding(name: str, example: str) -> Finding:
    begins = example.startswith("0")
    what = f"begin with 0 ({example!r})" if begins else f"look like codes ({example!r})"
    return Finding(
        name,
        "leading zeros" if begins else "codes",
        f"Column {name!r} holds numbers that {what}, kept as texts: codes, not amounts.",
        "Set its type to 'numeric' to read them as numbers.",
        "note" if begins else "warning",
        (Fix("Read as numbers", "type", "numeric"),),
    )


def _dates(name: str, column: Texts) -> Recognised | None:
    """Recognise a column of dates; a few cells that are none are an error, many mean no dates."""
    dates = column.dates
    if dates is None or are_no_dates(name, column):
        return None
    wrong = np.isnan(dates.distinct)
    if wrong.any() and (counted := dates_beside_days(name, column, wrong)):
        return counted
    if dates.periods and wrong.any():
        return None  # "2010/11" beside "2012/13" is a season, no month
    if wrong.mean() > MIXED_SHARE:
        found = _mixed(name, column) or _categories(name, column)
        asked = mixed_dates(name, column, wrong, found)
        return None if asked is found else asked
    if wrong.any():
        rule = "must be a date like the other cells of the column."
        advice = "Correct the cell, or set the column's type to 'nominal'."
        cells = np.append(wrong, False)[column.codes]
        finding = wrong_cell(name, column, cells, rule, advice, _INSTEAD)
        finding = replace(finding, fixes=(*as_excel_dates(column, wrong), *finding.fixes))
        return Recognised(column, "nominal", (finding,))
    return _with_dates(name, dates, column)


def _with_dates(name: str, dates: Dates, column: Texts) -> Recognised:
    """Return a column of dates, with what is not plain about how they are written."""
    spelling = replace(PLAIN, last_year=dates.last_year, year_first=dates.year_first)
    findings = (*date_findings(name, dates, column.dated), *stand_in_dates(name, dates, column))
    return Recognised(dates, "date", (*findings, *swapped_dates(name, column)), spelling)


def _mixed(name: str, column: Texts) -> Recognised | None:
    """Take numbers with words among them for categories, and ask."""
    found = mixed_numbers(column)
    if found is None:
        return None
    is_word, share = found
    is_word &= ~np.isin(column.texts, column.limits)
    if not is_word.any():
        return None
    plain = _categories(name, column)
    written = {column.join_keys[column.texts[code]] for code in np.flatnonzero(~is_word)}
    if written.issuperset(column.join_keys[column.texts[code]] for code in np.flatnonzero(is_word)):
        return plain  # grades in digits and in Roman numerals, which are offered to be joined
    ignored = plain.type != "nominal" or any(f.kind == "many values" for f in plain.findings)
    question = words_question(name, column, share, ignored=ignored)
    return Recognised(column, "nominal", (question, *(() if ignored else plain.findings)))


def _categories(name: str, column: Texts) -> Recognised:
    """Recognise texts; what is called remarks is set aside, also where it repeats."""
    found = _kind_of_texts(name, column)
    if found.type != "nominal" or not are_named_remarks(name, column.texts):
        return found
    return replace(found, findings=(named_remarks(name, column),))


def _kind_of_texts(name: str, column: Texts) -> Recognised:
    """Distinguish categories from identifiers and from free text by how often values repeat."""
    n_distinct, n_known = column.n_distinct, int(np.count_nonzero(column.codes >= 0))
    if not column.repeats:
        n_distinct = n_known
    if n_distinct == 1 and n_known == len(column.codes):
        return Recognised(column, "constant", (constant_finding(name, False),))
    if n_distinct == 2 and {text.lower() for text in column.texts} in _BOOLEANS:
        return Recognised(column, "boolean")
    if found := _several(name, column, n_known) or _of_several_rows(name, column, n_known):
        return found
    all_differ = n_distinct == n_known >= MIN_ROWS
    if all_differ or (n_distinct > _FEW and n_distinct >= IDENTIFIER_SHARE * n_known):
        return _all_different(name, column, repeats=n_distinct < n_known)
    contacts = ask_contacts(name, column, n_known)
    sentences = (
        not contacts and n_distinct > max(_FEW, n_known / _ROWS_PER_REMARK) and is_prose(column)
    )
    phrases = n_distinct > max(_MANY, n_known / _ROWS_PER_PHRASE)
    if sentences or (phrases and not contacts and n_words(column) >= _FEW_WORDS):
        what = "sentences" if sentences else "phrases"
        return Recognised(column, "text", (remarks(name, what, n_distinct, n_known),))
    are_codes = all(text.isdecimal() for text in column.texts)
    too_many = _too_many(name, n_distinct, n_known, _MANY_CODES if are_codes else _MANY)
    findings = contacts or (*too_many, *text_findings(name, column))
    findings += ranges_as_dates(name, column) if n_distinct <= _MANY else ()
    findings += (*names_as_dates(name, column), *ask_person_names(name, column, n_known))
    return Recognised(column, "nominal", findings)


def _of_several_rows(name: str, column: Texts, n_known: int) -> Recognised | None:
    """Recognise names of customers that have several rows each."""
    if not name_in_several_rows(name, column, n_known):
        return None
    finding = repeated_finding(name, column.n_distinct, n_known)
    return Recognised(column, "identifier", (finding,))


def _several(name: str, column: Texts, n_known: int) -> Recognised | None:
    """Recognise numbers in several units, and cells of several answers.

    With very many combinations of answers the column is ignored.
    """
    if column.n_distinct > _FEW and column.first_numbers.units and column.numbers.units:
        return Recognised(column, "nominal", (units_finding(name, column),))
    if asked := few_in_units(name, column):
        return Recognised(column, "nominal", (asked, *text_findings(name, column)))
    share = share_of_several(column.texts, column.rows_of) if column.repeats else 0.0
    if not share:
        return None
    ignored = column.n_distinct > max(_MANY, n_known / _ROWS_PER_PHRASE)
    finding = choices_finding(name, column, share, ignored=ignored)
    return Recognised(column, "nominal", (finding, *text_findings(name, column)))


def _all_different(name: str, column: Texts, *, repeats: bool) -> Recognised:
    """Take texts that hardly repeat for two numbers each, free text or identifiers."""
    if pair := two_numbers(column):
        return Recognised(column, "nominal", (pair_finding(name, pair),))
    if is_prose(column):
        return Recognised(column, "text", (free_text(name, column),))
    found = (identifier_finding(name, repeats=repeats), *names_as_dates(name, column))
    return Recognised(column, "identifier", found)


def group_values(name: str) -> Fix:
    """Offer to take the rare values of a column for one."""
    return Fix("Group the rare ones", "group", name)


def _too_many(name: str, n_distinct: int, n_known: int, most: int) -> tuple[Finding, ...]:
    """Leave out too many values, and those of a few rows each; warn of others above ``most``."""
    if n_distinct <= most:
        return ()
    sentence = f"Column {name!r} has {n_distinct:,} different values"
    too_many = n_distinct > MAX_CATEGORIES
    if too_many or (n_distinct > _MANY and n_known < _ROWS_PER_VALUE * n_distinct):
        few = "too many for categories" if too_many else "a few rows for each"
        sentence += f" in {n_known:,} rows, {few}, and is ignored."
        remedy = "Give it the role 'feature' to use it anyway, or group the rare ones (--group)."
        severity: Severity = "warning" if too_many else "note"
        fixes = (group_values(name), USE)
        return (Finding(name, "many values", sentence, remedy, severity, fixes),)
    sentence += f" in {n_known:,} rows; a split on it makes as many branches."
    return (
        Finding(
            name,
            "many values",
            sentence,
            "Group the rare ones (--group), give it the role 'ignore', or set its type to "
            "'nominal' to keep it.",
            "warning",
            (group_values(name), IGNORE, AS_CATEGORIES),
        ),
    )
