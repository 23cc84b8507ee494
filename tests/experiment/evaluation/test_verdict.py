"""The verdict names winners and ties, and never praises what one of the measures warns against."""

from dataclasses import replace

import numpy as np
import pytest

from probtrees.draw.charts.comparison_charts import ForestLine, _bar
from probtrees.experiment.evaluation.cross_validate import cannot_rank, compare, score_tested
from probtrees.experiment.evaluation.verdict import (
    Verdict,
    differences_of,
    find_verdict,
    holds_words,
    is_worse_there,
    raw_margin,
    standing_of,
)
from probtrees.experiment.registry import DEFAULT_SMOOTHER
from probtrees.score.differences import PairedDifferences
from probtrees.score.measures import Scores
from probtrees.score.paired_test import PairedTest
from probtrees.table.folds import FoldPlan
from tests.small_tables import patients

BASE = {"brier": 0.40, "log_loss": 0.60, "auc": 0.5}
NOISE = {"brier": 0.0009, "log_loss": 0.002, "auc": 0.002}
"""Half the width of intervals in these cases; a tenth of that to the base rate."""


def judge(
    found, figures: dict[str, tuple[float, float, float]], noise=1.0, usual=(), **how
) -> Verdict:
    """Give methods figures that are known up to the noise, and ask for the verdict."""
    named = {name: dict(zip(BASE, values, strict=True)) for name, values in figures.items()}

    def line(difference: float, half: float) -> PairedTest:
        p = 0.001 if abs(difference) > half else 0.5
        return PairedTest(difference, None, p, difference - half, difference + half)

    def ask(measure: str, reference: int) -> PairedDifferences:
        values = np.array([scores[measure] for scores in named.values()])
        signed, half = -values if measure == "auc" else values, noise * NOISE[measure]
        apart = values - values[reference]
        lines = tuple(line(by, half * (k != reference)) for k, by in enumerate(apart))
        base = line(BASE[measure] - values[reference], 10 * half)
        return PairedDifferences(
            measure=measure, reference=reference, lines=lines,
            adjusted_p=np.array([one.p_value for one in lines]),
            base=base, draws=signed[None], sizes=signed[None],
        )  # fmt: skip

    results = {
        name: replace(
            found, scores=Scores(found.scores, **scores), base_rate=Scores(found.base_rate, **BASE)
        )
        for name, scores in named.items()
    }
    for name in usual:
        results[name] = replace(results[name], smoother=DEFAULT_SMOOTHER)
    return find_verdict(results, ask, **how)


GOOD, EQUAL, WORSE = (0.20, 0.30, 0.90), (0.201, 0.302, 0.899), (0.26, 0.40, 0.85)


@pytest.mark.parametrize(
    ("figures", "kind", "as_good", "avoid", "words"),
    [
        ({"a": GOOD, "b": WORSE}, "winner", "a", "", "Use a. It beats the base rate"),
        ({"a": GOOD, "b": EQUAL}, "tie", "ab", "", "Use a or b. Equally good, they beat"),
        # The best by Brier score was sure of what did not happen: it is no candidate.
        ({"a": (0.19, 5.3, 0.9), "b": GOOD, "c": EQUAL}, "tie", "bc", "a",
         "Avoid a: log loss 5.30 against .300."),
        # Many times nothing is little: b is worse, but only c gives half of the gain back.
        ({"a": (0.0, 0.0, 1.0), "b": (0.001, 0.11, 1.0), "c": (0.02, 0.35, 1.0)}, "winner", "a",
         "c", "the next is b (log loss .110 against .000). Avoid c: log loss .350"),
        # As good by what it says, but it ranks worse: not praised.
        ({"a": GOOD, "b": (0.201, 0.302, 0.80)}, "winner", "a", "", "AUC .800 against .900"),
        # As good by all that chance allows to say, but worse than knowing nothing by one measure.
        ({"a": (0.20, 0.599, 0.9), "b": (0.201, 0.601, 0.9)}, "winner", "a", "b",
         "Avoid b: log loss .601 against .600 of the base rate."),
        # The best by Brier score is the worse of equals by log loss.
        ({"a": (0.199, 0.36, 0.9), "b": GOOD}, "winner", "b", "", "Use b."),
        # Each is better by one measure.
        ({"a": (0.20, 0.36, 0.95), "b": (0.20, 0.30, 0.80)}, "mixed", "ab", "", "by every measure"),
        ({"a": (0.405, 0.61, 0.51), "b": (0.42, 3.0, 0.5)}, "nothing", "", "b",
         "Use the base rate: these columns are not shown to help. As far as 40 rows show, no"),
        ({"a": (0.405, 0.61, 0.51), "b": (0.43, 0.65, 0.5)}, "nothing", "", "b",
         "no method is better."),
        ({"a": (0.399, 0.60, 0.70)}, "nothing", "", "", "only the order of rows is learnt"),
        ({"a": GOOD}, "winner", "a", "", "Use a. It beats the base rate"),
        # Worse than knowing nothing by Brier score alone.
        ({"a": GOOD, "b": (0.45, 0.55, 0.9)}, "winner", "a", "b", "against"),
    ],
)  # fmt: skip
def test_every_kind_of_verdict(figures, kind, as_good, avoid, words, found):
    verdict = judge(found, figures)
    assert (verdict.kind, "".join(verdict.as_good), "".join(verdict.avoid)) == (
        kind,
        as_good,
        avoid,
    )
    assert words in verdict.text
    assert not set(verdict.as_good) & {*verdict.avoid, *verdict.worse}
    for name in figures:
        stands = verdict.standing(name)
        assert (stands == "best" or "probably" in stands or stands == "as good") == (
            name in verdict.as_good
        )


