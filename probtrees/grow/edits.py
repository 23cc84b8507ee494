"""Corrections by somebody who knows the subject: declared as data, never as code.

An edit names a node by the conditions on the way to it, so that it means the same in the tree
of all rows and in the inner trees that are grown without a part of them. An edit of a network
names an arrow by its columns.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from probtrees.errors import OptionError, did_you_mean
from probtrees.grow.count_tree import LEFT, NOT_RECORDED, CountTree
from probtrees.machine.json_file import read_json
from probtrees.table.dataset import Schema

Action = Literal["split", "stop", "never", "grow"]

Place = tuple[tuple[str, str], ...]
"""A node as the columns and ways that lead to it, wherever the cuts lie."""

FORMAT = 1
"""The version of the files; it stands in them as ``probtrees_edits``."""

MOST_EDITS = 1000
_LONGEST_WAY = 1000
_KEYS = {"do", "at", "column", "cut", "on"}
_SUCH = (
    "{'do': 'split', 'at': [{'column': 'sex', 'is': 'male'}], 'column': 'age', 'cut': 15}, with "
    f"'do' one of {', '.join(get_args(Action))} and a condition of 'at' by 'is', 'at_most', "
    "'above' or 'missing': true. See docs/edits.md"
)


@dataclass(frozen=True)
class Step:
    """One condition on the way to a node: exactly one of a value, a bound, or missing.

    Attributes
    ----------
    column : the name of the column that the parent splits on
    value : the category that leads on
    at_most, above : the number that leads on lies on this side of the parent's cut
    missing : whether the branch of missing values leads on
    """

    column: str
    value: str | None = None
    at_most: float | None = None
    above: float | None = None
    missing: bool = False

    @property
    def side(self) -> tuple[str, str]:
        """The column and which way, without the number: where a cut lies may differ a little."""
        if self.value is not None:
            return self.column, f"is {self.value}"
        if self.missing:
            return self.column, "missing"
        return self.column, "above" if self.at_most is None else "at most"

    @property
    def bound(self) -> float | None:
        """The number of a condition on a number."""
        return self.above if self.at_most is None else self.at_most

    @property
    def words(self) -> str:
        """The condition as people read it: ``age ≤ 54``."""
        if self.value is not None:
            return f"{self.column} = {self.value}"
        if self.missing:
            return f"{self.column} not recorded"
        return f"{self.column} {'>' if self.at_most is None else '≤'} {self.bound:.12g}"

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as it is written into files."""
        ways = {
            "is": self.value,
            "at_most": self.at_most,
            "above": self.above,
            "missing": self.missing or None,
        }
        return {"column": self.column, **{k: v for k, v in ways.items() if v is not None}}


@dataclass(frozen=True)
class Edit:
    """One correction.

    Attributes
    ----------
    do : ``split`` the node on ``column``, a number at ``cut`` (None: where C4.5 would cut it);
        ``stop`` there, so that it is a leaf; ``never`` use a column there and below, at the root
        that is anywhere; let the node ``grow`` as far as C4.5 gets, with neither collapse nor
        pruning nor a limit of depth
    at : the conditions on the way to the node; none: the root
    on : whether it is in force

    Examples
    --------
    >>> edit = Edit("split", (Step("sex", value="male"),), column="age", cut=15.0)
    >>> edit.words
    'Among sex = male: split on age at 15'
    """

    do: Action
    at: tuple[Step, ...] = ()
    column: str | None = None
    cut: float | None = None
    on: bool = True

    @property
    def place(self) -> Place:
        """The node as columns and ways."""
        return tuple(step.side for step in self.at)

    @property
    def words(self) -> str:
        """Say what it does, where."""
        where = " and ".join(step.words for step in self.at)
        words = {
            "split": f"split on {self.column}",
            "stop": "stop here, one group",
            "never": f"never use {self.column}" + ("" if self.at else " anywhere"),
            "grow": "grow further by itself",
        }[self.do]
        if self.cut is not None:
            words += f" at {self.cut:.12g}"
        return f"Among {where}: {words}" if where else f"All rows: {words}"

    def to_dict(self) -> dict[str, Any]:
        """Return the edit as it is written into files."""
        record: dict[str, Any] = {"do": self.do, "at": [step.to_dict() for step in self.at]}
        if self.column is not None:
            record["column"] = self.column
        if self.cut is not None:
            record["cut"] = self.cut
        return record if self.on else {**record, "on": False}


