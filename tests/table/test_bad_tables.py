"""Tables that cannot be used: one sentence each, saying what, where, and what to do."""

from __future__ import annotations

import gzip
import io
import os
import random
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from probtrees.errors import DataError, ProbTreesWarning
from probtrees.table.read_table import read_table

GOOD = [f"{n / 7:.3f},{'abc'[n % 3]},{'no' if n % 4 else 'yes'}" for n in range(40)]
NAMES = "x,g,y"
ARFF = ("@relation r", "@attribute a numeric", "@attribute b {u,v}", "@data")


def csv(*lines: str) -> tuple[str, bytes]:
    return "table.csv", "\n".join(lines).encode()


def arff(*lines: str) -> tuple[str, bytes]:
    return "table.arff", "\n".join(lines).encode()


def with_row(row: str) -> tuple[str, bytes]:
    return csv(NAMES, *GOOD, row)


def binary(size: int, first: int = 0) -> bytes:
    chooser = random.Random(0)
    return bytes(chooser.randrange(first, 256) for _ in range(size))


def parquet() -> bytes:
    file = io.BytesIO()
    pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}).to_parquet(file)
    return file.getvalue()


BAD: dict[str, tuple[Any, dict[str, Any], str]] = {
    "empty file": (csv(""), {}, r"'table.csv' must hold a table; it is empty"),
    "blank lines only": (csv("", "  ", ""), {}, r"must hold a table; it is empty"),
    "header only": (csv(NAMES), {}, r"must have at least two rows.*it has no rows"),
    "one row": (csv(NAMES, GOOD[0]), {}, r"must have at least two rows.*it has one row"),
    "one class": (csv("x,y", "1,a", "2,a"), {}, r"target='y' must have at least two classes.*'a'"),
    "no class": (csv("x,y", "1,", "2,"), {}, r"target='y' must have values; it has none"),
    "no usable column": (
        csv("id,k,y", *(f"{n},7,{'ab'[n % 2]}" for n in range(30))),
        {},
        r"must have a column to predict from.*'id' \(identifier\), 'k' \(constant\)",
    ),
    "one column": (csv("y", "a", "b"), {}, r"must have at least two columns; only 'y'"),
    "names in the line below": (
        csv("x,,y", ",arm,", *GOOD),
        {},
        r"column 2 of 'table.csv' must have a name",
    ),
    "row too long": (with_row("1,a,no,4"), {}, r"row 41 .*\(line 42\) must have 3 cells.*it has 4"),
    "row too short": (with_row("1,a"), {}, r"row 41 .*\(line 42\) must have 3 cells.*it has 2"),
    "unclosed quote": (with_row('1,"a,no\n2,b,no'), {}, r"row 41 .* quote that is never closed"),
    "wrong delimiter": (
        csv(*(line.replace(",", "~") for line in (NAMES, *GOOD))),
        {},
        r"only 'x~g~y' was found.*separated by a comma, semicolon, tab or bar",
    ),
    "no header": (csv(*GOOD[1:]), {}, r"line 1 .* must hold the names.*looks like data"),
    "binary file": (("table.csv", binary(5000)), {}, r"it is a binary file.*Export"),
    "binary without zeros": (("table.csv", binary(5000, 1)), {}, r"it is a binary file"),
    "Excel": (("table.csv", b"PK\x03\x04" + binary(99)), {}, r"complete zip archive"),
    "infinity": (with_row("inf,a,no"), {}, r"'x'=inf in row 41 must be a finite number"),
    "number too large": (with_row("-1e999,a,no"), {}, r"'x'=-inf in row 41 must be a finite"),
    "10,000 classes": (
        csv("x,y", *(f"{n % 7},c{n % 10_000}" for n in range(30_000))),
        {},
        r"target='y' must have at most 1,000 classes; it has 10,000",
    ),
    "identifier as target": (
        csv("x,y", *(f"{n % 7},c{n}" for n in range(50))),
        {},
        r"target='y' must be a class; it has 50 different values in 50 rows",
    ),
    "target not in the table": (
        csv("x,Class", "1,a", "2,b"),
        {"target": "Clas"},
        r"target='Clas' must be a column of 'table.csv'. Did you mean 'Class'\?",
    ),
    "date as target": (
        csv("x,y", "1,2020-01-01", "2,2020-01-02"),
        {"types": {"y": "date"}},
        r"holds dates",
    ),
    "numeric target": (
        csv("x,y", *(f"{n % 7},{n / 3}" for n in range(50))),
        {},
        r"target='y' must be a class; it is numeric with 50 different values.*bin_target",
    ),
    "every row dropped": (
        csv("x,w,y", "1,,a", "2,0,b"),
        {"roles": {"w": "weight"}},
        r"every row was dropped \(no weight\)",
    ),
    "truncated gzip": (
        ("t.csv.gz", gzip.compress("\n".join((NAMES, *GOOD)).encode(), mtime=0)[:-9]),
        {},
        r"'t.csv.gz' must be a complete gzip file",
    ),
    "truncated parquet": (("t.parquet", parquet()[:-20]), {}, r"must be a complete Parquet file"),
    "not parquet": (("t.parquet", b"x,y\n1,a\n"), {}, r"must be a Parquet file"),
    "frame without rows": (
        pd.DataFrame({"x": [], "y": []}),
        {},
        r"the data frame must have at least",
    ),
    "nested parquet column": (
        pd.DataFrame({"x": [[1], [2]], "y": ["a", "b"]}),
        {},
        r"'x' of the frame must hold",
    ),
    "no source": (42, {}, r"source=int must be a path"),
    "ARFF without data": (arff(*ARFF[:3]), {}, r"must have a line '@data'"),
    "ARFF without columns": (arff("@relation r", "@data", "1"), {}, r"at least one @attribute"),
    "ARFF undeclared value": (arff(*ARFF, "1,u", "2,w"), {}, r"'b'='w' in row 2 .* declared"),
    "ARFF text for number": (arff(*ARFF, "1,u", "x,v"), {}, r"'a'='x' in row 2 .* a number"),
    "ARFF row too long": (arff(*ARFF, "1,u", "2,v,3"), {}, r"row 2 .* 2 cells.*it has 3"),
    "ARFF unknown type": (arff("@attribute a colour", "@data"), {}, r"has the type 'colour'"),
    "ARFF name twice": (arff(*ARFF[:2], *ARFF[1:], "1,1,u"), {}, r"column='a' .* declared once"),
    "ARFF broken declaration": (
        arff("@relation r", "@attribute a", "@data"),
        {},
        r"a name and a type",
    ),
    "ARFF infinity": (arff(*ARFF, "1,u", "Infinity,v"), {}, r"'a'=inf in row 2 must be a finite"),
    "ARFF one class": (arff(*ARFF, "1,u", "2,u"), {}, r"at least two classes"),
}


