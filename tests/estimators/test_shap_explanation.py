import sys
from types import SimpleNamespace

import numpy as np
import pytest

import probtrees
from probtrees.errors import OptionError


@pytest.fixture(scope="module")
def data():
    return probtrees.load_sample("titanic").take(np.arange(0, 2201, 10))


@pytest.fixture(scope="module")
def model(data):
    return probtrees.fit(data, "c45", "laplace")


def test_what_is_handed_to_shap_sums_to_the_probability(data, model, monkeypatch):
    monkeypatch.setitem(sys.modules, "shap", SimpleNamespace(Explanation=SimpleNamespace))
    given = model.to_shap(data, outcome="yes")
    answers = model.predict_proba(data)[:, data.schema.classes.index("yes")]
    assert given.base_values + given.values.sum(axis=1) == pytest.approx(answers)
    assert given.feature_names == list(data.schema.names[:-1])
    assert given.data.shape == given.display_data.shape == given.values.shape
    assert set(given.display_data[:, given.feature_names.index("sex")]) == {"male", "female"}
    assert given.output_names == "yes"
    frame = data.to_frame()
    fitted = probtrees.C45Classifier(smoother="laplace").fit(frame.iloc[:, :-1], frame.iloc[:, -1])
    again = fitted.to_shap(frame.iloc[:, :-1], outcome="yes")
    assert again.base_values + again.values.sum(axis=1) == pytest.approx(answers)


def test_shap_takes_it(data, model):
    shap = pytest.importorskip("shap")
    explained = model.to_shap(data, outcome="yes")
    assert isinstance(explained, shap.Explanation)
    assert explained[0].values.shape == (data.schema.n_columns - 1,)
    assert explained.abs.mean(0).values.shape == (data.schema.n_columns - 1,)


def test_without_shap_one_sentence_says_so(data, model, monkeypatch):
    monkeypatch.setitem(sys.modules, "shap", None)
    with pytest.raises(OptionError, match=r"pip install 'probtrees\[shap\]'"):
        model.to_shap(data)