@dataclass(frozen=True)
class ArrowEdit:
    """One correction of a network.

    Attributes
    ----------
    do : ``add`` the arrow, in place of one that points back; ``remove`` it; or ``reverse`` it
    parent, child : the columns it leads from and to
    on : whether it is in force
    """

    do: Literal["add", "remove", "reverse"]
    parent: str
    child: str
    on: bool = True

    @property
    def words(self) -> str:
        """Say what it does."""
        return f"{self.do.capitalize()} {self.parent} → {self.child}"

    def to_dict(self) -> dict[str, Any]:
        """Return the edit as it is written into files."""
        record: dict[str, Any] = {"do": self.do, "from": self.parent, "to": self.child}
        return record if self.on else {**record, "on": False}


def read_edits(given: Any, make: Callable[[Any, str], Any] | None = None) -> tuple[Any, ...]:
    """Make edits of what people give: edits, records, a file's whole record, or any as JSON text.

    Whatever is not such a thing raises an :class:`OptionError` that names the entry. ``make`` makes
    one edit of an entry, in place of one of a tree.

    Examples
    --------
    >>> read_edits('[{"do": "never", "column": "fare"}]')
    (Edit(do='never', at=(), column='fare', cut=None, on=True),)
    """
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError) as problem:
            raise OptionError(f"edits={given!r} must be JSON. {problem}.") from None
    if isinstance(given, Mapping):
        if given.get("probtrees_edits") != FORMAT or set(given) != {"probtrees_edits", "edits"}:
            raise OptionError(
                f"edits must be a record of 'probtrees_edits', which is {FORMAT}, and a list "
                "'edits', alone. See docs/edits.md."
            )
        given = given["edits"]
    if not isinstance(given, list | tuple) or len(given) > MOST_EDITS:
        raise OptionError(f"edits must be a list of at most {MOST_EDITS} edits. See docs/edits.md.")
    return tuple((make or _edit)(entry, f"edits[{number}]") for number, entry in enumerate(given))


def load_edits(source: Any) -> tuple[Edit, ...]:
    """Read a file of edits: a path, an open file, or a pair (name, bytes)."""
    return read_edits(read_json(source, "edits"))


def edits_text(edits: Iterable[Edit | ArrowEdit], *, short: bool = False) -> str:
    """Write edits as JSON: as a file that people edit, or short, for a link."""
    plain = [edit.to_dict() for edit in edits]
    if short:
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    record = {"probtrees_edits": FORMAT, "edits": plain}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def save_edits(edits: Iterable[Edit | ArrowEdit], path: str | Path) -> None:
    """Write a file that ``grow --edits`` and :func:`load_edits` read."""
    Path(path).write_text(edits_text(edits), encoding="utf-8")


def way_to(tree: CountTree, schema: Schema, node: int) -> tuple[Step, ...]:
    """Return the conditions on the way to a node of a decision tree."""
    arrays = tree.arrays
    steps = []
    for below in tree.path(node)[1:]:
        parent, branch = int(arrays.parent[below]), int(arrays.branch[below])
        column = schema.columns[int(arrays.column[parent])]
        cut = float(arrays.threshold[parent])
        if math.isnan(cut):
            categories = column.categories or ()
            known = branch < len(categories)
            value = categories[branch] if known else None
            steps.append(Step(column.name, value=value, missing=not known))
        elif branch == NOT_RECORDED:
            steps.append(Step(column.name, missing=True))
        elif branch == LEFT:
            steps.append(Step(column.name, at_most=cut))
        else:
            steps.append(Step(column.name, above=cut))
    return tuple(steps)


