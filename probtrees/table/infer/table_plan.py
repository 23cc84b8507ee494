"""What becomes of every column of a table: its role, its type, and the schema that follows."""

from __future__ import annotations

from dataclasses import dataclass

from probtrees.table.dataset import Column, Schema
from probtrees.table.table_report import ColumnType, Finding, Role


@dataclass(frozen=True)
class ColumnPlan:
    """One column of the table: role, type, the schema columns made from it, and its label."""

    name: str
    type: ColumnType
    role: Role
    columns: tuple[Column, ...] = ()
    findings: tuple[Finding, ...] = ()
    label: str = ""


@dataclass(frozen=True)
class TablePlan:
    """All columns in file order, and findings about the table as a whole.

    ``given`` is the schema that the table is read for, if there is one.
    """

    columns: tuple[ColumnPlan, ...]
    findings: tuple[Finding, ...] = ()
    given: Schema | None = None

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Everything found, the table first."""
        return (*self.findings, *(f for column in self.columns for f in column.findings))

    @property
    def target_findings(self) -> tuple[Finding, ...]:
        """What was found about the target."""
        return tuple(f for plan in self.columns if plan.role == "target" for f in plan.findings)

    @property
    def empty_is_class(self) -> bool:
        """Whether empty cells of the target are a class."""
        targets = (c for plan in self.columns if plan.role == "target" for c in plan.columns)
        return any(column.spelling.empty for column in targets)

    @property
    def schema(self) -> Schema:
        """The schema given; else the features in file order, the target last."""
        if self.given is not None:
            return self.given
        # The time of a row may be no feature while the days from it to another date are.
        used = ("feature", "time")
        features = [c for plan in self.columns if plan.role in used for c in plan.columns]
        target = [c for plan in self.columns if plan.role == "target" for c in plan.columns]
        return Schema((*features, *target))


def table_findings(plans: list[ColumnPlan], n_rows: int, where: str) -> tuple[Finding, ...]:
    """Report what concerns the table as a whole."""
    if n_rows < 2:
        rows = "no rows" if n_rows == 0 else "one row"
        sentence = f"{where} must have at least two rows to learn from; it has {rows}."
        return (Finding(None, "rows", sentence, "Add rows.", "error"),)
    if not any(plan.role == "target" for plan in plans):
        sentence = f"{where} must have a target; every column has another role."
        return (
            Finding(None, "no target", sentence, "Give one column the role 'target'.", "error"),
        )
    if not any(plan.role == "feature" for plan in plans):
        return (_no_feature(plans, where),)
    return ()


def _no_feature(plans: list[ColumnPlan], where: str) -> Finding:
    left_out = [plan for plan in plans if plan.role != "target"]
    if left_out:
        reasons = ", ".join(f"{plan.name!r} ({plan.type})" for plan in left_out[:5])
        sentence = (
            f"{where} must have a column to predict from; all others are left out: {reasons}."
        )
        remedy = "Give one of them the role 'feature', or add columns."
    else:
        sentence = f"{where} must have at least two columns; only {plans[0].name!r} was found."
        remedy = "Check that its cells are separated by a comma, semicolon, tab or bar."
    return Finding(None, "no feature", sentence, remedy, "error")
