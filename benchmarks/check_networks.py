"""Compare networks with the figures of the programs behind the papers, set by set.

Usage::

    python benchmarks/check_networks.py REFERENCE_DIR [--parts structures,tables,...] [NAME ...]

REFERENCE_DIR holds ``networks/`` with ``data/NAME.arff`` (nominal), ``folds/NAME.csv``,
``structures.json``, ``results.csv`` and ``forest_and_boosting.csv``. Parts:

structures  parents of KDB and TAN and orders of SKDB equal, apart from ties
tables      NB, TAN, KDB with the m-estimate: RMSE equal to 4 decimals on complete sets, unless
            ties leave the structure open; SKDB: mean RMSE no worse
hdp         NB, TAN, KDB, SKDB with HDP: mean RMSE no worse than theirs + 0.0005, and better
            than the m-estimate on more sets than worse for TAN, KDB, SKDB
ensembles   ESKDB of 10 with every smoother: mean RMSE below the forest of 100 and boosting

The programs take a missing value for the first declared one. Structures are compared under
that habit; everywhere else a missing value is a value of its own, as ours. The exit code is 1
if something is neither equal nor explained.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import make_spec
from probtrees.experiment.registry import SMOOTHERS
from probtrees.grow.count.mutual_information import Information, measure_information
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.dag import Dag
from probtrees.grow.kdb import KDB
from probtrees.grow.skdb import SKDB
from probtrees.grow.tan import TAN
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds, read_cuts
from probtrees.table.read_table import read_table

TIE = 1e-9
K = 5
PUBLISHED: dict[str, dict[str, Any]] = {
    "kdb": {"k": K},
    "skdb": {"k": K, "selection": "leave-one-out"},
    "eskdb": {"k": K, "selection": "leave-one-out"},
}
MODELS = {"nb": "NB", "tan": "TAN", "kdb": "KDB", "skdb": "SKDB"}


@dataclass(frozen=True)
class Case:
    """One data set with its folds."""

    name: str
    data: Dataset
    folds: Folds

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing."""
        return not np.isnan(self.data.values).any()

    def trains(self, habit: bool) -> Iterator[Dataset]:
        """Give the training rows of every fold, missing as the first value under the habit."""
        values = np.where(np.isnan(self.data.values), 0.0, self.data.values)
        data = replace(self.data, values=values) if habit else self.data
        for train, _ in self.folds.splits():
            yield data.take(train)

    def rmse(
        self, learner: str, smoothers: list[str], options: dict[str, Any] | None = None
    ) -> dict[str, float]:
        """Cross-validate a learner under several smoothers, as published unless asked otherwise."""
        recipe = make_spec(learner, PUBLISHED.get(learner, {}) if options is None else options)
        proba = {name: np.empty((self.data.n_rows, self.data.n_classes)) for name in smoothers}
        for train, test in self.folds.splits():
            grown = grow_model(self.data.take(train), recipe)
            for name, answers in proba.items():
                answers[test] = predict_proba(grown.smooth(name), self.data.take(test))
        return {
            name: evaluate(answers, self.data.labels).rmse or 0.0 for name, answers in proba.items()
        }


def check_structures(cases: list[Case], reference: Path) -> bool:
    known = json.loads((reference / "structures.json").read_text())["datasets"]
    tied = wrong = same = 0
    for case in cases:
        if case.name not in known:
            continue
        for fold, train in enumerate(case.trains(habit=True)):
            theirs = known[case.name]["folds"][str(fold)]
            information = measure_information(nominal_rows(train))
            for learner in (KDB(k=K), TAN()):
                ours = learner.learn(train).members[0].dag
                parents = theirs[learner.name.upper()]["members"][0]["parents"]
                differs = [a for a, p in enumerate(parents) if list(ours.parents[a]) != p]
                explain = _kdb_tie if learner.name == "kdb" else _tan_tie
                open_ = [a for a in differs if not explain(information, ours, parents, a)]
                same += len(parents) - len(differs)
                tied += len(differs) - len(open_)
                wrong += len(open_)
                for a in open_:
                    print(
                        f"  {case.name} fold {fold} {learner.name} attribute {a}: "
                        f"{ours.parents[a]} instead of {parents[a]}"
                    )
            order = theirs["SKDB"]["members"][0]["order"]
            ours_order = (
                SKDB(k=K, selection="leave-one-out").learn(train).diagnostics["order"][: len(order)]
            )
            gap = information.with_class[order] - information.with_class[ours_order]
            if ours_order != order and np.abs(gap).max() > TIE:
                wrong += 1
                print(f"  {case.name} fold {fold} skdb: order {ours_order} instead of {order}")
    print(f"structures: {same} parent lists equal, {tied} differ by ties, {wrong} otherwise")
    return wrong == 0


def _kdb_tie(information: Information, ours: Dag, theirs: list[list[int]], a: int) -> bool:
    """Say whether equal CMI, or an equal place in the order, explains other parents."""
    mine, other = list(ours.parents[a][1:]), theirs[a][1:]
    place = np.abs(np.delete(information.with_class, a) - information.with_class[a]).min()
    if place < TIE:
        return True
    if len(mine) != len(other):
        return False
    gap = information.pairwise[a, mine] - information.pairwise[a, other]
    if np.abs(gap).max() < TIE:
        return True
    # An earlier attribute that is tied in the order may be there for one and not the other.
    apart = set(mine) ^ set(other)
    return any(
        np.abs(np.delete(information.with_class, b) - information.with_class[b]).min() < TIE
        for b in apart
    )


