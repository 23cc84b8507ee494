"""What people write where they know no value, and values they write in several ways.

Dashes and "keine Angabe" are read as missing. Words such as "unknown" may say something, so
treating them as missing is only offered, and so is joining values that differ in case and spaces.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from probtrees.table.cells.choices import MOST_CHOICES, is_list, n_choices, pieces_of
from probtrees.table.cells.missing_words import NO_VALUE, UNKNOWN, codes_among
from probtrees.table.cells.other_dates.typed_ranges import said_as, typed_ranges
from probtrees.table.cells.raw_table import RawColumn, Texts
from probtrees.table.cells.same_words import folded, plainly_alike, yes_or_no
from probtrees.table.read_fields import Habit
from probtrees.table.read_options import SEVERAL, ReadOptions
from probtrees.table.table_report import Finding, Fix
from probtrees.words import as_people_read, quoted, rows_text

_BESIDE_YES_AND_NO = frozenset(
    {"dk", "d/k", "don't know", "ns", "nc", "n/c", "ns/nc", "wn", "w.n.", "u", "?"}
)
"""What means "don't know" beside yes and no; elsewhere DK is Denmark."""
AS_CATEGORIES = Fix("Treat as categories", "type", "nominal")

LIMITS = "limits"
CHOICES = "choices"
"""The kind of a finding about numbers with "<5" or "none" among them."""

VARIANTS = "variants"
"""The kind of a finding about values that are written in several ways."""
_SAY_THE_SAME = "seem to say the same"
_MOST_GROUPS, _MOST_PAIRS = 3, 6

OF_TYPE = "types"
"""The option that is taken back where somebody said what a column holds."""
MEANS_UNKNOWN = f"^(?:{UNKNOWN.pattern})$"
"""The same as a pattern for whole columns."""

_MOSTLY = 0.5
_LONGEST_ON_BUTTON = 16
_PAIR = re.compile(r"(\d{1,4}(?:[.,]\d+)?) ?/ ?(\d{1,4}(?:[.,]\d+)?)")
_AS_WRITTEN: dict[Habit, str] = {
    "title": "The first line holds the names of the columns.",
    "totals": "A line of totals is a row like the others.",
    "dashes": "Dashes, and words such as 'keine Angabe', are values.",
    "names": "A line that repeats the names of the columns is a row like the others.",
    "blanks": "Empty cells of the target say that it is not known.",
    "merged": "Of merged cells only the first has a value.",
    "layout": "Lines are read as they are, not as a printed table.",
    "weights": "Weights count as they are written, not scaled to the number of rows.",
    "marks": "Marks such as 'NA' and 'k.A.' are values where there are no numbers.",
    "commas": "Commas group thousands: 2,070 is 2070.",
    "points": "Points before three digits are read the other way than the rest of the file tells.",
}

_SAID_OF_COLUMNS = {
    "group_values": "Rare values of column {} are one, 'other'.",
    "empty_no": "Empty cells of column {} mean no, or that nothing happened.",
    "split_choices": "Every answer of column {} is a column of its own.",
    "one_scale": "Numbers of column {} are brought to one scale.",
    "numbers_in": "Of column {} the number in each cell is read.",
    "split_numbers": "The two numbers in each cell of column {} are two columns.",
    "ages": "Column {} is used as the years since that date.",
    "keep_words": "Dashes and words for 'no value' in column {} are values.",
    "none_is_zero": "Codes or dashes of column {} that mean none count as 0.",
    "turn_marks": "Tendencies of the marks in column {} are read the other way.",
    "fill_down": "Values of column {} are filled down over the empty cells below.",
}


def dash_finding(name: str, dashes: tuple[str, ...], n_cells: int) -> Finding:
    """Report that dashes, and words that say no more, are read as missing."""
    shown = " and ".join(map(repr, dashes))
    cells = "1 cell" if n_cells == 1 else f"{n_cells:,} cells"
    are_dashes = all(text[0] in "-–—" for text in dashes)
    button = "Keep dashes as values" if are_dashes else "Keep it as a value"
    return Finding(
        name,
        "dashes",
        f"Column {name!r} has {shown} in {cells}, read as missing.",
        "Keep it as a value if it is one (--keep-words).",
        "note",
        (Fix(button, "keep_words", name),),
        texts=dashes,
    )


def limits_finding(name: str, column: Texts) -> Finding:
    """Report numbers with answers such as "<5" among them, which are categories as they stand."""
    others = column.limits
    shown = listed([as_number(column, text) for text in others[:3]])
    return Finding(
        name,
        LIMITS,
        _among_numbers(name, column, others, ignored=False),
        f"Read them as numbers, {shown} (type 'numeric').",
        "warning",
        (
            Fix(f"Read as numbers, {as_number(column, others[0])}", "type", "numeric"),
            treat_as_missing(*others),
        ),
    )


def as_number(column: Texts, limit: str) -> str:
    """Say which number a limit is read as: '>32' as 32."""
    return f"{quoted(limit)} as {column.number_named(limit)}"


def odd_texts_finding(
    name: str, column: Texts, others: tuple[str, ...], *, ignored: bool
) -> Finding:
    """Report the few texts because of which a column is no numbers."""
    return Finding(
        name,
        "odd texts ignored" if ignored else "odd texts",
        _among_numbers(name, column, others, ignored=ignored),
        "Treat them as missing to read the others as numbers, or read the number in each of them "
        "too (--numbers-in).",
        "warning",
        (treat_as_missing(*others), Fix("Read the number in each cell", "numbers_in", name)),
    )


def _among_numbers(name: str, column: Texts, others: tuple[str, ...], *, ignored: bool) -> str:
    shown = listed([repr(text) for text in others[:3]])
    more = " and others" if len(others) > 3 else ""
    so = "it is ignored" if ignored else "it is read as texts"
    rows = rows_text(column.rows_with(others))
    return f"Column {name!r} holds numbers, and {shown}{more} among them in {rows}; {so} therefore."


def limits_read(name: str, column: Texts) -> Finding:
    """Report that answers such as "<5" are read as the numbers they name."""
    shown = listed([as_number(column, text) for text in column.limits[:3]])
    return Finding(
        name,
        LIMITS,
        f"Column {name!r} is read as numbers, {shown}, in "
        f"{rows_text(column.rows_with(column.limits))}.",
        "Set its type to 'nominal' to keep them as categories.",
        "note",
        (AS_CATEGORIES, treat_as_missing(*column.limits)),
    )


def choices_finding(name: str, column: Texts, share: float, *, ignored: bool) -> Finding:
    """Ask about cells that hold several answers, in sight where each answer can be a column."""
    example = max(column.texts[:1000], key=lambda text: len(pieces_of(text)))
    shown = example if len(example) <= 60 else example[:57] + "..."
    so = "It is ignored: every" if ignored else "Every"
    few = n_choices(column.texts) <= MOST_CHOICES
    return Finding(
        name,
        f"{CHOICES} ignored" if ignored else CHOICES,
        f"Column {name!r} holds several answers in a cell ({shown!r}) in {share:.0%} of its rows. "
        f"{so} combination would be a value of its own, {column.n_distinct:,} in all.",
        "Make one yes/no column of each answer (--split-choices).",
        "warning" if share > _MOSTLY or ignored or few else "note",
        (Fix("One yes/no column per answer", "split_choices", name),),
    )


def empty_lists(name: str, column: Texts) -> tuple[Finding, ...]:
    """Say that a list without entries is none of the answers, which are columns of their own."""
    empty = [text for text in column.texts if is_list(text) and not pieces_of(text)]
    if not empty:
        return ()
    return (
        Finding(
            name,
            "empty lists",
            f"Column {name!r} holds an empty list ({empty[0]}) in "
            f"{rows_text(column.rows_with(empty))}: none of the answers, each is 'no' there.",
            "Treat it as missing if nothing is known of these rows.",
            "note",
            (treat_as_missing(*empty),),
        ),
    )


def two_numbers(column: Texts) -> str:
    """Return an example if every text is two numbers that also occur with others, as in 135/96.

    What is counted by year ("4711/24") has a first number that hardly returns.
    """
    pairs = [match for text in column.texts if (match := _PAIR.fullmatch(text))]
    if len(pairs) < column.n_distinct or not pairs:
        return ""
    different = (len({pair.group(part) for pair in pairs}) for part in (1, 2))
    return pairs[0].group() if all(2 * n <= len(pairs) for n in different) else ""


def pair_finding(name: str, example: str) -> Finding:
    """Report cells of two numbers each."""
    return Finding(
        name,
        "two numbers",
        f"Column {name!r} holds two numbers in each cell ({example!r}) and is ignored: they cannot "
        "be compared as they stand.",
        "Make two columns of it to use them (--split-numbers).",
        "warning",
        (two_columns(name), AS_CATEGORIES),
    )


def two_columns(name: str) -> Fix:
    """Offer to make a column of each of two numbers in a cell."""
    return Fix("Make two columns", "split_numbers", name)


def treat_as_missing(*texts: str) -> Fix:
    """Offer to take texts for missing values."""
    if len(texts) > 1:
        return Fix(f"Treat these {len(texts)} values as missing", "missing", SEVERAL.join(texts))
    shown = texts[0] if len(texts[0]) <= 30 else texts[0][:27] + "..."
    return Fix(f"Treat {quoted(shown)} as missing", "missing", texts[0])


def missing_option(name: str, *texts: str) -> str:
    """Write the options that let texts of a column be missing.

    >>> missing_option("land", "9")
    '--missing-text land=9'
    """
    return " ".join(f"--missing-text {shlex.quote(f'{name}={text}')}" for text in texts)


def text_findings(name: str, column: Texts) -> tuple[Finding, ...]:
    """Report categories that may mean missing, or that may be one."""
    codes = () if column.declared else codes_among(column.texts)
    said = set(map(yes_or_no, column.texts)) - {""}
    unknown = [
        text
        for text in column.texts
        if text not in codes
        and (means_unknown(text) or (len(said) == 2 and folded(text) in _BESIDE_YES_AND_NO))
    ]
    findings = tuple(maybe_missing(name, column, text) for text in unknown)
    findings += (_codes_finding(name, column, codes),) if codes else ()
    if column.declared or len(set(column.join_keys.values())) == column.n_distinct:
        return findings
    return (*findings, _variants_finding(name, column))


def means_unknown(text: str) -> bool:
    """Whether a text seems to say that there is no value."""
    return UNKNOWN.fullmatch(text) is not None or text.strip().lower() in NO_VALUE


def maybe_missing(name: str, column: Texts, text: str) -> Finding:
    """Report a category that may mean missing."""
    return Finding(
        name,
        "maybe missing",
        f"Column {name!r} has the value {quoted(text)} in "
        f"{rows_text(column.rows_with([text]))}; it is kept as a value.",
        "Treat it as missing if it says no more than that.",
        "note",
        (treat_as_missing(text),),
    )


def _codes_finding(name: str, column: Texts, codes: tuple[str, ...]) -> Finding:
    """Ask about numbers among words that may be codes for missing."""
    return Finding(
        name,
        "maybe missing",
        f"Column {name!r} has {listed(codes)} among its other values in "
        f"{rows_text(column.rows_with(codes))}, which may be a code for 'not known'.",
        "Treat it as missing, unless it says something itself.",
        "warning",
        (treat_as_missing(*codes),),
    )


def _as_one(written: Sequence[Sequence[str]]) -> str:
    """Name what is joined, as far as that fits on a button.

    >>> _as_one([["Yes", "yes"]]), _as_one([["Yes", "yes"], ["NO", "no"]])
    ("Read 'Yes' and 'yes' as one", "Read 'Yes' and 'yes' as one, and others alike")
    """
    first = written[0][:2]
    if max(map(len, first)) > _LONGEST_ON_BUTTON:
        return "Read such spellings as one"
    more = ", and others alike" if len(written) > 1 or len(written[0]) > len(first) else ""
    return f"Read {listed([repr(text) for text in first])} as one{more}"


def asks_to_join(note: str, name: str) -> bool:
    """Whether a note asks if values of a column are one in several words.

    >>> note = "Column 'ill' has values that seem to say the same: 'y' and 'yes'."
    >>> asks_to_join(note, "ill"), asks_to_join(note, "smoker")
    (True, False)
    """
    return note.startswith(as_people_read(f"Column {name!r} has values that {_SAY_THE_SAME}"))


def asks_if_value(note: str, name: str) -> bool:
    """Whether a note asks if a category of a column means missing."""
    return note.startswith(as_people_read(f"Column {name!r} has the value "))


def _variants_finding(name: str, column: Texts) -> Finding:
    """Report values that differ only in case and spaces, or seem to say the same."""
    variants: dict[str, list[str]] = {}
    for text in column.categories:
        variants.setdefault(column.join_keys[text], []).append(text)
    most = max(variants.values(), key=len)
    others = [texts for texts in variants.values() if len(texts) > 1 and texts is not most]
    differ = "differ only in case or spaces"
    if len({folded(text) for text in most}) > 1:
        differ = _SAY_THE_SAME
    return Finding(
        name,
        VARIANTS,
        f"Column {name!r} has values that {differ}: {_groups([most, *others])}.",
        "Join them if they mean the same.",
        "warning",
        (Fix(_as_one([most, *others]), "join", name),),
    )


def _groups(written: Sequence[Sequence[str]]) -> str:
    """List spellings of several values; of many the first.

    >>> _groups([["m", "male"], ["w", "female"]])
    "'m' and 'male'; 'w' and 'female'"
    """
    shown = [listed([repr(text) for text in texts[:4]]) for texts in written[:_MOST_GROUPS]]
    return "; ".join(shown) + ("; and others" if len(written) > _MOST_GROUPS else "")


def without_units(name: str, units: Sequence[str]) -> Finding:
    """Repeat that somebody let numbers be read without their units, with the way back."""
    shown = listed([repr(unit) for unit in units])
    return Finding(
        name,
        "said",
        f"Numbers of column {name!r} are read without their units ({shown}), as if they were one.",
        fixes=(Fix("Take it back", "take back", f"{OF_TYPE} {name}"),),
    )


def said_findings(
    options: ReadOptions, columns: Mapping[str, RawColumn] | None = None
) -> tuple[Finding, ...]:
    """Repeat what was said about cells, each with the way back.

    Parameters
    ----------
    columns : the columns as they are written, which tell how many cells become missing
    """
    said = [
        (
            column,
            f"{quoted(text)} means missing in column {column!r}"
            f"{_in_rows((columns or {}).get(column), text)}.",
            f"missing_in {text}",
        )
        for column, texts in options.missing_in.items()
        for text in texts
    ]
    said += [
        (name, _said_of_joined(name, (columns or {}).get(name)), f"join_values {name}")
        for name in options.join_values
    ]
    said += [
        (name, sentence.format(repr(name)), f"{option} {name}")
        for option, sentence in _SAID_OF_COLUMNS.items()
        for name in getattr(options, option)
    ]
    said += [
        (name, f"Column {name!r} is used as the days to {to!r}.", f"days_to {to}")
        for name, to in options.days_to.items()
    ]
    findings = [
        Finding(column, "said", sentence, fixes=(Fix("Take it back", "take back", value),))
        for column, sentence, value in said
    ]
    for habit in options.as_written:
        fix = Fix("Take it back", "take back", f"as_written {habit}")
        findings.append(Finding(None, "said", _AS_WRITTEN[habit], fixes=(fix,)))
    if options.header_lines != 1:
        said_of_names = f"The names of the columns are joined from {options.header_lines} lines."
        if options.header_lines == 0:
            said_of_names = "No line names the columns; they are numbered."
        fix = Fix("Take one line of names", "take back", "header_lines 1")
        findings.append(Finding(None, "said", said_of_names, fixes=(fix,)))
    if options.table is not None:
        fix = Fix("Read all tables as one", "take back", "table all")
        sentence = f"Table {options.table} of several is read."
        findings.append(Finding(None, "said", sentence, fixes=(fix,)))
    if options.date_order is not None:
        sentence = f"Dates like 3/4/2020 are read with the {options.date_order} first."
        fix = Fix("Take it back", "take back", "date_order said")
        findings.append(Finding(None, "said", sentence, fixes=(fix,)))
    return tuple(findings)


def _said_of_joined(name: str, column: RawColumn | None) -> str:
    """Repeat that values are joined, with some of them: other words rather than other cases."""
    alike: dict[str, list[str]] = {}
    ranges = list(typed_ranges(column.texts).items()) if isinstance(column, Texts) else []
    for text, key in column.as_texts().join_keys.items() if isinstance(column, Texts) else ():
        alike.setdefault(key, []).append(text)
    most = max(alike.values(), key=lambda t: (len(set(map(folded, t))) > 1, len(t)), default=[])
    if ranges and len(most) == 1:
        return f"Column {name!r} is read with ranges in place of dates, {said_as(ranges)}."
    shown = f": {listed([repr(text) for text in most[:4]])}" if len(most) > 1 else ""
    others = list(column.joined()[1].items()) if isinstance(column, Texts) and not ranges else []
    if others:
        pairs = [f"{text!r} as {to!r}" for text, to in others]
        shown = f": {listed(pairs[:_MOST_PAIRS] + ['others'] * (len(pairs) > _MOST_PAIRS))}"
    is_plain = all(plainly_alike(texts) == [texts] for texts in alike.values() if len(texts) > 1)
    how = "over case and spaces" if is_plain else "where they seem to say the same"
    and_ranges = f"; dates are read as ranges, {said_as(ranges)}" if ranges else ""
    return f"Values of column {name!r} are joined {how}{shown}{and_ranges}."


def _in_rows(column: RawColumn | None, text: str) -> str:
    """Say how many filled cells of a column a text makes missing."""
    n_rows = 0 if column is None else int((column.without([text]).missing & ~column.missing).sum())
    return f" ({rows_text(n_rows)})" if n_rows else ""


def listed(words: Sequence[str]) -> str:
    """List words as a sentence does.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
