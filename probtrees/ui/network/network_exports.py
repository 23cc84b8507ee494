"""What can be taken away from the Network page: report, picture, tables, model, code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import Any, Literal
from zipfile import ZIP_DEFLATED, ZipFile

import pandas as pd
import streamlit as st

from probtrees.draw.escape import csv_text
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.rule import outcome_names, rule_text
from probtrees.model.model import Model
from probtrees.model.networks.dense_network import (
    MOST_CELLS,
    DenseNetwork,
    dense_network,
    n_cells,
)
from probtrees.model.networks.network_file import (
    NETWORK_FORMATS,
    SIDECAR_SUFFIX,
    NetworkFormat,
    sidecar_text,
)
from probtrees.report.masking import Mask
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_page import COLUMN
from probtrees.ui.network.network_picture import picture_dot
from probtrees.ui.shared.exports import (
    MODEL,
    Export,
    ExportTab,
    Recipe,
    ask_mask,
    picture_exports,
    show_recipe,
)
from probtrees.ui.shared.forms import named_choice
from probtrees.ui.shared.loaded_model import choose_model_file
from probtrees.ui.shared.quality import final_model
from probtrees.ui.shared.score_file import scores_tab
from probtrees.ui.shared.smoother_options import current_calibration
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import smooth_all

_PATIENCE = 60.0
"""Seconds that a report waits for numbers that are still being computed."""


@dataclass(frozen=True)
class NetworkOnShow:
    """The network on show, one member of it, and how it is smoothed."""

    bench: NetworkBench
    member: int
    smoother: str

    @property
    def model(self) -> Model:
        """The smoothed model."""
        return self.bench.smooth(self.smoother)

    @property
    def final(self) -> Model:
        """The model that is saved and scores files, with its last step if there is one."""
        return final_model(self.bench, self.smoother, self.model)


def _ask_report(shown: NetworkOnShow) -> Callable[[], str]:
    """Ask what the report is to hold; it waits for every smoother of the table on show."""
    st.caption(
        "One HTML file that works offline: the picture, the parents of every attribute, the table "
        "on show by every smoother, and where the numbers come from."
    )
    smallest = ask_mask("network.report.mask")
    column = st.session_state.get(COLUMN)
    jobs = {}
    if column in shown.bench.dag(shown.member).columns:
        jobs = smooth_all(shown.bench.table(shown.member, column))
    model = shown.model
    request = ReportRequest(column=column, mask=Mask(smallest), member=shown.member)

    def write() -> str:
        others = {
            SMOOTHERS[name].label: job.result.tree
            for name, job in jobs.items()
            if job.finished.wait(_PATIENCE) and job.error is None
        }
        return model_report(model, others, request)

    return write


REPORT: Export[Callable[[], str]] = Export(
    "report.html", "Report (HTML)", lambda write: write(), icon=":material/description:"
)


def _ask_picture(shown: NetworkOnShow) -> Callable[[], str]:
    dot = picture_dot(shown.bench, shown.member, None)
    return lambda: dot


TABLES: Export[tuple[Model, int]] = Export(
    "tables.csv",
    "Tables (CSV)",
    lambda asked: tables_csv(*asked),
    help="One line per table, context and value: counts, and the smoothed probability.",
)


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
    averaging: Literal["posterior", "joint"] = "posterior"

    def one_network(self, *, format: NetworkFormat) -> bytes:
        """Write the network on show."""
        return format.write(self.write(self.number))

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


def averaging_rule(n_networks: int, averaging: Literal["posterior", "joint"]) -> str:
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


NETWORK_FILES: tuple[Export[NetworkFiles], ...] = (
    *(
        Export(
            f"network{format.suffixes[0]}",
            format.label,
            partial(NetworkFiles.one_network, format=format),
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


def _ask_network(shown: NetworkOnShow) -> NetworkFiles:
    """Say what would be too large to be written, or is not the whole, before it is asked for."""
    model, member = shown.model, shown.member
    cells = [n_cells(model, number) for number in range(len(model.members))]
    if cells[member] > MOST_CELLS:
        st.warning(
            f"Written out, the tables of this network would have {cells[member]:,} cells, and "
            f"files of other programs at most {MOST_CELLS:,}. A smaller k or fewer intervals "
            "(*Options*) make them smaller; *Model* saves the network as it is."
        )
    elif len(cells) > 1:
        st.warning(
            f"A file holds one network, here number {member + 1} of {len(cells)}: its answers are "
            "not those of all, since no such format can average networks. *Every network* has each "
            "of them and how to average them, *Model* all in one."
        )
    files = NetworkFiles(
        lambda number: dense_network(model, number),
        member,
        len(cells),
        is_offered=cells[member] <= MOST_CELLS,
        is_all_offered=len(cells) > 1 and sum(cells) <= MOST_CELLS,
        averaging=model.averaging,
    )
    if not files.is_all_offered:
        return files
    format = named_choice(
        "Every network as",
        range(len(NETWORK_FORMATS)),
        lambda number: NETWORK_FORMATS[number].label,
        key="network.export.format",
        table="formats",
        help="The format of the files in the ZIP.",
    )
    return replace(files, format=NETWORK_FORMATS[format])


def _network_remark(_: NetworkFiles) -> None:
    st.caption(
        "Every context written out: XDSL for GeNIe, NET for Hugin and Netica, BIF and XMLBIF for "
        "pgmpy and bnlearn, all of them for pyAgrum. Names and values are identifiers that every "
        "program reads; the true ones are in properties (BIF, XMLBIF), in labels of the nodes and "
        "comments (XDSL, NET), and in the names file, which UAI needs."
    )


def _ask_model(shown: NetworkOnShow) -> Callable[[], Model]:
    model = shown.final
    return lambda: model


def _model_remark(_: Callable[[], Model]) -> None:
    st.caption(
        "It holds the counts of every table, not the rows. Use it with probtrees predict "
        "model.json NEW.csv, or probtrees.load_model."
    )
    choose_model_file("network.export.model", "network")


def _show_code(shown: NetworkOnShow) -> None:
    """Show what makes the same network; a loaded one can only be used, not made again."""
    bench = shown.bench
    if bench.rows is None:
        st.code("probtrees predict model.json NEW.csv --out probabilities.csv", language="bash")
        st.caption("What learns the network again would need the table, which is not here.")
        return
    _, _, learner, options, method = bench.key[:5]
    if learner == "given":
        st.code(
            f"probtrees grow DATA --structure network.bif --smoother {shown.smoother} "
            f"--discretize {method} --out model.json",
            language="bash",
        )
        return
    target = bench.schema.target.name
    show_recipe(
        Recipe(
            current_source(),
            target,
            learner,
            options,
            smoother=shown.smoother,
            calibrate=current_calibration(),
            discretizer=method,
            cutting=bench.key[5] if len(bench.key) > 5 and bench.key[5] != "part" else (),
        )
    )
    if "part" in bench.key:
        st.caption("The code lets rows left out choose the attributes; you chose others.")


def tables_csv(model: Model, member: int) -> str:
    """Write every table of one network as CSV, text that a spreadsheet would run made harmless."""
    found = model.members[member]
    schema = model.schema if found.cuts is None else found.cuts.apply_to_schema(model.schema)
    lines = []
    for smoothed in found.trees:
        tree = smoothed.tree
        column = csv_text(schema.columns[tree.target].name)
        values = [csv_text(name) for name in outcome_names(tree, schema)]
        for node in tree.leaves.tolist():
            context = csv_text(rule_text(tree, schema, node))
            for k, value in enumerate(values):
                count = float(tree.arrays.counts[node, k])
                lines.append((column, context, value, count, float(smoothed.probs[node, k])))
    names = ["column", "context", "value", "rows", "probability"]
    return str(pd.DataFrame(lines, columns=names).to_csv(index=False))


OPENED_EXPORTS: tuple[ExportTab[Any], ...] = (
    ExportTab(
        "Other programs",
        lambda opened: NetworkFiles(lambda _: opened.network),
        NETWORK_FILES,
        _network_remark,
    ),
)
"""What can be taken away from a network of another program."""

NETWORK_EXPORTS: tuple[ExportTab[Any], ...] = (
    ExportTab("Report", _ask_report, (REPORT,)),
    ExportTab("Picture", _ask_picture, picture_exports("network")),
    ExportTab("Tables", lambda shown: (shown.model, shown.member), (TABLES,)),
    ExportTab("Model", _ask_model, (MODEL,), _model_remark),
    ExportTab("Other programs", _ask_network, NETWORK_FILES, _network_remark),
    ExportTab("Code", _show_code),
    scores_tab(lambda shown: shown.final),
)
