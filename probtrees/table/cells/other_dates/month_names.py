"""The names of months, in full or cut, by how they begin in many languages."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import codes, flags, text_array
from probtrees.types import FloatArray

_ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_BEGINNINGS = (
    "jän jae ene gen ian sty янв oca січ ιαν ינו",
    "fév fev lut фев şub лют φεβ פבר",
    "mär mrz mae maa мар már бер μαρ μάρ מרץ",
    "avr abr kwi апр nis ápr кві απρ אפר",
    "mai mag mei maj мая май máj тра μαι μαΐ μάι μαϊ מאי",
    "juin giu iun cze июн haz jún чер יונ",
    "juil lug iul lip июл tem júl лип יול",
    "aoû aou ago agu sie авг ağu сер αυγ αύγ אוג",
    "set wrz сен eyl sze вер σεπ ספט",
    "okt ott out paź окт eki жов οκτ אוק",
    "noi lis ноя kas лис νοε νοέ נוב",
    "dez déc dic des gru дек ara гру δεκ דצמ",
)
"""By month: German, French, Spanish, Italian, Portuguese, Dutch, Polish, Romanian, Russian,
Scandinavian languages, Turkish, Indonesian, Czech, Slovak, Hungarian, Ukrainian, Finnish, Greek
and Hebrew."""
_STARTS = {
    start: float(month)
    for month, starts in enumerate(_BEGINNINGS, start=1)
    for start in (*starts.split(), _ENGLISH[month - 1])
}
_LONGER = (
    ("ledn|leden|tammi", "jan"),
    ("únor|helmi", "feb"),
    ("břez", "mar"),
    ("dubn|duben|huhti", "apr"),
    ("květ|touko", "may"),
    ("června|červen$|kesäk|ιο[υύ]ν", "jun"),
    ("červenc|červenec|heinäk|ιο[υύ]λ", "jul"),
    ("srp|elok", "aug"),
    ("září|syysk", "sep"),
    ("říj|lokak", "oct"),
    ("marras", "nov"),
    ("prosin|jouluk", "dec"),
)
"""Where three letters are not enough, or begin many other words."""
_IN_HEBREW = "^ב[א-ת]{3}"
"""The "in" that stands before the name of a month."""
_ANY_LONGER = f"^(?:{'|'.join(beginnings for beginnings, _ in _LONGER)})|{_IN_HEBREW}"
_THAI = {
    name: _ENGLISH[month]
    for month, names in enumerate(
        (
            "มกราคม ม.ค.",
            "กุมภาพันธ์ ก.พ.",
            "มีนาคม มี.ค.",
            "เมษายน เม.ย.",
            "พฤษภาคม พ.ค.",
            "มิถุนายน มิ.ย.",
            "กรกฎาคม ก.ค.",
            "สิงหาคม ส.ค.",
            "กันยายน ก.ย.",
            "ตุลาคม ต.ค.",
            "พฤศจิกายน พ.ย.",
            "ธันวาคม ธ.ค.",
        )
    )
    for name in names.split()
}
_THAI_NAME = re.compile("|".join(map(re.escape, _THAI)))
_HAS_THAI = r"^\d{1,2} ?[\x{0E00}-\x{0E7F}]"


def month_of_names(names: pa.StringArray) -> FloatArray:
    """Read names of months, of which three letters count; four in French summers.

    >>> month_of_names(text_array(["März", "juillet", "července", "June", "x"])).tolist()
    [3.0, 7.0, 7.0, 6.0, nan]
    """
    names = pc.utf8_lower(names)
    starts = pc.utf8_slice_codeunits(names, 0, 3)
    starts = pc.if_else(pc.equal(starts, "jui"), pc.utf8_slice_codeunits(names, 0, 4), starts)
    if flags(pc.match_substring_regex(names, _ANY_LONGER)).any():
        for beginnings, start in _LONGER:
            starts = pc.if_else(
                pc.match_substring_regex(names, f"^(?:{beginnings})"), start, starts
            )
        within = pc.match_substring_regex(names, _IN_HEBREW)
        starts = pc.if_else(within, pc.utf8_slice_codeunits(names, 1, 4), starts)
    positions = codes(pc.index_in(starts, value_set=text_array(_STARTS)))
    return np.array([*_STARTS.values(), np.nan])[positions]


def with_latin_months(texts: pa.StringArray) -> pa.StringArray:
    """Write Thai months, whose short names have points within, in Latin letters.

    >>> with_latin_months(text_array(["5 มี.ค. 2567", "x"])).to_pylist()
    ['5 mar 2567', 'x']
    """
    if not flags(pc.match_substring_regex(texts, _HAS_THAI)).any():
        return texts
    named = (_THAI_NAME.sub(lambda found: _THAI[found[0]], text) for text in texts.to_pylist())
    return text_array(named)
