"""Columns of a model that a table lacks: which may be meant, and what is said of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from probtrees.errors import DataError, did_you_mean
from probtrees.table.cells.convert_numbers import AS_WRITTEN, TEMPERATURES, Converted
from probtrees.table.cells.same_words import folded, with_two_letters, without_accents
from probtrees.table.cells.unit_names import amount_of, conversion, is_money, same_unit
from probtrees.table.dataset import Schema
from probtrees.table.table_report import AbsentColumnsError, Finding

_LEAST_BEGINNING = 5
"""Letters that two names must begin with alike; fewer are shared by chance."""
_LEAST_WORD = 2
"""Letters of a name that another one may hold as a word; any may hold an "x"."""
_WORD = re.compile(r"[^\W_]+")
_NEXT_WORD = re.compile("(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])")
_NOT_MISSED = "which the model never asks for."
_LAST_WORD = re.compile(r"[^\W_][\s_-](?:in )?([^\W\d_]+(?:/[^\W\d_]+)?)$")
_YEAR = 3.1e7
"""Seconds; a little less than a year has."""
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]|\{[^}]*\}")


def likely_names(absent: Sequence[str], names: Collection[str]) -> dict[str, str]:
    """Find columns that may be meant by absent ones: without brackets and marks they are alike.

    Accents do not count either, and one name may be how the other begins, or hold all its words.

    >>> likely_names(["Income (€)", "Âge"], ["income", "age [years]", "sex"])
    {'Income (€)': 'income', 'Âge': 'age [years]'}
    >>> likely_names(["Mobilität"], ["mobilitaet"])
    {'Mobilität': 'mobilitaet'}
    >>> likely_names(["Geschlecht", "Dose"], ["Geschl.", "Do"])
    {'Geschlecht': 'Geschl.'}
    >>> likely_names(["Alter", "age"], ["Patient Alter", "Age of patient", "page"])
    {'Alter': 'Patient Alter', 'age': 'Age of patient'}
    """
    alike: dict[str, str] = {}
    for spelled in (_bare, lambda name: _bare(with_two_letters(name))):
        wanted, given = Counter(map(spelled, absent)), Counter(map(spelled, names))
        written = {spelled(name): name for name in names}
        alike |= {
            name: written[spelled(name)]
            for name in absent
            if spelled(name) and wanted[spelled(name)] == given[spelled(name)] == 1
        }
    left = [name for name in absent if name not in alike]
    others = [name for name in names if name not in alike.values()]
    found = alike | _begun_alike(left, others)
    left = [name for name in left if name not in found]
    found |= _with_all_words(left, [name for name in others if name not in found.values()])
    return {name: found[name] for name in absent if name in found}


def units_in_cells(schema: Schema) -> dict[str, str]:
    """Return the units that stood in the cells of training, by column."""
    units = ((column.source_name, column.spelling.unit) for column in schema.features)
    return {name: unit for name, unit in units if amount_of(unit) or is_money(unit)}


def other_unit(written: str, name: str, in_cells: str = "") -> str:
    """Say that two names have different things in brackets, units mostly, or end in other units.

    A name without a unit may mean any, but not a part of a year: ages are in years. It means the
    one that stood in the cells of training, if one did.

    >>> other_unit("Hb [g/l]", "Hb [g/dl]")
    "'g/l' in the file, 'g/dl' in training"
    >>> other_unit("Hb (G/L)", "Hb [g/l]"), other_unit("Hb", "Hb [g/l]")
    ('', '')
    >>> other_unit("weight_g", "weight_kg"), other_unit("Alter in Monaten", "Alter")
    ("'g' in the file, 'kg' in training", "'Monaten' in the file, none in training")
    >>> other_unit("delay_min", "Delay", "min"), other_unit("delay (h)", "Delay", "min")
    ('', "'h' in the file, 'min' in training")
    """
    here, there = (_in_brackets(text) or _unit_at_end(text) for text in (written, name))
    there = there or in_cells
    if here and not there and _is_part_of_year(here):
        return f"{here!r} in the file, none in training"
    if not here or not there or folded(here) == folded(there) or same_unit(here, there):
        return ""
    return f"{here!r} in the file, {there!r} in training"


@dataclass(frozen=True)
class UnitChange:
    """How numbers in the unit of a file become those in the unit of training.

    Attributes
    ----------
    how : as ``converted`` of reading has it, "*10"
    words : the same for people, "'cm' × 10 → 'mm'"
    """

    how: str
    words: str


def unit_change(written: str, name: str, in_cells: str = "") -> UnitChange | None:
    """Say how numbers become those of training where the units of both are told; else None.

    The unit of the file stands in its name, that of training in the name or in the cells.

    >>> unit_change("Size (cm)", "Size (mm)")
    UnitChange(how='*10', words="'cm' × 10 → 'mm'")
    >>> unit_change("Hb (g/l)", "Hb (score)"), unit_change("delay (h)", "Delay", "min").how
    (None, '*60')
    """
    here, there = (_in_brackets(text) or _unit_at_end(text) for text in (written, name))
    there = there or in_cells
    change = conversion(here, there)
    if change is None or same_unit(here, there):
        return None
    if change.shift:
        how = f"{here.strip('° ')[0]}-{there.strip('° ')[0]}".upper()
        return UnitChange(how, f"{here!r} → {there!r}") if how in TEMPERATURES else None
    sign, shown = ("*", "×") if change.factor > 1 else ("/", "÷")
    factor = float(f"{max(change.factor, 1 / change.factor):.12g}")
    if factor == 1:
        return None
    return UnitChange(f"{sign}{factor:.15g}", f"{here!r} {shown} {factor:,.6g} → {there!r}")


def unit_changes(schema: Schema, renamed: Mapping[str, str]) -> dict[str, UnitChange]:
    """Find columns of numbers whose name in a file has another unit than training's.

    Returns
    -------
    by the name that the schema has for each, how its numbers become those of training
    """
    units = units_in_cells(schema)
    numbers = {c.source_name for c in schema.features if not c.is_nominal and not c.date_part}
    found = {
        name: unit_change(written, name, units.get(name, ""))
        for written, name in renamed.items()
        if name in numbers
    }
    return {name: change for name, change in found.items() if change is not None}


def columns_in_doubt(
    schema: Schema, renamed: Mapping[str, str], converted: Converted
) -> tuple[str, ...]:
    """Name columns whose name in a file has a unit unlike training's that was not converted."""
    units, changes = units_in_cells(schema), unit_changes(schema, renamed)
    return tuple(
        name
        for written, name in renamed.items()
        if (name in changes and converted.get(name) == AS_WRITTEN)
        or (
            name not in (*changes, *converted)
            and other_unit(written, name, units.get(name, ""))
            and _has_unit(written)
        )
    )


