"""What a comparison says in a sentence: which to use, whether it matters, which to avoid.

A method is judged by what it says (Brier score, log loss) and by how it ranks (AUC) at once: one
that any of them warns against is never praised by another. How two stand is read off the interval
of their difference and a margin. The base rate is a yardstick and no candidate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

import numpy as np
from scipy.special import ndtri

from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.leading_methods import Over, known_figures
from probtrees.experiment.registry import DEFAULT_SMOOTHER
from probtrees.score.differences import PairedDifferences
from probtrees.score.measures import MEASURES, Scores, part_shown
from probtrees.score.paired_test import LEVEL
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.words import plural, score_texts

MARGIN = 0.002
"""Brier scores as people see them that differ by less are as good as each other."""

_MARGINS = {"brier": 1.0, "log_loss": 5.0, "auc": 5.0, "error": 1.0}
"""By measure, its margin in those of the Brier score. Where chances are wrong by a little, the log
loss moves 1 / (2 p (1 - p)) times as much: 5.6 times at 10 %."""
_JUDGES = ("brier", "log_loss", "auc")
_GAINED = 0.25
"""The share of what the best method gains over the base rate that a margin is at most: of a rare
outcome all there is to gain may be less than the margin asked for."""
_OF_BASE = 0.03
"""The share of the base rate's score that the usual margin is at most, others in proportion."""
EXTREME = 2.0
"""Who has so many times the log loss of others was sure of what then did not happen. That does harm
where less than half of what the best one gains over the base rate is left."""
Differences = Callable[[str, int], PairedDifferences | None]
"""Gives the paired differences by a measure to one of the methods."""
Kind = Literal["winner", "tie", "mixed", "nothing"]
Standing = Literal["better", "as good", "probably as good", "probably worse", "worse"]


@dataclass(frozen=True)
class Verdict:
    """What may be concluded from a comparison.

    Attributes
    ----------
    kind : one method is best ("winner"), several are as good as each other ("tie"), measures
        contradict each other ("mixed"), or none is shown to beat the base rate ("nothing")
    best : the method to use, which the others are held against; of equals the usual one
    as_good : those not shown to be worse by more than the margin, the best one among them; none
        where nothing beats the base rate
    stands : how methods stand to the best by Brier score
    choice : why the best is named although another has a better Brier score
    worse, avoid : by name, why they are worse than the best, or must not be used
    headline, why : the answer, and what it rests on
    """

    kind: Kind
    best: str
    as_good: tuple[str, ...]
    worse: Mapping[str, str] = field(default_factory=dict)
    avoid: Mapping[str, str] = field(default_factory=dict)
    headline: str = ""
    why: str = ""
    stands: Mapping[str, str] = field(default_factory=dict)
    choice: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(filter(None, (self.headline, self.why)))

    def standing(self, name: str) -> str:
        """Say in a few words how one method stands."""
        if name in self.avoid:
            return "avoid"
        if self.kind == "nothing":
            return "no better"
        if name in self.worse:
            return "worse"
        return "best" if self.kind == "winner" else self.stands[name]

    def label(self, name: str) -> str:
        """Say the same with the figure that decides, or why the method is named."""
        if name == self.best and self.choice:
            return self.choice
        why = {**self.worse, **self.avoid}.get(name, "").partition(" against")[0]
        return ": ".join(filter(None, (self.standing(name), why)))


def standing_of(ends: Sequence[float | None], margin: float, measure: str) -> Standing:
    """Name a difference by where its interval lies: inside the margin, beyond it, or across.

    Where it lies across, the difference itself, between the ends, says what is more probable.
    """
    sign = -1 if MEASURES[measure].larger_is_better else 1
    low, middle, high = np.sort(sign * np.array(ends, dtype=np.float64))
    if np.isnan(high) or low > margin:  # none: it was sure of what then did not happen
        return "worse"
    if high <= margin:
        return "better" if high < -margin else "as good"
    return "probably as good" if middle <= margin else "probably worse"


def differences_of(
    results: Sequence[Result], data: Dataset, cuts: Sequence[Folds], over: Over = "rows"
) -> Differences:
    """Make a way to ask for differences of results on their folds, each worked out once."""
    figures = cache(lambda measure: known_figures(results, data, cuts, measure, over))

    @cache
    def find(measure: str, reference: int) -> PairedDifferences | None:
        found = figures(measure)
        return None if found is None else found.differences_to(reference)

    return find


