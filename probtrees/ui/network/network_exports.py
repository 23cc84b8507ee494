"""What can be taken away from the Network page: report, picture, tables, model, code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from probtrees.draw.escape import csv_text
from probtrees.draw.network import network_dot
from probtrees.explain.rule import outcome_names, rule_text
from probtrees.model.model import Model
from probtrees.model.networks.dense_network import MOST_CELLS, DenseNetwork, dense_network, n_cells
from probtrees.model.networks.network_file import NETWORK_FORMATS, NetworkFormat, sidecar_text
from probtrees.report.masking import Mask
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_controls import current_column
from probtrees.ui.network.network_picture import DRAWN
from probtrees.ui.shared.exports import (
    Export,
    ExportTab,
    Recipe,
    ask_mask,
    picture_exports,
    show_recipe,
)
from probtrees.ui.shared.score_file import scores_tab
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import smooth_all
from probtrees.ui.tree.report_export import REPORT, trees_by_label
from probtrees.ui.tree.tree_exports import model_tab


@dataclass(frozen=True)
class NetworkOnShow:
    """The network on show, one member of it, and how it is smoothed."""

    bench: NetworkBench
    member: int
    smoother: str

    @property
    def model(self) -> Model:
        """The smoothed model."""
        return self.bench.model(self.smoother)


def _ask_report(shown: NetworkOnShow) -> Callable[[], str]:
    """Ask what the report is to hold; it waits for every smoother of the table on show."""
    st.caption(
        "One HTML file that works offline: the picture, the parents of every attribute, the table "
        "on show by every smoother, and where the numbers come from."
    )
    smallest = ask_mask("network.report.mask")
    column, model = current_column(shown.bench, shown.member), shown.model
    asked = smooth_all(shown.bench.table(shown.member, column))
    request = ReportRequest(column=column, mask=Mask(smallest), member=shown.member)
    return lambda: model_report(model, trees_by_label(asked), request)


def _ask_picture(_: NetworkOnShow) -> Callable[[], str]:
    return partial(network_dot, st.session_state[DRAWN])


TABLES: Export[tuple[Model, int]] = Export(
    "tables.csv",
    "Tables (CSV)",
    lambda asked: tables_csv(*asked),
    help="One line per table, context and value: counts, and the smoothed probability.",
)


@dataclass(frozen=True)
class NetworkFiles:
    """A network that files of other programs are written from, when one is asked for.

    Attributes
    ----------
    write : writes its tables out
    cells : how many cells they would have
    """

    write: Callable[[], DenseNetwork]
    cells: int = 0

    @property
    def is_offered(self) -> bool:
        """Whether the network on show can be written."""
        return self.cells <= MOST_CELLS


def _write_as(format: NetworkFormat, network: NetworkFiles) -> bytes:
    return format.write(network.write())


NETWORK_FILES: tuple[Export[NetworkFiles], ...] = (
    *(
        Export(
            f"network{format.suffixes[0]}",
            format.label,
            partial(_write_as, format),
            help=f"Numbers of {format.digits} digits.",
            is_offered=lambda network: network.is_offered,
        )
        for format in NETWORK_FORMATS
    ),
    Export(
        "network.names.json",
        "Names (JSON)",
        lambda network: sidecar_text(network.write()),
        help="The true names, values and cuts that go with the files.",
        is_offered=lambda network: network.is_offered,
    ),
)


def _ask_network(shown: NetworkOnShow) -> NetworkFiles:
    """Say what would be too large to be written, or is not the whole, before it is asked for."""
    model, member = shown.model, shown.member
    cells, n_members = n_cells(model, member), len(model.members)
    if cells > MOST_CELLS:
        st.warning(
            f"Written out, the tables of this network would have {cells:,} cells, and "
            f"files of other programs at most {MOST_CELLS:,}. A smaller k or fewer intervals "
            "(*Options*) make them smaller; *Model* saves the network as it is."
        )
    elif n_members > 1:
        st.warning(
            f"A file holds one network, here number {member + 1} of {n_members}: its answers are "
            "not those of all, since no such format can average networks; *Model* has them all."
        )
    return NetworkFiles(partial(dense_network, model, member), cells)


def _network_remark(_: NetworkFiles) -> None:
    st.caption(
        "Every context written out: XDSL for GeNIe, NET for Hugin and Netica, BIF and XMLBIF for "
        "pgmpy and bnlearn, all of them for pyAgrum. Names and values are identifiers that every "
        "program reads; the true ones are in properties (BIF, XMLBIF), in labels of the nodes and "
        "comments (XDSL, NET), and in the names file, which UAI needs."
    )


def _ask_model(shown: NetworkOnShow) -> Callable[[], Model]:
    model = shown.model
    return lambda: model


def _show_code(shown: NetworkOnShow) -> None:
    """Show what makes the same network; a loaded one can only be used, not made again."""
    bench = shown.bench
    command = ""
    if bench.counts.rows is None:
        command = "probtrees predict model.json NEW.csv --out probabilities.csv"
    elif bench.key[2] == "given":
        command = (
            f"probtrees grow DATA --structure network.bif --smoother {shown.smoother} "
            f"--discretize {bench.key[4]} --out model.json"
        )
    if command:
        st.code(command, language="bash")
        return
    _, _, learner, options, method, cutting = bench.key[:6]
    show_recipe(
        Recipe(
            current_source(),
            bench.schema.target.name,
            learner,
            options,
            smoother=shown.smoother,
            discretizer=method,
            cutting=cutting,
        )
    )


def tables_csv(model: Model, member: int) -> str:
    """Write every table of one network as CSV, text that a spreadsheet would run made harmless."""
    found = model.members[member]
    schema = model.schema if found.cuts is None else found.cuts.apply_to_schema(model.schema)
    lines = [
        (
            csv_text(schema.columns[smoothed.tree.target].name),
            csv_text(rule_text(smoothed.tree, schema, node)),
            csv_text(value),
            float(smoothed.tree.arrays.counts[node, k]),
            float(smoothed.probs[node, k]),
        )
        for smoothed in found.trees
        for node in smoothed.tree.leaves.tolist()
        for k, value in enumerate(outcome_names(smoothed.tree, schema))
    ]
    names = ["column", "context", "value", "rows", "probability"]
    return str(pd.DataFrame(lines, columns=names).to_csv(index=False))


OPENED_EXPORTS: tuple[ExportTab[Any], ...] = (
    ExportTab(
        "Other programs",
        lambda opened: NetworkFiles(lambda: opened.network),
        NETWORK_FILES,
        _network_remark,
    ),
)
"""What can be taken away from a network of another program."""

NETWORK_EXPORTS: tuple[ExportTab[Any], ...] = (
    ExportTab("Report", _ask_report, (REPORT,)),
    ExportTab("Picture", _ask_picture, picture_exports("network")),
    ExportTab("Tables", lambda shown: (shown.model, shown.member), (TABLES,)),
    model_tab(_ask_model, "network"),
    ExportTab("Other programs", _ask_network, NETWORK_FILES, _network_remark),
    ExportTab("Code", _show_code),
    scores_tab(lambda shown: (shown.model, None)),
)
