"""The results that cannot be distinguished from the best, and the base rate beside them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from probtrees.experiment.evaluation.cross_validate import compare
from probtrees.experiment.evaluation.leading_methods import known_figures
from probtrees.score.differences import PairedFigures, influences
from probtrees.score.measures import MEASURES, evaluate
from probtrees.score.metrics import brier_losses
from probtrees.table.folds import FoldPlan, Folds, read_plan
from tests.small_tables import patients


def paired_differences(results, data, cuts, *, measure="brier", reference=None, over="rows"):
    return known_figures(results, data, cuts, measure, over).differences_to(reference)


@pytest.fixture(scope="module")
def data():
    return patients(80, missing=False)


@pytest.mark.parametrize("measure", ["brier", "log_loss", "error"])
@pytest.mark.parametrize(("plan", "wider"), [("holdout=0.5", 1.0), ("2x4", 1 + 0.625 * 4 / 3)])
def test_rows_are_compared_one_by_one(data, plan, wider, measure):
    """Folds of a quarter share training rows: the variance is as many times as large."""
    cuts = read_plan(plan).cut(data)
    results = compare(data, "c45", ["laplace", "m-branch", "m-estimate"], folds=cuts)
    found = paired_differences(results, data, cuts, measure=measure)
    rows = np.flatnonzero(cuts[0].test_fold >= 0)
    losses = [
        np.mean([[evaluate(p[[i]], data.labels[[i]])[measure] for i in rows] for p in r.proba], 0)
        for r in results
    ]
    for place, test in enumerate(found.lines):
        apart = losses[place] - losses[found.reference]
        if np.ptp(apart) > 0:
            error, degrees = np.sqrt(wider) * stats.sem(apart), len(rows) - 1
            p_value = 2 * stats.t.sf(abs(apart.mean()) / error, degrees)
            assert test.p_value == pytest.approx(p_value)
            ends = stats.t.interval(0.95, degrees, apart.mean(), error)
            assert (test.lower, test.upper) == pytest.approx(ends)
            assert test.difference == pytest.approx(
                results[place].scores[measure] - results[found.reference].scores[measure]
            )


def test_the_interval_of_an_auc_is_that_of_the_difference_on_show():
    """DeLong's variance, by every pair of a case and another row."""
    data = patients(120, missing=False)
    cuts = read_plan("holdout=0.5").cut(data)
    results = compare(data, "c45", ["mle", "m-branch"], folds=cuts)
    found = paired_differences(results, data, cuts, measure="auc", reference=0)
    rows = np.flatnonzero(cuts[0].test_fold >= 0)
    yes = data.labels[rows] == 1
    wins = []
    for result in results:
        chance = result.proba[0][rows, 1]
        higher = chance[yes][:, None] - chance[~yes]
        wins.append((higher > 0) + 0.5 * (higher == 0))
    apart = wins[1] - wins[0]
    variance = (
        apart.mean(axis=1).var(ddof=1) / yes.sum() + apart.mean(axis=0).var(ddof=1) / (~yes).sum()
    )
    line = found.lines[1]
    assert line.difference == pytest.approx(apart.mean())
    assert line.difference == pytest.approx(results[1].scores.auc - results[0].scores.auc)
    assert line.upper - line.lower == pytest.approx(4.0 * np.sqrt(variance), rel=0.03)
    assert found.base.difference == pytest.approx(0.5 - results[0].scores.auc)


def test_every_measure_has_a_pull_like_that_of_leaving_a_row_out():
    """The influence of a row is, to first order, what the figure changes by without it."""
    random = np.random.default_rng(4)
    proba, labels = random.dirichlet(np.ones(3), 400), random.integers(0, 3, 400)
    one = np.ones(400)
    for measure in ("brier", "rmse", "log_loss", "error", "auc", "ece"):
        pulls = influences(measure, proba, labels, one)
        whole = evaluate(proba, labels)[measure]
        for row in range(10):
            rest = np.arange(400) != row
            left = evaluate(proba[rest], labels[rest])[measure]
            assert 399 * (whole - left) == pytest.approx(pulls[row], abs=0.02), measure
    assert abs(pulls.mean()) < 1e-12


