"""What columns are taken for, what is asked about them, and how the answers are followed."""

import time

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.machine.checkpoint import watched
from probtrees.machine.limits import ServerLimits
from probtrees.table.findings import QUESTIONS
from probtrees.table.infer.plan import plan_table
from probtrees.table.raw_table import Numbers, RawTable, Texts
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import inspect_table

N = 60
RANDOM = np.random.default_rng(7)


def cells(*values: object) -> list[str]:
    """Repeat values over the rows."""
    return [str(values[n % len(values)]) for n in range(N)]


def source(name: str, column: list[str]) -> tuple[str, bytes]:
    """Make a table of the column, three others and a target."""
    rows = [f'{n % 7},{n % 5},{n % 3},"{cell}",{"yn"[n % 2]}' for n, cell in enumerate(column)]
    return "t.csv", "\n".join([f"a,b,c,{name},y", *rows]).encode()


IDS = [f"P{n:04}" for n in range(N)]
NUMBERS = [str(n) for n in RANDOM.permutation(N) + 4000]
PEOPLE = [
    f"{first} {last}" for first in ("Ann", "Bob", "Eve") for last in ["Wood", "Lee", "Roe", "Ash"]
]
REMARKS = [f"the patient came {n} days after the letter was sent to us" for n in range(N)]
AGES = [str(20 + n) for n in range(N)]

CASES = [
    # name, cells, type, role, question
    ("age", AGES, "numeric", "feature", "aside"),  # it counts the rows
    ("x", cells(1.5, 2, 3), "numeric", "feature", None),
    ("x", cells("1,200", "900", "3,450"), "numeric", "feature", None),
    ("x", cells("red", "green"), "nominal", "feature", None),
    ("x", cells("yes", "no"), "boolean", "feature", None),
    ("x", cells("red", "green", "unknown"), "nominal", "feature", "missing"),
    ("x", cells("none", "mild", "severe"), "nominal", "feature", None),
    ("x", ["n.d.", *cells(45, 42.5, 60)[1:]], "numeric", "feature", None),
    ("x", ["hello", *cells(45, 42.5, 60)[1:]], "numeric", "feature", "missing"),
    ("x", ["999", "999", *AGES[2:]], "numeric", "feature", "missing"),
    ("x", ["999", "999", "96", "99", *AGES[4:]], "numeric", "feature", "missing"),
    ("x", ["-9", "-9", *AGES[2:]], "numeric", "feature", "missing"),
    ("x", ["-9", "-9", *cells(-3, 2.5, 4)[2:]], "numeric", "feature", None),
    ("x", cells(""), "constant", "ignore", None),
    ("x", cells("same"), "constant", "ignore", None),
    ("x", cells("x", ""), "nominal", "feature", None),
    ("x", cells(1, ""), "nominal", "feature", None),
    ("patient_id", IDS, "identifier", "ignore", "aside"),
    ("patient_id", [*IDS[:30], *IDS[:30]], "identifier", "ignore", "rows"),
    ("Kundennr", NUMBERS, "identifier", "ignore", "aside"),
    ("row", [str(n) for n in range(N)], "identifier", "ignore", "aside"),
    ("year", [str(1950 + n) for n in range(N)], "numeric", "feature", None),
    ("x", NUMBERS, "identifier", "ignore", "aside"),
    ("price", NUMBERS, "numeric", "feature", "aside"),
    ("employee", cells(*PEOPLE), "nominal", "ignore", "aside"),
    ("product name", cells(*PEOPLE), "nominal", "feature", None),
    ("x", REMARKS, "text", "ignore", "aside"),
    ("zip", cells(80331, 10115, 20095), "nominal", "feature", None),
    ("x", cells("007", "011", "105"), "nominal", "feature", None),
    ("ward code", cells(1, 2, 3), "numeric", "feature", "code"),
    ("admitted", cells("2020-01-31", "2020-02-01"), "date", "ignore", None),
    ("date of birth", cells("1950-01-31", "1980-02-01"), "date", "feature", None),
    ("d", cells("1/2/2020", "3/4/2020", "5/6/2020"), "date", "ignore", "order"),
    ("d", cells("13/2/2020", "3/4/2020"), "date", "ignore", None),
    ("weight", cells(0.5, 1.25, 1.5), "numeric", "feature", None),
]


