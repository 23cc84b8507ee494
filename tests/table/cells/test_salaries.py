"""Salaries that several people have typed are one number, in later tables too."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_table import read_rows, read_table
from tests.table.tiny_table import csv


def table(cells: list[str]) -> tuple[str, bytes]:
    return csv("pay;x;y", *(f"{c};{n % 7};{'ab'[n % 2]}" for n, c in enumerate(cells)))


def salaries(n_rows: int = 120) -> list[str]:
    ways = ["{}k", "€{},000", "{}.000 EUR"]
    plain = [ways[n % 3].format(35 + n % 40) for n in range(n_rows)]
    return [f"{30 + n % 40}-{35 + n % 40}k" if n % 4 == 3 else c for n, c in enumerate(plain)]


def test_every_way_is_read_told_and_taken_back() -> None:
    cells = salaries()
    data = read_table(table(cells))
    expected = [32500 + n % 40 * 1000 if n % 4 == 3 else 35000 + n % 40 * 1000 for n in range(120)]
    np.testing.assert_array_equal(data.values[:, 0], expected)
    (told,) = inspect_table(table(cells)).column("pay").findings
    assert "'35k' is 35000" in told.sentence
    assert "'33-38k' is 35500" in told.sentence
    assert [(fix.setting, fix.value) for fix in told.fixes] == [("type", "nominal")]


def test_a_later_table_is_read_alike() -> None:
    data = read_table(table(salaries()))
    later = csv("pay;x", "61.000 EUR;1", "38-43k;1", "€57,000;1", "46k;1", "52000;1", "7 kg;1")
    rows, _ = read_rows(later, data.schema)
    np.testing.assert_array_equal(rows.values[:5, 0], [61000, 40500, 57000, 46000, 52000])
    assert not rows.values[5, 0] > 0


@pytest.mark.parametrize(
    "ways",
    [
        ["€20-30k", "€30-40k", "€40-50k", "€50k"],
        [f"{n}{way}" for n in range(40, 50) for way in ("k", ".000 EUR", ",000 USD")],
        [f"{n} K" for n in range(270, 290)] + ["290-300 K"],
    ],
    ids=["brackets", "two currencies", "kelvin"],
)
def test_what_is_something_else_is_not_read_so(ways: list[str]) -> None:
    column = inspect_table(table([ways[n % len(ways)] for n in range(120)])).column("pay")
    assert not any("is 4" in found.sentence for found in column.findings)
    assert not any("thousands in short" in found.sentence for found in column.findings)