@pytest.fixture(scope="module")
def found():
    data = patients(40, missing=False)
    return compare(data, "c45", ["laplace"], folds=2)[0]


def test_the_margin_decides_what_matters(found):
    figures = {"a": GOOD, "b": (0.23, 0.33, 0.87)}
    assert judge(found, figures).kind == "winner"
    assert judge(found, figures, margin=0.05).kind == "tie"


def test_the_base_rate_is_never_within_the_margin(found):
    scores, base = (Scores(found.scores, brier=one, log_loss=None) for one in (0.0642, 0.0656))
    rare = {"a": replace(found, scores=scores, base_rate=base)}
    assert raw_margin("brier", 0.002, rare) == pytest.approx(0.25 * 0.0014)
    assert raw_margin("log_loss", 0.002, rare) == 0.01
    assert raw_margin("cll", 0.002, rare) is None
    rare = {"a": replace(rare["a"], scores=Scores(found.scores, brier=0.03))}
    assert raw_margin("brier", 0.002, rare) == pytest.approx(0.03 * 0.0656)
    assert raw_margin("brier", 0.004, rare) == pytest.approx(2 * 0.03 * 0.0656)


def test_who_gave_0_to_what_happened_is_to_avoid_where_that_costs(found):
    figures = {"a": GOOD, "b": (0.201, 0.35, 0.9), "c": (0.201, 0.302, 0.9)}
    assert not judge(found, figures).avoid
    sure = replace(found, scores=Scores(found.scores, cll=None))
    assert [*judge(sure, figures).avoid] == ["b"]
    assert judge(sure, figures).label("b") == "avoid: log loss .350"


def test_a_label_is_where_the_interval_lies_and_equals_are_called_so(found):
    proba = np.where(np.arange(len(found.proba[0])) < 7, 0.5, np.nan)[:, None] * [1, 1]
    found = replace(found, proba=(proba,))  # only seven rows are tested
    figures = {"a": GOOD, "b": (0.2015, 0.3, 0.9), "c": (0.206, 0.3, 0.9), "d": GOOD}
    verdict = judge(found, figures, noise=5.0)
    said = ["as good", "probably as good", "probably worse", "probably as good"]
    assert [verdict.standing(name) for name in figures] == said
    assert "Use a, d or b. Probably equally good" in verdict.text
    assert "probably worse: c." in verdict.text
    for low, high, stands in ((0.1, 0.3, "worse"), (-0.3, -0.1, "better"), (-0.3, 0.05, "as good")):
        assert standing_of((low, (low + high) / 2, high), 0.05, "brier") == stands
        assert standing_of((-high, -(low + high) / 2, -low), 0.05, "auc") == stands


def test_of_equals_the_usual_one_is_named(found):
    assert judge(found, {"a": GOOD, "b": EQUAL}).best == "a"
    assert judge(found, {"a": WORSE, "b": GOOD}, usual=("a",)).best == "b"
    named = judge(found, {"a": GOOD, "b": EQUAL}, usual=("b",))
    assert (named.best, named.headline) == ("b", "Use b or a.")
    assert [named.label(name) for name in "ba"] == ["as good, default", "as good"]
    first = judge(found, {"a": (0.199, 0.36, 0.9), "b": GOOD})
    assert [first.label(name) for name in "ba"] == ["better by log loss", "worse: log loss .360"]


