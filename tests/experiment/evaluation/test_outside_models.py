import numpy as np
import pytest

from probtrees.experiment.evaluation.cross_validate import compare
from probtrees.experiment.evaluation.outside_models import OUTSIDE, measure_outside
from probtrees.table.folds import read_plan
from tests.small_tables import patients


@pytest.mark.parametrize("name", OUTSIDE)
def test_every_method_answers_every_row_and_finds_what_is_there(name):
    pytest.importorskip(OUTSIDE[name].package)
    data = patients(160)
    cuts = read_plan(3).cut(data)
    found = measure_outside(data, name, cuts)
    assert np.allclose(found.proba[0].sum(axis=1), 1)
    assert found.scores.auc > 0.6
    ours = compare(data, "c45", ["laplace"], folds=cuts)[0]
    assert found.base_rate.brier == pytest.approx(ours.base_rate.brier)
    assert found.scores.keys() == ours.scores.keys()


def test_held_out_rows_teach_nothing():
    data = patients(90, missing=False)
    cuts = read_plan("holdout=0.5").cut(data)
    first = measure_outside(data, "logistic", cuts)
    tested = cuts[0].test_fold >= 0
    data.values[tested, -1] = 1 - data.values[tested, -1]
    again = measure_outside(data, "logistic", cuts)
    assert np.array_equal(first.proba[0][tested], again.proba[0][tested])
    assert np.isnan(first.proba[0][~tested]).all()
