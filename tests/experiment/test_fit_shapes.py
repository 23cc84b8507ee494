from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from probtrees.errors import DataError, OptionError
from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import make_smoother
from probtrees.experiment.shape_logit import ShapeFit, ShapeSetting
from probtrees.explain.additive import explain_additively
from probtrees.explain.shape_curves import shape_curves, wishes_sentence
from probtrees.grow.shaped_tree import ShapeWishes
from probtrees.model.member import AdditiveMember
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.table.dataset import Column, Dataset, Schema
from tests.naive import naive_soft_step_shares
from tests.small_tables import patients, table_of

QUICK = {"options": {"penalty": 3.0, "freedom": 10.0}}
"""Settings given, so that nothing has to be chosen."""


@pytest.fixture(scope="module")
def quick():
    """A small model and its rows; not to be changed."""
    data = patients(60)
    return fit(data, "shaped-tree", **QUICK), data


@pytest.fixture(scope="module")
def quick_record(quick):
    return quick[0].to_dict()


def test_the_answer_is_the_sum_of_its_terms(quick):
    model, data = quick
    (member,) = model.members
    assert isinstance(member, AdditiveMember)
    member = replace(member, routing=replace(member.routing, blur=0.4, stray=4.0))
    tree, gates = member.smoothed.tree, member.routing.gates
    model = replace(model, members=(member,))
    scores = np.tile(member.intercept, (data.n_rows, 1))
    for row, values in enumerate(data.values):
        shares = naive_soft_step_shares(tree, gates, 0.4, 4.0, values, data.schema.n_values)
        reached = np.zeros(tree.n_nodes)
        reached[list(shares)] = list(shares.values())
        scores[row] += (reached - member.node_means)[1:] @ member.node_weights[1:]
    for shape in member.shapes:
        scores += shape.scores(data.values[:, shape.column])
    assert predict_proba(model, data) == pytest.approx(normalise(scores), abs=1e-6)
    assert (member.node_weights[0] == 0).all()


@pytest.mark.compiled
def test_settings_are_chosen_alike_in_any_order():
    # Columns that say nearly the same make rough fits show the rounding of their sums.
    random = np.random.default_rng(0)
    hidden = random.normal(size=(300, 2))
    values = hidden @ random.normal(size=(2, 8)) + 0.05 * random.normal(size=(300, 8))
    labels = np.digitize(hidden[:, 0] + 0.3 * random.normal(size=300), [-0.7, 0, 0.7])
    names, classes = tuple("abcdefgh"), ("low", "mid", "high", "top")

    def losses(rows, columns, order):
        features = tuple(Column(names[column]) for column in columns)
        target = Column("class", tuple(classes[old] for old in order))
        codes = np.argsort(order)[labels[rows]]
        table = np.column_stack([values[rows][:, columns], codes])
        (member,) = fit(Dataset(Schema((*features, target)), table), "shaped-tree").members
        return member.fitted["tried_alone"]

    in_order = np.arange(300), np.arange(8), np.arange(4)
    for turned in range(3):
        orders = list(in_order)
        orders[turned] = random.permutation(orders[turned])
        assert losses(*orders) == pytest.approx(losses(*in_order), rel=1e-12)


def test_one_class_is_certain():
    data = table_of("x, y: only", np.arange(12.0), np.zeros(12))
    for learner in ("shaped-tree", "council"):
        model = fit(data, learner)
        assert (predict_proba(model, data) == 1).all()
        assert explain_additively(model, data).proba.tolist() == [1.0]


class TestFile:
    @pytest.mark.parametrize(
        ("place", "value"),
        [
            (("intercept", "array"), ["nan", 0, 0]),
            (("node_means", "shape"), [1]),
            (("kind",), "multiplicative"),
            (("shapes", 0, "column"), 9),
            (("shapes", 0, "width"), -1.0),
            (("shapes", 0, "scale", "array", 0), 0.0),
            (("shapes", 1, "table", "shape"), [1, 12]),
            (("routing", "blur"), -1),
            (("tree", "target"), 0),
            (("shapes",), None),
        ],
    )
    def test_a_broken_file_is_refused_in_one_sentence(self, quick_record, place, value):
        record = deepcopy(quick_record)
        part = record["members"][0]
        for step in place[:-1]:
            part = part[step]
        part[place[-1]] = value
        with pytest.raises((DataError, TypeError, ValueError)):
            Model.from_dict(record, make_smoother)


