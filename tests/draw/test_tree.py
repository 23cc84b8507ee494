import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from probtrees.draw.legend import Legend, framed_dot
from probtrees.draw.node_card import apart_by, colour_position, outline
from probtrees.draw.palette import PAINTS, relative_to_base
from probtrees.draw.picture_file import place_cards, render
from probtrees.draw.tree import node_colours, open_to_depth, tree_dot, with_paths
from probtrees.draw.tree_data import tree_numbers
from probtrees.errors import DataError
from probtrees.explain.detail import group_probs
from probtrees.score.decision import Cut
from probtrees.smooth.m_estimate import MLE


def test_nodes_show_rule_counts_as_observed_and_what_they_say(small):
    dot = tree_dot(small.smoothed, small.schema)
    for words in ("age ≤ 54", "age not recorded", "25 rows · 10 yes (40.0 %)", "→ 40.7 % yes"):
        assert words in dot
    assert "72 rows · 12 yes (16.7 %)" in dot
    assert "1 branch without rows is not drawn" in dot
    assert dot.count("→") == small.smoothed.tree.n_nodes - 1  # one has no rows


def test_a_branch_without_rows_is_drawn_only_where_it_is_asked_for(small):
    tree = small.smoothed.tree
    (empty,) = np.flatnonzero(tree.totals <= 0).tolist()
    assert f"n{empty} [" not in tree_dot(small.smoothed, small.schema)
    shown = with_paths(tree, open_to_depth(tree, 1), [empty])
    dot = tree_dot(small.smoothed, small.schema, visible=shown)
    assert f"n{empty} [" in dot
    assert "no rows" in dot
    assert "style=dashed" in dot
    assert dot.count(" -> ") == tree.n_nodes - 1
    assert "not drawn" not in dot


def test_a_picture_that_stands_alone_has_title_legend_and_source(small):
    legend, dot = (
        Legend("lift", ("no", "yes"), 1, 0.3, "survived"),
        tree_dot(small.smoothed, small.schema),
    )
    svg = render(framed_dot(dot, "survived: yes <b>", legend, "a & b", "light")).decode()
    words = "".join(ET.fromstring(svg).itertext()).replace("\xa0", " ")
    assert '<polygon fill="white"' in svg or '<polygon fill="#ffffff"' in svg
    for text in ("survived: yes <b>", "chance of survived = yes", "a & b"):
        assert text in words

    def height(node):
        part = svg[svg.index(f"<title>n{node}</title>") :]
        return float(re.search(r'<text[^>]*y="([-\d.]+)"', part)[1])

    first, second = small.smoothed.tree.children(0)[:2]
    assert height(first) < height(second)


def test_no_edge_runs_back_and_no_card_covers_another(hostile):
    """A split of many branches: edges leave to the right; Graphviz' own layout is there too."""
    dot = tree_dot(hostile.smoothed, hostile.schema, visible=range(hostile.smoothed.tree.n_nodes))
    svg = render(dot).decode()
    curves = re.findall(r'<path[^>]* d="M([-\d.]+),[-\d.]+C([-\d. ,]+)"', svg)
    edges = [(float(x), [float(p.split(",")[0]) for p in rest.split()]) for x, rest in curves]
    edges = [(x, after) for x, after in edges if len(after) == 3]
    assert len(edges) >= hostile.smoothed.tree.n_nodes - 1
    assert all(x <= after[0] <= after[2] for x, after in edges[: hostile.smoothed.tree.n_nodes - 1])
    assert render(dot, by_graphviz=True).decode() != svg
    sizes = {f"n{n}": (40.0 + 7 * n, 30.0) for n in range(12)}
    places = place_cards(sizes, {"n0": ["n1", "n2", "n3"], "n2": [f"n{n}" for n in range(4, 12)]})
    boxes = list(places.values())
    for at, (left, top, wide, high) in enumerate(boxes):
        for left2, top2, wide2, high2 in boxes[at + 1 :]:
            apart = left + wide <= left2 or left2 + wide2 <= left
            assert apart or top + high <= top2 or top2 + high2 <= top