def find_verdict(
    results: Mapping[str, Result], differences: Differences, *, margin: float = MARGIN
) -> Verdict:
    """Weigh the measures of methods against each other, a margin, and the base rate.

    Parameters
    ----------
    results : by the names of their methods, all on the same folds
    differences : of these results, as :func:`differences_of` gives them
    margin : differences of Brier scores, as people see them, that do not matter
    """
    judge = _Judge(results, differences, margin)
    avoid = judge.to_avoid()
    left = [name for name in judge.by_brier if name not in avoid] or judge.by_brier
    kind: Kind = "winner"
    for best in judge.candidates(left):  # the first that no measure holds for worse than another
        stand = judge.standings(best, left)
        if not any(found == "better" for one in stand.values() for found in one.values()):
            break
    else:
        kind, best = "mixed", left[0]
        stand = judge.standings(best, left)
    worse = judge.worse(best, stand)
    as_good = tuple(name for name in left if name not in worse)
    if kind == "winner" and len(as_good) > 1:
        kind = "tie"
    if not judge.beats_base(best):
        avoid = {name: why for name, why in avoid.items() if judge.loses(name)}
        kind, worse, as_good = "nothing", {}, ()
    decides = [f"better by {MEASURES[m].label}" for m in _JUDGES if stand[m][left[0]] == "worse"]
    equal = "as good" + ", default" * (results[best].smoother == DEFAULT_SMOOTHER)
    choice = "" if kind == "nothing" or best == left[0] else [*decides, equal][0]
    found = Verdict(kind, best, as_good, worse, avoid, stands=stand["brier"], choice=choice)
    headline, why = judge.answer(found)
    return replace(found, headline=headline, why=why)