def _has_unit(name: str) -> bool:
    return amount_of(_in_brackets(name) or _unit_at_end(name)) is not None


def _in_brackets(name: str) -> str:
    return " ".join(part[1:-1] for part in _ASIDE.findall(name))


def _unit_at_end(name: str) -> str:
    """Return the unit that a name of several words ends in."""
    match = _LAST_WORD.search(name.strip())
    return match[1] if match and amount_of(match[1]) else ""


def _is_part_of_year(unit: str) -> bool:
    amount = amount_of(unit)
    return amount is not None and amount.family == "time" and amount.size < _YEAR


def _begun_alike(absent: Collection[str], names: Collection[str]) -> dict[str, str]:
    """Find columns of which one name is how the other begins, where only one can be meant."""
    pairs = [(name, other) for name in absent for other in names if _begins_alike(name, other)]
    wanted, given = Counter(name for name, _ in pairs), Counter(other for _, other in pairs)
    return {name: other for name, other in pairs if wanted[name] == given[other] == 1}


def _with_all_words(absent: Collection[str], names: Collection[str]) -> dict[str, str]:
    """Find the columns whose words are those of an absent one and more, where only one can be."""
    words_of = {name: _words(name) for name in (*absent, *names)}
    pairs = [
        (name, other)
        for name in absent
        for other in names
        if words_of[name] <= words_of[other] and len(_bare(name)) >= _LEAST_WORD
    ]
    wanted, given = Counter(name for name, _ in pairs), Counter(other for _, other in pairs)
    return {name: other for name, other in pairs if wanted[name] == given[other] == 1}


def _words(name: str) -> frozenset[str]:
    """Return the words of a name without those in brackets; PatientAge has two.

    >>> sorted(_words("PatientAge_2 (years)"))
    ['2', 'age', 'patient']
    """
    parts = _WORD.findall(_NEXT_WORD.sub(" ", _ASIDE.sub("", name)))
    return frozenset(without_accents(part.casefold()) for part in parts)


