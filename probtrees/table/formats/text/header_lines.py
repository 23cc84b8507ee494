"""Names of columns in several lines, and lines around the names that are no rows.

A line of groups, often of merged cells, may stand above that of the names. Whether a first row is
rather a second line of names is only guessed, so it is offered, not done. A line of units below
the names, or what a survey tool writes there, is known for certain and left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import zip_longest

from probtrees.table.cells.spelled_numbers import all_are_numbers
from probtrees.table.cells.unit_names import is_unit
from probtrees.table.formats.missing_spellings import MISSING_SPELLINGS
from probtrees.table.table_report import Finding, Fix

_MISSING = frozenset(MISSING_SPELLINGS)
_LETTER = re.compile(r"[^\W\d_]")
_IMPORT_ID = re.compile(r'\{\s*"ImportId"\s*:')
"""What Qualtrics writes in every cell of a line below the names and the questions."""
_LOGGER = ["TS", "RN"]
"""How the line of units begins that a data logger (TOA5) writes, above one of Avg, Min and Smp."""
_DATE_PARTS = "dd?|tt?|jj|jjjj|mm?m?|yy|yyyy|aa|aaaa|rrrr|hh?|ss?"
_DATE_PATTERN = re.compile(
    rf"(?=.*(.)\1)(?:{_DATE_PARTS})(?:[./:\- ]+(?:{_DATE_PARTS}))+|yyyymm(?:dd)?|ddmmyyyy|hhmm",
    re.IGNORECASE,
)
"""How a date or a time is to be written, in a few languages: dd.mm.yyyy, TT.MM.JJJJ, hh:mm."""
_FEWEST_ROWS = 3
_MOST_ROWS = 50


def join_names(groups: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Put the group before each name; a group reaches over the empty cells to its right.

    A group above an empty cell is a name of its own and reaches no further.

    >>> join_names(["id", "Blood", "", "Age"], ["", "Na", "K", "age"])
    ('id', 'Blood Na', 'Blood K', 'Age')
    """
    joined, reaching = [], ""
    for group, name in zip_longest(map(str.strip, groups), map(str.strip, names), fillvalue=""):
        reaching = group or reaching
        same = reaching.casefold() == name.casefold()
        joined.append(reaching if same else f"{reaching} {name}".strip() if name else group)
        if not name:
            reaching = ""
    return tuple(joined)


def names_groups(cells: Sequence[str]) -> bool:
    """Whether a line right above the names may group them; a title stands in the first cell."""
    return any(cell.strip() for cell in cells[1:]) and all_are_words(cells)


