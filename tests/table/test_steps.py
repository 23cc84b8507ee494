"""Steps: what they make of a column, what is kept of them, and that scoring replays them."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import DataError, OptionError
from probtrees.table.dataset import Schema
from probtrees.table.read_table import read_table, read_to_predict
from probtrees.table.steps import equal_frequency_cuts
from probtrees.table.table_report import inspect_table

ROWS = [
    # sex, town, answers, born, admitted, discharged, amount, verdict
    ("m", "Ulm", "fever, cough", "1950-03-01", "2020-01-10", "2020-01-12", "10", "Likely"),
    ("M", "Ulm", "cough", "1980-03-01", "2020-02-10", "2020-02-20", "20", "Very likely"),
    ("f", "Bonn", "rash; Fever", "1960-03-01", "2020-01-15", "", "30", "Unlikely"),
    ("female", "Bonn", "", "1990-03-01", "2020-03-10", "2020-03-12", "40", "Never"),
    ("F", "Köln", "rash", "", "2020-03-01", "2020-03-02", "999", "Likely"),
    ("", "Kiel", "cough, rash", "2000-03-01", "2020-01-20", "2020-02-12", "60", "Never"),
]
NAMES = ("sex", "town", "answers", "born", "admitted", "discharged", "amount", "verdict")
TABLE = {name: [row[n] for row in ROWS] * 4 for n, name in enumerate(NAMES)}


def read(*steps: dict[str, object], target: str = "verdict", **options: object):
    return read_table(TABLE, target, steps=steps, **options)  # type: ignore[arg-type]


CASES = [
    # step, the columns that it makes, the cells of the first six rows
    ({"step": "join", "column": "sex"}, {"sex": ["M", "M", "F", "F", "F", None]}),
    ({"step": "recode", "column": "sex", "values": {"M": "m", "female": "f", "F": "", "": "?"}},
     {"sex": ["m", "m", "f", "f", None, "?"]}),
    ({"step": "group", "column": "town", "keep": 2},
     {"town": ["Ulm", "Ulm", "Bonn", "Bonn", "other", "other"]}),
    ({"step": "split", "column": "answers"},
     {"answers: cough": ["yes", "yes", "no", None, "no", "yes"],
      "answers: rash": ["no", "no", "yes", None, "yes", "yes"]}),
    ({"step": "missing", "column": "amount", "texts": ["999"]},
     {"amount": [10, 20, 30, 40, None, 60]}),
    ({"step": "age", "column": "born", "on": "admitted"},
     {"born (age)": [69.8, 39.9, 59.8, 30.0, None, 19.8]}),
    ({"step": "age", "column": "born", "on": "2030-03-01"},
     {"born (age)": [80.0, 50.0, 70.0, 40.0, None, 30.0]}),
    ({"step": "age", "column": "admitted", "to": "discharged"},
     {"admitted to discharged (days)": [2, 10, None, 2, 1, 23]}),
    ({"step": "join outcomes", "values": ["Likely", "Very likely"]},
     {"verdict": [*["Likely or Very likely"] * 2, "other", "other", "Likely or Very likely",
                  "other"]}),
]  # fmt: skip


def cells(data, name: str) -> list[object]:
    """Return the first six cells of a column, categories by name."""
    at = data.schema.names.index(name)
    names, found = data.schema.columns[at].categories, data.values[:6, at].tolist()
    return [None if np.isnan(v) else v if names is None else names[int(v)] for v in found]


@pytest.mark.parametrize(("step", "made"), CASES)
def test_what_a_step_makes_and_that_scoring_replays_it(step, made):
    data = read(step)
    for name, expected in made.items():
        assert cells(data, name) == expected
    kept = Schema.from_dict(json.loads(json.dumps(data.schema.to_dict())))
    assert kept == data.schema
    again = read_to_predict(TABLE, kept)
    np.testing.assert_array_equal(again.values, data.values)
    assert data.provenance.options["steps"] == [step]


@pytest.mark.parametrize(
    ("step", "classes"),
    [
        ({"step": "cut", "classes": 2}, ("up to 30", "over 30")),
        ({"step": "cut", "at": 25}, ("up to 25", "over 25")),
        ({"step": "cut", "at": [15, 45]}, ("up to 15", "over 15 to 45", "over 45")),
        ({"step": "cut", "classes": 0}, ("10", "20", "30", "40", "60", "999")),
    ],
)
def test_a_numeric_target_is_cut(step, classes):
    data = read(step, target="amount")
    assert data.schema.classes == classes
    again = read_to_predict(TABLE, data.schema)
    np.testing.assert_array_equal(again.values, data.values)
    named = {**TABLE, "amount": [classes[0]] * 24}
    assert read_to_predict(named, data.schema).labels.tolist() == [0] * 24


WRONG = [
    ({"step": "jion", "column": "sex"}, OptionError, "Did you mean 'join'"),
    ({"step": "join"}, OptionError, "column=None must be str"),
    ({"step": "group", "column": "town", "kep": 2}, OptionError, "one of column, keep"),
    ({"step": "group", "column": "town", "keep": "2"}, OptionError, "must be int"),
    ({"step": "join", "column": "sexx"}, DataError, "must be a column of .* Did you mean 'sex'"),
    ({"step": "age", "column": "born", "on": "town"}, DataError, "must be a column of dates"),
    ({"step": "age", "column": "born", "on": "2020-13-45"}, OptionError, "must be a date"),
    ({"step": "join outcomes", "values": ["Likly"]}, DataError, "Did you mean 'Likely'"),
    ({"step": "convert", "column": "amount", "how": "/10"}, OptionError, "a table to score"),
    ({"step": "cut", "classes": 2}, DataError, "must be numbers to be cut"),
    ("join", OptionError, "must be a mapping"),
]


@pytest.mark.parametrize(("step", "error", "words"), WRONG)
def test_what_cannot_be_done_is_refused_in_a_sentence(step, error, words):
    with pytest.raises(error, match=words):
        read(step)


def test_steps_are_offered_where_they_help():
    table = {**TABLE, "sex": ["Yes", "yes", "no", "no", "No ", ""] * 4}
    kinds = {f.kind: f.fixes[0].value for f in inspect_table(table).findings if f.fixes}
    assert kinds["variants"] == {"step": "join", "column": "sex"}
    assert kinds["several answers"] == {"step": "split", "column": "answers"}
    assert kinds["birth"] == {"step": "age", "column": "born"}


@settings(max_examples=50)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50), st.integers(2, 6))
def test_cuts_part_the_numbers_and_keep_equal_ones_together(numbers, n_classes):
    values = np.array(numbers)
    cuts = equal_frequency_cuts(values, n_classes)
    assert len(cuts) <= n_classes - 1
    assert (np.diff(cuts) > 0).all()
    counts = np.bincount(np.searchsorted(cuts, values), minlength=len(cuts) + 1)
    assert (counts > 0).all() or len(np.unique(values)) == 1
