import xml.etree.ElementTree as ET

from probtrees.draw.network import network_dot
from probtrees.draw.network_data import (
    NetworkPicture,
    PictureArc,
    PictureNode,
    arrow_words,
    network_picture,
    picture_record,
    plain_network,
)
from probtrees.draw.network_layout import network_layout
from probtrees.draw.picture_file import render
from probtrees.grow.dag import Dag

SVG = "{http://www.w3.org/2000/svg}"


def dot_of(picture: NetworkPicture, **marks: object) -> str:
    layout = network_layout(picture.sizes, picture.laid_out, picture.top)
    return network_dot(picture_record(picture, layout) | marks)


def test_a_file_shows_values_bars_marks_and_what_is_known_as_the_screen_does():
    sick = {"values": ("no", "yes"), "shares": (0.25, 0.75), "before": (0.5, 0.5)}
    nodes = [
        PictureNode(0, "ill", "", None, **sick),
        PictureNode(1, "smokes", "", 0.5, ("no", "yes"), (0.0, 1.0), known=1),
        PictureNode(2, "age", "", 0.1, ("young", "old"), (0.9, 0.1), is_apart=True),
    ]
    picture = NetworkPicture(nodes, [PictureArc(1, 2, 1.0)], [PictureArc(0, 1)], 0)
    dot = dot_of(picture, selected=1, kinds={"1 2": 2})
    assert "75.0 %" in dot
    assert "<B>✓ yes</B>" in dot
    assert "style=dashed" in dot
    assert dot.count("penwidth=3,") == 1
    root = ET.fromstring(render(dot))
    left = {}
    for group in root.iter(f"{SVG}g"):
        if group.get("class") == "node":
            points = next(path.get("d") for path in group.iter(f"{SVG}path"))
            left[group.findtext(f"{SVG}title")] = float(points[1:].split(",")[0])
    layout = network_layout(picture.sizes, picture.laid_out, picture.top)
    drawn, screen = left["c2"] - left["c1"], layout.boxes[2][0] - layout.boxes[1][0]
    assert abs(drawn - screen) < 30
    assert len(left) == 3


def test_hostile_names_stay_text(hostile):
    dag, schema = Dag({2: (), 1: (2,), 0: (2, 1)}), hostile.schema
    nodes = plain_network(dag, schema, {}, {}).nodes
    arcs = [PictureArc(*arc, words=arrow_words(schema, arc)) for arc in dag.arcs]
    root = ET.fromstring(render(dot_of(network_picture(dag, 2, nodes, arcs))))
    assert sum(element.get("class") == "node" for element in root.iter()) == 3
