"""Measure how often the intervals contain the truth, on simulated rows whose truth is known.

Usage::

    python benchmarks/check_intervals.py [--out FILE.csv] [--repeats SHARE] [--models MODEL ...]
        [--sizes ROWS ...] [--smoothers SMOOTHER ...]

Every simulated table has numeric and nominal columns and an outcome whose true probability
is a known function of them. A tree is grown from it (unpruned and uncollapsed, collapsed as by
default, or pruned), or a naive Bayes network, and every 90 % interval is compared with the truth:

- ``track record``: the true rate of fresh rows given a number in the interval's range, looked
  up at every leaf (at the numbers given to fresh rows for a network);
- ``leaf``, and of those ``small leaf`` (under 10 rows) and ``large leaf``: the leaf's true rate;
- ``rate``: the true rate of the 600 fresh rows whose numbers are nearest;
- ``spread given the tree``: HDP's own interval against the leaf's true rate.

FILE.csv (default benchmarks/results/intervals.csv) gets one line per scenario, number of rows,
model, smoother and interval: the number of tables, the share covered, its standard error over
tables, and the mean width.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.inner_models import with_track_record
from probtrees.model.model import Model
from probtrees.model.predict import predict_interval, predict_proba
from probtrees.model.routing import find_leaves
from probtrees.smooth.hdp import HDP
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.types import FloatArray

SMOOTHERS = ("mle", "laplace", "hgs", "m-branch", "hdp")
REPEATS = {300: 60, 1000: 40, 3000: 24, 10_000: 12}
MODELS = {
    "c45 unpruned": ("c45", {"options": {"collapse": False}}),
    "c45 default": ("c45", {}),
    "c45 pruned": ("c45", {"options": {"prune": "pessimistic"}}),
    "c45 soft": ("c45", {"routing": "soft"}),
    "nb": ("nb", {}),
}
FIRST_SEED = 2000
"""The intervals were worked out on tables of these scenarios with seeds below 60."""

LEAST_FRESH, FRESH_PER_ROW = 50_000, 50
"""Fresh rows: enough that even a leaf of two rows has its true rate measured, not guessed."""

SMALL = 10
NEAREST = 300
LETTERS = tuple("abcde")
MANY = tuple(f"v{number:02}" for number in range(40))


def _schema(n_numeric: int, **nominal: tuple[str, ...]) -> Schema:
    numeric = (Column(f"x{number}") for number in range(n_numeric))
    named = (Column(name, values) for name, values in nominal.items())
    return Schema((*numeric, *named, Column("outcome", ("no", "yes"))))


USUAL = _schema(4, a=LETTERS, b=LETTERS[:3], c=LETTERS[:4], d=LETTERS)
FIELDS = (
    "scenario",
    "rows",
    "model",
    "smoother",
    "interval",
    "tables",
    "covered",
    "error",
    "width",
)


def _logistic(score: FloatArray) -> FloatArray:
    return np.asarray(1 / (1 + np.exp(-score)))


class Scenario(NamedTuple):
    """Columns, and the true probability of the outcome as a function of them."""

    truth: Callable[[FloatArray], FloatArray]
    schema: Schema = USUAL


SCENARIOS = {
    "noise 30 %": Scenario(lambda x: np.full(len(x), 0.3)),
    "noise 2 %": Scenario(lambda x: np.full(len(x), 0.02)),
    "steps": Scenario(
        lambda x: np.where(
            x[:, 0] > 0.5, np.where(x[:, 4] >= 3, 0.85, 0.5), np.where(x[:, 1] > 0, 0.25, 0.06)
        )
    ),
    "smooth": Scenario(
        lambda x: _logistic(-0.7 + 1.1 * x[:, 0] - 0.8 * x[:, 1] + 0.4 * (x[:, 4] - 2))
    ),
    "rare smooth": Scenario(lambda x: _logistic(-4.2 + x[:, 0] + 0.5 * (x[:, 5] - 1))),
    "crossed": Scenario(
        lambda x: _logistic(-1 + 1.2 * np.sign(x[:, 0] * x[:, 1]) + 0.8 * (x[:, 6] == 2))
    ),
    "xor": Scenario(lambda x: np.where(x[:, 0] * x[:, 1] > 0, 0.8, 0.2), _schema(12)),
    "many values": Scenario(
        lambda x: _logistic(-1 + 1.5 * np.sin(7.0 * x[:, 3])), _schema(3, a=MANY, b=LETTERS)
    ),
    "one strong leaf": Scenario(
        lambda x: np.where((x[:, 0] > 1) & (x[:, 4] == 1), 0.9, 0.15),
    ),
}


def draw(random: np.random.Generator, n_rows: int, schema: Schema = USUAL) -> FloatArray:
    """Draw the columns of a table."""
    columns = schema.columns[:-1]
    numeric = random.normal(size=(n_rows, sum(not column.is_nominal for column in columns)))
    nominal = [random.integers(0, c.n_values, n_rows) for c in columns if c.is_nominal]
    return np.column_stack([numeric, *nominal])


Found = tuple[str, FloatArray, FloatArray]
"""An interval's name, whether each of its cases is covered, and their widths."""


