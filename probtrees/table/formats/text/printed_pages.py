"""Reports that are printed page by page: on each a heading, the names of the columns, and a sum.

The names stand above the rows of every page in the same places, so that all rows can be cut there.
What is said above the names of every page, but for its number, is no row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from probtrees.table.formats.text.footer import is_total_word

Row = tuple[int, list[str]]
"""The number of a line of the text, from 0, and its cells."""

_MOST_TRIED = 5
_FEWEST_ROWS = 8
_SHARE = 0.5
"""So many of the filled lines are rows; a row apart from the others, unlike a sum, fills more than
so many of its cells."""
_MOST_WITH_DIGITS = 0.25
_MOST_IN_BANNER = 4
_RULE = re.compile(r"[\s\-=_─━═*+|]{3,}")
_FIRST_WORDS = re.compile(r"\s*[^\W\d]+(?:\s[^\W\d]+)?(?!\S)")


def rows_of_pages(lines: Sequence[str]) -> list[Row]:
    """Return the names and the rows of all pages; nothing if no line of names stands there twice.

    >>> page = ["Stock", "", "item  left", "----------", *(f"a{n}    {n:4}" for n in range(5)), ""]
    >>> rows = rows_of_pages([*page, "Page total   10", *page])
    >>> len(rows), rows[0], rows[-1]
    (11, (2, ['item', 'left']), (19, ['a4', '4']))
    """
    filled = [line.rstrip() for line in lines if line.strip() and not _RULE.fullmatch(line)]
    copies = Counter(line for line in filled if len(line.split()) > 1)
    found: list[Row] = []
    for names, n_pages in copies.most_common(_MOST_TRIED):
        if n_pages < 2:
            break
        if not _stands_apart(lines, names):
            continue
        banners = _banners(lines, names)
        rows = [row for row in _rows_below(lines, names) if _form(lines[row]) not in banners]
        if len(rows) < max(_FEWEST_ROWS, _SHARE * len(filled)):
            continue
        cut = _cut(lines, names, rows, banners)
        if cut and (len(cut[0][1]), len(cut)) > (len(found[0][1]) if found else 1, len(found)):
            found = cut
    return found


def _stands_apart(lines: Sequence[str], names: str) -> bool:
    """Whether a line holds no number, and a blank line or a rule is beside each of its copies.

    Others may be rows that are alike. A few words of a name may hold a digit, such as 48H.
    """
    words = names.split()
    digits = [word for word in words if any(map(str.isdigit, word))]
    are_numbers = any(not any(map(str.isalpha, word)) for word in digits)
    if are_numbers or len(digits) > _MOST_WITH_DIGITS * len(words):
        return False
    around = ["", *lines, ""]
    copies = (n for n, line in enumerate(around) if line.rstrip() == names)
    beside = ((around[n - 1], around[n + 1]) for n in copies)
    return all(any(not ln.strip() or _RULE.fullmatch(ln) for ln in pair) for pair in beside)


def _rows_below(lines: Sequence[str], names: str) -> list[int]:
    """Return the numbers of lines below each copy of the names, down to a blank one or a rule."""
    rows: list[int] = []
    is_inside, has_begun = False, False
    for number, line in enumerate(lines):
        if line.rstrip() == names:
            is_inside, has_begun = True, False
        elif not line.strip() or _RULE.fullmatch(line):
            is_inside = is_inside and not has_begun
        elif is_inside and not (_is_sum(line) and len(line.split()) < len(names.split())):
            rows.append(number)
            has_begun = True
    return rows


def _banners(lines: Sequence[str], names: str) -> set[str]:
    """Return the forms of lines that stand above the names of most pages, and nowhere else."""
    copies = [n for n, line in enumerate(lines) if line.rstrip() == names]
    near = {row for n in copies for row in range(max(n - _MOST_IN_BANNER, 0), n)}
    above = Counter(_form(lines[row]) for row in near if lines[row].strip())
    everywhere = Counter(map(_form, lines))
    fewest = max(2, len(copies) - 1)
    return {form for form, n in above.items() if n == everywhere[form] >= fewest}


def _form(line: str) -> str:
    """Return a line without its numbers: that of a page, and a time."""
    return re.sub(r"\d+", "#", " ".join(line.split()))


def _is_sum(line: str) -> bool:
    """Whether a line begins with a word or two for a sum: "PAGE TOTAL 50"."""
    begin = _FIRST_WORDS.match(line)
    return begin is not None and any(map(is_total_word, begin[0].split()))


def _cut(
    lines: Sequence[str], names: str, rows: Sequence[int], banners: Collection[str]
) -> list[Row]:
    """Cut the names and the rows where all are blank; rows apart from the others come back in."""
    places = places_of([names, *(lines[number] for number in rows)])
    places = with_whole_words(places, names, [lines[number] for number in rows])
    above = _cells(names, places)
    if len(above) < 2 or not all(above[1:]):
        return []
    taken = {place for begin, end in places for place in range(begin, end)}
    kept, first = set(rows), lines.index(next(ln for ln in lines if ln.rstrip() == names))
    for number, line in enumerate(lines[first:], first):
        fits = all(letter == " " or place in taken for place, letter in enumerate(line.rstrip()))
        n_filled = sum(map(bool, _cells(line, places)))
        if fits and n_filled > _SHARE * len(places) and _form(line) not in banners:
            kept.add(number)
    kept = {n for n in kept if lines[n].rstrip() != names and not _RULE.fullmatch(lines[n])}
    return [(first, above), *((number, _cells(lines[number], places)) for number in sorted(kept))]


def with_whole_words(
    places: Sequence[tuple[int, int]], names: str, rows: Sequence[str]
) -> list[tuple[int, int]]:
    """Join places one blank apart: words of one name, or of cells that have a name once.

    >>> with_whole_words([(0, 4), (5, 10), (11, 14)], "ewes alive 48h", ["  12   yes"])
    [(0, 4), (5, 14)]
    >>> with_whole_words([(0, 3), (4, 9), (11, 14)], "farm       ewe", ["old field  612"])
    [(0, 9), (11, 14)]
    """
    joined: list[tuple[int, int]] = []
    has_cells = False
    for begin, end in places:
        is_filled = any(row[begin:end].strip() for row in rows)
        is_near = bool(joined) and begin - joined[-1][1] == 1
        if is_near and not (has_cells and is_filled and names[begin:end].strip()):
            joined[-1] = (joined[-1][0], end)
            has_cells |= is_filled
        else:
            joined.append((begin, end))
            has_cells = is_filled
    return joined


def _cells(line: str, places: Iterable[tuple[int, int]]) -> list[str]:
    return [line[begin:end].strip() for begin, end in places]


def places_of(lines: Iterable[str]) -> list[tuple[int, int]]:
    """Return where columns begin and end: between them every line is blank.

    >>> places_of(["a    bb", "1.5   2"])
    [(0, 3), (5, 7)]
    """
    taken = {place for line in lines for place, letter in enumerate(line) if letter != " "}
    starts = sorted(place for place in taken if place - 1 not in taken)
    ends = sorted(place + 1 for place in taken if place + 1 not in taken)
    return list(zip(starts, ends, strict=True))
