import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw.legend import Frame, Legend
from probtrees.draw.node_card import (
    NodeCards,
    colour_position,
    default_outcome,
)
from probtrees.draw.palette import PAINTS
from probtrees.draw.picture_file import render
from probtrees.draw.tree import bar_widths, edge_width, open_to_depth, tree_dot, with_paths
from probtrees.explain.detail import group_probs
from probtrees.smooth.mle import MLE
from probtrees.words import percent


def test_nodes_show_rule_counts_proportions_and_estimate(small):
    dot = tree_dot(small.smoothed, small.schema)
    assert "age ≤ 54" in dot
    assert "age not recorded" in dot
    assert "25 rows · 10 yes (40.0 %)" in dot
    assert "→ 40.7 % yes" in dot
    assert "1 branch without rows is not drawn" in dot


def test_a_branch_without_rows_is_drawn_only_where_it_is_asked_for(small):
    tree = small.smoothed.tree
    (empty,) = np.flatnonzero(tree.totals <= 0).tolist()
    assert f"n{empty} [" not in tree_dot(small.smoothed, small.schema)
    shown = with_paths(tree, open_to_depth(tree, 1), [empty])
    dot = tree_dot(small.smoothed, small.schema, visible=shown)
    assert f"n{empty} [" in dot
    assert "no rows" in dot
    assert "not drawn" not in dot
    assert "not drawn" not in tree_dot(small.smoothed, small.schema, open_depth=1)


def test_inner_nodes_show_counts_as_observed_and_what_they_say_as_a_group(small):
    dot = tree_dot(small.smoothed, small.schema)
    assert "72 rows · 12 yes (16.7 %)" in dot
    assert dot.count("→") == small.smoothed.tree.n_nodes - 1  # one has no rows


def test_closed_subtrees_say_how_much_they_hide(small):
    dot = tree_dot(small.smoothed, small.schema, open_depth=1)
    assert "+ 1 node, split on sex" in dot
    assert "n4" not in dot
    assert "+ 4 nodes" in tree_dot(small.smoothed, small.schema, visible=[0])


def test_a_picture_that_stands_alone_has_title_legend_and_source(small):
    frame = Frame("survived: yes <b>", Legend("lift", ("no", "yes"), 1, 0.3, "survived"), "a & b")
    dot = frame.around(tree_dot(small.smoothed, small.schema))
    svg = render(dot)
    words = "".join(ET.fromstring(svg).itertext()).replace("\xa0", " ")
    assert b'<polygon fill="white"' in svg or b'<polygon fill="#ffffff"' in svg
    assert "survived: yes <b>" in words
    assert "chance of survived = yes" in words
    assert "a & b" in words


def test_a_long_column_is_cut_and_its_value_never(small):
    long = replace(
        small.schema,
        columns=tuple(replace(c, name=c.name + "x" * 60 + "end") for c in small.schema.columns),
    )
    dot = tree_dot(small.smoothed, long)
    assert "end ≤ 54</B>" in dot
    assert "x" * 40 not in "".join(re.findall("<B>.*?</B>", dot))


def test_outcomes_that_are_numbers_are_not_written_beside_counts(small):
    columns = (*small.schema.columns[:-1], replace(small.schema.columns[-1], categories=("0", "1")))
    dot = tree_dot(small.smoothed, replace(small.schema, columns=columns))
    assert "10 of 25 rows (40.0 %)" in dot


def test_a_closed_group_has_the_largest_difference_of_its_leaves(small):
    other = MLE().smooth(small.smoothed.tree)
    tree = small.smoothed.tree
    position = colour_position(small.smoothed, 1, "difference", other)
    for node in range(tree.n_nodes):
        below = [leaf for leaf in tree.leaves if node in tree.path(leaf)]
        assert position[node] == position[below].max()


def test_every_visible_node_and_edge_is_drawn(small):
    every = range(small.smoothed.tree.n_nodes)
    dot = tree_dot(small.smoothed, small.schema, visible=every)
    assert dot.count(" -> ") == small.smoothed.tree.n_nodes - 1
    assert "style=dashed" in dot


