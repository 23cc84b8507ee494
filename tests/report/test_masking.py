"""A masked report tells no small count, and nothing it could be worked out from."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import DataError
from probtrees.explain.rule import rule_text
from probtrees.grow.count_tree import check_tree
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.report import tree_report
from probtrees.report.masking import Mask, masked
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.smooth.blend import Blend
from probtrees.smooth.example_trees import example_evidence, tree_of
from probtrees.smooth.hgs import HGS
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.m_estimate import MLE, Laplace, MEstimate
from probtrees.smooth.shrinkage import Shrinkage
from probtrees.table.dataset import Column, Provenance, Schema

VALUES = ("x", "y", "z", "u", "v")
SCHEMA = Schema((Column("a", VALUES), Column("b", VALUES), Column("ill", ("no", "yes"))))
SMOOTHERS = (MLE(), Laplace(), MBranch(), MEstimate(), HGS(), Shrinkage(), Blend())


def one_split(leaves):
    """A tree with one split and these counts in its leaves."""
    return tree_of([len(leaves)] + [0] * len(leaves), [list(leaf) for leaf in leaves], target=2)


def two_levels(leaves):
    """A tree of seven leaves whose first two branches are split again."""
    return tree_of([3, 3, 3, 0] + [0] * 6, [list(leaf) for leaf in leaves], target=2)


def report(tree, mask, smoother=None, others=()):
    """The whole report, but for the picture's layout."""
    evidence = example_evidence(tree)
    member = Member(((smoother or Laplace()).smooth(tree, evidence),))
    source = Provenance("t.csv", "0" * 64, int(tree.totals[0]) + 3, {"without a class": 3})
    model = Model(SCHEMA, (member,), "c45", "laplace", provenance=source)
    also = {other.name: other.smooth(tree, evidence) for other in others}
    return model_report(model, also, ReportRequest(mask=Mask(mask), outcome=1))


@pytest.fixture
def no_layout(monkeypatch):
    """Give the picture as the text it is made from, so that a report takes no time."""
    monkeypatch.setattr(tree_report, "report_picture", lambda dot, _theme: dot)


def groups_shown(tree, mask):
    """The leaves that each shown node is made of, as rows of 0 and 1."""
    found = masked(tree, SCHEMA, Mask(mask))
    paths = [found.tree.path(int(found.place_of[leaf])) for leaf in tree.leaves]
    return np.array([[float(node in path) for path in paths] for node in range(found.tree.n_nodes)])


def worked_out(shown, n_leaves):
    """All sets of leaves whose counts follow from what is shown, by adding and subtracting."""
    rank = np.linalg.matrix_rank(shown)
    for chosen in itertools.product((0.0, 1.0), repeat=n_leaves):
        if any(chosen) and np.linalg.matrix_rank(np.vstack([shown, chosen])) == rank:
            yield np.array(chosen, dtype=bool)


def test_no_small_count_follows_from_reports_under_two_masks_on_200_tables():
    random = np.random.default_rng(1)
    n_merged = 0
    for number in range(200):
        make, n_leaves = ((one_split, 5), (two_levels, 7))[number % 2]
        leaves = random.integers(0, 25, size=(n_leaves, 2))
        tree = make(leaves)
        smaller, larger = sorted(random.integers(2, 15, size=2).tolist())
        shown = np.vstack([groups_shown(tree, mask) for mask in (smaller, larger)])
        n_merged += len(np.unique(shown, axis=0)) < tree.n_nodes
        for chosen in worked_out(shown, n_leaves):
            counts = leaves[chosen].sum(axis=0)
            assert ((counts == 0) | (counts >= smaller)).all()
    assert n_merged > 100


@pytest.mark.usefixtures("no_layout")
@pytest.mark.parametrize(("smoother", "others"), [(MLE(), (Laplace(),)), (HGS(), SMOOTHERS)])
def test_remaking_the_report_for_every_candidate_finds_nothing(smoother, others):
    random = np.random.default_rng(1)
    for _ in range(2):
        hidden = random.integers(1, 5, size=2)
        neighbour, *shown = random.integers(20, 90, size=(3, 2))
        candidates = [np.array(pair) for pair in itertools.product((1, hidden[0], 4), (0, 2, 4))]
        pages = {
            report(
                one_split([candidate, neighbour + hidden - candidate, *shown]), 5, smoother, others
            )
            for candidate in candidates
        }
        assert len(pages) == 1


