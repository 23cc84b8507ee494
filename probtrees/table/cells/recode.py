"""Values of a new table that a model knows by other words: Checked for 1, w for female.

One program exports codes, another one labels. What a text stands for a person must say; where the
words themselves tell, it is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from probtrees.errors import DataError, did_you_mean
from probtrees.table.cells.other_dates.typed_ranges import same_range
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.cells.same_words import folded, yes_or_no
from probtrees.table.dataset import Column, Schema
from probtrees.table.table_report import Finding

Recoded = Mapping[str, tuple[tuple[str, str], ...]]
"""By column, pairs of a text and of what it stands for; nothing stands for a missing value."""

_PAIRS = (
    (
        "present positive pos detected positiv vorhanden présent positif",
        "absent negative neg undetected negativ négatif",
    ),
    (
        "male man m männlich mann homme masculin hombre varón masculino maschio мужской boy junge "
        "bub garçon niño chico menino rapaz ragazzo jongen chłopiec pojke gutt dreng chlapec fiú "
        "erkek мальчик",
        "female woman f w weiblich frau femme féminin mujer femenino feminino femmina женский girl "
        "mädchen maedchen fille niña chica menina rapariga ragazza meisje dziewczynka flicka jente "
        "pige dívka lány kız девочка",
    ),
)
_MEANINGS = tuple(
    {folded(word): words[0] for words in map(str.split, pair) for word in words} for pair in _PAIRS
)
"""Words that mean the same, in pairs of which a column has both."""
_CODE_IN_TEXT = re.compile(
    r"^\s*\(?(-?\d+)\)?\s*(?:[-–=:.)]\s*|\s)\D|\D\s*[(\[=:]\s*(-?\d+)\s*[)\]]?$"
)
_TITLE = re.compile(
    r"^(?:(?:mr|mrs|ms|miss|mx|sir|dr|prof|professor|herr|frau|m|mme|mlle|monsieur|madame|sr|sra|"
    r"señor|señora|sig|sig\.ra|pan|pani)\.? )+"
)
_NUMBERED = re.compile(
    r"(?P<word>[^\W\d_]{0,12})[ .-]?(?P<number>\d{1,4})|"
    r"(?:(?P<before>[^\W\d_]{1,12})[ .-])?(?P<roman>[ivx]{1,4})"
)
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_SIGNS = {"+": ("yes", "present"), "-": ("no", "absent"), "−": ("no", "absent")}
"""Signs that stand for yes and no, or for a finding and none; one alone may mean anything."""
_SHORT_WORD = 4
_SHOWN = 3


def recode(raw: RawTable, recoded: Recoded, schema: Schema) -> tuple[Finding, ...]:
    """Replace values of a table by what somebody says that they stand for, and say so."""
    columns = {column.source_name: column for column in schema.columns}
    findings = []
    for name, pairs in recoded.items():
        if name not in columns:
            raise DataError(
                f"recoded: column={name!r} must be a column of the model. "
                f"{did_you_mean(name, list(columns))}"
            )
        _check_values(columns[name], pairs)
        if name not in raw.columns:
            continue
        found = raw.columns[name].as_texts()
        meant = {text: value for text, value in pairs if text in found.texts}
        gone = [text for text, value in meant.items() if not value]
        n_rows = found.rows_with(meant)
        kept = found.without(gone)
        raw.columns[name] = kept.respelled({t: v for t, v in meant.items() if v}) if meant else kept
        if n_rows:
            findings.append(Finding(name, "recoded", _sentence(name, meant, n_rows)))
    return tuple(findings)


def _check_values(column: Column, pairs: Sequence[tuple[str, str]]) -> None:
    """Refuse what a column of the model does not hold."""
    for _, value in pairs:
        fits = value in column.codes if column.is_nominal else _is_number(value)
        if value and not fits:
            known = list(column.codes)
            advice = did_you_mean(value, known) if known else "Write it with a decimal point."
            what = "a value that the model knows" if known else "a number, as in training"
            raise DataError(
                f"recoded: value={value!r} of column {column.source_name!r} must be {what}. "
                f"{advice}"
            )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _sentence(name: str, meant: Mapping[str, str], n_rows: int) -> str:
    parts = [
        f"{text!r} as {value!r}" if value else f"{text!r} as missing"
        for text, value in meant.items()
    ]
    shown = ", ".join(parts[:_SHOWN]) + (
        f" and {len(parts) - _SHOWN} more" if parts[_SHOWN:] else ""
    )
    cells = "1 cell" if n_rows == 1 else f"{n_rows:,} cells"
    return f"Column {name!r}: {cells} read as said, {shown}."


def guess_values(texts: Collection[str], known: Collection[str]) -> dict[str, str]:
    """Guess which of the known values texts stand for, where their words tell.

    Codes and words tell nothing about each other but for no and yes, which are 0 and 1.

    >>> guess_values(["Unchecked", "Checked"], ["0", "1"])
    {'Unchecked': '0', 'Checked': '1'}
    >>> guess_values(["No", "Yes", "Unknown"], ["0", "1", "2"])
    {'No': '0', 'Yes': '1'}
    >>> guess_values(["Female", "Male"], ["w", "m"]), guess_values(["Female", "Male"], ["1", "2"])
    ({'Female': 'w', 'Male': 'm'}, {})
    >>> guess_values(["1 - mild", "2 - severe"], ["1", "2", "3"])
    {'1 - mild': '1', '2 - severe': '2'}
    >>> guess_values(["7", "8"], ["Y7", "Y8"]), guess_values(["Okoro"], ["Mr Okoro", "Ms Lee"])
    ({'7': 'Y7', '8': 'Y8'}, {'Okoro': 'Mr Okoro'})
    >>> guess_values(["Mathematics"], ["Maths", "Art"]), guess_values(["7"], ["Y7", "B7"])
    ({'Mathematics': 'Maths'}, {})
    >>> guess_values(["10-12"], ["10-Dec", "0-5"]), guess_values(["Girl", "Boy"], ["F", "M"])
    ({'10-12': '10-Dec'}, {'Girl': 'F', 'Boy': 'M'})
    >>> guess_values(["+", "-"], ["nie", "tak"]), guess_values(["+"], ["tak", "nie"])
    ({'+': 'tak', '-': 'nie'}, {})
    >>> guess_values(["III", "I"], ["Grado I", "Grado II", "Grado III"])
    {'III': 'Grado III', 'I': 'Grado I'}
    """
    of_texts, of_known = _meanings(texts), _meanings(known)

    def same_meaning(text: str, value: str) -> bool:
        return text in of_texts and of_texts[text] == of_known.get(value)

    def same_sign(text: str, value: str) -> bool:
        return of_known.get(value) in signs.get(text, ()) or of_texts.get(text) in signed.get(
            value, ()
        )

    signs, signed = _signs(texts), _signs(known)
    found: dict[str, str] = {}
    for alike in (same_range, _same_code, same_meaning, same_sign, _same_name, _begin_alike):
        left = [text for text in texts if text not in found]
        free = [value for value in known if value not in found.values()]
        found |= _one_to_one(left, free, alike)
    found |= _same_numbers([text for text in texts if text not in found], known)
    return {text: found[text] for text in texts if text in found}


def in_order(texts: Sequence[str]) -> tuple[str, ...]:
    """Put grades and other numbered texts in their order; others stay in theirs.

    >>> in_order(["2", "10", "1"]), in_order(["III", "I", "II"]), in_order(["G3", "G1", "GX"])
    (('1', '2', '10'), ('I', 'II', 'III'), ('G1', 'G3', 'GX'))
    >>> in_order(["north", "east"]), in_order(["x", "1"])
    (('north', 'east'), ('x', '1'))
    """
    numbers = _numbered(texts)
    if len({(word, is_roman) for word, _, is_roman in numbers.values()}) != 1:
        return tuple(texts)
    word, _, _ = next(iter(numbers.values()))
    others = [text for text in texts if text not in numbers]
    if len(numbers) < 2 or not all(folded(text).startswith(word) for text in others):
        return tuple(texts)
    return (*sorted(numbers, key=lambda text: numbers[text][1]), *others)


def _meanings(texts: Collection[str]) -> dict[str, str]:
    """Say which texts mean yes, no, male and their like; letters and digits only in pairs.

    >>> _meanings(["f", "m"]), _meanings(["1", "2"]), _meanings(["Checked"])
    ({'f': 'female', 'm': 'male'}, {}, {'Checked': 'yes'})
    """
    ways: list[Callable[[str], str]] = [yes_or_no]
    ways += [partial(_look_up, words) for words in _MEANINGS]
    for meaning_of in ways:
        found = {text: meant for text in texts if (meant := meaning_of(text))}
        if len(set(found.values())) == 2 or any(len(text.strip()) > 1 for text in found):
            return found
    return {}


def _signs(texts: Collection[str]) -> dict[str, tuple[str, str]]:
    """Say what signs among texts mean, if there are two that mean opposite things."""
    found = {text: _SIGNS[text.strip()] for text in texts if text.strip() in _SIGNS}
    return found if len(set(found.values())) == 2 else {}


def _look_up(words: Mapping[str, str], text: str) -> str:
    return words.get(folded(text), "")


def _one_to_one(
    texts: Sequence[str], known: Sequence[str], alike: Callable[[str, str], bool]
) -> dict[str, str]:
    """Pair texts and values that are alike, where each has only the other."""
    pairs = [(text, value) for text in texts for value in known if alike(text, value)]
    given, meant = [text for text, _ in pairs], [value for _, value in pairs]
    return {t: v for t, v in pairs if given.count(t) == meant.count(v) == 1}


def _same_code(text: str, value: str) -> bool:
    """Whether one is the code that the other begins or ends with: "1 - mild", "mild (1)"."""
    return value.strip() == _code_in(text) or text.strip() == _code_in(value)


def _code_in(text: str) -> str | None:
    found = _CODE_IN_TEXT.search(text)
    return None if found is None else found[1] or found[2]


def _begin_alike(text: str, value: str) -> bool:
    """Whether one word is how the other begins: "sev" and "Severe", "Maths" and "Mathematics"."""
    short, long = sorted((folded(text).rstrip("."), folded(value).rstrip(".")), key=len)
    if not short.isalpha():
        return False
    cut_short = len(short) > _SHORT_WORD and short.endswith("s") and long.isalpha()
    return long.startswith(short) or (
        cut_short and len(long) > len(short) + 1 and long.startswith(short[:-1])
    )


def _same_name(text: str, value: str) -> bool:
    """Whether one is the other with a title before it: "Okoro" and "Mr Okoro"."""
    names = [_TITLE.sub("", folded(one)) for one in (text, value)]
    return names[0] == names[1] != "" and folded(text) != folded(value)


def _same_numbers(texts: Sequence[str], known: Collection[str]) -> dict[str, str]:
    """Pair plain numbers with the same ones behind a word or letter, if all of those share it.

    They may be Roman ones on either side.

    >>> _same_numbers(["7", "08"], ["Year 7", "Year 8"]), _same_numbers(["Y7"], ["7", "8"])
    ({'7': 'Year 7', '08': 'Year 8'}, {'Y7': '7'})
    >>> _same_numbers(["3", "2"], ["I", "II", "III"]), _same_numbers(["x"], ["1", "10"])
    ({'3': 'III', '2': 'II'}, {})
    """
    of_texts, of_known = _numbered(texts), _numbered(known)
    words = [{(word, roman) for word, _, roman in n.values()} for n in (of_texts, of_known)]
    if list(map(len, words)) != [1, 1]:
        return {}
    (one, other), are_roman = zip(words[0].pop(), words[1].pop(), strict=True)
    is_same_word = one == other and are_roman[0] != are_roman[1]
    if not is_same_word and (one == "") == (other == ""):
        return {}
    return _one_to_one(
        list(of_texts), list(of_known), lambda text, value: of_texts[text][1] == of_known[value][1]
    )


def _numbered(texts: Collection[str]) -> dict[str, tuple[str, int, bool]]:
    """Take texts apart into a word, if there is one, the number behind it, and if that is Roman.

    A single letter may be anything, so that Roman numbers are such only where one has two.
    """
    matches = {text: match for text in texts if (match := _NUMBERED.fullmatch(folded(text)))}
    romans = {text: str(match["roman"]) for text, match in matches.items() if match["roman"]}
    are_some = any(len(roman) > 1 for roman in romans.values())
    found = {}
    for text, match in matches.items():
        if text not in romans:
            found[text] = (match["word"], int(match["number"]), False)
        elif are_some and romans[text] in _ROMANS:
            found[text] = (match["before"] or "", 1 + _ROMANS.index(romans[text]), True)
    return found