@pytest.mark.parametrize("case", BAD)
def test_one_sentence(case: str) -> None:
    source, options, message = BAD[case]
    with pytest.raises(DataError, match=message) as caught:
        read_table(source, **options)
    said = str(caught.value)
    assert "\n" not in said
    assert said.endswith((".", "?"))
    assert len(re.findall(r"[.?] [A-Z']", said)) <= 2


def test_missing_file_and_folder(tmp_path: Path) -> None:
    (tmp_path / "titanic.csv").write_text("x,y\n")
    with pytest.raises(DataError, match=r"must exist. Did you mean 'titanic.csv'\?"):
        read_table(tmp_path / "titanik.csv")
    with pytest.raises(DataError, match=r"must exist. Check the path"):
        read_table(tmp_path / "nowhere" / "zzz.csv")
    with pytest.raises(DataError, match=r"must be a file; it is a folder"):
        read_table(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read every file")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("x,y\n1,a\n")
    path.chmod(0)
    with pytest.raises(DataError, match=r"must be readable; the system says: Permission denied"):
        read_table(path)


def test_identifier_with_100_000_values_is_left_out() -> None:
    lines = (f"{n % 7},v{n},{'ab'[n % 2]}" for n in range(100_000))
    with pytest.warns(ProbTreesWarning, match="'n' looks like an identifier and is ignored"):
        data = read_table(csv("x,n,y", *lines))
    assert data.schema.names == ("x", "y")


def test_100_000_values_are_kept_when_asked() -> None:
    lines = (f"{n % 7},v{n % 100_000},{'ab'[n % 2]}" for n in range(200_000))
    data = read_table(csv("x,n,y", *lines), types={"n": "nominal"})
    assert data.schema.columns[1].n_values == 100_000


def test_nothing_is_refused_for_prediction_that_only_training_needs() -> None:
    model = read_table(csv(NAMES, *GOOD)).schema
    assert read_table(csv("x,g,y", "1,a,no"), schema=model).n_rows == 1
    assert read_table(csv("x,g,y", "1,a,no", "1,a,no"), schema=model).n_rows == 2
    with pytest.raises(DataError, match=r"'x'='inf' in row 1 must be a finite number"):
        read_table(csv("x,g", "inf,a"), schema=model)
