import numpy as np
import pytest

from probtrees.draw.network_data import (
    NetworkPicture,
    PictureArc,
    PictureNode,
    name_lines,
    picture_record,
    with_fewer_words,
)
from probtrees.draw.network_layout import fitting_scale, network_layout, redrawn
from probtrees.draw.palette import PAINTS
from tests.small_tables import HOSTILE


def overlap(one, other) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def points_along(curve, n_points=12):
    """Points on a chain of Bezier curves."""
    share = np.linspace(0, 1, n_points)[:, None]
    corners = np.reshape(curve, (-1, 2))
    for start in range(0, len(corners) - 3, 3):
        one, two, three, four = corners[start : start + 4]
        yield from (
            (1 - share) ** 3 * one
            + 3 * share * (1 - share) ** 2 * two
            + 3 * share**2 * (1 - share) * three
            + share**3 * four
        )


def a_network(n_columns, k):
    """Sizes of boxes, the last one the class above all, and arrows from up to k boxes into each."""
    random = np.random.default_rng(n_columns)
    sizes = {
        column: (60.0 + 9 * (column % 7), 40.0 + column % 3) for column in range(n_columns + 1)
    }
    arcs = [
        (int(parent), child)
        for child in range(1, n_columns)
        for parent in random.choice(child, min(child, k), replace=False)
    ]
    return sizes, arcs


@pytest.mark.parametrize(("n_columns", "k"), [(1, 0), (5, 1), (31, 2), (60, 0), (40, 5)])
def test_boxes_keep_their_sizes_do_not_overlap_and_all_arrows_have_a_way(n_columns, k):
    sizes, arcs = a_network(n_columns, k)
    layout = network_layout(sizes, arcs, top=n_columns)
    assert set(layout.boxes) == set(sizes)
    of_class = {(n_columns, column) for column in range(n_columns)}
    assert set(layout.curves) == set(arcs) | of_class
    boxes = list(layout.boxes.values())
    for number, box in enumerate(boxes):
        assert not any(overlap(box, other) for other in boxes[:number])
        assert box[0] >= -1
        assert box[0] + box[2] <= layout.width + 1
    for column, size in sizes.items():
        assert layout.boxes[column][2:] == pytest.approx(size, abs=0.2)
        assert layout.boxes[n_columns][1] <= layout.boxes[column][1]
    for curve in layout.curves.values():
        assert max(curve[1::2]) <= layout.height + 0.1
    # Arrows of the class pass a row side by side, so that each can be followed.
    for middle in {box[1] + 20 for box in boxes}:
        passing = sorted(
            next(x for x, y in points_along(layout.curves[arc], 40) if abs(y - middle) < 3)
            for arc in of_class
            if layout.boxes[arc[1]][1] > middle > layout.boxes[n_columns][1] + 50
        )
        assert np.diff(passing).min(initial=9) > 0.1
    # An arrow touches no box but its own two, at their edges.
    within = {column: (x + 1, y + 1, w - 2, h - 2) for column, (x, y, w, h) in layout.boxes.items()}
    for arc in layout.curves:
        for x, y in points_along(layout.curves[arc]):
            hit = [column for column, box in within.items() if overlap((x, y, 0, 0), box)]
            assert not hit, (arc, hit)
    if k == 0 and n_columns == 60:
        assert layout.width < 3 * layout.height


def naive_contrast(one: str, other: str) -> float:
    """Divide the luminances of WCAG 2.2, each 0.05 brighter."""
    lights = []
    for colour in (one, other):
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        lights.append(np.dot(linear, (0.2126, 0.7152, 0.0722)) + 0.05)
    return max(lights) / min(lights)


def test_texts_go_to_the_browser_as_they_are_and_can_be_read():
    nodes = [
        PictureNode(number, text, strength=number / 7, values=HOSTILE, shares=(0.125,) * 8)
        for number, text in enumerate(HOSTILE)
    ]
    nodes.append(PictureNode(8, "the class"))
    picture = NetworkPicture(nodes, [PictureArc(0, 1)], [PictureArc(8, n) for n in range(8)], 8)
    layout = network_layout(picture.sizes, picture.laid_out, picture.top)
    for theme in PAINTS:
        record = picture_record(picture, layout, theme=theme)
        assert record["nodes"][0]["lines"] == name_lines(HOSTILE[0])
        assert all(naive_contrast(node["fill"], node["ink"]) >= 4.5 for node in record["nodes"])
        assert len(record["arcs"]) == 1
    assert all(len(line) <= 22 for text in HOSTILE for line in name_lines(text))


@pytest.mark.parametrize(("n_columns", "k", "least"), [(31, 2, 0.75), (60, 5, 0.7), (120, 2, 0.5)])
def test_large_networks_can_be_read_as_a_whole_or_after_one_step(n_columns, k, least):
    random = np.random.default_rng(k)
    nodes = [
        PictureNode(column, f"blood pressure {column}", "MI 0.1") for column in range(n_columns)
    ]
    arcs = [
        PictureArc(int(parent), child)
        for child in range(2, n_columns)
        for parent in 1 + random.choice(child - 1, min(child - 1, k), replace=False)
    ]
    of_class = [PictureArc(0, column) for column in range(1, n_columns)]
    picture = with_fewer_words(NetworkPicture(nodes, arcs, of_class, 0))
    layout = network_layout(picture.sizes, picture.laid_out, picture.top)
    assert fitting_scale(layout) >= least
    # Arrows lead down, or to a box further right in the same row.
    for arc in arcs:
        left, top, *_ = layout.boxes[arc.parent]
        to_left, to_top, *_ = layout.boxes[arc.child]
        assert to_top > top or (to_top == top and to_left > left)


def test_boxes_stay_where_arrows_are_corrected_and_new_ones_stand_below():
    sizes, arcs = a_network(12, 2)
    layout = network_layout(sizes, arcs, top=12)
    (parent, child), *others = arcs
    changed = [*others, (child, parent), (12, 1), (13, child)]
    again = redrawn(layout, {**sizes, 13: (70.0, 40.0)}, changed, 12)
    assert {column: again.boxes[column] for column in sizes} == layout.boxes
    assert again.boxes[13][1] > layout.height
    assert set(again.curves) == set(changed)
