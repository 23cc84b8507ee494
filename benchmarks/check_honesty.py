"""Check that what models say of themselves is true, on made-up tables whose truth is known.

    python benchmarks/check_honesty.py [--seeds 2] [--rows 300] [--models NAME ...] [--out FILE.csv]

Every learner of the registry is learnt from noise, an additive signal, a rare outcome and three
classes; each as a plain table, with weights of 1 to 3, with every row twice, with groups that share
a part of their chance, and in order of time. A line of the file (default
benchmarks/results/honesty.csv) has for one table:

- ``loss``: the Brier score of fresh rows, as a part of that of the true base rate; 1 on noise;
- ``record``: the share of fresh rows' forecasts at which the track record's interval holds the true
  rate of all fresh rows given such a number;
- ``leaf``, ``rate``, ``row`` and their widths: the share of 90 % intervals of each kind that hold
  the true rate of the leaf, of the 300 fresh rows given the nearest numbers, of the row itself;
- ``seconds`` to learn it, its record included.

Lines are added as soon as they are measured; those that are there are not measured again.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from probtrees.errors import ProbTreesError
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import with_track_record
from probtrees.experiment.registry import LEARNERS
from probtrees.model.model import Model
from probtrees.model.predict import leaves_of_member, predict_interval, predict_proba
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.types import FloatArray

TRUTHS = ("noise", "signal", "rare", "three classes")
TABLES = ("plain", "weights", "copies", "groups", "time")
SMOOTHERS = {"c45": ("laplace", "hgs", "shrinkage", "blend"), "nb": ("laplace", "hgs")}
"""Smoothers of learners that take one; the others are smoothed by HGS."""
MODELS = tuple(
    f"{learner} {smoother}" for learner in LEARNERS for smoother in SMOOTHERS.get(learner, ("hgs",))
)
FIGURES = ("loss", "record", "leaf", "leaf_width", "rate", "rate_width", "row", "row_width")
COLUMNS = ("model", "truth", "table", "seed", "rows", *FIGURES, "seconds")
N_NUMBERS, N_FRESH, N_NEAREST, N_ASKED, GROUP = 6, 6000, 300, 400, 5
NODES, SHARES = np.polynomial.hermite_e.hermegauss(15)


def made_up(truth: str, n_rows: int, random: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Draw columns, and the log-odds of every class."""
    x, kind = random.normal(size=(n_rows, N_NUMBERS)), random.integers(0, 4, n_rows)
    signal = 1.2 * np.tanh(2 * x[:, 0]) + 0.7 * x[:, 1] + np.array([-0.8, 0.0, 0.0, 0.8])[kind]
    score = {"noise": 0 * signal - 0.8, "signal": signal - 0.5, "rare": 0.8 * signal - 4}
    other = [np.where(x[:, 2] > 0, 1.0, -1.0)] if truth == "three classes" else []
    scores = [np.zeros(n_rows), score.get(truth, signal), *other]
    return np.column_stack([x, kind]), np.column_stack(scores)


def softmax(scores: FloatArray) -> FloatArray:
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))


def draw(truth: str, table: str, n_rows: int, seed: int) -> tuple[Dataset, FloatArray]:
    """Draw a table, and the true chances of its rows; of groups those of a group not yet met."""
    random = np.random.default_rng([seed, n_rows, TRUTHS.index(truth)])
    columns, scores = made_up(truth, n_rows, random)
    chances = softmax(scores)
    groups = None
    if table == "groups":
        groups = np.arange(n_rows) // GROUP
        own = random.normal(size=n_rows)[groups]
        last = np.eye(scores.shape[1])[1]
        by_group = [softmax(scores + node * last) for node in NODES]
        chances = np.tensordot(SHARES / SHARES.sum(), by_group, 1)
        drawn = softmax(scores + own[:, None] * last)
    else:
        drawn = chances
    labels = (random.random(n_rows)[:, None] > drawn.cumsum(axis=1)[:, :-1]).sum(axis=1)
    names = [Column(f"x{number}") for number in range(N_NUMBERS)]
    classes = ("no", "yes", "other")[: scores.shape[1]]
    schema = Schema((*names, Column("kind", tuple("abcd")), Column("y", classes)))
    data = Dataset(schema, np.column_stack([columns, labels]), groups=groups)
    if table == "weights":
        data = replace(data, weights=random.integers(1, 4, n_rows).astype(np.float64))
    if table == "time":
        data = replace(data, times=np.arange(n_rows, dtype=np.float64))
    return (data.take(np.tile(np.arange(n_rows), 2)) if table == "copies" else data), chances


