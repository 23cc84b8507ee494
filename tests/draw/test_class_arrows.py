"""Arrows of the class that are bundled."""

from itertools import pairwise

import numpy as np
import pytest

from probtrees.draw.class_arrows import class_arrows, with_room_for_trunk
from probtrees.draw.network_layout import network_layout


@pytest.mark.parametrize(("n_columns", "k"), [(3, 0), (12, 1), (31, 2), (60, 0)])
def test_every_box_is_reached_and_no_line_runs_behind_a_box(n_columns, k):
    random = np.random.default_rng(n_columns)
    sizes = {
        column: (60.0 + 9 * (column % 7), 40.0 + column % 3) for column in range(n_columns + 1)
    }
    arcs = [
        (int(parent), child)
        for child in range(1, n_columns)
        for parent in random.choice(child, min(child, k), replace=False)
    ]
    layout = with_room_for_trunk(network_layout(sizes, arcs, n_columns), n_columns)
    bundle = class_arrows(layout, n_columns)
    tops = [box[1] for column, box in layout.boxes.items() if column != n_columns]
    if bundle is None:
        assert max(tops) - min(tops) < 40
        return
    assert set(bundle.ways) == set(range(n_columns))
    for column, way in bundle.ways.items():
        left, top, width, _ = layout.boxes[column]
        assert way[-2:] == pytest.approx([left + width / 2, top])
        points = list(zip(way[::2], way[1::2], strict=True))
        for (x, y), (to_x, to_y) in pairwise(points):
            assert x == to_x or y == to_y
            assert min(x, to_x) >= 0
            for box_left, box_top, box_width, box_height in layout.boxes.values():
                beside = max(x, to_x) <= box_left or min(x, to_x) >= box_left + box_width
                apart = (
                    max(y, to_y) <= box_top + 1e-6 or min(y, to_y) >= box_top + box_height - 1e-6
                )
                assert beside or apart


def test_without_a_class_above_all_nothing_is_bundled():
    layout = network_layout({0: (60.0, 40.0), 1: (60.0, 40.0)}, [(0, 1)])
    assert class_arrows(layout, None) is None
    assert with_room_for_trunk(layout, None) is layout
