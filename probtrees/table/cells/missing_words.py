"""Words for "no value" of many languages and programs.

Among numbers or dates such a word is missing. Among categories it may be an answer: there it is
offered to be treated as missing, unless it also means "no" or "none".
"""

from __future__ import annotations

import re
from collections.abc import Collection

from probtrees.table.cells.arrow_arrays import LETTER

_DASHES = ("-", "--", "---", "–", "—", "−")
NOT_STATED = tuple(
    spelled
    for words in ("keine Angabe", "keine Angaben", "ohne Angabe", "k.a.", "k. a.")
    for spelled in dict.fromkeys(
        (words, words[0].upper() + words[1:], words.lower(), words.upper())
    )
)
"""What German forms write beside "k.A." where nothing was said; it says no more than that."""
_SIGNS = frozenset({"+", "++", "+++", "+/-", "+-", "±", "(+)"})
_GRADES = frozenset({"1+", "2+", "3+", "4+", "trace", "Spur"}) | {
    word for text in ("pos", "pos.", "positive", "positiv") for word in (text, text.title())
}
"""Findings of a test; where there are only such, a dash is the negative one."""

_UNKNOWN_WORDS = (
    r"unknown|unk\.?|undefined|refused|refusal|declined|no (answer|response|reply)|"
    r"(i(['’]d| would)? )?(prefer|rather) not( to)? (say|answer)|"
    r"(i )?do(n['’]?t| not) know|not sure|"
    r"(ich )?wei(ß|ss) (ich )?nicht|keine antwort|verweigert|-?9{2,4}|-9|-88|-77|"
    r"(je )?ne sa(it|is) pas|(sans|pas de) réponse|refusé?|no sabe|no contesta|ns ?/ ?nc|"
    r"non (so|sa|risponde)|não sabe|weet (ik )?niet|vet (inte|ej|ikke)|nie wiem|не знаю|"
    r"not (known|recorded|available|stated|applicable|yet|reached|assessed|reported|collected|"
    r"documented|specified|disclosed)|missing|(choose|chose|decline)d? (not )?to (say|answer)|"
    r"unable to (determine|assess|obtain|answer)|"
    r"lost to follow[- ]?up|t\.?b\.?[adc]\.?|to be (determined|announced|confirmed|done)|"
    r"pending|unbek(annt|\.)|keine angaben?|offen|"
    r"nicht (bekannt|erfasst|angegeben|erreicht|beurteilbar)|"
    r"inconnue?|desconocid[oa]s?|desconhecid[oa]|sconosciut[oa]|n(o|ão|on) consta|no se sabe|"
    r"se desconoce|ignorad[oa]|non not[oa]|nieznan[ye]|neznám[oýáé]|"
    r"non (renseigné|précisé|connu)e?|"
    r"(sin|no) especifica(r|do|da)|não especificad[oa]|#[A-Z][A-Z/0]{1,9}[!?]?"
)
UNKNOWN = re.compile(
    rf"(?:{_UNKNOWN_WORDS})(?: ?(?:/|,| or| oder| ou| o) ?(?:{_UNKNOWN_WORDS}))?", re.I
)
"""One word for what is not known, or two: Unknown / Not Reported. They may say something."""

_OF_PROGRAMS = (
    *(
        f"{before}{word}{behind}"
        for word in (
            "blank",
            "empty",
            "missing",
            "null",
            "no value",
            "leer",
            "unknown",
            "not set",
            "vide",
            "vuoto",
            "vacío",
            "en blanco",
            "em branco",
            "unbekannt",
        )
        for before, behind in ("()", "[]", "<>")
    ),
    *("not set", "--none--", "-- none --", "no data available", "no answer given"),
    *("please select", "- select -", "-- select --", "--select--", "-select-", "select one"),
    *("bitte wählen", "bitte auswählen", "-- bitte wählen --", "- bitte wählen -"),
    "#n/a field not applicable",
)
"""What programs write where nothing was chosen: HubSpot, Salesforce, Google Analytics, pivots."""

