"""How good a model is, in one line: numbers in words and a small calibration chart."""

from __future__ import annotations

from collections.abc import Sequence

from probtrees.draw import markup
from probtrees.draw.escape import html_text
from probtrees.draw.palette import INTEREST, PAINTS, Theme
from probtrees.score.metrics import base_rates
from probtrees.score.reliability import ReliabilityBin, reliability_curve
from probtrees.score.unseen_scores import UnseenScores
from probtrees.words import score_decimals, score_texts, whole_percents

_SIZE = 64


def quality_sentence(scores: UnseenScores, classes: Sequence[str], outcome: int) -> str:
    """Say how good the probabilities of unseen rows were, beside what needs no model.

    It always names what one would score without a tree: numbers alone mislead. Of several classes
    the ranking is that of the outcome of interest, which all else on the page is about.
    """
    usual = int(base_rates(scores.labels, len(classes), scores.weights).argmax())
    of_outcome = scores.auc_of(outcome)
    auc = "" if of_outcome is None else f", AUC {score_texts(of_outcome)[0]}"
    if auc and len(classes) > 2:
        auc += f" (“{classes[outcome]}” against the rest"
        auc += ")" if scores.auc is None else f"; mean of all classes {score_texts(scores.auc)[0]})"
    brier, base = score_texts(scores.brier, scores.base_brier)
    right, by_rule = whole_percents(scores.right, scores.right_by_rule)
    return (
        f"On {len(scores.labels):,} unseen rows: right for {right} "
        f"(always “{classes[usual]}”: {by_rule}), "
        f"Brier {brier} (base rate {base}){auc}."
    )


def unseen_verdict(scores: UnseenScores) -> tuple[str, tuple[str, str] | None]:
    """Judge the gain over the base rates: a sentence, and a claim with its reason.

    The sentence is empty where the model tells more than the base rates do. The claim is a few
    words, which have room above a picture.
    """
    gain, low, _ = scores.better_than_base_rate()
    if low > 0:
        return "", None
    if scores.ranks_rows:
        worth = "no better than" if gain <= 0 else "better only within noise than"
        sentence = f"It ranks unseen rows better than chance does; its percentages are {worth}"
        words = ("Ranks only", f"percentages {worth} the base rate.")
        return f"{sentence} the base rate of every row.", words
    if gain > 0:
        sentence = "Whether it is better than the base rate is within noise: more rows would tell."
        return sentence, ("Maybe chance", "better than the base rate only within noise.")
    return (
        "No better than saying the base rate of every row: this model has found nothing that "
        "holds on unseen rows."
    ), ("Found nothing", "no better than the base rate.")


def against_sentence(scores: UnseenScores, rival: UnseenScores, name: str) -> str:
    """Say how much better or worse a model is than another one, and whether that can be luck."""
    gain, low, high = scores.better_by(rival)
    digits = score_decimals(scores.brier, rival.brier)
    if _points(gain, digits) == _points(0.0, digits):
        return f"Its Brier score is the same to {digits} digits as that of {name}."
    way = "lower (better)" if gain > 0 else "higher (worse)"
    ends = (low, high) if gain > 0 else (-high, -low)
    luck = ", which is within noise" if low <= 0 <= high else ""
    return (
        f"Its Brier score is {_points(abs(gain), digits)} {way} than that of {name} (95 % interval "
        f"{_points(ends[0], digits)} to {_points(ends[1], digits)}){luck}."
    )


def quality_html(sentences: Sequence[str], scores: UnseenScores, outcome: int, theme: Theme) -> str:
    """Lay the sentences out beside the chart."""
    curve = reliability_curve(
        scores.proba[:, outcome], scores.labels == outcome, scores.weights, n_bins=8, method="rows"
    )
    words = "<br>".join(html_text(sentence) for sentence in sentences if sentence)
    return (
        '<div style="display:flex;gap:.8rem;align-items:center;font-size:.88rem;line-height:1.4">'
        f'{_chart(curve, theme)}<div style="min-width:0">{words}</div></div>'
    )


def _chart(curve: Sequence[ReliabilityBin], theme: Theme) -> str:
    """Draw what happened against what was said; the diagonal is where both agree."""
    paint = PAINTS[theme]
    dots = "".join(
        f'<line x1="{_at(b.predicted)}" x2="{_at(b.predicted)}" y1="{_at(1 - b.lower)}" '
        f'y2="{_at(1 - b.upper)}" stroke="{paint.line}" stroke-width="1.2"/>'
        f'<circle cx="{_at(b.predicted)}" cy="{_at(1 - b.observed)}" r="2.6" fill="{INTEREST}"/>'
        for b in curve
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}">'
        f'<rect x="3" y="3" width="{_SIZE - 6}" height="{_SIZE - 6}" fill="none" '
        f'stroke="{paint.line}"/><line x1="3" y1="{_SIZE - 3}" x2="{_SIZE - 3}" y2="3" '
        f'stroke="{paint.faint}" stroke-dasharray="3 2"/>{dots}</svg>'
    )
    words = "Calibration: what was said from left to right, what happened upwards"
    return markup.svg_image(svg, f"flex:none;width:{_SIZE}px;height:{_SIZE}px", words)


def _at(share: float) -> str:
    return f"{3 + share * (_SIZE - 6):.1f}"


def _points(number: float, digits: int) -> str:
    """Write a difference of scores.

    >>> _points(0.0042, 3), _points(-0.0011, 3), _points(-0.0001, 3), _points(-0.0001, 4)
    ('.004', '-.001', '.000', '-.0001')
    """
    return f"{number:z.{digits}f}".replace("0.", ".", 1)
