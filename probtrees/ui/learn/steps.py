"""The steps of the lesson in the order of the papers, and the words of steps 7 to 9.

All ancestors at once, who is right, and the same in a network.
"""

from __future__ import annotations

from probtrees.ui.learn.step import HDP, HGS, HOLDER_COUNTS, THESIS, Exercise, Guess, Step
from probtrees.ui.learn.tree_steps import BRANCH, CONSTANT, DIRICHLET, GIBBS, RAW, RESTAURANT

METHODS = {
    "mle": "Raw share",
    "laplace": "Laplace",
    "mEstimate": "m-estimate",
    "mBranch": "M-branch",
    "dirichlet": "Dirichlet, your c",
    "hdp": "HDP",
    "hgs": "HGS",
    "parent": "Parent's share",
}
"""The methods that are judged, as the browser knows them."""

GRADIENT = Step(
    name="hgs",
    number=3,
    title="HGS",
    question="And if all ancestors speak at once?",
    clue="Every ancestor's raw share counts as {weight~} more {weightRows} of the leaf. What comes "
    "out?",
    guess=Guess("hgs", "Your guess: {guess%}, {off@} from HGS's {hgs%}."),
    explanation=(
        "HGS needs no walk and no sampler: the rows of the leaf, plus the shares of "
        "{ancestors:ancestor}, each by its weight: {hgs%}. The ancestors have {ancestorsShare%} of "
        "the say.",
        "Which weights? Leave one row out, of the leaf and of every ancestor, and ask the "
        "others about it. The weights go downhill on L, the mean of (1 − p)², p being what was "
        "said about the row's own outcome: each moves against its slope, by 0.01 of it.",
        "The published descent stops when a step gains less than 0.0001. A step of 0.01 gains less "
        "than that almost anywhere; here it stops after {steps:step}, with weights within "
        "{moved~} of 1 and {published%} for the leaf.",
    ),
    takeaway="A row that is left out has still helped to choose the splits. Only rows that the "
    "tree has never seen can say which weights are good.",
    sources=(
        f"{HGS}, eq. 4 to 8, algorithms 1 and 2 (printed for the log loss; the squared one is "
        "named after eq. 6)",
        f"{THESIS}, eq. 45 to 49",
    ),
    formulas=(
        "p = {n_k + Σ_a w_a·{n_ak}/{n_a}}/{n + Σ_a w_a}",
        "L = {1}/{N}·Σ_l Σ_k n_lk·(1 − p_lk)²",
        "{∂L}/{∂w_a} = −{2}/{N}·Σ_l∈a Σ_k n_lk·(1 − p_lk)·{r_ak − p_lk}/{s_l}",
    ),
    symbols={
        "p": "the estimate",
        **HOLDER_COUNTS,
        "w_a": "{weight~}: rows that an ancestor counts for",
        "n_ak": "the ancestor's rows with {outcome}",
        "n_a": "the ancestor's rows",
        "L": "the leave-one-out loss, squared: over all leaves l and outcomes k",
        "N": "{allRows&} in all",
        "n_lk": "rows of leaf l with outcome k",
        "p_lk": "what the others say about one of them",
        "r_ak": "the ancestor's share of outcome k, without the row",
        "s_l": "rows of leaf l without it, and all weights above",
        "l∈a": "the leaves below ancestor a",
    },
    exercise=Exercise(
        "A row of this leaf is left out. How many rows does the parent then have?",
        "parentLeft",
        0,
        "It leaves every ancestor too: {parentLeft#} remain in the parent, {allLeft#} in the root.",
        unit="row",
        needs="rows",
    ),
    empty={
        0: "The leaf is empty, so its ancestors have all of the say. The rows of “{holderName}”, "
        "the nearest that has any, count in full, and the shares of {ancestors:ancestor} above it "
        "each by its weight: {hgs%}.",
    },
    no_rows={
        0: "Without any row no ancestor has a share to lend: the formula is 0/0, undefined.",
        2: "Without rows there is no loss to go down.",
    },
)

