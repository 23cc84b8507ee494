"""The XML interchange format of Bayesian networks (XMLBIF 0.3): read, and written with all digits.

The numbers of a table stand in one row: the parents in their order, the first varying slowest, the
values of the variable itself fastest.
"""

from __future__ import annotations

from math import prod
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

import numpy as np

from probtrees.errors import DataError
from probtrees.model.networks.dense_network import (
    MOST_CELLS,
    DenseNetwork,
    DenseTable,
    Variable,
)
from probtrees.model.networks.safe_names import properties_of, safe_names, with_properties
from probtrees.model.networks.spare_values import with_spare_values, without_spare_values


def write_xmlbif(network: DenseNetwork) -> str:
    """Write a network; 17 digits bring every number back as it was."""
    written = with_spare_values(network)
    safe = safe_names(written)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append("<NAME>probtrees</NAME>")
    if network.target is not None:
        name = safe.names[network.numbers[network.target]]
        lines.append(f"<PROPERTY>probtrees_class = {name}</PROPERTY>")
    for name, values, variable in zip(safe.names, safe.values, network.variables, strict=True):
        lines.append(f'<VARIABLE TYPE="nature">\n  <NAME>{name}</NAME>')
        lines += [f"  <OUTCOME>{value}</OUTCOME>" for value in values]
        for key, text in properties_of(variable).items():
            lines.append(f"  <PROPERTY>{key} = {escape(text)}</PROPERTY>")
        lines.append("</VARIABLE>")
    for number, table in enumerate(written.tables):
        lines.append(f"<DEFINITION>\n  <FOR>{safe.names[number]}</FOR>")
        lines += [f"  <GIVEN>{safe.names[parent]}</GIVEN>" for parent in table.parents]
        numbers = " ".join(map(repr, table.probs.ravel().tolist()))
        lines.append(f"  <TABLE>{numbers}</TABLE>\n</DEFINITION>")
    return "\n".join([*lines, "</NETWORK>", "</BIF>", ""])


def read_xmlbif(text: str) -> DenseNetwork:
    """Read a network.

    Raises
    ------
    DataError : what is missing or out of place, in one sentence
    """
    if "<!ENTITY" in text:
        raise DataError("network must not declare entities. Save it again without them.")
    try:
        network = ET.fromstring(text.encode("utf-8")).find("NETWORK")
    except (ET.ParseError, ValueError) as problem:
        raise DataError(f"network must be a whole XMLBIF file: {problem}.") from None
    if network is None:
        raise DataError("network must be an XMLBIF file: no <NETWORK> is in it.")
    variables, found = {}, []
    for element in network.findall("VARIABLE"):
        name = _text(element, "NAME")
        values = tuple((each.text or "").strip() for each in element.findall("OUTCOME"))
        variables[name] = Variable(name, values)
        found.append(with_properties(variables[name], _properties(element)))
    numbers = {name: number for number, name in enumerate(variables)}
    tables: dict[str, DenseTable] = {}
    for element in network.findall("DEFINITION"):
        name = _text(element, "FOR")
        given = [(each.text or "").strip() for each in element.findall("GIVEN")]
        for each in (name, *given):
            if each not in numbers:
                raise DataError(f"variable={each!r} must be declared to be in a table.")
        parents = [variables[each] for each in given]
        probs = _probabilities(variables[name], parents, _text(element, "TABLE"))
        tables[name] = DenseTable(tuple(numbers[each] for each in given), probs)
    for name in numbers:
        if name not in tables:
            raise DataError(f"variable={name!r} must have a table of probabilities.")
    target = _properties(network).get("probtrees_class")
    return DenseNetwork(
        tuple(found),
        without_spare_values(found, [tables[name] for name in numbers]),
        found[numbers[target]].name if target in numbers else None,
    )


def _text(element: ET.Element, tag: str) -> str:
    found = element.find(tag)
    if found is None or not (found.text or "").strip():
        raise DataError(f"network must have a <{tag}> in every <{element.tag}>.")
    return " ".join((found.text or "").split())


def _properties(element: ET.Element) -> dict[str, str]:
    found = {}
    for each in element.findall("PROPERTY"):
        key, _, value = (each.text or "").partition("=")
        found[key.strip()] = value.strip()
    return found


def _probabilities(
    own: Variable, parents: list[Variable], text: str
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    shape = (*(len(parent.values) for parent in parents), len(own.values))
    if prod(shape) > MOST_CELLS:
        raise DataError(f"table of {own.name!r} must stay below {MOST_CELLS:,} numbers.")
    try:
        numbers = np.array([float(word) for word in text.split()])
    except ValueError:
        raise DataError(f"table of {own.name!r} must hold numbers.") from None
    if numbers.size != prod(shape):
        raise DataError(f"table of {own.name!r} must have {prod(shape)} numbers.")
    return numbers.reshape(shape)
