"""The steps of the lesson in the order of the papers, and the words of steps 5 to 9.

Restaurants, the sampler that learns them; all ancestors at once, who is
right, and the same in a network.
"""

from __future__ import annotations

from probtrees.ui.learn.first_steps import (
    BRANCH,
    CONSTANT,
    DIRICHLET,
    HDP,
    HGS,
    HOLDER_COUNTS,
    RAW,
    THESIS,
    Exercise,
    Guess,
    Step,
    guess_of,
)

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

RESTAURANT = Step(
    name="restaurant",
    number=7,
    title="The restaurant",
    question="How much of the children's data is news to their parent?",
    clue="Ten equal rows in one leaf are no ten witnesses for its parent. The children of "
    "{parentName} hold {parentRows&}. How large a share of them should be passed up?",
    guess=Guess(
        "passedUp",
        "Your guess: {guess%} of the rows, {off@} from the {passedUp%} that are expected.",
        is_chance=False,
    ),
    explanation=(
        "Every node is a restaurant, its rows are the customers, outcomes the dishes. A customer "
        "joins a table where the dish is served, or opens one and orders from the parent's menu: "
        "where i customers already eat a dish, with chance c·q/(c·q + i).",
        "Each table is one customer of the parent's restaurant: t tables of n customers are "
        "passed up as pseudo-counts. Of the {parentRows&} of these children, {familyTables~} "
        "are expected to be passed up ({passedUp%}).",
        "Nodes that share one c are tied: all of them (single), those of one depth (level), "
        "siblings (parent), or none.",
    ),
    takeaway="A parent counts tables, not customers: repetition within one child is old news.",
    sources=(f"{HDP}, sec. 4.2 and 4.3.1", "Teh et al. (2006)", f"{THESIS}, sec. 2.3.3"),
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
        "1 + 1/2 + 1/3 = {threeTables~}.",
    ),
)

GIBBS = Step(
    name="gibbs",
    number=4,
    title="Gibbs sampling",
    question="What remains when c and the tables are learned as well?",
    clue="Nobody knows the tables or c, so a sampler draws plausible ones, sweep by sweep, and "
    "averages. Where does the leaf end?",
    guess=guess_of("HDP", "hdp"),
    explanation=(
        "Each sweep seats everybody again, draws c, and notes the leaf's estimate. The first "
        "sweeps only find the way (burn-in) and are dropped.",
        "HDP says {hdp%}, the mean of {kept:sweep}, worth as much as {worth:independent one}. "
        "90 % of the draws of the leaf's chance lie between {low%} and {high%} (the 5 % and "
        "95 % points of the draws themselves).",
        "Another run, with another seed or on the Tree page, ends about {runError@} away from "
        "this one. The interval holds for this tree. It does not cover that the same rows chose "
        "the tree, nor that the future may differ.",
    ),
    takeaway="HDP learns how alike parents and children are, and says how unsure it is.",
    sources=(f"{HDP}, sec. 4.3", f"{THESIS}, algorithm 14"),
    formulas=("p = {1}/{S}·Σ_s p_s",),
    symbols={
        "p": "{hdp%}: the mean over the sweeps",
        "S": "{kept:sweep} after burn-in",
        "p_s": "the leaf's estimate given the tables and c of sweep s",
    },
    exercise=Exercise(
        "Over the sweeps p_s spreads by {sweepSpread@} (standard deviation). Worth "
        "{worth:independent sweep}, by how many points is the mean itself uncertain?",
        "meanErrorPoints",
        "{sweepSpread@}/√{worth#} = {meanError@}. More sweeps shrink that, never the interval of "
        "the leaf's chance: only more rows do.",
    ),
)

