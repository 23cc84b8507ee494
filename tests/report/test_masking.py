"""A masked report tells no small count, and nothing it could be worked out from."""

import contextlib
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


def plain_rule(leaves, smallest):
    """Which of these groups are merged, told in plain Python; all of them: they are not shown."""
    low = [any(0 < count < smallest for count in leaf) for leaf in leaves]
    merged = [number for number, is_low in enumerate(low) if is_low]
    rest = {n: sum(leaf) for n, leaf in enumerate(leaves) if not low[n]}
    while merged and rest:
        counts = [[*leaves[n], sum(leaves[n])] for n in merged]
        kinds = [kind for kind in zip(*counts, strict=True) if any(kind)]
        if len(merged) > sum(low) and all(
            max(kind) >= smallest and max(kind) - min(kind) + 1 >= smallest for kind in kinds
        ):
            break
        fewest = min(rest.values())
        merged += [n for n, rows in rest.items() if rows == fewest]
        rest = {n: rows for n, rows in rest.items() if rows != fewest}
    return sorted(merged)


def worlds(total, n_groups):
    """All ways to spread so many rows over groups."""
    for cuts in itertools.combinations(range(total + n_groups - 1), n_groups - 1):
        ends = (-1, *cuts, total + n_groups - 1)
        yield [after - before - 1 for before, after in itertools.pairwise(ends)]


def untold(leaves, smallest):
    """Whether whoever knows the report and the rule is left with enough for every hidden count."""
    merged = plain_rule(leaves, smallest)
    if not merged or len(merged) == len(leaves):
        return True
    possible = [[set() for _ in range(3)] for _ in merged]
    totals = np.sum([leaves[number] for number in merged], axis=0).tolist()
    for no, yes in itertools.product(*(worlds(total, len(merged)) for total in totals)):
        world = list(leaves)
        for number, pair in zip(merged, zip(no, yes, strict=True), strict=True):
            world[number] = pair
        if all(map(sum, world)) and plain_rule(world, smallest) == merged:
            for sets, pair in zip(possible, zip(no, yes, strict=True), strict=True):
                for found, count in zip(sets, (*pair, sum(pair)), strict=True):
                    found.add(count)
    is_met = [*map(bool, totals), True]
    hidden = [found for sets in possible for found in itertools.compress(sets, is_met)]
    return all(max(f) >= smallest and max(f) - min(f) + 1 >= smallest for f in hidden)


def check_worlds(n_tables, seed):
    random = np.random.default_rng(seed)
    n_merged = 0
    for _ in range(n_tables):
        leaves = random.integers(0, 9, size=(random.integers(3, 6), 2)).tolist()
        smallest = int(random.integers(2, 4))
        merged = plain_rule(leaves, smallest)
        if not all(map(sum, leaves)) or sum(map(sum, (leaves[n] for n in merged))) > 24:
            continue
        n_merged += 0 < len(merged) < len(leaves)
        with contextlib.suppress(DataError):
            places = masked(one_split(leaves), SCHEMA, Mask(smallest)).place_of[1:]
            shared = [n for n, place in enumerate(places) if (places == place).sum() > 1]
            assert shared == merged
        assert untold(leaves, smallest), (leaves, smallest, merged)
    return n_merged


@pytest.mark.parametrize(
    ("n_tables", "seed"), [(60, 1), pytest.param(1000, 2, marks=pytest.mark.slow)]
)
def test_what_reports_and_their_rule_leave_possible(n_tables, seed):
    assert check_worlds(n_tables, seed) > n_tables / 10


@pytest.mark.usefixtures("no_layout")
@pytest.mark.parametrize(("smoother", "others"), [(MLE(), (Laplace(),)), (HGS(), SMOOTHERS)])
def test_remaking_the_report_for_every_candidate_finds_nothing(smoother, others):
    random = np.random.default_rng(1)
    for _ in range(2):
        hidden = random.integers(1, 5, size=2)
        neighbour, *shown = np.add([[20], [60], [60]], random.integers(0, 30, size=(3, 2)))
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


def test_rare_outcomes_are_joined_where_something_is_left_to_show():
    schema = Schema((*SCHEMA.columns[:2], Column("ill", ("no", "yes", "rarely"))))
    found = masked(one_split([[30, 20, 2], [21, 30, 1]]), schema, Mask(5))
    assert found.schema.classes == ("no", "yes or rarely")
    assert found.tree.arrays.counts.tolist() == [[51, 53], [30, 22], [21, 31]]
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


def test_weights_do_not_stand_for_rows():
    tree = one_split([[40, 40], [30, 40]])
    heavy = replace(tree, mean_weights=np.full_like(tree.arrays.counts, 10.0))
    assert masked(tree, SCHEMA, Mask(5)).tree.n_nodes == 3
    assert masked(heavy, SCHEMA, Mask(5)).tree.n_nodes == 1
