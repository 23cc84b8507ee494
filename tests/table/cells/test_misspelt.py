"""Slips of the pen are offered to be joined, and never joined by themselves."""

from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.cells.misspelt import meant_by
from probtrees.table.read_table import read_rows, read_table
from tests.table.tiny_table import csv

ROWS = [
    f"{'Enginering' if n % 40 == 0 else ('Engineering', 'Sales')[n % 2]},{n % 7},{'ab'[n % 3 % 2]}"
    for n in range(120)
]
TABLE = csv("dept,x,y", *ROWS)


def test_a_slip_is_asked_about_and_joined_on_a_click():
    (found,) = inspect_table(TABLE).column("dept").findings
    assert "'Engineering' and 'Enginering'" in found.sentence
    assert read_table(TABLE).schema.columns[0].categories == ("Engineering", "Enginering", "Sales")
    data = read_table(TABLE, join_values=("dept",))
    assert data.schema.columns[0].categories == ("Engineering", "Sales")


def test_a_slip_of_a_new_table_is_read_where_training_joined_them():
    data = read_table(TABLE, join_values=("dept",))
    new = ("n.csv", b"dept,x\nEnginering,1\nEngineerin,2\nSalad,3\n")
    rows, _ = read_rows(new, data.schema)
    assert rows.values[:, 0].tolist() == [0, 0, -1]


def test_what_is_no_slip():
    assert meant_by("group a", ["group b"]) is None
    assert meant_by("iran", ["iraq"]) is None
    assert meant_by("class", ["glass"]) is None
    assert meant_by("level 1", ["level 2"]) is None
    assert meant_by("marta", ["martha", "maria"]) is None
    assert meant_by("slaes", ["sales"]) == "sales"


def test_umlauts_and_accents_that_somebody_left_out_are_offered_to_be_joined():
    towns = ["Köln", "Koeln", "Ulm", "Köln", "Málaga", "Malaga", "Málaga"]
    rows = [f"{towns[n % 7]},{n % 9},{'ny'[n % 4 > 1]}" for n in range(140)]
    source = ("t.csv", "\n".join(["town,x,y", *rows]).encode())
    (found,) = (f for f in inspect_table(source).column("town").findings if f.kind == "variants")
    assert "'Koeln' and 'Köln'" in found.sentence
    data = read_table(source, join_values=["town"])
    assert data.schema.columns[0].categories == ("Köln", "Málaga", "Ulm")
    later = ("n.csv", "town,x,y\nKoln,1,n\nMALAGA,1,n\nköln,1,n\nKassel,1,n\n".encode())
    assert read_table(later, schema=data.schema).values[:, 0].tolist() == [0, 1, 0, -1]


def test_a_model_that_tells_them_apart_still_does():
    rows = [f"{('schön', 'schon', 'selten')[n % 3]},{'ny'[n % 4 > 1]}" for n in range(90)]
    data = read_table(("t.csv", "\n".join(["how,y", *rows]).encode()))
    later = ("n.csv", "how,y\nschon,n\nschön,n\n".encode())
    found = read_table(later, schema=data.schema).values[:, 0].tolist()
    assert [data.schema.columns[0].categories[int(code)] for code in found] == ["schon", "schön"]