VERDICT = Step(
    name="verdict",
    number=5,
    title="Who was right?",
    question="Which method would you defend?",
    clue="Choose a truth. {repeats#} samples are drawn from it, of which the picture shows one, "
    "and every method, set as you left it, has to say what the truth is. Which comes closest?",
    guess=Guess(
        "place",
        "Your choice: {choice}, place {place#} of {methods#}, typically {choiceError@} off.",
        is_chance=False,
        options=METHODS,
    ),
    explanation=(
        "Nobody wins everywhere. Each bar is the range of 90 % of a method's answers, the dot "
        "their mean; methods are ordered by how far they typically are from the truth of "
        "{worldTruth%}.",
        "Closest here: {best}, typically {bestError@} off; the raw share is off by {rawError@}. "
        "{reason}",
    ),
    takeaway="Smooth towards the parent when children resemble parents; measure it where you "
    "do not know.",
    sources=(f"{HGS}, table 1", f"{THESIS}, sec. 5.3"),
    formulas=("e = √{{1}/{R}·Σ_r (p_r − θ)²}",),
    symbols={
        "e": "how far a method is typically off; {best}: {bestError@}",
        "R": "{repeats#} samples",
        "p_r": "what the method says on sample r",
        "θ": "{worldTruth%}: the truth",
    },
    exercise=Exercise(
        "{best}'s answers lie {bestBias@} from the truth on average, and spread around their own "
        "average by {bestSpread@} (standard deviation). How many points is it typically off?",
        "bestErrorPoints",
        0.15,
        "√(bias² + spread²) = {bestError@}. Smoothing buys a smaller spread with some bias: the "
        "raw share has {rawBias@} of bias, and {rawSpread@} of spread.",
        unit="point",
        needs="bestError",
    ),
)

NETWORK = Step(
    name="network",
    number=8,
    title="Networks",
    question="Does it work for a table of a network?",
    clue="A table p(x | class, parents) is a tree too: every level knows one more column. The "
    "cell {cell} holds {rows:patient} of 15, {cases#} with a stroke. What is the chance?",
    guess=Guess("hdpTable", "Your guess: {guess%}, {off@} from HDP's {hdpTable%}."),
    explanation=(
        "p(stroke | {order}): the root knows nothing, each level one column more. Raw share "
        "{seen%}, Laplace {laplace%}, M-branch {mBranch%}, HGS {hgs%}; with your c at each level "
        "{dirichlet%}.",
        "HDP learns one c for each level and says {hdpTable%}; the exact answer is {exact%}, found "
        "without sampling by adding up all ways to seat the patients at tables, over a grid of c. "
        "An empty cell, light and tall, is no trouble: it says what its parent says.",
        "Which column comes first is a choice: the cell borrows from its last parent first. "
        "Turn the order round and see who lends.",
    ),
    takeaway="A tree and a table of a network are both counts in a hierarchy; what smooths one "
    "smooths the other.",
    sources=(f"{HDP}, sec. 4.1, eq. 6 to 9", f"{THESIS}, sec. 4.2.5"),
    formulas=("p(x | y, z) = {n_x + c·p(x | y)}/{n + c}",),
    symbols={
        "p": "{dirichlet%}: the estimate with your c; HDP learns it",
        "x": "the column that the table is about: stroke",
        "y": "the first column: {firstColumn}",
        "z": "the next one: {nextColumn}",
        "n_x": "{cases#}: rows of this cell with {outcome}",
        "n": "{rows#}: rows of this cell",
        "c": "{c~} at this level; above the root stand 2 rows, spread evenly",
    },
    exercise=Exercise(
        "A third parent with 4 values joins weight and height. How many cells do these 15 "
        "patients then have to fill?",
        "moreCells",
        0,
        "2 · 3 · 4 = {moreCells#}: at least {moreCells#} − 15 = {emptyCells#} of them stay empty. "
        "That is why networks need smoothing more than trees do.",
        unit="cell",
    ),
)

STEPS = (RAW, CONSTANT, BRANCH, DIRICHLET, RESTAURANT, GIBBS, GRADIENT, VERDICT, NETWORK)

LAST_STEP = len(STEPS) - 1


def position_of(text: str) -> int:
    """Find the place of the step that a link names, or numbers as links once did.

    >>> position_of("hgs"), position_of("3")
    (6, 6)
    """
    for at, step in enumerate(STEPS):
        if text in (step.name, str(step.number)):
            return at
    raise ValueError(text)
