"""Marks that are read as missing in one column are so among the numbers of another."""

from pathlib import Path

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import ProbTreesWarning
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table
from tests.table.tiny_table import csv

N = 150


def table(mark: str) -> tuple[str, bytes]:
    """Give one column few marks, and two others marks that do not tell by themselves."""
    rows = []
    for n in range(N):
        crp = mark if n % 13 == 0 else f"{n * 37 % 149 / 10}"
        grade = mark if n % 11 == 0 else f"{n * 7 % 4}"
        albumin = mark if n % 2 == 0 else f"{n * 41 % 139 / 10}"
        rows.append(f"{crp};{grade};{albumin};{'ab'[n // 8 % 2]}")
    return csv("crp;grade;albumin;y", *rows)


@pytest.mark.parametrize("mark", ["NC", "o.B.", "NK"])
def test_marks_among_numbers_are_missing_as_in_another_column(mark: str) -> None:
    report = inspect_table(table(mark))
    for name in ("crp", "grade", "albumin"):
        column = report.column(name)
        assert (column.type, column.role) == ("numeric", "feature")
        told = [f for f in column.findings if f.kind == "few words"]
        assert len(told) == 1
        assert repr(mark) in told[0].sentence
    assert ", as in column " in report.column("albumin").findings[-1].sentence
    with pytest.warns(ProbTreesWarning, match="read as missing"):
        data = read_table(table(mark))
    assert np.isnan(data.values[::2, 2]).all()
    assert not np.isnan(data.values[1::2, 2]).any()
    rows, problems = read_rows(csv("crp;grade;albumin", f"1;2;{mark}", "1;2;3"), data.schema)
    assert not problems
    np.testing.assert_array_equal(rows.values[:, 2], [np.nan, 3])


def test_one_click_keeps_them() -> None:
    fix = inspect_table(table("NC")).column("albumin").findings[-1].fixes[0]
    said = ReadOptions().with_fix("albumin", fix.setting, fix.value)
    report = inspect_table(table("NC"), **said.arguments)
    assert report.column("albumin").type == "nominal"
    assert report.column("grade").type == "numeric"


@pytest.mark.parametrize("word", ["low", "LOW", "neg", "nb"])
def test_words_that_may_tell_something_are_asked_about(word: str) -> None:
    column = inspect_table(table(word)).column("albumin")
    assert column.type == "nominal"
    assert any(f.kind.startswith("mixed") for f in column.findings)


def test_marks_of_this_column_alone_are_asked_about() -> None:
    cells = [f"{n % 7};{'NC' if n % 2 == 0 else n * 41 % 139};{'ab'[n // 8 % 2]}" for n in range(N)]
    assert inspect_table(csv("x;albumin;y", *cells)).column("albumin").type == "nominal"


def test_chunks_read_them_alike(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(table("NC")[1])
    chunks = open_chunks(tmp_path / "t.csv")
    assert [c.categories is None for c in chunks.schema.features] == [True, True, True]
    assert any("as in column 'crp'" in note for note in chunks.provenance.notes)
