"""A network as a Graphviz picture: what the browser draws, in its places."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from probtrees.draw.escape import dot_string, html_text

_BAR, _PERCENT, _INCH, _MANY_ARROWS = 58, 48, 72.0, 80
_CELL = "<TD BGCOLOR='{}' WIDTH='{}' HEIGHT='11' FIXEDSIZE='TRUE'></TD>"
_TABLE = "<TABLE BORDER='0' CELLBORDER='0' CELLSPACING='0' CELLPADDING='0'>{}</TABLE>"
_LINE = "<TR><TD COLSPAN='3' HEIGHT='17'>{}</TD></TR>"


def network_dot(record: Mapping[str, Any]) -> str:
    """Draw in DOT what a browser draws.

    Parameters
    ----------
    record : what :func:`picture_record` writes; "selected" is a box to be marked, "arc" an arrow,
        and "kinds" says of every arrow whose it is
    """
    lines = [
        "digraph network {",
        'graph [bgcolor="transparent", margin=0.1]',
        'node [shape=box, fixedsize=true, margin=0, fontsize=11, fontname="Helvetica"]',
    ]
    lines += [_box(node, record) for node in record["nodes"]]
    lines += [_arrow(arc, record, is_faint=True) for arc in record["classArcs"]]
    return "\n".join([*lines, *(_arrow(arc, record) for arc in record["arcs"]), "}"])


def _box(node: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """Draw the box of a column: its name, its values, and what else stands in it."""
    (left, top, width, height), paint = node["box"], record["paint"]
    is_chosen = node["column"] == record.get("selected")
    colour = paint["mark" if node["conflict"] else "text" if is_chosen else "line"]
    sure = "≈ " if node["known"] == -2 else ""
    heads = [*(f"<B>{html_text(sure + line)}</B>" for line in node["lines"]), node["detail"]]
    rows = [_LINE.format(text) for text in heads if text]
    rows += [_value(node, value, paint) for value in node["values"]]
    rows += [_LINE.format(node["more"])] if node["more"] else []
    return (
        f'c{node["column"]} [pos="{left + width / 2:.1f},{record["height"] - top - height / 2:.1f}"'
        f', width={width / _INCH:.3f}, height={height / _INCH:.3f}, id="column-{node["column"]}", '
        f'style="rounded,filled{",dashed" if node["conflict"] else ""}", color="{colour}", '
        f'fillcolor="{node["fill"]}", fontcolor="{node["ink"]}", penwidth={3 if is_chosen else 1}, '
        f"label=<{_TABLE.format(''.join(rows))}>, tooltip={dot_string(node['words'])}]"
    )


def _value(node: Mapping[str, Any], value: Sequence[Any], paint: Mapping[str, str]) -> str:
    """Write a value, its bar, and its chance; the line is where it was with nothing known."""
    number, name, share, before = value
    text = f"<B>✓ {html_text(name)}</B>" if node["known"] == number else html_text(name)
    fill, wide = paint["line" if node["apart"] else "bar"], 0 if node["compact"] else _BAR
    pixels = [fill if at < wide * (share or 0) else paint["track"] for at in range(wide)]
    if before is not None and pixels:
        at = int((_BAR - 2) * before)
        pixels[at : at + 2] = [paint["text"]] * 2
    cells = [_CELL.format(colour, len(list(run))) for colour, run in groupby(pixels)]
    bar = _TABLE.format(f"<TR>{''.join(cells)}</TR>") if cells else ""
    said = "–" if share is None else f"{100 * share:.1f} %"
    left = node["box"][2] - 16 - wide - _PERCENT
    return (
        f"<TR><TD ALIGN='LEFT' HEIGHT='17' WIDTH='{left:.0f}'>{text}</TD><TD>{bar}</TD>"
        f"<TD ALIGN='RIGHT' WIDTH='{_PERCENT}'>{said}</TD></TR>"
    )


def _arrow(arc: Sequence[Any], record: Mapping[str, Any], *, is_faint: bool = False) -> str:
    """Draw an arrow along its curve; those of the chosen box, or the chosen one, stand out."""
    (parent, child, curve, share, words), paint = arc, record["paint"]
    chosen, selected = record.get("arc"), record.get("selected")
    is_near = child == selected or (parent == selected and not is_faint)
    is_near = is_near if chosen is None else [*chosen] == [parent, child]
    kind = record.get("kinds", {}).get(f"{parent} {child}", 1 if is_near else 0)
    colour = paint[("faint", "accent", "mark", "mark")[kind]]
    many = 0.3 + 0.6 * share if len(record["arcs"]) > _MANY_ARROWS else 0.75
    alpha = round(255 * (1 if kind else 0.3 if is_faint else many))
    width = 1.0 if is_faint else 0.8 + 3 * share
    points = [(x, record["height"] - y) for x, y in zip(curve[::2], curve[1::2], strict=True)]
    (x, y), (x1, y1), head = points[-1], points[-2], 5 + 1.3 * width
    angle = math.atan2(y - y1, x - x1)
    points[-1] = x - head * math.cos(angle), y - head * math.sin(angle)
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'c{parent} -> c{child} [pos="e,{x:.1f},{y:.1f} {way}", penwidth={width:.2f}, '
        f'style={("solid", "solid", "dashed", "dotted")[kind]}, color="{colour}{alpha:02x}", '
        f"arrowsize={head / 10:.2f}, tooltip={dot_string(words)}]"
    )
