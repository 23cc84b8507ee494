"""The interchange formats of Bayesian networks, BIF 0.15 and XMLBIF 0.3: read, and written.

All digits are written. In BIF a table is written one context a line, as every program reads it.
Read is whatever is found in the wild: commas or blanks, comments, ``default`` lines, tables in one
piece (where the value of the variable itself varies slowest). In XMLBIF the numbers of a table
stand in one row: the parents in their order, the first varying slowest, the values of the variable
itself fastest.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

import numpy as np

from probtrees.errors import DataError
from probtrees.model.networks.dense_network import MOST_CELLS, DenseNetwork, DenseTable, Variable
from probtrees.model.networks.safe_names import (
    properties_of,
    safe_names,
    with_properties,
    with_spare_values,
    without_spare_values,
)
from probtrees.types import FloatArray

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r'"[^"]*"|[{}()\[\];|]|[^\s{}()\[\],;|"]+')
_BRACE = re.compile(r"[{}]")
_PROPERTY = re.compile(r"property\b([^;]*);")


def write_bif(network: DenseNetwork) -> str:
    """Write a network; 17 digits bring every number back as it was."""
    written = with_spare_values(network)
    safe = safe_names(written)
    lines = ["network probtrees {"]
    if network.target is not None:
        lines.append(f"  property probtrees_class = {safe.names[network.numbers[network.target]]};")
    lines.append("}")
    for name, values, variable in zip(safe.names, safe.values, network.variables, strict=True):
        lines.append(f"variable {name} {{")
        lines.append(f"  type discrete [ {len(values)} ] {{ {', '.join(values)} }};")
        lines += [f"  property {key} = {text};" for key, text in properties_of(variable).items()]
        lines.append("}")
    for number, table in enumerate(written.tables):
        given = ", ".join(safe.names[parent] for parent in table.parents)
        head = f"{safe.names[number]} | {given}" if given else safe.names[number]
        lines.append(f"probability ( {head} ) {{")
        if given:
            contexts = map(", ".join, itertools.product(*(safe.values[at] for at in table.parents)))
            lines += [
                f"  ({context}) {numbers};"
                for context, numbers in zip(contexts, _rows(table.probs), strict=True)
            ]
        else:
            lines.append(f"  table {_numbers(table.probs)};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _rows(probs: FloatArray) -> Iterator[str]:
    """Write every context's numbers; most contexts were never met, and say what others say."""
    written: dict[bytes, str] = {}
    for row in np.ascontiguousarray(probs.reshape(-1, probs.shape[-1])):
        key = row.tobytes()
        if key not in written:
            written[key] = _numbers(row)
        yield written[key]


def _numbers(row: FloatArray) -> str:
    return ", ".join(map(repr, row.tolist()))


def read_bif(text: str) -> DenseNetwork:
    """Read a network.

    Raises
    ------
    DataError : what is missing or out of place, in one sentence
    """
    text = _COMMENT.sub(" ", text)
    blocks = list(_blocks(text))
    variables, properties = {}, {}
    for head, body in blocks:
        if head[:1] == ["variable"] and len(head) > 1:
            name = head[1].strip('"')
            variables[name] = Variable(name, _values(name, body))
            properties[name] = _properties(body)
    numbers = {name: number for number, name in enumerate(variables)}
    tables: dict[str, DenseTable] = {}
    target = None
    for head, body in blocks:
        if head[:1] == ["probability"]:
            names = [word.strip('"') for word in head[1:] if word not in "()|"]
            for name in names:
                if name not in numbers:
                    raise DataError(f"variable={name!r} must be declared before it has a table.")
            tables[names[0]] = _table(body, names, variables, numbers)
        elif head[:1] == ["network"]:
            target = _properties(body).get("probtrees_class")
    found = {name: with_properties(variables[name], properties[name]) for name in variables}
    return _network(found, tables, target)


def _network(
    variables: Mapping[str, Variable], tables: Mapping[str, DenseTable], target: str | None
) -> DenseNetwork:
    """Put a network together, its variables with their true names by those in the file."""
    for name in variables:
        if name not in tables:
            raise DataError(f"variable={name!r} must have a table of probabilities.")
    found = tuple(variables.values())
    return DenseNetwork(
        found,
        without_spare_values(found, [tables[name] for name in variables]),
        variables[target].name if target is not None and target in variables else None,
    )


def _blocks(text: str) -> list[tuple[list[str], str]]:
    """Cut the text into blocks: the words before a brace, and what is between it and its twin."""
    blocks, at, start, depth = [], 0, 0, 0
    for brace in _BRACE.finditer(text):
        if brace.group() == "{":
            start = start if depth else brace.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                words = _TOKEN.findall(text[at:start])
                blocks.append((words, text[start + 1 : brace.start()]))
                at = brace.end()
    if depth:
        raise DataError("network must close every brace. The file may be cut off.")
    if not blocks:
        raise DataError("network must be a BIF file: no 'variable NAME {' is in it.")
    return blocks