class _Judge:
    """Holds methods against each other, and says what it finds."""

    def __init__(
        self, results: Mapping[str, Result], differences: Differences, margin: float
    ) -> None:
        self.results, self.names = results, list(results)
        first = results[self.names[0]]
        self.base, self.n_classes = first.base_rate, first.n_classes
        self.n_rows = int((~np.isnan(first.proba)).any(axis=(0, 2)).sum())  # those tested
        self.margins = {m: raw_margin(m, margin, results) or 0.0 for m in _JUDGES}
        self.ask = differences
        self.by_brier = sorted(self.names, key=lambda name: self._cost(name, "brier"))

    def _to(self, best: str, measure: str) -> PairedDifferences | None:
        return self.ask(measure, self.names.index(best))

    def _cost(self, name: str, measure: str) -> float:
        return cost_of(self.results[name].scores, measure)

    def _texts(self, measure: str, *values: float | None) -> list[str]:
        shown = [part_shown(measure, self.n_classes) * (value or 0.0) for value in values]
        texts = score_texts(*shown)
        same = len(set(texts)) < len(set(shown))
        return [f"{value:.5f}".removeprefix("0") for value in shown] if same else texts

    def _reason(self, name: str, measure: str, other: float | None) -> str:
        own, beside = self._texts(measure, self.results[name].scores[measure], other)
        return f"{MEASURES[measure].label} {own} against {beside}"

    def to_avoid(self) -> dict[str, str]:
        """Name the methods that tell less than the base rate, or were sure and wrong."""
        least = min(self._cost(name, "log_loss") for name in self.names)
        half = (least + cost_of(self.base, "log_loss")) / 2
        harm = max(half, EXTREME * (least + self.margins["log_loss"]))
        found: dict[str, str] = {}
        for name in self.names:
            for measure in ("brier", "log_loss"):  # no margin: what warns is never overruled
                base, own = cost_of(self.base, measure), self._cost(name, measure)
                if math.inf > own > base and not math.isclose(own, base):
                    found[name] = f"{self._reason(name, measure, base)} of the base rate"
            is_sure = self.results[name].scores.cll is None  # 0 was given to what then happened
            limit = least + self.margins["log_loss"] if is_sure else harm
            if self._cost(name, "log_loss") > limit:
                found[name] = self._reason(name, "log_loss", least)
        return found

    def candidates(self, left: Sequence[str]) -> Sequence[str]:
        """Order methods as they may be named: first what is usual, if as good as the best."""
        stand = self.standings(left[0], left)["brier"]
        usual = [n for n in left if self.results[n].smoother == DEFAULT_SMOOTHER]
        return list(dict.fromkeys([*(n for n in usual if stand[n] == "as good"), *left]))

    def standings(self, best: str, rivals: Sequence[str]) -> dict[str, dict[str, Standing]]:
        """Hold methods against one: by measure, how each of them stands."""
        stand: dict[str, dict[str, Standing]] = {m: {} for m in _JUDGES}
        for measure, own in stand.items():
            found = self._to(best, measure)
            for name in rivals:
                line = None if found is None else found.lines[self.names.index(name)]
                ends = (line.lower, line.difference, line.upper) if line else (0.0, 0.0, 0.0)
                own[name] = standing_of(ends, self.margins[measure], measure)
        return stand

    def worse(self, best: str, stand: Mapping[str, Mapping[str, Standing]]) -> dict[str, str]:
        """Say why methods are worse than one, and better by no measure."""
        found: dict[str, str] = {}
        better = {name for own in stand.values() for name in own if own[name] == "better"}
        for measure, own in stand.items():
            beside = self.results[best].scores[measure]
            for name in (n for n, how in own.items() if how == "worse" and n not in better):
                found.setdefault(name, self._reason(name, measure, beside))
        return found

    def beats_base(self, best: str) -> bool:
        """Whether the best method is better than the base rate by more than chance explains."""
        found = self._to(best, "brier")
        if found is None or found.base is None or found.base.lower is None:
            return self._cost(best, "brier") < (self.base.brier or 0.0)
        return bool(found.base.lower > 0)

    def loses(self, name: str) -> bool:
        """Whether the base rate is better than a method by far, or by more than chance explains."""
        lines = (self._to(name, measure) for measure in ("brier", "log_loss"))
        bases = [line.base for line in lines if line is not None and line.base is not None]
        is_far = self._cost(name, "log_loss") > EXTREME * cost_of(self.base, "log_loss")
        return is_far or any((base.upper or 0.0) < 0 for base in bases)

    def answer(self, found: Verdict) -> tuple[str, str]:
        """Say which to use, and in a sentence or two whether it matters, and which to avoid."""
        if found.kind == "nothing":
            return self._nothing(found)
        best, stands = found.best, found.stands
        others = [name for name in found.as_good if name != best]
        equals = [name for name in others if stands[name] != "probably worse"]
        unsure = [name for name in others if name not in equals]
        headline, beat = f"Use {best}.", "It beats"
        if found.kind == "tie" and equals:
            who = f"{best}, or any of {len(equals)} others"
            who = who if len(equals) > 2 else some_of([best, *equals], "or")
            is_sure = all(stands[name] == "as good" for name in equals)
            headline = f"Use {who}."
            beat = f"{'Equally' if is_sure else 'Probably equally'} good, they beat"
        own, base = self._texts("brier", self.results[best].scores.brier, self.base.brier)
        why = f"{beat} the base rate by Brier score ({own} against {base})"
        following = [name for name in self.by_brier if name in found.worse]
        if found.kind == "mixed":
            why += "; no method is best by every measure"
        elif unsure:
            why += f"; probably worse: {some_of(unsure)}"
        elif following and not equals:
            why += f" and all others: the next is {following[0]} ({found.worse[following[0]]})"
        avoid = [*found.avoid] if len(found.avoid) < len(self.names) else []
        reason = f": {found.avoid[avoid[0]]}" if len(avoid) == 1 else ""
        return headline, f"{why}." + (f" Avoid {some_of(avoid)}{reason}." if avoid else "")

    def _nothing(self, found: Verdict) -> tuple[str, str]:
        """Say that nothing was learnt, or only an order."""
        why = f"As far as {plural(self.n_rows, 'rows')} show, no method is better."
        ranks = self._to(found.best, "auc")
        if ranks is not None and ranks.base is not None and (ranks.base.upper or 0.0) < 0:
            (auc,) = self._texts("auc", self.results[found.best].scores.auc)
            return f"Use the base rate: only the order of rows is learnt (AUC {auc}).", why
        return "Use the base rate: these columns are not shown to help.", why


