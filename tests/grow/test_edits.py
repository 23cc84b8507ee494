"""Corrections of trees and networks: as data, in those of all rows, and against a slow twin."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from probtrees.errors import OptionError
from probtrees.experiment.grown_model import grow_model
from probtrees.grow.c45 import C45
from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Dag
from probtrees.grow.edited_tree import unmet_edits
from probtrees.grow.edits import ArrowEdit, Edit, Step, edits_text, read_edits, way_to
from probtrees.grow.given_structure import GivenStructure
from probtrees.grow.tan import TAN
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.read_table import load_sample
from tests.checks import check_grown_tree
from tests.grow.test_c45 import assert_same, naive_rows, nested, table, tables
from tests.naive import naive_edited
from tests.small_tables import table_of


def same_bytes(one: CountTree, other: CountTree) -> bool:
    return all(a.tobytes() == b.tobytes() for a, b in zip(one.arrays, other.arrays, strict=True))


LEARNERS = st.builds(
    C45,
    min_leaf=st.integers(1, 3),
    collapse=st.booleans(),
    missing=st.sampled_from(["value", "fraction"]),
    max_depth=st.sampled_from([None, 2]),
    prune=st.sampled_from(["none", "pessimistic", "reduced-error"]),
    separate_rows=st.booleans(),
)


@st.composite
def edits_of(draw, data: Dataset, tree: CountTree):
    """Any correction of any node of a tree."""
    at = way_to(tree, data.schema, draw(st.integers(0, tree.n_nodes - 1)))
    do = draw(st.sampled_from(["split", "stop", "never", "grow"]))
    if do in ("stop", "grow"):
        return Edit(do, at)
    column = draw(st.sampled_from(data.schema.features))
    cut = None
    if do == "split" and not column.is_nominal:
        cut = draw(st.one_of(st.none(), st.integers(-8, 8).map(float)))
    return Edit(do, at, column.name, cut)


@settings(max_examples=25)
@given(st.data())
def test_edited_trees_are_trees_and_their_edits_can_be_taken_back(draw):
    data, learner = draw.draw(tables()), draw.draw(LEARNERS)
    plain = learner.grow(data)
    edits: list[Edit] = []
    for _ in range(draw.draw(st.integers(1, 3))):
        tree = replace(learner, edits=tuple(edits)).grow(data)
        edits.append(draw.draw(edits_of(data, tree)))
    tree = replace(learner, edits=tuple(edits)).grow(data)
    if not learner.separate_rows:
        check_grown_tree(tree)
    off = tuple(replace(edit, on=False) for edit in edits)
    assert same_bytes(replace(learner, edits=off).grow(data), plain)
    for text in (edits_text(edits), edits_text(edits, short=True)):
        assert same_bytes(replace(learner, edits=read_edits(text)).grow(data), tree)
    np.testing.assert_allclose(tree.arrays.counts[0], plain.arrays.counts[0])


def test_rows_that_only_prune_are_counted_in_branches_that_no_other_row_takes():
    data = table_of("x: u v w, y: a", [0, 1, 2], [0, 0, 0])
    edits = (Edit("split", (), "x"),)
    tree = C45(min_leaf=1, collapse=False, prune="reduced-error", edits=edits).grow(data)
    assert tree.arrays.counts.tolist() == [[3.0], [1.0], [1.0], [1.0]]


@settings(max_examples=40)
@given(st.data())
def test_what_repeats_c45_changes_nothing(draw):
    data, learner = draw.draw(tables()), draw.draw(LEARNERS)
    tree = learner.grow(data)
    node = draw.draw(st.integers(0, tree.n_nodes - 1))
    at = way_to(tree, data.schema, node)
    edit = Edit("stop", at)
    if not tree.is_leaf[node]:
        cut = float(tree.arrays.threshold[node])
        column = data.schema.columns[tree.arrays.column[node]].name
        edit = Edit("split", at, column, None if np.isnan(cut) else cut)
    shape, _ = learner._deal(data)
    assume(unmet_edits(tree, shape.shape, [edit]) == [None])
    assert same_bytes(replace(learner, edits=(edit,)).grow(data), tree)


@settings(max_examples=40)
@given(tables(), st.sampled_from(["value", "fraction"]), st.booleans(), st.data())
def test_equals_the_slow_twin(data, missing, collapse, draw):
    learner = C45(missing=missing, collapse=collapse)
    edits = [draw.draw(edits_of(data, learner.grow(data)))]
    edits.append(draw.draw(edits_of(data, replace(learner, edits=tuple(edits)).grow(data))))
    tree = replace(learner, edits=tuple(edits)).grow(data)
    n_values = data.schema.n_values[:-1].tolist()
    plain = [_plain(edit, data.schema) for edit in edits]
    assert_same(
        nested(tree), naive_edited(naive_rows(data), n_values, data.n_classes, missing, collapse,
                                   plain)
    )  # fmt: skip


def _plain(edit: Edit, schema: Schema):
    """An edit as the slow twin takes it: columns and branches by number."""
    way = []
    for step in edit.at:
        column = schema.names.index(step.column)
        categories = schema.columns[column].categories
        if step.missing:
            branch = 2 if categories is None else len(categories)
        elif categories is not None:
            branch = categories.index(step.value)
        else:
            branch = 0 if step.above is None else 1
        way.append((column, branch, step.bound))
    return edit.do, way, None if edit.column is None else schema.names.index(edit.column), edit.cut


@settings(max_examples=30)
@given(tables(), st.data())
def test_a_column_that_is_never_used_might_as_well_not_be_there(data, draw):
    assume(len(data.schema.features) > 1)
    number = draw.draw(st.integers(0, len(data.schema.features) - 1))
    tree = C45(edits=[Edit("never", column=data.schema.names[number])]).grow(data)
    kept = [k for k in range(data.schema.n_columns) if k != number]
    columns = tuple(data.schema.columns[k] for k in kept)
    without = C45().grow(replace(data, schema=Schema(columns), values=data.values[:, kept].copy()))
    assert number not in tree.arrays.column
    assert tree.n_nodes == without.n_nodes
    np.testing.assert_array_equal(tree.arrays.counts, without.arrays.counts)


def test_an_edit_higher_up_leaves_those_below_it_in_force():
    data = load_sample("titanic")
    below = Edit("stop", (Step("sex", value="male"), Step("class", value="1st")))
    above = Edit("never", (Step("sex", value="male"),), column="age")
    for edits in ([below, above], [above, below]):
        learner = C45(edits=edits, collapse=False)
        tree = learner.grow(data)
        assert unmet_edits(tree, data, learner.edits) == [None, None]
        males = tree.children(0)[1]
        assert tree.is_leaf[tree.children(males)[0]]


def test_what_cannot_be_followed_is_said():
    data = load_sample("titanic")
    gone = Edit("stop", (Step("age", value="child"), Step("sex", value="male")))
    first = Edit("stop", (Step("sex", value="male"),))
    second = Edit("grow", (Step("sex", value="male"),))
    learner = C45(edits=[gone, first, second])
    said = unmet_edits(learner.grow(data), data, learner.edits)
    assert said[0] == "the tree asks for sex there, not age"
    assert "takes its place" in said[1]
    assert said[2] is None


def test_a_cut_that_moved_a_little_is_the_same_cut():
    x = np.arange(100.0)
    data = table([("numeric", x), ("numeric", x % 7)], (x > 49).astype(int))
    tree = C45().grow(data)
    assert tree.arrays.threshold[0] == 49
    near = C45(edits=[Edit("split", (Step("x0", at_most=45.0),), "x1", 3.0)])
    assert unmet_edits(near.grow(data), data, near.edits) == [None]
    far = C45(edits=[Edit("split", (Step("x0", at_most=20.0),), "x1", 3.0)])
    assert unmet_edits(far.grow(data), data, far.edits) == [
        "the tree cuts x0 at 49 there, not at 20"
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{", "must be JSON"),
        ({"edits": []}, "probtrees_edits"),
        ({"probtrees_edits": 1, "edits": [], "more": 1}, "alone"),
        (7, "must be a list"),
        (np.array(2), "must be a list"),
        ([{"do": "stop"}] * 1001, "at most 1000"),
        *(
            ([entry], r"edits\[0\]=.* must be such a record")
            for entry in (
                3,
                {"do": "spilt"},
                {"do": "stop", "where": []},
                {"do": "stop", "at": "root"},
                {"do": "stop", "column": "a"},
                {"do": "never"},
                {"do": "never", "column": "a", "cut": 2},
                {"do": "split", "column": "a", "cut": "2"},
                {"do": "split", "column": "a", "cut": np.nan},
                {"do": "split", "column": "a", "cut": 10**999},
                {"do": "stop", "on": 1},
                {"do": "stop", "at": [{"column": "a"}]},
                {"do": "stop", "at": [{"column": "a", "is": "b", "above": 1}]},
                {"do": "stop", "at": [{"column": "a", "is": 2}]},
                {"do": "stop", "at": [{"column": "a", "missing": False}]},
            )
        ),
    ],
)
def test_what_is_no_list_of_edits_is_refused_in_a_sentence(given, said):
    with pytest.raises(OptionError, match=said):
        C45(edits=given)


@settings(max_examples=60)
@given(st.permutations(range(5)), st.data())
def test_arrows_are_corrected_and_never_close_a_circle(order, draw):
    schema = Schema(tuple(Column(name, ("a", "b")) for name in "vwxyz"))
    arcs = [(a, b) for at, b in enumerate(order) for a in order[:at]]
    chosen = draw.draw(st.sets(st.sampled_from(arcs)))
    dag = Dag({column: tuple(a for a, b in chosen if b == column) for column in order})
    one, other = draw.draw(st.sampled_from(arcs + [(b, a) for a, b in arcs]))
    do = draw.draw(st.sampled_from(["add", "remove", "reverse"]))
    found = dag.edited(ArrowEdit(do, "vwxyz"[one], "vwxyz"[other]), schema)
    wanted = chosen - {(one, other)}
    if do != "remove":
        wanted = wanted - {(other, one)} | {(one, other) if do == "add" else (other, one)}
    # Kahn: columns without parents are taken away until none is left.
    left, waiting = set(wanted), set(range(5))
    while free := {column for column in waiting if not any(b == column for _, b in left)}:
        waiting -= free
        left = {(a, b) for a, b in left if a not in free}
    if waiting:
        assert "circle" in found
    else:
        assert set(found.arcs) == wanted
        assert do == "remove" or 4 not in found.parents[other if do == "add" else one][1:]


def test_a_corrected_network_has_the_tables_of_the_same_arrows_given():
    data = load_sample("titanic")
    edits = [ArrowEdit("add", "sex", "age"), ArrowEdit("remove", "class", "age")]
    edits += [ArrowEdit("reverse", "class", "sex"), ArrowEdit("reverse", "survived", "sex")]
    edits += [ArrowEdit("remove", "sex", "age", on=False)]
    grown = grow_model(data, TAN(edits=edits))
    parents = {"class": ("survived", "sex"), "sex": (), "age": ("survived", "sex")}
    given = grow_model(data, GivenStructure({**parents, "survived": ("sex",)}))
    for ours in grown.trees:
        (theirs,) = [tree for tree in given.trees if tree.target == ours.target]
        assert Counter(map(tuple, ours.arrays.counts)) == Counter(map(tuple, theirs.arrays.counts))
    assert [note["why"] for note in grown.diagnostics["edits"]] == [None] * 5
    with pytest.raises(OptionError, match=r"edits\[0\]: 'agee' must be a column. Did you mean"):
        grow_model(data, TAN(edits=[ArrowEdit("add", "sex", "agee")]))
    for wrong in ({"do": "add", "from": "a", "to": "a"}, {"do": "turn", "from": "a", "to": "b"}):
        with pytest.raises(OptionError, match=r"edits\[0\]=.*See docs/edits.md"):
            TAN(edits=[wrong])