def _properties(body: str) -> dict[str, str]:
    found = {}
    for text in _PROPERTY.findall(body):
        key, _, value = text.partition("=")
        found[key.strip().strip('"')] = value.strip().strip('"')
    return found


def _values(name: str, body: str) -> tuple[str, ...]:
    """Read the values of a variable: what is in the braces of its type."""
    inside = re.search(r"\{([^}]*)\}", body)
    if "discrete" not in body or inside is None:
        raise DataError(f"variable={name!r} must be discrete, its values listed.")
    return tuple(word.strip('"') for word in _TOKEN.findall(inside.group(1)))


def _table(
    body: str,
    names: Sequence[str],
    variables: Mapping[str, Variable],
    numbers_of: Mapping[str, int],
) -> DenseTable:
    """Read a table, line by line or in one piece."""
    own, *parents = (variables[name] for name in names)
    shape = _shape(own, parents)
    probs = np.full(shape, np.nan)
    # Most contexts have the numbers of others: each line of numbers is read once.
    read: dict[str, FloatArray] = {}
    for line in _PROPERTY.sub(" ", body).split(";"):
        context, end, numbers = line.rpartition(")")
        if end and numbers in read:
            probs[_context(own.name, context, parents)] = read[numbers]
            continue
        words = [word.strip('"') for word in _TOKEN.findall(numbers if end else line)]
        if end:
            read[numbers] = _floats(own.name, words, len(own.values))
            probs[_context(own.name, context, parents)] = read[numbers]
        elif words[:1] == ["table"]:
            piece = _floats(own.name, words[1:], probs.size)
            probs = np.moveaxis(piece.reshape(len(own.values), *shape[:-1]), 0, -1)
        elif words[:1] == ["default"]:
            probs[np.isnan(probs).any(axis=-1)] = _floats(own.name, words[1:], len(own.values))
        elif words:
            raise DataError(f"table of {own.name!r} must not have a line {line.strip()[:40]!r}.")
    return DenseTable(tuple(numbers_of[name] for name in names[1:]), np.ascontiguousarray(probs))


def _context(name: str, text: str, parents: Sequence[Variable]) -> tuple[int, ...]:
    """Find the place of a context, written as values in parentheses."""
    start, *words = _TOKEN.findall(text) or [""]
    if start != "(" or len(words) != len(parents):
        raise DataError(f"table of {name!r} must name a value of every parent in a line.")
    return tuple(parent.code(word.strip('"')) for parent, word in zip(parents, words, strict=True))


def _shape(own: Variable, parents: Sequence[Variable]) -> tuple[int, ...]:
    """Return how many values the parents and the variable have; refuse too large a table."""
    shape = (*(len(parent.values) for parent in parents), len(own.values))
    if prod(shape) > MOST_CELLS:
        raise DataError(f"table of {own.name!r} must stay below {MOST_CELLS:,} numbers.")
    return shape


def _floats(name: str, words: Sequence[str], expected: int) -> FloatArray:
    try:
        found = np.array([float(word) for word in words])
    except ValueError:
        raise DataError(f"table of {name!r} must hold numbers.") from None
    if len(found) != expected:
        raise DataError(f"table of {name!r} must have {expected} numbers, not {len(found)}.")
    return found


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
        network = ET.fromstring(text).find("NETWORK")
    except (ET.ParseError, ValueError) as problem:
        raise DataError(f"network must be a whole XMLBIF file: {problem}.") from None
    if network is None:
        raise DataError("network must be an XMLBIF file: no <NETWORK> is in it.")
    variables, found = {}, {}
    for element in network.findall("VARIABLE"):
        name = _text(element, "NAME")
        values = tuple((each.text or "").strip() for each in element.findall("OUTCOME"))
        variables[name] = Variable(name, values)
        found[name] = with_properties(variables[name], _xml_properties(element))
    numbers = {name: number for number, name in enumerate(variables)}
    tables: dict[str, DenseTable] = {}
    for element in network.findall("DEFINITION"):
        name = _text(element, "FOR")
        given = [(each.text or "").strip() for each in element.findall("GIVEN")]
        for each in (name, *given):
            if each not in numbers:
                raise DataError(f"variable={each!r} must be declared to be in a table.")
        own = variables[name]
        shape = _shape(own, [variables[each] for each in given])
        probs = _floats(name, _text(element, "TABLE").split(), prod(shape)).reshape(shape)
        tables[name] = DenseTable(tuple(numbers[each] for each in given), probs)
    return _network(found, tables, _xml_properties(network).get("probtrees_class"))


def _text(element: ET.Element, tag: str) -> str:
    found = element.find(tag)
    if found is None or not (found.text or "").strip():
        raise DataError(f"network must have a <{tag}> in every <{element.tag}>.")
    return " ".join((found.text or "").split())


def _xml_properties(element: ET.Element) -> dict[str, str]:
    found = {}
    for each in element.findall("PROPERTY"):
        key, _, value = (each.text or "").partition("=")
        found[key.strip()] = value.strip()
    return found
