"""Points out of a number are read as in training, with or without what they are out of."""

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.column_profile import profile_table
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_rows, read_table


def trained(cells: list[str], **options: object) -> Dataset:
    rows = [f"{cell};{n % 7};{'ab'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return read_table(("t.csv", "\n".join(["pain;x;y", *rows]).encode()), **options)


def later(data: Dataset, cells: list[str]) -> Dataset:
    content = "\n".join(["pain;x", *(f"{cell};1" for cell in cells)]).encode()
    rows, problems = read_rows(("l.csv", content), data.schema, profile=profile_table(data))
    assert not problems
    return rows


OUT_OF_TEN = [f"{n % 11}/10" for n in range(110)]


def test_plain_numbers_are_out_of_ten_where_training_was_split() -> None:
    data = trained(OUT_OF_TEN, split_numbers=["pain"])
    rows = later(data, ["3", "10", "", "7"])
    np.testing.assert_array_equal(rows.values[:, 0], [3, 10, np.nan, 7])
    np.testing.assert_array_equal(rows.values[:, 1], [10, 10, np.nan, 10])
    (note,) = [n for n in rows.provenance.notes if "out of" in n]
    assert "3 cells are read as points out of 10, as in training: '3' is '3/10'" in note


KEPT = {"types": {"pain": "nominal"}}


def test_plain_numbers_are_categories_out_of_ten() -> None:
    data = trained(OUT_OF_TEN, **KEPT)
    categories = data.schema.features[0].categories or ()
    rows = later(data, ["3", "10", "4/10"])
    assert [categories[int(code)] for code in rows.values[:, 0]] == ["3/10", "10/10", "4/10"]


@pytest.mark.parametrize("cells", [["3", "45"], ["0.3", "0.9"], ["-1", "4"]])
def test_numbers_that_do_not_fit_stay_as_they_are(cells: list[str]) -> None:
    rows = later(trained(OUT_OF_TEN, **KEPT), cells)
    assert (rows.values[:, 0] < 0).all()
    assert not any("out of" in note for note in rows.provenance.notes)
    rows = later(trained(OUT_OF_TEN), cells)
    np.testing.assert_array_equal(rows.values[:, 0], list(map(float, cells)))
    assert not any("out of" in note for note in rows.provenance.notes)


@pytest.mark.parametrize("cells", [["3/10", "9/10"], ["3 of 10", "9 of 10"], ["3 / 10", "9/10"]])
def test_points_are_plain_numbers_where_training_had_these(cells: list[str]) -> None:
    data = trained([str(n % 11) for n in range(110)])
    rows = later(data, cells)
    np.testing.assert_array_equal(rows.values[:, 0], [3, 9])
    (note,) = [n for n in rows.provenance.notes if "out of" in n]
    assert f"2 cells are read without what they are out of, as in training: {cells[0]!r}" in note


def test_fractions_stay_fractions() -> None:
    data = trained([("1 1/2", "3/4", "2", "5 3/8")[n % 4] for n in range(110)])
    rows = later(data, ["3/4", "1/4", "1 1/2"])
    np.testing.assert_array_equal(rows.values[:, 0], [0.75, 0.25, 1.5])


@pytest.mark.parametrize(
    ("cells", "said"),
    [(["3", "10"], True), (["3/10", "10/10"], False), (["3 of 10", "10 / 10"], False)],
)
def test_points_are_numbers_as_in_training(cells: list[str], said: bool) -> None:
    rows = later(trained(OUT_OF_TEN), cells)
    np.testing.assert_array_equal(rows.values[:, 0], [3, 10])
    notes = [note for note in rows.provenance.notes if "'pain'" in note]
    assert len(notes) == said
    assert all("2 cells are read as points out of 10, as in training" in note for note in notes)


def test_points_out_of_another_number_are_not_read() -> None:
    data = trained(OUT_OF_TEN)
    content = b"pain;x\n3/20;1\n4/10;1\n"
    rows, problems = read_rows(("l.csv", content), data.schema, profile=profile_table(data))
    np.testing.assert_array_equal(rows.values[:, 0], [np.nan, 4])
    assert problems


def test_points_are_told_and_taken_back_by_one_click() -> None:
    cells = [f"{1 + n % 9}/9;{n % 7};{'ab'[n % 2]}" for n in range(90)]
    found = inspect_table(("t.csv", "\n".join(["pain;x;y", *cells]).encode())).column("pain")
    (told,) = [finding for finding in found.findings if finding.kind == "number spelling"]
    assert found.type == "numeric"
    assert "written with what they are out of ('1/9' is 1), read as numbers" in told.sentence
    assert [fix.label for fix in told.fixes] == ["Treat as categories"]


def test_the_points_are_the_number_in_each_cell() -> None:
    cells = [f"{n % 11}/10" if n % 20 else "NT" for n in range(110)]
    data = trained(cells, numbers_in=["pain"])
    np.testing.assert_array_equal(data.values[:4, 0], [np.nan, 1, 2, 3])
    np.testing.assert_array_equal(later(data, ["3/10", "7"]).values[:, 0], [3, 7])
