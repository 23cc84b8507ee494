"""Words for "no value" in many languages, and codes that names of columns declare."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from tests.table.tiny_table import csv

WORDS = (
    *("ND", "b.d.", "n.d.", "n.b.", "bd", "no data", "s/d", "sin dato", "нет", "н/д", "无", "不明"),
    *(
        "未記入",
        "brak",
        "puuttuu",
        "ukjent",
        "okänd",
        "k. A.",
        "#N/A",
        "#DIV/0!",
        "#VALUE!",
        "#REF!",
    ),
)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_among_numbers_or_dates_is_missing(word: str) -> None:
    rows = [f"{n}.5,2024-01-{n + 10},{'ab'[n % 2]}" for n in range(12)]
    rows += [f"{word},{word},a", "7.25,2024-03-01,b"]
    data = read_table(csv("x,day,y", *rows), roles={"day": "feature"})
    assert np.flatnonzero(np.isnan(data.values[:, 0])).tolist() == [12]
    assert np.flatnonzero(np.isnan(data.values[:, 1])).tolist() == [12]
    assert any(word in note for note in data.provenance.notes)
    later = read_table(csv("x,day", f"{word},{word}", "1,2024-01-01"), schema=data.schema)
    assert np.isnan(later.values[0, :2]).all()


def test_among_categories_it_is_a_value_and_offered() -> None:
    rows = [f"{place},{'ab'[n % 2]}" for n, place in enumerate(["Oslo", "Bergen", "ukjent"] * 6)]
    report = inspect_table(csv("place,y", *rows))
    found = next(f for f in report.column("place").findings if f.kind == "maybe missing")
    assert "'ukjent'" in found.sentence
    assert report.column("place").n_missing == 0


def test_a_word_for_no_is_not_offered_among_answers() -> None:
    rows = [f"{word},{'ab'[n % 3 % 2]}" for n, word in enumerate(["есть", "нет", "редко"] * 6)]
    report = inspect_table(csv("x,y", *rows))
    assert not [f for f in report.column("x").findings if f.kind == "maybe missing"]


@pytest.mark.parametrize(
    ("name", "code"),
    [("smoker (9=n/a)", "9"), ("score (-9 = missing)", "-9"), ("grade [1=low; 3=unknown]", "3")],
)
def test_a_code_that_the_name_declares_is_offered(name: str, code: str) -> None:
    rows = [f"{cell},{'ab'[n % 2]}" for n, cell in enumerate(["1", "2", code, "1"] * 6)]
    content = csv(f'"{name}",y', *rows)
    found = next(f for f in inspect_table(content).column(name).findings if f.fixes)
    assert f"names {code} as a code for missing, which 6 rows hold" in found.sentence
    fix = found.fixes[0]
    said = ReadOptions().with_fix(name, fix.setting, fix.value).arguments
    assert np.isnan(read_table(content, **said).values[:, 0]).sum() == 6
