"""A network of another program on this page: looked at, asked, and learnt again from one's rows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.draw.network_data import NetworkPicture, PictureArc, PictureNode
from probtrees.errors import ProbTreesError
from probtrees.experiment.given_network import given_network
from probtrees.experiment.registry import DEFAULT_DISCRETIZER
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.networks.dense_network import DenseNetwork
from probtrees.model.networks.network_file import NETWORK_SUFFIXES, SIDECAR_SUFFIX, parse_network
from probtrees.score.metrics import rarest_outcome
from probtrees.ui.network.network_ask import ask, ask_panel
from probtrees.ui.network.network_bench import NetworkBench, learnt
from probtrees.ui.network.network_controls import OR_CLICK, choose_outcome
from probtrees.ui.network.network_page import COLUMN, NETWORK
from probtrees.ui.network.network_picture import CLICK_VALUES, Asked, draw_picture, with_values
from probtrees.ui.network.network_table import MOST_ROWS, add_values
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.forms import named_choice
from probtrees.ui.shared.loaded_model import read_model_bytes, show_loaded
from probtrees.ui.shared.session.bounded_cache import content_of
from probtrees.ui.shared.session.jobs import Report, result_of
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.table_source import current_source

_OPENED = "opened network"
_HANDLED = "network file handled"
_WAY = "network.opened tables"
_WAYS = ("As in the file", "Learnt from the table in use")
_REFUSED = "network.opened refused"
"""Why its tables could not be learnt."""
_CLASS_HELP = (
    "The column that the questions are about. If this program saved the file, open the one that "
    f"ends in *{SIDECAR_SUFFIX}* together with it: that one knows the class and the true names."
)


@dataclass(frozen=True)
class Opened:
    """A network and the file it came from."""

    name: str
    digest: str
    network: DenseNetwork


def opened_network() -> Opened | None:
    """Return the opened network on show, if there is one."""
    opened: Opened | None = st.session_state.get(_OPENED)
    return opened


def offer_to_open() -> None:
    """Offer to open a network of another program, in a line of buttons."""
    with st.popover(
        "Open",
        icon=":material/folder_open:",
        help="A network of GeNIe, Netica, Hugin, pyAgrum, bnlearn, or a model of this program.",
    ):
        _choose_file()


def _choose_file() -> None:
    """Ask for a file of a network and show it; a broken one is explained in one sentence."""
    files = st.file_uploader(
        "Open a network of another program",
        type=[suffix[1:] for suffix in (*NETWORK_SUFFIXES, ".json", ".gz")],
        accept_multiple_files=True,
        key="network.open at the top",
        help=f"BIF, XMLBIF, NET, XDSL, UAI or a model (JSON). A names file, which ends in "
        f"{SIDECAR_SUFFIX}, is opened together with its network. Nothing in it is executed.",
    )
    networks = [file for file in files if not file.name.lower().endswith((".json", ".gz"))]
    if not networks:
        st.session_state.pop(_HANDLED, None)
        for file in files:
            _open_model(file.name, content_of(file))
        return
    newest = networks[-1]
    stem = f"{PurePath(newest.name).stem.lower()}." if len(networks) > 1 else ""
    sidecars = [
        file
        for file in files
        if file.name.lower().startswith(stem) and file.name.lower().endswith(SIDECAR_SUFFIX)
    ]
    names = content_of(sidecars[0]) if sidecars else None
    content = content_of(newest)
    digest = hashlib.sha256(content + (names or b"")).hexdigest()
    if st.session_state.get(_HANDLED) == digest:
        return
    try:
        network = parse_network(newest.name, content, names)
    except ProbTreesError as problem:
        _refuse(newest.name, str(problem))
        return
    st.session_state[_HANDLED] = digest
    st.session_state[_OPENED] = Opened(newest.name, digest, network)
    st.rerun()


def _open_model(name: str, content: bytes) -> None:
    """Show a saved model on the page of its kind."""
    if name.lower().endswith(SIDECAR_SUFFIX):
        _refuse(name, "this names file is opened together with its network: choose both.")
        return
    try:
        model = read_model_bytes(name, content)
    except ProbTreesError as problem:
        _refuse(name, str(problem))
        return
    loaded = show_loaded(name, hashlib.sha256(content).hexdigest(), model)
    if not loaded.model.is_network:
        st.switch_page(f"pages/{loaded.home}.py")
    st.rerun()


def _refuse(name: str, why: str) -> None:
    st.error(f"**{markdown_text(shorten(name, 60))}**: {markdown_text(why)}")


def _close() -> None:
    st.session_state.pop(_OPENED, None)


def show_opened(opened: Opened, export: Callable[[], None]) -> NetworkBench | None:
    """Show an opened network as it is in its file, or learn its tables.

    Parameters
    ----------
    export : offers the network as files

    Returns
    -------
    the network with tables from the table in use; None where all is shown
    """
    n_columns = len(opened.network.variables)
    name = markdown_text(shorten(opened.name, 60))
    with st.container(horizontal=True, vertical_alignment="center", key="data_bar"):
        st.markdown(f"**{name}** · opened network · {n_columns} columns", width="content")
        st.button("Back to the table", icon=":material/undo:", on_click=_close)
        if st.session_state.get(_WAY, _WAYS[0]) == _WAYS[0]:
            export()
        with st.popover("Help", icon=":material/help:"):
            st.markdown(NETWORK.full_help)
    if refused := st.session_state.pop(_REFUSED, None):
        st.session_state[_WAY] = _WAYS[0]  # what is chosen is what one sees
        st.warning(f"{markdown_text(refused)} You see the tables of the file.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        way = st.segmented_control(
            "Its tables",
            _WAYS,
            default=_WAYS[0],
            required=True,
            key=_WAY,
            persist_state="session",
            help="The arrows stay as they are. Learnt tables can be smoothed in every way; the "
            "table in use must have the columns of the network.",
        )
        target = _target(opened) if way == _WAYS[0] else 0
    if way == _WAYS[0]:
        _as_in_file(opened, target)
        return None
    try:
        return _learnt(opened)
    except ProbTreesError as problem:
        st.session_state[_REFUSED] = str(problem)
        st.rerun()


def _learnt(opened: Opened) -> NetworkBench:
    """Learn the tables of an opened network from the table in use."""
    source = current_source()
    data = source.read_beside_page()
    key = ("network", source.key, "given", opened.digest, DEFAULT_DISCRETIZER)

    def work(report: Report) -> GrownCounts:
        return learnt(*given_network(data, opened.network), report)

    return NetworkBench(result_of(key, work, title="Learning its tables", on_cancel=_close), key)


def _as_in_file(opened: Opened, target: int) -> None:
    """Show the network, ask it about its class, and show the table of the chosen column."""
    network, names = opened.network, opened.network.names
    key = ("opened", opened.digest, target)
    column = st.session_state.get(COLUMN, target)
    column = target if column >= len(names) else column
    asked = ask(key, lambda report: NetworkQuery([network], names[target]), names, column)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _picture(opened, asked, target, column)
    with right:
        of_column, of_class = st.columns(2)
        with of_column:
            of: Any = {"key": COLUMN, "table": opened.digest, "help": OR_CLICK, "proposed": target}
            named_choice("Column", range(len(names)), names.__getitem__, **of)
        with of_class:
            classes = network.variables[target].values
            usual = rarest_outcome(asked.query.prior)
            outcome = choose_outcome(classes, usual, (opened.digest, target))
        ask_panel(asked, outcome)
    st.markdown(f"**Table of {markdown_text(names[column])}**")
    frame = table_frame(network, column)
    show_table(frame.head(MOST_ROWS), "network.opened table", "The table as in the file")
    if len(frame) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} of {len(frame):,} contexts.")


def _target(opened: Opened) -> int:
    """Return the class: as the file says, else as chosen; at first the target of the table."""
    network, names = opened.network, opened.network.names
    if network.target is not None:
        return names.index(network.target)
    try:
        usual = current_source().read().schema.target.name
    except ProbTreesError:
        usual = ""
    return named_choice(
        "Class",
        range(len(names)),
        names.__getitem__,
        key=f"network.opened class of {opened.digest}",
        table=opened.digest,
        help=_CLASS_HELP,
        proposed=names.index(usual if usual in names else names[-1]),
    )


def _picture(opened: Opened, asked: Asked, target: int, column: int) -> None:
    network = opened.network
    nodes, arcs = [], []
    for child, parents in network.dag.parents.items():
        above = [network.names[parent] for parent in parents]
        words = f"{network.names[child]}\ndepends on {', '.join(above) or 'nothing'}"
        strength = None if child == target else 0.0
        node = PictureNode(child, network.names[child], strength=strength, words=words)
        nodes.append(with_values(node, asked))
        arcs += [
            PictureArc(parent, child, words=f"{name} → {network.names[child]}")
            for parent, name in zip(parents, above, strict=True)
        ]
    which, remark = f"{opened.digest} {target}", CLICK_VALUES.format("the file")
    draw_picture(NetworkPicture(nodes, arcs, (), target), column, which, remark, asked)


def table_frame(network: DenseNetwork, column: int) -> pd.DataFrame:
    """Lay the table of one column out: a row per context, a column per value."""
    table = network.tables[column]
    parents = [network.variables[parent] for parent in table.parents]
    rows = table.probs.reshape(-1, table.probs.shape[-1])
    places = np.indices(table.probs.shape[:-1]).reshape(len(parents), rows.shape[0])
    columns: dict[str, Any] = {
        f"{parent.name}": [parent.values[code] for code in codes]
        for parent, codes in zip(parents, places, strict=True)
    }
    add_values(columns, network.variables[column].values, rows)
    return pd.DataFrame(columns)
