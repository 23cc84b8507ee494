"""What a column is taken for, and why."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_fields import DATE_PARTS

from probtrees.cli.option_words import in_options
from probtrees.errors import ProbTreesWarning
from probtrees.table.infer.plan import ColumnPlan, plan_table
from probtrees.table.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from tests.table.tiny_table import csv


def column(values: list[object]) -> RawColumn:
    if all(isinstance(value, (int, float)) for value in values):
        return Numbers(np.array(values, dtype=np.float64))
    texts = [str(value) for value in dict.fromkeys(values) if value is not None]
    numbers = {text: code for code, text in enumerate(texts)}
    codes = [-1 if value is None else numbers[str(value)] for value in values]
    return Texts.of(np.array(codes, dtype=np.int32), texts)


def plan(values: list[object], name: str = "c", **options: object) -> ColumnPlan:
    classes = column([f"k{n % 2}" for n in range(len(values))])
    raw = RawTable({name: column(values), "y": classes}, len(values), (name, "y"))
    return plan_table(raw, ReadOptions(**options), "the table").columns[0]  # type: ignore[arg-type]


def check(values: list[object], kind: str, role: str, name: str = "c") -> ColumnPlan:
    found = plan(values, name)
    assert (found.type, found.role) == (kind, role)
    return found


def test_numbers_and_categories() -> None:
    check([1.5, 2, 2, 4], "numeric", "feature")
    check(["1.5", "2", None, "4"], "numeric", "feature")
    check(["red", "blue", "red"], "nominal", "feature")
    check(["0", "1", "2", "3+"] * 5, "nominal", "feature")
    check(["0-4", "5-9", "10-14"] * 5, "nominal", "feature")


@pytest.mark.parametrize("pair", [("yes", "no"), ("TRUE", "FALSE"), ("t", "f"), ("Y", "N")])
def test_booleans(pair: tuple[str, str]) -> None:
    check([*pair, pair[0]], "boolean", "feature")


def test_constants() -> None:
    assert "same value" in check([3, 3, 3], "constant", "ignore").findings[0].sentence
    check(["x", "x", "x"], "constant", "ignore")
    assert "no value" in check([np.nan, np.nan], "constant", "ignore").findings[0].sentence
    check([None, None, "x"], "nominal", "feature")


@pytest.mark.parametrize("name", ["id", "ID", "patient_id", "PatientID", "customer key", "Row Nr"])
def test_numbers_named_like_identifiers(name: str) -> None:
    check([100 + n * 7 for n in range(30)], "identifier", "ignore", name)
    check(list(range(30)), "identifier", "ignore", name)
    check([n % 3 for n in range(30)], "numeric", "feature", name)
    check([n / 7 for n in range(30)], "numeric", "feature", name)


@pytest.mark.parametrize("name", ["acid", "humid", "monkey", "age"])
def test_numbers_that_only_sound_like_identifiers(name: str) -> None:
    check([100 + n * 7 for n in range(30)], "numeric", "feature", name)


def test_a_counter_with_another_name_is_used_with_a_warning() -> None:
    found = check(list(range(1, 31)), "numeric", "feature", "day")
    assert [finding.kind for finding in found.findings] == ["counter"]
    assert check([1, 2, 3, 4], "numeric", "feature").findings == ()


def test_identifiers_and_free_text() -> None:
    found = check([f"p{n}" for n in range(30)], "identifier", "ignore")
    assert [fix.value for fix in found.findings[0].fixes] == ["feature"]
    found = check([f"p{n // 2 if n < 20 else n}" for n in range(50)], "identifier", "ignore")
    assert "group" in [fix.value for fix in found.findings[0].fixes]
    found = check([f"he said {n} words that day and left" for n in range(30)], "text", "ignore")
    assert found.findings[0].severity == "warning"
    check([f"p{n}" for n in range(5)], "nominal", "feature")


@pytest.mark.parametrize("code", ["2023-{}", "23/{}", "#A-{}", "#{}", "№ {}"])
def test_what_counts_is_an_identifier_without_a_question_about_numbers(code: str) -> None:
    found = check([code.format(10_000 + n) for n in range(40)], "identifier", "ignore")
    assert [finding.kind for finding in found.findings] == ["identifier"]


def test_times_and_ranges_are_no_codes() -> None:
    for values in ([f"1990-{1991 + n}" for n in range(40)], [f"{n}-{n + 7}" for n in range(100)]):
        found = plan([*values])
        assert [finding.kind for finding in found.findings] == ["numbers in texts ignored"]


def test_many_values_warn() -> None:
    found = check([f"v{n % 150}" for n in range(1600)], "nominal", "feature")
    assert [finding.kind for finding in found.findings] == ["many values"]
    assert found.findings[0].severity == "warning"


def test_names_of_a_few_rows_each_are_left_out_unless_wanted() -> None:
    names = [f"v{n % 150}" for n in range(600)]
    found = check(names, "nominal", "ignore")
    (finding,) = found.findings
    assert (finding.kind, finding.severity) == ("many values", "note")
    said = in_options(str(finding), {"role": "--role", "group_values": "--group"})
    assert "150 different values in 600 rows, a few rows for each, and is ignored." in said
    assert "(--role c=feature)" in said
    assert "(--group c)" in said
    for options in ({"roles": {"c": "feature"}}, {"types": {"c": "nominal"}}):
        assert plan(names, **options).role == "feature"
        assert not plan(names, **options).findings
    grouped = plan(names, group_values=("c",))
    assert grouped.role == "feature"
    assert len(grouped.columns[0].categories or ()) == 21


def test_very_many_values_are_left_out_unless_wanted() -> None:
    values = [f"v{n % 10_001}" for n in range(30_000)]
    (finding,) = check(values, "nominal", "ignore").findings
    said = in_options(str(finding), {"role": "--role", "group_values": "--group"})
    assert "10,001 different values in 30,000 rows, too many for categories" in said
    assert "(--role c=feature)" in said
    assert plan(values, roles={"c": "feature"}).role == "feature"
    assert plan(values, types={"c": "nominal"}).role == "feature"


def test_python_warns_of_free_text_that_it_leaves_out() -> None:
    lines = [f"{n % 7},he said {n} words on that day and left,{'ab'[n % 2]}" for n in range(40)]
    with pytest.warns(ProbTreesWarning, match="'t' looks like free text .* and is ignored"):
        data = read_table(csv("x,t,y", *lines))
    assert data.schema.names == ("x", "y")
    kept = read_table(csv("x,t,y", *lines), types={"t": "nominal"})
    assert kept.schema.names == ("x", "t", "y")


def test_the_user_knows_better() -> None:
    assert plan([f"p{n}" for n in range(30)], roles={"c": "feature"}).role == "feature"
    assert plan([f"p{n}" for n in range(30)], types={"c": "nominal"}).role == "feature"
    assert plan([3, 3, 3], roles={"c": "feature"}).columns[0].name == "c"
    assert plan([1, 2, 1], types={"c": "nominal"}).columns[0].categories == ("1", "2")


def test_dates() -> None:
    values: list[object] = ["2020-01-05", "2020-02-06", None]
    assert [part.name for part in check(values, "date", "feature").columns] == ["c (days)"]
    found = plan(values, date_parts=DATE_PARTS)
    assert [part.name for part in found.columns] == ["c (days)", "c (month)", "c (weekday)"]
    found = plan(["2020-01-05", "2020-01-12"], date_parts=DATE_PARTS)
    assert [part.date_part for part in found.columns] == ["days"]
    assert check(["3/4/2020", "5/6/2021"], "date", "feature").findings[0].kind == "date order"
    check(["2020-13-05", "2020-14-06"], "nominal", "feature")


def test_remarks_that_seldom_repeat_are_no_categories() -> None:
    remarks = [f"the patient says that it has hurt for {n} days" for n in range(30)]
    found = check(remarks * 5, "text", "ignore")
    assert "30 different ones in 150 rows" in found.findings[0].sentence
    assert plan(remarks * 5, types={"c": "nominal"}).role == "feature"
    answers = [f"I would say that I am {word} content" for word in ("very", "quite", "not")]
    check(answers * 50, "nominal", "feature")
    check(remarks * 20, "nominal", "feature")
    short = [f"wants invoice by mail {n}" for n in range(185)]
    found = check((short * 4)[:630], "text", "ignore")
    assert "185 different ones in 630 rows" in found.findings[0].sentence
    assert plan((short * 4)[:630], types={"c": "nominal"}).role == "feature"
    towns = [f"Town {n}" for n in range(185)]
    check((towns * 4)[:630], "nominal", "ignore")
    check(short * 6, "nominal", "ignore")
    check(short * 12, "nominal", "feature")


def test_a_unit_in_part_of_the_cells_is_said() -> None:
    cells = "\n".join(f"{7 * n}{' km' if n % 3 else ''},{'ab'[n % 2]}" for n in range(30))
    (note,) = read_table(("t.csv", f"way,y\n{cells}".encode())).provenance.notes
    assert "the unit 'km' (not in 10 of 30 cells)" in note


@pytest.mark.parametrize(
    ("write", "n_values", "asked"),
    [
        (lambda n: f"{n:04d}", 59, True),
        (lambda n: f"{n:04d}", 40, False),
        (lambda n: f"Lane {chr(65 + n % 26)}{chr(65 + n // 26)}", 59, False),
    ],
)
def test_codes_in_digits_are_many_sooner_than_words(write, n_values, asked):
    rows = [f"{write(n * 7 % n_values)},{n % 11},{'yn'[n % 3 > 0]}" for n in range(2400)]
    source = ("t.csv", "\n".join(["block,x,late", *rows]).encode())
    column = inspect_table(source, target="late").column("block")
    assert (column.type, column.role) == ("nominal", "feature")
    found = [f for f in column.findings if f.kind == "many values"]
    assert [f.severity for f in found] == ["warning"] * asked
