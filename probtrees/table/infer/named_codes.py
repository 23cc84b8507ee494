"""Numbers under the name of a code, a version, or of what has names: religions, wards, stores.

They name and do not measure, though a tree would ask whether the code is at most 4719. Whether they
are rather categories, a person must say, unless a file has labels for all but a stray code: 1
Germany, 2 Austria, 3 Switzerland, and some rows with 9. Labels at the ends of a scale are another
thing: there the values without a label lie between labelled ones, and are amounts.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import Numbers, RawTable, Texts
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.cells.value_labels import ValueLabels, number_of
from probtrees.table.infer.coded_missing import says_missing
from probtrees.table.infer.column_names.numbered_kinds import numbered_kind
from probtrees.table.infer.identifying_numbers import may_name_rows, numbered
from probtrees.table.infer.recognise_numbers import IGNORE, Recognised
from probtrees.table.infer.text_habits import listed, missing_option, treat_as_missing
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding, Fix
from probtrees.types import FloatArray
from probtrees.words import quoted, rows_text

_CALLED = re.compile(
    r"(^|[\W_])((?!post|zip|bar)\w*code|codes|\w*kode|código|codigo|codice|\w*kod|код|"
    r"コード|代码|代碼|ö?nace|wz ?(03|08|2008|2025)?|ateco|pkd|naf|sic|naics|cnae|isco|"
    r"icd[- ]?(9|10)?|drg|mcc|kst|kostenstelle|cost ?cent(er|re)|fips|ags|bukr|buchungskreis|"
    r"(sach|gegen|haupt)?konto|gl ?account|ledger|vorwahl|area ?code|dewey|ddc|gtin|ean|upc|"
    r"hs|hts|taric|bfs-?nr|gemeinde-?nr|bwa|bwart|bewegungsart|belegart|\w*schl(ü|ue)ssel|"
    r"\w*kennziffer|warengruppe|materialgruppe|mandant|lagerort|material ?group|movement ?type|"
    r"storage ?location|profit ?cent(er|re))($|[\W_\d])",
    re.I,
)
_HIGH_SENSITIVITY = re.compile(r"crp|trop|tn", re.I)
"""hsTnT and hs-CRP are measured; HS alone are codes of goods."""
_VERSIONS = re.compile(r"(^|[\W_])(version|release|firmware|build)($|[\W_])", re.I)
_KINDS = re.compile(
    r"(^|[\W_])(bundesland|kanton(s?nr)?|"
    r"canton|province|provinz|provincia|region|región|région|regione|county|country|land|pays|país|"
    r"department|dept|abteilung|fachabteilung|station|"
    r"ward|room|zimmer|raum|store|shop|filiale|branch|machine|maschine|teacher|lehrer|operator|"
    r"supplier|lieferant|vendor|carrier|colou?r|farbe|category|kategorie|catégorie|categoría)"
    r"($|[\W_])",
    re.I,
)
"""What has names, which somebody numbered."""
_PEOPLE = re.compile(
    r"(^|[\W_])(race|ethnic(ity)?|religion|konfession|nationality|nationalität|marital|"
    r"(marital|civil)[ _]?status|familienstand|fam[\W_]{0,2}stand|état[ _]civil|estado[ _]civil|"
    r"stan[ _]cywilny|stato[ _]civile|burgerlijke[ _]staat|civilstånd|occupation|profession|"
    r"professione|profesión|profissão|zawód|beruf|berufsgruppe|industry|branche|branża|rechtsform|"
    r"legal[ _]form|forma[ _](giuridica|prawna|jurídica)|forme[ _]juridique|"
    r"cluster(?=[\W\d_]*$))($|[\W_])",
    re.I,
)
"""The same of people, firms and what they are sorted into; few of them are asked about in sight."""
_GRADED = re.compile(
    r"severity|grade|risk|risiko|score|level|stage|rank|rating|priorit|triage|alters?|schwere|"
    r"stufe|urgen|size|größe|(^|[\W_])age",
    re.I,
)
"""Codes of one digit under such a name may be more or less of something."""
_COUNTED = re.compile(
    r"(^|[\W_])(n|no|num|number|anzahl|count|total|mean|rate|index|size|"
    r"years?|yrs?|months?|jahre?|monate|lata|anni|años|anos|ans)($|[\W_])"
)
_FEWEST, _MOST = 3, 1000
_LEAST = 10.0
"""Codes of one digit may be grades."""
_MANY = 20
"""More districts or machines than this are rather those whose rows belong together."""
_FEWEST_LABELLED, _STRAY_SHARE = 2, 0.1
"""So many codes must have labels, and at most this share of the rows may have none."""


def is_called_code(name: str) -> bool:
    """Whether a column is named like codes, versions, or what has names.

    >>> is_called_code("NACE code"), is_called_code("Betrag")
    (True, False)
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return _says_code(name) or any(
        pattern.search(split) for pattern in (_VERSIONS, _KINDS, _PEOPLE)
    )


