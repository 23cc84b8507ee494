"""Below a tree that nobody could read: what makes it large, and a smaller one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from probtrees.ui.shared.session.smaller_tree import (
    SMALLER,
    read_smaller,
    write_smaller,
)
from probtrees.ui.tree.large_tree import smallest_as_good
from streamlit.testing.v1 import AppTest

from probtrees.experiment.evaluation.growing_costs import GrowingCost
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.tree.first_tree import READABLE

APP = str(Path(__file__).resolve().parents[2] / "app.py")
pytestmark = pytest.mark.usefixtures("patient_page")


def _table() -> bytes:
    """Return 900 rows: 150 postcodes, which tell much, and columns that tell little."""
    random = np.random.default_rng(7)
    rows = []
    for n in range(900):
        x, z, w = random.integers(6, size=3)
        code = n * 7919 % 150
        ill = random.random() < (0.85 if code % 2 else 0.1) + 0.1 * (x > 3)
        rows.append(f"P{code},a{x},b{z},c{w},{'yes' if ill else 'no'}")
    return "\n".join(["postcode,x,z,w,ill", *rows]).encode()


def _button(app: AppTest, words: str) -> Any:
    return next(button for button in app.button if words in button.label)


def _opened(**given: Any) -> AppTest:
    """Open the Tree page on the table without postcodes, in a session that holds more."""
    app = AppTest.from_file(APP, default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("own.csv", _table())
    app.session_state["reading"] = ReadOptions(roles={"postcode": "ignore", "ill": "target"})
    for key, value in given.items():
        app.session_state[key.replace("__", ".")] = value
    return app.run()


def _said(app: AppTest) -> str:
    return "\n".join(caption.value for caption in app.caption)


def test_postcodes_are_set_aside_and_the_tree_made_smaller_where_it_stands():
    app = _opened(reading=ReadOptions(roles={"postcode": "feature", "ill": "target"}), outcome=0)
    assert "150 different values" in _said(app)
    _button(app, "Set it aside").click().run()
    assert not app.exception
    assert app.session_state["reading"].roles["postcode"] == "ignore"
    assert app.session_state[state.OUTCOME] == 0
    assert not [button for button in app.button if button.label == "Set it aside"]
    _button(app, "Show all").click().run()
    app.session_state["smaller tree left"] = None  # as in a link, which does not hold it
    app.run()
    _button(app, "look for a smaller tree").click().run()
    _button(app, "Grow it with").click().run()
    assert not app.exception
    assert app.session_state["c45.min_leaf"] > 2 or app.session_state["c45.prune"] != "none"
    _button(app, "Back to the tree with").click().run()
    assert app.session_state["c45.min_leaf"] == 2


def test_the_first_tree_is_a_smaller_one_as_good_and_all_leaves_are_one_click_away():
    app = _opened()
    smaller = app.session_state[SMALLER]
    assert smaller.n_leaves > READABLE
    ((option, value),) = smaller.options
    assert app.session_state[f"c45.{option}"] == value
    assert f"as good on unseen rows as all {smaller.n_leaves}" in _said(app)
    assert app.query_params[SMALLER] == write_smaller(smaller)
    assert app.query_params[f"c45.{option}"] == str(value)
    _button(app, f"Show all {smaller.n_leaves}").click().run()
    assert not app.exception
    assert app.session_state["c45.min_leaf"] == 2
    assert app.session_state["c45.prune"] == "none"
    assert "as good on unseen rows" not in _said(app)
    assert f"all {smaller.n_leaves} leaves" in _said(app)
    app.run()
    assert app.session_state[SMALLER].n_leaves == 0
    assert app.query_params[SMALLER] == write_smaller(app.session_state[SMALLER])
    _button(app, "leaves: as good on unseen rows").click().run()
    assert not app.exception
    assert app.session_state[SMALLER] == smaller
    assert f"as good on unseen rows as all {smaller.n_leaves}" in _said(app)


def test_another_reading_of_the_table_has_a_first_tree_of_its_own():
    app = _opened()
    before = app.session_state[SMALLER]
    roles = {"postcode": "ignore", "w": "ignore", "ill": "target"}
    app.session_state["reading"] = ReadOptions(roles=roles)
    app.run()
    assert not app.exception
    assert app.session_state[SMALLER].n_leaves not in (0, before.n_leaves)


def _other_table() -> bytes:
    """Return the table with a third of its rows: its trees are others."""
    return b"\n".join(_table().splitlines()[:300])


@pytest.mark.parametrize("decided", ["smaller", "all leaves"])
def test_what_was_found_for_a_table_never_reaches_another(decided: str):
    first = _opened()
    if decided == "all leaves":
        _button(first, "Show all").click().run()
    before: dict[str, Any] = {SMALLER: first.session_state[SMALLER]}
    for name in ("min_leaf", "prune"):
        before[f"c45.{name}"] = first.session_state[f"c45.{name}"]

    def shown(**given: Any) -> AppTest:
        return _opened(upload=Upload("other.csv", _other_table()), **given)

    alone, after = shown(), shown(**before)
    assert not after.exception
    for key in before:
        assert after.session_state[key] == alone.session_state[key], key
    again = _opened(**before)
    assert again.session_state[SMALLER] == before[SMALLER]


def test_a_link_of_another_table_claims_nothing_of_this_one():
    app = AppTest.from_file(APP, default_timeout=180)
    for name, text in {"v": "1", "own": "1", "c45.min_leaf": "5"}.items():
        app.query_params[name] = text
    app.query_params[SMALLER] = "232.min_leaf.5.0000"
    app.session_state[state.UPLOAD] = Upload("own.csv", _table())
    app.session_state["reading"] = ReadOptions(roles={"postcode": "ignore", "ill": "target"})
    app.run()
    assert not app.exception
    assert "232" not in _said(app)
    assert app.session_state[SMALLER] == _opened().session_state[SMALLER]


@pytest.mark.parametrize("by_hand", [{"c45__min_leaf": 3}, {"c45__prune": "pessimistic"}])
def test_what_somebody_chose_about_growing_stays(by_hand):
    app = _opened(**by_hand)
    ((key, value),) = by_hand.items()
    assert app.session_state[key.replace("__", ".")] == value
    assert SMALLER not in app.session_state
    app.session_state["c45.min_leaf"] = 2
    app.session_state["c45.prune"] = "none"
    app.run()
    assert SMALLER not in app.session_state


def test_who_has_selected_a_node_is_only_offered_the_smaller_tree():
    app = _opened(node=1)
    assert SMALLER not in app.session_state
    assert app.session_state[state.NODE] == 1
    _button(app, "as good on unseen rows").click().run()
    assert app.session_state[SMALLER].n_leaves > READABLE


def test_a_rare_outcome_is_not_smoothed_away_with_the_leaves():
    costs = [
        GrowingCost({}, 448, 0.1059, auc=0.64),
        GrowingCost({"min_leaf": 10}, 38, 0.1061, (0.0001, -0.001, 0.002), auc=0.638),
        GrowingCost({"prune": "pessimistic"}, 10, 0.1065, (0.0006, -0.004, 0.005), auc=0.59),
    ]
    best = smallest_as_good(costs)
    assert best is not None
    assert best.n_leaves == 38


@pytest.mark.parametrize(
    "text", ["184", "184.depth.3", "184.prune.much", "184.collapse.no", "x.min_leaf.5", "-1"]
)
def test_a_damaged_link_decides_nothing(text):
    with pytest.raises(ValueError, match=r"invalid literal|184|prune|depth|much|not in tuple|-1"):
        read_smaller(text)


def test_merged_leaves_of_a_rare_outcome_are_told_apart_by_a_click():
    random = np.random.default_rng(3)
    wards = random.integers(4, size=2000)
    ill = random.random(2000) < np.array([0.01, 0.02, 0.05, 0.2])[wards]
    rows = [f"{'abcd'[w]},{'yes' if i else 'no'}" for w, i in zip(wards, ill, strict=True)]
    content = "\n".join(["ward,ill", *rows]).encode()
    app = AppTest.from_file(APP, default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("rare.csv", content)
    app.session_state["reading"] = ReadOptions(roles={"ill": "target"})
    app.session_state[state.OUTCOME] = 1
    app.run()
    _button(app, "Merge them").click().run()
    assert "4 leaves all predict the same class and are one" in _said(app)
    (apart,) = (button for button in app.button if button.label == "Tell their chances apart")
    apart.click().run()
    assert "The tree is one leaf" not in _said(app)


def test_a_leaf_that_joins_other_chances_is_told_and_opened_by_a_click():
    random = np.random.default_rng(5)
    n_rows = 4000
    old, night = random.random((2, n_rows)) < [[0.1], [0.4]]
    ill = random.random(n_rows) < np.where(old, 0.75, np.where(night, 0.12, 0.02))
    words = (np.where(one, "yes", "no") for one in (old, night, ill))
    rows = [",".join(row) for row in zip(*words, strict=True)]
    app = AppTest.from_file(APP, default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("r.csv", "\n".join(["old,night,ill", *rows]).encode())
    app.session_state["reading"] = ReadOptions(roles={"ill": "target"})
    app.session_state[state.OUTCOME] = 1
    app.run()
    _button(app, "Merge them").click().run()
    said = "leaf joins groups that all predict the same class, though “yes”"
    assert said in _said(app)
    (apart,) = (button for button in app.button if button.label == "Tell their chances apart")
    apart.click().run()
    assert said not in _said(app)


def test_a_tree_of_one_leaf_says_what_helps():
    random = np.random.default_rng(3)
    rows = [f"{random.integers(50)},{n % 4},{'yes' if n % 200 == 0 else 'no'}" for n in range(800)]
    content = "\n".join(["age,ward,ill", *rows]).encode()
    reading = ReadOptions(roles={"ill": "target"})
    app = AppTest.from_file(APP, default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("rare.csv", content)
    app.session_state["reading"] = reading
    app.session_state[state.OUTCOME] = 1
    app.run()
    assert "The tree is one leaf" in _said(app)
    assert "More rows of “yes” would help most, there are 4." in _said(app)
    assert "**ward**" in _said(app)


def _rare(tells: float) -> bytes:
    """Return 1,500 rows with an outcome of about 12 %, nowhere above a half."""
    random = np.random.default_rng(8)
    rows = []
    for _ in range(1500):
        care, moves = random.integers(4), random.integers(2)
        ill = random.random() < 0.12 + tells * (care - 1.5 - moves + 0.5)
        rows.append(f"c{care},{'my'[moves]},{random.integers(90)},{'yes' if ill else 'no'}")
    return "\n".join(["care,moves,age,ill", *rows]).encode()


def test_leaves_of_a_rare_outcome_are_kept_apart_where_unseen_rows_tell_them_apart():
    app = _opened(upload=Upload("own.csv", _rare(0.08)), reading=ReadOptions())
    assert not app.exception
    assert app.session_state["c45.collapse"] is False
    assert "Leaves that predict the same class are kept apart" in _said(app)
    _button(app, "Merge them").click().run()
    assert not app.exception
    assert app.session_state["c45.collapse"] is True
    assert "kept apart" not in _said(app)
    assert "The tree is one leaf" in _said(app)


def test_noise_around_a_rare_outcome_stays_one_leaf():
    app = _opened(upload=Upload("own.csv", _rare(0.0)), reading=ReadOptions())
    assert not app.exception
    assert app.session_state["c45.collapse"] is True
    assert "kept apart" not in _said(app)


def _rare_among_noise() -> bytes:
    """Return 3,000 rows with an outcome of about 12 %, which few of many columns tell."""
    random = np.random.default_rng(2)
    age, ward = random.integers(20, 90, 3000), random.integers(4, size=3000)
    noise = random.normal(size=(3000, 5)).round(2)
    score = 1.2 * (age > 65) + 1.0 * (noise[:, 0] > 0.8) + 0.8 * (ward == 3) - 3.0
    ill = random.random(3000) < 1 / (1 + np.exp(-score))
    rows = [
        f"{age[n]},w{ward[n]},{','.join(map(str, noise[n]))},{'yes' if ill[n] else 'no'}"
        for n in range(3000)
    ]
    return "\n".join(["age,ward,a,b,c,d,e,ill", *rows]).encode()


def test_a_smaller_tree_of_a_rare_outcome_has_larger_leaves_that_are_not_merged():
    """Larger leaves alone predict the same class all, and would be one."""
    app = _opened(upload=Upload("own.csv", _rare_among_noise()), reading=ReadOptions())
    assert not app.exception
    smaller = app.session_state[SMALLER]
    assert dict(smaller.options)["collapse"] is False
    assert dict(smaller.options)["min_leaf"] > 2
    assert app.session_state["c45.collapse"] is False
    assert read_smaller(app.query_params[SMALLER]) == smaller
    _button(app, f"Show all {smaller.n_leaves}").click().run()
    assert not app.exception
    assert app.session_state["c45.collapse"] is True
    assert app.session_state["c45.min_leaf"] == 2
    _button(app, "leaves: as good on unseen rows").click().run()
    assert app.session_state["c45.collapse"] is False
    assert app.session_state[SMALLER] == smaller
