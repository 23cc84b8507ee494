"""What a step of the lesson is made of, and steps 1 to 4: from raw shares to families.

What a reader sets changes the numbers in a sentence at once, so sentences hold places for them:
``{name%}`` a percentage, ``{name@}`` percentage points, ``{name#}`` a count, ``{name&}`` a number
of rows, ``{name~}`` a number, ``{name:word}`` a count of things (1 step, 2 steps), ``{name}`` a
text. The names are those of ``lessonFacts`` in ``assets/lesson_facts.js``, which fills them in the
browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

THESIS = "Zhang (2020), thesis, Monash University"
HGS = "Zhang, Petitjean and Buntine (2020), HGS"
HDP = "Petitjean, Buntine, Webb and Zaidi (2018), HDP"

HOLDER_COUNTS = {
    "n_k": "{ownCases#}: rows of {holder} with {outcome}",
    "n": "{ownRows#}: rows of {holder}",
}
"""The leaf's, or of methods that pass over an empty leaf the nearest ancestor's that has rows."""


@dataclass(frozen=True)
class Guess:
    """What is guessed before the answer is shown.

    Attributes
    ----------
    answer : the name of the fact that it is compared with; empty where nobody knows the answer
    said : shown beside the answer; ``{guess%}`` is the guess, ``{off@}`` how far it is off
    is_chance : whether it is the chance in the leaf, which has its place on the axis
    options : what can be chosen, by name, where the guess is no number
    """

    answer: str
    said: str
    is_chance: bool = True
    options: Mapping[str, str] = field(default_factory=dict)


def guess_of(method: str, answer: str) -> Guess:
    """Let the answer of a method be guessed."""
    return Guess(answer, f"Your guess: {{guess%}}, {{off@}} from {method}'s {{{answer}%}}.")


@dataclass(frozen=True)
class Exercise:
    """A question whose answer is a number, checked in the browser.

    Attributes
    ----------
    question : what is asked
    answer : the name of the fact that answers it; where it is 0 there is no question
    solution : shown once the answer is right, or on request
    """

    question: str
    answer: str
    solution: str


@dataclass(frozen=True)
class Step:
    """One step of the lesson.

    Attributes
    ----------
    name, number : what links know it by, now and in their first format; they never change
    title, question : the name in the list of steps, and what is asked
    clue, guess : what one may know while guessing, and what is guessed
    explanation : what is shown once that is answered, sentence by sentence
    takeaway : the one sentence to remember
    sources : papers by name, with the numbers of their equations
    formulas, symbols : in the language of ``assets/formula.js``, and what each symbol is
    exercise : a question to try
    """

    name: str
    number: int
    title: str
    question: str
    clue: str
    guess: Guess
    explanation: tuple[str, ...]
    takeaway: str
    sources: tuple[str, ...]
    formulas: tuple[str, ...]
    symbols: Mapping[str, str]
    exercise: Exercise


RAW = Step(
    name="raw",
    number=0,
    title="A leaf of few rows",
    question="What is the true chance in this leaf?",
    clue="The leaf holds {rows&}, {cases#} with {outcome}. What would you bet on the next one?",
    guess=Guess(
        "",
        "Your guess: {guess%}. Nobody knows the truth of a leaf. If it is this, a leaf like this "
        "one ({cases#} of {rows#}) comes up in {likeThis%} of all samples.",
    ),
    explanation=(
        "The raw share says {mle%}. One more row in the leaf turns that into {nextLow%} or "
        "{nextHigh%}: the fewer rows, the wilder the swing.",
        "Repeat the experiment: let the truth be {truth%} and draw {sample&}, again and "
        "again. {extreme%} of such samples say exactly 0 % or 100 %, and a raw share is "
        "typically {deviation@} off.",
    ),
    takeaway="The raw share of a few rows says more about luck than about the chance.",
    sources=(f"{THESIS}, eq. 6 (maximum likelihood)", "Provost and Domingos (2003)"),
    formulas=("p = {n_k}/{n}",),
    symbols={"p": "the estimate", **HOLDER_COUNTS},
    exercise=Exercise(
        "How many rows does it take until a raw share is typically at most 5 points off?",
        "rowsForFive",
        "p(1 − p)/n ≤ 0.05² holds from n = {rowsForFive#} on.",
    ),
)

CONSTANT = Step(
    name="constant",
    number=1,
    title="Laplace, m-estimate",
    question="What do a few imagined rows make of it?",
    clue="Laplace adds one imagined row of every outcome. Where does that end?",
    guess=guess_of("Laplace", "laplace"),
    explanation=(
        "Laplace adds one row of every outcome and says {laplace%}. The m-estimate adds m rows "
        "in all, spread evenly: with m = {strength~} it says {mEstimate%}.",
        "A leaf that has rows never asks its parents. For a rare outcome that is a heavy "
        "hand: a leaf of {rareRows#} rows without a case gets {rareLaplace%} by Laplace, whatever "
        "the overall rate is; here it is {seenAll%}.",
    ),
    takeaway="Imagined rows end the certainty of 0 % and 100 %, but pull all leaves to one place.",
    sources=(f"{THESIS}, eq. 15 and 16", f"{HGS}, eq. 1", "Cestnik (1990)"),
    formulas=("p = {n_k + m·b}/{n + m}",),
    symbols={
        "p": "the estimate",
        **HOLDER_COUNTS,
        "m": "{strength:imagined row}; Laplace: {outcomes#}",
        "b": "{uniform%}: an even share",
    },
    exercise=Exercise(
        "How many rows without a case does it take until Laplace says less than 5 %?",
        "laplaceRows",
        "1/(n + {outcomes#}) < 0.05 from n = {laplaceRows#} on, however rare the outcome is.",
    ),
)

BRANCH = Step(
    name="branch",
    number=2,
    title="Borrow from the parent",
    question="Where does a walk from the root to the leaf end?",
    clue="The parent holds {parentRows&}, {parentCases#} with {outcome}. M-branch walks from the "
    "root to the leaf, and every node listens to the one before. Where does the leaf end?",
    guess=guess_of("M-branch", "walkEnd"),
    explanation=(
        "Back off: skip nodes of fewer than {least&}, and the answer is {backOff%}, of "
        "{backOffRows&}. Interpolate: {mix%} parent, the rest leaf, gives "
        "{interpolated%}.",
        "M-branch does it at every node, from the root down: each mixes its rows with m imagined "
        "ones that look like its parent's estimate.",
        "Its walk ends at {walkEnd%}. Its strength m grows with the whole table: "
        "{mParent:imagined row} at the parent, which has {parentRows#}. Observed there: "
        "{seenParent%}; estimated: {mBranchParent%}, and that is what the leaf borrows from.",
    ),
    takeaway="A leaf should listen to its parent before it listens to nobody: but how much?",
    sources=("Ferri et al. (2003), M-branch", f"{THESIS}, eq. 17 and 18", f"{HGS}, eq. 2"),
    formulas=("p = {n_k + m·q}/{n + m}", "m = M·(1 + (1 − {1}/{h})·√{N})"),
    symbols={
        "p": "the estimate of a node",
        "n_k": "its rows with {outcome}",
        "n": "its rows",
        "q": "its parent's estimate; above the root {uniform%}",
        "M": "{branch~}, which you set",
        "m": "imagined rows that look like the parent: {mLeaf~} at the leaf",
        "h": "nodes from here to the end of the branch",
        "N": "{allRows&} in the root",
    },
    exercise=Exercise(
        "What is m at the leaf itself, where h = 1?",
        "mLeaf",
        "1 − 1/h is 0 there, so m = M = {mLeaf~}.",
    ),
)

DIRICHLET = Step(
    name="dirichlet",
    number=6,
    title="A family of chances",
    question="And if children resemble their parents?",
    clue="Before any row of the leaf is seen, its parent's estimate is the best guess. A number c "
    "says how close to it children usually lie. With c = {c~}, where does the leaf end?",
    guess=guess_of("the Dirichlet", "dirichlet"),
    explanation=(
        "Every node's chance is drawn around its parent's: a Dirichlet whose mean is the "
        "parent's {q%} and whose concentration is c. Small c: children do as they like. Large "
        "c: they resemble their parents.",
        "With c = {c~} the leaf ({rows&}) has {ownShare%} of the say and its parent the "
        "rest: {dirichlet%}. The picture shows what is believed before and after the leaf's "
        "rows are seen.",
    ),
    takeaway="Smoothing is a belief about families: c says how much children resemble parents.",
    sources=(f"{HDP}, eq. 6 to 9", f"{THESIS}, eq. 19", f"{HGS}, eq. 3"),
    formulas=("p = {n_k + c·q}/{n + c}",),
    symbols={
        "p": "the estimate",
        "n_k": "{cases#}: rows of the leaf with {outcome}",
        "n": "{rows#}: rows of the leaf",
        "c": "{c~}: rows that the parent counts for; above the root stand 2, spread evenly",
        "q": "{q%}: the parent's estimate",
    },
    exercise=Exercise(
        "At which c do a leaf's rows and its parent have an equal say? Answer for this leaf.",
        "rows",
        "n/(n + c) is one half at c = n = {rows#}.",
    ),
)