def _begins_alike(one: str, other: str) -> bool:
    short, long = sorted((_bare(one), _bare(other)), key=len)
    if len(short) < _LEAST_BEGINNING or not long.startswith(short):
        return False
    return not (short[-1].isdigit() and long[len(short) :][:1].isdigit())  # visit 1, visit 12


def _bare(name: str) -> str:
    """Return a name without what stands in brackets, marks, accents, spaces and case."""
    letters = without_accents(_ASIDE.sub("", name).casefold())
    return "".join(filter(str.isalnum, letters))


def absent_columns(
    schema: Schema,
    names: Sequence[str],
    where: str,
    not_recorded: Collection[str],
    unused: Collection[str] = (),
    offers: tuple[Finding, ...] = (),
) -> tuple[str, ...]:
    """List the columns of a model that a table lacks; refuse those that it may not lack.

    Parameters
    ----------
    names : the columns of the table
    not_recorded : the columns that it may lack by somebody's word
    unused : those that the model never asks for
    offers : how the file may be read otherwise
    """
    needed = list(dict.fromkeys(column.source_name for column in schema.features))
    for name in not_recorded:
        if name not in needed:
            raise DataError(
                f"not_recorded: column={name!r} must be one that the model predicts from. "
                f"{did_you_mean(name, needed)}"
            )
    absent = [name for name in needed if name not in names]
    refused = [name for name in absent if name not in (*not_recorded, *unused)]
    some_are_there = len(absent) < len(needed)
    if refused or not some_are_there:
        others = [name for name in names if name not in (*needed, schema.target.source_name)]
        likely = {written: name for name, written in likely_names(refused, others).items()}
        units = {w: other_unit(w, n, units_in_cells(schema).get(n, "")) for w, n in likely.items()}
        problem = _describe_absent(refused or absent, names, where, units, has_some=some_are_there)
        raise AbsentColumnsError(
            problem,
            refused or absent,
            offers,
            can_do_without=some_are_there,
            likely=likely,
            others=others,
        )
    return tuple(absent)


def notes_on_absent(absent: Sequence[str], unused: Collection[str] = ()) -> tuple[str, ...]:
    """Say which columns are taken as not recorded in every row."""
    asked = [name for name in absent if name not in unused]
    if not asked:
        return ()
    what, verb = ("Column", "is") if len(asked) == 1 else ("Columns", "are")
    return (
        f"{what} {_shown(asked)} {verb} not in the file and {verb} taken as not recorded in every "
        "row.",
    )


def note_on_unused(absent: Sequence[str], unused: Collection[str]) -> tuple[str, ...]:
    """Say which columns a file can do without, since the model never asks for them."""
    never = [name for name in absent if name in unused]
    return (f"The file lacks {_shown(never)}, {_NOT_MISSED}",) if never else ()


def is_on_unused(note: str) -> bool:
    """Whether a note is about nothing but columns that the model never asks for."""
    return note.endswith(_NOT_MISSED)


def _shown(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:10])) + (", ..." if len(names) > 10 else "")


def _describe_absent(
    absent: Sequence[str],
    names: Sequence[str],
    where: str,
    likely: Mapping[str, str],
    *,
    has_some: bool,
) -> str:
    """Say what lacks; ``likely`` are columns that may be meant, with how their units differ."""
    shown = _shown(absent)
    what, them = ("column", "it") if len(absent) == 1 else ("columns", "them")
    advice = "Add what is missing, or use the table the model was made for."
    suggestion = did_you_mean(absent[0], names)
    if likely:
        verb = "is" if len(likely) == 1 else "are"
        advice = f"Perhaps {', '.join(map(repr, list(likely)[:10]))} {verb} meant."
        units = filter(None, likely.values())
        advice += "".join(f" The units in the names differ: {unit}." for unit in units)
    elif suggestion.startswith("Did you mean"):
        advice = f"{suggestion} Rename it in the table."
    elif len(names) == 1 and "data frame" not in where:
        advice = "Check how the cells of the file are separated: only one column was found."
    elif not has_some:
        return (
            f"{where} has no column in common with the table that the model was learnt from: it "
            f"has {_shown(names)}, and the model asks for {shown}. Check that it is the right file "
            "and sheet, and that its first line names the columns."
        )
    return f"{what} {shown} must be in {where}, since the model needs {them}. {advice}"