@pytest.mark.parametrize(("name", "column", "of_type", "role", "question"), CASES)
def test_what_a_column_holds(name, column, of_type, role, question):
    report = inspect_table(source(name, column))
    found = report.column(name)
    assert (found.type, found.role) == (of_type, role)
    asked = [f.question for f in found.findings if f.question and f.kind != "leak"]
    assert asked[:1] == ([question] if question else [])
    assert found.why or role != "ignore"


ANSWERED = [
    (name, column, fix) for name, column, _, _, question in CASES if question for fix in range(2)
]


@pytest.mark.parametrize(("name", "column", "number"), ANSWERED)
def test_an_answer_ends_the_question(name, column, number):
    table = source(name, column)
    found = next(f for f in inspect_table(table).column(name).findings if f.question)
    if number >= len(found.fixes):
        return
    fix = found.fixes[number]
    said = ReadOptions().with_fix(fix)
    again = inspect_table(table, said).column(name).findings
    assert (found.question, found.kind) not in [(f.question, f.kind) for f in again]
    kept = ReadOptions.from_record({**said.record, "roles": said.roles})
    assert (kept, hash(kept)) == (said, hash(said))


@pytest.mark.parametrize(
    ("column", "kind", "problem"),
    [
        (cells("red", "green"), "numeric", "'x'='red' in row 1 must be a number"),
        (cells("2020-01-01", "soon"), "date", "'x'='soon' in row 2 must be a date"),
        (cells("1", "inf"), "", "'x'='inf' in row 2 must be a finite number"),
    ],
)
def test_a_cell_that_cannot_be_read_is_named(column, kind, problem):
    with pytest.raises(DataError, match=problem):
        read_table(source("x", column), types={"x": kind} if kind else None)


TARGETS = [
    # cells, steps, classes or problem
    (cells("no", "yes"), (), ("no", "yes")),
    (cells(1, 0), (), ("0", "1")),
    (cells("1.0", "1", "2"), (), ("1", "2")),
    (cells("low", "high", "medium"), (), ("high", "low", "medium")),
    (cells("c"), (), "y has only one value"),
    (cells("", ""), (), "it has none"),
    (cells("x", ""), (), "it is 'x' or empty"),
    (cells("x", ""), ({"step": "recode", "column": "y", "values": {"": "no"}},), ("no", "x")),
    ([f"{n / 7:.2f}" for n in range(N)], (), "must be a class; it is numeric"),
    ([f"{n / 7:.2f}" for n in range(N)], ({"step": "cut", "at": 4},), ("up to 4", "over 4")),
    (cells("$1,000", "$2,500"), ({"step": "cut", "at": 2000},), ("up to 2000", "over 2000")),
    (cells("a", "b"), ({"step": "cut", "classes": 2},), "must be numbers to be cut"),
    (
        cells(*(f"v{n}" for n in range(60))),
        ({"step": "cut", "classes": 2},),
        "must be numbers to be cut",
    ),
    (IDS, (), "must be a class; it has 60 different values"),
]


@pytest.mark.parametrize(("column", "steps", "expected"), TARGETS)
def test_the_classes_of_a_target(column, steps, expected):
    rows = [f'{n % 7},"{cell}"' for n, cell in enumerate(column)]
    table = ("t.csv", "\n".join(["x,y", *rows]).encode())
    if isinstance(expected, tuple):
        assert read_table(table, steps=steps).schema.classes == expected
        return
    with pytest.raises(DataError, match=expected):
        read_table(table, steps=steps)
    assert not inspect_table(table, ReadOptions(steps=tuple(steps))).usable


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ([f"{150 + n},{n:03}" for n in range(N)], "many classes"),
        (["on request", *(f"{n / 7:.2f}" for n in range(N - 1))], "many classes"),
        ([f"{n / 7:.2f}" for n in range(N)], "numeric target"),
    ],
)
@pytest.mark.parametrize("kind_said", ["", "numeric"])
def test_answers_lead_from_a_refused_target_to_one_in_two_classes(column, kind, kind_said):
    rows = [f'{n % 7},"{cell}"' for n, cell in enumerate(column)]
    table = ("t.csv", "\n".join(["x,y", *rows]).encode())
    said = ReadOptions(types={"y": kind_said} if kind_said else {})
    errors = [f for f in inspect_table(table, said).findings if f.severity == "error"]
    assert kind_said or errors[0].kind == kind
    for _ in range(3):
        if errors:
            said = said.with_fix(errors[0].fixes[0])
        errors = [f for f in inspect_table(table, said).findings if f.severity == "error"]
    assert len(inspect_table(table, said).class_counts) == 2
    assert inspect_table(table, said).target_numbers is not None


