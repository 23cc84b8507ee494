"""Columns that say for how many people a row stands: weights of surveys, and tables of counts.

Weights are known by their names and labels: wgt, gewicht, pondération. Counts are known by the
table around them, whatever it is called: each combination of the other columns stands in one row,
where as many people, each with a row, would often agree in all of them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.repeats import are_copies, mean_of_survey, number_rows
from probtrees.table.table_report import Finding, Fix, Role
from probtrees.types import FloatArray
from probtrees.words import as_people_read

_WORDS = re.compile(r"[^\W\d_]+|\d+")
_SURELY = re.compile(
    "gew|wgt|[pfiad]weights?|weighting|gewichtung(sfaktor)?|hochrechnung(sfaktor)?|pond[a-zà-ÿ]*|"
    "fexp|(tch|sch|f?stu|hou|sen|fnl|fin|hh|per|psp)(wgh?t|wt)|totwgt|anweights?"
)
_NEVER_BODIES = re.compile(
    "[pfiad]weights?|weighting|gewichtung(sfaktor)?|hochrechnung(sfaktor)?|ponderaci[oó]n|fexp|"
    "(tch|sch|f?stu|hou|sen|fnl|fin|hh|per|psp)(wgh?t|wt)|totwgt"
)
"""Those of them that may be whole numbers, people for whom a row stands."""
_PERHAPS = re.compile("weights?|wt|gewichte?|poids|pesos?|waga")
"""What they are called too, like the weight of a body, whose numbers seldom lie around 1."""
_LABELLED = re.compile(
    r"\b(?:design|survey|sampling|population|post-?stratification|replicate|expansion|"
    r"inflation|calibrat(?:ed|ion)|raking|raked|non-?response|probability|cross-sectional|"
    r"longitudinal|final (?!body|live|dry|wet|carcass)\w+) weights?\b|\bweighting\b|"
    r"\bweight(?:ing)? (?:factor|variable)\b|"
    r"\b(?:design|survey|stichproben|personen|haushalts|anpassungs|kalibrierungs)gewicht|"
    r"\bgewichtung|hochrechnung|\bpond[eé]ra[a-zà-ÿ]+|\bfactor de expansi[oó]n|\bpoids de sondage",
    re.I,
)
"""Labels of columns that weigh the rows; "Final weight" alone may be that of a pig."""
_UNIT_OF_BODIES = re.compile(
    r"\b(?:kg|kilos?|kilograms?|lbs?|pounds?|g|grams?|gramm|stones?)\b", re.I
)
AROUND_ONE = (0.5, 2.0)
"""Between these numbers lies the middle one of weights that are perhaps meant."""

_FEWEST = 20
"""Fewer numbers do not tell."""

ROW_WEIGHTS = "row weights"
"""The kind of the finding."""

ROW_COUNTS, MAYBE_COUNTS = "row counts", "maybe row counts"
"""The kinds of findings about a table of counts: one that is surely such, and one to ask about."""

_COUNTS = re.compile(
    "n|count(s|ed)?|freq(uency|uencies|uence)?|number|num|total|anzahl|anz|zahl|häufigkeit|fallzahl|"
    "fälle|cases|liczba|liczebność|ilość|nombre|nb|effectifs?|fréquence|número|numero|núm|cantidad|"
    "frecuencia|frequenza|conteggio|quantità|quantidade|frequência|contagem|aantal|antal|antall|"
    "počet|pocet|szám|száma|număr|număr|broj|adet|sayı|sayısı|количество|число|кількість|"
    "αριθμός|πλήθος|lukumäärä|人数|件数|数量|频数|개수|명수"
)
_AMOUNTS = re.compile(
    "price|cost|costs|value|amount|income|revenue|sales|turnover|profit|score|points?|rate|ratio|"
    "mean|average|avg|median|age|year|day|days|hours?|minutes?|temp|temperature|yield|weight|"
    "height|size|area|distance|umsatz|betrag|preis|kosten|wert|ertrag|alter|jahr|mittelwert|prix|"
    "coût|montant|revenu|âge|moyenne|precio|importe|ingresos|edad|prezzo|importo|cena|kwota|wiek"
)
"""Words of numbers that are no counts of cases, though they may stand once in each combination."""
_FEWEST_PAIRS, _FEWEST_IF_CALLED = 10.0, 3.0
"""So many pairs of rows would agree in all other columns if each row were one case."""
_ALIKE = 0.02
"""Share of the rows that repeat another one nevertheless, as where a table was typed in."""
_SHARED = 0.5
"""Share of the rows that differ from another in a single column, whichever that is."""
_WIDE, _SMALL = 5.0, 50
"""Large counts are so many times the small ones, and some are below this number."""
_FEWEST_VALUES, _MOST_VALUES, _VALUES_PER_ROW = 4, 20, 0.1
_MOST_COLUMNS, _ROWS = 15, (7, 100_000)
"""Larger tables are hardly ever tables of counts, and looking at them would take a while."""


def name_words(name: str) -> list[str]:
    """Take the name of a column apart, in small letters.

    >>> name_words("survey_wgtFinal2"), name_words("Typ szkoły"), name_words("XMLSize")
    (['survey', 'wgt', 'final', '2'], ['typ', 'szkoły'], ['xml', 'size'])
    """
    around = zip(" " + name, name, name[1:] + " ", strict=False)
    apart = "".join(
        f" {c}" if c.isupper() and (before.islower() or after.islower()) else c
        for before, c, after in around
    )
    return [word.lower() for word in _WORDS.findall(apart)]


def called_weight(name: str) -> Literal["surely", "perhaps", ""]:
    """Say whether a column is called like the weights of rows.

    >>> called_weight("pond_final"), called_weight("Gewicht"), called_weight("height")
    ('surely', 'perhaps', '')
    """
    words = name_words(name)
    if any(_SURELY.fullmatch(word) for word in words):
        return "surely"
    return "perhaps" if any(_PERHAPS.fullmatch(word) for word in words) else ""


def labelled_weight(label: str) -> Literal["surely", "perhaps", ""]:
    """Say whether the label of a column, in the words of its file, tells that it weighs the rows.

    >>> labelled_weight("Final teacher weight"), labelled_weight("Final weight of the pig (kg)")
    ('surely', '')
    >>> labelled_weight("Weight of the person"), labelled_weight("Gewicht (Hochrechnung)")
    ('perhaps', 'surely')
    """
    if _UNIT_OF_BODIES.search(label):
        return ""
    if _LABELLED.search(label):
        return "surely"
    return "perhaps" if any(_PERHAPS.fullmatch(word) for word in name_words(label)) else ""


_SEEMS = "Each row seems to stand for as many cases as"
_COUNT_THEM = Fix("Count them", "role", "weight")
_ONE_EACH = Fix("Each row is one case", "role", "feature")


def weighted_by(name: str, column: RawColumn, *, as_written: bool) -> Finding:
    """Say that the rows are weighted, and whether by what is written; with the ways back."""
    back = Fix("Take it back", "take back", f"roles {name}")
    if not isinstance(column, Dates) and _are_counts(column.as_numbers().values):
        total = np.nansum(column.as_numbers().values)
        sentence = f"Each row counts as many cases as {name!r} says, {total:,.0f} in all."
        return Finding(name, "said", sentence, fixes=(_ONE_EACH,))
    mean = None if isinstance(column, Dates) else mean_of_survey(column.as_numbers().values)
    if mean is None or as_written:
        return Finding(name, "said", f"Rows are weighted by column {name!r}.", fixes=(back,))
    return Finding(
        name,
        "said",
        f"Rows are weighted by column {name!r}, scaled to a mean of 1 where it is {mean:.3g}, so "
        "that they add up to the number of rows.",
        "Take the weights as written to count more or fewer.",
        fixes=(Fix("Use them as they are", "as_written", "weights"), back),
    )


def offer_as_weight(name: str, column: RawColumn, label: str = "") -> tuple[Finding, ...]:
    """Ask whether positive numbers in a column so called, by its name or label, weigh the rows.

    They are not whole, unless nothing else is called so and they are of many sizes.
    """
    said = {called_weight(name), labelled_weight(label)}
    called = "surely" if "surely" in said else "perhaps" if "perhaps" in said else ""
    if not called or not isinstance(column, Numbers):
        return ()
    known = column.values[np.isfinite(column.values)]
    if known.size < _FEWEST or known.min() <= 0:
        return ()
    if (known == np.floor(known)).all() and not _may_be_whole(name, label, known):
        return ()
    middle = float(np.median(known))
    if called == "perhaps" and not AROUND_ONE[0] <= middle <= AROUND_ONE[1]:
        return ()
    low, high = spell(float(known.min())), spell(float(known.max()))
    return (
        Finding(
            name,
            ROW_WEIGHTS,
            f"Column {name!r} seems to say how much each row counts ({low} to {high}), as in "
            "surveys; it is used like any other column.",
            "Give it the role 'weight' to count the rows by it, scaled to a mean of 1.",
            "warning",
            (
                Fix("Weigh the rows by it", "role", "weight"),
                Fix("It is a column like others", "role", "feature"),
            ),
        ),
    )


def _may_be_whole(name: str, label: str, known: FloatArray) -> bool:
    called = any(map(_NEVER_BODIES.fullmatch, name_words(name)))
    return (called or labelled_weight(label) == "surely") and len(np.unique(known)) > _FEWEST


def with_counted_rows(
    plans: Sequence[ColumnPlan], raw: RawTable, roles: Mapping[str, Role]
) -> list[ColumnPlan]:
    """Ask of a table of counts whether its rows stand for as many cases as one column says."""
    if "weight" in roles.values():
        return list(plans)
    found = _find_counts(plans, raw)
    if found is None:
        return list(plans)
    name, is_sure = found
    return [_ask(p, raw, roles, is_sure=is_sure) if p.name == name else p for p in plans]


def _ask(
    plan: ColumnPlan, raw: RawTable, roles: Mapping[str, Role], *, is_sure: bool
) -> ColumnPlan:
    """Add the question, or what was said in answer to it."""
    name, numbers = plan.name, raw.columns[plan.name].as_numbers().values
    if name in roles:
        said = f"Each row is one case; {name!r} is used like any other column."
        once = Finding(name, "said", said, fixes=(_COUNT_THEM,))
        is_answer = roles[name] == "feature" and is_sure
        return replace(plan, findings=(*plan.findings, once)) if is_answer else plan
    counts = f"{spell(float(np.nanmin(numbers)))} to {spell(float(np.nanmax(numbers)))}"
    option = f"--role {shlex.quote(f'{name}=weight')}"
    asked = Finding(
        name,
        ROW_COUNTS if is_sure else MAYBE_COUNTS,
        f"{_SEEMS} {name!r} says ({counts}): every combination of the other columns stands in one "
        "row.",
        f"Give it the role 'weight' to count them ({option}).",
        "warning",
        (_COUNT_THEM, _ONE_EACH),
    )
    # A target that cannot be one is no error of a table whose rows are to be counted by it.
    hint = f"If it says how many cases a row stands for, choose another target and {option}."
    errors = [replace(f, remedy=hint) for f in plan.findings if f.severity == "error"]
    others = tuple(f for f in plan.findings if f.severity != "error")
    return replace(plan, findings=(asked, *errors, *others))


def asks_to_count(note: str, name: str | None = None) -> bool:
    """Whether a note asks if cases are to be counted, by the column of this name if one is given.

    >>> note = "Each row seems to stand for as many cases as 'n' says (1 to 9)."
    >>> asks_to_count(note), asks_to_count(note, "n"), asks_to_count(note, "age")
    (True, True, False)
    """
    return note.startswith(_SEEMS if name is None else as_people_read(f"{_SEEMS} {name!r} says"))


def _find_counts(plans: Sequence[ColumnPlan], raw: RawTable) -> tuple[str, bool] | None:
    """Name the column that counts cases, and say whether that is sure."""
    held = [plan for plan in plans if plan.name in raw.columns and _may_matter(plan)]
    if len(held) > _MOST_COLUMNS or not _ROWS[0] <= raw.n_rows <= _ROWS[1]:
        return None
    wide: list[tuple[str, FloatArray | None]] = []
    narrow: list[FloatArray] = []
    for plan in held:
        numbers = _whole_numbers(plan, raw.columns[plan.name])
        codes = _codes(raw.columns[plan.name])
        n_distinct = int(codes.max(initial=-1)) + 1
        is_narrow = n_distinct <= max(_MOST_VALUES, _VALUES_PER_ROW * raw.n_rows)
        if numbers is not None and (not is_narrow or _is_called(plan.name, _COUNTS)):
            wide.append((plan.name, numbers))
        elif is_narrow:
            narrow.append(codes)
        else:
            wide.append((plan.name, None))
    called = [entry for entry in wide if _is_called(entry[0], _COUNTS) and entry[1] is not None]
    chosen = called if len(called) == 1 else wide if len(wide) == 1 else []
    name, numbers = chosen[0] if chosen else ("", None)
    is_called = bool(called)
    if (
        numbers is None
        or len(narrow) < 2
        or not _is_cross(narrow, _FEWEST_IF_CALLED if is_called else _FEWEST_PAIRS)
    ):
        return None
    low, high = np.nanquantile(numbers, [0.1, 0.9])
    is_spread = high >= _WIDE * max(low, 1.0)
    if not is_called and (not is_spread or _is_called(name, _AMOUNTS)):
        return None
    return name, len(wide) == 1 and (is_called or float(np.nanmin(numbers)) <= _SMALL)


def _may_matter(plan: ColumnPlan) -> bool:
    """Whether a column may be a part of a table of counts: no names of rows, and no remarks."""
    is_counter = any(found.kind == "counter" for found in plan.findings)
    return plan.type not in ("identifier", "text", "constant") and not is_counter


def _is_called(name: str, words: re.Pattern[str]) -> bool:
    return any(words.fullmatch(word) for word in name_words(name))


def _whole_numbers(plan: ColumnPlan, column: RawColumn) -> FloatArray | None:
    """Return the numbers of a column that may hold counts of cases: whole, and in no unit."""
    if isinstance(column, Dates) or plan.role not in ("feature", "target"):
        return None
    if any(made.unit for made in plan.columns):
        return None
    if isinstance(column, Texts) and np.isnan(column.numbers.values).any():
        return None
    numbers = column.as_numbers().values
    known = numbers[np.isfinite(numbers)]
    is_enough = len(np.unique(known)) >= _FEWEST_VALUES
    return numbers if is_enough and _are_counts(numbers) else None


def _are_counts(numbers: FloatArray) -> bool:
    known = numbers[~np.isnan(numbers)]
    return len(known) > 0 and are_copies(known) and bool(known.max() > 1)


def _codes(column: RawColumn) -> FloatArray:
    """Give every value of a column a number, and missing ones another."""
    if isinstance(column, Texts):
        return np.unique(column.codes, return_inverse=True)[1].astype(np.float64)
    values = column.days if isinstance(column, Dates) else column.values
    return np.unique(values, return_inverse=True)[1].astype(np.float64)


def _is_cross(columns: Sequence[FloatArray], fewest: float) -> bool:
    """Whether combinations of values stand in one row each, far more so than cases would.

    Cases would agree by chance. And who leaves out one column, whichever, has rows that agree:
    a table of cases that differ by plan, one for each shop and month, has columns that follow.
    """
    values = np.column_stack(columns)
    n_rows = len(values)
    chance = 1.0
    for codes in columns:
        shares = np.bincount(codes.astype(np.int64)) / n_rows
        chance *= float((shares**2).sum())
    if chance * n_rows * (n_rows - 1) / 2 < fewest:
        return False
    if _n_contents(values) < (1 - _ALIKE) * n_rows:
        return False
    return all(
        _follows(values, at) or _share_repeated(np.delete(values, at, axis=1)) >= _SHARED
        for at in range(values.shape[1])
    )


def _n_contents(values: FloatArray) -> int:
    return int(number_rows(values).max()) + 1


def _share_repeated(values: FloatArray) -> float:
    """Return the share of the rows that agree with another one."""
    content = number_rows(values)
    return float((np.bincount(content)[content] > 1).mean())


def _follows(values: FloatArray, at: int) -> bool:
    """Whether a column says the same as another one, as the code of a region and its name do."""
    own = values[:, at]
    return any(
        _n_contents(np.column_stack([own, values[:, other]])) == int(values[:, other].max()) + 1
        for other in range(values.shape[1])
        if other != at
    )
