"""A Bayesian network classifier as a Graphviz picture.

The class stands on top; attributes follow in the order the learner took them, by mutual
information with the class. An edge between attributes is as wide as the conditional mutual
information it carries; edges from the class to every attribute are drawn faintly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from probtrees.draw.escape import dot_string, html_text, shorten
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
    paint = PAINTS[theme]
    target = schema.target_column
    lines = [
        "digraph network {",
        'graph [rankdir=TB, bgcolor="transparent", nodesep=0.3, ranksep=0.6, margin=0.05]',
        f'node [shape=plain, fontname="Helvetica", fontsize=12, fontcolor="{paint.text}"]',
        f'edge [color="{paint.line}", arrowsize=0.7]',
    ]
    lines += _boxes(dag, schema, mi, paint)
    lines += _arrows(dag, target, cmi, class_edges, paint)
    lines += _rows_of_roots(dag, target)
    lines.append("}")
    return "\n".join(lines)


def _boxes(dag: Dag, schema: Schema, mi: FloatArray | None, paint: Paint) -> Iterator[str]:
    """Draw the columns, coloured by what they tell about the class."""
    target, strongest = schema.target_column, _largest(mi)
    for position, column in enumerate(_attributes_last(dag, target)):
        strength = 0.0 if mi is None or column == target else float(mi[column]) / strongest
        fill = paint.accent if column == target else along(paint.sequential, strength)
        ink = paint.page if column == target else paint.text
        detail = "" if mi is None or column == target else f"MI {float(mi[column]):.3f}"
        label = _label(schema.columns[column].title, position, detail, fill, ink)
        tooltip = dot_string(schema.columns[column].full_title)
        yield f'c{column} [label=<{label}>, tooltip={tooltip}, id="column-{column}"]'


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


def _rows_of_roots(dag: Dag, target: int) -> list[str]:
    """Put attributes without parents among the attributes into rows, not into one long line."""
    roots = [c for c, parents in dag.parents.items() if c != target and set(parents) <= {target}]
    pairs = zip(roots, roots[_ROOTS_PER_ROW:], strict=False)
    return [f"c{above} -> c{below} [style=invis]" for above, below in pairs]


def _attributes_last(dag: Dag, target: int) -> Sequence[int]:
    """List the class, then the attributes in the order they were chosen."""
    return [target, *(column for column in dag.columns if column != target)]


def _largest(values: FloatArray | None) -> float:
    """Find the scale of a picture's widths; never zero."""
    if values is None or not np.isfinite(values).any():
        return 1.0
    return max(float(np.nanmax(values)), 1e-12)


def _label(name: str, position: int, detail: str, fill: str, ink: str) -> str:
    """Write a column as a small card: its place in the order, name, mutual information."""
    number = f"{position}. " if position else ""
    rows = [f"<TR><TD><B>{html_text(number + shorten(name, _TEXT_LIMIT))}</B></TD></TR>"]
    if detail:
        rows.append(f"<TR><TD><FONT POINT-SIZE='10'>{html_text(detail)}</FONT></TD></TR>")
    return (
        f"<FONT COLOR='{ink}'><TABLE BORDER='0' CELLBORDER='0' CELLSPACING='0' CELLPADDING='4' "
        f"STYLE='ROUNDED' BGCOLOR='{fill}'>{''.join(rows)}</TABLE></FONT>"
    )
