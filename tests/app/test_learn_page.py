"""The Learn page without a browser: every step, its link, what the server computes for it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from probtrees.experiment.grown_model import grow_model
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.gibbs.hdp_watch import watch
from probtrees.smooth.hdp import HDP
from probtrees.smooth.hgs import HGS, SINGLE_WEIGHTS
from probtrees.table.read_table import load_sample
from probtrees.ui.learn.learn_page import (
    Lesson,
    leaf_that_needs_smoothing,
    lesson_choices,
    lesson_texts,
)
from probtrees.ui.learn.lesson_runs import (
    LOSS_SAMPLE,
    loss_curves,
    runs_for,
    settled,
    world_of,
)
from probtrees.ui.learn.steps import STEPS, position_of
from probtrees.ui.learn.subject import (
    CELLS,
    EXACT_ANSWERS,
    GENE_COUNTS,
    ORDERS,
    Subject,
    count_tree,
    gene_subject,
    stroke_subject,
)
from probtrees.ui.learn.worlds import REPEATS, WORLDS, _all_outcomes, draw_samples, run_world
from tests.naive import naive_hdp, naive_leave_one_out

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "learn.py")


pytestmark = pytest.mark.usefixtures("patient_page")


def open_page(**link: str) -> AppTest:
    page = AppTest.from_file(PAGE, default_timeout=180)
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def data_of(page: AppTest) -> dict[str, Any]:
    """Return what the browser is sent."""
    views = page.get("bidi_component")
    (view,) = (view for view in views if "page_watcher" not in view.proto.component_name)
    data: dict[str, Any] = json.loads(view.proto.json)
    return data


def position(name: str) -> int:
    return next(at for at, step in enumerate(STEPS) if step.name == name)


def test_the_example_is_that_of_the_thesis() -> None:
    subject = gene_subject()
    assert subject.tree.arrays.counts[0].tolist() == [100, 901]
    assert subject.who(subject.node) == "gene is yes and sex is male"
    table = stroke_subject()
    assert table.tree.arrays.counts[0].tolist() == [3, 12]
    assert table.who(table.node) == "weight is heavy and height is short"


def test_numbers_of_steps_in_links_stay_what_they_were() -> None:
    names = {step.number: step.name for step in STEPS}
    before = {0: "raw", 1: "constant", 2: "branch", 3: "hgs", 4: "gibbs", 5: "verdict"}
    assert before.items() <= names.items()
    assert sorted(names) == list(range(len(STEPS)))
    for place, step in enumerate(STEPS):
        assert position_of(str(step.number)) == position_of(step.name) == place
    with pytest.raises(ValueError, match="steps"):
        position_of("steps")


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_step_opens_by_its_link(step: Any) -> None:
    page = open_page(v="1", step=str(step.number), told="1", sweeps="120")
    data = data_of(page)
    assert data["lesson"]["step"] == step.name
    assert data["lesson"]["told"] == "1"
    assert data["steps"][position(step.name)]["question"] == step.question
    assert not page.warning
    assert page.query_params.get("step", "raw") == step.name


def test_nothing_is_computed_before_the_answer_is_asked_for() -> None:
    for step in STEPS:
        assert runs_for(gene_subject(), Lesson(step=position(step.name))) == []


def test_the_sampler_is_watched_as_hdp_samples() -> None:
    data = data_of(open_page(step="4", told="1", sweeps="200", seed="7", tying="level"))
    run = data["results"]["gibbs"]
    smoother = HDP(n_iterations=200, burn_in=0, seed=7, tying="level")
    subject = gene_subject()
    assert np.mean(run["p"]) == pytest.approx(smoother.smooth(subject.tree).probs[4, 0], abs=1e-8)
    assert len(run["c"]) == len(run["draws"]) == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tying", "counts"), [("single", (0, 0, 0, 0, 2, 3)), ("level", (3, 0, 0, 1, 1, 4))]
)
def test_draws_and_expectations_agree_with_the_exact_answer(
    tying: Any, counts: tuple[int, ...]
) -> None:
    subject = gene_subject(counts)
    seen = watch(HDP(n_iterations=12_000, burn_in=500, tying=tying), subject.tree, subject.node)
    exact = naive_hdp(subject.tree, tying)[subject.node, 0]
    assert seen.probs[:, 0].mean() == pytest.approx(exact, abs=0.02)
    assert seen.samples[:, 0].mean() == pytest.approx(exact, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
def test_the_table_of_the_network_is_smoothed_as_it_should(order: str) -> None:
    data = data_of(open_page(step="network", order=order, cell="4", told="1"))
    assert data["results"]["table"][order] == pytest.approx(EXACT_ANSWERS[order], abs=0.02)
    assert (data["lesson"]["order"], data["lesson"]["cell"]) == (order, "4")
    exact = naive_hdp(stroke_subject(order).tree, "level", n_grid=13)[:, 0]
    cells = [stroke_subject(order, cell).node for cell in range(len(CELLS))]
    assert exact[cells] == pytest.approx(EXACT_ANSWERS[order], abs=2e-3)
    shown = data["trees"]["tables"][order]
    for cell, (weight, height) in enumerate(CELLS):
        assert f"weight is {weight}" in shown["asked"][cell]
        assert f"height is {height}" in shown["asked"][cell]


def test_losses_are_named_and_the_best_weight_of_held_out_rows_lies_between_the_ends() -> None:
    curves = loss_curves(grow_model(load_sample(LOSS_SAMPLE), "c45").smooth("hgs").tree)
    held_out = curves["held_out"]
    assert 0 < int(np.argmin(held_out)) < len(held_out) - 1
    assert int(np.argmin(curves["left_out"])) == 0
    tree = tree_of([2, 0, 0], [[3, 1], [2, 4]])
    small = loss_curves(HGS(fit="map").with_weights(tree, np.array([1.0])))
    for weight, loss in zip(SINGLE_WEIGHTS, small["left_out"], strict=True):
        assert loss == pytest.approx(naive_leave_one_out(tree, [weight] * 3, 0.5, False))
    assert small["held_out"] is None
    expected = (np.log(SINGLE_WEIGHTS / 4) ** 2 / 2 / 10).tolist()
    assert small["prior"] == pytest.approx(expected)


def test_samples_of_a_world_have_its_chances_and_hdp_answers_on_each() -> None:
    world = WORLDS["noise"]
    counts, said = run_world(world, 5, seed=0)
    assert counts.shape == (REPEATS, 6)
    assert (counts.reshape(REPEATS, 3, 2).sum(axis=2) == world.sizes(5)).all()
    cases = counts[:, ::2].sum(axis=0) / (REPEATS * world.sizes(5))
    np.testing.assert_allclose(cases, world.chances, atol=0.03)
    tree = count_tree(world.shape.parent, world.shape.ends, counts[3])
    again = HDP(n_iterations=200, seed=3, tying="single").smooth(tree)
    assert said[3] == again.probs[world.shape.leaf, 0]
    assert (draw_samples(world, 5, seed=0) == counts).all()


def test_a_world_of_three_outcomes_is_smoothed_as_one() -> None:
    tree = tree_of([2, 0, 0], [[0, 1, 0], [5, 4, 6]])
    subject = Subject(tree, gene_subject().schema, 1, 0, ("leaf", "three"))
    world = world_of(Lesson(world="own", truth=0.3), subject)
    assert world.n_outcomes == 3
    assert dict(zip(world.shape.ends, world.chances, strict=True))[world.shape.leaf] == 0.3
    assert 6 / 18 in world.chances
    assert world.others == (6 / 13, 7 / 13)
    cells = _all_outcomes(world, np.array([1, 0, 5, 10]), 0)
    assert cells[:, 0].tolist() == [1, 5]
    assert cells[:, 1:].sum(axis=1).tolist() == [0, 10]
    smoothed = HDP(n_iterations=20).smooth(count_tree(world.shape.parent, world.shape.ends, cells))
    assert smoothed.probs.shape[1] == 3


def test_another_row_in_the_leaf_joins_those_that_are_there() -> None:
    world = WORLDS["signal"]
    at = 2 * world.shape.ends.index(world.shape.leaf)
    few, more = draw_samples(world, 4, seed=2), draw_samples(world, 5, seed=2)
    assert np.isin(more[:, at] - few[:, at], [0, 1]).all()
    others = [i for i in range(few.shape[1]) if i not in (at, at + 1)]
    assert (few[:, others] == more[:, others]).all()
    data = data_of(open_page(step="verdict"))
    cases = int(np.sum(np.array(data["trees"]["luck"][:3]) < world.truth))
    revealed = data_of(open_page(step="verdict", told="1"))
    first = data["trees"]["worlds"]["signal"]["first"]
    first[at : at + 2] = [cases, 3 - cases]
    assert (
        revealed["results"]["world"]["counts"][0] == first
    )  # Reveal shows the sample of the guess


def test_one_s_own_leaf_is_what_is_drawn_again_and_judged() -> None:
    page = open_page(sample="heart", source="leaf", step="verdict", told="1")
    data = data_of(page)
    own, subject = data["trees"]["worlds"]["own"], data["trees"]["subject"]
    assert subject["usual"]["world"] == "own"
    assert own["parent"] == subject["parent"]
    assert own["truth"] == subject["usual"]["truth"]
    rows = sum(subject["counts"][-2:])
    sample = np.reshape(data["results"]["world"]["counts"][0], (-1, 2)).sum(axis=1)
    assert sample.tolist() == np.reshape(subject["counts"], (-1, 2)).sum(axis=1).tolist()
    assert sample[-1] == rows
    set_by_hand = open_page(
        sample="heart", source="leaf", step="verdict", told="1", truth="0.8", leaf_rows="7"
    )
    assert data_of(set_by_hand)["trees"]["worlds"]["own"]["truth"] == 0.8
    counts = data_of(set_by_hand)["results"]["world"]["counts"]
    assert np.sum(np.array(counts)[:, -2:], axis=1).tolist() == [7] * REPEATS


def test_a_tree_of_one_leaf_has_a_lesson_too() -> None:
    alone = Subject(tree_of([0], [[3, 4]]), gene_subject().schema, 0, 0, ("leaf", "alone"))
    for step in STEPS:
        for run in runs_for(alone, Lesson(step=position(step.name), told=True)):
            run.job.finished.wait(60)
            assert run.job.error is None
    assert settled(Lesson(), alone).truth == 0.44


def test_what_the_browser_tells_is_taken_over_and_nonsense_is_not() -> None:
    page = open_page()
    turn = data_of(page)["turn"]
    page.session_state["learn.strength"] = 3.5
    page.run()
    data = data_of(page)
    assert data["lesson"]["strength"] == "3.5"
    assert data["turn"] == turn + 1


def test_a_leaf_of_the_own_tree_opens_where_smoothing_matters() -> None:
    page = open_page(sample="titanic", source="leaf", step="1", told="1")
    shown = data_of(page)["trees"]["subject"]
    assert sum(shown["counts"][-2:]) <= 30
    assert not shown["editable"]
    assert sum(shown["counts"]) == load_sample("titanic").n_rows
    assert len(shown["counts"]) == 2 * len(shown["ends"])
    tree = tree_of([2, 2, 0, 0, 0], [[400, 600], [1, 0], [90, 900]])
    assert leaf_that_needs_smoothing(tree, 0) == 3
    assert leaf_that_needs_smoothing(tree_of([0], [[0, 0]]), 0) == 0


lessons = st.builds(
    Lesson,
    step=st.integers(0, len(STEPS) - 1),
    counts=st.tuples(*[st.integers(0, 100_000)] * len(GENE_COUNTS)),
    strength=st.integers(0, 80).map(lambda n: n / 4),
    branch=st.integers(0, 80).map(lambda n: n / 4),
    weight=st.integers(0, 80).map(lambda n: n / 4),
    c=st.lists(st.sampled_from([0.05, 0.25, 2.0, 33.0, 100.0]), min_size=1, max_size=8).map(tuple),
    tying=st.sampled_from(["single", "level", "parent", "none"]),
    truth=st.sampled_from([0.0, 0.01, 0.5, 0.99]),
    sample=st.integers(0, 200),
    leaf_rows=st.integers(0, 50),
    order=st.sampled_from(ORDERS),
    cell=st.integers(0, 5),
    world=st.sampled_from(["usual", "own", *WORLDS]),
    mix=st.integers(0, 20).map(lambda n: n / 20),
    sweeps=st.integers(10, 5000),
    seed=st.integers(0, 2**31),
    told=st.booleans(),
)


@given(lessons)
def test_a_link_brings_back_what_it_was_made_from(lesson: Lesson) -> None:
    assert Lesson(**read_lesson(lesson_texts(lesson))) == lesson
    other = replace(lesson, told=not lesson.told)
    assert lesson_texts(other) != lesson_texts(lesson)


def read_lesson(query: dict[str, str]) -> dict[str, Any]:
    return {name: lesson_choices()[name].read(text) for name, text in query.items()}


def test_a_class_that_opens_one_link_has_it_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def count(*given: object, **more: object) -> object:
        calls.append(given)
        return watch(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("probtrees.ui.learn.lesson_runs.watch", count)
    for _ in range(3):
        open_page(step="4", told="1", sweeps="120", seed="4711")
    assert len(calls) == 1
