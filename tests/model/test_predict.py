"""Rows go where their values lead, and answers are averaged where they lead nowhere."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.grow.count_tree import NO_COLUMN, NO_NODE, CountTree, check_tree, make_arrays
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.model.routing import curtailed_nodes, find_leaves
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.m_estimate import MLE, Laplace
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import UNSEEN, Dataset
from tests.naive import naive_landing, naive_products
from tests.small_tables import schema_of

SCHEMA = schema_of("age, sex: f m, blood: 0 A AB B, state: well sick gone")
seeds = st.integers(0, 2**32 - 1)


class Nodes:
    """A tree that is made node by node, in level order."""

    def __init__(self) -> None:
        self.parent, self.depth, self.branch, self.column = [NO_NODE], [0], [0], [NO_COLUMN]
        self.threshold, self.first_child, self.n_children = [np.nan], [NO_NODE], [0]

    def split(self, node: int, column: int, codes: list[int], threshold: float = np.nan) -> None:
        self.column[node], self.threshold[node] = column, threshold
        self.first_child[node], self.n_children[node] = len(self.parent), len(codes)
        for code in codes:
            self.parent.append(node)
            self.depth.append(self.depth[node] + 1)
            self.branch.append(int(code))
            self.column.append(NO_COLUMN)
            self.threshold.append(np.nan)
            self.first_child.append(NO_NODE)
            self.n_children.append(0)

    def tree(self, target: int, counts: np.ndarray) -> CountTree:
        arrays = make_arrays(**vars(self), weight=counts.sum(axis=1), counts=counts)
        return CountTree(target, arrays)


def random_tree(seed: int, n_splits: int = 6) -> CountTree:
    """Split on any feature, with or without a branch for missing values, or for all values."""
    random = np.random.default_rng(seed)
    nodes = Nodes()
    node = 0
    while n_splits and node < len(nodes.parent):
        if random.random() < 0.7:
            column, threshold = int(random.integers(3)), np.nan
            codes = [0, 1] + [2] * int(random.random() < 0.4)
            if column == 0:
                threshold = float(random.integers(5))
            else:
                known = np.arange(SCHEMA.columns[column].n_values + 1)
                codes = sorted(random.choice(known, random.integers(1, len(known)), replace=False))
            nodes.split(node, column, codes, threshold)
            n_splits -= 1
        node += 1
    counts = random.integers(0, 5, (len(nodes.parent), 3)).astype(float)
    counts[np.array(nodes.n_children) > 0] = 0.0
    for node in range(len(counts) - 1, 0, -1):
        counts[nodes.parent[node]] += counts[node]
    tree = nodes.tree(3, counts)
    check_tree(tree)
    return tree


def random_rows(seed: int, n_rows: int = 20) -> Dataset:
    """Rows with missing and unseen values; the class is not known."""
    random = np.random.default_rng(seed)
    values = np.column_stack(
        [
            random.integers(-1, 7, n_rows) + random.choice([0, 1e-7, 1e-5], n_rows),
            random.integers(UNSEEN, 2, n_rows),
            random.integers(UNSEEN, 4, n_rows),
            np.full(n_rows, np.nan),
        ]
    )
    values[:, :3][random.random((n_rows, 3)) < 0.2] = np.nan
    return Dataset(SCHEMA, values)


def model_of(*trees: SmoothedTree, **settings: object) -> Model:
    return Model(SCHEMA, (Member(trees),), "c45", "laplace", **settings)


@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_rows_land_where_the_slow_twin_says_and_answers_are_averaged(seed: int) -> None:
    tree, rows = random_tree(seed), random_rows(seed)
    landing = find_leaves(tree, rows.values, SCHEMA.n_values)
    smoothed = Laplace().smooth(tree)
    proba = predict_proba(model_of(smoothed), rows)
    np.testing.assert_allclose(landing.mix(smoothed.probs), proba, atol=1e-12)
    for number, row in enumerate(rows.values):
        places = slice(landing.first[number], landing.first[number + 1])
        expected = naive_landing(tree, row, SCHEMA.n_values, stop=False)
        assert landing.nodes[places].tolist() == [node for node, _ in expected]
        np.testing.assert_allclose(landing.shares[places], [share for _, share in expected])
        answer = sum(share * smoothed.probs[node] for node, share in expected)
        np.testing.assert_allclose(proba[number], answer, atol=1e-12)


def test_numbers_near_the_cut_and_infinite_ones_go_where_they_belong() -> None:
    tree = stump(3, 0, [[2, 0, 0], [0, 2, 0]], cut=3.0)
    ages = [3.0, 3.0 + 9e-7, 3.0 + 2e-6, -np.inf, np.inf]
    rows = np.array([[age, 0, 0, 0] for age in ages])
    assert find_leaves(tree, rows, SCHEMA.n_values).nodes.tolist() == [1, 1, 2, 1, 2]


def test_curtailment_answers_above_small_nodes() -> None:
    tree = random_tree(5, n_splits=8)
    answering = curtailed_nodes(tree, 12.0)
    for node in range(tree.n_nodes):
        path = tree.path(node)
        large = [at for at in path if at == 0 or tree.arrays.weight[at] >= 12.0]
        assert answering[node] == large[-1]
    smoothed, rows = Laplace().smooth(tree), random_rows(5)
    above = predict_proba(model_of(replace(smoothed, probs=smoothed.probs[answering])), rows)
    asked = predict_proba(model_of(smoothed, options={"curtail": 12.0}), rows)
    np.testing.assert_array_equal(asked, above)
    everywhere_root = predict_proba(model_of(smoothed, options={"curtail": 1e9}), rows)
    np.testing.assert_allclose(everywhere_root, np.tile(smoothed.probs[0], (rows.n_rows, 1)))


NOMINAL = schema_of("a: 0 1 2, b: 0 1, y: n p")


def table_of(seed: int, target: int, path: tuple[int, ...]) -> SmoothedTree:
    """A table that lists only some of the values of its parents."""
    random = np.random.default_rng(seed)
    nodes, first = Nodes(), 0
    for split in path:
        level = range(first, len(nodes.parent))
        first = len(nodes.parent)
        for node in level:
            n_values = NOMINAL.columns[split].n_values
            kept = sorted(random.choice(n_values, random.integers(1, n_values + 1), replace=False))
            nodes.split(node, split, kept)
    n_outcomes = NOMINAL.columns[target].n_values
    counts = random.integers(0, 6, (len(nodes.parent), n_outcomes)).astype(float)
    return Laplace().smooth(nodes.tree(target, counts))


def class_table(counts: list[float]) -> SmoothedTree:
    return Laplace().smooth(tree_of([0], [counts], target=2))


def stump(target: int, column: int, counts: list[list[float]], cut: float = np.nan) -> CountTree:
    """A tree of two leaves."""
    tree = tree_of([2, 0, 0], counts, target)
    tree.arrays.column[0], tree.arrays.threshold[0] = column, cut
    return tree


def nominal_rows(seed: int, n_rows: int = 12) -> Dataset:
    random = np.random.default_rng(seed)
    values = np.column_stack(
        [
            random.integers(UNSEEN, 3, n_rows),
            random.integers(UNSEEN, 2, n_rows),
            np.full(n_rows, np.nan),
        ]
    ).astype(float)
    values[:, :2][random.random((n_rows, 2)) < 0.2] = np.nan
    return Dataset(NOMINAL, values)


@settings(max_examples=40, deadline=None)
@given(seed=seeds)
def test_networks_multiply_their_tables(seed: int) -> None:
    tables = (table_of(seed, 0, (2, 1)), table_of(seed + 1, 1, (2,)))
    prior = class_table([3, 1])
    rows = nominal_rows(seed)
    model = Model(NOMINAL, (Member((*tables, prior)),), "kdb", "laplace")
    proba = predict_proba(model, rows)
    for number, row in enumerate(rows.values):
        products = np.array(naive_products(model.members[0], row, NOMINAL.n_values))
        np.testing.assert_allclose(proba[number], products / products.sum(), atol=1e-12)


def test_members_are_averaged_after_or_before_normalising() -> None:
    rows = nominal_rows(1)
    members = tuple(Member((table_of(seed, 0, (2, 1)), class_table([seed, 3]))) for seed in (1, 2))
    alone = [predict_proba(Model(NOMINAL, (member,), "nb", "laplace"), rows) for member in members]
    after = predict_proba(Model(NOMINAL, members, "kdf", "laplace"), rows)
    np.testing.assert_allclose(after, np.mean(alone, axis=0), atol=1e-12)
    before = predict_proba(Model(NOMINAL, members, "aode", "laplace", averaging="joint"), rows)
    for number, row in enumerate(rows.values):
        joint = np.sum([naive_products(m, row, NOMINAL.n_values) for m in members], axis=0)
        np.testing.assert_allclose(before[number], joint / joint.sum(), atol=1e-12)


def test_a_row_impossible_under_every_class_has_a_defined_answer() -> None:
    b_given_y = MLE().smooth(stump(1, 2, [[2, 0], [0, 2]]))
    rows = Dataset(NOMINAL, np.array([[0.0, 0.0, np.nan], [0.0, 1.0, np.nan]]))
    twice = Model(NOMINAL, (Member((b_given_y, b_given_y, class_table([3, 1]))),), "nb", "mle")
    np.testing.assert_allclose(predict_proba(twice, rows), [[1, 0], [0, 1]], atol=1e-200)
    never = MLE().smooth(stump(0, 2, [[2, 0, 0], [2, 0, 0]]))
    impossible = Dataset(NOMINAL, np.array([[2.0, np.nan, np.nan]]))
    model = Model(NOMINAL, (Member((never, class_table([3, 1]))),), "nb", "mle")
    np.testing.assert_allclose(predict_proba(model, impossible), [[2 / 3, 1 / 3]])


def test_cuts_are_applied_member_by_member() -> None:
    schema = schema_of("age, y: n p")
    table = MLE().smooth(stump(0, 1, [[4, 1], [1, 4]]))
    prior = class_table([1, 1])
    prior = SmoothedTree(CountTree(1, prior.tree.arrays), prior.probs, prior.smoother)
    members = tuple(Member((table, prior), Cuts({0: np.array([cut])})) for cut in (10.0, 20.0))
    rows = Dataset(schema, np.array([[5.0, np.nan], [15.0, np.nan], [25.0, np.nan]]))
    proba = predict_proba(Model(schema, members, "eskdb", "mle"), rows)
    np.testing.assert_allclose(proba[:, 0], [0.8, 0.5, 0.2])


def test_many_rows_in_chunks_equal_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = nominal_rows(3, n_rows=50)
    model = Model(NOMINAL, (Member((table_of(3, 0, (2, 1)), class_table([3, 1]))),), "nb", "x")
    whole = predict_proba(model, rows)
    monkeypatch.setattr("probtrees.model.predict._TABLE_CHUNK", 7)
    np.testing.assert_array_equal(predict_proba(model, rows), whole)


def test_no_rows_give_no_answers() -> None:
    none = np.arange(0)
    tree = model_of(MLE().smooth(random_tree(1)))
    assert predict_proba(tree, random_rows(1).take(none)).shape == (0, 3)
    network = Model(NOMINAL, (Member((table_of(3, 0, (2,)), class_table([3, 1]))),), "nb", "x")
    assert predict_proba(network, nominal_rows(1).take(none)).shape == (0, 2)
