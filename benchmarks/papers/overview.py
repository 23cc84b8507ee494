"""Every published table beside ours in one table, as the top of docs/results.md shows it.

Usage: python benchmarks/papers/overview.py [RESULTS_DIR]

Figures are those of the recipes' files in RESULTS_DIR; nothing is run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import eskdb_figures
import eskdb_tables
import forest_sizes
import hdp_on_trees
import hdp_tables
import hgs_tables
import numpy as np
import pandas as pd
import validation_and_pruning
from side_by_side import DECIMALS, Published
from super_parent_tables import MODELS, PAPER, PAPER_PAIRS

from probtrees.score.paired_test import WinDrawLoss, win_draw_loss

LEVEL = 0.05
PAPER_SETS = 36
"""Of the SuperParent paper."""
RESULTS = Path(__file__).resolve().parents[1] / "results"
HEAD = (
    *("published table", "sets", "ours", "better-equal-worse", "published", "ours"),
    *("mean gap, published", "ours", "is ours the same? if not, what differs"),
)


@dataclass(frozen=True)
class Table:
    """A published table and our file of it.

    Attributes
    ----------
    name : how the papers call it
    file : our results, without ``.csv``
    published : the printed figures
    sets : how many data sets it was published on
    pairs : the comparisons to show: those with a printed record if none are named
    why : what differs from the paper, said where ours is not the same
    """

    name: str
    file: str
    published: Published
    sets: int
    pairs: tuple[tuple[str, str], ...] = ()
    why: str = ""


def _with_records(published: Published, *among: str) -> tuple[tuple[str, str], ...]:
    """List the comparisons with a printed record, those that name one of some methods."""
    printed = [pair for pair, texts in published.records.items() if texts[0]]
    return tuple(pair for pair in printed if not among or set(pair) & set(among))


PRUNED = validation_and_pruning.PRUNED
TREES = validation_and_pruning.PUBLISHED
TYINGS = tuple(("tying single", f"tying {name}") for name in ("level", "parent", "none"))
SWEEPS = (("tying single", "5000 sweeps"),)
FORESTS = (
    ("one tree, HGS", "forest of 7, raw"),
    ("forest of 5, HGS", "forest of 5, raw"),
    ("forest of 10, HGS", "forest of 10, raw"),
)
DRAWN = (("ESKDB", "only orders drawn"), ("ESKDB", "only cuts drawn"))
PEEKING = (("cut on all rows", "only orders drawn"),)
CHANCE = "which rows decide about pruning is drawn, the thesis does not say how"
HABITS = "our HDP samples the posterior, the published one does not at the root"
WEKA = "holds on our sets of more than 1,000 rows, see Forests below"
FEWER = "ours are fewer and smaller sets; whether that is why is not known"
UNEXPLAINED = "not explained, see Networks below"
TABLES = (
    Table("HGS 1, 2", "hgs_tables", hgs_tables.PUBLISHED, 143, why=HABITS),
    Table("thesis 14", "hdp_on_trees", hdp_on_trees.PUBLISHED, 143, TYINGS),
    Table("thesis 15", "hdp_on_trees", hdp_on_trees.PUBLISHED, 143, SWEEPS),
    Table("thesis 20", "validation_and_pruning", TREES, 143, (("HGS", "validation"),)),
    Table("thesis 21", "validation_and_pruning", TREES, 143, _with_records(TREES, PRUNED), CHANCE),
    Table("HGS fig. 4", "forest_sizes", forest_sizes.PUBLISHED, 143, FORESTS, WEKA),
    Table("HDP 1, 2", "hdp_tables_5x2", hdp_tables.PUBLISHED, 68, why=UNEXPLAINED),
    Table("thesis 5 to 9", "eskdb_tables_5x2", eskdb_tables.PUBLISHED, 72, why=FEWER),
    Table("thesis fig. 10, 11", "eskdb_figures", eskdb_figures.PUBLISHED, 72, DRAWN, FEWER),
    Table("thesis 11", "eskdb_figures", eskdb_figures.PUBLISHED, 72, PEEKING, FEWER),
)
IN_WORDS = dict(zip(FORESTS, (0, 1, 1), strict=True))
"""What a picture without figures says of the gap: none, or that the first is worse."""


def overview(results: Path = RESULTS) -> list[str]:
    """Write the table as lines of Markdown."""
    lines = [f"| {' | '.join(HEAD)} |", "|---|---:|---:|---|---:|---:|---:|---:|---|"]
    for table in TABLES:
        lines += _lines(table, results)
    return [*lines, *_super_parent(results)]


def _lines(table: Table, results: Path) -> Iterator[str]:
    rmse = pd.read_csv(results / f"{table.file}.csv").pivot_table(
        index="dataset", columns="smoother", values="rmse"
    )
    for pair in table.pairs or _with_records(table.published):
        both = rmse[list(pair)].dropna()
        record = win_draw_loss(both[pair[0]], both[pair[1]], decimals=DECIMALS)
        printed = table.published.records.get(pair, ("", ""))[0]
        means = [table.published.means.get(name, (None,))[0] for name in pair]
        theirs = None if None in means else means[0] - means[1]
        ours = float((both[pair[0]] - both[pair[1]]).mean())
        expected = _direction(printed, theirs)
        if pair in IN_WORDS:
            expected = IN_WORDS[pair]
        yield _line(
            (table.name, str(table.sets), str(len(both))),
            f"{pair[0]} against {pair[1]}",
            (_published_record(printed), _marked(record)),
            (_signed(theirs), _signed(ours)),
            _agreement(expected, printed, record, table.why),
        )


def _super_parent(results: Path) -> Iterator[str]:
    """Compare by the mean log likelihood of test folds, where larger is better."""
    folds = pd.read_csv(results / "super_parent_tables.csv")
    means = folds.groupby("dataset")[list(MODELS)].mean()
    theirs = pd.DataFrame.from_dict(PAPER, orient="index", columns=list(MODELS)).loc[means.index]
    for rival in MODELS[1:]:
        both = -means["cll-sp"], -means[rival]  # larger is better
        record = win_draw_loss(*both, decimals=DECIMALS)
        won, lost = (
            int(PAPER_PAIRS[pair].split(" ")[0]) for pair in ((rival, "cll-sp"), ("cll-sp", rival))
        )
        printed = f"{won}-{PAPER_SETS - won - lost}-{lost}"
        gaps = [(figures["cll-sp"] - figures[rival]).mean() for figures in (theirs, means)]
        yield _line(
            ("SuperParent 2 to 6", str(PAPER_SETS), str(len(means))),
            f"CLL-SP against {rival.upper()}, log likelihood",
            (_published_record(printed), _marked(record)),
            (f"{gaps[0]:+.1f} bits", f"{gaps[1]:+.1f} bits"),
            _agreement(_direction(printed, None), printed, record, FEWER),
        )


def _line(
    sets: tuple[str, str, str],
    pair: str,
    records: tuple[str, str],
    gaps: tuple[str, str],
    said: str,
) -> str:
    return f"| {' | '.join((*sets, pair, *records, *gaps, said))} |"


def _record(text: str) -> WinDrawLoss:
    """Read a printed record, so that it is tested as ours is."""
    sets = [int(part) for part in text.split("-")]
    return win_draw_loss(np.repeat([0, 0, 1], sets), np.repeat([1, 0, 0], sets))


def _published_record(text: str) -> str:
    return _marked(_record(text)) if text else ""


def _marked(record: WinDrawLoss) -> str:
    """Write a record, with a star where it is significant."""
    return f"{record.text}{'*' if record.p_two_sided <= LEVEL else ''}"


def _signed(gap: float | None) -> str:
    if gap is None:
        return ""
    return f"{gap:+.{DECIMALS}f}".replace("0.", ".", 1)


def _direction(printed: str, gap: float | None) -> int:
    """Return -1 where the first is better, 1 where it is worse, 0 where neither is."""
    if printed:
        record = _record(printed)
        return (record.losses > record.wins) - (record.losses < record.wins)
    return 0 if gap is None else (gap > 0) - (gap < 0)


def _agreement(expected: int, printed: str, ours: WinDrawLoss, why: str) -> str:
    """Say in words whether the direction is that of the paper, and as sure."""
    own = (ours.losses > ours.wins) - (ours.losses < ours.wins)
    sure = ours.p_two_sided <= LEVEL
    if expected == 0:
        return "yes: no difference" if not sure else f"no: {why}"
    if own != expected:
        return f"{'no' if sure else 'no, not significant'}: {why}"
    if sure or (printed and _record(printed).p_two_sided > LEVEL):
        return "yes"
    return f"yes, not significant: {why}"


def main() -> None:
    results = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS
    print("\n".join(overview(results)))


if __name__ == "__main__":
    main()
