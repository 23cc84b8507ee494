"""What is known of a row, as text of a link: findings by name, changed cells by number."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from probtrees.explain.network_answer import Finding, Findings
from probtrees.table.dataset import MISSING

_LONGEST = 4000
"""Letters of such a part of a link; browsers cut longer addresses off."""


def write_findings(findings: Findings) -> str:
    """Write findings so that they can be read in the address.

    >>> write_findings({"sex": "female", "age": 30.0, "cabin": None})
    '{"sex":"female","age":30.0,"cabin":null}'
    """
    plain = {name: dict(f) if isinstance(f, Mapping) else f for name, f in findings.items()}
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def read_findings(text: str) -> dict[str, Finding]:
    """Read findings; whether columns and values exist is seen when the network is at hand."""
    if len(text) > _LONGEST:
        raise ValueError(text)
    found = json.loads(text)
    if not isinstance(found, dict) or not all(_is_finding(each) for each in found.values()):
        raise ValueError(text)
    return found


def _is_finding(found: object) -> bool:
    if isinstance(found, dict):
        return bool(found) and all(_is_number(weight) and weight >= 0 for weight in found.values())
    return found is None or isinstance(found, str) or _is_number(found)


def _is_number(found: object) -> bool:
    return isinstance(found, int | float) and not isinstance(found, bool) and math.isfinite(found)


def write_cells(cells: Mapping[int, float]) -> str:
    """Write changed cells: codes of categories, numbers, nothing for not recorded.

    >>> write_cells({0: 2.0, 3: 37.5, 4: float("nan")})
    '0:2.0,3:37.5,4:'
    """
    return ",".join(
        f"{number}:{'' if math.isnan(cell) else repr(float(cell))}"
        for number, cell in cells.items()
    )


def read_cells(text: str) -> dict[int, float]:
    """Read changed cells.

    >>> read_cells("0:2.0,3:37.5,4:")
    {0: 2.0, 3: 37.5, 4: nan}
    """
    if len(text) > _LONGEST:
        raise ValueError(text)
    cells = {}
    for part in text.split(","):
        number, colon, value = part.partition(":")
        cell = float(value) if value else MISSING
        if not colon or not number.isdecimal() or math.isinf(cell):
            raise ValueError(text)
        cells[int(number)] = cell
    return cells
