"""Pictures as files: DOT to SVG, PNG and PDF with pip alone, no ``dot`` program needed.

The layout engine inside the pygraphviz wheel is not safe to call from several threads and
cannot be stopped, so every picture is made in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Literal

from probtrees.errors import DataError, OptionError, did_you_mean

PictureFormat = Literal["svg", "png", "pdf"]

_RENDER = (
    "import sys, pygraphviz as pg\n"
    "graph = pg.AGraph(string=sys.stdin.buffer.read().decode('utf-8'))\n"
    "sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog='dot'))\n"
)


def render(dot: str, format: PictureFormat = "svg", *, timeout: float = 300.0) -> bytes:
    """Lay a DOT picture out and return it as a file's bytes.

    A PNG is drawn at twice the screen's resolution, to stay sharp on slides.
    """
    formats = ("svg", "png", "pdf")
    if format not in formats:
        raise OptionError(
            f"format={format!r} must be a picture format. {did_you_mean(format, formats)}"
        )
    source = dot.replace("{", "{\ngraph [dpi=192]", 1) if format == "png" else dot
    return _run(source, format, timeout)


def _run(dot: str, format: str, timeout: float) -> bytes:
    """Let Graphviz work in a process of its own."""
    try:
        finished = subprocess.run(
            [sys.executable, "-c", _RENDER, format],
            input=dot.encode("utf-8"),
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise DataError(
            f"The picture took longer than {timeout:.0f} seconds to lay out. "
            "Show fewer levels, or export DOT and lay it out elsewhere."
        ) from late
    if finished.returncode != 0 or not finished.stdout:
        reason = finished.stderr.decode("utf-8", "replace").strip().splitlines()
        if reason and "No module named" in reason[-1]:
            raise DataError(
                "Pictures need the pygraphviz package. Install it with pip, or export DOT."
            )
        detail = reason[-1] if reason else "no picture came back"
        raise DataError(f"The picture could not be laid out ({detail}). Export DOT instead.")
    return finished.stdout
