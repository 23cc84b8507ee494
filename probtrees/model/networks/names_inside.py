"""True names of a network in its own file: as labels of nodes, and with all else as comments.

NET and XDSL have no properties that every program keeps, but both have a title for a node, which
Hugin and GeNIe show in its place, and comments, which all programs skip. So a file that was moved
without its names file still says what its columns are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote
from xml.sax.saxutils import escape

from probtrees.errors import DataError
from probtrees.model.networks.dense_network import DenseNetwork
from probtrees.model.networks.safe_names import sidecar, with_sidecar

_MARK = "probtrees-names "
_WIDTH = 90
_COMMENTS = {".net": ("% ", ""), ".xdsl": ("<!-- ", " -->")}
"""How a line of comment begins and ends, by the way the file's name ends."""


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


def names_as_comments(network: DenseNetwork, suffix: str) -> bytes:
    """Write what the names file says as lines of comment; nothing where a format has none."""
    if suffix not in _COMMENTS:
        return b""
    begin, end = _COMMENTS[suffix]
    # A hyphen is written as its code: two of them would end a comment of XML.
    text = quote(json.dumps(sidecar(network)), safe="").replace("-", "%2D")
    parts = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    return "".join(f"{begin}{_MARK}{part}{end}\n" for part in parts).encode()


def with_names_inside(network: DenseNetwork, content: bytes) -> DenseNetwork:
    """Give a network the names of its file's comments back, where they are there and fit.

    Another program may have changed the network since: then the names in its tables count.
    """
    parts = re.findall(rf"{_MARK}([\w.%~]+)".encode(), content)
    if not parts:
        return network
    try:
        record: Any = json.loads(unquote(b"".join(parts).decode("ascii", "replace")))
        if len(record["variables"]) != len(network.variables):
            return network
        named = with_sidecar(network, record)
    except (DataError, ValueError, KeyError, TypeError, RecursionError):
        return network
    return named if named.target is None or named.target in named.names else network