GRADIENT = Step(
    name="hgs",
    number=3,
    title="HGS",
    question="And if all ancestors speak at once?",
    clue="Every ancestor's raw share counts as {weight~} more {weightRows} of the leaf: what "
    "comes out?",
    guess=guess_of("HGS", "hgs"),
    explanation=(
        "HGS needs no walk and no sampler: the rows of the leaf, plus the shares of "
        "{ancestors:ancestor}, each by its weight: {hgs%}. The ancestors have {ancestorsShare%} of "
        "the say.",
        "Which weight? Leave one row out, of the leaf and of every ancestor, and ask the others "
        "about it; or ask trees that never saw the row. The pictures show L, the mean of (1 − p)², "
        "p being what was said about the row's own outcome.",
    ),
    takeaway="A row left out has still helped to choose the splits: only unseen rows can judge.",
    sources=(f"{HGS}, eq. 4 to 8, algorithms 1 and 2", f"{THESIS}, eq. 45 to 49"),
    formulas=(
        "p = {n_k + Σ_a w_a·{n_ak}/{n_a}}/{n + Σ_a w_a}",
        "L = {1}/{N}·Σ_l Σ_k n_lk·(1 − p_lk)²",
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
    },
    exercise=Exercise(
        "A row of this leaf is left out. How many rows does the parent then have?",
        "parentLeft",
        "It leaves every ancestor too: {parentLeft#} remain in the parent, {allLeft#} in the root.",
    ),
)

VERDICT = Step(
    name="verdict",
    number=5,
    title="Who was right?",
    question="Which method would you defend?",
    clue="Choose a truth. {repeats#} samples are drawn from it (the picture shows one), and every "
    "method, set as you left it, has to say what the truth is. Which comes closest?",
    guess=Guess(
        "place",
        "Your choice: {choice}, place {place#} of {methods#}, typically {choiceError@} off.",
        is_chance=False,
        options=METHODS,
    ),
    explanation=(
        "Nobody wins everywhere. Each bar holds 90 % of a method's answers, the dot is their mean; "
        "they are ordered by how far they typically are from the truth of {worldTruth%}.",
        "Closest here: {best}, typically {bestError@} off; the raw share is off by {rawError@}. "
        "{reason}",
    ),
    takeaway="Smooth towards the parent when children resemble parents; measure whether they do.",
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
        "√(bias² + spread²) = {bestError@}. Smoothing buys a smaller spread with some bias: the "
        "raw share has {rawBias@} of bias, and {rawSpread@} of spread.",
    ),
)

NETWORK = Step(
    name="network",
    number=8,
    title="Networks",
    question="Does it work for a table of a network?",
    clue="A table p(x | class, parents) is a tree too: every level knows one more column. The "
    "cell {cell} holds {rows:patient} of 15, {cases#} with a stroke. What is the chance?",
    guess=guess_of("HDP", "hdpTable"),
    explanation=(
        "p(stroke | {order}): the root knows nothing, each level one column more. Raw share "
        "{mle%}, Laplace {laplace%}, M-branch {mBranch%}, HGS {hgs%}; with your c at each level "
        "{dirichlet%}.",
        "HDP learns one c for each level and says {hdpTable%}; the exact answer is {exact%}, found "
        "without sampling by adding up all ways to seat the patients at tables, over a grid of c. "
        "An empty cell, light and tall, is no trouble: it says what its parent says.",
        "Which column comes first is a choice: the cell borrows from its last parent first. "
        "Turn the order round and see who lends.",
    ),
    takeaway="Trees and tables of networks are counts in a hierarchy: what smooths one fits both.",
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
        "2 · 3 · 4 = {moreCells#}: at least {emptyCells#} of them stay empty. That is why networks "
        "need smoothing more than trees do.",
    ),
)

STEPS = (RAW, CONSTANT, BRANCH, DIRICHLET, RESTAURANT, GIBBS, GRADIENT, VERDICT, NETWORK)


def position_of(text: str) -> int:
    """Find the place of the step that a link names, or numbers as links once did.

    >>> position_of("hgs"), position_of("3")
    (6, 6)
    """
    for at, step in enumerate(STEPS):
        if text in (step.name, str(step.number)):
            return at
    raise ValueError(text)