def _tan_tie(information: Information, ours: Dag, theirs: list[list[int]], _: int) -> bool:
    """Say whether both trees carry the same total CMI."""
    weight = information.pairwise
    mine = sum(weight[a, p[1]] for a, p in ours.parents.items() if len(p) == 2)
    other = sum(weight[a, p[1]] for a, p in enumerate(theirs) if len(p) == 2)
    return bool(abs(mine - other) < TIE)


def has_open_choice(case: Case) -> bool:
    """Say whether equal values leave the parents of a KDB or TAN open in some fold."""
    for train in case.trains(habit=False):
        information = measure_information(nominal_rows(train))
        n = len(information.with_class)
        if (np.diff(np.sort(information.with_class)) < TIE).any():
            return True
        if any(
            (np.diff(np.sort(np.delete(information.pairwise[a], a))) < TIE).any() for a in range(n)
        ):
            return True
    return False


def check_tables(cases: list[Case], published: dict[tuple[str, str, str], float]) -> bool:
    fine = True
    ours: dict[str, list[float]] = {"all": [], "complete": []}
    theirs: dict[str, list[float]] = {"all": [], "complete": []}
    for case in cases:
        differs = []
        for learner, label in MODELS.items():
            found = case.rmse(learner, ["m-estimate"])["m-estimate"]
            expected = published[case.name, label, "M"]
            if learner == "skdb":
                for group in ("all", "complete") if case.is_complete else ("all",):
                    ours[group].append(found)
                    theirs[group].append(expected)
            if round(found, 4) != round(expected, 4) and abs(found - expected) > 1e-9:
                differs.append(f"{label} {found - expected:+.4f}")
                if learner != "skdb" and case.is_complete and not has_open_choice(case):
                    fine = False
                    differs[-1] += " UNEXPLAINED"
        reason = "" if case.is_complete else " (missing values)"
        print(f"  {case.name}{reason}: {', '.join(differs) or 'equal'}", flush=True)
    for group, values in ours.items():
        if values:
            mine, other = np.mean(values), np.mean(theirs[group])
            print(f"SKDB, m-estimate, {group} {len(values)} sets: {mine:.5f}, theirs {other:.5f}")
            fine &= group != "complete" or mine <= other
    return fine


def check_hdp(cases: list[Case], published: dict[tuple[str, str, str], float]) -> bool:
    fine = True
    for learner, label in MODELS.items():
        found = [case.rmse(learner, ["m-estimate", "hdp"]) for case in cases]
        mine = float(np.mean([each["hdp"] for each in found]))
        other = float(np.mean([published[case.name, label, "HDP"] for case in cases]))
        record = win_draw_loss([(each["hdp"], each["m-estimate"]) for each in found])
        print(
            f"{label} with HDP: {mine:.5f}, theirs {other:.5f}; against m-estimate {record}",
            flush=True,
        )
        fine &= mine <= other + 0.0005
        fine &= learner == "nb" or record[0] > record[2]
    return fine


def check_ensembles(cases: list[Case], reference: Path) -> bool:
    rivals = _read_rivals(reference / "forest_and_boosting.csv")
    smoothers = [name for name in SMOOTHERS if name != "mle"]
    found = []
    for case in cases:
        found.append(case.rmse("eskdb", smoothers))
        errors = ", ".join(f"{name} {value:.4f}" for name, value in found[-1].items())
        print(f"  {case.name}: {errors}", flush=True)
    limit = min(float(np.mean([rivals[case.name, r] for case in cases])) for r in ("RF100", "XGB"))
    best = np.inf
    for name in smoothers:
        mean = float(np.mean([each[name] for each in found]))
        best = min(best, mean)
        against = [
            f"{rival} {win_draw_loss([(each[name], each[rival]) for each in found])}"
            for rival in ("m-estimate", "hdp")
            if rival in smoothers and rival != name
        ]
        print(f"ESKDB {name}: {mean:.5f} (win-draw-loss against {', '.join(against)})")
    print(f"best of forest and boosting: {limit:.5f}")
    return best < limit


def win_draw_loss(pairs: list[tuple[float, float]]) -> tuple[int, int, int]:
    rounded = [(round(a, 4), round(b, 4)) for a, b in pairs]
    return (
        sum(a < b for a, b in rounded),
        sum(a == b for a, b in rounded),
        sum(a > b for a, b in rounded),
    )


def _read_rivals(path: Path) -> dict[tuple[str, str], float]:
    with path.open(encoding="utf-8", newline="") as file:
        return {(r["dataset"], r["classifier"]): float(r["RMSE"]) for r in csv.DictReader(file)}


def _read_published(path: Path) -> dict[tuple[str, str, str], float]:
    with path.open(encoding="utf-8", newline="") as file:
        return {
            (row["dataset"], row["classifier"], row["smoother"]): float(row["RMSE"])
            for row in csv.DictReader(file)
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--parts", default="structures,tables,hdp,ensembles")
    given = parser.parse_args()
    reference = given.reference_dir / "networks"
    published = _read_published(reference / "results.csv")
    cases = []
    for name in given.names or sorted({name for name, _, _ in published}):
        data = read_table(reference / "data" / f"{name}.arff")
        cases.append(Case(name, data, read_cuts(reference / "folds" / f"{name}.csv", data)[0]))
    checks: dict[str, Callable[[], Any]] = {
        "structures": lambda: check_structures(cases, reference),
        "tables": lambda: check_tables(cases, published),
        "hdp": lambda: check_hdp(cases, published),
        "ensembles": lambda: check_ensembles(cases, reference),
    }
    failed = [part for part in given.parts.split(",") if not checks[part]()]
    print(f"failed: {', '.join(failed)}" if failed else "all as it should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
