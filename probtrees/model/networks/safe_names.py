"""Names that every program takes for one word, and how the true ones travel beside them.

Files of networks know identifiers only: many programs stumble over a space, an ampersand or an
interval such as ``(0.5, 1.7]``. So a variable is called by a safe name there, and its true name,
values and cuts stand in properties, where the format has them, and in a sidecar.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, unquote
from xml.sax.saxutils import escape

import numpy as np

from probtrees.errors import DataError
from probtrees.model.networks.dense_network import DenseNetwork, DenseTable, Variable

_LONGEST = 60
_RESERVED = {"network", "variable", "probability", "property", "type", "discrete"} | {
    *("default", "table", "node", "potential", "data", "states", "net", "utility", "decision")
}
SIDECAR_FORMAT = "probtrees-network-names"


@dataclass(frozen=True)
class SafeNames:
    """What the variables of a network, and the values of each, are called in a file."""

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]


def safe_names(network: DenseNetwork) -> SafeNames:
    """Find safe names; those that are safe already stay as they are."""
    return SafeNames(
        _distinct(network.names, "x"),
        tuple(_distinct(variable.values, "v") for variable in network.variables),
    )


def safe_name(text: str) -> str:
    """Return the safe form of one name, in lower case: names that files cannot tell apart.

    >>> safe_name("Blood pressure (mm)")
    'blood_pressure_mm'
    """
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").lower() or text


def _distinct(texts: Iterable[str], first: str) -> tuple[str, ...]:
    """Make identifiers that differ even where case does not count.

    >>> _distinct(["blood pressure", "blood-pressure", "3", "age"], "v")
    ('blood_pressure', 'blood_pressure_2', 'v3', 'age')
    """
    found: list[str] = []
    taken: set[str] = set()
    for text in texts:
        name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:_LONGEST]
        if not name or name[0].isdigit() or name.lower() in _RESERVED:
            name = first + name
        distinct, number = name, 2
        while distinct.lower() in taken:
            distinct, number = f"{name}_{number}", number + 1
        taken.add(distinct.lower())
        found.append(distinct)
    return tuple(found)


def properties_of(variable: Variable) -> dict[str, str]:
    """Write what a safe name hides as properties: one line each, no character of any grammar."""
    values = " | ".join(_quoted(value) for value in variable.values)
    found = {"probtrees_name": _quoted(variable.name), "probtrees_values": values}
    if variable.points is not None:
        found["probtrees_cuts"] = " ".join(repr(float(point)) for point in variable.points)
    if variable.not_recorded:
        found["probtrees_not_recorded"] = "yes"
    return found


def with_properties(variable: Variable, properties: Mapping[str, str]) -> Variable:
    """Give a variable that was read its true name, values and cuts back."""
    name = unquote(properties.get("probtrees_name", variable.name))
    values = variable.values
    if "probtrees_values" in properties:
        values = tuple(unquote(part) for part in properties["probtrees_values"].split(" | "))
    points = variable.points
    if "probtrees_cuts" in properties:
        points = _cuts_in(properties["probtrees_cuts"], variable.name)
    return _checked(variable, name, values, points, "probtrees_not_recorded" in properties)


def _cuts_in(text: str, name: str) -> tuple[float, ...]:
    try:
        points = tuple(float(part) for part in text.split())
    except ValueError:
        points = (math.nan,)
    if not all(map(math.isfinite, points)):
        raise DataError(f"variable={name!r} must have numbers as cuts: {text!r}.")
    return points


def sidecar(network: DenseNetwork) -> dict[str, Any]:
    """Write the true names, values and cuts for a file beside the network's, ready for JSON."""
    safe = safe_names(network)
    return {
        "format": SIDECAR_FORMAT,
        "class": network.target,
        "notes": dict(network.notes or {}),
        "variables": [
            {
                "identifier": name,
                "name": variable.name,
                "values": dict(zip(values, variable.values, strict=True)),
                "cuts": None if variable.points is None else list(variable.points),
                "not_recorded": variable.not_recorded,
            }
            for name, values, variable in zip(
                safe.names, safe.values, network.variables, strict=True
            )
        ],
    }


