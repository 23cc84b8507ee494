"""Findings that say the same of many columns, shown as one: fifteen scales with 98 and 99."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import Finding, Fix
from probtrees.words import quoted

_SHOWN, _LONGEST = 3, 30


def together(findings: Sequence[Finding]) -> dict[Finding, tuple[str, ...]]:
    """Return findings, each with the other columns that it also stands for.

    Taken together are those about values that mean missing, or may mean it, where several columns
    have the same ones.
    """
    alike: dict[tuple[str, str, tuple[Fix, ...]], list[Finding]] = {}
    for found in findings:
        if found.column is not None and _missing_values(found):
            alike.setdefault((found.kind, found.severity, found.fixes), []).append(found)
    shown: dict[Finding, tuple[str, ...]] = {}
    for found in findings:
        group = alike.get((found.kind, found.severity, found.fixes), [found])
        if len(group) == 1 or found not in group:
            shown[found] = ()
        elif found is group[0]:
            names = tuple(str(each.column) for each in group)
            shown[_of_many(found, names)] = names[1:]
    return shown


def _missing_values(found: Finding) -> list[str]:
    """Return the values that a finding takes for missing, or offers to."""
    value = str(found.fixes[0].value) if found.fixes else ""
    if found.kind == "maybe missing":
        return value.split(SEVERAL)
    option, _, text = value.partition(" ")
    return [text] if found.kind == "said" and option == "missing_in" else []


def _of_many(found: Finding, names: Sequence[str]) -> Finding:
    """Say of many columns what a finding says of one."""
    cut = [n if len(n) <= _LONGEST else n[: _LONGEST - 1].rstrip() + "…" for n in names[:_SHOWN]]
    listed = ", ".join(map(repr, cut))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    values = " and ".join(_missing_values(found))
    if found.kind == "said":
        return replace(found, sentence=f"{quoted(values)} means missing in {listed}{more}.")
    return replace(
        found,
        sentence=f"{len(names)} columns hold {values}, unlike their other values: {listed}{more}.",
        remedy="If that means 'not known', treat it as missing in all of them.",
        fixes=tuple(replace(fix, label=f"Treat {values} as missing") for fix in found.fixes),
    )
