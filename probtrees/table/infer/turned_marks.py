"""Marks with tendencies that somebody wants to be read the other way: 2+ is 2.3, no 1.7."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from probtrees.table.cells.raw_table import Numbers, RawColumn, Texts
from probtrees.table.cells.special_numbers.school_marks import (
    example_of,
    is_unit_of_marks,
    mark_of,
    other_direction,
    tendency_words,
    turned,
)
from probtrees.table.infer.recognise_numbers import Recognised
from probtrees.table.infer.text_habits import AS_CATEGORIES
from probtrees.table.table_report import Finding


def turn_marks(written: RawColumn, found: Recognised) -> Recognised:
    """Read tendencies the other way than the marks were taken to tell; other columns stay."""
    unit, column = found.spelling.unit, found.column
    if not (is_unit_of_marks(unit) and isinstance(column, Numbers) and isinstance(written, Texts)):
        return found
    other = other_direction(unit)
    example = example_of(written.texts)
    said = {
        tendency_words(example, unit): tendency_words(example, other),
        f"(2+ is {mark_of('2+', unit):g})": f"(2+ is {mark_of('2+', other):g})",
    }
    findings = tuple(_said_otherwise(finding, said) for finding in found.findings)
    values = replace(column, values=turned(column.values))
    spelling = replace(found.spelling, unit=other)
    return replace(found, column=values, findings=findings, spelling=spelling)


def _said_otherwise(finding: Finding, said: Mapping[str, str]) -> Finding:
    """Say the other way in a finding that says how tendencies are taken; it asks no more."""
    before = next((words for words in said if words in finding.sentence), "")
    if not before:
        return finding
    sentence = finding.sentence.replace(before, said[before])
    fixes = tuple(fix for fix in finding.fixes if fix.setting != "turn_marks")
    severity = "note" if fixes == (AS_CATEGORIES,) else finding.severity
    return replace(finding, sentence=sentence, remedy="", severity=severity, fixes=fixes)
