"""Networks as files of other programs: one of them, or all of an ensemble in an archive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Literal
from zipfile import ZIP_DEFLATED, ZipFile

import streamlit as st

from probtrees.model.networks.dense_network import DenseNetwork
from probtrees.model.networks.network_file import (
    NETWORK_FORMATS,
    SIDECAR_SUFFIX,
    NetworkFormat,
    sidecar_text,
)
from probtrees.ui.shared.exports import Export

Averaging = Literal["posterior", "joint"]

_LARGE = 2e6
"""Bytes of a file from which its size is said before it is asked for."""


@dataclass(frozen=True)
class NetworkFiles:
    """Networks that files of other programs are written from, when one is asked for.

    Attributes
    ----------
    write : writes the tables of a network out, by its number
    number : the network on show
    n_networks : how many there are
    is_offered, is_all_offered : whether the network on show, and all of them, can be written
    format : of the files that all of them are written to
    averaging : how the answers of all are averaged, after or before they are normalised
    """

    write: Callable[[int], DenseNetwork]
    number: int = 0
    n_networks: int = 1
    is_offered: bool = True
    is_all_offered: bool = False
    format: NetworkFormat = NETWORK_FORMATS[0]
    averaging: Averaging = "posterior"

    def every_network(self) -> bytes:
        """Write every network and its names in one archive, with how their answers are averaged."""
        content = BytesIO()
        with ZipFile(content, "w", ZIP_DEFLATED) as archive:
            archive.writestr("README.txt", averaging_rule(self.n_networks, self.averaging))
            for number in range(self.n_networks):
                network = self.write(number)
                name = f"network_{number + 1}{self.format.suffixes[0]}"
                archive.writestr(name, self.format.write(network))
                archive.writestr(name + SIDECAR_SUFFIX, sidecar_text(network))
        return content.getvalue()


def averaging_rule(n_networks: int, averaging: Averaging) -> str:
    """Say how the answers of networks are put together, for people who have each in a file."""
    if averaging == "joint":
        rule = (
            "P(class | findings) = sum over networks of P_m(class, findings)\n"
            "                      / sum over networks of P_m(findings)\n\n"
            "That is: enter the findings in every network, read the chances of the class and the\n"
            "probability of the findings (also called evidence), and average the chances with\n"
            "these probabilities as weights."
        )
    else:
        rule = (
            "P(class | findings) = mean over networks of P_m(class | findings)\n\n"
            "That is: enter the findings in every network, read the chances of the class, and\n"
            "take their plain mean."
        )
    return (
        f"{n_networks} networks of one ensemble, each in a file. No format of networks can hold\n"
        f"them all; this gives the answer of the ensemble:\n\n{rule}\n\n"
        "Networks may cut a number in different places, or leave a column out: enter the range\n"
        "that the number falls into there, and leave a finding away where the column is missing.\n"
        f"Files that end in {SIDECAR_SUFFIX} hold the true names, values and cuts.\n"
    )


def _network_file(format: NetworkFormat, networks: NetworkFiles) -> bytes:
    return format.write(networks.write(networks.number))


def say_size(cells: int, shortest: float, longest: float) -> None:
    """Say before a click how large a file will be, unless it is small."""
    if longest > _LARGE:
        st.caption(
            f"Large files: {cells:,} numbers, about {max(shortest / 1e6, 1):.0f} MB (UAI, XDSL) to "
            f"{longest / 1e6:.0f} MB (NET, BIF). Writing one may take a minute."
        )


NETWORK_FILES: tuple[Export[NetworkFiles], ...] = (
    *(
        Export(
            f"network{format.suffixes[0]}",
            format.label,
            partial(_network_file, format),
            help=f"Numbers of {format.digits} digits.",
            is_offered=lambda networks: networks.is_offered,
        )
        for format in NETWORK_FORMATS
    ),
    Export(
        "network.names.json",
        "Names (JSON)",
        lambda networks: sidecar_text(networks.write(networks.number)),
        help="The true names, values and cuts that go with the files.",
        is_offered=lambda networks: networks.is_offered,
    ),
    Export(
        "networks.zip",
        "Every network (ZIP)",
        NetworkFiles.every_network,
        help="Each network of the ensemble in a file, and how their answers are averaged.",
        is_offered=lambda networks: networks.is_all_offered,
    ),
)
