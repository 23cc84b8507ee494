"""Cells that are written in another way than in training are read as they were there."""

import numpy as np
import pytest

from probtrees.table.column_profile import profile_table
from probtrees.table.dataset import UNSEEN
from probtrees.table.read_table import read_rows, read_table, read_to_predict

FEATURES = ("price", "fee", "rate", "share", "day", "device", "opted", "flag")
DEVICES = ("desktop", "mobile")
YES_NO = ("yes", "no")
TRAIN = "price,fee,rate,share,day,device,opted,flag,came\n" + "".join(
    f"{10 + 0.37 * i:.2f},€{1000 + 3.5 * (i % 31)},{5 + i % 20}%,{0.05 + 0.01 * (i % 20):.2f},"
    f"{1 + i % 28}/{1 + i % 12}/2023,{DEVICES[i % 2]},{YES_NO[i % 3 == 0]},{i % 2},"
    f"{YES_NO[i % 5 == 0]}\n"
    for i in range(60)
)


@pytest.fixture(scope="module")
def trained():
    data = read_table(("train.csv", TRAIN.encode()), roles={"day": "feature"})
    return data, {column.name: number for number, column in enumerate(data.schema.columns)}


@pytest.mark.parametrize(
    ("column", "cells", "meant", "said"),
    [
        ("price", ["£37.79", "£40.10"], [37.79, 40.1], "'£37.79' is read as 37.79"),
        ("price", ["37.79 GBP", "£40.10"], [37.79, 40.1], "2 cells are written with 'GBP'"),
        ("price", ["£37.79", "odd 3"], [37.79, np.nan], "1 cell is"),
        ("price", ['"1.337,79 €"', '"40,10 €"'], [1337.79, 40.1], "written with '€'"),
        ("fee", ["1020 EUR", "1001"], [1020, 1001], "written with 'EUR'"),
        ("fee", ["1020 mg", "€1001"], [np.nan, 1001], ""),
        ("rate", ["0.05", "0.15"], [5, 15], "0.15 is 15 %"),
        ("rate", ["5 percent", "7%"], [5, 7], "written with 'percent'"),
        ("share", ["5 %", "12 %"], [0.05, 0.12], "'5 %' is read as 0.05"),
        ("flag", ["ja", "nein"], [1, 0], "1 cell read as '1', written 'ja'"),
        ("flag", ["Y", "true"], [1, 1], "written 'Y'"),
        ("day (days)", ["1/3/2023", "3/25/2023"], [19360, 19441], "month first"),
        ("day (days)", ["1/3/2023", "25/3/2023"], [19417, 19441], ""),
    ],
)
def test_numbers_and_dates_of_another_habit(trained, column, cells, meant, said):
    data, places = trained
    name = column.removesuffix(" (days)")
    others = [other for other in FEATURES if other != name]
    head = ",".join([name, *others])
    body = "".join(f"{cell}{',' * len(others)}\n" for cell in cells)
    rows, problems = read_rows(
        ("new.csv", f"{head}\n{body}".encode()), data.schema, None, profile_table(data)
    )
    np.testing.assert_allclose(rows.values[:, places[column]], meant, rtol=1e-12)
    assert sum(map(len, problems.values())) == int(np.isnan(meant).sum())
    notes = " ".join(note for note in rows.provenance.notes if f"{name!r}:" in note)
    assert said in notes
    assert bool(notes) == bool(said)


@pytest.mark.parametrize(
    ("column", "cells", "codes", "said"),
    [
        ("device", ["Desktop", " MOBILE ", "tv"], [0, 1, UNSEEN], "1 cell read as 'desktop', wri"),
        ("opted", ["Y", "n", "Ja"], [1, 0, 1], "written 'Y'"),
        ("opted", ["1", "0", "0"], [1, 0, 0], "2 cells read as 'no', written '0'"),
        ("opted", ["True", "False", "no"], [1, 0, 0], "written 'True'"),
        ("came", ["J", "N", "perhaps"], [1, 0, UNSEEN], "written 'J'"),
    ],
)
def test_categories_of_another_habit(trained, column, cells, codes, said):
    data, places = trained
    given = {column: cells} if column != "came" else {column: cells, "device": ["mobile"] * 3}
    names = [*given, *(name for name in FEATURES if name not in given)]
    lines = [",".join(given.get(name, [""] * 3)[row] for name in names) for row in range(3)]
    rows, _ = read_rows(("new.csv", "\n".join([",".join(names), *lines]).encode()), data.schema)
    assert rows.values[:, places[column]].tolist() == codes
    assert any(said in note for note in rows.provenance.notes)


def test_two_categories_that_differ_in_case_only_are_not_guessed():
    table = "kind,class\n" + "A,x\na,y\nB,x\n" * 5
    data = read_table(("train.csv", table.encode()))
    rows, _ = read_rows(("new.csv", b"kind\nA\na\nb\n"), data.schema)
    assert [data.schema.columns[0].categories[int(c)] for c in rows.values[:, 0]] == ["A", "a", "B"]
    rows, _ = read_rows(("new.csv", "kind\n ａ\nb\n".encode()), data.schema)
    assert rows.values[0, 0] == UNSEEN


