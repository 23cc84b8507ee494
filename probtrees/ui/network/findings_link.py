"""What is known of a row, as text of a link: findings by name."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from probtrees.explain.network_answer import Finding, Findings

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
