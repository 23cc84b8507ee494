"""HGS paper, fig. 2 and 3 (thesis fig. 24 and 25): HGS, HDP and M-branch by size of the data.

Usage::

    python benchmarks/papers/hgs_figures.py benchmarks/results/hgs_tables.csv

The file is what ``hgs_tables.py`` measured. Both figures are printed as counts per group of
data sets, beside what the paper says about them; ``pictures.py`` draws them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from probtrees.cli.parser import align

HGS, M_BRANCH, HDP = "HGS weights 1, correct", "M-branch, correct", "HDP"
GROUPS = {"below 1,000 rows": (0, 1_000), "to 10,000": (1_000, 10_000), "more": (10_000, np.inf)}
PAPER_SIZES = (71, 52, 20)


def read(path: Path) -> pd.DataFrame:
    """Give a row per data set: its size, and RMSE and seconds of the three methods."""
    rows = pd.read_csv(path)
    rows = rows[rows["smoother"].isin([HGS, M_BRANCH, HDP])]
    wide = rows.pivot(index="dataset", columns="smoother", values=["rmse", "seconds_smooth"])
    wide["rows", ""] = rows.drop_duplicates("dataset").set_index("dataset")["rows"]
    return wide.dropna().sort_values(("rows", ""), ascending=False)


def figure_2(table: pd.DataFrame) -> None:
    """RMSE of HGS minus that of the others; below 0 HGS is better."""
    rmse = table["rmse"]
    rows = [["fig. 2", "data sets", "HGS better than M-branch", "than HDP", "HDP better than both"]]
    for name, (low, high) in GROUPS.items():
        group = rmse[(table["rows"] >= low) & (table["rows"] < high)]
        wins = [(group[HGS] < group[other]).sum() for other in (M_BRANCH, HDP)]
        best = (group[HDP] < group[[HGS, M_BRANCH]].min(axis=1)).sum()
        rows.append([name, *(str(n) for n in (len(group), *wins, best))])
    print("\n".join(align(rows)))
    spread = {other: (rmse[HGS] - rmse[other]).std() for other in (M_BRANCH, HDP)}
    print(
        f"\nstandard deviation of the difference: to M-branch {spread[M_BRANCH]:.4f}, "
        f"to HDP {spread[HDP]:.4f}\n"
        "Paper: more points where HGS is better; differences to HDP are more diffuse than those "
        "to M-branch; of the 20 data sets with more than 10,000 rows HDP is the best on 14.\n"
        "Ours shows 5 such data sets instead of 20, and an HDP that samples the posterior."
    )


def figure_3(table: pd.DataFrame) -> None:
    """Seconds of smoothing alone, all folds."""
    seconds = table["seconds_smooth"]
    rows = [["fig. 3", "data sets", "HGS faster than HDP", "median HDP / HGS", "M-branch / HGS"]]
    for name, (low, high) in GROUPS.items():
        group = seconds[(table["rows"] >= low) & (table["rows"] < high)]
        ratios = [(group[other] / group[HGS]).median() for other in (HDP, M_BRANCH)]
        faster = (group[HGS] < group[HDP]).sum()
        rows.append([name, str(len(group)), str(faster), *(f"{ratio:.1f}" for ratio in ratios)])
    print("\n" + "\n".join(align(rows)))
    print(
        "\nPaper: HGS is almost always faster than HDP; with growing included 5 times on average, "
        "and 9 times faster than M-branch. Ours are the seconds of smoothing alone: weights of 1 "
        "need no descent, our M-branch goes over the nodes once, HDP a thousand times."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, metavar="RESULTS.csv")
    given = parser.parse_args()
    table = read(given.results)
    print(f"{len(table)} data sets of 143 (in the paper {PAPER_SIZES} by size)\n")
    figure_2(table)
    figure_3(table)


if __name__ == "__main__":
    main()
