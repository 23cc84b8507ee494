"""A Bayesian network classifier as a Graphviz picture.

The class stands on top; attributes follow in the order the learner took them, by mutual
information with the class. An edge between attributes is as wide as the conditional mutual
information it carries; edges from the class to every attribute are drawn faintly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from probtrees.draw.escape import dot_string, shorten
from probtrees.draw.palette import PAINTS, Paint, Theme, along
from probtrees.grow.dag import Dag
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray

_TEXT_LIMIT = 28
_ROOTS_PER_ROW = 6


def information(notes: Mapping[str, Any]) -> tuple[FloatArray | None, FloatArray | None]:
    """Return what a learner noted: what columns tell about the class, and about each other."""
    names = ("mutual_information", "conditional_mutual_information")
    found = (None if notes.get(n) is None else np.asarray(notes[n], np.float64) for n in names)
    about_class, between = found
    return about_class, between


def network_dot(
    dag: Dag,
    schema: Schema,
    *,
    mi: FloatArray | None = None,
    cmi: FloatArray | None = None,
    theme: Theme = "light",
    class_edges: bool = True,
) -> str:
    """Draw a network as DOT.

    Parameters
    ----------
    dag, schema : the parents of every modelled column, and the columns' names
    mi : mutual information of every attribute with the class, by column number
    cmi : conditional mutual information of every pair of attributes given the class
    class_edges : whether to draw the edges from the class, which every attribute has
    """
    paint, target = PAINTS[theme], schema.target_column
    lines = [
        "digraph network {",
        'graph [rankdir=TB, bgcolor="transparent", nodesep=0.3, ranksep=0.6, margin=0.05]',
        'node [shape=box, style="rounded,filled", penwidth=0, height=0, fontname="Helvetica"]',
        f'edge [color="{paint.line}", arrowsize=0.7]',
    ]
    largest = _largest(mi)
    for position, column in enumerate([target, *(c for c in dag.columns if c != target)]):
        box, fill, ink, detail = schema.columns[column], paint.accent, paint.page, ""
        name = shorten(box.title, _TEXT_LIMIT)
        if column != target:
            name, ink = f"{position}. {name}", paint.text
            tells = 0.0 if mi is None else float(mi[column])
            fill = along(paint.sequential, tells / largest)
            detail = "" if mi is None else f"\\nMI {tells:.3f}"
        label = f'{dot_string(name)[:-1]}{detail}", tooltip={dot_string(box.full_title)}'
        colours = f'fillcolor="{fill}", fontcolor="{ink}", id="column-{column}"'
        lines.append(f"c{column} [label={label}, {colours}]")
    lines += _arrows(dag, target, cmi, class_edges, paint)
    # Attributes without parents among the attributes stand in rows, not in one long line.
    roots = [c for c, parents in dag.parents.items() if c != target and set(parents) <= {target}]
    pairs = zip(roots, roots[_ROOTS_PER_ROW:], strict=False)
    lines += [f"c{above} -> c{below} [style=invis]" for above, below in pairs]
    return "\n".join([*lines, "}"])


def _arrows(
    dag: Dag, target: int, cmi: FloatArray | None, class_edges: bool, paint: Paint
) -> Iterator[str]:
    """Draw the arrows from parents, as wide as what both columns tell about each other."""
    strongest = _largest(cmi)
    for column, parents in dag.parents.items():
        for parent in parents:
            if parent == target:
                if class_edges:
                    yield f"c{parent} -> c{column} [style=dotted, penwidth=0.8]"
                continue
            # What parents of the class tell about it is in the colour of their boxes.
            known = None if cmi is None or column == target else float(cmi[parent, column])
            share = 0.5 if known is None else known / strongest
            note = "" if known is None else f', tooltip="CMI {known:.3f}"'
            width = f'penwidth={0.8 + 4.2 * share:.2f}, color="{paint.faint}"'
            yield f"c{parent} -> c{column} [{width}{note}]"


def _largest(values: FloatArray | None) -> float:
    """Find the scale of a picture's widths; never zero."""
    if values is None or not np.isfinite(values).any():
        return 1.0
    return max(float(np.nanmax(values)), 1e-12)
