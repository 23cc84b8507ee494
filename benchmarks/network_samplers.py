"""Sampled answers beside pyAgrum's approximate engines, which are given more time.

Usage::

    python benchmarks/network_samplers.py DATA_DIR [--out benchmarks/results/network_samplers.csv]

KDB with k = 5 where a third of a row's columns is known, small enough to be worked out too.
Written is how far any probability of any column is off. pyAgrum's engines need tables that are
written out, say nothing about their error (loopy propagation cannot), and share none of the work
between classes.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

import numpy as np

from probtrees.experiment.fit import fit
from probtrees.experiment.model_spec import make_spec
from probtrees.explain import network_query
from probtrees.explain.network_answer import fits_of
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.networks.agrum import agrum, to_agrum
from probtrees.model.networks.safe_names import with_spare_values
from probtrees.table.read_table import read_table

DATA_SETS = ("credit-approval", "dermatology", "hepatitis", "house-votes-84")
MOST_SECONDS = 2.0
"""By the clock, for each of pyAgrum's engines: on an idle machine more than ours takes."""

ENGINES = (
    "WeightedSampling",
    "ImportanceSampling",
    "GibbsSampling",
    "LoopyWeightedSampling",
    "LoopyBeliefPropagation",
)


def compare(path: Path) -> list[dict[str, object]]:
    """Ask one network by every way."""
    data = read_table(path)
    query = NetworkQuery.of_model(fit(data, make_spec("kdb", {"k": 5}), "m-estimate"))
    if not query.networks:
        return []
    (network,) = query.networks
    known = {}
    for column in range(0, len(data.schema.features), 3):
        cell, values = data.values[7, column], query.variables[data.schema.names[column]].values
        if not np.isnan(cell) and data.schema.columns[column].categories is not None:
            known[data.schema.names[column]] = values[int(cell)]
    evidence = {
        network.numbers[name]: fits_of(network.variable(name), said) for name, said in known.items()
    }
    network_query.MOST_CLIQUE_CELLS = 2**22
    exact = query.ask(known)
    if not exact.is_exact:
        return []
    unknown = [name for name in network.names if name not in known]
    network_query.MOST_CLIQUE_CELLS = -1
    query.ask(known)  # compiles
    start = time.process_time()
    ours = query.ask(known)
    seconds = time.process_time() - start

    def off(found: dict[str, np.ndarray]) -> float:
        return max(
            float(np.abs(found[name][: len(exact.posteriors[name])] - exact.posteriors[name]).max())
            for name in unknown
        )

    shared = {"data": path.stem, "columns": data.schema.n_columns, "known": len(known)}
    lines = [shared | {"engine": "ours", "seconds": seconds, "off": off(dict(ours.posteriors))}]
    lines[0]["stated"] = ours.largest_error
    for name in ENGINES:
        net = to_agrum(with_spare_values(network))
        nodes = sorted(net.nodes())
        engine = getattr(agrum(), name)(net)
        for number, fits in evidence.items():
            engine.addEvidence(nodes[number], int(np.argmax(fits)))
        engine.setMaxTime(MOST_SECONDS)
        engine.setEpsilon(1e-6)
        start = time.process_time()
        engine.makeInference()
        found = [np.asarray(engine.posterior(node).toarray()) for node in nodes]
        spent = time.process_time() - start
        by_name = dict(zip(network.names, found, strict=True))
        lines.append(shared | {"engine": name, "seconds": spent, "off": off(by_name)})
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    lines = []
    for name in DATA_SETS:
        for line in compare(given.data / f"{name}.arff"):
            print(line, flush=True)
            lines.append(
                {key: f"{v:.4f}" if isinstance(v, float) else v for key, v in line.items()}
            )
    if given.out is not None:
        with given.out.open("w", newline="", encoding="utf-8") as file:
            names = ["data", "columns", "known", "engine", "seconds", "off", "stated"]
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
