import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.experiment.fit import fit
from probtrees.explain.network_answer import KnownRange, shares_within
from probtrees.explain.network_query import NetworkQuery
from probtrees.table.column_profile import profile_table
from tests.small_tables import patients

ENDS = st.sampled_from([-math.inf, *range(20, 90, 5), math.inf])


def age_profile(profiles):
    return next(profile for profile in profiles if profile.name == "age")


@given(
    points=st.sets(st.integers(20, 90), min_size=1, max_size=6).map(sorted),
    ends=st.tuples(ENDS, ENDS).filter(lambda ends: ends[0] < ends[1]),
)
def test_shares_are_those_of_the_numbers_in_each_range(points, ends):
    profile = age_profile(profile_table(patients(80)))
    # As many numbers, spread evenly in each bin of the profile, counted one by one.
    numbers = np.concatenate(
        [
            low + (high - low) * (np.arange(2000) + 0.5) / 2000
            for low, high in zip(profile.edges[:-1], profile.edges[1:], strict=True)
        ]
    )
    weights = np.repeat(profile.counts, 2000)
    known = KnownRange(*ends)
    shares = shares_within(points, known, profile)
    cells = np.searchsorted(points, numbers, side="left")
    inside = (numbers > known.low) & (numbers <= known.high)
    assert ((shares >= 0) & (shares <= 1)).all()
    if not weights[inside].sum():
        return
    for cell, share in enumerate(shares):
        whole = weights[cells == cell].sum()
        if whole > 0.01 * weights.sum():
            here = weights[(cells == cell) & inside].sum() / whole
            assert share == pytest.approx(here, abs=0.05)


@pytest.mark.parametrize("learner", ["tan", "kdb"])
def test_a_range_of_the_network_itself_is_its_value(learner):
    query = NetworkQuery.of_model(fit(patients(200), learner, "m-estimate"))
    age = query.variables["age"]
    assert age.points
    for value in range(len(age.points) + 1):
        known = KnownRange.of_value(age.points, value)
        by_name = query.ask({"age": age.values[value]}).target
        assert query.ask({"age": known}).target == pytest.approx(by_name, abs=1e-12)
        assert str(known) == age.values[value]


def test_networks_that_cut_elsewhere_weigh_their_own_ranges():
    model = fit(patients(300), "eskdb", "m-estimate")
    query = NetworkQuery.of_model(model)
    known = KnownRange(50.0, 70.0)
    answers = []
    for network in query.networks:
        age = network.variable("age")
        soft = dict.fromkeys(age.values, 0.0)
        if age.points:
            shares = shares_within(age.points, known, age_profile(model.profile))
            soft.update(zip(age.values, shares.tolist(), strict=False))
            answers.append(NetworkQuery([network], query.target).ask({"age": soft}).target)
    assert len(answers) == len(query.networks)
    assert query.ask({"age": known}).target == pytest.approx(np.mean(answers, axis=0), abs=1e-9)
