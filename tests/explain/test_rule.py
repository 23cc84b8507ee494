from dataclasses import replace

import numpy as np
import pytest

from probtrees.explain.rule import (
    all_rules,
    branch_condition,
    branch_predicates,
    outcome_names,
    rule,
    rule_text,
)
from probtrees.grow.count_tree import LEFT, NOT_RECORDED, RIGHT, CountTree, make_arrays
from probtrees.table.dataset import Column, Schema
from tests.small_tables import schema_of

NAN = float("nan")


@pytest.fixture
def schema() -> Schema:
    return schema_of("age, sex: female male, ill: no yes")


@pytest.fixture
def tree() -> CountTree:
    """Age at 54 (third branch: not recorded); below it sex; below that age again at 30."""
    return CountTree(
        target=2,
        arrays=make_arrays(
            parent=[-1, 0, 0, 0, 1, 1, 1, 5, 5],
            depth=[0, 1, 1, 1, 2, 2, 2, 3, 3],
            first_child=[1, 4, -1, -1, -1, 7, -1, -1, -1],
            n_children=[3, 3, 0, 0, 0, 2, 0, 0, 0],
            column=[0, 1, -1, -1, -1, 0, -1, -1, -1],
            threshold=[54, NAN, NAN, NAN, NAN, 30.5, NAN, NAN, NAN],
            branch=[0, LEFT, RIGHT, NOT_RECORDED, 0, 1, 2, LEFT, RIGHT],
            weight=[9, 6, 2, 1, 2, 3, 1, 1, 2],
            counts=np.ones((9, 2)),
        ),
    )


def test_branches_read_as_short_conditions(tree, schema):
    texts = [branch_condition(tree, schema, node) for node in range(1, 9)]
    assert [condition.short for condition in texts] == [
        "age ≤ 54",
        "age > 54",
        "age not recorded",
        "sex = female",
        "sex = male",
        "sex not recorded",
        "age ≤ 30.5",
        "age > 30.5",
    ]
    assert branch_condition(tree, schema, 0) is None


def test_several_cuts_of_a_number_become_one_range(tree, schema):
    assert rule_text(tree, schema, 8) == "age > 30.5 and ≤ 54 and sex = male"
    assert rule_text(tree, schema, 7) == "age ≤ 30.5 and sex = male"
    assert [condition.words for condition in rule(tree, schema, 8)] == [
        "age is above 30.5 and at most 54",
        "sex is male",
    ]


def test_a_table_with_missing_values_has_one_more_outcome(tree, schema):
    assert outcome_names(tree, schema) == ("no", "yes")
    wider = tree.arrays._replace(counts=np.ones((9, 3)))
    assert outcome_names(CountTree(1, wider), schema) == ("female", "male", "not recorded")


def test_all_rules_at_once_are_the_rules_one_by_one(tree, schema):
    one_by_one = [rule(tree, schema, node) for node in range(tree.n_nodes)]
    assert all_rules(tree, schema) == one_by_one


@pytest.mark.parametrize(
    ("column", "title"),
    [
        (Column("v02", label="Minutes of waiting"), "Minutes of waiting (v02)"),
        (Column("age", label="Age in years"), "age"),
        (Column("a", label="Agreement"), "Agreement (a)"),
        (Column("v03", label="w" * 60), "w" * 39 + "… (v03)"),
        (Column("v04 (month)", source="v04", label="Visit"), "v04 (month)"),
    ],
)
def test_conditions_say_the_label_of_a_column_with_its_name(tree, schema, column, title):
    at = int(tree.arrays.column[0])
    named = replace(schema.columns[at], name=column.name, source=column.source, label=column.label)
    columns = (*schema.columns[:at], named, *schema.columns[at + 1 :])
    condition = branch_condition(tree, Schema(columns), 1)
    assert condition is not None
    assert condition.short.startswith(f"{title} ")


def test_numbers_of_two_values_are_named_by_what_they_are(tree, schema):
    age = replace(schema.columns[0], two_values=(54.0, 60.0), value_labels=(("60", "old"),))
    coded = replace(schema, columns=(age, *schema.columns[1:]))
    assert branch_condition(tree, coded, 1).short == "age = 54"
    assert branch_condition(tree, coded, 2).words == "age is 60 (old)"
    assert branch_condition(tree, coded, 3).predicate == "not recorded"
    # A cut beside the two values, which a correction may ask for, says no more than a comparison.
    assert branch_condition(tree, coded, 7).short == "age ≤ 30.5"
    assert rule_text(tree, coded, 5) == "age = 54 and sex = male"
    predicates = branch_predicates(tree, coded)
    for node in range(1, tree.n_nodes):
        assert predicates[node] == branch_condition(tree, coded, node).predicate