NO_VALUE = frozenset(
    (
        *("nd", "n.d", "n/d", "n.d.", "n. d.", "bd", "b.d", "b.d.", "b. d.", "b/d", "n.b.", "n.r."),
        *("n/r", "no data", "no value", "no info", "not done", "not measured", "not determined"),
        *("undetectable", "undetected", "not detectable", "indétectable", "indetectable"),
        *("not detected", "not tested", "not reported", "not provided", "not given", "not asked"),
        *("no result", "insufficient", "s/d", "s.d.", "sin dato", "sin datos", "sin información"),
        *("sem dados", "sem informação", "não informado", "no informado", "no disponible"),
        *(
            "non disponible",
            "non renseigné",
            "ne se prononce pas",
            "nsp",
            "n.s.p.",
            "nr",
            "n.c.",
            "non communiqué",
            "dato mancante",
            "n.p.",
        ),
        *("non disponibile", "non rilevato", "nicht gemessen", "nicht bestimmt", "n. best."),
        *("err", "error", "fehler", "erreur", "read error", "sensor error", "overflow", "ovfl"),
        *("<loq", "< loq", "<lod", "< lod", "<lloq", "< lloq", "<mdl", "bdl", "bql", "blq", "bloq"),
        *(
            "<ng",
            "< ng",
            "<bg",
            "< bg",
            "<nwg",
            "< nwg",
            "u.d.n.",
            "u. d. n.",
            "<ld",
            "< ld",
            "<lq",
        ),
        *("qns", "clotted", "hemolyzed", "haemolysed", "hemolysed", "hämolytisch", "no sample"),
        *("n.n.", "n. n.", "nicht nachweisbar", "nicht bestimmbar", "nicht auswertbar", "n.best."),
        *("probe fehlt", "kein material", "non déterminé", "no determinado", "non determinato"),
        *("#", "##", "*", "**", "***", "/", "//", "\\", ":", "..", "...", "…", "xx", "xxx"),
        *("nt", "n.t.", "n. t.", "n. erh.", "n.erh.", "n. gem.", "n.gem.", "n. gew.", "n.gew."),
        *("n.u.", "n. u.", "n.e.", "n. e.", "nicht untersucht", "nicht erhoben", "o.a.", "o. a."),
        *("fehlt", "fehlend", "entfällt", "onbekend", "niet bekend", "geen gegevens"),
        *("brak danych", "nie dotyczy", "neuvedeno", "není k dispozici", "nezjištěno", "neznámé"),
        *("nincs adat", "ismeretlen", "nu se aplică", "necunoscut", "nepoznato", "nema podataka"),
        *("puuttuu", "ei tietoa", "ei tiedossa", "ukjent", "ukendt", "okänd", "okänt", "saknas"),
        *("mangler", "ikke oppgitt", "ikke oplyst", "uppgift saknas", "teadmata", "nežinoma"),
        *("н/д", "нд", "н.д.", "н. д.", "нет данных", "неизвестно", "не указано", "не известно"),
        *("немає даних", "невідомо", "няма данни", "άγνωστο", "δ/υ", "μ/δ", "δεν απαντώ"),
        *("bilinmiyor", "veri yok", "belirtilmemiş", "לא ידוע", "אין נתונים", "غير معروف"),
        *("不明", "未知", "未填", "未記入", "未回答", "無回答", "無資料", "无数据", "暂无", "缺失"),
        *_OF_PROGRAMS,
        *("不详", "不詳", "該当なし", "なし(不明)", "모름", "무응답", "미상", "해당없음", "ไม่ทราบ"),
    )
)
"""Words that say no more than that there is no value, in lower case."""

NO_DATE = r"^(0000[-./]00[-./]00|00[-./]00[-./](00)?00)([ T]00:00(:00(\.0+)?)?)?$|^#{3,}$"
"""What databases and SAP write where there is no date (0000-00-00, 00.00.0000), and what a
spreadsheet shows where a number has no room: ####."""

NO_DAY = "00000000"
"""The same among dates of eight digits; among amounts filled up with zeros it is 0."""

NOT_DONE = (
    r"^(?:not|nicht|non|nie|niet|não|nao|ikke|inte|ej|не|nav|nem) "
    rf"{LETTER}{{3,}}\.?(?: {LETTER}+)?$|^\?{{2,}}$"
)
"""What says of a number that it was not taken ("not weighed", "nicht gewogen", "??"). "No pain" is
not meant: it may be 0."""

_NONE_OR_NO = frozenset(
    ("nan", '"nan"', "brak", "нет", "无", "無", "なし", "없음", "yok", "nema", "žádné", "nincs")
)

AMONG_NUMBERS = NO_VALUE | _NONE_OR_NO
"""The same, and words that also mean "no" or "none", which is no number either."""

_CODES = frozenset(("9", "99", "999", "9999", "-1", "-9", "-99", "-999", "-9999"))
_BESIDE_CODES = frozenset(("7", "8", "77", "88", "97", "98", "998", "-2", "-7", "-8", "-88", "-98"))
"""What people write beside them, for other reasons to know none."""
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")
_YES_AND_NO = ({"0", "1"}, {"1", "2"})


def codes_among(texts: Collection[str]) -> tuple[str, ...]:
    """Return the codes for "no value" among words, or among two numbers for yes and no.

    >>> codes_among(["yes", "no", "9"]), codes_among(["0", "1", "-1"]), codes_among(["7", "8", "9"])
    (('9',), ('-1',), ())
    """
    codes = _CODES.intersection(texts)
    if not codes:
        return ()
    others = set(texts) - codes - _BESIDE_CODES
    are_words = len(others) > 1 and not any(map(_NUMBER.fullmatch, others))
    if not are_words and others not in _YES_AND_NO:
        return ()
    return tuple(sorted((_CODES | _BESIDE_CODES).intersection(texts), key=float))


def dashes_among(texts: Collection[str]) -> tuple[str, ...]:
    """Return the dashes of a column that stand for missing values, and "keine Angabe".

    A dash beside a plus does not, nor beside grades of plus signs only: they make it a sign.

    >>> dashes_among(["-", "5"]), dashes_among(["-", "+"])
    (('-',), ())
    """
    others = set(texts).difference(_DASHES)
    is_sign = not _SIGNS.isdisjoint(others) or (others and _GRADES.issuperset(others))
    dashes = () if is_sign else _DASHES
    found = {*dashes, *NOT_STATED}.intersection(texts)
    return tuple(text for text in (*_DASHES, *NOT_STATED) if text in found)
