"""A table of three columns and four rows, spelled out, and what must be read from it."""

from __future__ import annotations

import numpy as np

from probtrees.table.read_table import read_table


def csv(*lines: str, name: str = "table.csv") -> tuple[str, bytes]:
    return name, "\n".join(lines).encode()


TINY = ("size,colour,kind", "1,red,a", "2.5,blue,b", ",red,a", "4,,b")
TINY_VALUES = [[1, 1, 0], [2.5, 0, 1], [np.nan, 1, 0], [4, np.nan, 1]]


def check_tiny(source: object, **options: object) -> None:
    data = read_table(source, **options)  # type: ignore[arg-type]
    assert data.schema.names == ("size", "colour", "kind")
    assert data.schema.columns[1].categories == ("blue", "red")
    assert data.schema.classes == ("a", "b")
    np.testing.assert_array_equal(data.values, TINY_VALUES)
    assert data.values.flags.c_contiguous