def check_table(
    scenario: str, n_rows: int, seed: int, model: str, smoothers: tuple[str, ...]
) -> Iterator[tuple[str, Found]]:
    """Simulate one table and compare every interval with the truth."""
    truth, schema = SCENARIOS[scenario]
    random = np.random.default_rng([seed, n_rows, list(SCENARIOS).index(scenario)])
    x = draw(random, n_rows, schema)
    labels = random.random(n_rows) < truth(x)
    if labels.all() or not labels.any():
        return
    n_fresh = max(LEAST_FRESH, FRESH_PER_ROW * n_rows)
    fresh = draw(random, n_fresh, schema)
    learner, settings = MODELS[model]
    grown = grow_model(Dataset(schema, np.column_stack([x, labels])), learner, **settings)
    unknown = Dataset(schema, np.column_stack([fresh, np.full(n_fresh, np.nan)]))
    for name in smoothers:
        smoother = HDP(n_iterations=100) if name == "hdp" else name
        fitted = with_track_record(grown, grown.smooth(smoother))
        for found in _rows_and_record(fitted, unknown, truth(fresh)):
            yield name, found
        if model.startswith("c45") and "soft" not in model:
            for found in _leaves(fitted, grown, unknown, truth):
                yield name, found


def _rows_and_record(model: Model, fresh: Dataset, truth: FloatArray) -> Iterator[Found]:
    """Check the rates of fresh rows, and the track record, at the numbers they are given."""
    record = model.track_record
    assert record is not None
    given = predict_proba(model, fresh)[:, 1]
    is_tree = len(model.trees) == 1 and model.members[0].routing is None
    asked = model.tree.probs[model.tree.tree.leaves, 1] if is_tree else given[:200]
    order = np.argsort(given)
    ordered, sums = given[order], np.concatenate([[0.0], np.cumsum(truth[order])])
    at = np.arange(len(order))
    first, end = np.maximum(at - NEAREST, 0), np.minimum(at + NEAREST, len(order))
    near = (sums[end] - sums[first]) / (end - first)
    bounds = predict_interval(model, fresh, "rate")[order, 1]
    yield "rate", *_compare(bounds[:, 0], bounds[:, 1], near)
    lower, upper, rates = [], [], []
    for probability in asked.tolist():
        similar = record.lookup(probability, 1)
        first, end = np.searchsorted(ordered, [similar.low - 1e-12, similar.high + 1e-12])
        if end > first:
            lower.append(similar.lower)
            upper.append(similar.upper)
            rates.append((sums[end] - sums[first]) / (end - first))
    yield "track record", *_compare(np.array(lower), np.array(upper), np.array(rates))


def _leaves(
    model: Model, grown: GrownModel, fresh: Dataset, truth: Callable[[FloatArray], FloatArray]
) -> Iterator[Found]:
    """Check the intervals of leaves; one that no fresh row reaches is judged by its own rows."""
    smoothed = model.tree
    tree, record = smoothed.tree, model.track_record
    assert record is not None
    total, rate = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    for rows, weight in ((fresh, 1.0), (grown.data, 1e-9)):
        nodes = find_leaves(tree, rows.values, rows.schema.n_values).nodes
        total += weight * np.bincount(nodes, minlength=tree.n_nodes)
        rate += weight * np.bincount(nodes, truth(rows.values), tree.n_nodes)
    leaves = tree.leaves[total[tree.leaves] > 0]
    true = rate[leaves] / total[leaves]
    sizes = tree.arrays.weight[leaves]
    lower, upper = record.intervals(smoothed.probs[leaves, 1], sizes, 1)
    covered, width = _compare(lower, upper, true)
    small = sizes < SMALL
    yield "leaf", covered, width
    yield "small leaf", covered[small], width[small]
    yield "large leaf", covered[~small], width[~small]
    if smoothed.lower is not None and smoothed.upper is not None:
        ends = smoothed.lower[leaves, 1], smoothed.upper[leaves, 1]
        yield "spread given the tree", *_compare(*ends, true)