@pytest.mark.compiled
class TestWishes:
    def falling(self) -> Dataset:
        """A number that speaks against the second class in the middle, and for it at both ends."""
        random = np.random.default_rng(0)
        x, other = random.normal(size=(2, 150))
        y = (x**2 + random.normal(size=150) * 0.4 > 0.8).astype(np.float64)
        nominal = (Column("kind", ("a", "b")), Column("y", ("n", "y")))
        columns = (Column("x"), Column("other"), *nominal)
        kind = random.integers(0, 2, 150).astype(np.float64)
        return Dataset(Schema(columns), np.column_stack([x, other, kind, y]))

    def test_shapes_keep_their_direction_and_the_cost_is_said(self):
        data = self.falling()
        options = {"penalty": 0.3, "freedom": 30.0, "increasing": "x", "banned": "other"}
        model = fit(data, "shaped-tree", options=options)
        free = fit(data, "shaped-tree", options={"penalty": 0.3, "freedom": 30.0})
        by_name = {curve.name: curve.scores[:, 1] for curve in shape_curves(model)}
        assert (np.diff(by_name["x"]) >= -1e-12).all()
        assert "other" not in by_name
        bent = {curve.name: curve.scores[:, 1] for curve in shape_curves(free)}["x"]
        assert (np.diff(bent) < -1e-6).any()
        assert np.isfinite(model.members[0].fitted["cost_of_wishes"])
        assert "x must never fall for y" in wishes_sentence(model)
        assert "Brier score of held-out rows" in wishes_sentence(model)
        assert wishes_sentence(free) == ""
        for refit in model.members[0].refits:
            (shape,) = [shape for shape in refit.shapes if shape.column == 0]
            assert (np.diff(shape.scores(np.linspace(-2, 2, 50))[:, 1]) >= -1e-12).all()

    def test_of_three_classes_one_falls_against_every_other(self):
        random = np.random.default_rng(1)
        x = random.normal(size=120)
        y = np.digitize(np.abs(x) + 0.3 * random.normal(size=120), [0.4, 1.0]).astype(float)
        classes = ("low", "middle", "high")
        data = Dataset(Schema((Column("x"), Column("y", classes))), np.column_stack([x, y]))
        options = {"penalty": 0.3, "freedom": 30.0, "max_depth": 0}
        wish = {"decreasing": "x", "increasing_for": "middle"}

        def differences(model):
            (curve,) = shape_curves(model)
            return np.diff(curve.scores - curve.scores[:, [1]], axis=0)

        model = fit(data, "shaped-tree", options=options | wish)
        assert differences(fit(data, "shaped-tree", options=options)).min() < -1e-6
        assert differences(model).min() >= -1e-9
        assert "for middle" in wishes_sentence(model)
        rising = np.column_stack([np.linspace(-2, 2, 50), np.zeros(50)])
        told = predict_proba(model, Dataset(data.schema, rising))[:, 1]
        assert (np.diff(told) <= 1e-9).all()
        with pytest.raises(OptionError, match="increasing_for='' must name a class"):
            fit(data, "shaped-tree", options=options | {"decreasing": "x"})

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"increasing": "X"}, "Did you mean 'x'"),
            ({"banned": '"x, y",other'}, "banned='x, y' must be a column"),
            ({"decreasing": "kind"}, "must be numeric"),
            ({"increasing": "x", "decreasing": "x"}, "one of the two"),
            ({"penalty": 1e-300}, "penalty=1e-300 must be at least"),
        ],
    )
    def test_what_cannot_be_is_refused(self, options, words):
        with pytest.raises(OptionError, match=words):
            fit(self.falling(), "shaped-tree", options={"penalty": 1.0, "freedom": 1.0, **options})


@pytest.mark.compiled
class TestShares:
    """Path and shapes, and shapes alone, each have a share of the answer."""

    def test_the_share_is_the_one_that_held_out_rows_like_best(self):
        data = patients(60)
        model = fit(data, "shaped-tree")
        fitted = model.members[0].fitted
        best = fitted["tried"][np.argmin(fitted["tried"][:, 2])]
        assert (fitted["penalty"], fitted["freedom"]) == tuple(best[:2])
        shares = fitted["tried_shares"]
        assert fitted["share"] == shares[np.argmin(shares[:, 1]), 0]
        alone = fitted["tried_alone"]
        assert fitted["ratio"] == pytest.approx(alone[np.argmin(alone[:, 1]), 0])
        assert shares[:, 1].min() <= min(alone[:, 1].min(), fitted["tried"][:, 2].min()) + 1e-9
        for refit in model.members[0].refits:
            assert refit.fitted["share"] == fitted["share"]

    def test_a_mixed_fit_is_the_sum_of_both_by_their_shares(self, quick):
        model, data = quick
        (tree,) = grow_model(data, "shaped-tree").trees
        routing = model.members[0].routing
        whole = ShapeFit.of(tree, routing, data, ShapeWishes())
        both = whole.mixed(ShapeSetting(3.0, 10.0))
        alone = whole.mixed(ShapeSetting(3.0, 10.0, share=0.0, ratio=0.1))
        mixed = whole.mixed(ShapeSetting(3.0, 10.0, share=0.25, ratio=0.1))
        assert mixed.weights == pytest.approx(0.25 * both.weights + 0.75 * alone.weights)
        assert mixed.intercept == pytest.approx(0.25 * both.intercept + 0.75 * alone.intercept)
        assert (alone.weights[: tree.n_nodes] == 0).all()


# Uncompiled kernels work with numpy's scalars, which warn where compiled code does not.
@pytest.mark.filterwarnings("ignore:.* encountered in scalar:RuntimeWarning")
def test_a_shaped_tree_of_the_largest_numbers_is_saved_and_its_curves_are_drawn(tmp_path):
    x = np.array([-1.7e308, -1e308, 3.0, 5.0, 1e308, 1.7e308] * 12)
    outcome = ((x > 0) ^ (np.arange(72) % 7 == 0)).astype(float)
    model = fit(table_of("x, y: no yes", x, outcome), "shaped-tree")
    model.save(tmp_path / "m.json")
    again = load_model(tmp_path / "m.json")
    for curve in shape_curves(again):
        assert np.isfinite(curve.values).all()
        assert np.isfinite(curve.scores).all()
