"""What is known of a row, as text of a link: findings by name."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from probtrees.explain.known_range import KnownRange
from probtrees.explain.network_answer import Finding, Findings

_LONGEST = 4000
"""Letters of such a part of a link; browsers cut longer addresses off."""


def write_findings(findings: Findings) -> str:
    """Write findings so that they can be read in the address.

    >>> write_findings({"sex": "female", "age": 30.0, "cabin": None})
    '{"sex":"female","age":30.0,"cabin":null}'
    >>> write_findings({"age": KnownRange(51.0, math.inf)})
    '{"age":[51.0,null]}'
    """
    plain = {name: _plain(finding) for name, finding in findings.items()}
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def _plain(finding: Finding) -> object:
    """Write a finding as JSON has it; a range as its ends, those that are open as null."""
    if isinstance(finding, KnownRange):
        return [end if math.isfinite(end) else None for end in finding]
    return dict(finding) if isinstance(finding, Mapping) else finding


def read_findings(text: str) -> dict[str, Finding]:
    """Read findings; whether columns and values exist is seen when the network is at hand."""
    if len(text) > _LONGEST:
        raise ValueError(text)
    found = json.loads(text)
    if not isinstance(found, dict) or not all(_is_finding(each) for each in found.values()):
        raise ValueError(text)
    return {
        name: _range_of(each) if isinstance(each, list) else each for name, each in found.items()
    }


def _range_of(ends: list[float | None]) -> KnownRange:
    low, high = ends
    return KnownRange(-math.inf if low is None else low, math.inf if high is None else high)


def _is_finding(found: object) -> bool:
    if isinstance(found, dict):
        return bool(found) and all(_is_number(weight) and weight >= 0 for weight in found.values())
    if isinstance(found, list):
        ends = [end for end in found if end is not None]
        are_ends = bool(ends) and all(map(_is_number, ends))
        return len(found) == 2 and are_ends and ends == sorted(set(ends))
    return found is None or isinstance(found, str) or _is_number(found)


def _is_number(found: object) -> bool:
    return isinstance(found, int | float) and not isinstance(found, bool) and math.isfinite(found)
