"""Groups of ages and amounts are sorted by what they say, and known again in other words."""

from __future__ import annotations

import pytest

from probtrees.table.cells.groups_of_numbers import group_of, in_order_of_groups, same_groups
from probtrees.table.read_table import read_rows, read_table
from tests.table.tiny_table import csv

IN_ORDER = [
    ("moins de 25 ans", "25-34 ans", "35-54 ans", "55 ans et plus"),
    ("unter 18", "18-25", "26-64", "ab 65"),
    ("bis 1.000 €", "1.001-2.000 €", "über 2.000 €"),
    ("menos de 25 años", "25 a 34 años", "35 años y más"),
    ("meno di 25", "25-34", "oltre 34"),
    ("poniżej 25 lat", "25-34 lata", "powyżej 34 lat"),
    ("under 5", "5-9", "10 or more", "unknown"),
    ("<5", "5-9", ">9"),
    ("up to 3.5", "over 3.5 to 7", "over 7"),
]


@pytest.mark.parametrize("groups", IN_ORDER, ids=lambda groups: groups[0])
def test_groups_are_in_order_from_the_open_one_below(groups: tuple[str, ...]) -> None:
    assert in_order_of_groups(sorted(groups)) == groups
    assert in_order_of_groups(groups[::-1]) == groups


@pytest.mark.parametrize(
    "texts", [("25-34", "35-44"), ("ward 1", "ward 2"), ("a", "b"), ("under 5", "ward 7", "3-4")]
)
def test_others_keep_their_order(texts: tuple[str, ...]) -> None:
    assert in_order_of_groups(texts) is None


def test_units_that_differ_are_not_the_same_group() -> None:
    assert same_groups(["12+ years"], ["12 months and more"]) == {}
    assert same_groups(["12+"], ["12 months and more"]) == {"12+": "12 months and more"}
    assert group_of("34-25") is None


def test_a_scored_table_may_use_other_words_and_apostrophes() -> None:
    ages = ("moins de 25 ans", "25-34 ans", "55 ans et plus")
    jobs = ("chef d’équipe", "ouvrier")
    rows = (f"{ages[n % 3]};{jobs[n % 2]};{'ab'[n % 5 > 2]}" for n in range(60))
    data = read_table(csv("age;job;y", *rows))
    assert data.schema.columns[0].categories == ages
    new = csv("age;job", "55+;chef d'équipe", "< 25;ouvrier", "25 à 34 ans;chef d’équipe")
    scored, problems = read_rows(new, data.schema)
    assert not problems
    assert scored.values[:, :2].tolist() == [[2, 0], [0, 1], [1, 0]]
    assert any("written '55+'" in note for note in scored.provenance.notes)
