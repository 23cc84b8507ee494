"""Formats are found by what a file holds, and a new one is one entry in the list."""

import numpy as np
import pytest
from probtrees.table.formats.format import Format

from probtrees.errors import DataError
from probtrees.table.formats import open_table as module
from probtrees.table.raw_table import Numbers, RawTable, Texts
from probtrees.table.read_table import read_table


def read_toy(source, options):
    columns = {
        "x": Numbers(np.array([1.0, 2.0])),
        "y": Texts.of(np.array([0, 1], np.int32), ["a", "b"]),
    }
    return RawTable(columns, 2, ("x", "y"))


TOY = Format("Toy", (".toy",), read_toy, lambda name, head: head.startswith(b"TOY!"))


def test_a_new_format_is_one_entry(monkeypatch):
    monkeypatch.setattr(module, "FORMATS", (*module.FORMATS, TOY))
    assert read_table(("any name.csv", b"TOY!")).values.tolist() == [[1.0, 0.0], [2.0, 1.0]]


def test_the_words_and_names_of_all_formats():
    assert (
        module.FORMAT_NAMES
        == "CSV, TSV, Excel, OpenDocument, Stata, SPSS, SAS, JSON, Feather, HTML, ARFF or Parquet"
    )
    assert {".csv", ".xlsx", ".ods", ".sav", ".dta", ".arff", ".pq"} < set(module.TABLE_SUFFIXES)
    assert {".txt", ".data", ".tab", ".json"} == set(module.ALL_SUFFIXES) - set(
        module.TABLE_SUFFIXES
    )


@pytest.mark.parametrize("name", ["t.csv", "t.txt", "t"])
def test_what_is_no_table_is_refused_with_what_can_be_read(name):
    with pytest.raises(DataError, match=r"it is a PDF document\. Copy .*save .* \.xlsx or \.csv"):
        read_table((name, b"%PDF-1.7" + bytes(50)))


def test_a_damaged_archive_is_refused_as_one():
    with pytest.raises(DataError, match="must be a complete zip archive"):
        read_table(("t.csv", b"PK\x03\x04" + bytes(50)))


def test_a_file_called_parquet_must_be_one():
    with pytest.raises(DataError, match="must be a Parquet file; it does not begin like one"):
        read_table(("t.parquet", b"x,y\n1,a\n"))
