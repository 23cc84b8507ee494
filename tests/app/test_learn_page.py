"""The Learn page without a browser: every step, its link, and links that cannot be followed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from probtrees.smooth.gibbs.hdp_watch import watch
from probtrees.smooth.hdp import HDP
from probtrees.ui.learn.learn_page import LAST_STEP, Lesson, lesson_choices
from probtrees.ui.learn.steps import STEPS
from probtrees.ui.learn.subject import GENE_COUNTS, gene_subject
from probtrees.words import percent

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "learn.py")


pytestmark = pytest.mark.usefixtures("patient_page")


def open_page(**link: str) -> AppTest:
    page = AppTest.from_file(PAGE, default_timeout=180)
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def text_of(page: AppTest) -> str:
    parts = [*page.markdown, *page.code, *page.header, *page.caption]
    return "\n".join(str(part.value) for part in parts)


def test_the_example_is_that_of_the_thesis() -> None:
    subject = gene_subject()
    assert subject.tree.arrays.counts[0].tolist() == [100, 901]
    assert subject.who(subject.node) == "gene is yes and sex is male"
    assert subject.observed(subject.node) == 0
    assert gene_subject((0,) * 6).observed(0) is None


def press(page: AppTest, label: str) -> None:
    (button,) = [button for button in page.button if button.label == label]
    button.click().run()
    assert not page.exception


def test_one_guesses_first_and_walks_down_the_branch_node_by_node() -> None:
    page = open_page(step="2")
    assert "0.1932" not in text_of(page)
    press(page, "Reveal")
    assert "(100 + " in text_of(page)
    assert "0.1932" not in text_of(page)
    press(page, "Next node")
    assert page.query_params["walked"] == "2"
    press(page, "Next node")
    assert "0.1932" in text_of(page)
    assert "Why it lands at 19.3 %" in text_of(page)


def test_a_rare_class_shows_what_laplace_does_to_it() -> None:
    assert "a leaf of 5 rows without a case gets 14.3 %" in text_of(open_page(step="1", told="1"))


def test_hdp_shows_pseudo_counts_and_samples_that_average_to_the_estimate() -> None:
    page = open_page(step="4", told="1", sweeps="200", seed="7")
    said = text_of(page)
    assert "passed up in the last sweep" in said
    seen = numbers_of_the_samples(200, 7)
    assert f"of what each of them expects: {percent(seen)}" in said
    assert f"Estimate **{percent(seen)}**" in said


def numbers_of_the_samples(sweeps: int, seed: int) -> float:
    subject = gene_subject()
    smoother = HDP(n_iterations=sweeps, burn_in=sweeps // 10, seed=seed)
    return float(watch(smoother, subject.tree, subject.node).probs[:, 0].mean())


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_every_step_opens_by_its_link(step: int) -> None:
    page = open_page(v="1", step=str(step), told="1")
    assert page.header[0].value == STEPS[step].question
    assert not page.warning


def test_a_link_of_the_first_format_still_shows_the_same() -> None:
    page = open_page(v="1", step="1", counts="10-0-0-1-90-900", strength="2", told="1")
    assert "(0 + 2·0.5) / (1 + 2) = 0.3333" in text_of(page)


def test_edited_counts_are_used_and_linked() -> None:
    page = open_page(step="1", told="1")
    (box,) = [box for box in page.number_input if box.key == "learn.count.3"]
    box.set_value(4).run()
    assert "(0 + 1) / (4 + 2) = 0.1667" in text_of(page)
    assert page.query_params["counts"] == "10-0-0-4-90-900"


def test_counts_without_any_row_are_no_accident() -> None:
    for step in range(len(STEPS)):
        open_page(step=str(step), counts="0-0-0-0-0-0", told="1")


def test_a_stale_link_explains_itself() -> None:
    page = open_page(v="99", step="77", strength="many")
    said = " ".join(warning.value for warning in page.warning)
    assert "'step'" in said
    assert "'strength'" in said
    assert "'v'" in said
    assert page.header[0].value == STEPS[0].question


lessons = st.builds(
    Lesson,
    step=st.integers(0, LAST_STEP),
    counts=st.tuples(*[st.integers(0, 100_000)] * len(GENE_COUNTS)),
    strength=st.integers(0, 80).map(lambda n: n / 4),
    branch=st.integers(0, 80).map(lambda n: n / 4),
    weight=st.integers(0, 80).map(lambda n: n / 4),
    sweeps=st.integers(10, 5000),
    seed=st.integers(0, 2**31),
    told=st.booleans(),
)


@given(lessons)
def test_a_link_brings_back_what_it_was_made_from(lesson: Lesson) -> None:
    written = {
        name: choice.write(getattr(lesson, name)) for name, choice in lesson_choices().items()
    }
    assert Lesson(**read_lesson(written)) == lesson


def read_lesson(query: dict[str, str]) -> dict[str, Any]:
    return {name: lesson_choices()[name].read(text) for name, text in query.items()}


@given(st.dictionaries(st.sampled_from(["step", "counts", "weight", "told"]), st.text()))
def test_any_link_gives_a_lesson_or_is_refused(query: dict[str, str]) -> None:
    try:
        lesson = Lesson(**read_lesson(query))
    except ValueError:
        return
    assert 0 <= lesson.step <= LAST_STEP
    assert np.isfinite(lesson.weight)


def test_a_class_that_opens_one_link_has_it_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def count(*given: object, **more: object) -> object:
        calls.append(given)
        return watch(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("probtrees.ui.learn.numbers.watch", count)
    for _ in range(3):
        open_page(step="4", told="1", sweeps="120", seed="4711")
    assert len(calls) == 1
