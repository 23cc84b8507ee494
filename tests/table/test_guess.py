"""Which column people probably want to know, and which of its outcomes."""

import pytest

from probtrees.table.guess import guess_outcome, guess_reading
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import sample_names, sample_path
from probtrees.table.table_report import inspect_table

N = 120
KINDS = {
    "id": [f"P{n:03}" for n in range(N)],
    "number": [f"{(n * 37) % 101 / 3:.2f}" for n in range(N)],
    "two": ["red" if n % 7 < 3 else "blue" for n in range(N)],
    "five": [f"k{(n * n) % 5}" for n in range(N)],
    "date": [f"2020-01-{1 + n % 28:02}" for n in range(N)],
    "yes": ["yes" if (n * 3) % 10 < 3 else "no" for n in range(N)],
}


def guess(columns: dict[str, str], said: ReadOptions | None = None):
    """Guess about a table of columns by name and kind."""
    rows = zip(*(KINDS[kind] for kind in columns.values()), strict=True)
    content = "\n".join([",".join(columns), *map(",".join, rows)]).encode()
    return guess_reading(lambda o: inspect_table(("t.csv", content), o), said or ReadOptions())


TARGETS = [
    ({"a": "number", "b": "five", "c": "two"}, "c"),
    ({"churn": "yes", "a": "number", "b": "five"}, "churn"),
    ({"a": "number", "diagnosis": "five", "sex": "two"}, "diagnosis"),
    ({"a": "number", "outcome": "yes", "id": "id"}, "outcome"),
    ({"a": "five", "quality": "five", "visited": "date"}, "quality"),
    ({"a": "number", "b": "two", "price": "number"}, "price"),
    ({"Gekündigt": "yes", "a": "number", "Alter": "number"}, "Gekündigt"),
    ({"kind": "two", **{f"gene{n}": "number" for n in range(12)}}, "kind"),
]


@pytest.mark.parametrize(("columns", "target"), TARGETS)
def test_the_target_that_is_guessed(columns, target):
    found = guess(columns)
    assert found.reading.target_name(list(columns)) == target
    assert found.reason.startswith("Guessed")


@pytest.mark.parametrize("name", sample_names())
def test_samples_are_guessed_by_their_last_column(name):
    path = sample_path(name)
    found = guess_reading(lambda o: inspect_table(path, o), ReadOptions())
    report = inspect_table(path, found.reading)
    assert report.target == report.columns[-1].name
    assert report.usable
    assert report.questions == tuple(q for q in report.questions if q.question == "rows")


def test_what_a_person_says_stays():
    columns = {"a": "number", "b": "two", "id": "id", "died": "yes"}
    said = ReadOptions("b", roles={"id": "feature"})
    found = guess(columns, said)
    assert found.reading.target == "b"
    assert found.reading.roles["id"] == "feature"
    assert found.reason == ""
    assert said == ReadOptions("b", roles={"id": "feature"})


def test_a_numeric_target_is_cut_in_two():
    found = guess({"a": "two", "b": "five", "price": "number"})
    (step,) = found.reading.steps
    assert step["step"] == "cut"
    kept = guess(
        {"a": "two", "price": "number"}, ReadOptions(steps=({"step": "cut", "classes": 4},))
    )
    assert kept.reading.steps == ({"step": "cut", "classes": 4},)


OUTCOMES = [
    ([("No", 90), ("Yes", 161)], "Yes"),
    ([("0", 90), ("1", 161)], "1"),
    ([("alive", 5), ("dead", 200)], "dead"),
    ([("a", 5), ("b", 9)], "a"),
    ([("well", 40), ("flu", 9)], "flu"),
    ([("other", 5), ("A", 90)], "A"),
    ([("stayed", 10), ("left", 90)], "left"),
    ([("rejected", 10), ("accepted", 90)], "accepted"),
    ([("showed up", 50), ("no show", 20)], "no show"),
    ([("none", 731), ("partial", 116), ("total", 53)], "partial"),
    ([("pending", 90), ("A", 30), ("B", 20)], "A"),
    ([("ja", 30), ("nein", 20)], "ja"),
    ([("setosa", 50), ("virginica", 50), ("versicolor", 50)], "versicolor"),
]


@pytest.mark.parametrize(("counts", "asked"), OUTCOMES)
def test_the_outcome_that_is_asked_about(counts, asked):
    found = guess_outcome(counts)
    assert counts[found.number][0] == asked
    assert found.reason


def test_a_tie_is_no_most_frequent_class() -> None:
    assert "the last of" in guess_outcome([("a", 50), ("b", 50), ("c", 50)]).reason