def node_at(tree: CountTree, schema: Schema, way: Iterable[Step]) -> int:
    """Follow conditions as far as a tree does, wherever its cuts lie; return the last node."""
    node = 0
    for step in way:
        below = [k for k in tree.children(node) if way_to(tree, schema, k)[-1].side == step.side]
        if not below:
            break
        node = below[0]
    return node


def check_edits(edits: Iterable[Edit], schema: Schema) -> None:
    """Refuse edits that name columns or values a table does not have."""
    features = {column.name: column for column in schema.features}
    for number, edit in enumerate(edits):
        name = f"edits[{number}]"
        for asked in (*(step.column for step in edit.at), edit.column):
            if asked is not None and asked not in features:
                advice = did_you_mean(asked, features)
                raise OptionError(
                    f"{name}: column={asked!r} must be a column to predict from. {advice}"
                )
        for step in edit.at:
            categories = features[step.column].categories
            if (step.value if categories is None else step.bound) is not None:
                kind = "numbers" if categories is None else "categories"
                raise OptionError(f"{name}: {step.words!r} must suit {step.column!r}, of {kind}.")
            if step.value is not None and step.value not in (categories or ()):
                advice = did_you_mean(step.value, categories or ())
                raise OptionError(
                    f"{name}: is={step.value!r} must be a value of {step.column!r}. {advice}"
                )
        if edit.cut is not None and features[edit.column or ""].is_nominal:
            raise OptionError(
                f"{name}: cut={edit.cut:g} must be left out. {edit.column!r} is split into its "
                "values."
            )


def _edit(entry: Any, name: str) -> Edit:
    """Make one edit of a record, or check one that was made in Python."""
    record = entry.to_dict() if isinstance(entry, Edit) else entry
    if isinstance(record, Mapping) and set(record) <= _KEYS:
        do: Any = record.get("do")
        given, on = record.get("at", []), record.get("on", True)
        column, cut = record.get("column"), record.get("cut")
        way = [_step(entry) for entry in given] if isinstance(given, list | tuple) else [None]
        is_named = isinstance(column, str) and column != ""
        if (
            do in get_args(Action)
            and len(way) <= _LONGEST_WAY
            and None not in way
            and (is_named if do in ("split", "never") else column is None)
            and (cut is None or (do == "split" and _is_number(cut)))
            and isinstance(on, bool)
        ):
            cut = None if cut is None else float(cut)
            return Edit(do, tuple(step for step in way if step), column, cut, on)
    raise OptionError(f"{name}={record!r} must be such a record as {_SUCH}.")


def arrow_edit(entry: Any, name: str) -> ArrowEdit:
    """Make one edit of a network of a record, or check one that was made in Python."""
    record = entry.to_dict() if isinstance(entry, ArrowEdit) else entry
    match record:
        case {"do": "add" | "remove" | "reverse" as do, "from": str(one), "to": str(other), **more}:
            on = more.pop("on", True)
            if isinstance(on, bool) and one != other and not more:
                return ArrowEdit(do, one, other, on)
    raise OptionError(
        f"{name}={record!r} must be such a record as {{'do': 'add', 'from': 'age', 'to': 'weight'}}"
        ", with two columns and 'do' one of add, remove, reverse. See docs/edits.md."
    )


def _step(entry: Any) -> Step | None:
    """Make one condition of a record: a column, and one way on; None: it is no such record."""
    if isinstance(entry, Mapping) and len(entry) == 2:
        match entry:
            case {"column": str(column), "is": str(value)}:
                return Step(column, value=value)
            case {"column": str(column), "missing": True}:
                return Step(column, missing=True)
            case {"column": str(column), "at_most": cut} if _is_number(cut):
                return Step(column, at_most=float(cut))
            case {"column": str(column), "above": cut} if _is_number(cut):
                return Step(column, above=float(cut))
    return None


def _is_number(value: Any) -> bool:
    """Whether a value is a finite number, and no truth value."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and abs(value) <= sys.float_info.max
