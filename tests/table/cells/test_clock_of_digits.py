"""Four digits as clock times, and what stands for no date among dates of eight digits."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import ProbTreesWarning
from probtrees.table.dataset import Schema
from probtrees.table.read_table import read_rows, read_table

_TIMES = [f"{6 + n % 4:02d}{n * 7 % 60:02d}" for n in range(90)]


def _table(cells: list[str]) -> tuple[str, bytes]:
    lines = [f"{n * 5 % 8},{cell},{'yn'[n * 3 % 11 > 4]}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join(["x,c,y", *lines]).encode()


def test_four_digits_are_clock_times_in_later_tables_too() -> None:
    data = read_table(_table(_TIMES))
    expected = [6 + n % 4 + n * 7 % 60 / 60 for n in range(90)]
    np.testing.assert_allclose(data.values[:, 1], expected)
    schema = Schema.from_dict(data.schema.to_dict())
    for later in (["0630", "7:15", "2359"], ["630", "715", "2359"]):
        rows, problems = read_rows(_table(later), schema)
        np.testing.assert_allclose(rows.values[:, 1], [6.5, 7.25, 23 + 59 / 60])
        assert not problems


@pytest.mark.parametrize(
    "cells",
    [
        [f"{n:04d}" for n in range(1, 60)],
        [f"{n * 37 % 2400:04d}" for n in range(60)],
        [*_TIMES, "2460"],
    ],
)
def test_other_codes_of_four_digits_stay_texts(cells: list[str]) -> None:
    assert inspect_table(_table(cells * 3)).column("c").type != "numeric"


def test_nines_among_dates_of_eight_digits_are_missing_and_said() -> None:
    cells = [f"2019{n % 12 + 1:02d}{n % 28 + 1:02d}" for n in range(80)] + ["99999999"] * 5
    found = inspect_table(_table(cells)).column("c")
    assert (found.type, found.n_missing) == ("date", 5)
    (said,) = (f for f in found.findings if f.kind == "few words")
    assert "'99999999' in 5 of 85 cells" in said.sentence
    assert [fix.setting for fix in said.fixes] == ["keep_words"]
    assert inspect_table(_table(cells), keep_words=["c"]).column("c").type != "date"
    with pytest.warns(ProbTreesWarning, match="99999999"):
        data = read_table(_table(cells), roles={"c": "feature"})
    later, _ = read_rows(_table(["99999999", "20200101"]), data.schema)
    assert np.isnan(later.values[:, 1]).tolist() == [True, False]


def test_zeros_among_other_numbers_are_no_dates() -> None:
    cells = [str(n * 977_777 % 5_000_000) for n in range(80)] + ["0"] * 5
    assert inspect_table(_table(cells)).column("c").n_missing == 0


def test_eight_zeros_are_no_date_among_dates_but_an_amount_among_amounts() -> None:
    days = [f"2023{1 + n % 12:02d}{1 + n % 28:02d}" if n % 9 else "00000000" for n in range(90)]
    report = inspect_table(_table(days))
    assert report.column("c").type == "date"
    assert report.column("c").n_missing == days.count("00000000")
    amounts = [f"{n * n * 7 % 5000:08d}" if n % 9 else "00000000" for n in range(90)]
    assert inspect_table(_table(amounts)).column("c").n_missing == 0
    data = read_table(_table(amounts), types={"c": "numeric"})
    assert not np.isnan(data.values).any()
