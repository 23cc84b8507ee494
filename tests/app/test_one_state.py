"""The same table with the same choices shows the same tree, by whatever way one came."""

from __future__ import annotations

import random

import pytest
from streamlit.testing.v1 import AppTest

from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.shared.session.kept_tables import SUFFIX, SavedSession
from tests.app.app_page import address, give, ran, visit

pytestmark = pytest.mark.usefixtures("patient_page")


def _table(name: str, seed: int, n_rows: int = 300) -> Upload:
    """Return noise of which defaults grow a large tree, so that the app proposes a smaller one."""
    draw = random.Random(seed)
    lines = [f"age,dose,site {name},ill"]
    for _ in range(n_rows):
        age = draw.randint(20, 80)
        ill = "yes" if draw.random() < age / 120 else "no"
        lines.append(f"{age},{draw.randint(1, 40)},{draw.choice('ABC')},{ill}")
    return Upload(f"{name}.csv", "\n".join(lines).encode())


A, B = _table("a", 1), _table("b", 2)


def given(page: AppTest, upload: Upload) -> AppTest:
    """Upload a table."""
    return give(page, upload.content, upload.name)


def tree_of(page: AppTest) -> str:
    """Return the line that says how large which tree is, and what the leaf table holds."""
    lines = [text.value for text in page.markdown]
    (line,) = (text for text in lines if "leaves" in text and "target" in text)
    return f"{line}\n{page.dataframe[0].value.to_csv()}"


@pytest.fixture(scope="module")
def fresh() -> dict[str, str]:
    """The trees of a fresh start."""
    return {}


def _fresh(fresh: dict[str, str], upload: Upload) -> str:
    if upload.name not in fresh:
        fresh[upload.name] = tree_of(given(visit("tree"), upload))
    return fresh[upload.name]


def test_drawing_the_growing_options_chooses_nothing_for_the_next_table(
    fresh: dict[str, str],
) -> None:
    page = given(visit("tree"), A)
    page.session_state["growing"] = True
    ran(page)
    assert [field for field in page.number_input if field.key == "c45.min_leaf field"]
    given(page, B)
    assert tree_of(page) == _fresh(fresh, B)
    assert not [name for name in address(page) if name.startswith("c45.")]


@pytest.mark.slow
def test_a_session_file_brings_the_tree_of_an_upload_with_the_same_answers() -> None:
    page = given(visit("tree"), A)
    page.session_state["reading"] = ReadOptions(roles={"dose": "ignore"})
    ran(page)
    shown = tree_of(ran(page))
    assert "dose" not in shown
    view = {"reading": {"roles": {"dose": "ignore"}}, "choices": {}}
    content = SavedSession.of(A, "titanic", view).to_bytes()
    other = give(visit("tree"), content, f"my{SUFFIX}")
    assert other.session_state[state.UPLOAD] == A
    assert tree_of(ran(other)) == shown


def test_choices_come_back_with_their_table(fresh: dict[str, str]) -> None:
    page = given(visit("tree"), A)
    field = next(field for field in page.number_input if field.key == "c45.min_leaf field")
    field.set_value(30)
    chosen = tree_of(ran(page))
    assert address(page)["c45.min_leaf"] == "30"
    given(page, B)
    assert tree_of(page) == _fresh(fresh, B)
    given(page, A)
    assert tree_of(page) == chosen
    assert address(page)["c45.min_leaf"] == "30"


def test_random_routes_end_at_the_same_tree(fresh: dict[str, str]) -> None:
    draw = random.Random(7)
    page = visit("tree")
    for _ in range(6):
        step = draw.choice(("A", "B", "sample", "growing", "link"))
        if step in "AB":
            given(page, A if step == "A" else B)
        elif step == "sample":
            next(box for box in page.selectbox if box.label == "Sample").set_value("stroke")
            ran(page)
        elif step == "growing":
            page.session_state["growing"] = True
            ran(page)
        else:
            page = visit("tree", address(page))
    given(page, A)
    assert tree_of(page) == _fresh(fresh, A)
    assert not [name for name in address(page) if name.startswith("c45.")]
