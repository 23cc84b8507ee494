"""Batteries that every smoother and every learner must pass, and a reader of pages."""

from html.parser import HTMLParser

import numpy as np

from probtrees.grow.count_tree import CountTree, check_tree
from probtrees.smooth.contract import check_smoother

__all__ = ["Reader", "check_grown_tree", "check_same_tree", "check_smoother"]


def check_grown_tree(tree: CountTree) -> None:
    """What every grown tree promises: level order, and children that share their parent's rows."""
    check_tree(tree)
    arrays = tree.arrays
    np.testing.assert_allclose(arrays.weight, tree.totals, rtol=1e-9, atol=1e-9)
    summed = np.zeros_like(arrays.counts)
    np.add.at(summed, arrays.parent[1:], arrays.counts[1:])
    inner = ~tree.is_leaf
    np.testing.assert_allclose(summed[inner], arrays.counts[inner], rtol=1e-9, atol=1e-9)


def check_same_tree(one: CountTree, other: CountTree) -> None:
    """The same nodes, counts and thresholds, all of them exactly."""
    assert one.target == other.target
    for name, ours, theirs in zip(one.arrays._fields, one.arrays, other.arrays, strict=True):
        assert ours.dtype == theirs.dtype, name
        np.testing.assert_array_equal(ours, theirs, err_msg=name)


class Reader(HTMLParser):
    """Collects the texts, tags and attributes that a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.texts)
