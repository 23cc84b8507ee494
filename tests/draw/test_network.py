import xml.etree.ElementTree as ET

import numpy as np

from probtrees.draw.network import network_dot
from probtrees.draw.picture_file import render
from probtrees.grow.dag import Dag
from probtrees.table.dataset import Column, Schema

SCHEMA = Schema(tuple(Column(name, ("a", "b")) for name in ("x", "y", "z", "ill")))
DAG = Dag({3: (), 1: (3,), 0: (3, 1), 2: (3, 1, 0)})
MI = np.array([0.2, 0.5, 0.1, np.nan])
CMI = np.array([[0, 0.1, 0.05, 0], [0.1, 0, 0.3, 0], [0.05, 0.3, 0, 0], [0, 0, 0, 0]])


def test_attributes_stand_in_their_order_and_edges_are_as_wide_as_their_information():
    dot = network_dot(DAG, SCHEMA, mi=MI, cmi=CMI)
    assert dot.index("1. y") < dot.index("2. x") < dot.index("3. z")
    assert "MI 0.500" in dot
    assert "c1 -> c2 [penwidth=5.00" in dot
    assert "c1 -> c0 [penwidth=2.20" in dot
    assert dot.count("style=dotted") == 3
    assert "dotted" not in network_dot(DAG, SCHEMA, class_edges=False)


def test_hostile_names_stay_text(hostile):
    dag = Dag({2: (), 1: (2,), 0: (2, 1)})
    root = ET.fromstring(render(network_dot(dag, hostile.schema)))
    assert sum(element.get("class") == "node" for element in root.iter()) == 3


def test_many_attributes_without_parents_stand_in_rows():
    columns = tuple(Column(f"x{i}", ("a", "b")) for i in range(9))
    schema = Schema((*columns, Column("y", ("no", "yes"))))
    dag = Dag({9: (), **dict.fromkeys(range(9), (9,))})
    hidden = [line for line in network_dot(dag, schema).splitlines() if "style=invis" in line]
    assert hidden == [f"c{i} -> c{i + 6} [style=invis]" for i in range(3)]
