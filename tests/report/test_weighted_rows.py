"""Sums of weights are called weighted rows wherever they are shown."""

import numpy as np
import pytest

from probtrees.draw.node_card import NodeCards, outline
from probtrees.explain.leaf import explain_leaf
from probtrees.explain.tree_summary import tree_summary
from probtrees.grow.c45 import C45
from probtrees.report import tree_report
from probtrees.report.tree_report import TreeParts
from probtrees.report.tree_report import tree_summary as report_summary
from probtrees.smooth.m_estimate import Laplace, MEstimate
from probtrees.table.read_table import read_table


def smoothed_tree(weighted: bool, smoother):
    random = np.random.default_rng(3)
    rows = [
        f"{n % 9},{'yes' if random.random() < (n % 9) / 9 else 'no'},{random.uniform(0.4, 3):.3f}\n"
        for n in range(200)
    ]
    roles = {"w": "weight" if weighted else "ignore"}
    data = read_table(("t.csv", ("x,ill,w\n" + "".join(rows)).encode()), "ill", roles=roles)
    return smoother.smooth(C45().grow(data)), data.schema


@pytest.mark.filterwarnings("ignore::probtrees.errors.ProbTreesWarning")
@pytest.mark.parametrize("smoother", [Laplace(), MEstimate()], ids=["laplace", "m"])
@pytest.mark.parametrize("weighted", [True, False])
def test_every_place_says_what_is_counted(weighted, smoother):
    smoothed, schema = smoothed_tree(weighted, smoother)
    leaf = int(smoothed.tree.leaves[0])
    heads = []
    parts = TreeParts(smoothed, schema, 1, "x")
    page = type("Page", (), {"heading": lambda *a: None, "text": lambda *a, **k: None})()
    page.listed = lambda _, columns, **__: heads.append(" ".join(columns))
    tree_report.add_leaves(page, parts)
    said = [
        explain_leaf(smoothed, leaf, schema, 1).sentence,
        outline(smoothed, schema, outcome=1),
        NodeCards(smoothed, schema, 1).counts(leaf),
        explain_leaf(smoothed, leaf, schema, 1).steps[-1].words,
        tree_summary(smoothed, schema, 1),
        report_summary(parts, "tree", "t.csv"),
        heads[-1],
    ]
    assert [" weighted row" in words for words in said] == [weighted] * len(said), said