def measure(model: str, truth: str, table: str, seed: int, n_rows: int) -> dict[str, object]:
    """Learn from one table and hold what is said against the truth of fresh rows."""
    data, _ = draw(truth, table, n_rows, seed)
    fresh, chances = draw(truth, "groups" if table == "groups" else "plain", N_FRESH, 1000 + seed)
    learner, smoother = model.split()
    start = time.process_time()
    grown = grow_model(data, learner, seed=seed)
    fitted = with_track_record(grown, grown.smooth(smoother))
    seconds = time.process_time() - start
    given = predict_proba(fitted, fresh)
    loss = ((given - chances) ** 2).sum(axis=1) + (chances * (1 - chances)).sum(axis=1)
    rates = chances.mean(axis=0)
    found: dict[str, object] = {
        "loss": loss.mean() / (rates * (1 - rates)).sum(),
        "record": record_holds(fitted, given[:, 1], chances[:, 1]),
        **intervals_hold(fitted, fresh, given[:, 1], chances[:, 1]),
    }
    shown = {name: f"{value:.4f}" for name, value in found.items() if np.isfinite(value)}
    place = {"model": model, "truth": truth, "table": table, "seed": seed, "rows": n_rows}
    return {**place, **shown, "seconds": f"{seconds:.2f}"}


def record_holds(model: Model, given: FloatArray, true: FloatArray) -> float:
    """Return the share of forecasts at which the track record holds the true rate."""
    assert model.track_record is not None
    held = []
    for forecast in np.quantile(given, np.linspace(0.025, 0.975, 20)).tolist():
        similar = model.track_record.lookup(forecast, outcome=1)
        inside = (given >= similar.low - 1e-12) & (given <= similar.high + 1e-12)
        if inside.any():
            held.append(similar.lower - 1e-9 <= true[inside].mean() <= similar.upper + 1e-9)
    return float(np.mean(held)) if held else np.nan


def intervals_hold(
    model: Model, fresh: Dataset, given: FloatArray, true: FloatArray
) -> dict[str, float]:
    """Return the share of intervals of each kind that hold the truth, and their mean width."""
    found = {}
    order = np.argsort(given, kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(true[order])])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    first = np.clip(place - N_NEAREST // 2, 0, len(order) - N_NEAREST)
    truths = {"rate": (sums[first + N_NEAREST] - sums[first]) / N_NEAREST, "row": true}
    asked = np.arange(N_ASKED)
    if model.kind == "tree" and model.members[0].routing is None:
        nodes = leaves_of_member(model.members[0], fresh, None).nodes
        _, asked_leaves, leaf = np.unique(nodes, return_index=True, return_inverse=True)
        truths["leaf"] = (np.bincount(leaf, true) / np.bincount(leaf))[leaf]
    for kind, truth in truths.items():
        rows = asked_leaves if kind == "leaf" else asked
        try:
            low, high = predict_interval(model, fresh.take(rows), kind)[:, 1].T  # type: ignore[arg-type]
        except ProbTreesError:  # a kind that this model cannot give
            continue
        found[kind] = np.mean((low - 1e-9 <= truth[rows]) & (truth[rows] <= high + 1e-9))
        found[f"{kind}_width"] = np.mean(high - low)
    return found


def summary(lines: Sequence[dict[str, str]], by: str = "model") -> list[list[str]]:
    """Average the lines; the table of docs/evaluation.md is made of it."""
    rows = [[by, "fresh loss on noise", *FIGURES[1:], "seconds"]]
    for name in dict.fromkeys(line[by] for line in lines):
        own = [line for line in lines if line[by] == name]
        noise = [float(line["loss"]) for line in own if line["truth"] == "noise"]
        cells = [f"{np.mean(noise):.3f}" if noise else "-"]
        for figure in (*FIGURES[1:], "seconds"):
            values = [float(line[figure]) for line in own if line.get(figure)]
            cells.append(f"{np.mean(values):.2f}".lstrip("0") if values else "-")
        rows.append([name, *cells])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--models", nargs="*", default=MODELS)
    parser.add_argument("--truths", nargs="*", default=TRUTHS)
    parser.add_argument("--tables", nargs="*", default=TABLES)
    default = Path(__file__).parent / "results" / "honesty.csv"
    parser.add_argument("--out", type=Path, default=default)
    args = parser.parse_args()
    lines = list(csv.DictReader(args.out.open())) if args.out.exists() else []
    known = {tuple(line[name] for name in COLUMNS[:5]) for line in lines}
    with args.out.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if not lines:
            writer.writeheader()
        for seed, *what in product(range(args.seeds), args.tables, args.truths, args.models):
            table, truth, model = what
            if (model, truth, table, str(seed), str(args.rows)) in known:
                continue
            line = measure(model, truth, table, seed, args.rows)
            writer.writerow(line)
            file.flush()
            lines.append({name: str(value) for name, value in line.items()})
    for by in ("model", "truth", "table"):
        print("\n".join("  ".join(f"{cell:>16}" for cell in row) for row in summary(lines, by)))


if __name__ == "__main__":
    main()
