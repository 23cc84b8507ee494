import numpy as np
import pandas as pd
import pytest

import probtrees
from probtrees.errors import OptionError

HOSTILE = "<i>x</i>"


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(5)
    x = random.normal(size=80)
    kind = random.choice(["a", HOSTILE], 80)
    return pd.DataFrame({"x": x, "kind": kind, HOSTILE: np.where(x > 0.3, HOSTILE, "no")})


@pytest.fixture(scope="module")
def model(frame):
    return probtrees.fit(frame, "c45", "laplace", target=HOSTILE, track_record=True)


def test_what_was_measured_shows_itself_and_escapes(frame, model):
    compared = probtrees.compare(frame, smoothers=["mle", "laplace"], target=HOSTILE, folds=3)
    measured = probtrees.cross_validate(frame, smoother="laplace", target=HOSTILE, folds=3)
    assert compared[1].scores == measured.scores
    one = probtrees.compare(frame, smoothers="laplace", target=HOSTILE, folds=3)
    assert [result.scores for result in one] == [measured.scores]
    assert compared.to_frame()["brier"].iloc[1] == measured.scores["brier"]
    assert "base rate" in repr(compared)
    shown = (compared, measured, probtrees.validate(model, frame), model.track_record)
    for each in (*shown, probtrees.read_table(frame, HOSTILE)):
        html = each._repr_html_()
        assert "<table" in html
        assert HOSTILE not in html
        assert len(repr(each)) < 2000
    assert model.track_record.to_frame()["rows"].sum() == pytest.approx(80)
    assert "clearly below that:\n- where x is" in model.summary("no")


def test_columns_at_a_glance_are_shown_and_reported(frame, model, tmp_path):
    columns = probtrees.column_importance(
        frame.rename(columns={"kind": HOSTILE + "kind"}), smoother="laplace", target=HOSTILE
    )
    assert columns[0].name == "x"
    assert columns[0].is_clear
    assert columns.to_frame()["loss"].is_monotonic_decreasing
    assert "x: +." in repr(columns)
    drawn = columns._repr_html_()
    assert "95 % interval" in drawn
    assert HOSTILE not in drawn
    model.report(tmp_path / "with.html", columns=columns)
    model.report(tmp_path / "without.html")
    written = [(tmp_path / name).read_text() for name in ("with.html", "without.html")]
    assert ["Columns at a glance" in page for page in written] == [True, False]
    assert HOSTILE not in written[0]


def test_a_classifier_says_why(frame):
    features, labels = frame[["x", "kind"]], frame[HOSTILE]
    fitted = probtrees.C45Classifier(smoother="laplace").fit(features, labels)
    explained = fitted.explain(features.iloc[[4]], outcome="no")
    says = fitted.predict_proba(features.iloc[[4]])[0, list(fitted.classes_).index("no")]
    assert explained.probability == pytest.approx(says)
    assert fitted.explain(leaf=explained.node, outcome="no") == explained
    fitted.set_params(class_weight="balanced").fit(features, labels)
    with pytest.raises(OptionError, match="weighted_proba"):
        fitted.explain(features.iloc[[4]])