def test_all_colourings_and_themes_render(small):
    other = MLE().smooth(small.smoothed.tree)
    pictures = {
        tree_dot(small.smoothed, small.schema, colour_by=by, other=other, theme=theme)
        for by in ("lift", "class", "rows", "difference")
        for theme in ("light", "dark")
    }
    assert len(pictures) == 8
    for picture in pictures:
        assert render(picture).startswith(b"<?xml")


def test_lift_colours_run_from_below_to_above_the_base_rate(small):
    dot = tree_dot(MLE().smooth(small.smoothed.tree), small.schema)
    lines = {line.split(" ")[0]: line for line in dot.splitlines() if "label" in line}
    assert PAINTS["light"].diverging[3] in lines["n0"]
    assert lines["n2"] != lines["n4"]


def test_bars_are_smoothed_and_groups_say_what_they_answer(small):
    smoothed = small.smoothed
    cards = NodeCards(smoothed, small.schema, 1)
    for node in range(smoothed.tree.n_nodes):
        assert cards.card(node).bar == pytest.approx(group_probs(smoothed)[node])
        answer = float(group_probs(smoothed)[node, 1])
        assert cards.card(node).estimate == f"{percent(answer)} yes"
    # Closed and open, the root says the same number.
    answer = f"→ {cards.card(0).estimate}"
    assert answer in tree_dot(smoothed, small.schema, visible=[0])
    assert answer in tree_dot(smoothed, small.schema)


def test_more_than_ten_classes(many_classes):
    dot = tree_dot(many_classes.smoothed, many_classes.schema, colour_by="class")
    assert PAINTS["light"].rest in dot
    ET.fromstring(render(dot))


def test_hostile_names_stay_text(hostile):
    every = range(hostile.smoothed.tree.n_nodes)
    dot = tree_dot(hostile.smoothed, hostile.schema, visible=every)
    svg = render(dot)
    root = ET.fromstring(svg)
    names = {element.tag.split("}")[-1] for element in root.iter()}
    assert names <= {"svg", "g", "title", "polygon", "path", "text", "a", "polyline", "ellipse"}
    assert b"<img" not in svg
    groups = [e for e in root.iter() if e.get("class") in {"node", "edge"}]
    assert len(groups) == 2 * hostile.smoothed.tree.n_nodes - 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30).filter(lambda p: sum(p) > 1e-6))
def test_bars_fill_their_width(proportions):
    widths = bar_widths(np.array(proportions), 150)
    assert sum(widths) == 150
    assert min(widths) >= 0


def test_wider_edges_carry_more_rows():
    assert edge_width(0, 10) < edge_width(1, 10) < edge_width(10, 10)


def test_default_outcome_is_the_rarest_that_occurs(small):
    tree = small.smoothed.tree
    assert default_outcome(tree) == 1


@pytest.mark.parametrize("format", ["png", "pdf"])
def test_pictures_are_files_of_their_kind(small, format):
    start = {"png": b"\x89PNG", "pdf": b"%PDF"}[format]
    assert render(tree_dot(small.smoothed, small.schema), format).startswith(start)


def test_a_framed_picture_has_the_first_branch_on_top(small):
    frame = Frame("title", Legend("lift", ("no", "yes"), 1, 0.3), "source")
    dot = tree_dot(small.smoothed, small.schema, direction="right in a frame")
    svg = render(frame.around(dot)).decode()
    first, second = small.smoothed.tree.children(0)[:2]

    def height(node):
        part = svg[svg.index(f"<title>n{node}</title>") :]
        return float(re.search(r'<text[^>]*y="([-\d.]+)"', part)[1])

    assert height(first) < height(second)


def test_the_legend_says_which_of_two_numbers_for_all_rows_is_smoothed():
    own = Legend("lift", ("no", "yes"), 1, 0.4144, root_chance=0.4152)
    assert own.ends[1] == "41.4 % of all rows (smoothed 41.5 %)"
    alike = Legend("lift", ("no", "yes"), 1, 0.4144, root_chance=0.4143)
    assert alike.ends[1] == "41.4 % of all rows"