@pytest.mark.parametrize(
    ("column", "kind", "question"),
    [
        (cells("granted", "rejected", "pending"), "undecided", "missing"),
        (cells("Yes", "no", "yes "), "variants", "target"),
    ],
)
def test_outcomes_that_are_asked_about(column, kind, question):
    rows = [f'{n % 7},"{cell}"' for n, cell in enumerate(column)]
    table = ("t.csv", "\n".join(["x,y", *rows]).encode())
    found = next(f for f in inspect_table(table).column("y").findings if f.kind == kind)
    assert found.question == question
    assert len(inspect_table(table, ReadOptions().with_fix(found.fixes[0])).class_counts) == 2


def test_whole_numbers_that_would_become_equal_stay_as_they_are_written():
    large = [str(2**53 + n % 4) for n in range(N)]
    assert inspect_table(source("x", large)).column("x").n_distinct == 4
    assert inspect_table(source("x", large)).column("x").type == "nominal"


def test_dates_follow_the_order_of_another_column():
    rows = [f"0{1 + n % 9}/02/2020,{13 + n % 9}/02/2020,{n % 3},{'yn'[n % 2]}" for n in range(N)]
    table = ("t.csv", "\n".join(["d,e,x,y", *rows]).encode())
    column = read_table(table, roles={"d": "feature"}).schema.columns[0]
    assert column.reading.day_first is True


def test_at_most_seven_questions_and_the_worst_first():
    report = inspect_table(source("x", ["999", "999", *AGES[2:]]), ReadOptions("x"))
    assert report.questions[0].severity == "error"
    assert report.target_numbers is not None
    assert {f.question for f in report.questions} <= set(QUESTIONS)


def test_labels_go_into_the_schema():
    raw = RawTable(
        {
            "sex": Texts.of(np.array([0, 1] * 10, np.int32), ("male", "female"), declared=True),
            "trust": Numbers(np.array([1.0, 5.0, 7.0, -9.0] * 5)),
            "y": Texts.of_cells(["a", "b"] * 10),
        },
        20,
        ("sex", "trust", "y"),
        labels={"sex": "Sex of respondent"},
        value_labels={"sex": (("1", "male"), ("2", "female")), "trust": (("1", "none at all"),)},
    )
    plan = plan_table(raw, ReadOptions(), "'t.sav'")
    sex, trust = plan.schema.features
    assert sex.categories == ("male", "female")
    assert sex.label == "Sex of respondent"
    assert trust.categories is None


@pytest.mark.slow
def test_a_table_as_wide_as_the_app_takes_is_looked_at_with_progress() -> None:
    n_columns, passed = ServerLimits().columns, []
    line = ",".join(("1.5", "red", "170", "yes")[n % 4] for n in range(n_columns))
    other = ",".join(("2.5", "blue", "1820", "no")[n % 4] for n in range(n_columns))
    text = "\n".join([",".join(f"c{n}" for n in range(n_columns)), *[line, other] * 100])
    start = time.process_time()
    with watched(passed.append):
        assert len(inspect_table(("t.csv", text.encode())).columns) == n_columns
    assert time.process_time() - start < 0.002 * n_columns  # 1 ms each on an idle machine
    assert f"looking at columns, {n_columns:,} of {n_columns:,}" in passed


def test_what_stands_for_no_value_is_shown_and_counted():
    column = inspect_table(source("x", ["unknown", *AGES[1:]])).column("x")
    assert (column.means_missing, column.n_missing, column.first[0]) == (("unknown",), 1, "")


def test_cells_of_several_long_answers_are_offered_a_column_per_answer():
    answers = ["reading books at home", "football with friends", "cooking for the family"]
    several = ["; ".join(answers[n % 3 :] + answers[: n % 2]) + " " * (n % 5) for n in range(N)]
    several = [f"{cell}; my own answer number {n % 19}" for n, cell in enumerate(several)]
    column = inspect_table(source("x", several)).column("x")
    assert [found.kind for found in column.findings] == ["several answers"]
    said = ReadOptions().with_fix(column.findings[0].fixes[0])
    assert len(inspect_table(source("x", several), said).column("x").columns) > 3
