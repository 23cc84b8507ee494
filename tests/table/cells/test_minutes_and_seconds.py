"""Strokes are minutes and seconds where the second number cannot be inches."""

from __future__ import annotations

import numpy as np
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_table import read_table


def _table(cells: list[str]) -> tuple[str, bytes]:
    quoted = [cell.replace('"', '""') for cell in cells]
    lines = [f'{n % 7},"{cell}",{"yn"[n % 3 > 0]}' for n, cell in enumerate(quoted)]
    return "t.csv", "\n".join(["x,c,y", *lines]).encode()


def test_feet_and_inches_stay_feet() -> None:
    cells = [f"{4 + n % 3}'{n % 12}\"" for n in range(60)]
    data = read_table(_table(cells), numbers_in=["c"])
    np.testing.assert_allclose(data.values[:, 1], [4 + n % 3 + n % 12 / 12 for n in range(60)])
    assert data.schema.columns[1].unit == "ft"


def test_laps_among_other_texts_lose_none_of_their_cells() -> None:
    cells = [f"{2 + n % 3}'{n * 7 % 60:02d}\"" for n in range(60)] + ["fell (see 4/7)"] * 20
    report = inspect_table(_table(cells), numbers_in=["c"])
    assert report.column("c").n_missing == 20
    assert report.column("c").examples[0] == "2"
