"""SuperParent paper, tables 2 to 6: CLL-SP against NB, TAN, SP and AUC-SP by log likelihood.

Usage::

    python benchmarks/papers/super_parent_tables.py DATA_DIR [NAME ...] [--repeats 1] [--out FILE]

Laplace's estimate, numbers cut into ten intervals of equal width, 10 folds. The paper repeats
this 10 times and fills missing values in; here they are a value of their own. FILE keeps
the log likelihood of every test fold; a run goes on where the last one stopped.

Printed: table 2, the mean over folds of the conditional log likelihood (CLL) of the test rows
in bits, ours (paper's); table 3, how often the column has the higher CLL than the row, and how
often significantly by the corrected t-test of Nadeau & Bengio; table 4, what that adds up to;
table 5, average ranks; table 6, which pairs differ by Bergmann & Hommel. The exit code is 1
unless CLL-SP ranks first and beats NB and SP.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from probtrees.cli.parser import align
from probtrees.experiment.evaluation.benchmark import ResultLog
from probtrees.experiment.fit import fit
from probtrees.model.predict import predict_proba
from probtrees.score.paired_test import corrected_t_test, win_draw_loss
from probtrees.score.rank_test import (
    friedman,
    pairs,
    pairwise_p_values,
    rank_differences,
)
from probtrees.table.folds import FoldPlan
from probtrees.table.read_table import read_table

FloatArray = NDArray[np.float64]

MODELS = ("cll-sp", "nb", "tan", "sp", "auc-sp")
N_FOLDS = 10
LEVEL = 0.05
COLUMNS = ("dataset", "repeat", "fold", *MODELS, "settings")

PAPER = {
    "annealing": (-30.5, -34.0, -34.7, -32.3, -29.1),
    "audiology": (-73.2, -95.1, -119.5, -94.7, -84.2),
    "autos": (-29.7, -65.6, -51.0, -45.6, -30.4),
    "breast-cancer-wisconsin": (-12.7, -26.4, -13.9, -23.8, -13.3),
    "horse-colic": (-34.6, -44.2, -35.3, -41.7, -39.5),
    "credit-approval": (-37.9, -41.5, -44.0, -41.4, -39.9),
    "german": (-80.2, -76.2, -84.8, -77.1, -81.2),
    "glass": (-35.8, -34.7, -39.3, -35.2, -35.0),
    "hungarian": (-18.9, -19.5, -20.3, -19.6, -19.7),
    "statlog-heart": (-17.9, -17.7, -19.4, -17.8, -19.1),
    "hepatitis": (-10.0, -12.3, -11.0, -12.6, -10.6),
    "hypothyroid": (-130.8, -140.2, -138.3, -137.2, -134.7),
    "iris": (-3.0, -3.7, -3.5, -3.4, -3.2),
    "kr-vs-kp": (-55.0, -134.9, -81.9, -80.2, -69.3),
    "letter-recog": (-1765.9, -3614.2, -1851.4, -1773.2, -1755.8),
    "sick": (-31.5, -66.4, -42.0, -42.1, -33.4),
    "sonar": (-29.5, -32.7, -31.6, -32.0, -30.6),
    "soybean-large": (-13.3, -37.9, -13.6, -32.1, -23.0),
    "molecular-splice-junction": (-65.7, -67.1, -70.9, -65.2, -66.2),
    "vehicle": (-88.8, -248.3, -87.0, -122.3, -101.8),
    "house-votes-84": (-11.0, -39.3, -11.2, -23.9, -11.8),
    "connectionist-vowel": (-32.2, -129.5, -36.6, -37.4, -34.5),
    "zoo": (-1.1, -1.8, -1.5, -1.6, -1.6),
}
"""The paper's table 2 where we have the data set, in the order of MODELS."""

