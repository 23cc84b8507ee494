"""Draw the pictures of docs/results.md from the figures in benchmarks/results.

Usage: python benchmarks/papers/pictures.py [RESULTS_DIR] [PICTURES_DIR]
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from hgs_figures import HDP, HGS, M_BRANCH
from hgs_figures import read as read_by_size
from svg_chart import Chart

from probtrees.draw.charts.critical_difference import critical_difference_svg
from probtrees.score.significance import compare_methods

ROWS = (100, 1_000, 10_000)
SMOOTHERS = {
    "mle": "raw frequencies",
    "laplace": "Laplace",
    "m-branch": "M-branch",
    "hgs-published": "HGS as published",
    "hgs": "HGS, honest weight",
    "shrinkage": "shrinkage",
    "blend": "blend",
    "hgs, soft": "HGS, soft routing",
    "blend, soft": "blend, soft routing",
    "forest of 10": "forest of 10 trees",
}


def ranks(results: Path) -> str:
    """Average ranks of the smoothers over the data sets."""
    rows = pd.read_csv(results / "smoothers.csv")
    table = rows.pivot(index="name", columns="method", values="rmse")[list(SMOOTHERS)]
    found = compare_methods(list(SMOOTHERS.values()), table.to_numpy())
    ranks, width = found.ranks.average_ranks, found.critical_difference
    return critical_difference_svg(found.names, ranks, width, theme="light")


def one_step(results: Path) -> str:
    """HGS minimised to the end, and with an honest weight, against one step."""
    rows = pd.read_csv(results / "hgs_convergence.csv")
    table = rows.pivot_table(index="dataset", columns="smoother", values="rmse")
    first = table["one step, as published"]
    chart = Chart(
        "RMSE of HGS minimised to the end, and with one honest weight, minus one step as published",
        ("RMSE with one step, as published", "RMSE minus that (below 0: better)"),
        (0.0, 0.6),
        (-0.05, 0.08),
        x_marks=(0.1, 0.2, 0.3, 0.4, 0.5),
    )
    chart.level(0.0)
    for name, words in (
        ("to the end, no prior", "minimised to the end"),
        ("one weight, held-out rows", "one weight, chosen on held-out rows"),
    ):
        chart.points(words, first.tolist(), (table[name] - first).tolist(), list(table.index))
    return chart.render()


def by_size(results: Path) -> str:
    """HGS paper, fig. 2."""
    table = read_by_size(results / "hgs_tables.csv")
    chart = Chart(
        "RMSE of HGS minus that of M-branch and of HDP, by rows of the data set",
        ("rows of the data set", "HGS minus the other (below 0: HGS better)"),
        (80, 25_000),
        (-0.05, 0.05),
        x_marks=ROWS,
        log_x=True,
    )
    chart.level(0.0)
    sizes = table["rows", ""]
    for name, words in ((M_BRANCH, "M-branch"), (HDP, "HDP")):
        gap = table["rmse", HGS] - table["rmse", name]
        chart.points(f"against {words}", sizes.tolist(), gap.tolist(), list(table.index))
    return chart.render()


def forests(results: Path) -> str:
    """HGS paper, fig. 4."""
    rows = pd.read_csv(results / "forest_sizes.csv")
    table = rows[rows["smoother"].notna()].pivot_table(
        index="dataset", columns="smoother", values="rmse"
    )
    means = table.dropna().mean()
    sizes = (1, 3, 5, 7, 10)
    lines = {
        words: [means[f"forest of {size}, {kind}"] for size in sizes]
        for kind, words in (("raw", "forest, raw frequencies"), ("HGS", "forest, HGS"))
    }
    levels = {words: means[words] for words in ("one tree, HGS", "one tree, blend")}
    values = [*itertools.chain.from_iterable(lines.values()), *levels.values()]
    chart = Chart(
        "Mean RMSE of forests by number of trees, raw and with HGS, beside one smoothed tree",
        ("trees", f"mean RMSE, {len(table.dropna())} data sets"),
        (0.5, 10.5),
        (min(values) - 0.005, max(values) + 0.005),
        x_marks=sizes,
    )
    for words, value in levels.items():
        chart.level(value, words, at_left=False)
    for words, ys in lines.items():
        chart.line(words, sizes, ys)
    return chart.render()


def learning(results: Path, dataset: str = "bank-marketing-full") -> str:
    """HDP paper, fig. 6, on another data set."""
    rows = pd.read_csv(results / "hdp_learning_curves.csv")
    rows = rows[rows["dataset"] == dataset]
    chart = Chart(
        f"RMSE on {dataset} by number of training rows, TAN and SKDB with HDP and m-estimate",
        (f"training rows, {dataset}", "RMSE"),
        (rows["training_rows"].min() * 0.9, rows["training_rows"].max() * 1.1),
        (rows["rmse"].min() - 0.005, rows["rmse"].max() + 0.005),
        x_marks=[n for n in (10, *ROWS) if n >= rows["training_rows"].min()],
        log_x=True,
    )
    for (learner, smoother), part in rows.groupby(["learner", "smoother"]):
        chart.line(f"{learner}, {smoother}", part["training_rows"].tolist(), part["rmse"].tolist())
    return chart.render()


PICTURES: dict[str, tuple[str, Callable[[Path], str]]] = {
    "ranks.svg": ("smoothers.csv", ranks),
    "one_step.svg": ("hgs_convergence.csv", one_step),
    "by_size.svg": ("hgs_tables.csv", by_size),
    "forests.svg": ("forest_sizes.csv", forests),
    "learning.svg": ("hdp_learning_curves.csv", learning),
}


def main() -> None:
    root = Path(__file__).resolve().parents[2]
    given = [Path(text) for text in sys.argv[1:]]
    results = given[0] if given else root / "benchmarks" / "results"
    folder = given[1] if len(given) > 1 else root / "docs" / "images"
    for name, (needed, draw) in PICTURES.items():
        if (results / needed).exists():
            (folder / name).write_text(draw(results), encoding="utf-8")
            print(folder / name)
        else:
            print(f"{name} needs {results / needed}")


if __name__ == "__main__":
    main()
