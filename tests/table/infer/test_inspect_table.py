"""A look at a table reports what reading it would stumble over."""

from __future__ import annotations

import pandas as pd
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import DataError
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, sample_names, sample_path


def table(*lines: str) -> tuple[str, bytes]:
    return "table.csv", "\n".join(lines).encode()


ROWS = [
    f"p{n},{n * 37 % 101 / 7:.2f},{'abc'[n % 3]},2020-{1 + n % 12:02d}-05,"
    + ("no" if n % 5 else "yes")
    for n in range(60)
]


def test_columns() -> None:
    report = inspect_table(table("who,x,g,seen,y", *ROWS, "p60,1.5,,2020-02-05,"))
    assert report.n_rows == 61
    assert report.target == "y"
    assert report.usable
    assert [column.type for column in report.columns] == [
        "identifier",
        "numeric",
        "nominal",
        "date",
        "nominal",
    ]
    assert [column.role for column in report.columns] == [
        "ignore",
        "feature",
        "feature",
        "feature",
        "target",
    ]
    group = report.column("g")
    assert (group.n_missing, group.n_distinct) == (1, 3)
    assert group.missing_share == pytest.approx(1 / 61)
    assert dict(group.bars) == {"a": 20, "b": 20, "c": 20}
    assert sum(count for _, count in report.column("x").bars) == 61
    assert report.column("seen").examples[0] == "2020-01-05"
    assert report.class_counts == (("no", 48), ("yes", 12))
    assert report.first_rows[0] == ("p0", "0.00", "a", "2020-01-05", "yes")


def test_findings_in_words_with_fixes() -> None:
    report = inspect_table(table("who,x,g,seen,y", *ROWS, "p60,1,a,2020-01-01,"))
    kinds = [finding.kind for finding in report.findings]
    assert kinds == ["missing class", "identifier", "date"]
    assert report.findings[0].sentence == "1 row has no class and will be dropped."
    assert report.findings[1].fixes[0].value == "feature"
    assert report.findings[2].sentence.endswith("is used as: days.")
    assert report.findings[2].fixes[0].value == "time"


def test_a_rare_class_comes_with_the_option_that_answers_it() -> None:
    lines = [f"{n},{'yes' if n % 50 == 0 else 'no'}" for n in range(1500)]
    (finding,) = [f for f in inspect_table(table("x,y", *lines)).findings if f.kind == "rare class"]
    assert finding.fixes[0].setting == "separate_rows"


def test_a_class_is_rare_among_the_rows_that_have_one() -> None:
    lines = [f"{n},{'yes' if n % 100 == 0 else 'no' if n % 2 else ''}" for n in range(4000)]
    found = [f for f in inspect_table(table("x,y", *lines)).findings if f.kind == "rare class"]
    assert "Only 40 of 2,040 rows are of class 'yes'" in found[0].sentence
    few = inspect_table(table("x,y", *lines[:1600])).findings
    assert not [f for f in few if f.kind == "rare class"]


def test_what_stops_reading_is_reported_not_raised() -> None:
    lines = [f"{n % 7},he said {n} words on that day and left,{n / 3}" for n in range(40)]
    report = inspect_table(table("x,t,y", *lines))
    assert not report.usable
    errors = {finding.kind: finding for finding in report.findings if finding.severity == "error"}
    assert set(errors) == {"numeric target"}
    settings = [fix.setting for fix in errors["numeric target"].fixes]
    assert settings == ["cut_target", "bin_target"]
    assert report.class_counts == ()
    assert report.column("t").role == "ignore"
    mended = inspect_table(table("x,t,y", *lines), bin_target=3)
    assert mended.usable
    assert len(mended.class_counts) == 3


def test_a_column_that_gives_the_class_away() -> None:
    lines = [
        f"{n % 7},{'out' if n % 3 else 'in'},{n % 3 * 2.5},{'ab'[n % 3 > 0]}" for n in range(60)
    ]
    report = inspect_table(table("x,left,days,y", *lines))
    leaks = [finding.column for finding in report.findings if finding.kind == "leak"]
    assert leaks == ["left", "days"]
    finding = next(finding for finding in report.findings if finding.kind == "leak")
    assert finding.sentence.endswith("Was this known at the time of prediction?")


def test_a_rare_class_recommends_separate_rows() -> None:
    lines = [f"{n % 7},{'yes' if n % 100 == 0 else 'no'}" for n in range(2000)]
    report = inspect_table(table("x,y", *lines))
    assert [finding.kind for finding in report.findings] == ["rare class", "repeats"]
    assert "20 of 2,000 rows" in report.findings[0].sentence
    assert "only about 10 of them shape the tree" in report.findings[0].sentence
    often = [f"{n % 7},{'yes' if n % 40 == 0 else 'no'}" for n in range(2000)]
    rarer = inspect_table(table("x,y", *often)).findings[0]
    assert rarer.kind == "rare class"
    assert "one leaf" not in rarer.sentence


@pytest.mark.parametrize("name", sample_names())
def test_samples_raise_no_concern(name: str) -> None:
    report = inspect_table(sample_path(name))
    assert report.usable
    assert {finding.kind for finding in report.findings} <= {"repeats", "marks"}


