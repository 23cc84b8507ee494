"""Sheets of a workbook, or texts of an archive, that have the same columns: one table of all."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from probtrees.errors import DataError
from probtrees.table.formats.sheet_currencies import (
    SheetWords,
    ask_about_currencies,
    different_currencies,
)
from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.footer import footer_of
from probtrees.table.formats.text.prepared_text import prepare_text
from probtrees.table.formats.text.text_head import findings_above
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding, Fix, Severity, UnreadableTableError

ALL = "all"
"""Stands for all sheets, or files of an archive, where one is chosen by its name."""

NEARLY = "nearly-all"
"""Stands for these, and those in which one column has another name."""

MOST_LOOKED_AT = 24
"""In so many sheets at most the same columns are looked for."""

ORIGIN = "sheet"
SHEETS_LEFT = "sheets left out"
"""The kind of a finding about sheets that are not read with the others."""
_MOST_NAMED = 6
_FEWEST_NAMES = 4
_NAMES_ON_BUTTON = 2
_SAID_ONCE = ("header lines", "title", "stacked", "totals")
"""Kinds of findings about lines of a sheet that are said of all at once."""

Record = tuple[str, ...]


class JoinedSheets(NamedTuple):
    """A text of all rows, whose first column names the sheet.

    ``used`` are the sheets it is made of, ``findings`` say what was left out of them. ``near`` are
    sheets that differ in one name: which one, that name, and the one in its place.
    """

    text: str
    used: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    near: tuple[tuple[str, str, str], ...] = ()


class _Sheet(NamedTuple):
    """What one sheet holds: the names of its columns, its rows, and what was decided about it.

    ``above`` are the lines above the names.
    """

    names: Record
    rows: list[Record]
    findings: tuple[Finding, ...]
    above: tuple[str, ...] = ()


def join_sheets(
    texts: Mapping[str, TableSource],
    options: ReadOptions,
    where: str,
    what: str,
    shown: Mapping[str, Sequence[str]] | None = None,
) -> JoinedSheets:
    """Join the texts that have the names of the columns of the first one that shares them.

    Their order does not count, nor do case and signs in the names. Where somebody said so, a column
    in the same place as another is taken for that one if all other names are alike; the names are
    then those of most texts.
    Each is looked at like a single one: lines above and below its names, and totals, are no rows.

    Parameters
    ----------
    where : the file, as it is named in sentences
    what : "sheets" or "files"
    shown : how numbers of sheets are shown, where that may name a currency
    """
    formats = shown or {}
    read = {name: sheet for name, text in texts.items() if (sheet := _sheet(text, options))}
    nearly = options.sheet == NEARLY
    wanted = [sheet.names for sheet in read.values()]
    if nearly:
        wanted.sort(key=lambda own: -sum(_are_alike(own, s.names) for s in read.values()))
    for names in wanted:
        renamed = {n: _as_named(sheet.names, names, nearly=nearly) for n, sheet in read.items()}
        used = {
            name: sheet._replace(names=renamed[name] or sheet.names)
            for name, sheet in read.items()
            if _are_alike(renamed[name] or sheet.names, names)
        }
        if len(used) > 1:
            _check_width(used, where, what)
            said = tuple(
                _renamed_finding(what.removesuffix("s"), name, there, here)
                for name in used
                if renamed[name]
                for there, here in zip(read[name].names, names, strict=True)
                if _key(there) != _key(here)
            )
            own = (
                SheetWords(name, sheet.above, read[name].names, sheet.rows, formats.get(name, ()))
                for name, sheet in used.items()
            )
            asked = ask_about_currencies(own, what, _way_back(what).fixes[0])
            findings = (*asked, *said, *_findings(used, what))
            near = tuple(
                (name, *pair)
                for name, sheet in read.items()
                if name not in used and (pair := _other_name(sheet.names, names))
            )
            return JoinedSheets(_written(used, names), tuple(used), findings, near)
    which = f"sheet={options.sheet!r}"
    problem = f"{which} must be of sheets or files with the same columns; {where} has none."
    raise UnreadableTableError(problem, (_way_back(what),))


def _sheet(text: TableSource, options: ReadOptions) -> _Sheet | None:
    """Find the names and the rows of one sheet; none if it holds no table."""
    try:
        prepared = prepare_text(text, options)
    except DataError:
        return None
    source, dialect = prepared.source, prepared.written.dialect
    names = _trimmed(tuple(map(str.strip, dialect.names)))
    if sum(map(bool, names)) < 2:
        return None
    findings = (*prepared.offers, *findings_above(dialect))
    if "totals" not in options.as_written:
        footer = footer_of(source, dialect, len(dialect.names))
        if footer is not None:
            source, findings = source.cut(footer.start), (*findings, footer.finding())
    lines = source.content().decode("utf-8-sig").splitlines(keepends=True)
    reader = csv.reader(
        lines[dialect.skip_lines :], delimiter=dialect.delimiter, quotechar=dialect.quote or None
    )
    records = [_trimmed(tuple(cells)) for cells in reader]
    above = tuple(line for line in lines[: dialect.skip_lines] if not line.startswith("sep="))
    return _Sheet(names, [record for record in records[1:] if record], findings, above)


def _trimmed(record: Record) -> Record:
    """Leave out empty cells at the end."""
    end = len(record)
    while end and not record[end - 1].strip():
        end -= 1
    return record[:end]


def _check_width(sheets: Mapping[str, _Sheet], where: str, what: str) -> None:
    """Refuse rows with more cells than there are names."""
    for name, sheet in sheets.items():
        for number, row in enumerate(sheet.rows, 1):
            if len(row) > len(sheet.names):
                problem = (
                    f"row {number:,} of the {what.removesuffix('s')} {name!r} of {where} must have "
                    f"{len(sheet.names)} cells, as many as there are names of columns; it has "
                    f"{len(row)}. Name the column above, or empty these cells."
                )
                raise UnreadableTableError(problem, (_way_back(what),))


def _way_back(what: str) -> Finding:
    return Finding(
        None,
        "sheets",
        f"One of the {what} alone can be read by its name.",
        fixes=(Fix("Read one of them only", "take back", f"sheet {ALL}"),),
    )


def _written(sheets: Mapping[str, _Sheet], names: Record) -> str:
    file = io.StringIO()
    file.write("sep=,\n")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow((ORIGIN, *names))
    for name, sheet in sheets.items():
        places = _places(sheet.names, names)
        full = ((*row, *("",) * (len(names) - len(row))) for row in sheet.rows)
        writer.writerows((name, *(row[place] for place in places)) for row in full)
    return file.getvalue()


def _places(names: Record, wanted: Record) -> list[int]:
    """Return where each wanted column stands among names that may be in another order.

    >>> _places(("Age", "weight (kg)"), ("Weight_kg", "Age"))
    [1, 0]
    """
    if names == wanted:
        return list(range(len(names)))
    keys = list(map(_key, names))
    return [keys.index(_key(name)) for name in wanted]


def _are_alike(names: Record, others: Record) -> bool:
    """Whether names are the same, in whatever order where no two of them could be mixed up."""
    keys = set(map(_key, names))
    are_clear = len(keys) == len(names) == len(others)
    return names == others or (are_clear and keys == set(map(_key, others)))


def _as_named(names: Record, wanted: Record, *, nearly: bool = False) -> Record:
    """Return the wanted names if only one differs, and that is the same in other words; else none.

    ``nearly``: whatever its words are.

    >>> _as_named(("Name", "School name", "Age", "Mark"), ("Name", "School", "Age", "Mark"))
    ('Name', 'School', 'Age', 'Mark')
    """
    pair = _other_name(names, wanted)
    return wanted if pair and (nearly or says_the_same(*pair)) else ()


def _other_name(names: Record, wanted: Record) -> tuple[str, str] | None:
    """Return the only name that differs, and the wanted one in its place; None if more differ."""
    if len(names) != len(wanted) or len(names) < _FEWEST_NAMES:
        return None
    pairs = [(a, b) for a, b in zip(names, wanted, strict=True) if _key(a) != _key(b)]
    return pairs[0] if len(pairs) == 1 else None


def says_the_same(one: str, other: str) -> bool:
    """Whether a name of a column is another one with words added that are no unit or number.

    >>> says_the_same("School name", "School"), says_the_same("Weight (lb)", "Weight")
    (True, False)
    """
    few, many = sorted((one.casefold().split(), other.casefold().split()), key=len)
    added = [word for word in many if word not in few]
    return bool(few) and set(few) < set(many) and all(map(str.isalpha, added))


def _renamed_finding(what: str, name: str, there: str, here: str) -> Finding:
    sentence = f"Column {there!r} of the {what} {name!r} is read as {here!r}."
    return Finding(None, "sheets", sentence, "Give it the same name in all of them.")


def not_joined(near: Sequence[Sequence[str]], read: str) -> tuple[Finding, ...]:
    """Say of sheets that differ in one name why they are not offered with the others."""
    alike: dict[tuple[str, str], list[str]] = {}
    for sheet, there, here in near:
        if not says_the_same(there, here):
            alike.setdefault((there, here), []).append(sheet)
    found = []
    for (there, here), sheets in alike.items():
        shown = ", ".join(map(repr, sheets[:_MOST_NAMED])) + (", ..." * (len(sheets) > _MOST_NAMED))
        is_one = len(sheets) == 1
        noun, has, its = ("sheet", "has", "its") if is_one else ("sheets", "have", "their")
        read_all = "Read both" if is_one else f"Read all {len(sheets) + 1}"
        found.append(
            Finding(
                None,
                "sheets",
                f"The {noun} {shown} {has} a column {there!r} where {read!r} has {here!r}, and all "
                f"others alike; {its} rows are not read with it.",
                f"Take one for the other if they hold the same (sheet='{NEARLY}').",
                "warning",
                _read_too(read_all, [(there, here)]),
            )
        )
    return tuple(found)


def _key(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _findings(sheets: Mapping[str, _Sheet], what: str) -> tuple[Finding, ...]:
    """Say once what was decided about lines of the sheets, and of how many each holds."""
    first: dict[str, Finding] = {}
    where: dict[str, set[str]] = {}
    for name, sheet in sheets.items():
        for found in sheet.findings:
            if found.kind in _SAID_ONCE:
                first.setdefault(found.kind, found)
                where.setdefault(found.kind, set()).add(name)
    return tuple(
        replace(
            found,
            sentence=f"In {len(where[kind])} of {len(sheets)} {what}: "
            f"{found.sentence[:1].lower()}{found.sentence[1:]}",
        )
        for kind, found in first.items()
    )


def have_same_columns(
    names: Sequence[str],
    read: str,
    what: str,
    near: Sequence[Sequence[str]] = (),
    of: Sequence[str] = (),
    words: Iterable[SheetWords] = (),
) -> Finding:
    """Offer to read sheets or files of the same columns as one table, and name those left out.

    That their amounts are in different currencies is said before somebody takes the offer.

    Parameters
    ----------
    near : those that differ in a name: which one, that name, and the one here
    of : all of them, where those with other columns are to be named too
    words : what they say, which may name a currency
    """
    money = different_currencies(words)
    in_money = f" Their amounts seem to be in different currencies ({money})." if money else ""
    left = [name for name in of if name not in names]
    left_words = f" To be {_left_words(left, near)}" if left else ""
    but = [f"{there!r} in {sheet!r} for {here!r}" for sheet, there, here in near if sheet in names]
    but_for = f", but for {', '.join(but)}" if but else ""
    shown = ", ".join(map(repr, names[:_MOST_NAMED])) + (", ..." * (len(names) > _MOST_NAMED))
    others = [pair for sheet, *pair in near if sheet not in names]
    return Finding(
        None,
        "sheets",
        f"The {what} {shown} have the same columns{but_for}; only {read!r} is read.{left_words}"
        f"{in_money}",
        f"Read them as one table (sheet='{ALL}') to have the rows of all {len(names)}.",
        "warning",
        (
            Fix(f"Read all {len(names)} as one table", "sheet", ALL),
            *(_read_too(f"Read all {len(names) + len(others)}", others) if others else ()),
        ),
    )


def _read_too(begin: str, pairs: Sequence[Sequence[str]]) -> tuple[Fix, ...]:
    """Offer to read those too in which one column has another name."""
    as_named = dict.fromkeys(f"{there!r} as {here!r}" for there, here in pairs)
    return (Fix(f"{begin}, {' and '.join(list(as_named)[:_NAMES_ON_BUTTON])}", "sheet", NEARLY),)


def _left_words(left: Sequence[str], near: Sequence[Sequence[str]]) -> str:
    """Say of sheets that do not fit what differs."""
    other = {sheet: f"{there!r} instead of {here!r}" for sheet, there, here in near}
    said = [f"{sheet!r} ({other.get(sheet, 'other columns')})" for sheet in left[:_MOST_NAMED]]
    more = f" and {len(left) - _MOST_NAMED} more" if len(left) > _MOST_NAMED else ""
    return f"left out: {', '.join(said)}{more}."


def left_out_finding(
    left: Sequence[str], near: Sequence[Sequence[str]], what: str
) -> tuple[Finding, ...]:
    """Say which sheets of a file are left out; in sight where only one of their names differs."""
    if not left:
        return ()
    remedy = "Give the columns the same names in all of them to have their rows too"
    remedy += f", or take one for the other (sheet='{NEARLY}')." if near else "."
    severity: Severity = "warning" if near else "note"
    sentence = f"{what.capitalize()} {_left_words(left, near)}"
    fixes = _read_too("Read them too", [pair for _, *pair in near]) if near else ()
    return (Finding(None, SHEETS_LEFT, sentence, remedy, severity, fixes),)


def joined_finding(used: Sequence[str], others: Sequence[str], what: str) -> Finding:
    """Say which sheets or files are read as one table."""
    shown = ", ".join(map(repr, used[:_MOST_NAMED])) + (", ..." * (len(used) > _MOST_NAMED))
    left = f"; {', '.join(map(repr, others[:_MOST_NAMED]))} left out" if others else ""
    return Finding(
        None,
        "sheets",
        f"The {what} {shown} are read as one table{left}. Column {ORIGIN!r} says which of them a "
        "row is from.",
        fixes=(Fix("Read one of them only", "take back", "sheet all"),),
    )


def origin_left_out(name: str) -> Finding:
    """Say that the column of sheets is no feature unless somebody wants it."""
    return Finding(
        name,
        "origin",
        f"Column {name!r} says where a row is from, and is not used.",
        "Give it the role 'feature' to predict from it.",
        fixes=(Fix("Use it", "role", "feature"),),
    )
