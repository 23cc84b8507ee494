import pytest

from probtrees.draw.picture_file import render
from probtrees.errors import DataError


def test_broken_dot_is_one_sentence():
    with pytest.raises(DataError, match="could not be laid out"):
        render("digraph { a [label=<<b>] }")


def test_a_slow_layout_is_stopped():
    edges = "".join(f"a{i} -> a{(i * 7919) % 1500};" for i in range(4000))
    with pytest.raises(DataError, match="Show fewer levels"):
        render(f"digraph {{{edges}}}", timeout=0.5)