PAPER_PAIRS = {
    ("nb", "tan"): "20 (13)",
    ("nb", "sp"): "25 (12)",
    ("nb", "auc-sp"): "25 (17)",
    ("nb", "cll-sp"): "28 (20)",
    ("tan", "nb"): "16 (6)",
    ("tan", "sp"): "21 (7)",
    ("tan", "auc-sp"): "25 (9)",
    ("tan", "cll-sp"): "32 (13)",
    ("sp", "nb"): "10 (0)",
    ("sp", "tan"): "15 (5)",
    ("sp", "auc-sp"): "22 (10)",
    ("sp", "cll-sp"): "27 (13)",
    ("auc-sp", "nb"): "11 (2)",
    ("auc-sp", "tan"): "11 (3)",
    ("auc-sp", "sp"): "14 (1)",
    ("auc-sp", "cll-sp"): "28 (8)",
    ("cll-sp", "nb"): "8 (1)",
    ("cll-sp", "tan"): "4 (0)",
    ("cll-sp", "sp"): "9 (1)",
    ("cll-sp", "auc-sp"): "8 (0)",
}
"""Table 3 by row and column: wins of the column, in brackets the significant ones."""

PAPER_TOTALS = {
    "cll-sp": (54, 2),
    "auc-sp": (36, 14),
    "sp": (21, 28),
    "tan": (21, 35),
    "nb": (9, 62),
}
"""Table 4: significant wins and losses against all others."""

PAPER_RANKS = {"cll-sp": 1.8056, "nb": 3.7361, "tan": 3.6111, "sp": 3.0694, "auc-sp": 2.7778}
"""Table 5."""

PAPER_P = {
    ("cll-sp", "nb"): "0.0000",
    ("cll-sp", "tan"): "0.0000",
    ("cll-sp", "sp"): "0.0007",
    ("cll-sp", "auc-sp"): "0.0091",
    ("nb", "auc-sp"): "0.0101",
    ("tan", "auc-sp"): "0.0253",
    ("nb", "sp"): "0.0736",
    ("tan", "sp"): "0.1461",
    ("sp", "auc-sp"): "0.4338",
    ("nb", "tan"): "0.7373",
}
"""Table 6: p-values before adjustment; Bergmann's procedure rejects those of CLL-SP."""


def measure(log: ResultLog, folder: Path, name: str, n_repeats: int) -> FloatArray:
    """Return the CLL of every test fold under every model, in bits as in the paper."""
    data = read_table(folder / f"{name}.arff")
    for repeat in range(n_repeats):
        for fold, (train, test) in enumerate(
            FoldPlan(n_folds=N_FOLDS).cut_once(data, 0, repeat).splits()
        ):
            row = {"dataset": name, "repeat": str(repeat), "fold": str(fold), "settings": ""}
            if log.has(row):
                continue
            rows, labels = data.take(test), data.labels[test]
            for model in MODELS:
                learned = fit(data.take(train), model, "laplace", discretizer="width")
                own = predict_proba(learned, rows)[np.arange(len(test)), labels]
                row[model] = f"{np.log2(np.maximum(own, np.finfo(float).eps)).sum():.6f}"
            log.add([row])
    found = [row for key, row in log.rows.items() if key[0] == name and int(key[1]) < n_repeats]
    return np.array([[float(row[model]) for model in MODELS] for row in found])


def print_pairs(folds: Sequence[FloatArray], means: FloatArray) -> None:
    """Print tables 3 and 4."""
    k = len(MODELS)
    wins, significant = np.zeros((k, k), dtype=int), np.zeros((k, k), dtype=int)
    for found, mean in zip(folds, means, strict=True):
        for i in range(k):
            for j in range(k):
                higher = mean[j] > mean[i]
                test = corrected_t_test(found[:, j], found[:, i], 1 / (N_FOLDS - 1))
                wins[i, j] += higher
                significant[i, j] += higher and test.p_value <= LEVEL
    rows = [["table 3", *MODELS]]
    for i, name in enumerate(MODELS):
        cells = [f"{wins[i, j]} ({significant[i, j]})" for j in range(k)]
        paper = [PAPER_PAIRS.get((name, other), "-") for other in MODELS]
        joined = zip(cells, paper, strict=True)
        rows.append([name, *("-" if p == "-" else f"{own}, paper {p}" for own, p in joined)])
    print("\n" + "\n".join(align(rows)))
    rows = [["table 4", "wins - losses", "wins", "losses", "paper"]]
    for j, name in enumerate(MODELS):
        won, lost = int(significant[:, j].sum()), int(significant[j].sum())
        theirs = PAPER_TOTALS[name]
        paper = f"{theirs[0] - theirs[1]} = {theirs[0]} - {theirs[1]}"
        rows.append([name, str(won - lost), str(won), str(lost), paper])
    print("\n" + "\n".join(align(rows)))


