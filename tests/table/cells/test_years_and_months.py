"""Ages in years and months (10;3) are years, in every way a table is read, and taken back."""

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.cells.special_numbers.years_and_months import are_years_and_months
from probtrees.table.read_table import read_table, read_to_predict

N_ROWS = 60


def table(name="Alter (J;M)", cell=lambda n: f"{5 + n % 6};{n % 12}", separator=";"):
    frame = pd.DataFrame({name: [cell(n) for n in range(N_ROWS)]})
    frame["ill"] = ["yes" if n % 6 > 2 else "no" for n in range(N_ROWS)]
    return ("t.csv", frame.to_csv(index=False, sep=separator).encode())


def said(data, kind="number spelling"):
    return [found for found in inspect_table(data).findings if found.kind == kind]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_they_are_read_as_years(separator):
    data = read_table(table(separator=separator))
    assert data.values[3, 0] == 8.25
    (note,) = [note for note in data.provenance.notes if "years and months" in note]
    assert "(5;0 is 5 years)" in note


def test_the_name_or_the_months_tell_them():
    (found,) = said(table())
    assert found.severity == "note"
    (found,) = said(table("Spanne"))
    assert found.severity == "warning"
    assert [fix.label for fix in found.fixes] == ["Treat as categories", "Make two columns"]
    few = table("Alter", lambda n: f"{5 + n % 2};{n % 3}")
    assert read_table(few).values[1, 0] == pytest.approx(6 + 1 / 12)


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("ticked", lambda n: ["1;2", "1", "2", "1;3", "2;3"][n % 5]),
        ("score", lambda n: f"{n % 4};{n % 5}"),
        ("Alter", lambda n: f"{n % 4};{n % 13}"),
    ],
)
def test_others_are_none(name, cell):
    assert not said(table(name, cell))
    assert not are_years_and_months([cell(n) for n in range(N_ROWS)], name)


def test_a_click_takes_it_back():
    kept = read_table(table(), types={"Alter (J;M)": "nominal"})
    assert kept.schema.columns[0].categories is not None
    two = read_table(table(), split_numbers=["Alter (J;M)"])
    assert two.schema.names[:2] == ("Alter (J;M) (1)", "Alter (J;M) (2)")
    assert two.values[3, :2].tolist() == [8, 3]


def test_a_few_words_and_whole_years_are_no_harm():
    cells = ["?", "keine Angabe", "7"]
    data = read_table(table("Alter", lambda n: cells[n] if n < 3 else f"{5 + n % 6};{n % 12}"))
    assert np.isnan(data.values[:2, 0]).all()
    assert data.values[2:4, 0].tolist() == [7, 8.25]


def test_later_tables_are_read_alike():
    schema = read_table(table()).schema
    for cell in ("10;3", "10 J 3 M", "10,25", "10 Jahre 3 Monate"):
        later = read_to_predict(table(cell=lambda n, cell=cell: cell), schema)
        assert later.values[:, 0].tolist() == [10.25] * N_ROWS, cell
    assert not [n for n in read_to_predict(table(), schema).provenance.notes if "unit" in n]
    of_words = read_table(table(cell=lambda n: f"{5 + n % 6} J {n % 12} M"))
    assert read_to_predict(table(), of_words.schema).values[3, 0] == 8.25


def test_chunks_read_them(tmp_path):
    name, content = table()
    (tmp_path / name).write_bytes(content)
    found = open_chunks(tmp_path / name)
    assert found.schema == read_table(tmp_path / name).schema
    assert next(found.chunks()).values[3, 0] == 8.25
