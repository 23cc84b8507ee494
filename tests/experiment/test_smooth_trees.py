"""Progress is reported for every tree, whether trees are smoothed one by one or side by side."""

import pytest

from probtrees.experiment import smooth_trees as module
from probtrees.experiment.smooth_trees import smooth_trees
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.laplace import Laplace

TREES = [tree_of([2, 0, 0], [[n, 1], [1, n]]) for n in range(1, 8)]


@pytest.mark.parametrize("quick_seconds", [0.0, 1000.0])
def test_every_tree_is_reported(monkeypatch, quick_seconds):
    monkeypatch.setattr(module, "QUICK_SECONDS", quick_seconds)
    reported = []
    found = smooth_trees(Laplace(), TREES, [None] * 7, lambda share, words: reported.append(words))
    assert reported == [f"smoothing, {number} of 7" for number in range(1, 8)]
    for tree, smoothed in zip(TREES, found, strict=True):
        assert (smoothed.probs == Laplace().smooth(tree).probs).all()


@pytest.mark.parametrize("quick_seconds", [0.0, 1000.0])
def test_cancelling_stops_between_trees(monkeypatch, quick_seconds):
    monkeypatch.setattr(module, "QUICK_SECONDS", quick_seconds)

    def cancel(share, words):
        if share > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        smooth_trees(Laplace(), TREES, [None] * 7, cancel)