def bergmann_hommel(p_values: FloatArray, n_methods: int) -> FloatArray:
    """Adjust the p-values of all pairs by Bergmann and Hommel's procedure (1988).

    Every set of pairs is tried; it is exhaustive if being equal stays transitive within it.
    """
    every, adjusted = pairs(n_methods), np.zeros(len(p_values))
    for size in range(1, len(every) + 1):
        for chosen in combinations(range(len(every)), size):
            same = {way for i in chosen for way in (every[i], every[i][::-1])}
            if all((a, d) in same or a == d for a, b in same for c, d in same if b == c):
                bound = size * p_values[list(chosen)].min()
                adjusted[list(chosen)] = np.maximum(adjusted[list(chosen)], bound)
    return np.asarray(np.minimum(adjusted, 1.0))


def print_ranks(means: FloatArray) -> bool:
    """Print tables 5 and 6; tell whether CLL-SP ranks first and beats NB and SP."""
    ranks = friedman(-means.round(4))  # larger is better
    rows = [["table 5", "average rank", "paper"]]
    for name, rank in zip(MODELS, ranks.average_ranks, strict=True):
        rows.append([name, f"{rank:.4f}", f"{PAPER_RANKS[name]:.4f}"])
    print("\n" + "\n".join(align(rows)))
    rest = ranks.n_sets * (len(MODELS) - 1) - ranks.chi_square
    own = (ranks.n_sets - 1) * ranks.chi_square / rest
    print(f"Iman and Davenport's F: {own:.4f}, paper 11.0284")
    p_values = pairwise_p_values(ranks)
    adjusted = bergmann_hommel(p_values, len(MODELS))
    rows = [["table 6", "z", "p", "Bergmann-Hommel p", "paper's p"]]
    for number in np.argsort(p_values, kind="stable"):
        i, j = pairs(len(MODELS))[number]
        paper = PAPER_P.get((MODELS[i], MODELS[j]), "-")
        figures = (rank_differences(ranks)[number], p_values[number], adjusted[number])
        rows.append([f"{MODELS[i]} vs. {MODELS[j]}", *(f"{x:.4f}" for x in figures), paper])
    print("\n" + "\n".join(align(rows)))
    records = [win_draw_loss(-means[:, 0], -means[:, place]) for place in (1, 3)]
    return ranks.average_ranks.argmin() == 0 and all(
        record.wins > record.losses and record.p_two_sided <= LEVEL for record in records
    )


def _names_at_hand(folder: Path) -> list[str]:
    """List the paper's data sets that are in the folder; say which are not."""
    absent = [name for name in PAPER if not (folder / f"{name}.arff").exists()]
    if absent:
        print(f"not in {folder}: {', '.join(absent)}", file=sys.stderr)
    return [name for name in PAPER if name not in absent]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_intermixed_args()
    log = ResultLog(given.out, COLUMNS, ("dataset", "repeat", "fold"), "settings")
    names = given.names or _names_at_hand(given.data_dir)
    rows, folds = [["table 2", *MODELS]], []
    for name in names:
        folds.append(measure(log, given.data_dir, name, given.repeats))
        both = zip(folds[-1].mean(axis=0), PAPER[name], strict=True)
        rows.append([name, *(f"{ours:.1f} ({paper})" for ours, paper in both)])
        print(f"{len(folds)} of {len(names)}: {name}", file=sys.stderr, flush=True)
    print("\n".join(align(rows)))
    means = np.array([found.mean(axis=0) for found in folds])
    print_pairs(folds, means)
    fine = print_ranks(means)
    print(
        f"\nOurs: {len(names)} of the paper's 36 data sets, {given.repeats} x {N_FOLDS} folds. "
        "Figures differ where values are missing (the paper fills them in) and by the folds."
    )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