def test_groups_and_copies_count_as_one_case_and_rows_in_time_by_their_folds(data):
    groups = np.arange(data.n_rows) // 2
    grouped = replace(data, groups=groups)
    cuts = [FoldPlan(n_folds=4).cut_once(grouped)]
    results = compare(grouped, "c45", ["laplace", "m-estimate"], folds=cuts)
    found = paired_differences(results, grouped, cuts)
    other = 1 - found.reference
    by_row = brier_losses(results[other].proba[0], data.labels)
    by_row -= brier_losses(results[found.reference].proba[0], data.labels)
    summed = np.bincount(groups, by_row - by_row.mean())
    half = stats.t.ppf(0.975, len(summed) - 1) * np.sqrt(
        summed @ summed / len(by_row) ** 2 * len(summed) / (len(summed) - 1) * (1 + 0.625 * 4 / 3)
    )
    assert found.lines[other].upper - found.lines[other].difference == pytest.approx(half)
    copied = replace(data.take(np.r_[0, np.arange(data.n_rows)]), repeats="together")
    cuts = [FoldPlan(n_folds=4).cut_once(copied)]
    results = compare(copied, "c45", ["mle"], folds=cuts)
    known = known_figures(results, copied, cuts, "brier", "rows")
    assert known.figures.degrees == copied.distinct_rows()[1].max()
    cuts = [Folds(cuts[0].test_fold, ordered=True)]
    cuts[0].test_fold[cuts[0].test_fold == 0] = -1  # the first part has no past
    results = compare(copied, "c45", ["mle"], folds=cuts)
    assert known_figures(results, copied, cuts, "brier", "rows").figures.degrees < 4


def test_chances_to_be_best_come_true_and_a_tie_is_one():
    """Said 80 %: of methods whose true figures scatter as widely as their errors."""
    random, hits, said = np.random.default_rng(1), [], []
    for _ in range(400):
        true = random.normal(size=4) * random.choice([0.3, 1.0, 3.0])
        figures = PairedFigures(true + random.normal(size=4), np.eye(4), 300)
        draws = figures.draws()
        said += (np.bincount(draws.argmin(axis=1), minlength=4) / len(draws)).tolist()
        hits += (np.arange(4) == true.argmin()).tolist()
    about = (np.array(said) > 0.7) & (np.array(said) < 0.9)
    assert np.mean(np.array(hits)[about]) == pytest.approx(np.mean(np.array(said)[about]), abs=0.08)
    tie = PairedFigures(np.array([0.2, 0.2, 0.5]), 1e-4 * np.eye(3), 300).draws()
    first, second, far = np.bincount(tie.argmin(axis=1), minlength=3) / len(tie)
    assert first == pytest.approx(second, abs=0.1)
    assert far == 0


def test_the_best_is_the_one_whose_figure_over_all_rows_is_shown(data):
    # Folds of unequal size: the mean over folds may favour another method.
    cut = Folds(np.minimum(np.arange(data.n_rows) // 8, 2))
    results = compare(data, "c45", ["mle", "laplace", "m-branch"], folds=[cut])
    for measure in ("brier", "log_loss", "auc"):
        sign = -1 if MEASURES[measure].larger_is_better else 1
        figures = [sign * found.scores[measure] for found in results]
        found = paired_differences(results, data, [cut], measure=measure)
        assert found.reference == np.argmin(figures)


def test_the_base_rate_is_tested_against_the_best_like_any_method(data):
    cuts = [FoldPlan(n_folds=5).cut_once(data)]
    (found,) = compare(data, "c45", ["laplace"], folds=cuts)
    test = paired_differences([found], data, cuts, measure="log_loss", over="folds").base
    differences = []
    for train, rows in cuts[0].splits():
        rates = np.bincount(data.labels[train], minlength=data.n_classes) / len(train)
        base = evaluate(np.tile(rates, (len(rows), 1)), data.labels[rows]).log_loss
        differences.append(base - evaluate(found.proba[0][rows], data.labels[rows]).log_loss)
    error = np.sqrt((1 / 5 + 1 / 4) * np.var(differences, ddof=1))
    assert test.difference == pytest.approx(np.mean(differences))
    assert test.p_value == pytest.approx(2 * stats.t.sf(abs(np.mean(differences)) / error, 4))
    assert paired_differences([found], data, cuts, measure="ece").base is None
