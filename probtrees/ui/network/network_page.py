"""What can be chosen on the Network page, and how a link holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from probtrees.experiment.registry import DEFAULT_DISCRETIZER, DISCRETIZERS, LEARNERS
from probtrees.ui.shared.link_readers import one_of, whole

NETWORKS = ("skdb", "kdb", "tan", "nb", "aode", "eskdb")

LEARNER = "network.learner"
DISCRETIZER = "network.discretize"
MEMBER = "network.member"
COLUMN = "network.column"
VALUE = "network.value"
"""The value of interest of the attribute whose table is on show."""
NODE = "network.node"
"""The node of that table which is explained."""
N_ATTRIBUTES = "network.attributes"
K = "network.k"
ROW = "network.row"
FREQUENT = "network.frequent"
"""Whether the row of a loaded network starts from frequent values; no link holds it."""
TAB = "network.tab"
TABS = ("The table as a tree", "Follow a row")
"""What stands below the picture of a network."""

VIEW_OF_ONE_TABLE = (MEMBER, COLUMN, VALUE, NODE, N_ATTRIBUTES, K, ROW)
"""What is forgotten when another table is put to use."""


def link_parts() -> dict[str, tuple[Callable[[str], Any], Callable[[Any], str], Any]]:
    """Say how each choice is read from a link and written, and what is usual."""
    parts: dict[str, tuple[Callable[[str], Any], Callable[[Any], str], Any]] = {
        LEARNER: (one_of(lambda: NETWORKS), str, NETWORKS[0]),
        DISCRETIZER: (one_of(lambda: DISCRETIZERS), str, DEFAULT_DISCRETIZER),
        MEMBER: (whole(1), str, 1),
        ROW: (whole(1), str, 1),
        TAB: (one_of(lambda: TABS), str, TABS[0]),
    }
    for key in (COLUMN, VALUE, NODE, N_ATTRIBUTES, K):
        parts[key] = (whole(), str, None)
    for name in NETWORKS:
        for field in LEARNERS[name].options:
            parts[f"network.{name}.{field.name}"] = (field.parse, str, field.default)
    return parts
