"""What a table is probably about, guessed from names, kinds and places of its columns."""

import pytest

from probtrees.errors import OptionError
from probtrees.table.infer.guess_reading import guess_for, guess_reading
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.samples import sample_names, sample_path


def looker(source):
    return lambda reading: inspect_table(source, **reading.arguments)


def csv(header, row, n=120):
    return ("t.csv", "\n".join([header, *(",".join(map(str, row(i))) for i in range(n))]).encode())


TABLES = {
    "last": csv("a,b,c", lambda i: (i % 9, i % 7, "pq"[i % 3 > 1])),
    "year behind": csv(
        "species,island,mass,sex,year",
        lambda i: ("abc"[i % 3], "xy"[i % 2], 30 + i % 40, "fm"[i % 2], 2007 + i % 3),
    ),
    "remarks behind": csv(
        "age,outcome,remarks",
        lambda i: (i % 60, "yn"[i % 2], f"he said {i} words on that day and left"),
    ),
    "first": csv("class,x,y1", lambda i: ("eo"[i % 4 > 1], i / 7, i * 1.5)),
    "price": csv("id,rooms,city,price", lambda i: (f"H{i}", i % 5, "AB"[i % 2], 1000 + i * 3.5)),
    "german": csv("nr,alter,befund,datum", lambda i: (i, i % 50, "jn"[i % 3 > 0], "2020-01-02")),
}
EXPECTED = {
    "last": "c",
    "year behind": "species",
    "remarks behind": "outcome",
    "first": "class",
    "price": "price",
    "german": "befund",
}


@pytest.mark.parametrize("name", TABLES)
def test_the_target_is_found_and_the_table_can_be_used(name):
    guess = guess_reading(looker(TABLES[name]), ReadOptions())
    report = inspect_table(TABLES[name], **guess.reading.arguments)
    assert report.target == EXPECTED[name]
    assert report.usable
    assert guess.reason.startswith("Guessed")


@pytest.mark.parametrize("name", sample_names())
def test_every_sample_is_about_its_last_column(name):
    report = inspect_table(sample_path(name))
    guess = guess_reading(looker(sample_path(name)), ReadOptions())
    assert guess.reading.target_name([c.name for c in report.columns]) == report.columns[-1].name


def test_a_leak_is_set_aside_for_the_target_it_tells():
    source = csv("x,leak,ill", lambda i: (i % 9, "dh"[i % 5 > 0], "yn"[i % 5 > 0]))
    assert guess_for(looker(source), ReadOptions(), "ill").reading.roles["leak"] == "ignore"
    report = inspect_table(source, roles={"leak": "ignore"})
    (found,) = report.column("leak").findings
    assert (found.kind, found.severity) == ("leak", "note")
    assert guess_for(looker(source), ReadOptions(), "x").reading.roles == {"x": "target"}


def test_a_number_is_cut_in_its_middle_or_where_one_says():
    source = csv("g,y", lambda i: ("ab"[i % 2], i * 0.5))
    reading = guess_for(looker(source), ReadOptions(), "y").reading
    assert reading.cut_target == 29.5
    data = read_table(source, cut_target=10)
    assert data.schema.classes == ("up to 10", "over 10")
    assert data.values[:, -1].sum() == 99
    assert read_table(source, schema=data.schema).values[:, -1].sum() == 99
    assert data.provenance.options == {"cut_target": 10}


@pytest.mark.parametrize(
    "wrong", [{"cut_target": float("nan")}, {"cut_target": 1, "bin_target": 3}]
)
def test_a_cut_that_is_none_is_refused(wrong):
    with pytest.raises(OptionError, match="cut_target="):
        ReadOptions(**wrong)


def test_a_table_without_a_possible_target_is_left_as_it_is():
    source = csv("id,remark", lambda i: (f"P{i}", f"he said {i} words on that day and left"))
    assert guess_reading(looker(source), ReadOptions()).reading == ReadOptions()


def test_a_column_that_counts_the_rows_is_set_aside_with_its_reason() -> None:
    rows = "".join(f"{n + 1},{n % 7},{'yn'[n % 2]}\n" for n in range(40))
    content = ("t.csv", f"caseid,x,ill\n{rows}".encode())
    guess = guess_reading(
        lambda reading: inspect_table(content, **reading.arguments), ReadOptions()
    )
    assert guess.reading.roles["caseid"] == "ignore"
    report = inspect_table(content, **guess.reading.arguments)
    assert [found.kind for found in report.column("caseid").findings] == ["counter"]
