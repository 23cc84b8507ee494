"""Corrections of a tree by somebody who knows the subject: declared as data, never as code.

An edit names a node by the conditions on the way to it, so that it means the same in the tree
of all rows and in the inner trees that are grown without a part of them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from probtrees.errors import OptionError, did_you_mean
from probtrees.grow.count_tree import LEFT, NOT_RECORDED, CountTree
from probtrees.machine.json_file import read_json
from probtrees.table.dataset import Column, Schema

Action = Literal["split", "stop", "never", "grow"]

Place = tuple[tuple[str, str], ...]
"""A node as the columns and ways that lead to it, wherever the cuts lie."""

FORMAT = 1
"""The version of the files; it stands in them as ``probtrees_edits``."""

MOST_EDITS = 1000
_LONGEST_WAY = 1000
_WAYS = ("is", "at_most", "above", "missing")
_KEYS = {"do", "at", "column", "cut", "on"}


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


def read_edits(given: Any) -> tuple[Edit, ...]:
    """Make edits of what people give: edits, records, a file's whole record, or any as JSON text.

    Whatever is not such a thing raises an :class:`OptionError` that names the entry.

    Examples
    --------
    >>> read_edits('[{"do": "never", "column": "fare"}]')
    (Edit(do='never', at=(), column='fare', cut=None, on=True),)
    """
    if isinstance(given, str):
        given = _parsed(given)
    if isinstance(given, Mapping):
        given = _list_in(given)
    try:
        listed = tuple(given)
    except TypeError:
        raise OptionError(f"edits={given!r} must be a list of edits. See docs/edits.md.") from None
    if len(listed) > MOST_EDITS:
        raise OptionError(f"edits must be at most {MOST_EDITS}, and there are {len(listed):,}.")
    return tuple(_edit(entry, f"edits[{number}]") for number, entry in enumerate(listed))


def load_edits(source: Any) -> tuple[Edit, ...]:
    """Read a file of edits: a path, an open file, or a pair (name, bytes)."""
    return read_edits(read_json(source, "edits"))


def edits_text(edits: Iterable[Edit], *, short: bool = False) -> str:
    """Write edits as JSON: as a file that people edit, or short, for a link."""
    plain = [edit.to_dict() for edit in edits]
    if short:
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    record = {"probtrees_edits": FORMAT, "edits": plain}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def save_edits(edits: Iterable[Edit], path: str | Path) -> None:
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
        for step in edit.at:
            column = _known(step.column, features, name)
            kind = "categories" if column.is_nominal else "numbers"
            suits = (step.bound if column.is_nominal else step.value) is None
            _must(suits, f"{name}: {step.words!r} must suit {column.name!r}, of {kind}.")
            if step.value is not None and step.value not in (column.categories or ()):
                advice = did_you_mean(step.value, column.categories or ())
                raise OptionError(
                    f"{name}: is={step.value!r} must be a value of {column.name!r}. {advice}"
                )
        split_on = None if edit.column is None else _known(edit.column, features, name)
        if split_on is not None and split_on.is_nominal and edit.cut is not None:
            raise OptionError(
                f"{name}: cut={edit.cut:g} must be left out. {edit.column!r} is split into its "
                "values."
            )


def _must(holds: bool, rule: str) -> None:
    """Raise the sentence of a rule that does not hold."""
    if not holds:
        raise OptionError(rule)


def _known(column: str, features: Mapping[str, Column], name: str) -> Column:
    if column not in features:
        advice = did_you_mean(column, features)
        raise OptionError(f"{name}: column={column!r} must be a column to predict from. {advice}")
    return features[column]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as problem:
        raise OptionError(f"edits={text!r} must be JSON. {problem}.") from None


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def _list_in(record: Mapping[str, Any]) -> Any:
    """Take the list out of a file's record."""
    version = record.get("probtrees_edits")
    _must(
        version == FORMAT and not isinstance(version, bool),
        f"edits: probtrees_edits={version!r} must be {FORMAT}, the version of the file. See "
        "docs/edits.md.",
    )
    _must(
        set(record) == {"probtrees_edits", "edits"} and isinstance(record["edits"], list),
        "edits must be a record of 'probtrees_edits' and a list 'edits', alone.",
    )
    return record["edits"]


def _edit(entry: Any, name: str) -> Edit:
    """Make one edit of a record, or check one that was made in Python."""
    if isinstance(entry, Edit):
        entry = entry.to_dict()
    such = "{'do': 'stop', 'at': []}"
    _must(isinstance(entry, Mapping), f"{name}={entry!r} must be a record such as {such}.")
    for key in entry:
        advice = did_you_mean(str(key), sorted(_KEYS))
        _must(key in _KEYS, f"{name}: key={key!r} must be known. {advice}")
    do: Any = entry.get("do")
    advice = did_you_mean(str(do), get_args(Action))
    _must(do in get_args(Action), f"{name}: do={do!r} must be an action. {advice}")
    way = entry.get("at", [])
    is_way = isinstance(way, list | tuple) and len(way) <= _LONGEST_WAY
    _must(is_way, f"{name}: at={way!r} must be a list of conditions.")
    steps = tuple(_step(step, f"{name}.at[{number}]") for number, step in enumerate(way))
    column, cut, on = entry.get("column"), entry.get("cut"), entry.get("on", True)
    _must(isinstance(on, bool), f"{name}: on={on!r} must be true or false.")
    takes_column = do in ("split", "never")
    rule = "be the name of a column" if takes_column else "be left out"
    has_column = isinstance(column, str) and column != ""
    _must(takes_column == has_column, f"{name}: column={column!r} must {rule} to {do!r}.")
    if cut is not None:
        _must(do == "split", f"{name}: cut={cut!r} must be left out to {do!r}.")
        cut = _number(cut, f"{name}: cut")
    return Edit(do, steps, column, cut, on)


def _step(entry: Any, name: str) -> Step:
    """Make one condition of a record."""
    is_condition = isinstance(entry, Mapping) and isinstance(entry.get("column"), str)
    such = "{'column': 'age', 'at_most': 54}"
    _must(is_condition, f"{name}={entry!r} must be a condition such as {such}.")
    ways = [key for key in entry if key != "column"]
    one_way = len(ways) == 1 and ways[0] in _WAYS
    rule = f"must have the column and one of {', '.join(_WAYS)}."
    _must(one_way, f"{name}={dict(entry)!r} {rule}")
    column, way, value = entry["column"], ways[0], entry[ways[0]]
    if way == "missing":
        _must(value is True, f"{name}: missing={value!r} must be true.")
        return Step(column, missing=True)
    if way == "is":
        _must(isinstance(value, str), f"{name}: is={value!r} must be a category, as text.")
        return Step(column, value=value)
    number = _number(value, f"{name}: {way}")
    return Step(column, at_most=number) if way == "at_most" else Step(column, above=number)


def _number(value: Any, name: str) -> float:
    """Return a finite number."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    _must(is_number, f"{name}={value!r} must be a number.")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    _must(math.isfinite(number), f"{name} must be a finite number.")
    return number
