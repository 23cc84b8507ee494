"""Files of Bayesian networks, by the way their names end: one list for every face."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from probtrees.errors import DataError, OptionError
from probtrees.machine.atomic_file import place_to_write, write_atomically
from probtrees.model.networks.agrum import read_by_agrum, write_by_agrum
from probtrees.model.networks.bif import read_bif, read_xmlbif, write_bif, write_xmlbif
from probtrees.model.networks.dense_network import DenseNetwork
from probtrees.model.networks.safe_names import (
    safe_names,
    sidecar,
    with_sidecar,
    with_spare_values,
    with_titles,
)

SIDECAR_SUFFIX = ".names.json"
"""What is added to the name of a network's file to name its sidecar."""


@dataclass(frozen=True)
class NetworkFormat:
    """A format of network files.

    Attributes
    ----------
    suffixes : how its files end, the usual ending first
    label : what it is called
    write, read : to and from the bytes of a file
    digits : how many digits of a number it keeps
    keeps_names : whether true names, values and cuts are in the file, so that no sidecar is read
    """

    suffixes: tuple[str, ...]
    label: str
    write: Callable[[DenseNetwork], bytes]
    read: Callable[[bytes], DenseNetwork]
    digits: int = 17
    keeps_names: bool = True


def _by_agrum(suffix: str, label: str) -> NetworkFormat:
    def write(network: DenseNetwork) -> bytes:
        written = with_spare_values(network)
        safe = safe_names(written)
        inside = write_by_agrum(written, suffix, safe.names, safe.values)
        return with_titles(inside, suffix, dict(zip(safe.names, network.names, strict=True)))

    def read(content: bytes) -> DenseNetwork:
        return read_by_agrum(content, suffix)

    return NetworkFormat((suffix,), label, write, read, digits=7, keeps_names=False)


def _decoded(content: bytes) -> str:
    """Read text as UTF-8, or as what old programs wrote."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


NETWORK_FORMATS = (
    NetworkFormat(
        (".bif",),
        "BIF",
        lambda network: write_bif(network).encode(),
        lambda content: read_bif(_decoded(content)),
    ),
    NetworkFormat(
        (".bifxml", ".xmlbif", ".xml"),  # the first is the one that pyAgrum opens
        "XMLBIF",
        lambda network: write_xmlbif(network).encode(),
        lambda content: read_xmlbif(_decoded(content)),
    ),
    _by_agrum(".xdsl", "XDSL (GeNIe)"),
    _by_agrum(".net", "NET (Hugin, Netica)"),
    _by_agrum(".uai", "UAI"),
)
"""Every format that networks are written in and read from."""

NETWORK_SUFFIXES = tuple(suffix for format in NETWORK_FORMATS for suffix in format.suffixes)


def network_format(name: str) -> NetworkFormat:
    """Find the format of a file by its name."""
    suffix = Path(name).suffix.lower()
    for format in NETWORK_FORMATS:
        if suffix in format.suffixes:
            return format
    raise OptionError(f"file={Path(name).name!r} must end in one of {', '.join(NETWORK_SUFFIXES)}.")


def sidecar_text(network: DenseNetwork) -> str:
    """Write the file of true names, values and cuts that goes with a network's."""
    return json.dumps(sidecar(network), indent=1, ensure_ascii=False)


def save_network(network: DenseNetwork, path: str | Path) -> Path:
    """Write a network, and its sidecar beside it; return the place of the sidecar."""
    place = Path(path)
    beside = place.with_name(place.name + SIDECAR_SUFFIX)
    with place_to_write(place, "out"):
        write_atomically(place, network_format(place.name).write(network))
        write_atomically(beside, sidecar_text(network))
    return beside


def open_network(path: str | Path) -> DenseNetwork:
    """Read the network of a file, with the names of its sidecar where one lies beside it."""
    place = Path(path)
    network_format(place.name)
    try:
        content = place.read_bytes()
    except OSError as problem:
        raise DataError(f"structure={str(path)!r} must be a file. {problem.strerror}.") from None
    beside = place.with_name(place.name + SIDECAR_SUFFIX)
    names = beside.read_bytes() if beside.is_file() else None
    return parse_network(place.name, content, names)


def parse_network(name: str, content: bytes, names: bytes | None = None) -> DenseNetwork:
    """Read a network from the bytes of its file and, where it has one, of its sidecar."""
    format = network_format(name)
    network = format.read(content)
    if names is None or format.keeps_names:
        return network
    try:
        record = json.loads(names)
    except ValueError:
        raise DataError(f"sidecar of {name!r} must be JSON. Leave it away.") from None
    return with_sidecar(network, record)
