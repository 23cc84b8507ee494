"""What a smaller tree costs on unseen rows."""

import pytest

from probtrees.experiment.evaluation.growing_costs import growing_costs, ways_to_grow
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import unseen_scores
from tests.small_tables import patients


def test_ways_leave_room_for_several_leaves_and_name_no_option_in_use():
    ways = ways_to_grow(200, {"min_leaf": 5, "prune": "pessimistic"})
    assert ways == [{}, {"min_leaf": 2}, {"min_leaf": 10}, {"min_leaf": 20}, {"prune": "none"}]
    assert ways_to_grow(3, {"min_leaf": 2, "prune": "none"}) == [{}, {"prune": "pessimistic"}]


def test_costs_are_differences_of_what_unseen_rows_say():
    grown = grow_model(patients(200), "c45")
    reports = []
    costs = growing_costs(
        grown,
        lambda tree: tree.smooth("laplace"),
        [{}, {"min_leaf": 20}, {}],
        lambda share, words: reports.append(share),
    )
    same, larger, again = costs
    own = unseen_scores(grown, grown.smooth("laplace"))
    assert same.brier == pytest.approx(own.brier)
    assert same.n_leaves == grown.n_leaves > larger.n_leaves
    other = grow_model(patients(200), grown.spec.learner.__class__(min_leaf=20))
    found = unseen_scores(other, other.smooth("laplace"))
    assert larger.brier == pytest.approx(found.brier)
    cost, low, high = larger.cost
    assert cost == pytest.approx(found.brier - own.brier)
    assert low <= cost <= high
    assert larger.is_noise == (low <= 0 <= high)
    assert again.cost == (0, 0, 0)
    assert again.is_noise
    assert all(0 <= share <= 1 for share in reports)
