"""Dots, bars and ladders: everything on its place of the axis, in words, and nothing unescaped."""

import pytest

from probtrees.draw.bars import Contribution, SmootherAnswer, contributions_html, estimates_html
from probtrees.draw.escape import html_text
from probtrees.draw.ladder import axis_of_tree, ladder_html
from probtrees.explain.path import path_steps
from probtrees.words import percent


@pytest.mark.parametrize(
    ("chances", "base", "settings", "shown", "absent"),
    [
        (
            (0.351, None),
            0.2,
            {"observed": 0.5},
            ("left:35.10%", "left:50.00%", "observed here 50.0 %", "<span>100 %</span>"),
            ("only",),
        ),
        ((0.351, None), 0.2, {"reach": 0.5}, ("left:70.20%",), ()),
        # All near an end: 96 % on an axis from 95 to 100 %.
        ((0.98, 1.0), 0.96, {}, ("left:20.00%", "left:60.00%", "from 95.0 % to 100 % only"), ()),
        ((0.01,), 0.006, {"observed": 0.0}, ("left:100.00%", "<span>1.0 %</span>"), ()),
        ((0.01,), 0.4, {}, (), ("only",)),
    ],
)
def test_answers_stand_on_the_axis_of_the_tree_or_closer(chances, base, settings, shown, absent):
    html = estimates_html([SmootherAnswer("a", chance) for chance in chances], base, **settings)
    assert all(words in html for words in shown)
    assert not any(words in html for words in absent)


def test_zero_has_no_bar():
    nothing = contributions_html([Contribution("age", "7", -1e-17)])
    assert "width:0.00%" in nothing
    assert "-0.000" not in nothing
    assert "left:0.00%;width:50.00%" in contributions_html([Contribution("age", "7", -0.2)])


def test_rungs_run_from_all_rows_to_the_leaf_and_can_be_read_aloud(small):
    steps = path_steps(small.smoothed, small.schema, 4, 1)
    assert [step.label for step in steps] == ["all rows", "age ≤ 54", "sex = female"]
    assert [step.rows for step in steps] == [72, 42, 42]
    assert steps[-1].observed == pytest.approx(2 / 42)
    assert steps[-1].shown == pytest.approx(3 / 44)
    steps, axis = path_steps(small.smoothed, small.schema, 2, 1), axis_of_tree(small.smoothed, 1)
    assert html_text(
        "From all rows to this leaf. all rows: 12 of 72 rows (16.7 %); estimate 17.6 %. "
        "age > 54: 10 of 25 rows (40.0 %); estimate 40.7 %."
    ) in ladder_html(steps, axis)
    empty = path_steps(small.smoothed, small.schema, 5, 1)
    assert empty[-1].observed is None
    html = ladder_html(empty, axis_of_tree(small.smoothed, 1))
    assert html.count("border-radius:50%") == 2
    assert "no rows" in html


def test_all_ladders_of_a_tree_share_one_axis(small):
    axis = axis_of_tree(small.smoothed, 1)
    assert axis.low == 0
    assert axis.high >= small.smoothed.probs[:, 1].max()
    html = ladder_html(path_steps(small.smoothed, small.schema, 4, 1), axis)
    assert f"<span>{percent(axis.high)}</span>" in html
