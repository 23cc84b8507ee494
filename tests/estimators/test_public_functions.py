"""The package's functions as somebody in a notebook calls them, also by mistake."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import probtrees
from probtrees.errors import DataError, OptionError


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(5)
    age, smoker = random.integers(20, 80, 80), random.random(80) < 0.4
    ill = np.where(age + 20 * smoker > 60, "yes", "no")
    return pd.DataFrame(
        {"age": age, "smoker": smoker, "weight": random.normal(70, 9, 80), "ill": ill}
    )


@pytest.fixture(scope="module")
def model(frame):
    return probtrees.fit(frame, "c45", "laplace", target="ill")


def test_every_kind_of_frame_and_what_frames_are_made_of_give_the_same_model(frame, model):
    expected = model.predict_proba(frame)
    records = frame.to_dict("records")
    tables = [
        pl.from_pandas(frame),
        pl.from_pandas(frame).lazy(),
        pa.Table.from_pandas(frame),
        pa.RecordBatch.from_pandas(frame),
        frame.to_dict("list"),
        records,
        frame.convert_dtypes(),
    ]
    for table in tables:
        fitted = probtrees.fit(table, "c45", "laplace", target="ill")
        np.testing.assert_array_equal(fitted.predict_proba(table), expected)


@pytest.mark.parametrize("written", ["int64", "float64", "str", "boolean"])
def test_truth_values_are_known_however_they_are_written(frame, model, written):
    other = frame.assign(smoker=frame["smoker"].astype(written))
    np.testing.assert_array_equal(model.predict_proba(other), model.predict_proba(frame))
    estimator = probtrees.C45Classifier(smoother="laplace")
    given = frame.drop(columns="ill")
    fitted = estimator.fit(given, frame["ill"])
    if written != "float64":  # in X a float is a number
        np.testing.assert_array_equal(
            fitted.predict_proba(other[given.columns]), fitted.predict_proba(given)
        )


@pytest.mark.parametrize(
    ("arguments", "settings", "sentence"),
    [
        (("ill",), {}, "named by target="),
        (("c46",), {}, "Did you mean 'c45'"),
        ((pd.Series(["yes", "no"]),), {}, "learner=Series must be a name or a learner"),
        (("c45", 3), {"target": "ill"}, "smoother=int must be a name or a smoother"),
        ((), {"target": pd.Series(["yes", "no"])}, "target=Series must be the name of a column"),
        ((), {"target": ("ill", "x")}, "must be a column of the data frame"),
        ((), {"target": "ill", "min_leaf": 5}, r"Give it to the learner: C45\(min_leaf=5\)"),
        ((), {"target": "ill", "sead": 5}, "Did you mean 'seed'"),
        ((), {"target": "ill", "random_state": 5}, "It is called 'seed' here"),
    ],
)
def test_mistakes_in_a_call_are_named(frame, arguments, settings, sentence):
    with pytest.raises((DataError, OptionError), match=sentence):
        probtrees.fit(frame, *arguments, **settings)


def test_options_of_reading_may_stand_beside_those_of_the_model(frame):
    cut = {"step": "cut", "classes": 3}
    reading = {"target": "weight", "roles": {"age": "ignore"}, "steps": [cut]}
    fitted = probtrees.fit(frame, "c45", "laplace", **reading)
    assert fitted.schema.names == ("smoker", "ill", "weight")
    assert len(fitted.classes_) == 3
    with pytest.raises(OptionError, match="read already"):
        probtrees.fit(probtrees.read_table(frame, "ill"), roles={"age": "ignore"})


def test_rows_to_predict_come_in_many_ways(frame, model):
    two = frame.drop(columns="ill").iloc[:2]
    expected = model.predict_proba(frame)[:2]
    for rows in (two, two.to_dict("records"), two.to_dict("list"), pl.from_pandas(two)):
        np.testing.assert_array_equal(model.predict_proba(rows), expected)
    assert model.predict_proba([]).shape == (0, 2)
    without = model.predict_proba(two.drop(columns="age"), not_recorded=["age"])
    np.testing.assert_array_equal(without, model.predict_proba(two.assign(age=np.nan)))
    np.testing.assert_array_equal(
        without, model.predict_proba(two[["smoker", "weight"]].to_dict("list"))
    )


def test_cells_that_are_no_numbers_name_their_column(frame):
    features = frame.drop(columns="ill")
    fitted = probtrees.C45Classifier(smoother="laplace").fit(features, frame["ill"])
    with pytest.raises(DataError, match="'age'='old' must be a number"):
        fitted.predict(features.assign(age="old"))
    with pytest.raises(DataError, match="column='parts' must hold numbers"):
        fitted.fit(features.assign(parts=[[1]] * 80), frame["ill"])
    with pytest.raises(OptionError, match="keeps no rows"):
        fitted.explain(3)