def is_second_line(first: Sequence[str], row: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the row below a line of names goes on with names.

    It holds words that are no values further below, and either one of them stands above a column
    of numbers, or it names a column that the first line does not.
    """
    rows = rows[:_MOST_ROWS]
    filled = {n: cell.strip() for n, cell in enumerate(row) if cell.strip()}
    enough = len(rows) >= _FEWEST_ROWS and 2 * len(filled) >= len(row) >= 2
    if not enough or not all_are_words(row) or not all_are_words(first):
        return False
    below = {n: [r[n].strip() for r in rows if n < len(r)] for n in filled}
    if any(filled[n] in _MISSING or filled[n] in cells for n, cells in below.items()):
        return False
    known = {n: [cell for cell in cells if cell not in _MISSING] for n, cells in below.items()}
    above_numbers = (
        _LETTER.search(filled[n]) for n in known if known[n] and _are_numbers(known[n])
    )
    completes = any(n >= len(first) or not first[n].strip() for n in filled)
    return completes or any(above_numbers)


def n_describing(rows: Sequence[Sequence[str]]) -> int:
    """Count the lines right below the names that describe the columns and are no rows.

    A line of units is one in which nothing else stands, that has at least two of them, one above
    a column of numbers, and none that is a value further below. Other words may stand beside a
    unit (No., thousands/ml) where all of them are above numbers; how a date is to be written
    (dd.mm.yyyy) is a unit.

    >>> n_describing([["", "kg", "mg/L"], ["a", "71", "0.2"], ["b", "64", "0.1"], ["c", "80", ""]])
    1
    >>> n_describing([["", "kg", "No."], ["a", "71", "2"], ["b", "64", "1"], ["c", "80", ""]])
    1
    >>> n_describing([["", "n", "%", "per day"], *([str(n), "7", "2%", "1.5"] for n in range(3))])
    1
    >>> n_describing([["How old are you?"], ['{"ImportId":"Q1"}'], ["25"]])
    2
    """
    for n_above in range(min(2, len(rows))):
        filled = [cell.strip() for cell in rows[n_above] if cell.strip()]
        if filled and all(map(_IMPORT_ID.match, filled)):
            return n_above + 1
    if len(rows) > 2 and is_line_of_logger(rows[0]):
        return 2
    below = [row for row in rows[1 : 1 + _MOST_ROWS] if row != rows[0]]  # as on every page
    units = {n: cell.strip() for n, cell in enumerate(rows[0]) if cell.strip()} if rows else {}
    known = [is_unit(cell) or is_date_pattern(cell) for cell in units.values()]
    if len(below) < _FEWEST_ROWS or len(units) < 2 or not any(known):
        return 0
    columns = {n: [row[n].strip() for row in below if n < len(row)] for n in units}
    if any(units[n] in cells for n, cells in columns.items()):
        return 0
    numbers = (
        # Sheets write percents with their sign in each cell, too.
        sum(_are_numbers([cell.removesuffix(units[n]).strip() or cell]) for cell in cells)
        for n, cells in columns.items()
    )
    are_above_numbers = [2 * n_numbers > len(below) for n_numbers in numbers]
    if all(known):
        return int(any(are_above_numbers))
    # One letter may be a name: K, potassium; a sign such as % is none.
    surely = any(
        is_known and (len(unit) > 1 or not unit.isalpha())
        for is_known, unit in zip(known, units.values(), strict=True)
    )
    are_words = all_are_words(rows[0]) and _MISSING.isdisjoint(units.values())
    return int(surely and are_words and all(are_above_numbers))


def is_date_pattern(text: str) -> bool:
    """Whether a text says how a date or a time is to be written.

    >>> [is_date_pattern(t) for t in ("mm/dd/yy", "YYYY-MM-DD", "(hh:mm)", "m/s", "1/2/22")]
    [True, True, True, False, False]
    """
    return _DATE_PATTERN.fullmatch(text.strip().strip("[]()").strip()) is not None


def is_line_of_logger(cells: Sequence[str]) -> bool:
    """Whether these are the units that a data logger writes, two lines below its own name."""
    return [cell.strip() for cell in cells[:2]] == _LOGGER


def describing_finding(lines: Sequence[Sequence[str]], may_join: bool) -> Finding:
    """Report that lines below the names are left out; one may be joined to these instead."""
    words = ", ".join(filter(None, map(str.strip, lines[0])))
    words = words if len(words) <= 40 else words[:37] + "..."
    one = len(lines) == 1
    which = "line below the names of the columns" if one else f"{len(lines)} lines below the names"
    join = (Fix("Join it to the names", "header_lines", 2),) if one and may_join else ()
    return Finding(
        None,
        "title",
        f"The {which} ({words!r}) {'describes' if one else 'describe'} the columns and "
        f"{'is' if one else 'are'} left out.",
        "Take the title as written to keep what stands there.",
        "note",
        (Fix("Keep it as a row" if one else "Keep them as rows", "as_written", "title"), *join),
    )


def header_finding(
    joined: Sequence[str], plain: Collection[str], grouped: bool = False, repeated: bool = False
) -> Finding:
    """Offer to join two lines of names; one that neither line holds is shown.

    Parameters
    ----------
    grouped : whether the lower line names all columns and is taken alone
    repeated : whether that names some of them alike
    """
    example = next((name for name in joined if name and name not in plain), joined[0])
    if grouped:
        return Finding(
            None,
            "header lines",
            "The line above the names of the columns groups them and is left out.",
            f"Set the number of header lines to 2 to join both, as in {example!r}.",
            "warning" if repeated else "note",
            (Fix("Join the two lines of names", "header_lines", 2),),
        )
    return Finding(
        None,
        "header lines",
        f"The names of the columns seem to stand in two lines, as in {example!r}.",
        "Set the number of header lines to 2 to join them, if that is so.",
        "warning",
        (Fix("Join the two lines of names", "header_lines", 2),),
    )


def two_lines_would_do(names: Sequence[str], row: Sequence[str]) -> tuple[str, ...]:
    """Return what two lines would name the columns, if they name all that the first does not.

    >>> two_lines_would_do(["id", "Blood", ""], ["", "Na", "K"])
    ('id', 'Blood Na', 'Blood K')
    """
    if all(name.strip() for name in names):
        return ()
    joined = join_names(names, row)
    complete = len(joined) == len(names) and all(joined) and len(set(joined)) == len(joined)
    return joined if complete and any(cell.strip() for cell in row) else ()


def may_be_a_row(names: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether a line of names looks like the rows below: every name is a value of its column.

    Numbers above numbers may be values or years, so that at least one text must be there again.
    """
    pairs = [(name.strip(), cells) for name, cells in zip(names, columns, strict=False)]
    if not pairs or not all(name for name, _ in pairs):
        return False
    again = [name in cells for name, cells in pairs]
    numbers = [_are_numbers([name]) and bool(c) and _are_numbers(list(c)) for name, c in pairs]
    texts = (found and not number for found, number in zip(again, numbers, strict=True))
    return any(texts) and all(map(max, again, numbers))


def no_names_finding(first: Sequence[str]) -> Finding:
    """Offer to number the columns of a table that begins with a row."""
    shown = ", ".join(first[:4]) + (", ..." if len(first) > 4 else "")
    return Finding(
        None,
        "no names",
        f"The first line looks like a row ({shown}): no line seems to name the columns.",
        "Set the number of header lines to 0 to number them, if that is so.",
        "warning",
        (Fix("Number the columns", "header_lines", 0),),
    )


def _are_numbers(cells: list[str]) -> bool:
    return all_are_numbers(cells) or all_are_numbers(cells, ",")


def all_are_words(cells: Sequence[str]) -> bool:
    """Whether no cell is a number."""
    return not any(cell.strip() and _are_numbers([cell.strip()]) for cell in cells)


def title_finding(title: str, line: int) -> Finding:
    """Report that lines above the names are left out."""
    words = title if len(title) <= 40 else title[:37] + "..."
    return Finding(
        None,
        "title",
        f"The names of the columns are taken from line {line}; what stands above "
        f"them ({words!r}) is left out.",
        "Take the title as written if the table begins there.",
        "note",
        (Fix("Begin with the first line", "as_written", "title"),),
    )