def test_copies_of_rows_are_reported_with_the_other_choice() -> None:
    lines = [f"{n / 7},{n % 2}" for n in range(40)]
    (found,) = inspect_table(table("x,y", *lines, *lines)).findings
    assert found.sentence.startswith("40 of 80 rows repeat an earlier row")
    assert "kept together" in found.sentence
    assert [(fix.setting, fix.value) for fix in found.fixes] == [("repeats", "apart")]
    (found,) = inspect_table(table("x,y", *lines, *lines), repeats="apart").findings
    assert "different cases" in found.sentence
    assert inspect_table(table("x,y", *lines)).findings == ()


def test_weights_below_1_are_reported() -> None:
    lines = [f"{n / 7},0.01,{n % 2}" for n in range(40)]
    report = inspect_table(table("x,w,y", *lines), roles={"w": "weight"})
    assert [finding.kind for finding in report.findings] == ["said", "weights"]


def test_frames_and_bad_files() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]})
    assert inspect_table(frame).usable
    assert not inspect_table(frame.iloc[:0]).usable
    with pytest.raises(DataError):
        inspect_table(("t.csv", b""))


@pytest.mark.parametrize(
    "numbers",
    [
        [1e308, -1e308, 0.0, 5.0],
        [5e-324, 1e-323, 0.0, 1.5e-323],
        [1e17, 1e17 + 16, 1e17 + 32, 1e17 + 48],
        [7.0, 7.0, 7.0, 7.5],
    ],
)
def test_numbers_that_can_hardly_be_cut_into_ranges(numbers: list[float]) -> None:
    lines = [f"{number!r},{'ab'[place % 2]}" for place, number in enumerate(numbers * 5)]
    report = inspect_table(("t.csv", "\n".join(["x,y", *lines]).encode()))
    bars = report.columns[0].bars
    assert sum(count for _, count in bars) == 20


def test_a_target_with_infinity_is_looked_at_without_a_warning() -> None:
    lines = [f"{n % 5},{'inf' if n % 7 == 0 else n % 3}" for n in range(40)]
    inspect_table(("t.csv", "\n".join(["x,y", *lines]).encode()))


def test_numbers_read_without_units_are_said_with_the_way_back():
    rows = [f"{n + 40} {'mg' if n % 2 else 'ml'},{'ab'[n % 3 == 0]}" for n in range(60)]
    content = ("t.csv", "\n".join(["dose,y", *rows]).encode())
    asked = next(f for f in inspect_table(content).findings if f.kind == "several units")
    options = ReadOptions().with_fix("dose", asked.fixes[0].setting, asked.fixes[0].value)
    found = inspect_table(content, types=options.types)
    said = next(f for f in found.findings if f.kind == "said")
    assert "without their units ('mg' and 'ml')" in said.sentence
    assert "without their units" in str(read_table(content, types=options.types).provenance.notes)
    fix = said.fixes[0]
    assert options.with_fix(said.column, fix.setting, fix.value) == ReadOptions()


def test_examples_of_computed_numbers_have_a_few_digits():
    lines = [f"{1 + i / 12},{i * 0.25},{'ab'[i % 2]}" for i in range(40)]
    report = inspect_table(("t.csv", "\n".join(["years,dose,kind", *lines]).encode()))
    assert report.column("years").examples == ("1", "2.667", "4.25")
    assert report.column("dose").examples == ("0", "5", "9.75")


def test_clock_times_are_shown_to_the_second():
    rows = [f"{33 + n % 12}:{n % 60:02d},{'ab'[n % 2]}" for n in range(60)]
    report = inspect_table(("t.csv", "\n".join(["10 km,y", *rows]).encode()))
    assert all(text.count(":") == 1 for text in report.column("10 km").examples)


def test_the_first_rows_of_a_text_are_its_cells_as_they_stand() -> None:
    rows = [
        f"{n}.\t{('2+', 'k.A.', '1,50')[n % 3]}\t{('x', '')[n % 2]}\t{['ja', 'nein'][n % 2]}"
        for n in range(40)
    ]
    text = "\n".join(["Liste", "", "Nr.\tNote\tHort\tgut", *rows[:5], "\t\t\t", *rows[5:]])
    report = inspect_table(("liste.txt", text.encode()))
    assert report.rows_as_written
    assert report.first_rows[0] == ("0.", "2+", "x", "ja")
    assert report.first_rows[1] == ("1.", "k.A.", "", "nein")
    assert [row[0] for row in report.first_rows] == [f"{n}." for n in range(20)]
    frame = pd.DataFrame({"a": [1.0, None], "y": ["k.A.", "b"]})
    read = inspect_table(frame)
    assert not read.rows_as_written
    assert read.first_rows[1] == ("", "b")


def test_a_cell_stands_beside_the_number_it_was_read_as(tmp_path):
    lines = ["dose;price;share;n;ill"]
    lines += [f"{i % 7},5;£{i + 1},{100 + i};{i % 90}%;{i};{'yn'[i % 2]}" for i in range(60)]
    path = tmp_path / "doses.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    written = {column.name: column.written for column in inspect_table(path).columns}
    assert written["dose"] == "0,5 → 0.5"
    assert written["price"] == "£1,100 → 1100"
    assert written["share"] == written["n"] == written["ill"] == ""


def test_clock_times_that_are_missing_in_the_first_rows() -> None:
    rows = [
        f"{'' if n % 3 == 0 else f'{5 + n % 20}:{n % 60:02d}:00'},{'yn'[n % 2]}" for n in range(90)
    ]
    report = inspect_table(("t.csv", "\n".join(["left,late", *rows]).encode()), target="late")
    assert report.column("left").n_missing == 30
