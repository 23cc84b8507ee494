import json

import numpy as np

from probtrees.table.cuts import Cuts, interval_names
from probtrees.table.dataset import UNSEEN, Column, Dataset, Schema

SCHEMA = Schema((Column("age"), Column("sex", ("f", "m")), Column("y", ("no", "yes"))))
TRAIN = Dataset(SCHEMA, np.array([[30, 0, 0], [50, np.nan, 1], [np.nan, 1, 1]]))


def test_missing_is_a_category_only_where_training_rows_had_it():
    cuts = Cuts.noting_missing(TRAIN, {0: np.array([40.0])})
    cut = cuts.apply(TRAIN)
    assert cut.schema.columns[0].categories == ("up to 40", "above 40", "not recorded")
    assert cut.schema.columns[1].categories == ("f", "m", "not recorded")
    assert cut.schema.columns[2] == SCHEMA.columns[2]
    assert cut.values.tolist() == [[0, 0, 0], [1, 2, 1], [2, 1, 1]]

    complete = TRAIN.take(np.array([0]))
    cuts = Cuts.noting_missing(complete, {0: np.array([40.0])})
    assert cuts.not_recorded == ()
    assert np.isnan(cuts.apply(TRAIN).values[2, 0])


def test_cuts_lie_below_and_unseen_categories_stay_unseen():
    cuts = Cuts.noting_missing(TRAIN, {0: np.array([40.0])})
    new = Dataset(SCHEMA, np.array([[40, UNSEEN, np.nan], [40.1, 0, np.nan]]))
    assert cuts.apply(new).values[:, :2].tolist() == [[0, UNSEEN], [1, 0]]


def test_data_are_left_alone_where_there_is_nothing_to_do():
    assert Cuts({}).apply(TRAIN) is TRAIN
    before = TRAIN.values.copy()
    Cuts.noting_missing(TRAIN).apply(TRAIN)
    assert np.array_equal(TRAIN.values, before, equal_nan=True)


def test_a_declared_category_of_that_name_keeps_it():
    schema = Schema((Column("sex", ("f", "not recorded")), SCHEMA.columns[2]))
    data = Dataset(schema, np.array([[np.nan, 0.0]]))
    categories = Cuts.noting_missing(data).apply(data).schema.columns[0].categories
    assert categories == ("f", "not recorded", "not recorded (missing)")


def test_cuts_survive_a_file():
    cuts = Cuts.noting_missing(TRAIN, {0: np.array([1 / 3, 40.0])})
    again = Cuts.from_dict(json.loads(json.dumps(cuts.to_dict())))
    assert again.not_recorded == cuts.not_recorded
    assert {k: v.tolist() for k, v in again.points.items()} == {0: [1 / 3, 40.0]}


def test_names_have_as_many_digits_as_keep_cuts_apart():
    assert interval_names(np.array([1.00001, 1.00002]))[1] == "1.00001 to 1.00002"
