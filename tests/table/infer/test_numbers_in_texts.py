"""Numbers that are taken from texts are asked about as plain ones are."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table


def _table(cells: list[str]) -> tuple[str, bytes]:
    lines = [f"{n % 7}\t{cell}\t{'yn'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return "t.tsv", "\n".join(["x\tdelay\ty", *lines]).encode()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", ["999", "999 min"])
def test_codes_among_numbers_taken_from_texts_are_asked_about(code: str) -> None:
    table = _table([code if n % 9 == 0 else f"{n % 40} min" for n in range(180)] + ["NSP"] * 20)
    found = inspect_table(table, numbers_in=["delay"]).column("delay").findings
    (asked,) = (f for f in found if f.kind == "maybe missing")
    assert "holds 999 in 20 rows" in asked.sentence
    (fix,) = asked.fixes
    assert fix.value == code
    reading = ReadOptions(numbers_in=("delay",)).with_fix("delay", fix.setting, fix.value)
    values = read_table(table, **reading.arguments).values[:, 1]
    assert np.isnan(values).sum() == 40
    assert np.nanmax(values) == 39