def some_of(names: Sequence[str], word: str = "and", most: int = 3) -> str:
    """List names as people say them; of many the models, or the first two, and how many more.

    >>> some_of(["HGS", "blend", "HDP"]), some_of(["HGS", "blend", "HDP", "MLE"])
    ('HGS, blend and HDP', 'HGS, blend and 2 others')
    >>> some_of(["TAN · HGS", "TAN · MLE", "TAN · HDP", "KDB · MLE"])
    'TAN in 3 ways and KDB · MLE'
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.partition(" · ")[0] if len(names) > most else name, []).append(name)
    listed = [f"{k} in {len(own)} ways" if own[1:] else own[0] for k, own in groups.items()]
    if len(listed) > most:
        rest = sum(map(len, [*groups.values()][most - 1 :]))
        listed[most - 1 :] = [plural(rest, "others")]
    return f" {word} ".join(filter(None, [", ".join(listed[:-1]), listed[-1]]))


def holds_words(found: Verdict, there: Verdict, table: str) -> str:
    """Say whether what was found also holds on another table."""
    none = "no method is shown to be better than the base rate"
    if found.kind == "nothing":
        helps = f"On {table} the columns do help: {there.headline.replace('Use', 'use', 1)}"
        return f"On {table}, too, {none}." if there.kind == "nothing" else helps
    fails = f"The choice does not hold on {table}"
    if there.kind == "nothing" and {*there.stands} <= {*there.avoid}:
        return f"{fails}: every method is worse than the base rate there."
    if there.kind == "nothing":
        return f"On {table} {none}: whether the choice holds cannot be told."
    if (why := {**there.worse, **there.avoid}.get(found.best)) is not None:
        return f"{fails}: there {there.best} does better ({found.best}: {why})."
    if (stands := there.standing(found.best)) == "probably worse":
        than = f"{found.best} is probably worse there than {there.best}"
        return f"Whether the choice holds on {table} cannot be told: {than}."
    return f"The choice holds on {table}: {found.best} is {stands} there, too."


def is_worse_there(
    here: tuple[Result, Dataset, Sequence[Folds]], there: tuple[Result, Dataset, Sequence[Folds]]
) -> bool:
    """Whether the Brier score rises by more than chance in both tables does in 1 pair of 40."""
    rise, spread = 0.0, 0.0
    for sign, (result, data, cuts) in ((-1, here), (1, there)):
        if (known := known_figures([result], data, cuts, "brier", "rows")) is not None:
            rise += sign * float(known.figures.values[0])
            spread += float(known.figures.covariance[0, 0])
    return rise > -float(ndtri(LEVEL / 2)) * math.sqrt(spread)


def raw_margin(measure: str, margin: float, results: Mapping[str, Result]) -> float | None:
    """Carry the margin over to the figures of a measure; None where none is known.

    It never holds the base rate: it is at most a share of what the best method gains over that,
    and of a rare outcome, whose scores are small, it shrinks with the base rate's score.
    """
    if (times := _MARGINS.get(measure)) is None:
        return None
    first = next(iter(results.values()))
    best = min(cost_of(one.scores, measure) for one in results.values())
    base = cost_of(first.base_rate, measure)
    gain, asked = base - best, margin * times / part_shown(measure, first.n_classes)
    asked = min(asked, _OF_BASE * abs(base) * margin / MARGIN)
    return min(asked, _GAINED * gain) if 0 < gain < math.inf else asked


def cost_of(scores: Scores, measure: str) -> float:
    """Return a figure of which less is better; the worst of all where there is none."""
    value: float | None = scores[measure]
    sign = -1.0 if MEASURES[measure].larger_is_better else 1.0
    return math.inf if value is None else sign * value


def margin_words(margin: float) -> str:
    """Say what a margin means.

    >>> margin_words(0.002)  # doctest: +NORMALIZE_WHITESPACE
    'A Brier score lower by less than .002 (1 decision in 500) counts as no better; by still less
    where the base rate has a small score, or little is gained over it.'
    """
    small = f"{f'{margin:g}'.lstrip('0')} (1 decision in {round(1 / (margin or 1)):,})"
    less = "by still less where the base rate has a small score, or little is gained over it"
    return f"A Brier score lower by less than {small} counts as no better; {less}." * (margin > 0)