def test_a_node_is_coloured_by_the_difference_of_its_own_two_numbers(small):
    other = MLE().smooth(small.smoothed.tree)
    position = colour_position(small.smoothed, 1, "difference", other)
    ours, theirs = group_probs(small.smoothed)[:, 1], group_probs(other)[:, 1]
    end = apart_by(small.smoothed, other, 1)[1]
    assert (position * end).tolist() == pytest.approx(np.abs(ours - theirs).tolist())


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
    lines = outline(hostile.smoothed, hostile.schema).splitlines()
    assert len(lines) == hostile.smoothed.tree.n_nodes + 2


@pytest.mark.parametrize("format", ["png", "pdf"])
def test_pictures_are_files_of_their_kind(small, format):
    start = {"png": b"\x89PNG", "pdf": b"%PDF"}[format]
    assert render(tree_dot(small.smoothed, small.schema), format).startswith(start)


def test_outline_reads_like_j48(small):
    assert outline(small.smoothed, small.schema).splitlines() == [
        "all rows (72 rows · 12 yes (16.7 %))",
        "age ≤ 54",
        "|   sex = female: yes 6.8 %, no 93.2 % (42 rows)",
        "|   sex = male: yes 6.8 %, no 93.2 % (0 rows)",
        "age > 54: yes 40.7 %, no 59.3 % (25 rows)",
        "age not recorded: yes 14.3 %, no 85.7 % (5 rows)",
        "",
        "Nodes: 6  Leaves: 4  Depth: 2",
    ]


def test_a_group_says_what_a_cut_tree_would_or_the_mean_of_its_leaves(small):
    smoothed, tree = small.smoothed, small.smoothed.tree
    numbers = tree_numbers(smoothed, outcome=1)
    np.testing.assert_allclose(numbers["answer"], smoothed.probs[:, 1], atol=1e-9)
    sampled = tree_numbers(replace(smoothed, std=np.zeros_like(smoothed.probs)), outcome=1)
    leaves = tree.leaves
    mean = np.average(smoothed.probs[leaves, 1], weights=tree.totals[leaves])
    assert abs(sampled["answer"][0] - mean) < 1e-8
    np.testing.assert_allclose(
        np.array(sampled["answer"])[leaves], smoothed.probs[leaves, 1], atol=1e-9
    )
    assert sampled["answerWords"] != numbers["answerWords"]


@pytest.mark.parametrize("base", [0.006, 0.3, 0.5, 0.95])
def test_chances_are_placed_by_their_odds_around_the_base_rate(base: float) -> None:
    chances = np.array([0.0, 0.02, 0.2, base, 0.8, 0.999, 1.0])
    clipped = np.clip(chances, 1e-9, 1 - 1e-9)
    distance = np.log(clipped / (1 - clipped)) - np.log(base / (1 - base))
    assert relative_to_base(chances, base) == pytest.approx(np.clip(distance / 3, -1, 1))


def test_a_picture_that_cannot_be_laid_out_or_takes_long_is_refused(monkeypatch):
    with pytest.raises(DataError, match="could not be laid out"):
        render("digraph { a [label=<<b>] }")
    monkeypatch.setattr("probtrees.draw.picture_file.LONGEST", 0.5)
    edges = "".join(f"a{i} -> a{(i * 7919) % 1500};" for i in range(4000))
    with pytest.raises(DataError, match="Show fewer levels"):
        render(f"digraph {{{edges}}}")


def test_cards_are_coloured_by_who_is_acted_on(small):
    chances, leaves = small.smoothed.probs[:, 1], small.smoothed.tree.leaves
    paint = PAINTS["light"].diverging
    everybody = tree_dot(small.smoothed, small.schema, outcome=1, act=Cut(1, 0.0))
    assert everybody.count(f"BGCOLOR='{paint[-1]}'") == everybody.count("STYLE='ROUNDED'")
    some = node_colours(
        small.smoothed, 1, "acting", None, "light", act=Cut(1, chances[leaves].max())
    )
    told = {some[leaf]: chances[leaf] == chances[leaves].max() for leaf in leaves}
    assert told == {paint[-1]: True, paint[3]: False}
    assert some[0] not in (paint[-1], paint[3])  # a part of its rows
