"""The steps of the lesson in words, in the order of the papers.

What a reader sets changes the numbers in a sentence at once, so sentences hold places for them:
``{name%}`` a percentage, ``{name@}`` percentage points, ``{name#}`` a count, ``{name&}`` a number
of rows, ``{name~}`` a number, ``{name}`` a text. The names are those of ``lessonFacts`` in
``assets/lesson_facts.js``, which fills them in the browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_THESIS = "Zhang (2020), thesis, Monash University"
_HGS = "Zhang, Petitjean and Buntine (2020), HGS"
_HDP = "Petitjean, Buntine, Webb and Zaidi (2018), HDP"


@dataclass(frozen=True)
class Exercise:
    """A question whose answer is a number, checked in the browser.

    Attributes
    ----------
    question : what is asked
    answer : the name of the fact that answers it
    off : how far off an answer may be
    solution : shown with the verdict
    """

    question: str
    answer: str
    off: float
    solution: str


@dataclass(frozen=True)
class Step:
    """One step of the lesson.

    Attributes
    ----------
    name : what the browser knows it by
    number : what links know it by; it never changes, wherever the step stands
    title, question : the name in the list of steps, and what is asked
    clue : what one may know while guessing
    told : what is shown once that is answered, sentence by sentence
    takeaway : the one sentence to remember
    sources : papers by name, with the numbers of their equations
    formulas : in the language of ``assets/formula.js``
    symbols : what each symbol of the formulas is
    exercise : a question to try, or None
    """

    name: str
    number: int
    title: str
    question: str
    clue: str
    told: tuple[str, ...]
    takeaway: str
    sources: tuple[str, ...]
    formulas: tuple[str, ...] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    exercise: Exercise | None = None


_COUNTS = {
    "n_k": "{cases#}: rows of the leaf with {outcome}",
    "n": "{rows#}: rows of the leaf",
}

STEPS = (
    Step(
        name="raw",
        number=0,
        title="One out of one",
        question="What is the true chance in this leaf?",
        clue="The leaf holds {rows&}, {cases#} of them with {outcome}. What would you bet on "
        "the next one?",
        told=(
            "The raw share says {mle%}. One more row turns that into {nextLow%} or {nextHigh%}: "
            "the fewer rows, the wilder the swing.",
            "Repeat the experiment: let the truth be {truth%} and draw {sample&}, again and "
            "again. {extreme%} of such samples say exactly 0 % or 100 %, and a raw share is "
            "typically {deviation@} off.",
        ),
        takeaway="The raw share of a few rows says more about luck than about the chance.",
        sources=(f"{_THESIS}, eq. 6 (maximum likelihood)", "Provost and Domingos (2003)"),
        formulas=("p = {n_k}/{n}",),
        symbols={"p": "the estimate", **_COUNTS},
        exercise=Exercise(
            "With this truth, how many rows does it take until a raw share is typically at most "
            "5 points off?",
            "rowsForFive",
            1,
            "p(1 − p)/n ≤ 0.05² holds from n = {rowsForFive#} on.",
        ),
    ),
    Step(
        name="constant",
        number=1,
        title="Laplace, m-estimate",
        question="What do a few imagined rows make of it?",
        clue="Laplace adds one imagined row of every outcome. Where does that end?",
        told=(
            "Laplace adds one row of every outcome and says {laplace%}. The m-estimate adds m rows "
            "in all, spread evenly: with m = {strength~} it says {mEstimate%}.",
            "Neither looks at the parents. For a rare outcome that is a heavy hand: a leaf of "
            "{rareRows#} rows without a case gets {rareLaplace%} by Laplace, whatever the overall "
            "rate is; here it is {seenAll%}.",
        ),
        takeaway="Imagined rows end the certainty of 0 % and 100 %, but pull every leaf to the "
        "same place.",
        sources=(
            f"{_THESIS}, eq. 15 (Laplace), eq. 16 (m-estimate)",
            f"{_HGS}, eq. 1",
            "Cestnik (1990)",
        ),
        formulas=("p = {n_k + m·b}/{n + m}",),
        symbols={
            "p": "the estimate",
            **_COUNTS,
            "m": "{strength~} imagined rows; Laplace: {outcomes#}",
            "b": "{uniform%}: an even share",
        },
        exercise=Exercise(
            "How many rows, none of them a case, until Laplace says less than 5 %?",
            "laplaceRows",
            0,
            "1/(n + {outcomes#}) < 0.05 from n = {laplaceRows#} on, however rare the outcome is.",
        ),
    ),
    Step(
        name="branch",
        number=2,
        title="Borrow from the parent",
        question="Where does a walk from the root to the leaf end?",
        clue="The parent holds {parentRows&}, {parentCases#} of them with {outcome}. How far "
        "should the leaf listen?",
        told=(
            "Back off: skip nodes of fewer than {least&}, and the answer is {backOff%}, of "
            "{backOffRows&}. Interpolate: {mix%} parent, the rest leaf, gives "
            "{interpolated%}.",
            "M-branch does it at every node, from the root down, and says {mBranch%}. Its strength "
            "m grows with the whole table: {mParent~} imagined rows speak at the parent, which "
            "has {parentRows#}. Observed there: {seenParent%}; estimated: {mBranchParent%}, and "
            "that is all the leaf can borrow.",
        ),
        takeaway="A leaf should listen to its parent before it listens to nobody; the question is "
        "how much.",
        sources=(
            "Ferri, Flach and Hernández-Orallo (2003), M-branch",
            f"{_THESIS}, eq. 17 and 18",
            f"{_HGS}, eq. 2",
        ),
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
            0.01,
            "1 − 1/h is 0 there, so m = M = {mLeaf~}.",
        ),
    ),
    Step(
        name="dirichlet",
        number=6,
        title="A family of chances",
        question="And if children resemble their parents?",
        clue="Before any row of the leaf is seen, its parent's estimate is the best guess. One "
        "number, c, says how close to it children usually lie.",
        told=(
            "Every node's chance is drawn around its parent's: a Dirichlet whose mean is the "
            "parent's {q%} and whose concentration is c. Small c: children do as they like. Large "
            "c: they resemble their parents.",
            "With c = {c~} the leaf's {rows&} have {ownShare%} of the say and the parent the "
            "rest: {dirichlet%}. The picture shows what is believed before and after the leaf's "
            "rows are seen.",
        ),
        takeaway="Smoothing is a belief about families: c says how much children resemble parents.",
        sources=(f"{_HDP}, eq. 6 to 9", f"{_THESIS}, eq. 19", f"{_HGS}, eq. 3"),
        formulas=("p = {n_k + c·q}/{n + c}",),
        symbols={
            "p": "the estimate",
            **_COUNTS,
            "c": "{c~}: rows that the parent counts for",
            "q": "{q%}: the parent's estimate",
        },
        exercise=Exercise(
            "At which c do a leaf's rows and its parent have an equal say? Answer for this leaf.",
            "rows",
            0.01,
            "n/(n + c) is one half at c = n = {rows#}.",
        ),
    ),
    Step(
        name="restaurant",
        number=7,
        title="The restaurant",
        question="How much of a leaf's data is news to its parent?",
        clue="Ten equal rows in one leaf are no ten witnesses for its parent. Of the rows of these "
        "leaves, how large a share should be passed up?",
        told=(
            "Every node is a restaurant, its rows are the customers, outcomes the dishes. A "
            "customer joins a table where the dish is served, or opens a table and orders it from "
            "the parent's menu. The next one of i + 1 opens one with chance c·q/(c·q + i).",
            "Each table is one customer of the parent's restaurant: t tables of n customers are "
            "passed up as pseudo-counts. Here {leafTables~} of the leaf's {rows#} are expected.",
            "Nodes that share one c are tied: all of them (single), those of one depth (level), "
            "siblings (parent), or none.",
        ),
        takeaway="A parent counts tables, not customers: repetition within one child is old news.",
        sources=(f"{_HDP}, sec. 4.2, eq. 10 to 12", "Teh et al. (2006)", f"{_THESIS}, sec. 2.3.3"),
        formulas=("P(table) = {c·q}/{c·q + i}", "p = {n_k + c·q}/{n + c}"),
        symbols={
            "c": "concentration of the node",
            "q": "the dish's share of the parent's menu",
            "i": "customers who already eat this dish here",
            "n_k": "customers of the dish: rows of a leaf, tables passed up to an inner node",
            "n": "all customers of the node",
            "p": "the node's estimate, from the root down",
        },
        exercise=Exercise(
            "Three customers order the same dish and c·q = 1. How many tables are expected?",
            "threeTables",
            0.01,
            "1 + 1/2 + 1/3 = {threeTables~}.",
        ),
    ),
    Step(
        name="gibbs",
        number=4,
        title="Gibbs sampling",
        question="What remains when c and the tables are learned as well?",
        clue="Nobody knows the tables or c, so a sampler draws plausible ones, sweep by sweep, and "
        "averages. Where does the leaf end, and how sure is it?",
        told=(
            "Each sweep seats everybody again, draws c, and notes the leaf's estimate. The first "
            "sweeps only find the way (burn-in) and are dropped.",
            "HDP says {hdp%}, the mean of {kept#} sweeps that are worth {worth#} independent ones. "
            "90 % of the draws of the leaf's chance lie between {low%} and {high%} (the 5 % and "
            "95 % points of the draws themselves).",
            "The interval holds for this tree. It does not cover that the same rows chose the "
            "tree, nor that the future may differ.",
        ),
        takeaway="HDP learns how alike parents and children are, and says how unsure it is.",
        sources=(f"{_HDP}, sec. 4.3", f"{_THESIS}, algorithm 14"),
        formulas=("p = {1}/{S}·Σ_s p_s",),
        symbols={
            "p": "{hdp%}: the mean over the sweeps",
            "S": "{kept#} sweeps after burn-in",
            "p_s": "the leaf's estimate given the tables and c of sweep s",
        },
    ),
    Step(
        name="hgs",
        number=3,
        title="HGS",
        question="And if all ancestors speak at once?",
        clue="Every ancestor's raw share counts as {weight~} more rows of the leaf. What comes "
        "out?",
        told=(
            "HGS needs no walk and no sampler: the leaf's rows, plus the share of each of its "
            "{ancestors#} ancestors by its weight: {hgs%}. The ancestors have {ancestorsShare%} of "
            "the say.",
            "Which weights? Leave one row out, of the leaf and of every ancestor, and ask the "
            "others about it. The weights go downhill on the mean of (1 − p)², p being what was "
            "said about the row's own outcome.",
            "The published descent stops when a step gains less than 0.0001. Here that is after "
            "{steps#} step, with weights within {moved~} of 1 and {published%} for the leaf.",
        ),
        takeaway="Leaving a row out is not enough: the same row chose the splits. Ask rows that "
        "the tree has never seen.",
        sources=(f"{_HGS}, eq. 4 to 8, algorithms 1 and 2", f"{_THESIS}, eq. 45 to 49"),
        formulas=(
            "p = {n_k + Σ_a w_a·{n_ak}/{n_a}}/{n + Σ_a w_a}",
            "L = {1}/{N}·Σ_l n_lk·(1 − p_l)²",
        ),
        symbols={
            "p": "the estimate",
            **_COUNTS,
            "w_a": "{weight~}: rows that an ancestor counts for",
            "n_ak": "the ancestor's rows with {outcome}",
            "n_a": "the ancestor's rows",
            "L": "the leave-one-out loss, squared",
            "N": "{allRows&} in all",
            "n_lk": "rows of a leaf with one outcome",
            "p_l": "what the others say about one of them",
        },
        exercise=Exercise(
            "A row of this leaf is left out. How many rows does the parent then have?",
            "parentLeft",
            0,
            "It leaves every ancestor too: {parentLeft#} remain in the parent, {allLeft#} in the "
            "root.",
        ),
    ),
    Step(
        name="verdict",
        number=5,
        title="Who was right?",
        question="Which answer would you defend?",
        clue="Choose a truth. Many samples are drawn from it, and every method, set as you left "
        "it, has to say what it is. Which comes closest?",
        told=(
            "Nobody wins everywhere. Each bar is the range of 90 % of a method's answers, the dot "
            "their mean; methods are ordered by how far they typically are from the truth.",
            "Closest here: {best}, typically {bestError@} off; the raw share is off by "
            "{rawError@}.",
        ),
        takeaway="Smooth towards the parent when children resemble parents; measure it where you "
        "do not know.",
        sources=(f"{_HGS}, table 1", f"{_THESIS}, sec. 5.3"),
    ),
    Step(
        name="network",
        number=8,
        title="Networks",
        question="Does it work for a table of a network?",
        clue="A table p(x | class, parents) is a tree too: every level knows one more column. Of "
        "15 patients one was heavy and short, and had a stroke. What is the chance?",
        told=(
            "p(stroke | weight, height): the root knows nothing, the first level the weight, the "
            "leaves weight and height. Raw share {mle%}, Laplace {laplace%}, M-branch {mBranch%}, "
            "HGS {hgs%}.",
            "HDP, one c for each level, says {hdpTable%}; the exact answer is 61.0 %. An empty row "
            "of the table, light and tall, is no trouble either: it says what its parent says.",
        ),
        takeaway="A tree and a table of a network are both counts in a hierarchy; what smooths one "
        "smooths the other.",
        sources=(f"{_HDP}, sec. 4.1, eq. 6 to 9", f"{_THESIS}, sec. 4.2.5"),
        formulas=("p(x | y, z) = {n_x + c·p(x | y)}/{n + c}",),
        symbols={
            "p": "{hdpTable%}: the estimate by HDP",
            "x": "the column that the table is about: stroke",
            "y": "the class, or the first parent: weight",
            "z": "the next parent: height",
            "n_x": "{cases#}: rows of this cell with {outcome}",
            "n": "{rows#}: rows of this cell",
            "c": "learned, one for each level",
        },
    ),
)

LAST_STEP = len(STEPS) - 1


def position_of(number: int) -> int:
    """Find the place of the step that links know by a number.

    >>> position_of(3), STEPS[position_of(3)].name
    (6, 'hgs')
    """
    return next(at for at, step in enumerate(STEPS) if step.number == number)