def _says_code(name: str) -> bool:
    """Whether a name says that numbers are codes.

    >>> _says_code("HS code"), _says_code("hsTnT"), _says_code("BuKr")
    (True, False, True)
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    found = _CALLED.search(split) or _CALLED.search(name)  # Product Code; BuKr is one word
    of_lab = found is not None and found[2].lower() == "hs" and _HIGH_SENSITIVITY.search(name)
    return found is not None and not of_lab


def ask_about_codes(name: str, found: Recognised) -> Recognised:
    """Ask whether numbers are codes where their name says so.

    >>> codes = Recognised(Numbers(np.array([4711.0, 4719.0, 6201.0] * 9)), "numeric")
    >>> [len(ask_about_codes(n, codes).findings) for n in ("NACE code", "encoded", "Bundesland")]
    [1, 0, 1]
    >>> [len(ask_about_codes(n, codes).findings) for n in ("Bus-Nr.", "buses", "ligne")]
    [1, 0, 1]
    """
    column = found.column
    if found.type != "numeric" or not isinstance(column, Numbers):
        return found
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    is_code = _says_code(name)
    is_version = _VERSIONS.search(split) is not None
    is_counted = _COUNTED.search(split.lower()) is not None
    of_people = _PEOPLE.search(split) is not None and not is_counted
    is_kind = of_people or (_KINDS.search(split) is not None and not is_counted)
    thing, kind = numbered(name), numbered_kind(name)
    if not (is_code or is_version or is_kind or thing or kind):
        return _ask_about_names(name, found, column)
    known = np.unique(column.values[~np.isnan(column.values)])
    n_rows = int((~np.isnan(column.values)).sum())
    if not _FEWEST <= len(known) <= min(_MOST, n_rows // 2) or known[0] < 0:
        return found
    kind = kind if kind is not None and kind.fits(known) else None
    is_kind = is_kind or kind is not None
    is_code = is_code and (bool(kind) or known[-1] >= _LEAST or _codes_of_a_sort(split, known))
    thing = thing if kind or known[-1] >= _LEAST else ""
    if not (is_code or is_version or is_kind or thing):
        return found
    if (is_kind or thing) and (known % 1).any():
        return found
    called = "which its name calls codes" if is_code else "which its name calls versions"
    called = called if is_code or is_version else "which say which one it is, by its name"
    called = f"which its name calls numbers of a {thing}" if thing else called
    fixes = [Fix("Treat as categories", "type", "nominal")]
    are_sorts = of_people or (kind is not None and not kind.has_rows)
    are_few = are_sorts and len(known) <= _MANY
    are_many = kind is not None and kind.has_rows and not thing and len(known) > _MANY
    if are_many:
        fixes.append(Fix(f"Keep rows of one {name!r} together", "role", "group"))
    finding = Finding(
        name,
        "codes",
        f"Column {name!r} holds {len(known):,} different numbers ({spell(known[0])} to "
        f"{spell(known[-1])}), {called}; they are read as amounts.",
        "Treat them as categories if a larger one is not more of something.",
        "warning" if is_code or is_version or thing or are_few or are_many else "note",
        tuple(fixes),
    )
    return replace(found, findings=(*found.findings, finding))


def _codes_of_a_sort(name: str, known: FloatArray) -> bool:
    """Whether codes of one digit have a name that says what they are codes of, and no grade.

    >>> [_codes_of_a_sort(n, np.arange(4)) for n in ("Produktcode", "code", "severity code")]
    [True, False, False]
    """
    alone = len(re.sub(r"[\W\d_]", "", name)) <= len("código")
    return not (alone or _GRADED.search(name) or (known % 1).any())


def _ask_about_names(name: str, found: Recognised, column: Numbers) -> Recognised:
    """Ask whether numbers that are never the same name the rows, where their name is silent."""
    if column.declared or found.findings or not may_name_rows(name, column.values):
        return found
    finding = Finding(
        name,
        "maybe identifier",
        f"Column {name!r} holds another number of {len(spell(column.values[0]))} digits in each "
        "row: is it the number of a patient or case, and no amount?",
        "Give it the role 'ignore' if it names the rows.",
        "warning",
        (IGNORE,),
    )
    return replace(found, findings=(finding,))


def with_value_labels(
    raw: RawTable, options: ReadOptions, target: str | None
) -> tuple[Finding, ...]:
    """Read numbers by the labels that a file has for them, where they name and do not measure.

    So it is where somebody says that they are categories, where all have labels once others are
    missing, and where those without a label are stray codes beyond the labelled ones. Return what
    is to be said of columns that have labels for some of their values.
    """
    is_cut = options.bin_target is not None or options.cut_target is not None
    findings = []
    for name, labels in raw.value_labels.items():
        column, kind = raw.columns.get(name), options.types.get(name)
        if not isinstance(column, Numbers) or not labels:
            continue
        of_code = {n: label for code, label in labels if (n := number_of(code)) is not None}
        known = np.unique(column.values[~np.isnan(column.values)])
        bare = [spell(float(value)) for value in known if value not in of_code]
        is_named = kind in ("nominal", "boolean") or _are_names(column.values, labels)
        is_amount = kind == "numeric" or (name == target and is_cut)
        if len(known) and is_named and not is_amount:
            missing = options.missing_for(name)
            raw.columns[name] = _by_labels(column, of_code).without(missing)
            findings += [_stray_codes(name, column, bare, is_asked=kind is None)] if bare else []
        elif bare:
            sentence = f"Only some values of column {name!r} have labels; it is read as it is coded"
            findings.append(Finding(None, "reading", f"{sentence}."))
    return tuple(findings)


def _stray_codes(name: str, column: Numbers, codes: list[str], *, is_asked: bool) -> Finding:
    """Say which values of a column that is read by its labels have none, and ask about them."""
    n_rows = int(np.isin(column.values, list(map(float, codes))).sum())
    them = "it" if len(codes) == 1 else "them"
    have = "has none and stays as it is" if len(codes) == 1 else "have none and stay as they are"
    return Finding(
        name,
        "maybe missing" if is_asked else "reading",
        f"Column {name!r} is read by its labels; {listed(list(map(quoted, codes)))}, in "
        f"{rows_text(n_rows)}, {have}.",
        f"Treat {them} as missing if that is 'not known' ({missing_option(name, *codes)})."
        if is_asked
        else "",
        "warning" if is_asked else "note",
        (treat_as_missing(*codes),) if is_asked else (),
    )


def _are_names(values: FloatArray, labels: ValueLabels) -> bool:
    """Whether all codes but a few stray ones beyond the others have labels that are no numbers.

    >>> land = (("1", "Germany"), ("2", "Austria"), ("3", "Switzerland"))
    >>> _are_names(np.array([1.0, 2, 3] * 9 + [9]), land)
    True
    >>> _are_names(np.array([1.0, 2, 3, 4, 5]), (("1", "bad"), ("5", "good"), ("9", "no answer")))
    False
    """
    of_code = {n: label for code, label in labels if (n := number_of(code)) is not None}
    known = values[~np.isnan(values)]
    stray = known[~np.isin(known, list(of_code))]
    answers = [
        n for n, label in of_code.items() if not says_missing(label) and bool((known == n).any())
    ]
    is_told = len(answers) >= _FEWEST_LABELLED and all(
        number_of(label) is None for label in of_code.values()
    )
    if not is_told or len(stray) > _STRAY_SHARE * len(known):
        return False
    beyond = (stray < min(answers)) | (stray > max(answers))
    return bool(beyond.all()) and len(np.unique(stray)) < len(answers)


def _by_labels(column: Numbers, of_code: dict[float, str]) -> Texts:
    """Put labels in place of numbers, in the order of these; numbers without one are spelled."""
    found, places = np.unique(column.values, return_inverse=True)
    spelled = [of_code.get(value, spell(value)) for value in found[~np.isnan(found)].tolist()]
    distinct = list(dict.fromkeys(spelled))
    code = np.array([*map(distinct.index, spelled), -1], dtype=np.int32)
    return Texts.of(code[np.minimum(places, len(spelled))], distinct, declared=True)
