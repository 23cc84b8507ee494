import pytest

from probtrees.draw.bars import Axis
from probtrees.draw.ladder import Rung, axis_of, axis_of_tree, ladder_html, ladder_words, rungs
from probtrees.words import percent


def test_rungs_run_from_all_rows_to_the_leaf(small):
    steps = rungs(small.smoothed, small.schema, 4, 1)
    assert [step.label for step in steps] == ["all rows", "age ≤ 54", "sex = female"]
    assert [step.rows for step in steps] == [72, 42, 42]
    assert steps[-1].rate == pytest.approx(2 / 42)
    assert steps[-1].estimate == pytest.approx(3 / 44)


def test_the_axis_is_zoomed_to_what_stands_on_it():
    steps = [Rung("all rows", 3000, 60, 0.02), Rung("a", 7, 1, 0.06)]
    axis = axis_of(steps)
    assert axis.low == pytest.approx(0.02 - (1 / 7 - 0.02) * 0.12)
    assert axis.high < 0.17
    assert 0 <= axis.place(0.02) <= 100
    assert axis_of(steps, (0.01, 0.9)).high > 0.9


def test_all_ladders_of_a_tree_share_one_axis(small):
    axis = axis_of_tree(small.smoothed, 1)
    assert axis.low == 0
    assert axis.high >= small.smoothed.probs[:, 1].max()
    html = ladder_html(rungs(small.smoothed, small.schema, 4, 1), axis=axis)
    assert f"<span>{percent(axis.high)}</span>" in html
    assert "Line: what the smoother says" in html


def test_a_ladder_near_an_end_of_the_axis_is_shown_closer_and_it_is_said():
    whole = Axis(0.0, 1.0)
    rare = [Rung("all rows", 4800, 30, 0.0063), Rung("a", 537, 6, 0.01)]
    html = ladder_html(rare, axis=whole)
    assert "<span>2.0 %</span>" in html
    assert "Axis from 0 % to 2.0 % only." in html
    sure = [Rung("all rows", 2600, 2480, 0.954), Rung("a", 2435, 2435, 0.9998)]
    assert "Axis from 95.0 % to 100 % only." in ladder_html(sure, axis=whole)
    even = [Rung("all rows", 100, 50, 0.5), Rung("a", 50, 26, 0.52)]
    assert "<span>0 %</span><span>100 %</span>" in ladder_html(even, axis=whole)
    assert "only" not in ladder_html(even, axis=whole)


def test_an_empty_leaf_has_no_dot(small):
    steps = rungs(small.smoothed, small.schema, 5, 1)
    assert steps[-1].rate is None
    html = ladder_html(steps)
    assert html.count("border-radius:50%") == 2
    assert "no rows" in html


def test_the_ladder_can_be_read_aloud(small):
    words = ladder_words(rungs(small.smoothed, small.schema, 2, 1))
    assert words == (
        "From all rows to this leaf. all rows: 12 of 72 rows (16.7 %); estimate 17.6 %. "
        "age > 54: 10 of 25 rows (40.0 %); estimate 40.7 %."
    )


def test_a_lone_root_and_a_root_without_rows():
    assert "overall 50.0 %" in ladder_html([Rung("all rows", 2, 1, 0.5)])
    assert "overall 50.0 %<" in ladder_html([Rung("all rows", 0, 0, 0.5)], theme="dark")
    assert "overall 41.4 % observed<" in ladder_html([Rung("all rows", 181, 75, 0.4151)])
    assert "overall 41.4 %<" in ladder_html([Rung("all rows", 181, 75, 0.4142)])


def test_hostile_names_stay_text(hostile):
    html = ladder_html(rungs(hostile.smoothed, hostile.schema, 4, 1), interval=(0.1, 0.2))
    assert "<img src=x" not in html
    assert "\x00" not in html