def _compare(
    lower: FloatArray, upper: FloatArray, truth: FloatArray
) -> tuple[FloatArray, FloatArray]:
    covered = (lower - 1e-9 <= truth) & (truth <= upper + 1e-9)
    return covered.astype(np.float64), upper - lower


def measure(
    scenario: str, n_rows: int, model: str, smoothers: tuple[str, ...], repeats: int
) -> list[dict[str, object]]:
    """Simulate many tables of one kind; every table weighs the same."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for seed in range(FIRST_SEED, FIRST_SEED + repeats):
        for smoother, (name, covered, width) in check_table(
            scenario, n_rows, seed, model, smoothers
        ):
            if len(covered):
                found[smoother, name].append((float(covered.mean()), float(width.mean())))
    lines = []
    for (smoother, name), each in found.items():
        shares, widths = np.array(each).T
        lines.append(
            {
                "scenario": scenario,
                "rows": n_rows,
                "model": model,
                "smoother": smoother,
                "interval": name,
                "tables": len(shares),
                "covered": round(float(shares.mean()), 4),
                "error": round(float(shares.std() / max(len(shares) - 1, 1) ** 0.5), 4),
                "width": round(float(widths.mean()), 4),
            }
        )
    return lines


def print_table(lines: list[dict[str, object]]) -> None:
    """Print coverage in percent: a line per interval, model, scenario and size."""
    cells = defaultdict(dict)
    for line in lines:
        key = tuple(line[name] for name in ("interval", "model", "scenario", "rows"))
        cells[key][line["smoother"]] = 100 * float(str(line["covered"]))
    print(f"{'interval, model, scenario, rows':58}" + "".join(f"{s:>10}" for s in SMOOTHERS))
    for key in sorted(cells, key=str):
        by = cells[key]
        shown = "".join(f"{by[s]:10.0f}" if s in by else " " * 10 for s in SMOOTHERS)
        print(f"{', '.join(str(part) for part in key):58}{shown}")
    print("\nmean over scenarios and sizes")
    for interval, model in sorted({key[:2] for key in cells}):
        chosen = [by for key, by in cells.items() if key[:2] == (interval, model)]
        means = [np.mean([by[s] for by in chosen if s in by] or [np.nan]) for s in SMOOTHERS]
        print(f"{interval + ', ' + model:58}" + "".join(f"{mean:10.1f}" for mean in means))


def main() -> int:
    parser = argparse.ArgumentParser()
    default = Path(__file__).parent / "results" / "intervals.csv"
    parser.add_argument("--out", type=Path, default=default)
    parser.add_argument("--repeats", type=float, default=1.0, help="times the usual tables")
    parser.add_argument("--models", nargs="*", default=list(MODELS), choices=list(MODELS))
    parser.add_argument(
        "--sizes", nargs="*", type=int, default=list(REPEATS), choices=list(REPEATS)
    )
    parser.add_argument("--smoothers", nargs="*", default=list(SMOOTHERS), choices=SMOOTHERS)
    args = parser.parse_args()
    lines: list[dict[str, object]] = []
    for model in args.models:
        one_tree = model.startswith("c45 ") and "soft" not in model
        smoothers = tuple(args.smoothers) if one_tree else ("hgs",)
        for scenario in SCENARIOS:
            for n_rows in args.sizes:
                n_tables = max(2, round(args.repeats * REPEATS[n_rows]))
                lines += measure(scenario, n_rows, model, smoothers, n_tables)
                print(model, scenario, n_rows, file=sys.stderr, flush=True)
    args.out.parent.mkdir(exist_ok=True)
    with args.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(lines)
    print_table(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
