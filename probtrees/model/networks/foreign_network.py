"""Read a network that pyAgrum knows. Run as a script: a file on stdin, its tables on stdout.

The answer is JSON: name, values, parents and numbers of every table. The arguments are how the
file's name ends, and how many numbers there may be in all.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any


def tables_of(
    content: bytes, suffix: str, most: int
) -> list[tuple[str, list[str], list[int], Any]]:
    """Return every table of a network: its variable, values, parents by number, and numbers."""
    import pyagrum  # noqa: PLC0415  prints remarks of its own, which are turned away before

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"network{suffix}"
        place.write_bytes(content)
        net: Any = pyagrum.loadBN(str(place))
    nodes = sorted(net.nodes())
    if sum(net.cpt(node).domainSize() for node in nodes) > most:
        raise MemoryError("out of memory: the tables are too large")
    found = []
    for node in nodes:
        cpt, variable = net.cpt(node), net.variable(node)
        parents = [each.name() for each in cpt.variablesSequence()][:0:-1]
        numbers = [nodes.index(net.idFromName(name)) for name in parents]
        found.append((variable.name(), list(variable.labels()), numbers, cpt.toarray().tolist()))
    return found


if __name__ == "__main__":
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what pyAgrum prints is no part of the answer
    json.dump(tables_of(sys.stdin.buffer.read(), sys.argv[1], int(sys.argv[2])), answer)
    answer.close()
