"""Clock times and durations as clocks show them: 14:30, 0:45:36, 2:05 PM, 14h30."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import flags, floats, mask_array, text_array
from probtrees.types import FloatArray

_CLOCK = (
    r"^(?P<hours>\d{1,4})[:hH](?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d(?:\.\d+)?))?"
    r"(?:\s?(?P<half>[AaPp])\.?[Mm]\.?|\s?(?:h|Uhr))?$"
)
(_NOTHING,) = text_array([""])
"""An empty text as Arrow has it: given a plain one its functions would import pandas."""


def may_be_clock(texts: pa.StringArray, unread: NDArray[np.bool_]) -> bool:
    """Whether the first text that is no plain number is a clock time."""
    first = int(unread.argmax()) if unread.any() else -1
    return first >= 0 and re.match(_CLOCK, texts[first].as_py()) is not None


def read_clock(texts: pa.StringArray) -> FloatArray:
    """Read clock times and durations as hours; NaN where a text is none.

    >>> read_clock(text_array(["14:30", "0:45:36", "12:15 AM", "1:30 pm", "14h30", "9"])).tolist()
    [14.5, 0.76, 0.25, 13.5, 14.5, nan]
    """
    parts = pc.extract_regex(texts, _CLOCK)
    hours = np.full(len(texts), np.nan)
    found = flags(pc.is_valid(parts))
    if not found.any():
        return hours
    written = {
        name: pc.coalesce(pc.struct_field(parts, name), _NOTHING).filter(mask_array(found))
        for name in ("hours", "minutes", "seconds", "half")
    }
    number = {
        name: floats(pc.cast(pc.if_else(pc.equal(written[name], ""), "0", written[name]), "double"))
        for name in ("hours", "minutes", "seconds")
    }
    half = pc.utf8_lower(written["half"])
    whole = np.where(flags(pc.not_equal(half, "")), number["hours"] % 12, number["hours"])
    whole += 12 * flags(pc.equal(half, "p"))
    hours[found] = whole + (60 * number["minutes"] + number["seconds"]) / 3600
    return hours