def with_sidecar(network: DenseNetwork, record: Mapping[str, Any]) -> DenseNetwork:
    """Give a network that was read its true names back."""
    try:
        if record["format"] != SIDECAR_FORMAT:
            raise KeyError("format")
        known = {entry["identifier"]: entry for entry in record["variables"]}
        # UAI has numbers for names: its variables stand in the order of the sidecar.
        by_place: Sequence[Any] = record["variables"]
        entries = [
            known.get(variable.name, by_place[number] if len(known) == len(network.names) else None)
            for number, variable in enumerate(network.variables)
        ]
        variables = tuple(
            variable if entry is None else _from_entry(variable, entry)
            for variable, entry in zip(network.variables, entries, strict=True)
        )
        return replace(
            network,
            variables=variables,
            tables=without_spare_values(variables, network.tables),
            target=record["class"],
            notes=dict(record["notes"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DataError(
            "sidecar must be the names file that was written with the network. Leave it away "
            "to open the network with the names in its own file."
        ) from None


def _from_entry(variable: Variable, entry: Mapping[str, Any]) -> Variable:
    points = None if entry["cuts"] is None else tuple(float(point) for point in entry["cuts"])
    values = tuple(str(value) for value in entry["values"].values())
    return _checked(variable, str(entry["name"]), values, points, bool(entry["not_recorded"]))


def _checked(
    variable: Variable,
    name: str,
    values: tuple[str, ...],
    points: tuple[float, ...] | None,
    not_recorded: bool,
) -> Variable:
    """Take true names over if they fit what is in the file."""
    has_spare = (len(values), len(variable.values)) == (1, 2)
    if len(values) != len(variable.values) and not has_spare:
        raise DataError(f"variable={variable.name!r} must have a true name for each of its values.")
    if points is not None and (
        len(points) + 1 + not_recorded != len(values) or (np.diff(points) <= 0).any()
    ):
        raise DataError(f"variable={variable.name!r} must have ascending cuts between its values.")
    return Variable(name, values, points, not_recorded)


def _quoted(text: str) -> str:
    return quote(text, safe=" .,-+")


def with_spare_values(network: DenseNetwork) -> DenseNetwork:
    """Give every variable of one value a second one of probability 0.

    >>> alone = DenseNetwork((Variable("x", ("a",)),), (DenseTable((), np.ones(1)),))
    >>> with_spare_values(alone).variables[0].values
    ('a', 'not a')
    """
    alone = {at for at, variable in enumerate(network.variables) if len(variable.values) == 1}
    if not alone:
        return network
    variables = tuple(
        Variable(one.name, (*one.values, f"not {one.values[0]}")) if at in alone else one
        for at, one in enumerate(network.variables)
    )
    tables = []
    for at, table in enumerate(network.tables):
        probs = table.probs
        for axis, parent in enumerate(table.parents):
            if parent in alone:
                # What a context says that never occurs is of no account: the same again.
                probs = np.repeat(probs, 2, axis=axis)
        if at in alone:
            probs = np.concatenate([probs, np.zeros_like(probs)], axis=-1)
        tables.append(DenseTable(table.parents, probs))
    return replace(network, variables=variables, tables=tuple(tables))


def without_spare_values(
    variables: Sequence[Variable], tables: Sequence[DenseTable]
) -> tuple[DenseTable, ...]:
    """Cut the tables of a file down to variables that are known to have one value."""
    alone = {at for at, variable in enumerate(variables) if len(variable.values) == 1}
    found = []
    for at, table in enumerate(tables):
        axes = (*table.parents, at)
        kept = tuple(slice(1 if each in alone else None) for each in axes)
        found.append(DenseTable(table.parents, table.probs[kept]))
    return tuple(found)


def _quotable(text: str) -> str:
    """Write a name so that it can stand between quotes of a NET file, which knows no escapes."""
    return " ".join(text.replace('"', "'").replace("\\", "/").split())


_TITLES: dict[str, tuple[re.Pattern[str], Callable[[str], str]]] = {
    ".net": (re.compile(r'(\blabel = ")(\w+)(";)'), _quotable),
    ".xdsl": (re.compile(r"(<name>)(\w+)(</name>)"), escape),
}
"""Where the title of a node stands that pyAgrum wrote, and how a name is written there."""


def with_titles(content: bytes, suffix: str, names: Mapping[str, str]) -> bytes:
    """Give nodes their true names as titles, where a format has them.

    Parameters
    ----------
    names : the true name of every identifier
    """
    if suffix not in _TITLES:
        return content
    title, write = _TITLES[suffix]
    text = content.decode()
    return title.sub(lambda at: at[1] + write(names.get(at[2], at[2])) + at[3], text).encode()