@pytest.mark.parametrize(("mark", "yes", "no"), [("x", "yes", "no"), ("✓", "1", "0")])
def test_yes_and_no_are_read_where_training_had_a_mark_or_nothing(mark, yes, no):
    lines = [f"{mark if i % 3 == 0 else ''},{i % 9},{'ny'[i % 2]}" for i in range(120)]
    text = "\n".join(["urgent,x,ill", *lines]).encode()
    data = read_table(("t.csv", text), empty_no=["urgent"])
    later = f"urgent,x,ill\n{yes},1,n\n{no},2,n\n{no},3,y\n".encode()
    rows = read_table(("n.csv", later), schema=data.schema)
    categories = data.schema.columns[0].categories
    assert [categories[int(code)] for code in rows.values[:, 0]] == [mark, "no", "no"]
    notes = " ".join(rows.provenance.notes)
    assert f"as {mark!r}, written {yes!r}" in notes


def test_no_is_as_nothing_where_nobody_said_what_empty_means():
    lines = [f"{'x' if i % 3 == 0 else ''},{i % 9},{'ny'[i % 2]}" for i in range(120)]
    data = read_table(("t.csv", "\n".join(["urgent,x,ill", *lines]).encode()))
    later = b"urgent,x,ill\nYes,1,n\nno,2,n\nno,3,y\nmaybe,4,y\n"
    rows = read_table(("n.csv", later), schema=data.schema)
    np.testing.assert_array_equal(rows.values[:, 0], [0, np.nan, np.nan, UNSEEN])
    notes = " ".join(rows.provenance.notes)
    assert "1 cell read as 'x', written 'Yes'" in notes
    assert "2 cells are read as empty, as training has it, written 'no'" in notes


@pytest.mark.parametrize(("cell", "said"), [("1.81 m", "181, in the scale"), ("181 cm", "181.")])
def test_what_is_said_of_a_unit_is_the_number_that_is_used(cell, said):
    lines = [
        f"{1.5 + n % 50 / 100:.2f},{'ab'[n % 2]}" if n % 9 == 0 else f"{150 + n % 50},{'ab'[n % 2]}"
        for n in range(200)
    ]
    content = ("t.csv", "\n".join(["height,y", *lines]).encode())
    data = read_table(content, one_scale=["height"])
    later = ("l.csv", f"height\n{cell}\n".encode())
    rows, _ = read_rows(later, data.schema, profile=profile_table(data))
    assert rows.values[0, 0] == 181
    (note,) = [note for note in rows.provenance.notes if "'height'" in note]
    assert f"{cell!r} is read as {said}" in note


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        (["599.125", "957.5", "0.957"], [599.125, 957.5, 0.957]),
        (["599.125", "1252.125"], [599.125, 1252.125]),
        (["599.125", "1.252.125", "12"], [599125, 1252125, 12]),  # as training groups thousands
        (["599.125", '"12,5"'], [599125, 12.5]),
    ],
)
@pytest.mark.parametrize("unit", ["", " €"])
def test_a_decimal_point_where_training_had_a_comma(cells, meant, unit):
    rows = "".join(f"{i}.{100 + i},{50 + i}{unit};{YES_NO[i % 3 > 0]}\n" for i in range(1, 10))
    data = read_table(("train.csv", ("use;came\n" + rows * 9).encode()))
    assert data.schema.columns[0].spelling.decimal == ","
    texts = "".join(f"{cell},yes\n" for cell in cells)
    found, _ = read_rows(("new.csv", ("use,came\n" + texts).encode()), data.schema)
    assert found.values[:, 0].tolist() == pytest.approx(meant)


def test_letters_with_accents_and_without_are_the_same_categories():
    rows = "".join(
        f"{('selbständig', 'bettlägerig')[i % 2]},{YES_NO[i % 3 > 0]}\n" for i in range(30)
    )
    data = read_table(("train.csv", ("Mobilität,came\n" + rows).encode()))
    cells = "mobilität,came\nselbstaendig,yes\nbettlagerig,no\nselten,no\n"
    found, _ = read_rows(("new.csv", cells.encode()), data.schema)
    codes = data.schema.columns[0].codes
    assert found.values[:, 0].tolist() == [codes["selbständig"], codes["bettlägerig"], UNSEEN]


@pytest.mark.parametrize(
    ("cell", "meant", "said"),
    [
        ("17.5 mg/dl", np.nan, ""),  # no 17.5 mmol/l
        ("2500 µmol/l", 2.5, "'2500 µmol/l' is read as 2.5 mmol/l"),
        ("2.5 mmol/L", 2.5, "is read as 2.5"),
    ],
)
def test_a_unit_that_is_not_that_of_the_name(cell, meant, said):
    rows = "".join(f"{1 + i % 40 / 10},{YES_NO[i % 3 > 0]}\n" for i in range(80))
    data = read_table(("train.csv", ("Lactate (mmol/l),came\n" + rows).encode()))
    new = f"Lactate (mmol/l),came\n{cell},yes\n1.5,no\n".encode()
    found, unread = read_rows(("new.csv", new), data.schema)
    assert found.values[:, 0].tolist() == pytest.approx([meant, 1.5], nan_ok=True)
    assert bool(unread) == (not said)
    assert not said or any(said in note for note in found.provenance.notes)


def test_limits_that_training_had_not_are_read_as_in_training_and_said():
    lines = [f"{5 + n % 60},{n % 7},{'ny'[n % 60 > 30]}" for n in range(200)]
    schema = read_table(("t.csv", "\n".join(["crp,x,ill", *lines]).encode())).schema
    rows = read_to_predict(("n.csv", b"crp,x\n<5,1\n17,2\n<5,3\n>50,4\n"), schema)
    assert rows.values[:, 0].tolist() == [5.0, 17.0, 5.0, 50.0]
    assert (
        "Column 'crp': 3 cells name limits, unlike in training: '<5' is read as 5."
        in rows.provenance.notes
    )
