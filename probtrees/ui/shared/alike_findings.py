"""Findings that say the same of many columns, shown as one: fifteen scales with 98 and 99."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probtrees.table.infer.columns_together.said_twice import SAID_TWICE, in_short
from probtrees.table.infer.leaks import STRONG_COLUMN
from probtrees.table.infer.marked_cells import MARKED
from probtrees.table.infer.text_habits import CHOICES, LIMITS
from probtrees.table.infer.words_among_numbers import FEW_WORDS
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import PADDED, Finding
from probtrees.words import quoted

_SHOWN, _LONGEST = 3, 30
_DASHES = "dashes"
_ALIKE_IF_ASKED = (LIMITS, CHOICES, _DASHES, STRONG_COLUMN)
_ALWAYS_ALIKE = (PADDED, MARKED, SAID_TWICE)


def together(
    findings: Sequence[Finding], target: str | None = None
) -> dict[Finding, tuple[str, ...]]:
    """Return findings, each with the other columns that it also stands for.

    What concerns the ``target`` stands alone.

    Taken together are those about values that mean missing, or may mean it, where several columns
    have the same ones, all columns of numbers that are filled up with zeros, all that hold one mark
    or nothing, all of numbers with limits such as ">32" among them, all of several answers in a
    cell, all of amounts with dashes that may be 0, all that say the same as another, and all whose
    names call them known at the end for one reason.
    """
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for found in findings:
        is_asked = found.kind in _ALIKE_IF_ASKED and found.severity == "warning"
        is_alike = is_asked or found.kind in _ALWAYS_ALIKE or _missing_values(found)
        if found.column not in (None, target) and is_alike:
            alike.setdefault(_likeness(found), []).append(found)
    shown: dict[Finding, tuple[str, ...]] = {}
    for found in findings:
        group = alike.get(_likeness(found), [found])
        if len(group) == 1 or found not in group:
            shown[found] = ()
        elif found is group[0]:
            names = tuple(str(each.column) for each in group)
            of_many = _same_as_others(group) if found.kind == SAID_TWICE else None
            of_many = _known_at_end(group) if found.kind == STRONG_COLUMN else of_many
            shown[of_many or _of_many(found, names, group)] = names[1:]
    return shown


def _likeness(found: Finding) -> tuple[object, ...]:
    """Return what findings have in common that are shown as one."""
    same = found.texts if found.kind in (FEW_WORDS, _DASHES) else found.fixes
    same = () if found.kind in (MARKED, LIMITS, CHOICES) else same
    why = _why_known_at_end(found) if found.kind == STRONG_COLUMN else ""
    return found.kind, found.severity, same, why


def _missing_values(found: Finding) -> list[str]:
    """Return the values that a finding takes for missing, or offers to."""
    if found.kind == FEW_WORDS:
        return list(found.texts)
    value = str(found.fixes[0].value) if found.fixes else ""
    if found.kind == "maybe missing":
        return value.split(SEVERAL)
    option, _, text = value.partition(" ")
    return [text] if found.kind == "said" and option == "missing_in" else []


def _why_known_at_end(found: Finding) -> str:
    """Return the reason of a question whether a column was known beforehand."""
    return found.sentence.removeprefix(f"Was {found.column!r} known beforehand? ")


def _known_at_end(group: Sequence[Finding]) -> Finding:
    """Ask of several columns whether they were known beforehand, for one reason."""
    names = ", ".join(repr(found.column) for found in group[:_SHOWN])
    more = f" and {len(group) - _SHOWN} more" if len(group) > _SHOWN else ""
    return replace(
        group[0],
        sentence=f"Were {names}{more} known beforehand? {_why_known_at_end(group[0])}",
        fixes=tuple(replace(fix, label="Ignore these columns") for fix in group[0].fixes),
    )


def _same_as_others(group: Sequence[Finding]) -> Finding:
    """Say of several columns which others say the same."""
    pairs = "; ".join(map(in_short, group[:_SHOWN]))
    more = f" and {len(group) - _SHOWN} more" if len(group) > _SHOWN else ""
    return replace(
        group[0],
        sentence=f"{len(group)} columns say the same as others: {pairs}{more}. A tree needs only "
        "one of each.",
        fixes=tuple(replace(fix, label="Leave them out") for fix in group[0].fixes),
    )


def _of_many(found: Finding, names: Sequence[str], group: Sequence[Finding]) -> Finding:
    """Say of many columns what a finding says of one."""
    cut = [n if len(n) <= _LONGEST else n[: _LONGEST - 1].rstrip() + "…" for n in names[:_SHOWN]]
    listed = ", ".join(map(repr, cut))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    if found.kind == PADDED:
        return replace(
            found,
            sentence=f"{len(names)} columns hold numbers filled up with zeros, of many sizes: "
            f"{listed}{more}. Are they amounts, or codes?",
            fixes=tuple(replace(fix, label="Read all of them as numbers") for fix in found.fixes),
        )
    if found.kind in (MARKED, CHOICES):
        words = f"hold one mark or nothing: {listed}{more}; empty is taken as not known."
        if found.kind == CHOICES:
            words = f"hold several answers in a cell: {listed}{more}. Every combination would be a "
            words += "value of its own."
        return replace(
            found,
            sentence=f"{len(names)} columns {words}",
            fixes=tuple(replace(fix, value=SEVERAL.join(names)) for fix in found.fixes),
        )
    if found.kind == LIMITS:
        # What is taken for missing must be the same in all of them.
        first, *rest = found.fixes
        shared = [fix for fix in rest if all(fix in each.fixes for each in group)]
        return replace(
            found,
            sentence=f"{len(names)} columns hold numbers, and limits among them: {listed}{more}; "
            "they are read as texts therefore.",
            fixes=(replace(first, label=f"{first.label}, in all of them"), *shared),
        )
    values = " and ".join(_missing_values(found))
    if found.kind in (FEW_WORDS, _DASHES):
        words = " and ".join(map(quoted, found.texts[:_SHOWN]))
        words += f" and {len(found.texts) - _SHOWN} more" if len(found.texts) > _SHOWN else ""
        return replace(
            found,
            sentence=f"{words} among the numbers of {len(names)} columns, {listed}{more}, "
            f"{'is' if len(found.texts) == 1 else 'are'} read as missing"
            f"{'; in accounts it is an amount of 0' * (found.kind == _DASHES)}.",
            fixes=tuple(replace(fix, value=SEVERAL.join(names)) for fix in found.fixes),
        )
    if found.kind == "said":
        return replace(found, sentence=f"{quoted(values)} means missing in {listed}{more}.")
    return replace(
        found,
        sentence=f"{len(names)} columns hold {values}, unlike their other values: {listed}{more}.",
        remedy="If that means 'not known', treat it as missing in all of them.",
        fixes=tuple(replace(fix, label=f"Treat {values} as missing") for fix in found.fixes),
    )