NOTHING = (0.41, 0.62, 0.5)


@pytest.mark.parametrize(
    ("there", "words"),
    [
        ({"a": GOOD, "b": EQUAL, "c": WORSE}, "choice holds on t.csv: a is as good there, too."),
        ({"a": WORSE, "b": GOOD, "c": WORSE}, "does not hold on t.csv: there b does better"),
        ({"a": GOOD, "b": WORSE, "c": WORSE}, "holds on t.csv: a is best there, too."),
        ({"a": GOOD, "b": WORSE, "c": EQUAL}, "holds on t.csv: a is as good there, too."),
        ({"a": (0.2025, 0.3, 0.9), "b": GOOD, "c": WORSE}, "a is probably worse there than b."),
        (dict.fromkeys("abc", NOTHING), "not hold on t.csv: every method is worse than the base"),
        (dict.fromkeys("abc", (0.399, 0.6, 0.5)), "base rate: whether the choice holds cannot"),
    ],
)
def test_whether_it_holds_on_another_table_is_said(there, words, found):
    here = judge(found, {"a": GOOD, "b": EQUAL, "c": WORSE})
    assert words in holds_words(here, judge(found, there), "t.csv")


def test_forecasts_are_worse_on_another_table_only_beyond_chance():
    data = patients(80, missing=False)
    cuts = [FoldPlan(n_folds=4).cut_once(data)]
    (here,) = compare(data, "c45", ["laplace"], folds=cuts)
    turned = replace(here, proba=(here.proba[0][:, ::-1],))
    turned = replace(turned, scores=score_tested(turned.proba[0], data))
    assert not is_worse_there((here, data, cuts), (here, data, cuts))
    assert is_worse_there((here, data, cuts), (turned, data, cuts))
    assert not is_worse_there((turned, data, cuts), (here, data, cuts))


def test_a_line_that_is_cut_at_the_edge_points_on_and_equals_share_the_chance_to_be_best():
    trace = _bar(ForestLine("MLE", -9, -1, 2), "", 0, np.array([-3, 3]), None)
    assert list(trace.marker.size[:3]) == [11, 13, 0]
    assert trace.marker.symbol[0] == "triangle-left"
    draws = np.array([[0.1, 0.1, 0.2], [0.3, 0.3, 0.2]])
    equal = PairedDifferences("brier", 0, (), np.ones(3), None, draws, draws)
    assert equal.p_best().tolist() == [0.25, 0.25, 0.5]


@pytest.mark.parametrize(("blur", "kind"), [(0.0, "tie"), (1.2, "winner")])
def test_simulated_winners_and_ties_are_called_so(blur, kind):
    """Forecasts of known truth, one of them blurred: nine verdicts of ten are right."""
    data = patients(400, missing=False)
    (found,) = compare(data, "c45", ["laplace"], folds=2)
    cuts, random, right = [FoldPlan().cut_once(data)], np.random.default_rng(1), 0
    for _ in range(20):
        logit = random.normal(size=data.n_rows) * 1.5
        labels = (random.random(data.n_rows) < 1 / (1 + np.exp(-logit))).astype(float)
        values = data.values.copy()
        values[:, -1] = labels
        drawn = replace(data, values=values, repeats=None)
        said = {}
        for name, noise in (("clear", 0.3), ("other", 0.3 + blur)):
            p = 1 / (1 + np.exp(-logit - noise * random.normal(size=data.n_rows)))
            said[name] = _as_result(found, drawn, np.column_stack([1 - p, p]))
        verdict = find_verdict(said, differences_of(list(said.values()), drawn, cuts))
        right += (
            verdict.kind == kind and verdict.as_good[0] in ("clear", "other")[: 1 + (blur == 0)]
        )
    assert right >= 18


def _as_result(found, data, proba):
    base = np.tile(np.bincount(data.labels, minlength=2) / data.n_rows, (data.n_rows, 1))
    return replace(
        found,
        n_rows=data.n_rows,
        scores=score_tested(proba, data),
        base_rate=cannot_rank(score_tested(base, data)),
        proba=(proba,),
        base_proba=(base,),
    )
