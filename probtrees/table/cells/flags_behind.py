"""Flags behind some of the numbers, as laboratories write them: 36.2 H, 131H, 5.6 (H), 4.0*, 7.1↑.

They say that a number is high, low, normal or abnormal, which the number says itself. Unlike a
unit they stand behind some numbers only, or differ from cell to cell. So do those that say how far
a number is known: 1.21 J, 0.5 U of laboratories, 12.3 p, 4.1 e of statistical offices.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.spelled_numbers import SpelledNumbers, read_numbers
from probtrees.table.spelling import Spelling

_SIGNS = r"\*{1,3}|↑{1,2}|↓{1,2}|!{1,2}|\((?:HH?|LL?)\)|\[(?:HH?|LL?)\]"
_LETTERS = rf"{_SIGNS}|HH?|LL?|N|A|UJ?|[JBERDQ]|[bcdefnprsuz]{{1,2}}"
_FLAG = re.compile(rf"(\d.*?)(?:[ \u00a0]+|(?<=\d)(?=[HL*↑↓!(\[]))({_LETTERS})$")
_MAY_BE = rf"\d.*[ \x{{a0}}]({_LETTERS})$|\d(HH?|LL?|{_SIGNS})$"
"""The same for RE2 as Arrow has it, which looks through whole columns."""
_HIGH_OR_LOW = frozenset({"H", "HH", "L", "LL"})
_HIGH_OR_LOW |= {f"({flag})" for flag in _HIGH_OR_LOW} | {f"[{flag}]" for flag in _HIGH_OR_LOW}
_HIGH_OR_LOW |= {"↑", "↑↑", "↓", "↓↓"}
_OF_RESULTS = _HIGH_OR_LOW | {"*", "**", "***", "!", "!!", "N", "A"}
_SURELY = (frozenset({"U", "J", "UJ"}), frozenset({"p", "e", "b", "u"}))
"""Not detected and estimated; provisional, estimated, a break in the series, of low reliability."""
_LONGEST = 100
"""Longer texts are no numbers, and to look through thousands of digits takes minutes."""
_FEWEST_BARE = 0.3
_FEWEST = 10
"""Fewer different numbers are categories: "1 A", "2 A"."""
_FEW = 0.5
"""The only letter behind more of the numbers than this is their unit, litres say.

So are letters without a space before them part of a code: seats 12H and 14L.
"""


def without_flag(text: str) -> str:
    """Take the flag off a number.

    >>> without_flag("36.2 H"), without_flag("3.1 mmol/L LL"), without_flag("vitamin A")
    ('36.2', '3.1 mmol/L', 'vitamin A')
    >>> without_flag("5.6 (H)"), without_flag("5.6*"), without_flag("5.6↑")
    ('5.6', '5.6', '5.6')
    """
    return _FLAG.sub(r"\1", text)


def flags_among(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the flags behind some of distinct texts; nothing where the letters are no flags.

    >>> flags_among([f"{n} H" if n > 37 else f"{n}" for n in range(30, 40)])
    ('H',)
    >>> flags_among([f"{n} L" for n in range(30, 40)])
    ()
    >>> flags_among([f"{n}H" if n > 37 else f"{n}" for n in range(30, 40)])
    ('H',)
    >>> flags_among([f"{n / 4} {'JU'[n % 2]}" if n < 14 else f"{n / 4}" for n in range(10, 20)])
    ('J', 'U')
    >>> flags_among(["1 2" * 100_000])
    ()
    """
    numbered = [text for text in texts if len(text) <= _LONGEST and any(map(str.isdigit, text))]
    matches = [match for text in numbered if (match := _FLAG.search(text))]
    behind = [match[2] for match in matches]
    found = set(behind)
    if not found or len({without_flag(text) for text in numbered}) < _FEWEST:
        return ()
    some = len(behind) < len(numbered)
    if not found <= _OF_RESULTS:
        bare = len(numbered) - len(behind) >= _FEWEST_BARE * len(numbered)
        return tuple(sorted(found)) if bare and _say_how_far_known(found) else ()
    touching = any(match.end(1) == match.start(2) for match in matches)
    if len(found) == 1 or touching:
        are_flags = len(behind) < _FEW * len(numbered)
    else:
        are_flags = some or not _HIGH_OR_LOW.isdisjoint(found)
    return tuple(sorted(found)) if are_flags else ()


def _say_how_far_known(found: set[str]) -> bool:
    """Whether letters say how far numbers are known: two at least that do, in one case."""
    one_case = len({text.isupper() for text in found}) == 1
    return one_case and any(len(found & surely) > 1 for surely in _SURELY)


def read_flagged(
    texts: pa.StringArray, decimal: str, known: Spelling | None
) -> SpelledNumbers | None:
    """Read numbers of which some have a flag; None where none has, or they are no numbers."""
    if known is None and not pc.any(pc.match_substring_regex(texts, _MAY_BE), min_count=0).as_py():
        return None
    written = texts.to_pylist()
    found = flags_among(written) if known is None else ()
    if known is None and not found:
        return None
    bare = text_array(without_flag(text) for text in written)
    plain = None if known is None else replace(known, flags=False)
    read = read_numbers(bare, decimal, plain)
    if known is None:
        numbered = np.array([any(map(str.isdigit, text)) for text in written])
        if np.isnan(read.values[numbered]).any():
            return None
    said = (f"flags ({', '.join(map(repr, found))}, left out)",) if found else ()
    spelling = replace(read.spelling, flags=True)
    return replace(read, spelling=spelling, habits=(*said, *read.habits))
