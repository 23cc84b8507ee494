"""A target whose texts hold numbers is a numeric one once somebody says so, and asked about."""

import numpy as np
from probtrees.table.infer.guess_reading import guess_for
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table

N = 300


def table(cells: list[str]) -> tuple[str, bytes]:
    lines = [f"{n % 13},{'ab'[n % 2]},{cell}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join(["x,kind,y", *lines]).encode()


ABOUT = table([f"{n * 7 % 90} ± {n % 4}" if n % 5 else f"~{n * 7 % 90}" for n in range(N)])
NAMES = table([f"w{n % 60}x" for n in range(N)])


def test_the_question_stays_where_the_column_is_the_target():
    report = inspect_table(ABOUT, target="y")
    (asked,) = (f for f in report.column("y").findings if f.kind == "numbers in texts")
    assert asked.severity == "warning"
    assert f"it is now {len(report.class_counts)} classes." in asked.sentence
    assert [fix.setting for fix in asked.fixes] == ["numbers_in", "type"]
    kept = inspect_table(ABOUT, target="y", types={"y": "nominal"})
    assert len(kept.class_counts) == len(report.class_counts)
    assert not [f for f in kept.column("y").findings if f.severity == "warning"]


def test_a_target_is_cut_once_its_numbers_are_read():
    reading = ReadOptions(numbers_in=("y",))
    guess = guess_for(lambda r: inspect_table(ABOUT, **r.arguments), reading, "y")
    assert guess.reading.cut_target is not None
    report = inspect_table(ABOUT, **guess.reading.arguments)
    assert report.usable
    assert report.column("y").type == "numeric"
    assert [name.split()[0] for name, _ in report.class_counts] == ["up", "over"]


def test_a_later_table_is_read_as_the_target_was():
    data = read_table(ABOUT, target="y", numbers_in=["y"], cut_target=44)
    numbers = np.array([n * 7 % 90 for n in range(N)])
    np.testing.assert_array_equal(data.values[:, -1], numbers > 44)
    again = read_table(ABOUT, schema=data.schema)
    np.testing.assert_array_equal(again.values[:, -1], data.values[:, -1])


def test_the_unit_of_a_cut_target_is_that_of_training():
    long = table([f"{n * 7 % 90 + 100} cm" for n in range(N)])
    data = read_table(long, target="y", cut_target=144)
    metres = table([f"{(n * 7 % 90 + 100) / 100:.2f} m" for n in range(N)])
    again = read_table(metres, schema=data.schema)
    np.testing.assert_array_equal(again.values[:, -1], data.values[:, -1])


def test_many_classes_of_a_few_rows_each_are_warned_of():
    report = inspect_table(NAMES, target="y")
    (warned,) = (f for f in report.column("y").findings if f.severity == "warning")
    assert "has 60 classes in 300 rows, 5 rows each on average" in warned.sentence
    group = warned.fixes[0]
    reading = ReadOptions(target="y").with_fix("y", group.setting, group.value)
    again = inspect_table(NAMES, target="y", group_values=reading.group_values)
    assert len(again.class_counts) == 21
    assert not [f for f in again.column("y").findings if f.severity == "warning"]


def test_classes_of_enough_rows_are_not_warned_of():
    enough = table([f"w{n % 30}x" for n in range(N)])
    assert not inspect_table(enough, target="y").column("y").findings


def test_grouping_a_few_values_changes_nothing():
    data = read_table(NAMES, target="kind", group_values=["kind", "x"])
    assert data.schema.target.categories == ("a", "b")


def test_stand_ins_are_asked_about_in_a_target_that_is_cut():
    days = table([str(9999 if n % 10 == 0 else n * 7 % 90) for n in range(N)])
    findings = inspect_table(days, target="y", cut_target=44).column("y").findings
    (asked,) = (found for found in findings if found.kind == "maybe missing")
    assert "9999 in 30 rows" in asked.sentence
