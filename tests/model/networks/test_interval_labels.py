"""Cuts read from the labels of other programs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from probtrees.experiment.given_network import given_network
from probtrees.experiment.grown_model import grow_model
from probtrees.model.networks.interval_labels import cuts_of_labels
from probtrees.model.networks.network_file import parse_network
from tests.small_tables import patients

JUST_BELOW_2 = math.nextafter(2.0, -math.inf)


@pytest.mark.parametrize(
    ("labels", "cuts"),
    [
        (["(0,1.5]", "(1.5,2]", "(2,7]"], (1.5, 2.0)),
        (["'(-inf-2.45]'", "'(2.45-4.75]'", "'(4.75-inf)'"], (2.45, 4.75)),
        (["[0;2[", "[2;5]"], (JUST_BELOW_2,)),
        (["below 2", "2 to 5", ">= 5"], (JUST_BELOW_2, 5.0)),
        (["<=3", ">3"], (3.0,)),
        (["0-4", "5-9", "10-14", "15+"], (4.0, 9.0, 14.0)),
        (["up to 57.5", "over 57.5"], (57.5,)),
        (["s1_below_2_5", "s2_2_5_4", "s3_4_up"], None),
        (
            ["s1_below_2_5", "s2_2_5_4_5", "s3_4_5_up"],
            (math.nextafter(2.5, 0), math.nextafter(4.5, 0)),
        ),
        (["(-3, -1]", "(-1, 2]"], (-1.0,)),
        (["1", "2", "3"], None),
        (["low", "high"], None),
        (["(0,1]", "(2,3.5]"], None),
        (["(1,2]", "(0,1]"], None),
        (["<3", ">=3", "other"], None),
        (["5-9"], None),
    ],
)
def test_labels_side_by_side_are_cuts_and_other_names_are_not(labels, cuts) -> None:
    assert cuts_of_labels(labels) == cuts


NET = """
network theirs {{ }}
variable state {{ type discrete [ 3 ] {{ well, ill, gone }}; }}
variable age {{ type discrete [ 3 ] {{ {labels} }}; }}
probability ( state ) {{ table 0.5, 0.4, 0.1; }}
probability ( age | state ) {{
  (well) 0.2, 0.3, 0.5; (ill) 0.2, 0.3, 0.5; (gone) 0.2, 0.3, 0.5;
}}
"""


def test_numbers_of_a_table_are_cut_as_the_labels_of_a_network_say() -> None:
    text = NET.format(labels='"(-inf,40]", "(40,60]", "(60,inf)"')
    network = parse_network("theirs.bif", text.encode())
    assert network.variable("age").points == (40.0, 60.0)
    assert network.variable("age").code(47.0) == 1
    rows, spec = given_network(patients(60), network)
    (member,) = grow_model(rows, spec).members
    number = rows.schema.names.index("age")
    assert member.cuts.points[number].tolist() == [40.0, 60.0]
    counted = next(tree for tree in member.trees if tree.target == number).arrays.counts[0]
    ages = rows.values[:, number]
    assert counted[0] == pytest.approx(np.sum(ages <= 40))


def test_a_label_for_missing_cells_is_distinguished_from_the_intervals() -> None:
    network = parse_network("theirs.bif", NET.format(labels='"<=40", ">40", missing').encode())
    age = network.variable("age")
    assert age.not_recorded
    assert age.code(None) == 2
    assert age.code(41.0) == 1
