"""Marks for missing values: said where they stand, and kept as values by one word."""

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import decided

from probtrees.table.read_table import read_table

LINES = [f"{20 + n},{'mf'[n % 2]},{n % 5},{'ja' if n % 3 else 'nein'}" for n in range(12)]
TABLE = "age,sex,visits,y\n" + "\n".join(
    [*LINES, "k.A.,k.A.,1,ja", "31,NA ,2,nein", ",m,n/a,keine Angabe", "35,f,3,keine Angabe"]
)
SOURCE = ("t.csv", TABLE.encode())


def test_one_note_says_which_marks_stand_where() -> None:
    (found,) = (f for f in inspect_table(SOURCE).findings if f.kind == "marks")
    assert found.sentence == (
        "Read as missing: 'k.A.' in 2 cells of 'age', 'sex'; 'NA' in 1 cell of 'sex'; 'n/a' in 1 "
        "cell of 'visits'."
    )
    assert [(fix.setting, fix.value) for fix in found.fixes] == [("as_written", "marks")]
    plain = TABLE.replace("k.A.", "").replace("NA ", "").replace("n/a", "")
    same = read_table(("t.csv", plain.encode()))
    assert np.array_equal(read_table(SOURCE).values, same.values, equal_nan=True)
    assert not any("Read as missing" in note for note in same.provenance.notes)


def test_marks_are_kept_as_values_but_not_among_numbers() -> None:
    data = read_table(SOURCE, as_written=["marks"])
    age, sex, visits, _ = data.schema.columns
    assert sex.categories == ("f", "k.A.", "m", "NA")
    assert not age.is_nominal
    assert not visits.is_nominal
    again = read_table(SOURCE, schema=data.schema)
    stated = ~np.isnan(again.values[:, -1])
    assert np.array_equal(again.values[stated], data.values, equal_nan=True)


def test_a_target_that_is_not_stated_is_missing() -> None:
    data = read_table(SOURCE)
    assert data.schema.classes == ("ja", "nein")
    assert data.provenance.rows_dropped == {"no class": 2}
    assert any("'keine Angabe' in 2 cells" in note for note in data.provenance.notes)
    kept = read_table(SOURCE, as_written=["dashes"])
    assert "keine Angabe" in kept.schema.classes
    words = TABLE.replace("keine Angabe", "-")
    (found,) = (f for f in inspect_table(("t.csv", words.encode())).findings if f.column == "y")
    assert found.fixes[0].label == "Treat '-' as missing"
    among_numbers = words.replace(",ja", ",1").replace(",nein", ",0")
    assert read_table(("t.csv", among_numbers.encode())).schema.classes == ("0", "1")


def test_marks_are_shown_as_they_are_written() -> None:
    rows = "".join(f"{i},{'abc'[i % 3]},{'yn'[i % 2]}\n" for i in range(30))
    report = inspect_table(("t.csv", ("x,sex,y\n1,\\N,y\n" + rows).encode()))
    (note,) = (found for found in report.findings if found.kind == "marks")
    assert r"'\N' in 1 cell" in note.sentence
    assert "\\\\" not in note.sentence
    assert any(r"'\N' read as missing" in words for words in decided(report))


def test_none_in_many_cells_of_a_category_is_asked_about() -> None:
    for every, severity in ((3, "warning"), (40, "note")):
        cells = ["None" if n % every == 0 else ("sprain", "cut")[n % 2] for n in range(80)]
        rows = [f"{cell},{'yn'[n % 2]}" for n, cell in enumerate(cells)]
        report = inspect_table(("t.csv", "\n".join(["injury,y", *rows]).encode()))
        (found,) = (found for found in report.findings if found.kind == "marks")
        assert found.severity == severity


@pytest.mark.parametrize(
    ("codes", "asked"),
    [("DE FR NA US", True), ("EMEA APAC NA", True), ("a b NA", False), ("MN FS NA", False)],
)
def test_na_among_codes_of_countries_and_regions_is_asked_about(codes: str, asked: bool) -> None:
    words = codes.split()
    rows = [f"{words[n % len(words)]},{n % 7},{'yn'[n % 2]}" for n in range(80)]
    source = ("t.csv", "\n".join(["country,x,y", *rows]).encode())
    found = [f for f in inspect_table(source).findings if f.kind == "maybe a code"]
    assert [(f.column, f.severity) for f in found] == [("country", "warning")] * asked
    fixes = [(fix.setting, fix.value) for f in found for fix in f.fixes]
    assert fixes == [("keep_words", "country")] * asked
    data = read_table(source, keep_words=["country"])
    assert data.schema.columns[0].categories is not None
    assert set(data.schema.columns[0].categories) == set(words)


@pytest.mark.parametrize(
    ("codes", "example"),
    [
        ("MI RM TO", "Napoli"),
        ("DE FR US", "Namibia"),
        ("FR AT CH", "Namibia"),
        ("CA PA MI", "Namibia"),
    ],
)
def test_na_is_a_place_of_the_kind_that_stands_beside_it(codes: str, example: str) -> None:
    cells = [*codes.split(), "NA"] * 10
    rows = [f"{cell},{n},{'ab'[n % 2]}" for n, cell in enumerate(cells)]
    content = ("t.csv", "\n".join(["Prov.,n,y", *rows]).encode())
    report = inspect_table(content)
    (asked,) = (f for f in report.findings if f.kind == "maybe a code")
    assert f"({example})" in asked.sentence
    assert asked.severity == "warning"
    assert report.column("Prov.").n_missing == 10
