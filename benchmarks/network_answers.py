"""Whether answers of networks are those of pyAgrum, and how long they take.

Usage::

    python benchmarks/network_answers.py DATA_DIR [--out benchmarks/results/network_answers.csv]

For 20 data sets and three networks each: rows of which nothing, two columns, or half of them are
known are asked about. Every posterior is compared with pyAgrum's on the exported BIF file (loaded
by pyAgrum itself) and on the tables handed over in memory; whole rows are compared with predict;
the BIF file is read and written again. Written are the largest differences, and the median of the
processor time from what is known to all posteriors.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from probtrees.experiment.fit import fit
from probtrees.experiment.model_spec import make_spec
from probtrees.explain.network_answer import Finding, fits_of
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.model import Model
from probtrees.model.networks.agrum import agrum, to_agrum
from probtrees.model.networks.bif import read_bif, write_bif
from probtrees.model.networks.dense_network import DenseNetwork
from probtrees.model.networks.safe_names import with_spare_values
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Dataset
from probtrees.table.read_table import read_table

DATA_SETS = (
    "appendicitis",
    "autos",
    "blogger",
    "breast-cancer-wisconsin",
    "bupa",
    "car-evaluation",
    "credit-approval",
    "dermatology",
    "echocardiogram",
    "ecoli",
    "fertility-diagnosis",
    "glass",
    "hayes-roth",
    "hepatitis",
    "house-votes-84",
    "iris",
    "new-thyroid",
    "statlog-heart",
    "wpbc",
    "zoo",
)
NETWORKS = {"nb": {}, "tan": {}, "kdb": {"k": 2}}
N_ROWS = 3
FIELDS = ("data", "columns", "network", "questions", "exact", "bif", "memory", "predict", "kept")


def finding(data: Dataset, row: int, column: int) -> Finding:
    """Return what a cell says."""
    cell, names = data.values[row, column], data.schema.columns[column].categories
    if np.isnan(cell):
        return None
    return float(cell) if names is None else names[int(cell)]


def questions(data: Dataset) -> list[tuple[int, dict[str, Finding]]]:
    """List rows of which nothing, two columns, half of them or all are known."""
    random = np.random.default_rng(0)
    n_columns = len(data.schema.features)
    found = []
    for row in random.choice(data.n_rows, N_ROWS, replace=False).tolist():
        for n_known in (0, 2, n_columns // 2, n_columns):
            known = random.permutation(n_columns)[:n_known].tolist()
            names = data.schema.names
            found.append((row, {names[at]: finding(data, row, at) for at in known}))
    return found


def posteriors(net: Any, evidence: Mapping[int, np.ndarray]) -> list[np.ndarray]:
    """Return what pyAgrum says about all variables, in the order they were declared."""
    nodes = sorted(net.nodes())
    engine = agrum().LazyPropagation(net)
    for number, fits in evidence.items():
        size = net.variable(nodes[number]).domainSize()
        engine.addEvidence(nodes[number], [*fits.tolist(), *[0.0] * (size - len(fits))])
    engine.makeInference()
    return [np.asarray(engine.posterior(node).toarray()) for node in nodes]


def apart(network: DenseNetwork, ours: Mapping[str, np.ndarray], theirs: list[np.ndarray]) -> float:
    """Return the largest difference of any probability, values that only a file has left out."""
    return max(
        float(np.abs(ours[name] - found[: len(ours[name])]).max())
        for name, found in zip(network.names, theirs, strict=True)
        if len(ours[name]) > 1
    )


def compare(data: Dataset, model: Model) -> tuple[dict[str, float | int], list[float]]:
    """Ask one network everything; return the largest differences, and the times."""
    query = NetworkQuery.of_model(model)
    (network,) = query.networks
    text = write_bif(network)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "network.bif"
        place.write_text(text, encoding="utf-8")
        loaded = agrum().loadBN(str(place))
    in_memory = to_agrum(with_spare_values(network))
    expected = predict_proba(model, data)
    largest = {"bif": 0.0, "memory": 0.0, "predict": 0.0}
    exact, times = 0, []
    asked = [each for each in questions(data) if can_be_asked(network, each[1])]
    for row, known in asked:
        start = time.process_time()
        answer = query.ask(known)
        times.append(time.process_time() - start)
        exact += answer.is_exact
        evidence = {
            network.numbers[name]: fits_of(network.variable(name), said)
            for name, said in known.items()
        }
        for kind, net in (("bif", loaded), ("memory", in_memory)):
            difference = apart(network, answer.posteriors, posteriors(net, evidence))
            largest[kind] = max(largest[kind], difference)
        if len(known) == len(data.schema.features):
            difference = float(np.abs(answer.target - expected[row]).max())
            largest["predict"] = max(largest["predict"], difference)
    kept = int(write_bif(read_bif(text)) == text)
    return {"questions": len(asked), "exact": exact, **largest, "kept": kept}, times


def can_be_asked(network: DenseNetwork, known: Mapping[str, Finding]) -> bool:
    """Whether "not recorded" is a value of all columns of which it is known."""
    return all(
        said is not None or network.variable(name).not_recorded for name, said in known.items()
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    lines = []
    for name in DATA_SETS:
        data = read_table(given.data / f"{name}.arff")
        for learner, options in NETWORKS.items():
            found, times = compare(data, fit(data, make_spec(learner, options), "m-estimate"))
            line = {"data": name, "columns": data.schema.n_columns, "network": learner, **found}
            print(line, f"{np.median(times):.3f} s", flush=True)
            lines.append(line | {"seconds": round(float(np.median(times)), 4)})
    if given.out is not None:
        with given.out.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [*FIELDS, "seconds"])
            writer.writeheader()
            writer.writerows(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