@pytest.mark.usefixtures("no_layout")
def test_totals_and_hashes_of_the_table_are_not_shown():
    page = report(one_split([[2, 1], [30, 40], [60, 20]]), 5)
    assert "000000000000" not in page
    assert "156" not in page
    assert "Counts from 1 to 4 are hidden" in page
    assert "a = x or = y" in page


@given(
    leaves=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=7, max_size=7),
    smallest=st.integers(2, 12),
)
def test_every_count_of_the_merged_tree_is_none_or_large_enough(leaves, smallest):
    tree = two_levels(leaves)
    try:
        found = masked(tree, SCHEMA, Mask(smallest))
    except DataError:
        assert (np.sort(tree.arrays.counts[0])[0] < smallest) or tree.totals[0] < smallest
        return
    check_tree(found.tree)
    counts = found.tree.arrays.counts
    assert ((counts == 0) | (counts >= smallest)).all()
    assert np.array_equal(counts[0], tree.arrays.counts[0])
    inside = [found.tree.path(int(found.place_of[leaf])) for leaf in tree.leaves]
    for node in range(found.tree.n_nodes):
        own = [leaf for leaf, path in zip(leaves, inside, strict=True) if node in path]
        assert np.array_equal(np.sum(own, axis=0), counts[node])


@given(
    leaves=st.lists(st.tuples(*[st.integers(0, 20)] * 4), min_size=5, max_size=5),
    smaller=st.integers(2, 8),
    more=st.integers(0, 8),
)
def test_a_larger_mask_merges_the_same_and_more(leaves, smaller, more):
    tree = one_split(leaves)
    schema = Schema((*SCHEMA.columns[:2], Column("ill", ("no", "yes", "well", "unwell"))))
    try:
        fine = masked(tree, schema, Mask(smaller))
        coarse = masked(tree, schema, Mask(smaller + more))
    except DataError:
        return
    if not np.array_equal(fine.outcome_of, coarse.outcome_of):
        return
    pairs = set(zip(fine.place_of[1:].tolist(), coarse.place_of[1:].tolist(), strict=True))
    assert len(pairs) == len({finer for finer, _ in pairs})


def test_rare_outcomes_are_joined_where_something_is_left_to_show():
    schema = Schema((*SCHEMA.columns[:2], Column("ill", ("no", "yes", "rarely"))))
    found = masked(one_split([[30, 20, 2], [20, 30, 1]]), schema, Mask(5))
    assert found.schema.classes == ("no", "yes or rarely")
    assert found.tree.arrays.counts.tolist() == [[50, 53], [30, 22], [20, 31]]
    assert found.outcome_of.tolist() == [0, 1, 1]
    with pytest.raises(DataError, match="mask=5 must be at most"):
        masked(one_split([[30, 2], [30, 1]]), SCHEMA, Mask(5))


def test_a_missing_number_joins_a_branch_by_name():
    tree = one_split([[20, 20], [30, 9], [2, 1]])
    tree.arrays.threshold[0] = 4.0
    schema = Schema((Column("age"), *SCHEMA.columns[1:]))
    found = masked(tree, schema, Mask(5))
    assert rule_text(found.tree, schema, 1) == "age ≤ 4"
    assert rule_text(found.tree, schema, 2) == "age > 4 or not recorded"


def test_every_smoother_works_without_evidence_of_rows():
    tree = one_split([[2, 1], [30, 40], [60, 20]])
    found = masked(tree, SCHEMA, Mask(5))
    for smoother in SMOOTHERS:
        smoothed = found.smooth(smoother.smooth(tree, example_evidence(tree)))
        assert np.allclose(smoothed.probs.sum(axis=1), 1)


def test_weights_do_not_stand_for_rows():
    tree = one_split([[40, 40], [30, 40]])
    heavy = replace(tree, mean_weights=np.full_like(tree.arrays.counts, 10.0))
    assert masked(tree, SCHEMA, Mask(5)).tree.n_nodes == 3
    assert masked(heavy, SCHEMA, Mask(5)).tree.n_nodes == 1
