import math
from dataclasses import replace

import numpy as np
import pytest

from probtrees.errors import DataError, OptionError
from probtrees.experiment import inner_models
from probtrees.experiment.council import Council, pool_weights
from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.fit_shapes import refit_shapes
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import with_track_record
from probtrees.experiment.registry import make_smoother
from probtrees.explain.additive import explain_additively
from probtrees.explain.shape_curves import councillors, shape_curves
from probtrees.model.model import Model
from probtrees.model.predict import member_proba, predict_proba
from probtrees.table.dataset import UNSEEN, Dataset
from tests.small_tables import patients, table_of


@pytest.fixture(scope="module")
def council():
    data = patients(60)
    return fit(data, "council"), data


def test_weights_have_the_least_loss_around():
    random = np.random.default_rng(1)
    labels = random.integers(0, 3, 200)
    said = [
        random.dirichlet([1, 1, 1], 200) * 0.6 + 0.4 * np.eye(3)[labels] * share
        for share in (1.0, 0.6)
    ]
    said = [each / each.sum(axis=1, keepdims=True) for each in said]

    def loss(weights):
        total = 0.0
        for one, other, label in zip(*said, labels, strict=True):
            product = one ** weights[0] * other ** weights[1]
            total -= math.log(product[label] / sum(product))
        return total

    best = pool_weights(said, table_of("x, y: a b c", np.zeros(200), labels))
    for step in np.array([[0.02, 0], [-0.02, 0], [0, 0.02], [0, -0.02]]):
        if (best + step >= 0).all() and (best + step <= 2).all():
            assert loss(best + step) >= loss(best) - 1e-9


def test_the_answer_is_the_product_of_opinions(council):
    model, data = council
    product = np.ones((data.n_rows, 3))
    for member, weight in zip(model.members, model.weights, strict=True):
        product *= np.maximum(member_proba(member, data), 1e-4) ** weight
    expected = product / product.sum(axis=1, keepdims=True)
    assert predict_proba(model, data) == pytest.approx(expected, abs=1e-12)
    assert model.kind == "council"
    assert len(model.options["council"]["members"]) == len(model.weights)
    assert model.track_record is not None


def test_every_answer_is_taken_apart(council):
    model, data = council
    values = data.values.copy()
    values[::3, 0], values[1::4, 1], values[2::5, 2] = np.nan, np.nan, UNSEEN
    rows = Dataset(data.schema, values)
    proba = predict_proba(model, rows)
    for row in range(20):
        found = explain_additively(model, rows, row)
        assert found.proba == pytest.approx(proba[row], abs=1e-10)
        odds = np.log(proba[row, 1] / proba[row, found.against(1)])
        assert found.log_odds(1).sum() == pytest.approx(odds, abs=1e-9)
        assert found.ledger(1).sum() == pytest.approx(found.proba[1], abs=1e-12)


def test_the_shaped_tree_keeps_its_refits_and_nobody_fits_them_again(council, monkeypatch):
    model, data = council
    grown = grow_model(data, "council")
    fits = []
    monkeypatch.setattr(
        inner_models, "refit_shapes", lambda *given: fits.append(1) or refit_shapes(*given)
    )
    again = with_track_record(grown, grown.smooth(None))
    assert len(fits) == 5
    assert predict_proba(again, data) == pytest.approx(predict_proba(model, data), abs=1e-9)
    assert all(curve.spread is not None for curve in shape_curves(again))


def test_a_file_brings_it_back(council, tmp_path):
    model, data = council
    model.save(tmp_path / "c.json")
    again = load_model(tmp_path / "c.json")
    assert (predict_proba(again, data) == predict_proba(model, data)).all()
    assert again.weights == model.weights
    for weights in ([-1.0] * len(model.weights), [0.5] * 7, [float("nan")] * len(model.weights)):
        with pytest.raises(DataError):
            Model.from_dict({**model.to_dict(), "weights": weights}, make_smoother)


@pytest.fixture(scope="module")
def pooled():
    data = patients(40)
    return fit(data, Council(members="soft-tree,eskdb")), data


class TestEnsembleOnTheCouncil:
    def test_it_has_one_voice(self, pooled):
        model, data = pooled
        own = fit(data, "eskdb", "m-estimate")
        ensemble = model.members[model.options["council"]["members"].index("eskdb")]
        said = predict_proba(own, data)
        assert member_proba(ensemble, data) == pytest.approx(said, abs=1e-12)
        assert len(model.members) == len(model.weights) <= 2
        assert model.track_record is not None

    def test_a_file_brings_it_back(self, pooled):
        model, data = pooled
        record = model.to_dict()
        again = Model.from_dict(record, make_smoother)
        assert (predict_proba(again, data) == predict_proba(model, data)).all()
        ensemble = next(m for m in record["members"] if m.get("kind") == "average")
        for bad in (
            {**record, "weights": []},
            {**record, "members": [{"kind": "average", "members": []}] * len(model.weights)},
            {**record, "members": [{"kind": "average", "members": [ensemble]}] * 2},
        ):
            with pytest.raises(DataError):
                Model.from_dict(bad, make_smoother)


@pytest.mark.parametrize("members", ["", "tan,tan", "tan,bush"])
def test_members_must_be_known_and_different(members):
    with pytest.raises(OptionError, match="members"):
        Council(members=members)


def test_curves_are_as_loud_as_the_terms_of_a_row(council):
    model, data = council
    curves = {curve.name: curve for curve in shape_curves(model)}
    shaped = next((one for one in councillors(model) if one.name == "shaped-tree"), None)
    assert (shaped is None) == (not curves)
    assert sum(one.weight for one in councillors(model)) == pytest.approx(sum(model.weights))
    terms = explain_additively(model, data, 3).terms
    columns = [term.name for term in terms if term.kind == "column"]
    assert len(columns) == len({*columns})  # what several members say of a column is one line
    if shaped is not None:  # only the shaped tree has curves
        sole = {"members": (shaped.member,), "weights": (shaped.weight,)}
        names = {"council": {"members": [shaped.name]}}
        terms = explain_additively(replace(model, **sole, options=names), data, 3).terms
    for term in terms if shaped is not None else ():
        curve = curves.get(term.name)
        if curve is None or curve.edges is not None or term.kind != "column":
            continue
        column = data.schema.names.index(term.name)
        code = data.values[3, column]
        expected = curve.missing if np.isnan(code) else curve.scores[int(code)]
        assert term.scores == pytest.approx(expected, abs=1e-12)
    with pytest.raises(DataError, match="must be a council"):
        councillors(replace(model, members=model.members[:1], weights=()))
