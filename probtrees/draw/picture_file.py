"""Pictures as files: DOT to SVG, PNG and PDF with pip alone, no ``dot`` program needed.

The cards of a tree stand where they stand on the screen (``tree_layout.js``): Graphviz says how
large they are, and draws them; its own layout would let edges of wide splits loop back.

The layout engine inside the pygraphviz wheel is not safe to call from several threads and
cannot be stopped, so every picture is made in a process of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from typing import Literal

from probtrees.errors import DataError

PictureFormat = Literal["svg", "png", "pdf"]

_RENDER = (
    "import sys, pygraphviz as pg\n"
    "graph = pg.AGraph(string=sys.stdin.buffer.read().decode('utf-8'))\n"
    "sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog=sys.argv[2]))\n"
)

GAP_X, GAP_Y = 46.0, 10.0
"""Between cards, as on the screen."""

LONGEST = 300.0
"""Seconds that a layout may take."""

_INCH = 72.0
_SIZE = re.compile(r"^node (\w+) \S+ \S+ (\S+) (\S+)", re.MULTILINE)

Place = tuple[float, float, float, float]
"""Left, top, width and height of a card; depth runs to the right."""


def render(dot: str, format: PictureFormat = "svg", *, by_graphviz: bool = False) -> bytes:
    """Lay a DOT picture out and return it as a file's bytes.

    A PNG is drawn at twice the screen's resolution, to stay sharp on slides.

    Parameters
    ----------
    by_graphviz : let Graphviz place the cards of a tree too
    """
    is_tree = dot.startswith("digraph tree {") and not by_graphviz
    source = _placed(dot) if is_tree else dot
    source = source.replace("{", "{\ngraph [dpi=192]", 1) if format == "png" else source
    is_placed = is_tree or dot.startswith("digraph network {")
    return _run(source, format, "nop2" if is_placed else "dot")


def _placed(dot: str) -> str:
    """Note in a tree's DOT where its cards and edges are; head and foot are left-aligned."""
    plain = _run(dot, "plain", "osage").decode("utf-8")
    sizes = {n: (_INCH * float(w), _INCH * float(h)) for n, w, h in _SIZE.findall(plain)}
    branches = defaultdict(list)
    for parent, child in re.findall(r"^(n\d+) -> (n\d+) ", dot, re.MULTILINE):
        branches[parent].append(child)
    places, lines = place_cards(sizes, branches), []
    bottom = max(top + high for _, top, _, high in places.values())
    above = -2 * GAP_Y - sizes.get("head", (0, 0))[1]
    around = {"head": above, "foot": bottom + GAP_Y}
    places |= {name: (0.0, top, *sizes[name]) for name, top in around.items() if name in sizes}
    for node, (left, top, wide, high) in places.items():
        lines.append(f'{node} [pos="{left + wide / 2:.1f},{-top - high / 2:.1f}"]')
        for child in branches.get(node, ()):
            x0, y0, x1 = left + wide, -top - high / 2, places[child][0]
            y1, bend = -places[child][1] - places[child][3] / 2, (x1 - x0) / 2
            curve = f"{x0:.1f},{y0:.1f} {x0 + bend:.1f},{y0:.1f} {x1 - bend:.1f},{y1:.1f}"
            lines.append(f'{node} -> {child} [pos="{curve} {x1:.1f},{y1:.1f}"]')
    # In a strict graph naming an edge again adds to it.
    return f"strict {dot.rstrip().removesuffix('}')}" + "\n".join([*lines, "}"])


def place_cards(
    sizes: dict[str, tuple[float, float]], branches: dict[str, list[str]]
) -> dict[str, Place]:
    """Place the cards of a tree as the screen does.

    The end of every branch gets the next free place; a card stands midway between the first and
    the last of those after it. Siblings begin where the widest before them ends.

    >>> places = place_cards({"n0": (50, 20), "n1": (30, 20), "n2": (30, 20)}, {"n0": ["n1", "n2"]})
    >>> places["n0"], places["n2"]
    ((0.0, 15.0, 50, 20), (96.0, 30.0, 30, 20))
    """
    left, top, order, waiting = {"n0": 0.0}, {}, [], ["n0"]
    bottom = 0.0
    while waiting:
        node = waiting.pop()
        order.append(node)
        after = branches.get(node, ())
        waiting += reversed(after)
        left |= dict.fromkeys(after, left[node] + sizes[node][0] + GAP_X)
        if not after:
            top[node] = bottom
            bottom += sizes[node][1] + GAP_Y
    for node in reversed(order):  # children come before their parent
        if own := branches.get(node):
            end = top[own[-1]] + sizes[own[-1]][1]
            top[node] = (top[own[0]] + end - sizes[node][1]) / 2
    return {node: (left[node], top[node], *sizes[node]) for node in order}


def _run(dot: str, format: str, program: str) -> bytes:
    """Let Graphviz work in a process of its own."""
    try:
        finished = subprocess.run(
            [sys.executable, "-c", _RENDER, format, program],
            input=dot.encode("utf-8"),
            capture_output=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise DataError(
            f"The picture took longer than {LONGEST:.0f} seconds to lay out. "
            "Show fewer levels, or export DOT and lay it out elsewhere."
        ) from late
    if finished.returncode != 0 or not finished.stdout:
        said = finished.stderr.decode("utf-8", "replace").strip().splitlines()
        detail = said[-1] if said else "no picture came back"
        if "No module named" in detail:
            raise DataError(
                "Pictures need the pygraphviz package. Install it with pip, or export DOT."
            )
        raise DataError(f"The picture could not be laid out ({detail}). Export DOT instead.")
    return finished.stdout
