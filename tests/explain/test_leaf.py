"""A leaf's probability explained: numbers, sentences, formula."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw.leaf_explanation import rings_html
from probtrees.explain.detail import group_probs
from probtrees.explain.leaf import PSEUDO_COUNT_NOTE, Explanation, explain_leaf
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.m_estimate import MLE, Laplace, MEstimate
from probtrees.table.dataset import Column, Schema
from probtrees.words import percent
from tests.small_tables import schema_of
from tests.strategies import count_trees

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]], target=2)
SCHEMA = schema_of("gene: yes no, sex: female male, state: sick well")
FEMALE, MALE = 3, 4


def any_schema(tree: CountTree) -> Schema:
    features = tuple(Column(f"c{i}", ("a", "b", "c", "d")) for i in range(tree.target))
    return Schema((*features, Column("y", tuple(f"y{k}" for k in range(tree.n_outcomes)))))


def test_m_branch_on_the_gene_example() -> None:
    explained = explain_leaf(MBranch().smooth(GENE), MALE, SCHEMA, "sick")
    assert explained.rule == ("gene is yes", "sex is male")
    assert explained.sentence == (
        "19.3 % (1 in 5; 1.9 times the overall rate). 21 % of the weight lies on this 1 row "
        "(0 cases), 11 % on the 10 others where gene is yes (10 cases), 62 % on the remaining "
        "990 (90 cases), 6 % on equal chances for all: 0.0 + 10.8 + 5.7 + 2.8 "
        "percentage points."
    )
    assert explained.observed == 0
    assert explained.overall == pytest.approx(100 / 1001)
    assert explained.formula.value == explained.probability
    assert [step.condition for step in explained.steps] == [
        "all rows",
        "gene is yes",
        "sex is male",
    ]


def test_a_leaf_beyond_its_parent_against_its_own_rows_says_why() -> None:
    tree = tree_of([2, 0, 0], [[0, 3], [1, 36]], target=2)
    none_of_three = explain_leaf(Laplace().smooth(tree), 1, SCHEMA, "sick")
    assert none_of_three.probability == pytest.approx(1 / 5)
    assert none_of_three.card_notes == (
        "more than one step up (4.8 %), although its own rows say less: it has fewer rows than "
        "that step, so more of its weight lies outside them",
    )
    assert "less than one step up" in explain_leaf(Laplace().smooth(tree), 1, SCHEMA, 1).notes[0]
    assert explain_leaf(MLE().smooth(tree), 1, SCHEMA, "sick").notes == ()


@given(
    count_trees(),
    st.sampled_from([MLE(), Laplace(), MEstimate(base="root"), MBranch(), MBranch(chained=True)]),
    st.data(),
)
def test_printed_parts_add_up(
    tree: CountTree, smoother: MLE | Laplace | MEstimate | MBranch, data: st.DataObject
) -> None:
    node = data.draw(st.integers(0, tree.n_nodes - 1))
    explained = explain_leaf(smoother.smooth(tree), node, any_schema(tree))
    json.dumps(explained.to_dict())
    check_printed(explained)


def check_printed(explained: Explanation) -> None:
    """Add up the printed points and shares and compare them with the printed whole."""
    whole, rest = re.match(r"([\d.]+) %(.*)", explained.sentence).groups()
    if points := re.search(r": ([\d. +]+) percentage points", rest):
        parts = [float(number) for number in points[1].split(" + ")]
        assert sum(parts) == pytest.approx(float(whole), abs=1e-9)
        numbers = re.findall(r"(?<!under )(?<![\d.])([\d.]+) % o[fn]", rest)
        shares = [float(number) for number in numbers]
        shares += [50] * ("Half" in rest) + [100] * ("Almost all" in rest)
        assert sum(shares) == pytest.approx(100, abs=1e-9)
    else:
        assert "ll the weight" in rest or float(whole) == 0


def test_an_inner_node_that_averages_branches_says_one_number_everywhere() -> None:
    smoothed = MBranch().smooth(GENE)
    smoothed = replace(smoothed, std=np.zeros_like(smoothed.probs))
    node = int(GENE.arrays.parent[MALE])
    explained = explain_leaf(smoothed, node, SCHEMA, 0)
    number = percent(float(group_probs(smoothed)[node, 0]))
    assert explained.sentence.startswith(f"{number} (")
    assert "the mean of its" in explained.sentence
    assert percent(explained.steps[-1].shown) == number
    assert rings_html(smoothed, SCHEMA, explained, "light") == ""
    assert PSEUDO_COUNT_NOTE in explained.notes
    assert PSEUDO_COUNT_NOTE not in explained.card_notes
