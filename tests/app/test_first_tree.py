"""The first tree of one's own table: smaller where unseen rows allow it, or found nothing."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.experiment.evaluation.growing_costs import GrowingCost
from probtrees.experiment.grown_model import grow_model
from probtrees.grow.c45 import C45
from probtrees.grow.edits import way_to
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import load_sample
from probtrees.ui.shared import workbench
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.growing_proposal import READABLE, smallest_as_good
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload
from tests.app.app_page import address, press, ran, visit, words_of

pytestmark = pytest.mark.usefixtures("patient_page")


def _codes() -> bytes:
    """Return 900 rows: 150 postcodes, which tell much, and columns that tell little."""
    random = np.random.default_rng(7)
    rows = []
    for n in range(900):
        x, z, w = random.integers(6, size=3)
        code = n * 7919 % 150
        ill = random.random() < (0.85 if code % 2 else 0.1) + 0.1 * (x > 3)
        rows.append(f"P{code},a{x},b{z},c{w},{'yes' if ill else 'no'}")
    return "\n".join(["postcode,x,z,w,ill", *rows]).encode()


def _rare(tells: float) -> bytes:
    """Return 1,500 rows with an outcome of about 12 %, nowhere above a half."""
    random = np.random.default_rng(8)
    rows = []
    for _ in range(1500):
        care, moves = random.integers(4), random.integers(2)
        ill = random.random() < 0.12 + tells * (care - 1.5 - moves + 0.5)
        rows.append(f"c{care},{'my'[moves]},{random.integers(90)},{'yes' if ill else 'no'}")
    return "\n".join(["care,moves,age,ill", *rows]).encode()


def _opened(content: bytes, **roles: str) -> AppTest:
    reading = ReadOptions(roles={"ill": "target", **roles})  # type: ignore[arg-type]
    return visit("tree", upload=Upload("own.csv", content), reading=reading)


def test_the_first_tree_is_a_smaller_one_as_good_and_all_leaves_are_one_click_away() -> None:
    page = _opened(_codes(), postcode="ignore")
    (label,) = [b.label for b in page.button if b.label.startswith("all ")]
    n_all = int(label.split()[1])
    assert n_all > READABLE
    assert "As good on unseen rows as" in words_of(page)
    assert not [name for name in address(page) if name.startswith(("c45.", "tree."))]
    press(page, label)
    assert f"{n_all} leaves" in words_of(page)
    assert address(page)["tree.smaller"] == "0"
    press(page, "Show a smaller tree that is as good")
    assert "As good on unseen rows as" in words_of(page)


@pytest.mark.parametrize("chosen", [{"c45__min_leaf": 3}, {"c45__prune": "pessimistic"}])
def test_what_somebody_chose_about_growing_stays(chosen: dict[str, object]) -> None:
    reading = ReadOptions(roles={"ill": "target", "postcode": "ignore"})
    page = visit("tree", upload=Upload("own.csv", _codes()), reading=reading, **chosen)
    ((key, value),) = chosen.items()
    assert address(page)[key.replace("__", ".")] == str(value)
    assert "good on unseen rows" not in words_of(page)


@pytest.mark.slow
def test_postcodes_are_set_aside_where_the_tree_stands() -> None:
    page = _opened(_codes(), postcode="feature")
    page.session_state[state.OUTCOME] = 0
    assert "150 different values" in words_of(ran(page))
    press(page, "Set it aside")
    assert page.session_state["reading"].roles["postcode"] == "ignore"
    assert page.session_state[state.OUTCOME] == 0
    assert "150 different values" not in words_of(page)


@pytest.mark.slow
def test_leaves_of_a_rare_outcome_are_kept_apart_where_unseen_rows_tell_them_apart() -> None:
    page = _opened(_rare(0.08))
    assert "Leaves that predict the same class are kept apart" in words_of(page)
    press(page, "Merge them")
    assert "kept apart" not in words_of(page)
    assert "1 leaf" in words_of(page)
    assert "kept apart" not in words_of(_opened(_rare(0.0)))


def test_halves_of_the_rows_are_said_and_all_are_used_again_by_a_click() -> None:
    page = _opened(_rare(0.08))
    page.session_state["c45.separate_rows"] = True
    assert "750 of 1,500" in words_of(ran(page))
    press(page, "Use all rows")
    assert "half of the rows" not in words_of(page)
    assert "c45.separate_rows" not in address(page)


def test_a_rare_outcome_is_not_smoothed_away_with_the_leaves() -> None:
    costs = [
        GrowingCost({}, 448, 0.1059, auc=0.64),
        GrowingCost({"min_leaf": 10}, 38, 0.1061, (0.0001, -0.001, 0.002), auc=0.638),
        GrowingCost({"prune": "pessimistic"}, 10, 0.1065, (0.0006, -0.004, 0.005), auc=0.59),
    ]
    best = smallest_as_good(costs)
    assert best is not None
    assert best.n_leaves == 38


def test_what_is_selected_while_a_smaller_tree_is_looked_for_stays_selected() -> None:
    tree = _bench(min_leaf=2)
    smaller = _bench(min_leaf=40)
    leaf = int(np.flatnonzero(tree.members[0].trees[0].is_leaf)[-1])
    kept: dict[str, object] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workbench.st, "session_state", kept)
        workbench._keep_selected("whole", tree, "whole", tree)
        kept[state.NODE] = leaf
        workbench._keep_selected("whole", tree, "smaller", smaller)
        way = way_to(smaller.members[0].trees[0], smaller.schema, kept[state.NODE])  # type: ignore[arg-type]
        whole_way = way_to(tree.members[0].trees[0], tree.schema, leaf)
        assert way
        assert [step.column for step in way] == [step.column for step in whole_way[: len(way)]]
        found = kept[state.NODE]
        workbench._keep_selected("whole", tree, "smaller", smaller)
        assert kept[state.NODE] == found


def _bench(min_leaf: int) -> GrownCounts:
    data = load_sample("titanic")
    return GrownCounts(grow_model(data, C45(min_leaf=min_leaf)), data)


def _said(chance: Callable[[int], float]) -> list[str]:
    """Grow the tree of a table whose outcome depends on the age like this."""
    draw, lines = random.Random(4), ["age,site,dose,left"]
    for _ in range(600):
        age = draw.randint(20, 80)
        left = "yes" if draw.random() < chance(age) else "no"
        lines.append(f"{age},{draw.choice('ABCDEF')},{draw.randint(1, 9)},{left}")
    page = visit("tree", upload=Upload("own.csv", "\n".join(lines).encode()))
    return [text.value for text in page.markdown]


def test_a_tree_of_noise_says_that_it_found_nothing_before_anything_of_the_leaf():
    said = _said(lambda _: 0.35)
    mark = ":orange[:material/warning: **Found nothing**]: no better than the base rate."
    assert mark in said
    assert said.index(mark) < said.index("**Every smoother**")


@pytest.mark.slow
def test_a_good_tree_is_not_marked():
    assert not [text for text in _said(lambda age: age / 80) if "Found nothing" in text]
